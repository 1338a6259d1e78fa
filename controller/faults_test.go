package controller_test

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

// watched notes every word of health about the store.
type watched struct {
	mu    sync.Mutex // guards the rest
	words []string
}

func (d *desk) watchHealth() *watched {
	w, stream := &watched{}, d.Watch(d.t.Context(), nil)
	go func() {
		for {
			entries, err := stream.Next(d.t.Context())
			if err != nil {
				return
			}
			w.mu.Lock()
			for _, e := range entries {
				if e.Health != nil {
					w.words = append(w.words, e.Health.Store)
				}
			}
			w.mu.Unlock()
		}
	}()
	return w
}

func (w *watched) last() string {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.words[len(w.words)-1]
}

// journey asks for a value, fails and is rescued, asks for a signature, and
// shapes its result.
func journey() task.StartRequest {
	req := shapedTask()
	req.Flow = flow(open, join, write, guard, extract)
	req.Facts = map[string]string{"name": "Jo Park"}
	return req
}

func (d *desk) scriptJourney() {
	d.saveOffers()
	d.fails("write the letter", 1)
	d.rescuer.Always(retry(0, `"write it in short"`))
	d.shaper.Always(fits)
}

// travel answers whatever the task asks until it is final; full is called when
// the store refuses, and makes room.
func (d *desk) travel(req task.StartRequest, full func()) task.View {
	d.t.Helper()
	v, err := d.StartTask(d.t.Context(), req)
	if fault.CodeOf(err) == fault.StoreFull {
		full()
		v, err = d.StartTask(d.t.Context(), req)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	for range 30 {
		if v = d.rest(v.ID); d.store.Refuses() {
			full()
			continue
		}
		if v.Status.IsFinal() {
			return v
		}
		d.is(v, v.Status.State)
		a := task.ContinueRequest{ID: v.ID, Approve: yes(), Digest: v.Status.Digest, Inputs: map[string]string{"phone": "+45 20 30 40 50"}}
		switch _, err := d.ContinueTask(d.t.Context(), a); fault.CodeOf(err) {
		case "":
		case fault.StoreFull:
			full()
		default:
			d.t.Fatalf("answering %s (%s): %v", v.Status.State, v.Summary, err)
		}
	}
	d.t.Fatalf("never came to an end: %+v", v.Status)
	return v
}

// TestA137_AFullDiskAtEveryTransition fills the disk at each transaction of a
// journey in turn: while it is full nothing runs and nothing is pressed, the
// desk says why, and with room again the journey ends as it would have.
func TestA137_AFullDiskAtEveryTransition(t *testing.T) {
	total := 0
	inModelDesk(t, func(d *desk) {
		d.scriptJourney()
		d.is(d.travel(journey(), func() { t.Error("the store refused") }), task.Done)
		total = d.store.Commits()
	})
	if total < 15 {
		t.Fatalf("a journey of %d transactions", total)
	}
	for nth := range total {
		inModelDesk(t, func(d *desk) {
			d.scriptJourney()
			health := d.watchHealth()
			d.store.FillAfter(nth)
			fell := 0
			v := d.travel(journey(), func() {
				fell++
				before := d.presses()
				within(time.Minute)
				views, err := d.ListTasks(t.Context())
				if err != nil || len(views) > 1 || len(views) == 1 && views[0].Status.State == task.Running {
					t.Errorf("full at %d: %+v (%v)", nth, views, err)
				}
				if got := health.last(); got != string(fault.StoreFull) {
					t.Errorf("full at %d: health says %q", nth, got)
				}
				if d.presses() != before {
					t.Errorf("full at %d: pressed", nth)
				}
				d.store.Refuse(nil)
			})
			if v.Status.State != task.Done || string(v.Status.Result) != fits || d.presses() != 1 {
				t.Errorf("full at %d: %+v after %d presses", nth, v.Status, d.presses())
			}
			if fell != 1 {
				t.Errorf("full at %d: met %d times", nth, fell)
			}
			if got := health.last(); got != "ok" && nth < total-1 { // behind the last nothing is written that could tell
				t.Errorf("full at %d: with room again health says %q", nth, got)
			}
		})
	}
}

// stand is a place where a task may stand when something breaks.
type stand struct {
	name    string
	arrange func(d *desk) task.View
	killed  stage // what it is when its browser was killed; empty: the same view
	ends    stage // and what it comes to when the person goes on, or time does
}

func stands() []stand {
	start := func(req task.StartRequest) func(*desk) task.View {
		return func(d *desk) task.View { return d.start(req) }
	}
	done, asks := stage(task.Done), stage(task.NeedsApproval)
	return []stand{
		{"running", func(d *desk) task.View {
			hold := d.block("write the letter")
			d.t.Cleanup(func() { close(hold) })
			return d.start(mail())
		}, sideLost, asks},
		{"planning", func(d *desk) task.View {
			d.planner.Think(time.Minute, letter)
			return d.start(task.StartRequest{Task: "Write to Mira"})
		}, "", asks},
		{"rescuing", func(d *desk) task.View {
			d.fails("write the letter", 1)
			d.rescuer.Think(time.Minute, retry(1, `"a"`))
			return d.start(mail())
		}, sideLost, asks},
		{"shaping", func(d *desk) task.View {
			d.saveOffers()
			d.shaper.Think(time.Minute, fits)
			return d.start(shapedTask())
		}, "", done},
		{"needs_input", start(library()), "", done},
		{"needs_approval", start(mail()), sideLost, asks},
		{"needs_human", func(d *desk) task.View {
			d.runner.Next(func(_ context.Context, p *controllertest.Place, _ flows.Request) flows.Result {
				p.Show("Verify you are human")
				res := failing("", stuck)
				res.Failed = "2"
				return res
			})
			return d.start(mail())
		}, sideLost, asks},
		{"interrupted", func(d *desk) task.View {
			d.runner.Next(func(context.Context, *controllertest.Place, flows.Request) flows.Result {
				return flows.Result{Stop: flows.Halted, Failed: "2"}
			})
			return d.start(mail())
		}, sideLost, asks},
		{"payment", func(d *desk) task.View {
			d.runner.Guard("paying for the order", payControl())
			return d.start(task.StartRequest{Flow: flow(write, payment)})
		}, paymentStop, paymentStop},
		{"done", start(task.StartRequest{Flow: flow(write)}), "", done},
	}
}

// bystanders wait, run and ask beside the task something happens to.
func (d *desk) bystanders() []task.ID {
	d.t.Helper()
	d.block("stand by")
	var ids []task.ID
	for _, req := range []task.StartRequest{mail(), library(), {Flow: flow(open, `"stand by"`, tidy)}} {
		ids = append(ids, d.start(req).ID)
	}
	return ids
}

func (d *desk) viewsOf(ids []task.ID) []task.View {
	d.t.Helper()
	var views []task.View
	for _, id := range ids {
		views = append(views, d.rest(id))
	}
	return views
}

// TestABrowserKilledAtEachStand kills a task's browser wherever it may stand.
func TestABrowserKilledAtEachStand(t *testing.T) {
	for _, s := range stands() {
		t.Run(s.name, func(t *testing.T) {
			inModelDesk(t, func(d *desk) {
				others := d.bystanders()
				before := d.viewsOf(others)
				v := s.arrange(d)
				if p := d.opener.Place(v.ID.String()); p != nil {
					p.Die()
				}
				got := d.rest(v.ID)
				if s.killed == "" && !reflect.DeepEqual(got, v) {
					t.Errorf("became %+v", got)
				}
				if s.killed != "" && stageOf(got.Status) != s.killed {
					t.Errorf("became %q (%s), want %q", stageOf(got.Status), got.Summary, s.killed)
				}
				if s.killed == paymentStop && slices.Contains(got.Next, task.OpCancel) {
					t.Errorf("it still says it holds a browser: %v", got.Next)
				}
				d.comesTo(v.ID, s.ends)
				if after := d.viewsOf(others); !reflect.DeepEqual(after, before) {
					t.Errorf("others were disturbed:\n%+v\n%+v", before, after)
				}
				if d.presses() != 0 {
					t.Error("pressed")
				}
			})
		})
	}
}

// comesTo lets a task go on, by its person or by time.
func (d *desk) comesTo(id task.ID, want stage) {
	d.t.Helper()
	d.runner.Before("write the letter", nil)
	v := d.rest(id)
	switch {
	case v.Status.State == task.Running:
		within(2 * time.Minute)
	case v.Status.State == task.NeedsInput:
		d.answer(task.ContinueRequest{ID: id, Inputs: map[string]string{"phone": "+45 20 30 40 50"}})
	case v.Status.State == task.Checkpoint && v.Status.Continuable:
		d.answer(task.ContinueRequest{ID: id, Approve: yes()})
	}
	if v = d.rest(id); stageOf(v.Status) != want {
		d.t.Errorf("came to %q (%s %s), want %q", stageOf(v.Status), v.Summary, v.Status.Reason, want)
	}
}

// TestAModelServerGoneAtEachStand takes the language models away: what asks
// one fails and says so, all else does not notice.
func TestAModelServerGoneAtEachStand(t *testing.T) {
	for _, c := range []struct {
		name, reason string
		req          task.StartRequest
		asks         func(*desk) *controllertest.Chat
		patient      bool // nothing bounds it but its person
	}{
		{"planning", string(fault.PlanFailed), task.StartRequest{Task: "Write to Mira"}, func(d *desk) *controllertest.Chat { return d.planner }, true},
		{"rescuing", stuck, task.StartRequest{Flow: flow(open, `"go wrong"`)}, func(d *desk) *controllertest.Chat { return d.rescuer }, false},
		{"shaping", "", shapedTask(), func(d *desk) *controllertest.Chat { return d.shaper }, true},
	} {
		script := func(d *desk) {
			d.saveOffers()
			d.fails("go wrong", 1)
		}
		t.Run(c.name+", it refuses", func(t *testing.T) {
			inModelDesk(t, func(d *desk) {
				script(d)
				c.asks(d).Fail("connection refused")
				d.failsAlone(c.req, c.reason)
			})
		})
		t.Run(c.name+", it is silent", func(t *testing.T) {
			inModelDesk(t, func(d *desk) {
				script(d)
				c.asks(d).Hang()
				if !c.patient {
					d.failsAlone(c.req, c.reason)
					return
				}
				v := d.start(c.req)
				within(time.Hour)
				d.is(d.rest(v.ID), task.Running)
				d.is(d.cancel(v.ID, ""), task.Cancelled)
				if p := d.opener.Place(v.ID.String()); c.asks(d).Ended() != 1 || p != nil && p.Holding() {
					t.Error("the call goes on, or a browser is held")
				}
			})
		})
	}
	for _, s := range stands() {
		if s.name == "planning" || s.name == "rescuing" || s.name == "shaping" {
			continue // those ask one, above
		}
		t.Run(s.name, func(t *testing.T) {
			inModelDesk(t, func(d *desk) {
				v := s.arrange(d)
				within(10 * time.Minute)
				if got := d.rest(v.ID); !reflect.DeepEqual(got, v) {
					t.Errorf("became %+v", got)
				}
				for _, model := range []*controllertest.Chat{d.planner, d.rescuer, d.shaper} {
					if len(model.Asked()) > 0 {
						t.Error("a language model was asked")
					}
				}
			})
		})
	}
}

// failsAlone starts a task that must fail with that reason, recoverably, and
// leave nothing open and no other task changed.
func (d *desk) failsAlone(req task.StartRequest, reason string) {
	d.t.Helper()
	others := d.bystanders()
	before := d.viewsOf(others)
	id := d.start(req).ID
	within(10 * time.Minute)
	v := d.rest(id)
	if v.Status.State != task.Failed || !v.Status.Recoverable || len(v.Status.Reason) < len(reason) || v.Status.Reason[:len(reason)] != reason {
		d.t.Errorf("%s (%s) recoverable %v, want failed with %q", v.Status.State, v.Status.Reason, v.Status.Recoverable, reason)
	}
	if p := d.opener.Place(id.String()); p != nil && p.Holding() {
		d.t.Error("a browser is held")
	}
	if after := d.viewsOf(others); !reflect.DeepEqual(after, before) {
		d.t.Errorf("others were disturbed:\n%+v\n%+v", before, after)
	}
}
