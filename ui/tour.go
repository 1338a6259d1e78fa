package ui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/ui/inspector"
	"countersign/ui/text"
)

// place is one place of the tour: the task it shows, and what is said there.
type place struct {
	fits func(task.View) bool // nil: the task that is selected already
	tab  inspector.Tab
	said string
}

func inState(s task.State) func(task.View) bool {
	return func(v task.View) bool { return v.Status.State == s }
}

// places of the tour, in their order. It shows and never answers.
func places() []place {
	return []place{
		{nil, inspector.Steps, "Left is the board: a row a task, how it stands, what it does, how far it is. Who waits for you stands first, the longest wait first. Right is one task: its steps as they happen, what it sees, what it saved."},
		{inState(task.NeedsInput), inspector.Steps, "▣ TYPE: a value is missing. Below stands which and why. tab goes there; type it and press enter. Names such as cvv or password are not shown."},
		{inState(task.NeedsApproval), inspector.Steps, "◆ DECIDE: an act that cannot be taken back. Read the card; once READY stands there, the word sign and enter carry it out, d declines. Nothing is ever signed by one key."},
		{inState(task.NeedsHuman), inspector.Screen, "▲ BY HAND: something only a person may do, here a captcha. Do it in the browser, then type done: whether it is gone is looked at first."},
		{inState(task.Checkpoint), inspector.Steps, "▲ BY HAND, in front of a payment: tasks never pay. Pay in the browser yourself or do not, and say which: p twice, or n twice."},
		{inState(task.Done), inspector.Records, "✓ done: what it read stands under Records. There e saves it as CSV, E as JSON, y copies a row, and / searches."},
		{nil, inspector.Steps, "The desk is yours. space goes to the longest wait, n starts a task, ? lists every key, q leaves; nothing is answered by leaving."},
	}
}

// stayFor is how long the tour stays at a place before it goes on by itself.
const stayFor = 20 * time.Second

// tour is a walk over the desk that any key ends. The zero value is none.
type tour struct {
	at    int // from 1; 0: none
	since time.Time
	shown bool // the task of the place was found
}

// tourKey takes a key while the tour lasts: enter goes on, every other key ends
// it and is then the desk's. False: the key is not the tour's.
func (m Model) tourKey(msg tea.KeyMsg) (Model, tea.Cmd, bool) {
	if m.tour.at == 0 {
		return m, nil, false
	}
	if msg.Type != tea.KeyEnter || m.tour.at == len(places()) {
		m.tour = tour{}
		return m, nil, msg.Type == tea.KeyEnter || msg.Type == tea.KeyEsc
	}
	next, cmd := m.goOn()
	return next, cmd, true
}

// goOn walks to the next place.
func (m Model) goOn() (Model, tea.Cmd) {
	m.tour = tour{at: m.tour.at + 1, since: m.now}
	return m.point()
}

// point turns to the task of the place, as soon as there is one.
func (m Model) point() (Model, tea.Cmd) {
	s := places()[m.tour.at-1]
	if m.tour.shown {
		return m, nil
	}
	m.focus = onBoard
	if s.fits != nil {
		found := false
		for _, v := range m.board.Views() {
			if s.fits(v) {
				m.board, found = m.board.Select(v.ID), true
				break
			}
		}
		if !found {
			return m, nil
		}
	}
	m.tour.shown, m.tour.since = true, m.now
	m.inspector = m.inspector.Turn(s.tab)
	m, cmd := m.follow()
	m, fetch := m.fetchShown()
	return m, tea.Batch(cmd, fetch)
}

// stroll lets the tour go on by itself; at its last place it waits for a key.
func (m Model) stroll() (Model, tea.Cmd) {
	switch {
	case m.tour.at == 0:
		return m, nil
	case !m.tour.shown:
		return m.point()
	case m.tour.at < len(places()) && m.now.Sub(m.tour.since) >= stayFor:
		return m.goOn()
	default:
		return m, nil
	}
}

// tourRows are the rows above the desk while the tour lasts.
func (m Model) tourRows() []string {
	s := places()[m.tour.at-1]
	said := s.said
	if !m.tour.shown {
		said += " (A task is on its way there.)"
	}
	lines := text.Wrap(said, max(m.width-4, 20))
	if m.height < 24 {
		lines = lines[:1]
	}
	head := m.theme.Brand.Render(fmt.Sprintf("TOUR %d of %d", m.tour.at, len(places())))
	keys := m.theme.Key.Render("enter") + m.theme.Subtle.Render(" on  ") + m.theme.Subtle.Render("any other key: the desk is yours")
	rows := []string{text.Spread(" "+head, keys+" ", m.width)}
	for _, line := range lines {
		rows = append(rows, text.Pad("  "+m.theme.Text.Render(line), m.width))
	}
	return rows
}
