package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/surfaces/fault"
	"countersign/ui/history"
)

// openHistory lays the history over the desk.
func (m Model) openHistory() (Model, tea.Cmd) {
	m.browsing = true
	return m.browse(m.history.Start())
}

// browse does what the history wants.
func (m Model) browse(h history.Model, w history.Wish) (Model, tea.Cmd) {
	m.history = h
	switch {
	case w.Close:
		m.browsing = false
	case w.Ask != nil:
		return m, m.cmds.history(*w.Ask)
	case w.Open != nil:
		m.browsing, m.focus = false, onBoard
		m.board = m.board.Set(*w.Open).Select(w.Open.ID)
		return m.follow()
	}
	return m, nil
}

func (c commands) history(a history.Asked) tea.Cmd {
	return c.call(func(ctx context.Context) tea.Msg {
		views, err := c.desk.History(ctx, a.Query, a.Before, history.Page)
		return historyMsg{asked: a, views: views, err: err}
	})
}

// again opens the composer with the selected task's flow and values. What it was
// allowed to destroy is not taken over.
func (m Model) again() (Model, tea.Cmd) {
	v, ok := m.board.Selected()
	if !ok {
		return m.say("no task is selected"), nil
	}
	return m, m.cmds.again(v.ID)
}

func (c commands) again(id task.ID) tea.Cmd {
	return c.call(func(ctx context.Context) tea.Msg {
		r, err := c.desk.TaskReport(ctx, id, false)
		return againMsg{id: id, report: r, err: err, at: c.clock.Now()}
	})
}

// copied takes the task to be started again.
func (m Model) copied(msg againMsg) (Model, tea.Cmd) {
	v, ok := m.board.Selected()
	busy := m.composing || m.browsing || m.dialogs.Open() || m.typing()
	switch {
	case !ok || v.ID != msg.id || busy:
		return m, nil // the person has turned to something else
	case msg.err != nil:
		return m.warn(fault.Of(msg.err).Error()), nil
	case len(msg.report.Flow) == 0:
		return m.say(msg.id.String() + " has no flow to start again"), nil
	}
	m.composing = true
	m.composer = m.composer.Open(0)
	return m.wish(m.composer.Again(v.Title, msg.report.Flow, msg.report.Request))
}

// count is a number with its word.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
