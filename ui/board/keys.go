package board

import "github.com/charmbracelet/bubbles/key"

// KeyMap moves the cursor.
type KeyMap struct {
	Up, Down, Top, Bottom, Sort, Filter key.Binding
}

// DefaultKeyMap is the desk's.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Up:     key.NewBinding(key.WithKeys("up", "k"), key.WithHelp("↑ k", "task above")),
		Down:   key.NewBinding(key.WithKeys("down", "j"), key.WithHelp("↓ j", "task below")),
		Top:    key.NewBinding(key.WithKeys("home", "g"), key.WithHelp("g", "first task")),
		Bottom: key.NewBinding(key.WithKeys("end", "G"), key.WithHelp("G", "last task")),
		Sort:   key.NewBinding(key.WithKeys("s"), key.WithHelp("s", "sort: who waits, newest, title")),
		Filter: key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "only tasks like what is typed; esc ends it")),
	}
}

// ShortHelp and FullHelp describe the map.
func (k KeyMap) ShortHelp() []key.Binding { return []key.Binding{k.Down, k.Up} }

// FullHelp lists everything.
func (k KeyMap) FullHelp() []key.Binding {
	return []key.Binding{k.Up, k.Down, k.Top, k.Bottom, k.Sort, k.Filter}
}
