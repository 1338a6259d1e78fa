package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"countersign/ui/statusbar"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// View draws the frame: as many rows as the terminal has, each as wide.
func (m Model) View() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	if m.layout.small {
		return m.tiny()
	}
	rows := make([]string, 0, m.height)
	switch {
	case m.noticeRows() == 0:
	case m.tour.at > 0:
		rows = append(rows, m.tourRows()...)
	default:
		rows = append(rows, text.Pad(m.theme.Subtle.Render(" "+text.Truncate(m.cmds.opts.Notice, m.width-2)), m.width))
	}
	switch {
	case m.dialogs.Open():
		rows = append(rows, text.Fit(m.dialogs.View(), m.width, m.height-1-len(rows))...)
	case m.composing:
		rows = append(rows, text.Fit(m.composer.View(), m.width, m.height-1-len(rows))...)
	case m.browsing:
		rows = append(rows, text.Fit(m.history.View(), m.width, m.height-1-len(rows))...)
	default:
		rows = append(rows, m.desk()...)
	}
	rows = append(rows, m.status.View(m.statusNow()))
	return strings.Join(rows, "\n")
}

// noticeFrom is the height from which a row can be spared for the notice.
const noticeFrom = minHeight + 4

func (m Model) noticeRows() int {
	if m.tour.at > 0 && m.height >= noticeFrom {
		return len(m.tourRows())
	}
	if m.cmds.opts.Notice == "" || m.height < noticeFrom {
		return 0
	}
	return 1
}

func (m Model) desk() []string {
	rows := make([]string, 0, m.height)
	reading := m.inspector.View()
	if m.board.Len() == 0 {
		reading = m.teaching(m.layout.inspector, m.layout.body)
	}
	if m.layout.wide {
		edge := m.theme.Faint.Render("│")
		for i, row := range m.board.View() {
			rows = append(rows, row+edge+reading[i])
		}
	} else {
		rows = append(append(rows, m.board.Line()), reading...)
	}
	return append(rows, m.decision.View()...)
}

// tiny is the desk where there is no room for one: it still says who waits.
func (m Model) tiny() string {
	s := fmt.Sprintf("too small (%d×%d needed)", minWidth, minHeight)
	if id, ok := m.board.OldestWait(0); ok {
		v, _ := m.board.Task(id)
		w := theme.WaitOf(v)
		s = fmt.Sprintf("%s %s %s · ", w.Glyph(), w, id) + s
	}
	return text.Pad(s, m.width)
}

func (m Model) statusNow() statusbar.State {
	s := statusbar.State{
		Counts: m.board.Counts(), HideCount: !m.layout.wide && !m.dialogs.Open() && !m.composing && !m.browsing,
		Health: m.health, Attached: m.cmds.opts.Attached, Notice: m.notice, Danger: m.danger, Keys: m.hints(),
	}
	if v, ok := m.board.Selected(); ok && !v.Status.IsFinal() {
		s.Left = &v.Left
	}
	return s
}

// hints are the keys that matter now, the most important first: a narrow row
// drops the last ones.
func (m Model) hints() []key.Binding {
	switch {
	case m.dialogs.Open():
		return nil
	case m.composing:
		return m.composer.Hints()
	case m.browsing:
		return m.history.Hints()
	case m.focus == onDecision:
		return m.decision.Hints()
	}
	var hints []key.Binding
	if n := m.board.Counts(); n[theme.Decide]+n[theme.Type]+n[theme.ByHand] > 0 {
		hints = append(hints, m.keys.NextWait)
	}
	return append(hints, m.keys.Help, m.keys.Quit, m.keys.New, m.keys.Focus)
}
