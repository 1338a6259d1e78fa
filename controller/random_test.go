package controller_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

// TestA06_FollowingNextNeverErrs drives tasks at random through what their
// `next` offers, over tasks that plan, runs that fail, stop, meet walls, are
// rescued and lose their browser, and results that are shaped, with a restart
// now and then.
func TestA06_FollowingNextNeverErrs(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			inModelDesk(t, func(d *desk) {
				rnd := rand.New(rand.NewPCG(seed, 6))
				d.runner.Guard("paying for the order", payControl())
				for range 80 {
					d.disturb(rnd)
					d.think(rnd)
					d.follow(rnd)
					d.neverDrops()
				}
			})
		})
	}
}

func (d *desk) disturb(rnd *rand.Rand) {
	switch rnd.IntN(8) {
	case 0:
		d.runner.Fail("write the letter", failing("", "nothing happened"))
	case 1:
		d.runner.Fail("tidy up", failing(fault.NoSuchSession, "NO_SUCH_SESSION: gone"))
	case 2:
		d.runner.Fail("write the letter", flows.Result{Stop: flows.OutOfAction})
	case 3:
		if p := d.opener.Place("t-1"); p != nil {
			p.Show("captcha")
		}
	case 4:
		d.runner.Before("tidy up", func(ctx context.Context) {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		})
	case 5:
		d.restart()
	}
	synctest.Wait()
}

// think has each model answer something else from now on: well, badly, slowly,
// or not at all.
func (d *desk) think(rnd *rand.Rand) {
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	d.planner.Always(pick(letter, letter, string(library().Flow), "no plan"))
	d.rescuer.Always(pick(retry(0, `"a"`, write), retry(1, `"a"`, `{"stop_before":"sending it"}`), skip(0), `{"action":"give_up","reason":"no"}`, "no"))
	d.shaper.Always(pick(fits, fits, "{}"))
	model := []*controllertest.Chat{d.planner, d.rescuer, d.shaper}[rnd.IntN(3)]
	switch rnd.IntN(6) {
	case 0:
		model.Hang()
	case 1:
		model.Think(time.Second, "{}")
	case 2:
		model.Fail("the server is down")
	}
}

// neverDrops holds that no task ever showed less progress than before.
func (d *desk) neverDrops() {
	d.t.Helper()
	views, err := d.ListTasks(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	for _, v := range views {
		if seen := d.progress(v.ID); !slices.IsSorted(seen) {
			d.t.Errorf("%s went back: %v", v.ID, seen)
		}
	}
}

// follow takes one task and does one thing its next offers.
func (d *desk) follow(rnd *rand.Rand) {
	d.t.Helper()
	views, err := d.ListTasks(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	if len(views) == 0 || len(views) < 5 && rnd.IntN(3) == 0 {
		d.startSome(rnd)
		return
	}
	v := views[rnd.IntN(len(views))]
	op := v.Next[rnd.IntN(len(v.Next))]
	switch op {
	case task.OpStart:
		d.startSome(rnd)
		return
	case task.OpAwait:
		_, err = d.AwaitTask(d.t.Context(), v.ID, time.Second)
	case task.OpContinue:
		_, err = d.ContinueTask(d.t.Context(), answerTo(v, rnd))
	case task.OpCancel:
		_, err = d.CancelTask(d.t.Context(), v.ID, "")
	case task.OpReport:
		_, err = d.TaskReport(d.t.Context(), v.ID, true)
	}
	synctest.Wait()
	if err != nil {
		d.t.Errorf("%s of %s in %s: %v", op, v.ID, v.Status.State, err)
	}
}

func (d *desk) startSome(rnd *rand.Rand) {
	reqs := []task.StartRequest{mail(), library(), {Task: "plan me"}, {Flow: flow(write, payment)}, {Flow: flow(open, tidy)}, shapedTask()}
	if _, err := d.StartTask(d.t.Context(), reqs[rnd.IntN(len(reqs))]); err != nil {
		d.t.Errorf("StartTask: %v", err)
	}
	synctest.Wait()
}

func answerTo(v task.View, rnd *rand.Rand) task.ContinueRequest {
	req := task.ContinueRequest{ID: v.ID, Approve: yes(), Digest: v.Status.Digest}
	switch {
	case v.Status.State == task.NeedsInput:
		req = task.ContinueRequest{ID: v.ID, Inputs: map[string]string{v.Status.Fields[0].Name: "something"}}
	case v.Status.Kind == task.CheckpointOutcomeUnknown:
		req = task.ContinueRequest{ID: v.ID, Answer: []string{"happened", "did_not_happen", "look_again"}[rnd.IntN(3)]}
	case rnd.IntN(4) == 0:
		req.Approve, req.Digest = no(), ""
	}
	return req
}
