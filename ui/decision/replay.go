package decision

import (
	"strconv"

	"countersign/controller/task"
	"countersign/flows"
)

// Replay gives the lines of a decision of the past: as they stood before the
// person who answered, else drawn again from its evidence. Empty when neither is
// known.
func Replay(r task.Report, d task.Decision) []string {
	if len(d.Shown) > 0 {
		return d.Shown
	}
	if d.Evidence == nil {
		return nil
	}
	e := *d.Evidence
	v := task.View{
		ID: r.View.ID, Title: r.View.Title, SinceAt: d.AskedAt,
		Status: task.Status{State: task.NeedsApproval, Action: e.Phrase, Target: e.Control.Name, Digest: d.Digest},
	}
	if step, err := strconv.Atoi(e.Step); err == nil {
		v.Step = &task.CurrentStep{Index: step, Kind: flows.KindStopBefore, Intent: e.Phrase, Surface: e.Side}
	}
	r.Approval = &task.Approval{Evidence: e, Digest: d.Digest, Differs: d.Differs}
	return NewCard(Asked{View: v, Report: &r}).Lines()
}
