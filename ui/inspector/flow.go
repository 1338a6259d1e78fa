package inspector

import (
	"strings"

	"countersign/controller/task"
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
	return " " + mark + m.style(subtle, text.Pad(r.Path, numberWidth)) + strings.Repeat("  ", r.Depth) +
		m.style(subtle, text.Pad(r.Kind, 12)) + " " + m.style(words, r.Words)
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
