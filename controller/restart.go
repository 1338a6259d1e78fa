package controller

import (
	"context"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/facts"
	"countersign/surfaces/fault"
)

// load takes over every task the store holds as live, and ends what bindings
// of nobody still refer to. Nothing is run and nothing is pressed by it.
func (c *Controller) load(ctx context.Context) error {
	records, err := c.opts.Store.Live()
	if err != nil {
		return fault.Of(err)
	}
	for _, rec := range records {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.take(rec); err != nil {
			return err
		}
	}
	c.work.Go(c.endOrphans) // ends by itself, at most releasePatience for each
	return nil
}

// take makes a stored task live again, or history when it is final and holds
// nothing.
func (c *Controller) take(rec task.Record) error {
	if rec.View.Status.IsFinal() && !rec.Holding {
		rec.History = true
		return c.opts.Store.Commit(task.Change{Record: rec})
	}
	t, err := c.revive(rec)
	if err != nil {
		return err
	}
	if rec.View.Status.State == task.Running {
		t.wasRunning() // before its goroutine begins and anybody can see it
	}
	if err := c.own(t); err != nil {
		return err
	}
	if rec.View.Status.IsFinal() && rec.View.Status.State != task.Checkpoint {
		t.post(t.release) // its end was stored, giving its side back was not
	}
	return nil
}

// revive makes the cell of a stored task. Secret values are gone; whoever
// needs one asks for it.
func (c *Controller) revive(rec task.Record) (*cell, error) {
	set, err := facts.New(rec.Request.Facts, nil)
	if err != nil {
		return nil, fault.Of(err)
	}
	t := newCell(c, rec, set)
	if len(rec.Flow) > 0 {
		t.flow, _ = flows.Decode(rec.Flow) // it was valid when it was accepted
	}
	if t.presses, err = c.opts.Store.Presses(rec.ID); err != nil {
		return nil, fault.Of(err)
	}
	decisions, err := c.opts.Store.Decisions(rec.ID)
	if err != nil {
		return nil, fault.Of(err)
	}
	if n := len(decisions); n > 0 {
		t.open = &decisions[n-1]
	}
	if rec.Resume != nil {
		t.app = rec.Resume.App
	}
	t.watchDeadline()
	if !rec.Holding && rec.View.Status.State != task.Running {
		return t, nil
	}
	if err := t.openPlace(); err != nil && isStore(fault.CodeOf(err)) {
		return nil, err
	}
	return t, nil // a place that cannot be had is found out when it is needed
}

// wasRunning is a task whose desk died under it: what it did last is known
// only as far as it was stored.
func (t *cell) wasRunning() {
	d := t.draft()
	if p := t.unknownPress(); p != nil {
		t.askOutcome(d, *p)
	} else {
		t.interrupt(d, t.upTo())
	}
	t.settleFor(d, t.commit(d))
}

// endOrphans destroys what no task holds any more, and forgets its binding.
func (c *Controller) endOrphans() {
	orphans, err := c.opts.Store.Orphans()
	if err != nil {
		c.hub.storeHealth(err)
		return
	}
	for id, bindings := range orphans {
		for _, b := range bindings {
			ctx, cancel := context.WithTimeout(c.life, releasePatience)
			err := c.opts.Opener.Destroy(ctx, b)
			cancel()
			if err == nil {
				_ = c.opts.Store.Unbind(id, b.Side) // else the next start tries again
			}
		}
	}
}
