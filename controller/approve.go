package controller

import (
	"context"
	"strings"
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/safety"
	"countersign/surfaces/fault"
)

// gated is a run that stopped in front of a guard: a payment checkpoint or a
// question (tasks.md 4.4).
func (t *cell) gated(d *draft, r *run, res flows.Result) error {
	ev, differs := res.Pending, res.Differs
	if r.leg.signed != nil {
		differs = r.leg.signed.Differs(ev)
	}
	// Only a payment is refused although the very same thing was signed.
	refused := r.leg.signed != nil && len(differs) == 0 && !ev.Blind()
	index := top(res.Failed)
	here := r.stopped(index, res.StandIn)
	d.at(t.currentAt(here))
	if (refused || t.pays(ev, res.RefusedFor)) && !t.fillsPayment() {
		t.stopAtPayment(d, index, ev.Control.Name)
		return t.commit(d)
	}
	ask := t.resume(task.ResumeApproval, here)
	ask.Guard, ask.Phrase, ask.Evidence, ask.Differs = res.Failed, ev.Phrase, ev, differs
	t.askApproval(d, ask)
	return t.commit(d)
}

func (t *cell) fillsPayment() bool {
	return t.rec.Request.Constraints.Payment == flows.FillThenApprove
}

// pays reports whether a stop counts as payment: by the label, the phrase, or
// what the run saw on the screen.
func (t *cell) pays(ev *flows.Evidence, refusedFor string) bool {
	return refusedFor == "payment" || ev.Class == safety.ActPay ||
		safety.Classify(ev.Phrase) == safety.Payment || ev.Control.Name != "" && safety.Classify(ev.Control.Name) == safety.Payment
}

// stopAtPayment ends the task in front of a payment with its side open: paying
// stays with a person.
func (t *cell) stopAtPayment(d *draft, index int, label string) {
	where := label
	if where == "" {
		where = "a control without a name"
	}
	d.rec.Resume = nil
	d.become(task.Status{
		State: task.Checkpoint, Kind: task.CheckpointPayment,
		Reason:   "payment step found (" + where + "); paying stays with a person",
		Location: where, Summary: t.before(index),
	}, "Stopped at payment ("+where+").")
	t.ask(d, nil, nil)
}

// askApproval asks for a signature under what r.Evidence says.
func (t *cell) askApproval(d *draft, r *task.Resume) {
	ev := r.Evidence
	d.rec.Resume = r
	label := ""
	if ev.Control.Name != "" {
		label = " (" + ev.Control.Name + ")"
	}
	d.become(task.Status{State: task.NeedsApproval, Action: r.Phrase, Target: ev.Control.Name, Digest: ev.Digest()},
		"Waiting for approval: "+r.Phrase+label+".")
	t.ask(d, ev, r.Differs)
}

// answerApproval takes a signature or a refusal. Only the digest now asked for
// counts, and only once: the state leaves needs_approval with it.
func (t *cell) answerApproval(req task.ContinueRequest) error {
	switch {
	case req.Approve == nil:
		return fault.New(fault.InvalidRequest, "an approval is answered with approve true or false")
	case !*req.Approve:
		return t.decline(req)
	case req.Digest == "" || req.Digest != t.status().Digest:
		return fault.New(fault.StaleApproval, "the approval does not quote what is asked now")
	case t.rec.Resume.Evidence.Blind():
		return fault.New(fault.BlindApproval, "the control has no name, so nobody can sign for it")
	}
	d := t.draft()
	t.answered(d, task.DecisionApproved, "approve", req.Answer, req)
	t.resumed(d)
	r := *t.rec.Resume
	d.become(task.Status{State: task.Running}, "Approved: "+r.Phrase+".")
	if err := t.commit(d); err != nil {
		return err
	}
	t.startRun(leg{at: spotOf(&r), alone: true, then: thenAfter(r), signed: r.Evidence, decision: t.open.ID})
	return nil
}

// thenAfter is where to go on once a guard was pressed: behind it, or at the
// step around it, whose branch or round cannot be rebuilt from a path.
func thenAfter(r task.Resume) spot {
	if nested(r.Guard) {
		return spotOf(&r)
	}
	return spotOf(&r).behind()
}

// decline ends the task without doing anything more.
func (t *cell) decline(req task.ContinueRequest) error {
	d := t.draft()
	t.answered(d, task.DecisionDeclined, "decline", req.Answer, req)
	d.become(task.Status{State: task.Cancelled}, "Declined.")
	if err := t.commit(d); err != nil {
		return err
	}
	t.release()
	return nil
}

// watchDeadline sets when the open approval expires: from the moment it was
// asked, the time the desk was closed included, and never later than had it been
// asked now: a clock that was set back lengthens nothing.
func (t *cell) watchDeadline() {
	t.deadline = nil
	limit := t.rec.Request.Constraints.ApprovalDeadlineMS
	if limit == 0 || t.status().State != task.NeedsApproval || t.open == nil {
		return
	}
	left := min(t.open.AskedAt+limit-nowMS(), limit)
	t.deadline = time.After(time.Duration(left) * time.Millisecond)
}

// expire declines an approval nobody gave in time. Nothing is ever approved by
// time.
func (t *cell) expire() {
	t.deadline = nil
	if t.status().State != task.NeedsApproval || t.open.State != task.DecisionAsked {
		return
	}
	d := t.draft()
	dec := *t.open
	dec.State, dec.Answer, dec.Who, dec.AnsweredAt = task.DecisionExpired, "decline", "deadline", nowMS()
	d.decide(dec)
	d.become(task.Status{State: task.Cancelled}, "The approval was not given in time.")
	if t.commit(d) != nil {
		t.deadline = time.After(boundaryPatience) // the store refused; it stays declined by time, so try again
		return
	}
	t.release()
}

// aroundPress is the runtime's hook: on the run's goroutine, between the last
// look at a guard and the input. The record `intended` is on disk, and the
// signature is spent in the same transaction, before it answers nil.
func (t *cell) aroundPress(r *run) func(flows.Evidence) (func(bool), error) {
	return func(ev flows.Evidence) (func(bool), error) {
		var seq uint64
		err := t.call(context.WithoutCancel(r.ctx), func() error {
			var err error
			seq, err = t.intend(r, &ev)
			return err
		})
		if err != nil {
			return nil, err
		}
		return func(delivered bool) {
			t.post(func() { t.pressed(r, seq, delivered) })
		}, nil
	}
}

// intend writes the press record. After a cancel, a halt or a lost side was
// answered no press may begin.
func (t *cell) intend(r *run, ev *flows.Evidence) (uint64, error) {
	if t.run != r || r.why != stopNone {
		return 0, fault.New(fault.Internal, "the run was stopped before the press").WithHint("Carry on to come back to this step.")
	}
	d := t.draft()
	d.rec.Presses++
	p := task.Press{Task: t.id, Seq: d.rec.Presses, Step: ev.Step, Digest: ev.Digest(), State: task.Intended, At: nowMS()}
	if r.leg.signed != nil {
		if err := t.spend(d, r, p.Digest); err != nil {
			return 0, err
		}
		p.Decision = r.leg.decision
	}
	d.press = &p
	t.finished(d, top(ev.Step)-1)
	d.rec.Resume = t.resume(task.ResumeApproval, r.stopped(top(ev.Step), r.standIn))
	d.rec.Resume.Guard, d.rec.Resume.Phrase, d.rec.Resume.Evidence = ev.Step, ev.Phrase, ev
	if err := t.commit(d); err != nil {
		t.stopForStore(err)
		return 0, err
	}
	return p.Seq, nil
}

// spend uses a signature up; it holds for the digest it was given for and for
// one press.
func (t *cell) spend(d *draft, r *run, digest string) error {
	if t.open == nil || t.open.ID != r.leg.decision || t.open.State != task.DecisionApproved || t.open.Digest != digest {
		return fault.New(fault.StaleApproval, "the signature does not cover this press")
	}
	dec := *t.open
	dec.State = task.DecisionSpent
	d.decide(dec)
	return nil
}

// pressed says what became of a press. When that cannot be stored the run
// stops; the next start would read `intended` and ask what happened.
func (t *cell) pressed(r *run, seq uint64, delivered bool) {
	d := t.draft()
	for _, p := range t.presses {
		if p.Seq != seq {
			continue
		}
		p.State = task.Pressed
		if !delivered {
			p.State = task.NotPressed
		}
		if was := d.rec.Resume; delivered && was != nil && was.Guard == p.Step && len(was.Steps) > 0 {
			sent := *was
			sent.After = true
			d.rec.Resume = &sent
		}
		d.press = &p
	}
	if d.press == nil {
		return
	}
	if err := t.commit(d); err != nil {
		t.backlog.press = d.press
		t.keep(&draft{rec: t.rec, press: d.press})
		if t.run == r {
			t.stopForStore(err)
		}
	}
}

// unknownPress is a press that was begun and never reported back.
func (t *cell) unknownPress() *task.Press {
	for i := len(t.presses) - 1; i >= 0; i-- {
		if p := t.presses[i]; p.State == task.Intended || p.State == task.OutcomeUnknown {
			return &p
		}
	}
	return nil
}

// askOutcome pauses because a press may or may not have happened.
func (t *cell) askOutcome(d *draft, p task.Press) {
	p.State = task.OutcomeUnknown
	d.press = &p
	phrase, target, index := "a guarded press", "", top(p.Step)
	if r := d.rec.Resume; r != nil && r.Evidence != nil {
		phrase, target = r.Phrase, r.Evidence.Control.Name
	}
	d.at(t.current(index))
	d.become(task.Status{
		State: task.Checkpoint, Kind: task.CheckpointOutcomeUnknown, Continuable: true,
		Reason:   strings.TrimSpace("outcome unknown: " + phrase + " (" + target + ") may have happened"),
		Location: target, Summary: t.before(index),
	}, "Outcome unknown: "+phrase+" may have happened.")
	t.ask(d, evidenceOf(d.rec.Resume), nil)
}

func evidenceOf(r *task.Resume) *flows.Evidence {
	if r == nil {
		return nil
	}
	return r.Evidence
}

// answerOutcome takes what the person saw had happened. Nothing is pressed by
// it: at most the guard is looked for and asked about again.
func (t *cell) answerOutcome(req task.ContinueRequest) error {
	if req.Approve != nil && !*req.Approve {
		return t.decline(req)
	}
	p := t.unknownPress()
	if req.Approve != nil || p == nil || req.Answer != "happened" && req.Answer != "did_not_happen" {
		return fault.New(fault.InvalidRequest, "an unknown outcome is answered with happened, did_not_happen, look_again, or approve false")
	}
	d := t.draft()
	from := t.settle(d, p, req)
	d.rec.Resume = nil
	d.become(task.Status{State: task.Running}, "Going on.")
	if err := t.commit(d); err != nil {
		return err
	}
	t.advance(from)
	return nil
}

// settle writes the answer into the press record and says where to go on.
func (t *cell) settle(d *draft, p *task.Press, req task.ContinueRequest) spot {
	t.answered(d, task.DecisionApproved, req.Answer, "", req)
	t.resumed(d)
	p.State = task.NotPressed
	from := at(top(p.Step))
	if r := t.rec.Resume; r != nil && len(r.Steps) > 0 && r.Index == from.index {
		from = spotOf(r)
	}
	if req.Answer == "happened" {
		p.State = task.Pressed
		if !nested(p.Step) {
			from = from.behind()
			t.finished(d, from.index-1)
		}
	}
	d.press = p
	return from
}
