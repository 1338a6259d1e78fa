package composer

import "github.com/charmbracelet/bubbles/key"

// KeyMap is what works in the composer beside typing.
type KeyMap struct {
	Enter, Leave, Up, Down, Complete, Secret, Payment key.Binding
}

// DefaultKeyMap is the desk's.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Enter:    key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "next, then start")),
		Leave:    key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "back")),
		Up:       key.NewBinding(key.WithKeys("up"), key.WithHelp("↑", "flow or field above")),
		Down:     key.NewBinding(key.WithKeys("down"), key.WithHelp("↓", "flow or field below")),
		Complete: key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "complete the path")),
		Secret:   key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "hide or show this value")),
		Payment:  key.NewBinding(key.WithKeys("ctrl+p"), key.WithHelp("ctrl+p", "stop at payment, or ask to sign it")),
	}
}

// ShortHelp names the keys that matter.
func (k KeyMap) ShortHelp() []key.Binding {
	return []key.Binding{k.Enter, k.Leave, k.Complete, k.Up, k.Down}
}

// FullHelp lists everything.
func (k KeyMap) FullHelp() []key.Binding {
	return []key.Binding{k.Enter, k.Leave, k.Up, k.Down, k.Complete, k.Secret, k.Payment}
}
