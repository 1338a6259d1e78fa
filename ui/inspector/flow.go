package inspector

import (
	"strings"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/outline"
	"countersign/ui/text"
)

func (m *Model) flowRow(r outline.Row) string {
	at := 0
	if m.view.Step != nil {
		at = m.view.Step.Index
	}
	mark, words := "  ", plain
	switch {
	case at == r.Top && m.view.Progress < 1:
		if r.Depth == 0 {
			mark, words = m.hereMark(), strong
		}
	case at > r.Top || m.view.Progress >= 1:
		mark, words = m.style(good, "✓ "), subtle
		if r.Depth > 0 {
			mark = "  "
		}
	}
	left := " " + mark + m.style(subtle, text.Pad(r.Path, numberWidth)) + strings.Repeat("  ", r.Depth) +
		m.style(subtle, text.Pad(r.Kind, 12)) + " "
	took := m.style(subtle, m.took(r.Path)+" ")
	room := max(m.width-text.Width(left)-text.Width(took)-1, 4)
	return text.Spread(left+m.style(words, text.Truncate(r.Words, room)), took, m.width)
}

// took is how long a step took when it was last done; empty for one that was
// not.
func (m *Model) took(path string) string {
	i, ok := m.steps.latest[path]
	switch {
	case path == "" || !ok:
		return ""
	case i.Outcome == flows.OutcomeRunning:
		return "now"
	default:
		return text.Elapsed(i.ElapsedMS)
	}
}

// hereMark marks the step a task is in, or the one it ended in.
func (m *Model) hereMark() string {
	switch m.view.Status.State {
	case task.Failed:
		return m.style(danger, "✗ ")
	case task.Cancelled:
		return m.style(subtle, "– ")
	case task.Running, task.NeedsInput, task.NeedsApproval, task.NeedsHuman, task.NeedsPlan, task.Checkpoint, task.Done:
		return m.style(accent, "▸ ")
	default:
		return "  "
	}
}
