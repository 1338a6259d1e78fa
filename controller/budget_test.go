package controller_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
)

func TestA75_Defaults(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Flow: flow(write)})
		req := d.runner.Requests()[0]
		if req.MaxActions != 120 || req.MaxModelCalls != 6000 || req.Votes != 7 || req.Strategy != "narrow" || req.Deliberation != "deep" || !req.IncludeValues {
			t.Errorf("request %+v", req)
		}
		if v.Left.ElapsedMS != nil || v.Left.Rescues[1] != 5 || v.Left.Actions[1] != 120 || v.Left.ModelCalls[1] != 6000 {
			t.Errorf("left %+v", v.Left)
		}
	})
}

func TestA76_WhatIsSpentIsNotRefilled(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Cost("write the letter", 50, 10)
		v := d.start(mail())
		if v.Left.Actions[0] != 70 || v.Left.ModelCalls[0] != 5990 {
			t.Errorf("left %v and %v", *v.Left.Actions, *v.Left.ModelCalls)
		}
		d.approve(v)
		if req := d.runner.Requests()[1]; req.MaxActions != 70 || req.MaxModelCalls != 5990 {
			t.Errorf("the next run gets %d actions and %d calls", req.MaxActions, req.MaxModelCalls)
		}
	})
}

func TestA77_A78_Clamps(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Flow: flow(write), Budget: task.Budget{
			MaxActions: num(200), MaxModelCalls: num(50000), Votes: num(50), MaxRescues: num(9), Strategy: "wide", Deliberation: "off",
		}})
		req := d.runner.Requests()[0]
		if req.MaxActions != 120 || req.MaxModelCalls != 10000 || req.Votes != 9 || req.Strategy != "wide" || req.Deliberation != "off" {
			t.Errorf("request %+v", req)
		}
		if v.Left.Rescues[1] != 5 || v.Left.Actions[1] != 200 {
			t.Errorf("left %+v", v.Left)
		}
	})
}

func TestNothingLeftIsNotTheRuntimesDefault(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.start(task.StartRequest{Flow: flow(write), Budget: task.Budget{MaxActions: num(0), MaxModelCalls: num(0)}})
		if req := d.runner.Requests()[0]; req.MaxActions >= 0 || req.MaxModelCalls >= 0 {
			t.Errorf("the run gets %d actions and %d calls", req.MaxActions, req.MaxModelCalls)
		}
	})
}

func timed(ms int64) task.Budget { return task.Budget{MaxElapsedMS: &ms} }

func TestA79_PausesAreNotCharged(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Before("write the letter", func(context.Context) { time.Sleep(400 * time.Millisecond) })
		req := mail()
		req.Budget = timed(1000)
		v := d.start(req)
		within(time.Second)
		d.is(d.rest(v.ID), task.NeedsApproval)
		within(10 * time.Second)
		v = d.approve(d.rest(v.ID))
		d.is(v, task.Done)
		if got := d.report(v.ID).Spent.ElapsedMS; got != 400 {
			t.Errorf("%d ms were charged, want 400", got)
		}
		waited := int64(0)
		for _, e := range d.report(v.ID).Journal {
			if e.Resume != nil {
				waited = e.Resume.WaitedMS
			}
		}
		if waited != 10600 {
			t.Errorf("waited %d ms, want 10600", waited)
		}
	})
}

func TestA80_TimeUsedUp(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Cost("write the letter", 3, 4)
		d.block("write the letter")
		req := mail()
		req.Budget = timed(1000)
		v := d.start(req)
		within(time.Second)
		v = d.rest(v.ID)
		d.is(v, task.Failed)
		if v.Status.Recoverable || !strings.Contains(v.Status.Hint, "budget.max_elapsed_ms") || v.Status.Step != 2 {
			t.Errorf("%+v", v.Status)
		}
		if got := d.report(v.ID).Spent; got.ElapsedMS != 1000 || got.Actions != 3 || got.ModelCalls != 4 {
			t.Errorf("spent %+v", got)
		}
	})
}

func TestA82_ASpentBudgetLooksForNoWall(t *testing.T) {
	for stop, hint := range map[flows.Stop]string{flows.OutOfAction: "budget.max_actions", flows.OutOfCalls: "budget.max_model_calls"} {
		t.Run(hint, func(t *testing.T) {
			inDesk(t, func(d *desk) {
				d.runner.Next(func(_ context.Context, p *controllertest.Place, _ flows.Request) flows.Result {
					p.Show("captcha")
					return flows.Result{Stop: stop, Failed: "2"}
				})
				req := mail()
				req.Budget = task.Budget{MaxActions: num(40), MaxModelCalls: num(40)}
				v := d.start(req)
				d.is(v, task.Failed)
				if v.Status.Recoverable || !strings.Contains(v.Status.Hint, hint) || !strings.Contains(v.Status.Reason, "all 40 ") || v.Status.Step != 2 {
					t.Errorf("%+v", v.Status)
				}
			})
		})
	}
}

func TestA109_NoRescuerMeansFailed(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.failOn("write the letter")
		req := mail()
		req.Budget.MaxRescues = num(0)
		d.is(d.start(req), task.Failed)
	})
}
