package composer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/ui/form"
	"countersign/ui/outline"
	"countersign/ui/text"
)

// Planner says who writes the flow of a task told in plain words. The zero value
// is one whose name is not known yet.
type Planner struct {
	Name    string
	Missing bool // none is configured
}

// plan is the flow a planner wrote, and how it is being edited. The flow itself
// is Model.raw.
type plan struct {
	nr    int    // of the last planning asked for: answers to earlier ones are dropped
	task  string // what was planned or written; empty: the flow is a file's
	own   bool   // by the person, or for an earlier task: no planner was asked
	notes []string
	area  text.Area
	ready bool // it goes on once it was checked
}

// SetPlanner says who plans.
func (m Model) SetPlanner(p Planner) Model {
	m.planner = p
	return m
}

// ofPlan reports whether the flow at hand was planned, not read from a file.
func (m Model) ofPlan() bool { return m.plan.task != "" }

// inWords tells a task in plain words from the path of a flow file: it holds a
// space and neither begins nor ends as a path does.
func inWords(typed string) bool {
	path := strings.HasSuffix(typed, ".json") || slices.ContainsFunc([]string{"/", "./", "../", "~/"}, func(start string) bool {
		return strings.HasPrefix(typed, start)
	})
	return !path && strings.ContainsAny(typed, " \t")
}

// origin says where the flow comes from.
func (m Model) origin() string {
	switch {
	case m.stage == choosing && m.planner.Missing:
		return "from a flow file"
	case m.stage == choosing:
		return "from a flow file, or in plain words"
	case m.plan.own:
		return "from its steps"
	case m.ofPlan() || m.stage == planning:
		return "in plain words"
	default:
		return "from a flow file"
	}
}

// ask has the task planned; the plan at hand is shown again when the words are
// still the same.
func (m Model) ask() (Model, Wish) {
	if m.planner.Missing {
		m.notice = "A task in plain words needs a planner, and none is configured: give [model] in the configuration, or the path of a flow file."
		return m, Wish{}
	}
	if m.plan.task == m.typed() && !m.plan.own {
		m.stage, m.notice = planned, ""
		return m, Wish{Verb: Check, Start: m.request()}
	}
	m.stage, m.notice = planning, ""
	m.plan.nr++
	return m, Wish{Verb: Plan, Plan: task.PlanRequest{Task: m.typed()}, Nr: m.plan.nr}
}

// Planned takes what the planner answered; nothing typed is lost when it failed.
func (m Model) Planned(nr int, p task.Plan, err error) (Model, Wish) {
	if nr != m.plan.nr || m.stage != planning {
		return m, Wish{}
	}
	if err != nil {
		return m.failed(err, choosing), Wish{}
	}
	m.plan = plan{nr: nr, task: m.typed(), notes: p.Notes}
	m.form, m.kept, m.keptFor, m.checked = form.Model{}, nil, "", Checked{}
	m.raw, m.stage, m.notice, m.top = json.RawMessage(outline.Pretty(p.Flow)), planned, "", 0
	return m, Wish{Verb: Check, Start: m.request()}
}

// Hints are the keys that matter now, the most important first.
func (m Model) Hints() []key.Binding {
	switch m.stage {
	case planning, starting:
		return []key.Binding{m.keys.Leave}
	case planned:
		if m.plan.own {
			return []key.Binding{m.keys.Enter, m.keys.Leave, m.keys.Edit, m.keys.Editor, m.keys.Up, m.keys.Down}
		}
		return []key.Binding{m.keys.Enter, m.keys.Leave, m.keys.Edit, m.keys.Again, m.keys.Editor, m.keys.Up, m.keys.Down}
	case editing:
		return []key.Binding{m.keys.Take, m.keys.Leave}
	case choosing, reading, filling, faulty:
		return m.keys.ShortHelp()
	default:
		return m.keys.ShortHelp()
	}
}

// await is the planning: it can only be stopped.
func (m Model) await(msg tea.KeyMsg) (Model, Wish) {
	if !key.Matches(msg, m.keys.Leave) {
		return m, Wish{}
	}
	m.stage, m.notice = choosing, "stopped: nothing was planned"
	m.plan.nr++
	return m, Wish{Verb: StopPlanning}
}

// review is the plan step by step, before it starts.
func (m Model) review(msg tea.KeyMsg) (Model, Wish) {
	m.plan.ready = false
	switch {
	case key.Matches(msg, m.keys.Leave):
		m.stage, m.notice = choosing, ""
	case key.Matches(msg, m.keys.Up):
		m.top = max(m.top-1, 0)
	case key.Matches(msg, m.keys.Down):
		m.top = min(m.top+1, m.lastTop())
	case key.Matches(msg, m.keys.Again) && !m.plan.own:
		m.plan.task = ""
		return m.ask()
	case key.Matches(msg, m.keys.Edit):
		m = m.openText()
	case key.Matches(msg, m.keys.Editor):
		return m, Wish{Verb: Write, Text: headed(m.plan.task, string(m.raw))}
	case key.Matches(msg, m.keys.Enter):
		return m.take()
	}
	return m, Wish{}
}

// openText puts the flow into the editor.
func (m Model) openText() Model {
	m.stage, m.notice, m.plan.area = editing, "", text.NewArea(string(m.raw))
	return m
}

// backToPlan leaves the values; they are kept for when they are asked again.
func (m Model) backToPlan() Model {
	m.stage, m.kept, m.form = planned, m.form.Values(), form.Model{}
	return m
}

// take goes on to the values, once the flow is known to be right.
func (m Model) take() (Model, Wish) {
	m.plan.ready = true
	return m, Wish{Verb: Check, Start: m.request()}
}

// edit takes a key of the text; every change is checked.
func (m Model) edit(msg tea.KeyMsg) (Model, Wish) {
	switch {
	case key.Matches(msg, m.keys.Leave):
		m.stage, m.notice, m.top = planned, "", 0
		return m, Wish{}
	case key.Matches(msg, m.keys.Take):
		return m.take()
	}
	m.plan.area, m.plan.ready = typed(m.plan.area, msg, m.areaHeight()), false
	now := json.RawMessage(m.plan.area.Value())
	if string(now) == string(m.raw) {
		return m, Wish{}
	}
	m.raw, m.notice = now, ""
	return m, Wish{Verb: Check, Start: m.request()}
}

// typed applies an editing key to the text; page is the height of what is shown.
func typed(a text.Area, msg tea.KeyMsg, page int) text.Area {
	keys := form.DefaultEditKeys()
	switch {
	case msg.Type == tea.KeyUp:
		a = a.Move(-1)
	case msg.Type == tea.KeyDown:
		a = a.Move(1)
	case msg.Type == tea.KeyPgUp:
		a = a.Move(-page)
	case msg.Type == tea.KeyPgDown:
		a = a.Move(page)
	case msg.Type == tea.KeyEnter:
		a = a.Break()
	case msg.Type == tea.KeyRunes && !msg.Alt:
		a = a.Insert(string(msg.Runes))
	case key.Matches(msg, keys.Backspace):
		a = a.Backspace()
	case key.Matches(msg, keys.Delete):
		a = a.Delete()
	default:
		a = a.SetLine(form.Typed(a.Line(), msg))
	}
	return a.SetHeight(page)
}

// told is a task being typed in plain words.
func (m Model) told() []string {
	label, mark := "task  ", "› "
	rows := make([]string, 0, m.height)
	for _, line := range m.path.Wrapped(max(m.width-12, 10), m.cursor) {
		rows = append(rows, "  "+m.theme.Subtle.Render(label)+m.theme.Accent.Render(mark)+line)
		label, mark = "      ", "  "
	}
	who := "the planner"
	if m.planner.Name != "" {
		who += " (" + text.Line(m.planner.Name) + ")"
	}
	said := who + " writes its flow, which is shown before anything starts. It is sent these words, and nothing else of yours."
	if m.planner.Missing {
		said = "No planner is configured, so a task in plain words cannot be planned: give the path of a flow file, or [model] in the configuration."
	}
	return append(append(rows, ""), m.lines(said)...)
}

// lines are words of ours, wrapped.
func (m Model) lines(said string) []string {
	var rows []string
	for _, line := range text.Wrap(said, max(m.width-4, 10)) {
		rows = append(rows, "  "+m.theme.Subtle.Render(line))
	}
	return rows
}

func (m Model) waiting() []string {
	rows := append(m.words(), "")
	return append(rows, "  "+m.theme.Strong.Render("Planning …")+"  "+m.theme.Key.Render("esc")+m.theme.Subtle.Render(" stops it, and keeps what was typed"))
}

// words are the task as told, in a few rows.
func (m Model) words() []string {
	const most = 3
	said := m.typed()
	if m.plan.own {
		said = m.plan.task
	}
	list := text.Wrap(text.Line(said), max(m.width-4, 10))
	if len(list) > most {
		list = append(list[:most-1:most-1], text.Truncate(strings.Join(list[most-1:], " "), max(m.width-4, 10)))
	}
	for i := range list {
		list[i] = "  " + m.theme.Strong.Render(list[i])
	}
	return list
}

// outlined is the plan step by step, what it asks for and what its planner notes.
func (m Model) outlined() []string {
	rows := append(m.words(), "")
	list, room := m.outline(), m.outlineHeight()
	top := min(m.top, max(len(list)-room, 0))
	rows = append(rows, list[top:min(top+room, len(list))]...)
	for len(rows) < len(m.words())+1+room {
		rows = append(rows, "")
	}
	where := ""
	if len(list) > room {
		where = fmt.Sprintf("%d–%d of %d rows", top+1, min(top+room, len(list)), len(list))
	}
	return append(rows, "", "  "+m.theme.Subtle.Render(where))
}

func (m Model) outlineHeight() int { return max(m.height-len(m.words())-5, 3) }

func (m Model) lastTop() int { return max(len(m.outline())-m.outlineHeight(), 0) }

// outline is every row of the plan, in the order it is read.
func (m Model) outline() []string {
	steps := outline.Rows(m.raw)
	rows := make([]string, 0, len(steps)+8)
	for _, p := range m.checked.Errors {
		rows = append(rows, m.problem(p, true)...)
	}
	for _, s := range steps {
		at := "  " + strings.Repeat("  ", s.Depth) + m.theme.Subtle.Render(text.Pad(s.Path, 6)+text.Pad(s.Kind, 12)) + " "
		pad := strings.Repeat(" ", text.Width(at))
		for _, line := range text.Wrap(s.Words, max(m.width-text.Width(at)-2, 10)) {
			rows = append(rows, at+m.theme.Text.Render(line))
			at = pad
		}
	}
	rows = append(rows, "")
	rows = append(rows, m.labelled("with", outline.Vars(m.raw))...)
	for _, miss := range m.checked.Missing {
		why := "step " + miss.Step + " needs it; you are asked for it next"
		rows = append(rows, "  "+m.theme.Warn.Render(text.Pad("asks for", 10))+m.theme.Strong.Render(text.Line(miss.Name))+"  "+m.theme.Subtle.Render(why))
	}
	for _, note := range m.plan.notes {
		rows = append(rows, m.labelled("note", text.Line(note))...)
	}
	return rows
}

// labelled are words beside their label; none without words.
func (m Model) labelled(label, words string) []string {
	if words == "" {
		return nil
	}
	var rows []string
	for _, line := range text.Wrap(words, max(m.width-14, 10)) {
		rows = append(rows, "  "+m.theme.Subtle.Render(text.Pad(label, 10))+m.theme.Text.Render(line))
		label = ""
	}
	return rows
}

// areaHeight is the room of the text being edited; errors have that below it.
func (m Model) areaHeight() int { return max(m.height-4-m.errorHeight(), 3) }

func (m Model) errorHeight() int { return max(m.height/4, 3) }

// edited is the flow as text, and below it what is wrong with it now.
func (m Model) edited() []string {
	plainly := func(s string) string { return m.theme.Text.Render(s) }
	var rows []string
	for _, line := range m.plan.area.SetHeight(m.areaHeight()).View(max(m.width-4, 10), m.areaHeight(), m.cursor, plainly) {
		rows = append(rows, "  "+line)
	}
	for len(rows) < m.areaHeight() {
		rows = append(rows, "")
	}
	rows = append(rows, "  "+m.theme.Faint.Render(strings.Repeat("─", max(m.width-4, 0))))
	if len(m.checked.Errors) == 0 {
		return append(rows, "  "+m.theme.Good.Render(fmt.Sprintf("%d steps, no errors", m.checked.Steps)))
	}
	var list []string
	for _, p := range m.checked.Errors {
		list = append(list, m.problem(p, true)...)
	}
	if room := m.errorHeight(); len(list) > room {
		list = append(list[:room-1:room-1], "  "+m.theme.Subtle.Render(fmt.Sprintf("… %d errors in all", len(m.checked.Errors))))
	}
	return append(rows, list...)
}
