// Package board is the list of tasks: what each is, how it stands, and in what
// way it needs the person. It selects; it never opens, answers or starts
// anything.
package board

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// holdFor keeps the order still after a key moved the cursor, so that nothing
// slides under it while the key is held.
const holdFor = 600 * time.Millisecond

// Model is the board. A value; Set, Remove and SetNow return the changed one.
type Model struct {
	theme    theme.Theme
	keys     KeyMap
	views    []task.View // cleaned, in the order shown
	hidden   []task.View // those the filter keeps back
	order    Order
	filter   text.Edit
	typing   bool // keys are the filter
	selected task.ID
	top      int
	width    int
	height   int
	focused  bool
	now      time.Time
	heldTill time.Time
	stale    bool // the order waits to be made anew
}

// New makes an empty board.
func New(th theme.Theme, keys KeyMap) Model { return Model{theme: th, keys: keys} }

// SetSize gives the region's size in cells.
func (m Model) SetSize(width, height int) Model {
	m.width, m.height = width, height
	return m.scroll()
}

// SetFocused says whether keys go to the board.
func (m Model) SetFocused(on bool) Model {
	m.focused = on
	return m
}

// SetNow tells the time, for ages and for an order that was held.
func (m Model) SetNow(now time.Time) Model {
	m.now = now
	if m.stale && !now.Before(m.heldTill) {
		m = m.sort()
	}
	return m
}

// Set shows the present views of tasks, new ones included. Foreign text is
// cleaned here.
func (m Model) Set(views ...task.View) Model {
	m.views, m.hidden = slices.Clone(m.views), slices.Clone(m.hidden)
	for _, v := range views {
		v.Title, v.Summary = text.Line(v.Title), text.Line(v.Summary)
		known := m.find(v.ID)
		if known == nil {
			m.views = append(m.views, v)
			continue
		}
		if v.Revision >= known.Revision {
			*known = v
		}
	}
	m.stale = true
	if !m.now.Before(m.heldTill) {
		m = m.sort()
	}
	if m.selected == 0 && len(m.views) > 0 {
		m.selected = m.views[0].ID
	}
	return m.scroll()
}

// find is the view kept of a task, shown or not; nil for an unknown one.
func (m Model) find(id task.ID) *task.View {
	for _, list := range [][]task.View{m.views, m.hidden} {
		if i := slices.IndexFunc(list, func(v task.View) bool { return v.ID == id }); i >= 0 {
			return &list[i]
		}
	}
	return nil
}

// Remove drops a task that is history now.
func (m Model) Remove(id task.ID) Model {
	m.hidden = slices.DeleteFunc(slices.Clone(m.hidden), func(v task.View) bool { return v.ID == id })
	i := m.index(id)
	if i < 0 {
		return m
	}
	m.views = slices.Delete(slices.Clone(m.views), i, i+1)
	if m.selected == id {
		m.selected = 0
		if len(m.views) > 0 {
			m.selected = m.views[min(i, len(m.views)-1)].ID
		}
	}
	return m.scroll()
}

// Selected is the task under the cursor.
func (m Model) Selected() (task.View, bool) {
	if i := m.index(m.selected); i >= 0 {
		return m.views[i], true
	}
	return task.View{}, false
}

// Select moves the cursor to a task. One that the filter keeps back ends the
// filter.
func (m Model) Select(id task.ID) Model {
	if m.find(id) == nil {
		return m
	}
	if m.index(id) < 0 {
		m = m.Unfilter()
	}
	m.selected = id
	return m.scroll()
}

// View of one task as the board holds it.
func (m Model) Task(id task.ID) (task.View, bool) {
	if v := m.find(id); v != nil {
		return *v, true
	}
	return task.View{}, false
}

// Len is the number of tasks.
func (m Model) Len() int { return len(m.views) + len(m.hidden) }

// Views gives every task: those shown in their order, then those kept back.
func (m Model) Views() []task.View { return append(slices.Clip(m.views), m.hidden...) }

// OldestWait is the task that has waited longest, after the given one when it
// is itself waiting, so that repeated jumps go round.
func (m Model) OldestWait(after task.ID) (task.ID, bool) {
	var waiting []task.View
	for _, v := range m.Views() {
		if theme.WaitOf(v) != theme.NoWait {
			waiting = append(waiting, v)
		}
	}
	if len(waiting) == 0 {
		return 0, false
	}
	slices.SortStableFunc(waiting, byWait)
	for i, v := range waiting {
		if v.ID == after {
			return waiting[(i+1)%len(waiting)].ID, true
		}
	}
	return waiting[0].ID, true
}

// Counts gives the number of tasks per wait.
func (m Model) Counts() map[theme.Wait]int {
	n := map[theme.Wait]int{}
	for _, v := range m.Views() {
		n[theme.WaitOf(v)]++
	}
	return n
}

// Update moves the cursor, and takes what is sorted and shown by.
func (m Model) Update(msg tea.KeyMsg) Model {
	if m.typing {
		return m.typeFilter(msg)
	}
	i := m.index(m.selected)
	switch {
	case key.Matches(msg, m.keys.Sort):
		m.order = (m.order + 1) % orderCount
		return m.sort()
	case key.Matches(msg, m.keys.Filter):
		m.typing = true
		return m
	case key.Matches(msg, m.keys.Up):
		i--
	case key.Matches(msg, m.keys.Down):
		i++
	case key.Matches(msg, m.keys.Top):
		i = 0
	case key.Matches(msg, m.keys.Bottom):
		i = len(m.views) - 1
	default:
		return m
	}
	if len(m.views) == 0 {
		return m
	}
	m.selected = m.views[min(max(i, 0), len(m.views)-1)].ID
	m.heldTill = m.now.Add(holdFor)
	return m.scroll()
}

func (m Model) index(id task.ID) int {
	return slices.IndexFunc(m.views, func(v task.View) bool { return v.ID == id })
}

// sort makes the order anew, of the tasks that are like the filter.
func (m Model) sort() Model {
	all := slices.Clone(m.Views())
	m.views, m.hidden = nil, nil
	for _, v := range all {
		if m.like(v) {
			m.views = append(m.views, v)
		} else {
			m.hidden = append(m.hidden, v)
		}
	}
	slices.SortStableFunc(m.views, m.order.compare)
	m.stale = false
	if m.index(m.selected) < 0 && len(m.views) > 0 {
		m.selected = m.views[0].ID
	}
	return m.scroll()
}

// byNeed puts waiting tasks first, oldest wait first, then running ones by id,
// then finished ones, newest first.
func byNeed(a, b task.View) int {
	if d := rank(a) - rank(b); d != 0 {
		return d
	}
	switch rank(a) {
	case 0:
		return byWait(a, b)
	case 1:
		return int(a.ID) - int(b.ID)
	default:
		return int(b.ID) - int(a.ID)
	}
}

func byWait(a, b task.View) int {
	if a.SinceAt != b.SinceAt {
		return int(a.SinceAt - b.SinceAt)
	}
	return int(a.ID) - int(b.ID)
}

func rank(v task.View) int {
	switch {
	case theme.WaitOf(v) != theme.NoWait:
		return 0
	case v.Status.State == task.Running:
		return 1
	default:
		return 2
	}
}

// itemHeight is two rows, and a blank one between when all have room.
func (m Model) itemHeight() int {
	if len(m.views)*3-1 <= m.height-1 {
		return 3
	}
	return 2
}

func (m Model) scroll() Model {
	fit := max((m.height-1)/m.itemHeight(), 1)
	i := max(m.index(m.selected), 0)
	if i < m.top {
		m.top = i
	}
	if i >= m.top+fit {
		m.top = i - fit + 1
	}
	m.top = min(m.top, max(len(m.views)-fit, 0))
	return m
}

// View draws the visible tasks only.
func (m Model) View() []string {
	rows := make([]string, 0, m.height)
	rows = append(rows, m.heading())
	h := m.itemHeight()
	if len(m.views) == 0 && m.Len() > 0 {
		rows = append(rows, "", m.theme.Subtle.Render("  No task is like that."))
		return text.Fit(rows, m.width, m.height)
	}
	if len(m.views) == 0 {
		rows = append(rows, "", m.theme.Subtle.Render("  No task yet."), "", "  "+m.theme.Key.Render("n")+m.theme.Subtle.Render("  start a task"))
		return text.Fit(rows, m.width, m.height)
	}
	for i := m.top; i < len(m.views) && len(rows)+2 <= m.height; i++ {
		rows = append(rows, m.item(m.views[i])...)
		if h == 3 {
			rows = append(rows, "")
		}
	}
	return text.Fit(rows, m.width, m.height)
}

func (m Model) heading() string {
	n := fmt.Sprintf("%d tasks ", m.Len())
	if m.Len() == 1 {
		n = "1 task "
	}
	if m.order != ByNeed {
		n = m.order.String() + "  " + n
	}
	if m.typing || !m.filter.Empty() {
		mark := func(s string) string { return m.theme.Cursor.Render(s) }
		shown := text.Truncate(text.Spaced(m.filter.Value()), 20)
		if m.typing {
			shown = m.filter.View(20, mark)
		}
		return text.Spread(" "+m.theme.Key.Render("/")+shown, m.theme.Subtle.Render(fmt.Sprintf("%d of ", len(m.views))+n), m.width)
	}
	if hidden := m.top; hidden > 0 {
		n = fmt.Sprintf("↑%d  ", hidden) + n
	}
	name := m.theme.Subtle
	if m.focused {
		name = m.theme.Brand
	}
	return text.Spread(" "+name.Render("countersign"), m.theme.Subtle.Render(n), m.width)
}

// columns of an item, in cells.
const (
	wordWidth = 7
	idWidth   = 5
	barWidth  = 8
	indent    = 3 // of the second row
)

func (m Model) item(v task.View) []string {
	selected := v.ID == m.selected
	edge, title := " ", m.theme.Text
	if selected {
		edge, title = m.theme.Accent.Render("▌"), m.theme.Strong
	}
	state := m.theme.State(v)
	age := text.PadLeft(text.Since(v.SinceAt, m.now), 6)
	head := edge + state.Render(theme.StateGlyph(v)+" "+text.Pad(theme.StateWord(v), wordWidth)) + " " + m.theme.Subtle.Render(text.Pad(v.ID.String(), idWidth))
	room := max(m.width-text.Width(head)-8, 0)
	first := head + title.Render(text.Pad(v.Title, room)) + " " + m.theme.Subtle.Render(age) + " "

	right := m.right(v)
	room = max(m.width-indent-text.Width(right)-2, 0)
	second := edge + strings.Repeat(" ", indent-1) + m.theme.Subtle.Render(text.Pad(v.Summary, room)) + " " + right + " "
	return []string{first, second}
}

// right is what stands at the end of an item's second row: what is left when it
// runs short, and how far the task is.
func (m Model) right(v task.View) string {
	bar := m.bar(v.Progress)
	if v.Status.State == task.Done || v.Status.State == task.Cancelled || v.Status.State == task.Failed {
		bar = strings.Repeat(" ", barWidth)
	}
	if low := Low(v.Left); low != "" && !v.Status.IsFinal() {
		return m.theme.Warn.Render(low) + " " + bar
	}
	return bar
}

func (m Model) bar(progress float64) string {
	full := min(max(int(progress*barWidth+0.5), 0), barWidth)
	return m.theme.Accent.Render(strings.Repeat("━", full)) + m.theme.Faint.Render(strings.Repeat("─", barWidth-full))
}

// Low names the budget of which less than a fifth is left; empty when none is.
func Low(l task.Left) string {
	switch {
	case l.Actions != nil && l.Actions[0]*5 < l.Actions[1]:
		return fmt.Sprintf("%d acts left", l.Actions[0])
	case l.ElapsedMS != nil && l.ElapsedMS[0]*5 < l.ElapsedMS[1]:
		return text.Age(time.Duration(l.ElapsedMS[0])*time.Millisecond) + " left"
	case l.ModelCalls != nil && l.ModelCalls[0]*5 < l.ModelCalls[1]:
		return fmt.Sprintf("%d calls left", l.ModelCalls[0])
	default:
		return ""
	}
}

// Line is the board in one row: a count per state, and where the cursor is.
func (m Model) Line() string {
	counts := m.Counts()
	var parts []string
	for _, w := range theme.Waits() {
		if counts[w] > 0 {
			parts = append(parts, m.theme.Wait(w).Render(fmt.Sprintf("%s %d %s", w.Glyph(), counts[w], w)))
		}
	}
	running, ended := 0, 0
	for _, v := range m.Views() {
		switch rank(v) {
		case 1:
			running++
		case 2:
			ended++
		}
	}
	if running > 0 {
		parts = append(parts, m.theme.Accent.Render(fmt.Sprintf("● %d running", running)))
	}
	if ended > 0 {
		parts = append(parts, m.theme.Subtle.Render(fmt.Sprintf("✓ %d ended", ended)))
	}
	if len(parts) == 0 {
		parts = append(parts, m.theme.Subtle.Render("no task yet"))
	}
	at := ""
	if i := m.index(m.selected); i >= 0 {
		at = m.theme.Subtle.Render(fmt.Sprintf("%d/%d ", i+1, len(m.views)))
	}
	return text.Spread(" "+strings.Join(parts, "  "), at, m.width)
}
