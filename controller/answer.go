package controller

import (
	"context"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// ContinueTask implements Operations. Answers to one task are taken one after
// the other, so the first wins and the next finds nothing to answer.
func (c *Controller) ContinueTask(ctx context.Context, req task.ContinueRequest) (task.View, error) {
	t, err := c.cell(req.ID)
	if err != nil {
		return task.View{}, err
	}
	if req.Answer == "look_again" && t.view().Status.Kind == task.CheckpointOutcomeUnknown {
		return c.lookAgain(ctx, t, req)
	}
	if err := t.call(ctx, func() error { return t.answer(req) }); err != nil {
		return task.View{}, err
	}
	return t.view(), nil
}

// answer is table 2.5.
func (t *cell) answer(req task.ContinueRequest) error {
	s := t.status()
	if req.Digest != "" && s.Waits() && !s.IsFinal() && s.State != task.NeedsApproval {
		return fault.New(fault.StaleApproval, "the task asks something else now")
	}
	switch s.State {
	case task.NeedsInput:
		return t.answerInputs(req)
	case task.NeedsApproval:
		return t.answerApproval(req)
	case task.NeedsHuman:
		return t.goOn(req, "done")
	case task.Checkpoint:
		return t.answerCheckpoint(req)
	case task.Running, task.NeedsPlan, task.Done, task.Failed, task.Cancelled:
		return fault.Newf(fault.NotWaiting, "%s asks nothing", t.id)
	default:
		return fault.Newf(fault.NotWaiting, "%s asks nothing", t.id)
	}
}

func (t *cell) answerCheckpoint(req task.ContinueRequest) error {
	s := t.status()
	switch {
	case !s.Continuable:
		return fault.New(fault.NotContinuable, "this task ended at a payment step")
	case s.Kind == task.CheckpointOutcomeUnknown:
		return t.answerOutcome(req)
	case req.Approve == nil:
		return fault.New(fault.InvalidRequest, "a checkpoint is answered with approve true or false")
	case !*req.Approve:
		return t.decline(req)
	}
	return t.goOn(req, "go")
}

// lookAgain takes the evidence of an unknown outcome anew and asks again.
func (c *Controller) lookAgain(ctx context.Context, t *cell, req task.ContinueRequest) (task.View, error) {
	asked := t.view().Revision
	look, err := c.Look(ctx, req.ID)
	if err != nil {
		return task.View{}, err
	}
	err = t.call(ctx, func() error {
		if t.rec.Revision != asked {
			return fault.New(fault.NotWaiting, "the question was answered meanwhile")
		}
		d := t.draft()
		t.answered(d, task.DecisionVoid, req.Answer, "", req)
		if r := d.rec.Resume; r != nil && look.Evidence != nil {
			again := *r
			again.Evidence = look.Evidence
			d.rec.Resume = &again
		}
		d.become(t.status(), t.rec.View.Summary)
		t.ask(d, evidenceOf(d.rec.Resume), look.Differs)
		return t.commit(d)
	})
	if err != nil {
		return task.View{}, err
	}
	return t.view(), nil
}
