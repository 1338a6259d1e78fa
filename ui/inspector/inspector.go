// Package inspector shows one task in tabs: the steps as they happen, what the
// task sees, the records it saved, its flow, and its log. It reads; it changes
// nothing. A frame costs the rows that are visible, however many reports there
// are.
package inspector

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/outline"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// Tab names a tab.
type Tab int

// The tabs, in the order of their keys.
const (
	Steps Tab = iota
	Screen
	Picture
	Records
	Flow
	Log
	tabCount
)

func (t Tab) String() string {
	switch t {
	case Steps:
		return "Steps"
	case Screen:
		return "Screen"
	case Picture:
		return "Picture"
	case Records:
		return "Records"
	case Flow:
		return "Flow"
	case Log:
		return "Log"
	case tabCount:
		return ""
	default:
		return ""
	}
}

// Model is the inspector. A value, except that the rows of steps and log are
// shared with the values it came from: only the latest may be used.
type Model struct {
	theme   theme.Theme
	keys    KeyMap
	view    task.View
	loaded  bool
	tab     Tab
	width   int
	height  int
	focused bool
	now     time.Time

	steps   *stepList
	log     *logList
	screen  []row
	shown   map[string]bool // lines of the last look
	result  json.RawMessage // as it was shaped
	tables  []table         // what was saved
	records []recordRow     // both, for the present width
	at      int             // the record row under the cursor
	flow    []outline.Row
	shot    Shot // latest picture
	drawn   Drawn
	search  search

	top    [tabCount]int
	follow [tabCount]bool
}

// row is one drawn row, already cleaned; parts are drawn in order.
type row []part

type part struct {
	role role
	text string
}

// role picks a style when a row is drawn, so that rows hold no styles.
type role int

const (
	plain role = iota
	strong
	subtle
	faint
	quote
	good
	warn
	danger
	accent
)

func (m *Model) draw(r row) string {
	out := ""
	for _, p := range r {
		out += m.style(p.role, p.text)
	}
	return out
}

func (m *Model) style(r role, s string) string {
	switch r {
	case strong:
		return m.theme.Strong.Render(s)
	case subtle:
		return m.theme.Subtle.Render(s)
	case faint:
		return m.theme.Faint.Render(s)
	case quote:
		return m.theme.Quote.Render(s)
	case good:
		return m.theme.Good.Render(s)
	case warn:
		return m.theme.Warn.Render(s)
	case danger:
		return m.theme.Danger.Render(s)
	case accent:
		return m.theme.Accent.Render(s)
	case plain:
		return m.theme.Text.Render(s)
	default:
		return s
	}
}

// New makes an inspector that shows nothing yet.
func New(th theme.Theme, keys KeyMap) Model {
	m := Model{theme: th, keys: keys, steps: newStepList(), log: &logList{}}
	m.follow[Steps], m.follow[Log] = true, true
	return m
}

// SetTask turns to a task; what is known of it comes with Load and Apply.
func (m Model) SetTask(v task.View) Model {
	if v.ID == m.view.ID {
		return m.SetView(v)
	}
	tab, width, height, focused, now := m.tab, m.width, m.height, m.focused, m.now
	m = New(m.theme, m.keys)
	m.tab, m.width, m.height, m.focused, m.now = tab, width, height, focused, now
	m.steps.width = width
	return m.SetView(v)
}

// SetView shows the task's present view.
func (m Model) SetView(v task.View) Model {
	v.Title, v.Summary = text.Line(v.Title), text.Line(v.Summary)
	m.view = v
	return m
}

// Task is the task shown; 0 for none.
func (m Model) Task() task.ID { return m.view.ID }

// Shown is the task's view as it was last set.
func (m Model) Shown() task.View { return m.view }

// Tab is the tab shown.
func (m Model) Tab() Tab { return m.tab }

// Loaded reports whether the task's report was read.
func (m Model) Loaded() bool { return m.loaded }

// Load shows a report: everything done so far the first time, later only what
// no event carries (records, flow).
func (m Model) Load(r task.Report) Model {
	if r.View.ID != m.view.ID {
		return m
	}
	if !m.loaded {
		m.steps.load(r.Steps, r.Journal)
		m.log.load(r.Journal, r.Decisions)
		m.loaded = true
	}
	m.result, m.tables = r.View.Status.Result, tablesOf(r.Records)
	m.records = m.recordRows()
	m.flow = outline.Rows(r.Flow)
	m.shot = shotOf(r)
	return m.clamp()
}

// Apply takes one event of the task shown.
func (m Model) Apply(e task.Entry) Model {
	if e.Task != m.view.ID {
		return m
	}
	switch e.Event {
	case task.EventStep:
		if e.Report != nil {
			m.steps.add(*e.Report)
		}
	case task.EventScreen:
		if e.Screen != nil {
			m = m.SetScreen(*e.Screen)
		}
	case task.EventRescue:
		if e.Rescue != nil {
			m.steps.rescue(*e.Rescue)
		}
	case task.EventPicture:
		if e.Picture != nil {
			m.shot = Shot{SHA256: e.Picture.SHA256}
		}
	case task.EventView, task.EventPlan, task.EventResume, task.EventDecision, task.EventGone, task.EventHealth:
	}
	m.log.add(e)
	return m.clamp()
}

// SetScreen shows what the task sees.
func (m Model) SetScreen(s flows.Seen) Model {
	m.screen, m.shown = screenRows(s, m.shown)
	return m.clamp()
}

// SetSize gives the region's size in cells.
func (m Model) SetSize(width, height int) Model {
	if width != m.width {
		m.width = width
		m.records = m.recordRows()
	}
	m.width, m.height = width, height
	m.steps.setWidth(width)
	return m.clamp()
}

// SetFocused says whether keys go to the inspector.
func (m Model) SetFocused(on bool) Model {
	m.focused = on
	return m
}

// SetNow tells the time.
func (m Model) SetNow(now time.Time) Model {
	m.now = now
	return m
}

// Update turns tabs, scrolls and searches.
func (m Model) Update(msg tea.KeyMsg) Model {
	if m.search.typing {
		return m.typeQuery(msg).clamp()
	}
	page := max(m.bodyHeight()-1, 1)
	switch {
	case key.Matches(msg, m.keys.Tabs()...):
		m = m.turn(msg)
	case key.Matches(msg, m.keys.Up):
		m = m.move(-1)
	case key.Matches(msg, m.keys.Down):
		m = m.move(1)
	case key.Matches(msg, m.keys.PageUp):
		m = m.move(-page)
	case key.Matches(msg, m.keys.PageDown):
		m = m.move(page)
	case key.Matches(msg, m.keys.Top):
		m.follow[m.tab], m.top[m.tab] = false, 0
		m.at = m.nextRecord(0, 1)
	case key.Matches(msg, m.keys.Follow):
		m.follow[m.tab] = true
		m.top[m.tab] = m.rowCount(m.tab)
		m.at = m.nextRecord(len(m.records)-1, -1)
	case key.Matches(msg, m.keys.Search):
		m.search = search{typing: true}
	case key.Matches(msg, m.keys.Next):
		m = m.seek(1)
	case key.Matches(msg, m.keys.Prev):
		m = m.seek(-1)
	}
	return m.clamp()
}

// Turn shows a tab.
func (m Model) Turn(t Tab) Model {
	m.tab, m.search = t, search{}
	return m.clamp()
}

// turn goes to another tab; a search stays with the tab it was made in.
func (m Model) turn(msg tea.KeyMsg) Model {
	m.search = search{}
	for t, k := range m.keys.byTab() {
		if key.Matches(msg, k) {
			m.tab = Tab(t)
		}
	}
	switch {
	case key.Matches(msg, m.keys.NextTab):
		m.tab = (m.tab + 1) % tabCount
	case key.Matches(msg, m.keys.PrevTab):
		m.tab = (m.tab + tabCount - 1) % tabCount
	}
	return m
}

func (m Model) move(by int) Model {
	m.follow[m.tab] = false
	if m.tab == Records && m.nextRecord(0, 1) >= 0 {
		return m.moveRecord(by)
	}
	m.top[m.tab] += by
	return m
}

// clamp keeps the scroll inside the rows; a followed tab stays at its end, and
// nothing else ever moves what is being read.
func (m Model) clamp() Model {
	for t := range tabCount {
		last := max(m.rowCount(t)-m.bodyHeight(), 0)
		if m.follow[t] && (t == Steps || t == Log) {
			m.top[t] = last
		}
		m.top[t] = min(max(m.top[t], 0), last)
	}
	return m
}

func (m Model) rowCount(t Tab) int {
	switch t {
	case Steps:
		return m.steps.len()
	case Screen:
		return len(m.screen)
	case Picture:
		return m.pictureCount()
	case Records:
		return len(m.records)
	case Flow:
		return len(m.flow)
	case Log:
		return m.log.len()
	case tabCount:
		return 0
	default:
		return 0
	}
}

// chrome is the rows above the body: the task, its tabs, a rule.
const chrome = 3

func (m Model) bodyHeight() int { return max(m.height-chrome, 0) }

// View draws the region: the visible rows only.
func (m Model) View() []string {
	if m.view.ID == 0 {
		return text.Fit(nil, m.width, m.height)
	}
	rows := make([]string, 0, m.height)
	rows = append(rows, m.heading(), m.tabs(), m.rule())
	n := m.rowCount(m.tab)
	if n == 0 {
		rows = append(rows, "", "  "+m.theme.Subtle.Render(m.empty()))
	}
	top := m.top[m.tab]
	for i := top; i < min(top+m.bodyHeight(), n); i++ {
		rows = append(rows, m.marked(i, m.rowAt(i)))
	}
	return text.Fit(rows, m.width, m.height)
}

func (m Model) rowAt(i int) string {
	switch m.tab {
	case Steps:
		return m.steps.row(&m, i)
	case Screen:
		return m.draw(m.screen[i])
	case Picture:
		return m.pictureRow(i)
	case Records:
		return m.recordAt(i)
	case Flow:
		return m.flowRow(m.flow[i])
	case Log:
		return m.log.row(&m, i)
	case tabCount:
		return ""
	default:
		return ""
	}
}

func (m Model) empty() string {
	if !m.loaded && m.tab != Screen {
		return "reading …"
	}
	switch m.tab {
	case Steps:
		return "No step has been reached yet."
	case Screen:
		return "Nothing has been looked at yet."
	case Picture:
		return "No picture has been taken yet: one is when a task stops for you."
	case Records:
		return "Nothing has been saved yet."
	case Flow:
		return "There is no flow yet."
	case Log:
		return "Nothing has happened yet."
	case tabCount:
		return ""
	default:
		return ""
	}
}

func (m Model) heading() string {
	state := m.theme.State(m.view).Render(theme.StateGlyph(m.view) + " " + theme.StateWord(m.view))
	right := state + " "
	left := " " + m.theme.Subtle.Render(m.view.ID.String()) + "  "
	room := max(m.width-text.Width(left)-text.Width(right)-1, 0)
	return text.Spread(left+m.theme.Strong.Render(text.Truncate(m.view.Title, room)), right, m.width)
}

func (m Model) tabs() string {
	out := " "
	for t := range tabCount {
		label := fmt.Sprintf("%d %s", t+1, t)
		if t == m.tab {
			st := m.theme.Strong
			if m.focused {
				st = m.theme.Key
			}
			out += st.Render("▸"+label) + " "
			continue
		}
		out += m.theme.Subtle.Render(" "+label) + " "
	}
	where := ""
	if n := m.rowCount(m.tab); n > m.bodyHeight() && m.bodyHeight() > 0 {
		where = m.theme.Subtle.Render(span(m.top[m.tab]+1, min(m.top[m.tab]+m.bodyHeight(), n)) + fmt.Sprintf(" of %d ", n))
		if m.follow[m.tab] && (m.tab == Steps || m.tab == Log) {
			where = m.theme.Subtle.Render("following ")
		}
	}
	return text.Spread(out, where, m.width)
}

func span(first, last int) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d–%d", first, last)
}

// rule is the row below the tabs; what is searched stands in it.
func (m Model) rule() string {
	said := m.search.told()
	switch {
	case m.search.typing:
		return m.prompt()
	case said != "":
		return m.theme.Faint.Render("─ ") + m.theme.Accent.Render(said) + m.theme.Faint.Render(" "+repeat("─", m.width-text.Width(said)-3))
	}
	return m.theme.Faint.Render(repeat("─", m.width))
}
