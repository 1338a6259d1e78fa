package form

import "github.com/charmbracelet/bubbles/key"

// KeyMap moves between fields.
type KeyMap struct {
	Enter, Up, Down, Secret key.Binding
}

// DefaultKeyMap is the desk's.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Enter:  key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "next value, then give all")),
		Up:     key.NewBinding(key.WithKeys("up", "shift+tab"), key.WithHelp("↑", "value above")),
		Down:   key.NewBinding(key.WithKeys("down", "tab"), key.WithHelp("↓ tab", "value below")),
		Secret: key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("ctrl+s", "hide or show this value")),
	}
}

// EditKeys edit the line being typed, wherever one is.
type EditKeys struct {
	Backspace, Delete, Left, Right, Home, End, DeleteWord, Clear key.Binding
}

// DefaultEditKeys is the desk's.
func DefaultEditKeys() EditKeys {
	return EditKeys{
		Backspace:  key.NewBinding(key.WithKeys("backspace"), key.WithHelp("backspace", "delete before")),
		Delete:     key.NewBinding(key.WithKeys("delete"), key.WithHelp("delete", "delete at the cursor")),
		Left:       key.NewBinding(key.WithKeys("left"), key.WithHelp("←", "left")),
		Right:      key.NewBinding(key.WithKeys("right"), key.WithHelp("→", "right")),
		Home:       key.NewBinding(key.WithKeys("home", "ctrl+a"), key.WithHelp("ctrl+a", "start of the line")),
		End:        key.NewBinding(key.WithKeys("end", "ctrl+e"), key.WithHelp("ctrl+e", "end of the line")),
		DeleteWord: key.NewBinding(key.WithKeys("ctrl+w"), key.WithHelp("ctrl+w", "delete a word")),
		Clear:      key.NewBinding(key.WithKeys("ctrl+u"), key.WithHelp("ctrl+u", "empty the line")),
	}
}

// FullHelp lists everything.
func (k EditKeys) FullHelp() []key.Binding {
	return []key.Binding{k.Home, k.End, k.DeleteWord, k.Clear}
}
