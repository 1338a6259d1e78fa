package board

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/ui/form"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// Order is what the board is sorted by.
type Order int

// The orders, in the turn of their key.
const (
	ByNeed Order = iota // who waits first
	Newest
	ByTitle
	orderCount
)

func (o Order) String() string {
	switch o {
	case ByNeed:
		return "by need"
	case Newest:
		return "newest first"
	case ByTitle:
		return "by title"
	case orderCount:
		return ""
	default:
		return ""
	}
}

func (o Order) compare(a, b task.View) int {
	switch o {
	case Newest:
		return cmp.Compare(b.ID, a.ID)
	case ByTitle:
		return cmp.Or(cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)), cmp.Compare(a.ID, b.ID))
	case ByNeed, orderCount:
		return byNeed(a, b)
	default:
		return byNeed(a, b)
	}
}

// Filtering reports whether keys are a filter being typed.
func (m Model) Filtering() bool { return m.typing }

// Unfilter shows every task again.
func (m Model) Unfilter() Model {
	if !m.typing && m.filter.Empty() {
		return m
	}
	m.typing, m.filter = false, text.Edit{}
	return m.sort()
}

func (m Model) typeFilter(msg tea.KeyMsg) Model {
	switch msg.Type {
	case tea.KeyEsc:
		return m.Unfilter()
	case tea.KeyEnter:
		m.typing = false
		return m
	default:
		m.filter = form.Typed(m.filter, msg)
		return m.sort()
	}
}

// like reports whether a task's id, state, title or summary holds what is typed.
func (m Model) like(v task.View) bool {
	if m.filter.Empty() {
		return true
	}
	all := v.ID.String() + " " + theme.StateWord(v) + " " + v.Title + " " + v.Summary
	return strings.Contains(strings.ToLower(all), strings.ToLower(m.filter.Value()))
}
