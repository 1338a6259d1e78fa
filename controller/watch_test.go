package controller_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller"
	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
)

// drain reads a stream until nothing more comes.
func drain(t *testing.T, s controller.Stream) []task.Entry {
	t.Helper()
	var all []task.Entry
	for {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		batch, err := s.Next(ctx)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			return all
		}
		if err != nil {
			t.Fatalf("Next: %v", err)
		}
		if len(batch) > 256 {
			t.Fatalf("a batch of %d", len(batch))
		}
		all = append(all, batch...)
	}
}

// inOrder asks that stored events of each task come without a hole, from the
// number after the first one on.
func inOrder(t *testing.T, events []task.Entry) map[task.ID]uint64 {
	t.Helper()
	last := map[task.ID]uint64{}
	for _, e := range events {
		if e.Seq == 0 {
			continue
		}
		if before, ok := last[e.Task]; ok && e.Seq != before+1 {
			t.Errorf("%s: event %d after %d", e.Task, e.Seq, before)
		}
		last[e.Task] = e.Seq
	}
	return last
}

func TestWatchFollowsATask(t *testing.T) {
	inDesk(t, func(d *desk) {
		watch := d.Watch(d.t.Context(), nil)
		v := d.start(mail())
		d.approve(v)
		within(time.Second)
		events := drain(d.t, watch)
		inOrder(t, events)
		kinds := map[task.EventKind]int{}
		ended := 0
		for _, e := range events {
			kinds[e.Event]++
			if e.Report != nil && e.Report.Outcome != flows.OutcomeRunning {
				ended++
			}
			if e.Event != task.EventHealth && e.Task != v.ID {
				t.Errorf("an event of %s", e.Task)
			}
		}
		if ended != 5 || kinds[task.EventDecision] != 3 || kinds[task.EventResume] != 1 || kinds[task.EventHealth] != 1 || kinds[task.EventView] < 5 {
			t.Errorf("%d ended steps, kinds %v", ended, kinds)
		}
		var last task.Entry
		for _, e := range events {
			if e.Seq > 0 {
				last = e
			}
		}
		if last.View == nil || last.View.Status.State != task.Done {
			t.Errorf("the last event is %+v", last)
		}
	})
}

func TestWatchStartsWithThePresentViewOrGoesOn(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(mail())
		fresh := drain(d.t, d.Watch(d.t.Context(), nil))
		if len(fresh) != 2 || fresh[0].View == nil || fresh[0].View.Status.State != task.NeedsApproval || fresh[1].Health == nil {
			t.Errorf("fresh watcher: %+v", fresh)
		}
		all := drain(d.t, d.Watch(d.t.Context(), map[task.ID]uint64{v.ID: 0}))
		rest := drain(d.t, d.Watch(d.t.Context(), map[task.ID]uint64{v.ID: 3}))
		if len(all) != len(rest)+3 || all[0].Seq != 1 || rest[0].Seq != 4 {
			t.Errorf("from 0: %d events, from 3: %d beginning with %d", len(all), len(rest), rest[0].Seq)
		}
	})
}

func TestWatchEndsWithItsContext(t *testing.T) {
	inDesk(t, func(d *desk) {
		ctx, cancel := context.WithCancel(d.t.Context())
		watch := d.Watch(ctx, nil)
		drain(d.t, watch)
		cancel()
		if _, err := watch.Next(d.t.Context()); !errors.Is(err, context.Canceled) {
			t.Errorf("Next: %v", err)
		}
	})
}

func TestA135_ASlowWatcherIsNeverWaitedFor(t *testing.T) {
	const steps = 5000 // two events each
	inDesk(t, func(d *desk) {
		watch := d.Watch(d.t.Context(), nil)
		d.runner.Next(func(_ context.Context, _ *controllertest.Place, req flows.Request) flows.Result {
			for i := range steps {
				rep := flows.StepReport{Step: fmt.Sprintf("1.%d", i+1), Kind: flows.KindDo, Outcome: flows.OutcomeRunning}
				req.Observer.Step(rep)
				req.Observer.Seen(flows.Seen{Window: "w"})
				rep.Outcome = flows.OutcomeDone
				req.Observer.Step(rep)
			}
			return flows.Result{Stop: flows.Completed}
		})
		d.is(d.start(task.StartRequest{Flow: flow(write)}), task.Done)
		events := drain(d.t, watch)
		if last := inOrder(t, events); last[1] < steps {
			t.Errorf("read up to %d, want %d steps and the views", last[1], steps)
		}
		screens := 0
		for _, e := range events {
			if e.Event == task.EventScreen {
				screens++
			}
		}
		if screens != 1 {
			t.Errorf("%d screens, want the latest only", screens)
		}
	})
}

func TestEvictionAndPruningSayGone(t *testing.T) {
	inDesk(t, func(d *desk) {
		done := d.start(task.StartRequest{Flow: flow(write)})
		d.fill(31, task.StartRequest{Task: "plan me"})
		watch := d.Watch(d.t.Context(), nil)
		drain(d.t, watch)
		d.start(task.StartRequest{Task: "one more"})
		gone := false
		for _, e := range drain(d.t, watch) {
			gone = gone || e.Event == task.EventGone && e.Task == done.ID
		}
		if !gone {
			t.Error("no gone event")
		}
		synctest.Wait()
	})
}

func TestNoEventRunsAheadOfTheViews(t *testing.T) {
	inDesk(t, func(d *desk) {
		watch := d.Watch(d.t.Context(), nil)
		d.store.Linger(time.Second)
		if _, err := d.StartTask(d.t.Context(), mail()); err != nil {
			t.Fatal(err)
		}
		for range 50 {
			time.Sleep(300 * time.Millisecond)
			told := uint64(0)
			for _, e := range drain(d.t, watch) {
				if e.View != nil {
					told = e.View.Revision
				}
			}
			views, err := d.ListTasks(d.t.Context())
			if err != nil || views[0].Revision < told {
				t.Fatalf("the list shows revision %d, %d was told (%v)", views[0].Revision, told, err)
			}
			r := d.report(1)
			written := slices.DeleteFunc(slices.Clone(r.Journal), func(e task.Entry) bool { return e.View == nil })
			if last := written[len(written)-1].View; r.View.Revision < last.Revision {
				t.Fatalf("a report shows %q, its journal ends with %q", r.View.Status.State, last.Status.State)
			}
		}
		d.store.Linger(0)
		d.is(d.rest(1), task.NeedsApproval)
	})
}
