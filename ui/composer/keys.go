package composer

import "github.com/charmbracelet/bubbles/key"

// KeyMap is what works in the composer beside typing.
type KeyMap struct {
	Enter, Leave, Up, Down, Complete, Secret, Payment, Edit, Editor, Again, Take key.Binding
}

// DefaultKeyMap is the desk's.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Enter:    key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "next, then start")),
		Leave:    key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "back")),
		Up:       key.NewBinding(key.WithKeys("up"), key.WithHelp("↑", "flow or field above")),
		Down:     key.NewBinding(key.WithKeys("down"), key.WithHelp("↓", "flow or field below")),
		Complete: key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "complete the path")),
		Secret:   key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "hide this value, or take the plan")),
		Payment:  key.NewBinding(key.WithKeys("ctrl+p"), key.WithHelp("ctrl+p", "stop at payment, or ask to sign it")),
		Editor:   key.NewBinding(key.WithKeys("ctrl+e"), key.WithHelp("ctrl+e", "write a flow in $EDITOR")),
		Edit:     key.NewBinding(key.WithKeys("e"), key.WithHelp("e", "edit the plan")),
		Again:    key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "have the plan written anew")),
		Take:     key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "go on with it")),
	}
}

// ShortHelp names the keys that matter.
func (k KeyMap) ShortHelp() []key.Binding {
	return []key.Binding{k.Enter, k.Leave, k.Complete, k.Up, k.Down}
}

// FullHelp lists everything; Take has the key of Secret, and its words.
func (k KeyMap) FullHelp() []key.Binding {
	return []key.Binding{k.Enter, k.Leave, k.Up, k.Down, k.Complete, k.Secret, k.Payment, k.Edit, k.Editor, k.Again}
}
