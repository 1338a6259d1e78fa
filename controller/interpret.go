package controller

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// runEnded takes a run's result and makes the transition it means. A result
// that comes after a final state is dropped; its side is given back.
func (t *cell) runEnded(r *run, res flows.Result, wall string, lines []string, timeUp bool) {
	t.run = nil
	if res.Facts != nil {
		t.facts = t.facts.Learn(res.Facts)
	}
	t.rec.Spent = task.Spent{
		Actions: r.before.Actions + res.Actions, ModelCalls: r.before.ModelCalls + res.Calls,
		ElapsedMS: r.before.ElapsedMS + time.Since(r.started).Milliseconds(),
	}
	if t.status().IsFinal() {
		t.c.dropPicture(r.picture)
		t.release()
		return
	}
	if r.leg.reopen && r.done == 0 && r.lostSide(res) {
		// After a restart the binding still leads to what the person was told is
		// lost; the side now knows it, and the next one is opened anew.
		t.dropPlace()
		l := r.leg
		l.reopen = false
		t.startRun(l)
		return
	}
	d := t.draft()
	evidence := d.rec.Resume
	t.absorb(d, r, res)
	t.addPicture(d, r, res)
	index := top(res.Failed)
	if index == 0 {
		index = r.at
	}
	where := r.stopped(max(index, t.rec.Cursor+1), res.StandIn)
	t.rescueEnded(d, r, res)
	complete := res.Stop == flows.Completed
	p := t.unknownPress()
	if p == nil && r.lostSide(res) {
		p = t.unseenPress(res)
	}
	if p != nil {
		if r.lostSide(res) {
			t.dropPlace()
		}
		d.rec.Resume = evidence
		t.askOutcome(d, *p)
		t.settleFor(d, t.commit(d))
		return
	}
	var err error
	switch {
	case r.why == stopStore:
		t.pauseForStore(d, t.takenUp(where, evidence), t.refusal)
		return
	case r.why == stopLost && !complete:
		t.dropPlace()
		t.loseSide(d, r.side, t.takenUp(where, evidence), "")
		err = t.commit(d)
	case r.why == stopHalted && !complete, res.Stop == flows.Halted:
		t.interrupt(d, t.takenUp(where, evidence))
		err = t.commit(d)
	default:
		err = t.interpret(d, r, res, ending{where, t.takenUp(where, evidence), wall, lines, timeUp})
	}
	t.settleFor(d, err)
}

// unseenPress is a press that was sent in a run whose side went before the run
// saw what came of it: input handed to a dying browser may never have arrived.
func (t *cell) unseenPress(res flows.Result) *task.Press {
	if !res.Pressed || len(t.presses) == 0 {
		return nil
	}
	p := t.presses[len(t.presses)-1]
	seen := slices.ContainsFunc(res.Steps, func(s flows.StepReport) bool {
		return s.Step == p.Step && s.Outcome == flows.OutcomeDone
	})
	if seen || p.State != task.Pressed {
		return nil
	}
	return &p
}

// lostSide reports whether the run ended because a side is gone.
func (r *run) lostSide(res flows.Result) bool {
	return r.why == stopLost || r.why == stopNone && res.Stop == flows.StepFailed && res.Code == fault.NoSuchSession
}

// ending is what the controller knows beside a run's result.
type ending struct {
	at     spot     // the step it ended in
	again  spot     // where a later run would start
	wall   string   // what a person must do, when the screen shows a wall
	lines  []string // visible text, when a step failed
	timeUp bool
}

// interpret is table 10.8: what the end of a run means.
func (t *cell) interpret(d *draft, r *run, res flows.Result, e ending) error {
	budget := t.rec.Request.Budget
	switch res.Stop {
	case flows.Completed:
		return t.legDone(d, r)
	case flows.Stopped:
		if res.Pending == nil {
			t.fail(d, e.at.index, string(fault.Internal)+": the run stopped and named no control", "", false)
			return t.end(d)
		}
		return t.gated(d, r, res)
	case flows.OutOfAction:
		reason, hint := outOf("action", int64(orDefault(budget.MaxActions, defaultActions)), "max_actions")
		t.fail(d, e.at.index, reason, hint, false)
	case flows.OutOfCalls:
		reason, hint := outOf("model call", int64(orDefault(budget.MaxModelCalls, defaultModelCalls)), "max_model_calls")
		t.fail(d, e.at.index, reason, hint, false)
	case flows.Invalid:
		bad := invalidFlow(res.Errors)
		t.fail(d, 0, bad.Error(), bad.Hint, false)
	case flows.Cancelled:
		if !e.timeUp {
			t.interrupt(d, e.again)
			return t.commit(d)
		}
		reason, hint := outOf("millisecond", *budget.MaxElapsedMS, "max_elapsed_ms")
		t.fail(d, e.at.index, reason, hint, false)
	case flows.StepFailed, flows.Halted:
		return t.stepFailed(d, r, res, e)
	default:
		return t.stepFailed(d, r, res, e)
	}
	return t.end(d)
}

// legDone stores what a finished run left and goes on.
func (t *cell) legDone(d *draft, r *run) error {
	t.finished(d, r.leg.then.index-1)
	halted := r.asked || r.why == stopHalted
	if halted && r.leg.then.index <= t.steps() {
		t.interrupt(d, r.leg.then)
		return t.commit(d)
	}
	if err := t.commit(d); err != nil {
		return err
	}
	t.advance(r.leg.then)
	return nil
}

func (t *cell) stepFailed(d *draft, r *run, res flows.Result, e ending) error {
	hint := cmp.Or(t.facts.Redact(res.Hint), res.Code.Hint())
	if hint == "" {
		hint = "Reword the step, or split it into smaller ones."
	}
	reason := t.facts.Redact(res.Reason)
	if reason == "" {
		reason = "the step failed"
	}
	switch {
	case res.Code == fault.NoSuchSession:
		side := t.lastSide()
		t.dropPlace()
		t.loseSide(d, side, e.again, "")
		return t.commit(d)
	case r.leg.reopen && r.done == 0 && (res.Code == fault.DesktopNotAvailable || res.Code == fault.PermDenied):
		// The display or the bus is not back: the person is told so, and may try
		// again when it is.
		t.dropPlace()
		t.loseSide(d, surfaces.Desktop, e.again, reason)
		return t.commit(d)
	case res.Code == fault.BrowserUnavailable, res.Code == fault.DeciderNotConfigured:
		t.fail(d, e.at.index, reason, hint, false)
	case res.Refused != nil && res.RefusedFor == "payment" && !t.fillsPayment():
		d.at(t.currentAt(e.at))
		t.stopAtPayment(d, e.at.index, res.Refused.Control.Name)
		return t.commit(d)
	case e.wall != "" && !nested(res.Failed):
		t.needHuman(d, e)
		return t.commit(d)
	case t.mayRescue(res, e):
		return t.askRescuer(d, r, failure{reason, hint}, res, e)
	default:
		t.fail(d, e.at.index, reason, hint, true)
	}
	return t.end(d)
}

// end commits a final state and gives the side back.
func (t *cell) end(d *draft) error {
	if err := t.commit(d); err != nil {
		return err
	}
	t.release()
	return nil
}

// interrupt pauses in front of a step; it never goes on by itself.
func (t *cell) interrupt(d *draft, s spot) {
	index := s.index
	d.rec.Resume = t.resume(task.ResumeRetry, s)
	reason := "interrupted " + t.placeInFlow(index)
	d.at(t.currentAt(s))
	d.become(task.Status{
		State: task.Checkpoint, Kind: task.CheckpointInterrupted, Continuable: true,
		Reason: reason, Location: t.where(index), Summary: t.before(index),
	}, "Stopped: "+reason+".")
	t.ask(d, nil, nil)
}

// loseSide pauses because what the task acted in is gone. An approval that was
// open or not yet used is void: its guard asks afresh. why says, once the
// person has tried, what keeps it from coming back.
func (t *cell) loseSide(d *draft, side surfaces.Side, s spot, why string) {
	index := s.index
	d.rec.Resume = t.resume(task.ResumeRetry, s)
	reason := string(side) + " lost " + t.placeInFlow(index)
	if why != "" {
		reason += ": " + why
	}
	d.at(t.currentAt(s))
	d.become(task.Status{
		State: task.Checkpoint, Kind: task.CheckpointSideLost, Continuable: true,
		Reason: reason, Location: t.where(index), Summary: t.before(index),
	}, "Stopped: "+reason+".")
	t.ask(d, nil, nil)
}

// pauseForStore pauses because a transition was refused. When this one is
// refused too it is shown all the same: a restart reads the task as
// interrupted at this very step.
func (t *cell) pauseForStore(d *draft, s spot, refusal error) {
	why, index := fault.Of(refusal), s.index
	d.rec.Resume = t.resume(task.ResumeRetry, s)
	d.at(t.currentAt(s))
	d.become(task.Status{
		State: task.Checkpoint, Kind: task.CheckpointInterrupted, Continuable: true,
		Reason:   "interrupted " + t.placeInFlow(index) + ": " + why.Error(),
		Location: t.where(index), Summary: t.before(index),
	}, "Stopped: "+why.Message+".")
	t.ask(d, nil, nil)
	if t.commit(d) != nil {
		t.showUnstored(d)
	}
}

// upTo is where a task stands that no run is under way for.
func (t *cell) upTo() spot {
	if r := t.rec.Resume; r != nil {
		return t.takenUp(spotOf(r), r)
	}
	return at(t.after(t.rec.Cursor + 1))
}

// settleFor pauses the task when its transition was refused; true when it was
// not.
func (t *cell) settleFor(d *draft, err error) bool {
	if err == nil {
		return true
	}
	if t.run != nil {
		t.stopForStore(err)
		return false
	}
	again := t.draft()
	again.rec.Values, again.rec.Learned, again.rec.DialogLeftOpen = d.rec.Values, d.rec.Learned, d.rec.DialogLeftOpen
	where := t.upTo()
	if d.rec.Resume != nil {
		where = t.takenUp(spotOf(d.rec.Resume), d.rec.Resume)
	}
	t.pauseForStore(again, where, err)
	return false
}

// stopForStore ends the run under way because nothing it does can be kept.
func (t *cell) stopForStore(refusal error) {
	t.refusal = refusal
	if t.run != nil {
		t.stopRun(stopStore)
	}
}

// notStarted fails a run that could not even begin.
func (t *cell) notStarted(s spot, cause error) {
	f := fault.Of(cause)
	d := t.draft()
	if isStore(f.Code) {
		t.pauseForStore(d, s, f)
		return
	}
	t.fail(d, s.index, f.Error(), f.Hint, f.Recoverable())
	t.settleFor(d, t.end(d))
}

// isStore knows the store's codes by their prefix (tasks.md 10.9).
func isStore(code fault.Code) bool { return strings.HasPrefix(string(code), "STORE_") }

// placeInFlow is "at step 3 of 9", or what was done beside the steps.
func (t *cell) placeInFlow(index int) string {
	switch {
	case len(t.rec.Flow) == 0:
		return "while planning"
	case t.shapes(index):
		return "while shaping"
	case index > t.steps():
		return "after the last step"
	}
	return "at step " + plain(index) + " of " + plain(t.steps())
}

// where is the page the task stands on, else the step's words.
func (t *cell) where(index int) string {
	if t.place != nil {
		if address := t.place.Reach().Address; address != "" {
			return address
		}
	}
	if cur := t.current(index); cur != nil {
		return cur.Intent
	}
	return ""
}

func (t *cell) lastSide() surfaces.Side {
	if t.place != nil {
		if side := t.place.Active(); side != "" {
			return side
		}
	}
	return sideOfApp(t.lastApp())
}

func plain(n int) string { return strconv.Itoa(n) }
