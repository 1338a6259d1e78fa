package controller_test

import (
	"slices"
	"testing"
	"time"

	"countersign/controller/task"
)

// setBack closes the desk, and opens it again with the clock set back by that
// much: everything stored is now of a time to come.
func (d *desk) setBack(by time.Duration) {
	d.t.Helper()
	if _, err := d.Halt(d.t.Context(), true); err != nil {
		d.t.Fatal(err)
	}
	d.close()
	live, err := d.store.Live()
	if err != nil {
		d.t.Fatal(err)
	}
	later := func(ms *int64) {
		if *ms != 0 {
			*ms += by.Milliseconds()
		}
	}
	for _, rec := range live {
		later(&rec.View.StartedAt)
		later(&rec.View.SinceAt)
		later(&rec.ShownAt)
		later(&rec.EndedAt)
		decisions, err := d.store.Decisions(rec.ID)
		if err != nil {
			d.t.Fatal(err)
		}
		for i := range decisions {
			later(&decisions[i].AskedAt)
			later(&decisions[i].AnsweredAt)
		}
		if err := d.store.Commit(task.Change{Record: rec, Decisions: decisions}); err != nil {
			d.t.Fatal(err)
		}
	}
	d.open()
}

func TestAClockSetBack(t *testing.T) {
	t.Run("no time is negative", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			asked := d.start(mail())
			hold := d.block("write the letter")
			ran := d.start(mail())
			d.setBack(time.Hour)
			close(hold)
			for _, id := range []task.ID{asked.ID, ran.ID} {
				v := d.rest(id)
				if v.Status.State == task.Checkpoint {
					v = d.answer(task.ContinueRequest{ID: id, Approve: yes()})
				}
				within(time.Second)
				v = d.approve(v)
				d.is(v, task.Done)
				r := d.report(id)
				if v.SinceAt < v.StartedAt || r.Spent.ElapsedMS < 0 || r.Spent.ElapsedMS > 5000 {
					t.Errorf("%s: since %d, started %d, %d ms of work", id, v.SinceAt, v.StartedAt, r.Spent.ElapsedMS)
				}
				for _, e := range r.Journal {
					if e.ElapsedMS < 0 || e.Resume != nil && e.Resume.WaitedMS < 0 {
						t.Errorf("%s: %+v", id, e)
					}
				}
			}
		})
	})
	t.Run("an approval still expires, and no later", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			req := mail()
			req.Constraints.ApprovalDeadlineMS = 60_000
			v := d.start(req)
			d.setBack(time.Hour)
			within(59 * time.Second)
			d.is(d.rest(v.ID), task.NeedsApproval)
			within(2 * time.Second)
			d.is(d.rest(v.ID), task.Cancelled)
			if d.presses() != 0 {
				t.Error("pressed")
			}
		})
	})
	t.Run("a time limit still holds", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			hold, limit := d.block("write the letter"), int64(5000)
			defer close(hold)
			req := mail()
			req.Budget.MaxElapsedMS = &limit
			v := d.start(req)
			within(2 * time.Second)
			d.setBack(time.Hour)
			d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()})
			within(2 * time.Second)
			d.is(d.rest(v.ID), task.Running)
			within(2 * time.Second)
			d.is(d.rest(v.ID), task.Failed)
		})
	})
	t.Run("history is in the order of ids", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			first := d.start(task.StartRequest{Flow: flow(write)})
			d.setBack(time.Hour)
			second := d.start(task.StartRequest{Flow: flow(write)})
			views, err := d.History(t.Context(), "", 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			var ids []task.ID
			for _, v := range views {
				ids = append(ids, v.ID)
			}
			if !slices.Equal(ids, []task.ID{second.ID, first.ID}) {
				t.Errorf("history %v", ids)
			}
		})
	})
}
