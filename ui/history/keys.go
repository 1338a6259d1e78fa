package history

import "github.com/charmbracelet/bubbles/key"

// KeyMap is what works in the history beside typing.
type KeyMap struct {
	Open, Leave, Up, Down, PageUp, PageDown key.Binding
}

// DefaultKeyMap is the desk's.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Open:     key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "show this task")),
		Leave:    key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "back")),
		Up:       key.NewBinding(key.WithKeys("up"), key.WithHelp("↑", "task above")),
		Down:     key.NewBinding(key.WithKeys("down"), key.WithHelp("↓", "task below, older ones too")),
		PageUp:   key.NewBinding(key.WithKeys("pgup"), key.WithHelp("pgup", "page up")),
		PageDown: key.NewBinding(key.WithKeys("pgdown"), key.WithHelp("pgdn", "page down")),
	}
}

// FullHelp lists everything.
func (k KeyMap) FullHelp() []key.Binding {
	return []key.Binding{k.Open, k.Leave, k.Up, k.Down, k.PageUp, k.PageDown}
}
