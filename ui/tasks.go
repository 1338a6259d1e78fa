package ui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
	"countersign/ui/decision"
	"countersign/ui/dialog"
	"countersign/ui/inspector"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// events takes a batch: the board hears of every view, the inspector of its own
// task. A new wait changes a count and rings; it moves nothing.
func (m Model) events(msg eventsMsg) (Model, tea.Cmd) {
	var cmds []tea.Cmd
	if m.feed != nil && msg.err == nil {
		cmds = append(cmds, guard(m.feed.wait(m.cmds.ctx, true)))
	}
	if fault.CodeOf(msg.err) == fault.DeskGone {
		m.gone = msg.err
		return m, tea.Quit
	}
	if msg.err != nil && m.cmds.ctx.Err() == nil {
		m = m.warn("events stopped: " + fault.Of(msg.err).Error())
	}
	var views []task.View
	for _, e := range msg.entries {
		switch {
		case e.View != nil:
			before, _ := m.board.Task(e.View.ID)
			if asksAnew(before, *e.View) && !slices.Contains(m.unrung, e.View.ID) {
				m.unrung = append(slices.Clip(m.unrung), e.View.ID)
			}
			views = append(views, *e.View)
			if theme.WaitOf(*e.View) == theme.NoWait {
				m.decision = m.decision.Forget(e.View.ID)
			}
		case e.Event == task.EventGone:
			m.board = m.board.Remove(e.Task)
		case e.Health != nil:
			m.health = *e.Health
		case e.Screen != nil:
			m = m.saw(e.Task, e.Screen)
		}
		m.inspector = m.inspector.Apply(e)
	}
	if len(views) > 0 {
		m.board = m.board.Set(views...)
	}
	m, cmd := m.follow()
	m, bell := m.ring()
	return m, tea.Batch(append(cmds, cmd, bell)...)
}

func (m Model) saw(id task.ID, s *flows.Seen) Model {
	m.screens = maps.Clone(m.screens)
	if m.screens == nil {
		m.screens = map[task.ID]*flows.Seen{}
	}
	m.screens[id] = s
	return m
}

// follow turns the inspector and the question to the selected task, and reads
// what they need.
func (m Model) follow() (Model, tea.Cmd) {
	v, ok := m.board.Selected()
	if !ok {
		m.inspector = m.inspector.SetTask(task.View{})
		m.decision = m.decision.Show(decision.Asked{}, m.now)
		return m, nil
	}
	var cmds []tea.Cmd
	turned := v.ID != m.inspector.Task()
	was := m.inspector.Shown()
	m.inspector = m.inspector.SetTask(v)
	if turned {
		m.report, m.look = nil, nil
		if s := m.screens[v.ID]; s != nil {
			m.inspector = m.inspector.SetScreen(*s)
		}
	}
	changed := turned || was.Status.State != v.Status.State || was.Status.Digest != v.Status.Digest
	if changed {
		m.look = nil
	}
	m.decision = m.decision.Show(m.asked(v), m.now)
	if changed || m.inspector.Tab() == inspector.Records && was.Revision != v.Revision {
		var cmd tea.Cmd
		m, cmd = m.fetch(v.ID)
		cmds = append(cmds, cmd)
	}
	if w := theme.WaitOf(v); changed && (w == theme.Decide || w == theme.ByHand) {
		var cmd tea.Cmd
		m, cmd = m.lookAt(v.ID)
		cmds = append(cmds, cmd)
	}
	return m, tea.Batch(cmds...)
}

func (m Model) asked(v task.View) decision.Asked {
	return decision.Asked{View: v, Report: m.report, Look: m.look}
}

// fetch reads a task's report, one at a time.
func (m Model) fetch(id task.ID) (Model, tea.Cmd) {
	if m.fetching == id {
		m.reread = true
		return m, nil
	}
	m.fetching, m.reread = id, false
	return m, m.cmds.report(id)
}

// fetchShown reads what a newly turned tab shows.
func (m Model) fetchShown() (Model, tea.Cmd) {
	if m.inspector.Tab() != inspector.Records || m.inspector.Task() == 0 {
		return m, nil
	}
	return m.fetch(m.inspector.Task())
}

func (m Model) lookAt(id task.ID) (Model, tea.Cmd) {
	m.lookedAt = m.now
	if m.looking == id {
		return m, nil
	}
	m.looking = id
	return m, m.cmds.look(id, false)
}

// reported shows a report, unless the person has turned away since.
func (m Model) reported(msg reportMsg) (Model, tea.Cmd) {
	again := m.reread && m.fetching == msg.id
	if m.fetching == msg.id {
		m.fetching, m.reread = 0, false
	}
	v, ok := m.board.Selected()
	if !ok || v.ID != msg.id {
		return m, nil
	}
	if msg.err != nil {
		return m.warn(fault.Of(msg.err).Error()), nil
	}
	m.report = &msg.report
	m.inspector = m.inspector.Load(msg.report)
	m.decision = m.decision.Show(m.asked(v), m.now)
	if again {
		return m.fetch(msg.id)
	}
	return m, nil
}

// looked shows what a quiet look found; one that "done" asked for decides
// whether the task goes on.
func (m Model) looked(msg lookMsg) (Model, tea.Cmd) {
	if m.looking == msg.id && !msg.done {
		m.looking = 0
	}
	v, ok := m.board.Selected()
	if msg.err != nil {
		if msg.done && ok && v.ID == msg.id {
			m.decision = m.decision.Refused(msg.err)
		}
		return m, nil // a look that fails unasked changes nothing
	}
	if msg.look.Screen != nil {
		m = m.saw(msg.id, msg.look.Screen)
	}
	if !ok || v.ID != msg.id {
		if msg.done {
			m = m.say(msg.id.String() + ": say done again, there")
		}
		return m, nil
	}
	m.look = &msg.look
	if msg.look.Screen != nil {
		m.inspector = m.inspector.SetScreen(*msg.look.Screen)
	}
	m.decision = m.decision.Show(m.asked(v), m.now)
	if !msg.done {
		return m, nil
	}
	var a decision.Answer
	m.decision, a = m.decision.Looked(msg.look)
	return m, m.cmds.answer(a)
}

// answered tells what became of an answer; one that came too late is "already
// answered".
func (m Model) answered(msg answeredMsg) (Model, tea.Cmd) {
	selected, _ := m.board.Selected()
	here := selected.ID == msg.id && m.decision.Task() == msg.id
	if msg.err != nil {
		f := fault.Of(msg.err)
		words := f.Error() + " · " + f.Hint
		if f.Code == fault.NotWaiting || f.Code == fault.StaleApproval {
			words = "already answered"
		}
		if here {
			m.decision = m.decision.Refused(msg.err)
		}
		m = m.warn(msg.id.String() + ": " + words)
		return m.fetch(msg.id)
	}
	m.board = m.board.Set(msg.view)
	if here {
		m.decision = m.decision.Given(msg.view)
	}
	m = m.say(msg.id.String() + " " + msg.said)
	return m.follow()
}

// forwarded tells where a task's browser is.
func (m Model) forwarded(msg forwardedMsg) Model {
	switch {
	case msg.err != nil:
		f := fault.Of(msg.err)
		return m.warn(msg.id.String() + ": " + f.Error() + " · " + f.Hint)
	case msg.reach.Headed:
		return m.say("the browser of " + msg.id.String() + " is in front")
	case msg.reach.Endpoint != "":
		return m.say(msg.id.String() + " has no window: open " + text.Line(msg.reach.Endpoint) + " in another Chrome")
	default:
		return m.say(msg.id.String() + " has no browser to show")
	}
}

// started leaves the composer for the new task.
func (m Model) started(msg startedMsg) (Model, tea.Cmd) {
	if msg.err != nil {
		m.composer = m.composer.Failed(msg.err)
		return m, nil
	}
	m.composing, m.focus = false, onBoard
	m.board = m.board.Set(msg.view).Select(msg.view.ID)
	m = m.say(msg.view.ID.String() + " started")
	m, cmd := m.follow()
	if old := m.composer.Replaces(); old != 0 {
		return m, tea.Batch(cmd, m.cmds.cancel(old, "", "replaced by "+msg.view.ID.String()))
	}
	return m, cmd
}

// halted lists what stopped.
func (m Model) halted(msg haltedMsg) Model {
	if msg.err != nil {
		f := fault.Of(msg.err)
		return m.warn("not everything stopped: " + f.Error() + " · " + f.Hint)
	}
	m.notice = ""
	body := make([]string, 0, len(msg.views)+1)
	for _, v := range msg.views {
		body = append(body, v.ID.String()+"  "+text.Line(v.Title))
	}
	if len(body) == 0 {
		body = append(body, "Nothing was running.")
	}
	m.dialogs = m.dialogs.Push(dialog.Dialog{Name: "halted", Title: haltedTitle, Body: body})
	return m
}

func (m Model) described(msg describedMsg) Model {
	m.composer = m.composer.SetPlanner(msg.planner)
	if m.health.Decider == "" {
		m.health.Decider = msg.decider
	}
	if m.health.Surfaces == nil {
		m.health.Surfaces = map[string]string{}
		for _, a := range msg.surfaces {
			m.health.Surfaces[string(a.Kind)] = "ok"
			if !a.Available {
				m.health.Surfaces[string(a.Kind)] = a.Reason
			}
		}
	}
	return m
}

// underWay counts what leaving would touch.
func (m Model) underWay() (running, waiting int) {
	for _, v := range m.board.Views() {
		switch {
		case v.Status.State == task.Running:
			running++
		case theme.WaitOf(v) != theme.NoWait:
			waiting++
		}
	}
	return running, waiting
}

// standing says it in words.
func standing(running, waiting int) string {
	var parts []string
	if running == 1 {
		parts = append(parts, "1 task runs")
	} else if running > 1 {
		parts = append(parts, fmt.Sprintf("%d tasks run", running))
	}
	if waiting == 1 {
		parts = append(parts, "1 waits for you")
	} else if waiting > 1 {
		parts = append(parts, fmt.Sprintf("%d wait for you", waiting))
	}
	return strings.Join(parts, ", ") + "."
}
