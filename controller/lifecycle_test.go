package controller_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

func (d *desk) fill(n int, req task.StartRequest) {
	d.t.Helper()
	for range n {
		if _, err := d.StartTask(d.t.Context(), req); err != nil {
			d.t.Fatal(err)
		}
	}
	synctest.Wait()
}

func TestA112_A113_A134_Capacity(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.fill(31, task.StartRequest{Task: "plan me"})
		done := d.start(task.StartRequest{Flow: flow(write)})
		d.is(done, task.Done)
		last := d.start(task.StartRequest{Task: "one more"})
		if last.ID != 33 {
			t.Errorf("id %s", last.ID)
		}
		if views, _ := d.ListTasks(d.t.Context()); len(views) != 32 || views[0].ID != 33 {
			t.Errorf("%d tasks, newest %s", len(views), views[0].ID)
		}
		if r := d.report(done.ID); r.View.Status.State != task.Done || len(r.Steps) != 1 {
			t.Errorf("A134: report of the evicted task: %+v", r.View)
		}
		_, err := d.AwaitTask(d.t.Context(), done.ID, 0)
		d.refused("AwaitTask", err, fault.NoSuchTask)
		_, err = d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: done.ID})
		d.refused("ContinueTask", err, fault.NoSuchTask)
		_, err = d.CancelTask(d.t.Context(), done.ID, "")
		d.refused("CancelTask", err, fault.NoSuchTask)
		_, err = d.StartTask(d.t.Context(), task.StartRequest{Task: "too many"})
		d.refused("StartTask", err, fault.TooManyTasks)
		if views, _ := d.ListTasks(d.t.Context()); len(views) != 32 {
			t.Errorf("%d tasks after a refused start", len(views))
		}
	})
}

func TestABadRequestEvictsNothing(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.fill(32, task.StartRequest{Flow: flow(write)})
		_, err := d.StartTask(d.t.Context(), task.StartRequest{Flow: flow(`{"a":"b","c":"d"}`)})
		d.refused("StartTask", err, fault.InvalidFlow)
		if views, _ := d.ListTasks(d.t.Context()); len(views) != 32 {
			t.Errorf("%d tasks", len(views))
		}
	})
}

func TestA114_AHeldCheckpointGoesLast(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Guard("paying for the order", payControl())
		held := d.start(task.StartRequest{Flow: flow(payment)})
		d.fill(30, task.StartRequest{Task: "plan me"})
		done := d.start(task.StartRequest{Flow: flow(write)})
		d.start(task.StartRequest{Task: "evicts the done one"})
		if _, err := d.AwaitTask(d.t.Context(), done.ID, 0); fault.CodeOf(err) != fault.NoSuchTask {
			t.Errorf("the done task is still there: %v", err)
		}
		place := d.opener.Place(held.ID.String())
		if place.Releases() != 0 {
			t.Error("the held browser was released")
		}
		d.start(task.StartRequest{Task: "evicts the checkpoint"})
		if place.Releases() != 1 {
			t.Errorf("%d releases of the evicted checkpoint", place.Releases())
		}
	})
}

func TestA115_CancellingAFinalTaskTwice(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Guard("paying for the order", payControl())
		for _, req := range []task.StartRequest{{Flow: flow(write)}, {Flow: flow(payment)}} {
			v := d.start(req)
			for range 2 {
				got := d.cancel(v.ID, "")
				if got.Status.State != v.Status.State {
					t.Errorf("%s became %s", v.Status.State, got.Status.State)
				}
			}
		}
	})
}

func TestA116_CancelledWhileTheBrowserStarts(t *testing.T) {
	inDesk(t, func(d *desk) {
		started := make(chan struct{})
		d.runner.Next(func(ctx context.Context, _ *controllertest.Place, _ flows.Request) flows.Result {
			<-started // a start that cannot be cut short
			return flows.Result{Stop: flows.Cancelled, Failed: "1"}
		})
		v := d.start(mail())
		began := time.Now()
		v = d.cancel(v.ID, "")
		d.is(v, task.Cancelled)
		if time.Since(began) != 0 {
			t.Errorf("the cancel waited %v", time.Since(began))
		}
		place := d.opener.Place("t-1")
		if place.Releases() != 0 {
			t.Error("released while starting")
		}
		close(started)
		if d.rest(v.ID); place.Releases() != 1 || place.Holding() {
			t.Errorf("%d releases, holding %v", place.Releases(), place.Holding())
		}
	})
}

func TestA117_ALateResultIsDropped(t *testing.T) {
	inDesk(t, func(d *desk) {
		started := make(chan struct{})
		d.runner.Next(func(_ context.Context, _ *controllertest.Place, req flows.Request) flows.Result {
			<-started
			if _, err := req.AroundPress(flows.Evidence{Step: "3"}); err == nil {
				t.Error("a press began after the cancel was answered")
			}
			req.Observer.Step(flows.StepReport{Step: "3", Outcome: flows.OutcomeRunning})
			return flows.Result{Stop: flows.Completed}
		})
		v := d.start(mail())
		v = d.cancel(v.ID, "")
		close(started)
		if got := d.rest(v.ID); got.Revision != v.Revision || got.Status.State != task.Cancelled {
			t.Errorf("%+v after %+v", got, v)
		}
	})
}

func TestCancelInEveryWait(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.is(d.cancel(d.start(library()).ID, ""), task.Cancelled)
		v := d.cancel(d.start(mail()).ID, "no time")
		d.is(v, task.Cancelled)
		if got := d.report(v.ID).Decisions[0]; got.State != task.DecisionDeclined || got.Words != "no time" {
			t.Errorf("decision %+v", got)
		}
	})
}

func TestA10_FailedStepIsThePositionInTheFlowAsGiven(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Flow: flow(open, guard, write)})
		d.runner.Fail("write the letter", failing("", "no such field"))
		v = d.approve(v)
		d.is(v, task.Failed)
		if v.Status.Step != 3 {
			t.Errorf("failed at step %d, want 3", v.Status.Step)
		}
	})
}

func TestA119_ValuesGoFromRunToRun(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Save("the price", "price", "18.40")
		d.runner.Save("the name", "name", "Somebody Else")
		v := d.start(task.StartRequest{Flow: flow(`{"read":{"what":"the price","into":"price"}}`, `{"read":{"what":"the name","into":"shop"}}`, guard, tidy), Facts: map[string]string{"name": "Jo"}})
		d.approve(v)
		got := d.runner.Requests()[2]
		if got.Collected["price"] != "18.40" || len(got.CollectedOrder) != 1 {
			t.Errorf("collected %v in %v", got.Collected, got.CollectedOrder)
		}
		if name, _ := got.Facts.Shared("name"); name != "Jo" {
			t.Errorf("name %q", name)
		}
	})
}

func TestA121_A122_A123_Records(t *testing.T) {
	inDesk(t, func(d *desk) {
		raw := `{"app":"browser","vars":{"city":"Pune","total":"","kept":"as is"},"steps":[{"extract":{"what":"the offers","into":"offers"}},{"pick":{"from":"the list","by":"lowest price","into":"best"}},{"read":{"what":"the total","into":"total"}},{"read":{"what":"what stays","into":"kept"}}]}`
		d.runner.Save("the offers", "offers", `[{"leaves":"06:10","price":"31 EUR"},{"leaves":"09:40","price":"36 EUR"}]`)
		d.runner.Save("the list", "best", "06:10 for Jo Park")
		d.runner.Save("the total", "total", "31 EUR")
		d.runner.Save("what stays", "kept", "as is")
		v := d.start(task.StartRequest{Flow: []byte(raw), Facts: map[string]string{"name": "Jo Park"}})
		d.is(v, task.Done)
		r := d.report(v.ID)
		if len(r.Records) != 3 || len(r.Records["offers"]) != 2 || r.Records["offers"][1]["leaves"] != "09:40" ||
			r.Records["best"][0]["value"] != "06:10 for Jo Park" || r.Records["total"][0]["value"] != "31 EUR" {
			t.Errorf("records %v", r.Records)
		}
		if r.Rescues == nil || r.View.Status.Records == nil || len(r.View.Status.Records) != 0 {
			t.Errorf("A123: rescues %v, the view's records %v", r.Rescues, r.View.Status.Records)
		}
		want := "Finished all 4 steps. offers: 2 rows best: 06:10 for ‹name› total: 31 EUR"
		if v.Status.Answer != want || v.Status.Records["best"][0]["value"] != "06:10 for ‹name›" {
			t.Errorf("answer %q, want %q; records %v", v.Status.Answer, want, v.Status.Records)
		}
	})
}

func TestA124_Trace(t *testing.T) {
	inDesk(t, func(d *desk) {
		exchange := func(_ context.Context, _ *controllertest.Place, req flows.Request) flows.Result {
			if req.Trace {
				req.Observer.Exchange(flows.Exchange{Step: "1"})
			}
			return flows.Result{Stop: flows.Completed}
		}
		d.runner.Next(exchange, exchange)
		plain := d.start(task.StartRequest{Flow: flow(write)})
		traced := d.start(task.StartRequest{Flow: flow(write), Trace: true})
		if r := d.report(plain.ID); r.Trace == nil || len(r.Trace) != 0 {
			t.Errorf("untraced: %v", r.Trace)
		}
		if r := d.report(traced.ID); len(r.Trace) != 1 {
			t.Errorf("traced: %v", r.Trace)
		}
		if r, err := d.TaskReport(d.t.Context(), traced.ID, false); err != nil || len(r.Trace) != 0 {
			t.Errorf("trace left out: %v %v", r.Trace, err)
		}
	})
}

func TestA69_ViewsAndReportsAreRedacted(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Guard("sending the letter to Jo Park", flows.Evidence{Control: flows.EvidenceControl{Role: "button", Name: "Send to Jo Park"}})
		v := d.start(task.StartRequest{Task: "Write to Jo Park", Flow: flow(`"write to Jo Park"`, `{"stop_before":"sending the letter to Jo Park"}`), Facts: map[string]string{"full name": "Jo Park"}})
		d.is(v, task.NeedsApproval)
		all := v.Title + v.Summary + v.Status.Action + v.Status.Target + v.Step.Intent + d.report(v.ID).Steps[0].Text
		if strings.Contains(all, "Jo Park") || strings.Count(all, "‹full name›") < 5 {
			t.Errorf("not redacted: %s", all)
		}
	})
}

func TestTitleAndIntentSpellVariablesOut(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{
			Flow:  []byte(`{"app":"browser","vars":{"shop":"https://shop.test"},"steps":[{"browse":"${shop}"},"search for ${item}",{"stop_before":"sending ${item} to ${who}"}]}`),
			Facts: map[string]string{"item": "a dotted notebook", "who": "Jo"},
		})
		d.is(v, task.NeedsApproval)
		if v.Title != "https://shop.test" || v.Step.Intent != "sending ‹item› to ‹who›" {
			t.Errorf("title %q, intent %q", v.Title, v.Step.Intent)
		}
	})
}

func TestHaltAtBoundaryAndAtOnce(t *testing.T) {
	inDesk(t, func(d *desk) {
		release := d.block("write the letter")
		v := d.start(task.StartRequest{Flow: flow(open, write, tidy)})
		go func() {
			time.Sleep(3 * time.Second)
			close(release)
		}()
		halted, err := d.Halt(d.t.Context(), false)
		if err != nil || len(halted) != 1 {
			t.Fatalf("halted %v %v", halted, err)
		}
		d.isKind(halted[0], task.CheckpointInterrupted)
		if halted[0].Status.Reason != "interrupted at step 3 of 3" || !halted[0].Status.Continuable {
			t.Errorf("%+v", halted[0].Status)
		}
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()}), task.Done)

		d.block("write the letter")
		v = d.start(task.StartRequest{Flow: flow(open, write, tidy)})
		halted, err = d.Halt(d.t.Context(), true)
		if err != nil || len(halted) != 1 || halted[0].Status.Reason != "interrupted at step 2 of 3" {
			t.Fatalf("halted %+v %v", halted, err)
		}
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: no()}), task.Cancelled)
	})
}

func TestACheckpointNeedsAnAnswer(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.block("write the letter")
		v := d.start(mail())
		if _, err := d.Halt(d.t.Context(), true); err != nil {
			t.Fatal(err)
		}
		_, err := d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID})
		d.refused("no approve", err, fault.InvalidRequest)
	})
}

func TestCloseStopsWhatDoesNotReachABoundary(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.block("write the letter")
		d.start(mail())
		began := time.Now()
		d.close()
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("closing took %v, want the 10 s of patience", took)
		}
		if place := d.opener.Place("t-1"); place.Closes() != 1 || place.Releases() != 0 {
			t.Errorf("%d closes, %d releases: the browser must stay", place.Closes(), place.Releases())
		}
		d.open()
		d.isKind(d.rest(1), task.CheckpointInterrupted)
	})
}

func TestLeaveNothingOpen(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.start(mail())
		d.LeaveNothingOpen()
		d.close()
		if place := d.opener.Place("t-1"); place.Releases() != 1 {
			t.Errorf("%d releases", place.Releases())
		}
	})
}

func TestWithoutADeciderATaskFails(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.SetDecider("")
		d.runner.Fail("write the letter", failing(fault.DeciderNotConfigured, "DECIDER_NOT_CONFIGURED: no decider is configured"))
		v := d.start(task.StartRequest{Flow: flow(write)})
		d.is(v, task.Failed)
		if v.Status.Recoverable {
			t.Error("recoverable")
		}
	})
}
