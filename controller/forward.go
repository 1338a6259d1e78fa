package controller

import (
	"context"

	"countersign/controller/task"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// BringForward implements Desk.
func (c *Controller) BringForward(ctx context.Context, id task.ID) (surfaces.Reach, error) {
	t, err := c.cell(id)
	if err != nil {
		return surfaces.Reach{}, err
	}
	var q *quietLook
	if err := t.call(ctx, func() error {
		q, err = t.prepareLook(ctx)
		return err
	}); err != nil {
		return surfaces.Reach{}, err
	}
	defer q.done()
	if q.place == nil {
		return surfaces.Reach{}, fault.Newf(fault.BrowserUnavailable, "%s has no browser now", id)
	}
	if reach := q.reach(); !reach.Headed {
		return reach, nil
	}
	f, ok := q.place.(surfaces.Forwarder)
	if !ok {
		return surfaces.Reach{}, fault.Newf(fault.BrowserUnavailable, "%s has no browser now", id)
	}
	if err := f.BringForward(q.ctx); err != nil {
		return surfaces.Reach{}, fault.Of(err)
	}
	return q.reach(), nil
}

// reach says how a person gets to the task's browser. After a restart only a
// reading finds that again.
func (q *quietLook) reach() surfaces.Reach {
	r := q.place.Reach()
	if r == (surfaces.Reach{}) {
		_, _ = q.place.Observe(q.ctx, q.app, "", surfaces.Full) // what cannot be read has no address either
		r = q.place.Reach()
	}
	r.Address = q.mask(r.Address)
	return r
}
