package controller

import (
	"context"

	"countersign/controller/task"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// CancelTask implements Operations. For a task that waits it returns when its
// side was given back; one that ran gives it back as soon as its run is over.
func (c *Controller) CancelTask(ctx context.Context, id task.ID, answer string) (task.View, error) {
	t, err := c.cell(id)
	if err != nil {
		return task.View{}, err
	}
	if err := t.call(ctx, func() error { return t.cancelled(answer) }); err != nil {
		return task.View{}, err
	}
	return t.view(), nil
}

// cancelled ends the task, or releases what a final one still holds.
func (t *cell) cancelled(answer string) error {
	if t.status().IsFinal() {
		return t.letGo(answer)
	}
	d := t.draft()
	t.answered(d, task.DecisionDeclined, "cancel", answer, task.ContinueRequest{})
	t.voidOpen(d)
	d.rec.Resume = nil
	d.become(task.Status{State: task.Cancelled}, "Cancelled.")
	err := t.commit(d)
	switch {
	case t.thought != nil && err != nil: // what cannot be stored cannot go on either
		t.stopThinking()
		t.pauseForStore(t.draft(), t.upTo(), err)
		return err
	case t.run == nil:
		if err == nil {
			t.stopThinking()
			t.release()
		}
		return err
	case err != nil:
		t.stopForStore(err)
		return err
	}
	t.stopRun(stopCancelled)
	return nil
}

// letGo gives back what a final task holds; at a payment checkpoint the answer
// is on disk before.
func (t *cell) letGo(answer string) error {
	if t.status().State == task.Checkpoint && t.open != nil && t.open.State == task.DecisionAsked {
		state := task.DecisionDeclined
		if answer == task.Paid {
			state = task.DecisionApproved
		}
		d := t.draft()
		t.answered(d, state, answer, "", task.ContinueRequest{})
		if answer == task.Paid || answer == task.NotPaid {
			d.rec.View.Paid, d.show = answer, true
		}
		if err := t.commit(d); err != nil {
			return err
		}
	}
	if t.run == nil {
		t.release()
	}
	return nil
}

// holding reports whether a side is held, or a binding says one would be found
// again.
func (t *cell) holding() bool { return t.place != nil && t.place.Holding() }

// release gives the sides back. No run is under way. Only a checkpoint's view
// changes with it: nothing is left to cancel.
func (t *cell) release() {
	if t.place == nil {
		return
	}
	t.looks.end()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.c.life), releasePatience)
	defer cancel()
	_ = t.place.Release(ctx) // what does not close is an orphan for the next start
	_ = t.place.Close()
	t.place = nil
	d := t.draft()
	if s := t.status(); s.State == task.Checkpoint && s.IsFinal() {
		d.become(s, t.rec.View.Summary)
	}
	_ = t.commit(d) // a restart releases it again
}

// dropPlace lets go of a place whose side died. The bindings stay: the next run
// opens a new side from them, on the same profile and at the last address.
func (t *cell) dropPlace() {
	if t.place == nil {
		return
	}
	t.looks.end()
	_ = t.place.Close() // what it was connected to is gone
	t.place = nil
}

// sideGone is the place's signal that what a side lived in has died.
func (t *cell) sideGone(side surfaces.Side) {
	s := t.status()
	switch {
	case t.run != nil:
		t.run.side = side
		t.stopRun(stopLost)
	case t.thought != nil && t.thought.what == rescuing:
		t.stopThinking()
		t.dropPlace()
		d := t.draft()
		t.loseSide(d, side, t.upTo(), "")
		t.settleFor(d, t.commit(d))
	case s.State == task.Checkpoint && !s.Continuable:
		t.release()
	case s.State == task.NeedsApproval, s.State == task.NeedsHuman,
		s.State == task.Checkpoint && s.Kind == task.CheckpointInterrupted:
		t.dropPlace()
		d := t.draft()
		t.loseSide(d, side, t.upTo(), "")
		t.settleFor(d, t.commit(d))
	case s.State == task.NeedsInput && t.rec.Resume != nil:
		t.dropPlace()
		d := t.draft() // the question stands; afterwards its guard asks afresh
		d.rec.Resume = t.resume(task.ResumeRetry, spotOf(t.rec.Resume))
		_ = t.commit(d) // refused: the next reading finds the side gone again
	default: // an unknown outcome is still asked about, without its side
		t.dropPlace()
	}
}

// Halt implements Desk.
func (c *Controller) Halt(ctx context.Context, now bool) ([]task.View, error) {
	return c.halt(ctx, now), ctx.Err()
}

// halt stops every running task and waits until they have stopped: at their
// next step boundary, after 10 s at once.
func (c *Controller) halt(ctx context.Context, now bool) []task.View {
	var stopping []*cell
	for _, t := range c.live() {
		if t.view().Status.State != task.Running {
			continue
		}
		if t.post(func() { t.haltRun(now) }) {
			stopping = append(stopping, t)
		}
	}
	patience, cancel := context.WithTimeout(ctx, boundaryPatience)
	defer cancel()
	halted := []task.View{}
	for _, t := range stopping {
		if !t.stopped(patience) {
			t.post(func() { t.haltRun(true) })
			t.stopped(ctx)
		}
		if v := t.view(); v.Status.State == task.Checkpoint && v.Status.Continuable {
			halted = append(halted, v) // one that just ended or asks by itself was not stopped
		}
	}
	return halted
}

func (t *cell) haltRun(now bool) {
	switch {
	case t.status().State != task.Running:
	case t.run == nil: // its first run has not begun, or a language model is asked
		t.stopThinking()
		d := t.draft()
		t.interrupt(d, t.upTo())
		t.settleFor(d, t.commit(d))
	case now:
		t.stopRun(stopHalted)
	default:
		t.stopAtBoundary()
	}
}

// stopped waits until the task does not run; false when ctx ended first.
func (t *cell) stopped(ctx context.Context) bool {
	for {
		v, _, changed := t.shown.get()
		if v.Status.State != task.Running {
			return true
		}
		select {
		case <-changed:
		case <-t.gone:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

// makeRoom frees a slot when all are taken: the oldest final task that holds
// nothing, else the oldest that does, released first (tasks.md 10.1).
func (c *Controller) makeRoom() error {
	cells := c.live()
	if len(cells) < maxTasks {
		return nil
	}
	var victim *cell
	for _, t := range cells {
		v := t.view()
		if !v.Status.IsFinal() {
			continue
		}
		if !holds(v) {
			victim = t
			break
		}
		if victim == nil {
			victim = t
		}
	}
	if victim == nil {
		return fault.Newf(fault.TooManyTasks, "%d tasks are live and none is final", maxTasks)
	}
	return c.evict(victim)
}

// holds reads from a view whether its task still holds a side.
func holds(v task.View) bool {
	return v.Status.State == task.Checkpoint && len(v.Next) > 1
}

// evict makes a final task history.
func (c *Controller) evict(t *cell) error {
	ctx, cancel := context.WithTimeout(c.life, 2*releasePatience)
	defer cancel()
	err := t.call(ctx, func() error {
		if t.run == nil {
			t.release()
		}
		d := t.draft()
		t.voidOpen(d)
		d.rec.History = true
		return t.commit(d)
	})
	if err != nil {
		return fault.Of(err)
	}
	c.forget(t.id)
	t.leave(true)
	c.hub.gone(t.id, false)
	return nil
}
