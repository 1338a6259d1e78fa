package decision

import "github.com/charmbracelet/bubbles/key"

// KeyMap is what works inside the question beside the words to type.
type KeyMap struct {
	Enter, Leave, Up, Down, PageUp, PageDown, Secret, Forward, Paid, NotPaid key.Binding
}

// DefaultKeyMap is the desk's.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Enter:    key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "answer")),
		Leave:    key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "leave it")),
		Up:       key.NewBinding(key.WithKeys("up"), key.WithHelp("↑", "read back")),
		Down:     key.NewBinding(key.WithKeys("down"), key.WithHelp("↓", "read on")),
		PageUp:   key.NewBinding(key.WithKeys("pgup"), key.WithHelp("pgup", "a page up")),
		PageDown: key.NewBinding(key.WithKeys("pgdown"), key.WithHelp("pgdn", "a page down")),
		Secret:   key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "hide or show this value")),
		Forward:  key.NewBinding(key.WithKeys(forwardWord), key.WithHelp("o", "show the task's browser")),
		Paid:     key.NewBinding(key.WithKeys("p"), key.WithHelp("p p", "I paid")),
		NotPaid:  key.NewBinding(key.WithKeys("n"), key.WithHelp("n n", "I did not pay")),
	}
}

// FullHelp lists everything.
func (k KeyMap) FullHelp() []key.Binding {
	return []key.Binding{k.Enter, k.Leave, k.Up, k.Down, k.PageUp, k.PageDown, k.Secret, k.Forward, k.Paid, k.NotPaid}
}
