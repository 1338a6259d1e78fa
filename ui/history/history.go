// Package history lists the tasks that ended, newest first, page by page, and
// those of them whose title or state holds what is typed. It reads nothing: what
// it wants is handed back, and what was found is handed in.
package history

import (
	"fmt"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/surfaces/fault"
	"countersign/ui/form"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// Page is how many tasks are asked for at once.
const Page = 50

// Asked is one page wanted: Before is the id of the oldest task known, 0 for the
// first page. Nr tells late answers.
type Asked struct {
	Query  string
	Before task.ID
	Nr     int
}

// Wish is what a key or an answer led to; the zero value is nothing.
type Wish struct {
	Ask   *Asked
	Open  *task.View
	Close bool
}

// Model is the list. A value.
type Model struct {
	theme  theme.Theme
	keys   KeyMap
	query  text.Edit
	views  []task.View // cleaned
	at     int
	top    int
	nr     int
	asking bool
	all    bool // there are no older ones
	failed string

	width, height int
	now           time.Time
}

// New makes an empty list.
func New(th theme.Theme, keys KeyMap) Model { return Model{theme: th, keys: keys} }

// Start begins anew, with everything.
func (m Model) Start() (Model, Wish) {
	m.query = text.Edit{}
	return m.ask()
}

// ask wants the first page of what is typed.
func (m Model) ask() (Model, Wish) {
	m.views, m.at, m.top, m.all, m.failed = nil, 0, 0, false, ""
	return m.more()
}

func (m Model) more() (Model, Wish) {
	a := Asked{Query: m.query.Value(), Nr: m.nr + 1}
	if n := len(m.views); n > 0 {
		a.Before = m.views[n-1].ID
	}
	m.nr, m.asking = a.Nr, true
	return m, Wish{Ask: &a}
}

// Found takes a page; one that was asked for before the query changed is
// dropped.
func (m Model) Found(a Asked, views []task.View, err error) (Model, Wish) {
	if a.Nr != m.nr {
		return m, Wish{}
	}
	m.asking = false
	if err != nil {
		m.failed = text.Line(fault.Of(err).Error())
		return m, Wish{}
	}
	list := append(make([]task.View, 0, len(m.views)+len(views)), m.views...)
	for _, v := range views {
		v.Title, v.Summary = text.Line(v.Title), text.Line(v.Summary)
		list = append(list, v)
	}
	m.views, m.all = list, len(views) < Page
	return m, Wish{}
}

// SetSize gives the room in cells.
func (m Model) SetSize(width, height int) Model {
	m.width, m.height = width, height
	return m.scroll()
}

// SetNow tells the time, for ages.
func (m Model) SetNow(now time.Time) Model {
	m.now = now
	return m
}

// Hints are the keys that matter now.
func (m Model) Hints() []key.Binding {
	return []key.Binding{m.keys.Open, m.keys.Leave, m.keys.Down, m.keys.Up}
}

// Update takes a key. Near the end of what is known older ones are asked for.
func (m Model) Update(msg tea.KeyMsg) (Model, Wish) {
	switch {
	case key.Matches(msg, m.keys.Leave):
		return m, Wish{Close: true}
	case key.Matches(msg, m.keys.Open):
		if m.at < len(m.views) {
			v := m.views[m.at]
			return m, Wish{Open: &v}
		}
		return m, Wish{}
	case key.Matches(msg, m.keys.Up):
		return m.move(-1)
	case key.Matches(msg, m.keys.Down):
		return m.move(1)
	case key.Matches(msg, m.keys.PageUp):
		return m.move(-m.room())
	case key.Matches(msg, m.keys.PageDown):
		return m.move(m.room())
	}
	before := m.query.Value()
	if m.query = form.Typed(m.query, msg); m.query.Value() == before {
		return m, Wish{}
	}
	return m.ask()
}

func (m Model) move(by int) (Model, Wish) {
	m.at = min(max(m.at+by, 0), max(len(m.views)-1, 0))
	m = m.scroll()
	if by > 0 && !m.all && !m.asking && m.at >= len(m.views)-m.room() {
		return m.more()
	}
	return m, Wish{}
}

func (m Model) scroll() Model {
	m.top = max(min(m.top, m.at), m.at-m.room()+1, 0)
	return m
}

// room is the rows of the list: title, query and foot aside.
func (m Model) room() int { return max(m.height-6, 1) }

// View draws the list over the whole room.
func (m Model) View() []string {
	mark := func(s string) string { return m.theme.Cursor.Render(s) }
	rows := []string{
		" " + m.theme.Brand.Render("HISTORY"), "",
		"  " + m.theme.Subtle.Render("title or state  ") + m.theme.Accent.Render("› ") + m.query.View(max(m.width-22, 10), mark), "",
	}
	for i := m.top; i < min(m.top+m.room(), len(m.views)); i++ {
		rows = append(rows, m.item(i))
	}
	switch {
	case m.failed != "":
		rows = append(rows, "  "+m.theme.Danger.Render(m.failed))
	case m.asking && len(m.views) == 0:
		rows = append(rows, "  "+m.theme.Subtle.Render("looking …"))
	case len(m.views) == 0:
		rows = append(rows, "  "+m.theme.Subtle.Render("No task that ended is like that."))
	}
	rows = text.Fit(rows, m.width, m.height)
	if n := len(m.views); n > 0 && m.height > 1 {
		said := fmt.Sprintf("  %d of %d", m.at+1, n)
		if !m.all {
			said += ", and older ones"
		}
		rows[m.height-1] = text.Pad(m.theme.Subtle.Render(said), m.width)
	}
	return rows
}

func (m Model) item(i int) string {
	v := m.views[i]
	edge, title := "  ", m.theme.Text
	if i == m.at {
		edge, title = m.theme.Accent.Render("▸ "), m.theme.Strong
	}
	head := " " + edge + m.theme.State(v).Render(theme.StateGlyph(v)+" "+text.Pad(theme.StateWord(v), 8)) + m.theme.Subtle.Render(text.Pad(v.ID.String(), 7))
	age := m.theme.Subtle.Render(text.PadLeft(text.Since(v.SinceAt, m.now), 7) + " ago ")
	room := max(m.width-text.Width(head)-text.Width(age)-1, 4)
	return text.Spread(head+title.Render(text.Truncate(v.Title, room)), age, m.width)
}
