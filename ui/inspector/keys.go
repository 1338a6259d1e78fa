package inspector

import "github.com/charmbracelet/bubbles/key"

// KeyMap turns the tabs and scrolls.
type KeyMap struct {
	Up, Down, PageUp, PageDown, Top, Follow, NextTab, PrevTab key.Binding
	Steps, Screen, Picture, Records, Flow, Log                key.Binding
	Search, Next, Prev, CSV, JSON, Whole                      key.Binding
}

// DefaultKeyMap is the desk's.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Up:       key.NewBinding(key.WithKeys("up", "k"), key.WithHelp("↑ k", "row up")),
		Down:     key.NewBinding(key.WithKeys("down", "j"), key.WithHelp("↓ j", "row down")),
		PageUp:   key.NewBinding(key.WithKeys("pgup", "b"), key.WithHelp("pgup b", "page up")),
		PageDown: key.NewBinding(key.WithKeys("pgdown", "f"), key.WithHelp("pgdn f", "page down")),
		Top:      key.NewBinding(key.WithKeys("home", "g"), key.WithHelp("g", "to the start")),
		Follow:   key.NewBinding(key.WithKeys("end", "G"), key.WithHelp("G", "to the end, and follow")),
		NextTab:  key.NewBinding(key.WithKeys("right", "l"), key.WithHelp("→ l", "next tab")),
		PrevTab:  key.NewBinding(key.WithKeys("left", "h"), key.WithHelp("← h", "tab before")),
		Steps:    key.NewBinding(key.WithKeys("1"), key.WithHelp("1", "Steps")),
		Screen:   key.NewBinding(key.WithKeys("2"), key.WithHelp("2", "Screen")),
		Picture:  key.NewBinding(key.WithKeys("3", "p"), key.WithHelp("3 p", "Picture")),
		Records:  key.NewBinding(key.WithKeys("4"), key.WithHelp("4", "Records")),
		Flow:     key.NewBinding(key.WithKeys("5"), key.WithHelp("5", "Flow")),
		Log:      key.NewBinding(key.WithKeys("6"), key.WithHelp("6", "Log")),
		Search:   key.NewBinding(key.WithKeys("/"), key.WithHelp("/", "search this tab")),
		Next:     key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "next found")),
		Prev:     key.NewBinding(key.WithKeys("N"), key.WithHelp("N", "found before")),
		CSV:      key.NewBinding(key.WithKeys("e"), key.WithHelp("e", "Records: save as CSV")),
		JSON:     key.NewBinding(key.WithKeys("E"), key.WithHelp("E", "Records: save as JSON")),
		Whole:    key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "Records: the whole row")),
	}
}

// Tabs are the bindings that turn to a tab from anywhere on the desk.
func (k KeyMap) Tabs() []key.Binding { return append(k.byTab(), k.NextTab, k.PrevTab) }

// byTab lists the bindings of the tabs in their order.
func (k KeyMap) byTab() []key.Binding {
	return []key.Binding{k.Steps, k.Screen, k.Picture, k.Records, k.Flow, k.Log}
}

// ShortHelp and FullHelp describe the map.
func (k KeyMap) ShortHelp() []key.Binding { return []key.Binding{k.Down, k.Up, k.Follow} }

// FullHelp lists everything.
func (k KeyMap) FullHelp() []key.Binding {
	return []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Follow, k.Steps, k.Screen, k.Picture, k.Records, k.Flow, k.Log, k.PrevTab, k.NextTab, k.Search, k.Next, k.Prev, k.CSV, k.JSON, k.Whole}
}
