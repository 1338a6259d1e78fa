package controller

import (
	"encoding/json"
	"slices"

	"countersign/controller/task"
	"countersign/flows"
)

// spot is where a flow is taken up: a step of the flow as given or, when a
// rescue wrote steps in its place, what is left of them and the step the flow
// goes on with behind them.
type spot struct {
	index int          // from 1, in the flow as given
	steps []flows.Step // of a rescue; none: the step itself
	next  int          // with steps: where to go on behind them
	own   int          // how many of steps belong to the latest rescue; the rest to one before
}

// at is the spot of a step of the flow as given.
func at(index int) spot { return spot{index: index} }

// behind is the spot after its first step.
func (s spot) behind() spot { return s.from(2) }

// from is the spot at the n-th of its steps.
func (s spot) from(n int) spot {
	switch {
	case len(s.steps) == 0:
		return at(s.index + n - 1)
	case n > len(s.steps):
		return at(s.next + n - 1 - len(s.steps))
	}
	return spot{index: s.index, steps: s.steps[n-1:], next: s.next, own: max(s.own-n+1, 0)}
}

// flowFrom is everything that runs from a spot on.
func (t *cell) flowFrom(s spot) []flows.Step {
	rest := s.index
	if len(s.steps) > 0 {
		rest = s.next
	}
	return slices.Concat(s.steps, t.flow.Steps[min(rest-1, t.steps()):])
}

// stopped is where a run stopped: standIn says in which of the steps a rescue
// wrote, 0 in none.
func (r *run) stopped(index, standIn int) spot {
	if standIn > 0 && standIn <= len(r.leg.at.steps) {
		return r.leg.at.from(standIn)
	}
	return at(index)
}

// resume is how the task goes on at a spot after a pause.
func (t *cell) resume(kind task.ResumeKind, s spot) *task.Resume {
	r := &task.Resume{Kind: kind, App: t.lastApp(), Index: s.index}
	if len(s.steps) > 0 {
		// A step that was read can be written.
		r.Steps, _ = json.Marshal(s.steps)
		r.Next, r.Own = s.next, s.own
	}
	return r
}

// spotOf reads a stored resume. A guard whose press was sent is never run
// again.
func spotOf(r *task.Resume) spot {
	s := at(r.Index)
	if len(r.Steps) > 0 && json.Unmarshal(r.Steps, &s.steps) == nil && len(s.steps) > 0 {
		s.next, s.own = r.Next, r.Own
		if r.After && !nested(r.Guard) {
			return s.behind()
		}
	}
	return s
}

// takenUp is where to take up a task that stopped at a spot: there, or behind
// it when it is a guard whose press was sent. Was is what the record held then.
func (t *cell) takenUp(s spot, was *task.Resume) spot {
	if len(s.steps) == 0 {
		return at(t.after(s.index))
	}
	if was == nil || !was.After || was.Index != s.index {
		return s
	}
	if pressed := spotOf(was); len(pressed.steps) < len(s.steps) {
		return pressed
	}
	return s
}

// currentAt is the view of the step at a spot; nil when there is none.
func (t *cell) currentAt(s spot) *task.CurrentStep {
	cur := t.current(s.index)
	if cur == nil || len(s.steps) == 0 {
		return cur
	}
	cur.Kind, cur.Intent, cur.Surface = s.steps[0].Kind, t.spelled(s.steps[0]), t.sideOf(s.steps[0])
	return cur
}

// goingOn keeps of a resume what a restart needs before its first step is
// reported: the steps of a rescue, which stand nowhere else.
func goingOn(r *task.Resume) *task.Resume {
	if r == nil || len(r.Steps) == 0 {
		return nil
	}
	kept := *r
	kept.Kind, kept.Evidence, kept.Differs = task.ResumeRetry, nil, nil
	return &kept
}
