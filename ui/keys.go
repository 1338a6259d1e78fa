package ui

import (
	"github.com/charmbracelet/bubbles/key"

	"countersign/ui/board"
	"countersign/ui/composer"
	"countersign/ui/decision"
	"countersign/ui/dialog"
	"countersign/ui/form"
	"countersign/ui/history"
	"countersign/ui/inspector"
)

// KeyMap is every key of the desk, by scope. Help is drawn from it.
type KeyMap struct {
	NextWait, Focus, FocusBack, New, Cancel, Relook, Copy, Mouse, Help, Quit, Interrupt, Halt, Suspend key.Binding
	Again, History                                                                                     key.Binding

	Board     board.KeyMap
	Inspector inspector.KeyMap
	Decision  decision.KeyMap
	Composer  composer.KeyMap
	Past      history.KeyMap
}

// DefaultKeyMap is the desk's.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		NextWait:  key.NewBinding(key.WithKeys(" "), key.WithHelp("space", "next wait")),
		Focus:     key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "next region")),
		FocusBack: key.NewBinding(key.WithKeys("shift+tab"), key.WithHelp("shift+tab", "region before")),
		New:       key.NewBinding(key.WithKeys("n"), key.WithHelp("n", "new task")),
		Cancel:    key.NewBinding(key.WithKeys("x"), key.WithHelp("x x", "cancel task")),
		Relook:    key.NewBinding(key.WithKeys("r"), key.WithHelp("r", "look again, quietly")),
		Copy:      key.NewBinding(key.WithKeys("y"), key.WithHelp("y", "copy the id, record or digest")),
		Again:     key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "start it again, as a new task")),
		History:   key.NewBinding(key.WithKeys("H"), key.WithHelp("H", "history")),
		Mouse:     key.NewBinding(key.WithKeys("m"), key.WithHelp("m", "mouse on or off")),
		Help:      key.NewBinding(key.WithKeys("?"), key.WithHelp("?", "help")),
		Quit:      key.NewBinding(key.WithKeys("q"), key.WithHelp("q", "quit")),
		Interrupt: key.NewBinding(key.WithKeys("ctrl+c"), key.WithHelp("ctrl+c", "quit, from anywhere")),
		Halt:      key.NewBinding(key.WithKeys("ctrl+k"), key.WithHelp("ctrl+k ctrl+k", "stop every running task")),
		Suspend:   key.NewBinding(key.WithKeys("ctrl+z"), key.WithHelp("ctrl+z", "suspend")),
		Board:     board.DefaultKeyMap(),
		Inspector: inspector.DefaultKeyMap(),
		Decision:  decision.DefaultKeyMap(),
		Composer:  composer.DefaultKeyMap(),
		Past:      history.DefaultKeyMap(),
	}
}

// everywhere lists the keys of the desk itself.
func (k KeyMap) everywhere() []key.Binding {
	return []key.Binding{k.NextWait, k.Focus, k.FocusBack, k.New, k.Cancel, k.Relook, k.Copy, k.Again, k.History, k.Mouse, k.Help, k.Quit, k.Interrupt, k.Halt, k.Suspend}
}

// groups is the whole map, scope by scope.
func (k KeyMap) groups() []dialog.Group {
	return []dialog.Group{
		{Title: "Everywhere", Keys: k.everywhere()},
		{Title: "A question", Keys: k.Decision.FullHelp()},
		{Title: "One task", Keys: k.Inspector.FullHelp()},
		{Title: "Tasks", Keys: k.Board.FullHelp()},
		{Title: "A new task", Keys: k.Composer.FullHelp()},
		{Title: "History", Keys: k.Past.FullHelp()},
		{Title: "A line being typed", Keys: form.DefaultEditKeys().FullHelp()},
	}
}
