package controller_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

func TestD19_A127_RestartKeepsWhatWaitsAndInterruptsWhatRan(t *testing.T) {
	inDesk(t, func(d *desk) {
		waits := d.start(mail())
		d.block("tidy up")
		runs := d.start(task.StartRequest{Flow: flow(open, write, tidy)})
		d.crash()
		d.runner.Before("tidy up", nil)
		d.open()
		again := d.rest(waits.ID)
		if again.Status.Digest != waits.Status.Digest || again.Revision != waits.Revision || again.SinceAt != waits.SinceAt {
			t.Errorf("the wait changed: %+v, was %+v", again, waits)
		}
		v := d.rest(runs.ID)
		d.isKind(v, task.CheckpointInterrupted)
		if !strings.HasPrefix(v.Status.Reason, "interrupted at step ") || v.Revision <= runs.Revision {
			t.Errorf("%+v", v)
		}
		if d.presses() != 0 || len(d.runner.Requests()) != 2 {
			t.Errorf("%d presses and %d runs: something went on by itself", d.presses(), len(d.runner.Requests()))
		}
		d.is(d.approve(again), task.Done)
		if d.presses() != 1 {
			t.Errorf("D7: %d presses", d.presses())
		}
	})
}

func TestRestartGoesOnFromTheStepItStoppedIn(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.block("tidy up")
		v := d.start(task.StartRequest{Flow: flow(open, write, tidy)})
		d.crash()
		d.runner.Before("tidy up", nil)
		d.open()
		if got := d.rest(v.ID).Status.Reason; got != "interrupted at step 3 of 3" {
			t.Errorf("reason %q", got)
		}
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()}), task.Done)
		if got := d.runner.Requests()[1].FirstStep; got != 3 {
			t.Errorf("went on at step %d", got)
		}
		var runs []int
		for _, s := range d.report(v.ID).Steps {
			runs = append(runs, s.Run)
		}
		if len(runs) == 0 || runs[len(runs)-1] != 2 {
			t.Errorf("runs in the report: %v", runs)
		}
	})
}

// pressAndDie begins the press of a guard and never comes back from it: what
// is on disk is `intended`.
func pressAndDie(step string, sent bool) controllertest.Script {
	return func(ctx context.Context, _ *controllertest.Place, req flows.Request) flows.Result {
		e := flows.Evidence{Task: req.Task, Step: step, Phrase: "sending the letter", Control: flows.EvidenceControl{Role: "button", Name: "Send"}}
		if req.Approved != nil {
			e = *req.Approved
		}
		after, err := req.AroundPress(e)
		if err == nil && sent {
			after(true)
		}
		<-ctx.Done()
		return flows.Result{Stop: flows.Cancelled, Failed: step}
	}
}

func TestA128_D8_AnIntendedPressIsUnknownAfterACrash(t *testing.T) {
	tests := []struct {
		answer  task.ContinueRequest
		want    task.State
		presses int
		from    int
	}{
		{task.ContinueRequest{Answer: "happened"}, task.Done, 0, 4},
		{task.ContinueRequest{Answer: "did_not_happen"}, task.NeedsApproval, 0, 3},
		{task.ContinueRequest{Approve: no()}, task.Cancelled, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.answer.Answer, func(t *testing.T) {
			inDesk(t, func(d *desk) {
				v := d.start(mail())
				d.runner.Next(pressAndDie("3", false))
				if _, err := d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Approve: yes(), Digest: v.Status.Digest}); err != nil {
					t.Fatal(err)
				}
				d.rest(v.ID)
				d.crash()
				d.open()
				runs := len(d.runner.Requests())
				v = d.rest(v.ID)
				d.isKind(v, task.CheckpointOutcomeUnknown)
				if !v.Status.Continuable || v.Status.Reason != "outcome unknown: sending the letter (Send) may have happened" || d.presses() != 0 {
					t.Errorf("%+v after %d presses", v.Status, d.presses())
				}
				if r := d.report(v.ID); r.Approval == nil || r.Approval.Control.Name != "Send" {
					t.Errorf("the last evidence: %+v", r.Approval)
				}
				_, err := d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Approve: yes()})
				d.refused("approve true", err, fault.InvalidRequest)
				_, err = d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Answer: "perhaps"})
				d.refused("perhaps", err, fault.InvalidRequest)
				looked := d.answer(task.ContinueRequest{ID: v.ID, Answer: "look_again"})
				d.isKind(looked, task.CheckpointOutcomeUnknown)
				tt.answer.ID = v.ID
				d.is(d.answer(tt.answer), tt.want)
				if d.presses() != tt.presses {
					t.Errorf("%d presses, want %d", d.presses(), tt.presses)
				}
				if tt.from > 0 && d.runner.Requests()[runs].FirstStep != tt.from {
					t.Errorf("went on at step %d, want %d", d.runner.Requests()[runs].FirstStep, tt.from)
				}
			})
		})
	}
}

func TestA129_AnAllowedPressIsNotRepeatedUnasked(t *testing.T) {
	allowed := func() task.StartRequest {
		req := mail()
		req.Constraints.AllowDestructive = true
		return req
	}
	branch := `{"if":{"condition":"a letter is ready","then":[` + guard + `]}}`
	t.Run("sent", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			d.runner.Next(pressAndDie("3", true))
			v := d.start(allowed())
			d.crash()
			d.open()
			d.isKind(d.rest(v.ID), task.CheckpointInterrupted)
			d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()}), task.Done)
			if got := d.runner.Requests()[1].FirstStep; got != 4 || d.presses() != 0 {
				t.Errorf("went on at step %d with %d presses", got, d.presses())
			}
		})
	})
	t.Run("sent inside an if", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			d.runner.Next(pressAndDie("2.1", true))
			req := allowed()
			req.Flow = flow(open, branch, tidy)
			v := d.start(req)
			d.crash()
			d.open()
			d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()}), task.Done)
			runs := d.runner.Requests()
			if first := runs[1]; first.FirstStep != 1 && first.AllowDestructive {
				t.Errorf("the if ran again with permission: %+v", first)
			}
			for _, r := range runs[1:] {
				if r.AllowDestructive && r.FirstStep <= 2 && r.FirstStep+len(r.Flow.Steps) > 2 {
					t.Errorf("step 2 ran again with permission, in the run from %d", r.FirstStep)
				}
			}
		})
	})
}

func TestA130_ALostSide(t *testing.T) {
	t.Run("while running", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			d.block("write the letter")
			v := d.start(mail())
			d.opener.Place("t-1").Die()
			v = d.rest(v.ID)
			d.isKind(v, task.CheckpointSideLost)
			if v.Status.Reason != "browser lost at step 2 of 4" || !v.Status.Continuable {
				t.Errorf("%+v", v.Status)
			}
			d.runner.Before("write the letter", nil)
			d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()}), task.NeedsApproval)
			if got := d.runner.Requests()[1].FirstStep; got != 2 {
				t.Errorf("went on at step %d", got)
			}
		})
	})
	t.Run("told by the run", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			d.runner.Fail("write the letter", failing(fault.NoSuchSession, "NO_SUCH_SESSION: the browser is gone"))
			d.isKind(d.start(mail()), task.CheckpointSideLost)
		})
	})
	t.Run("found gone once more after a restart", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			gone := failing(fault.NoSuchSession, "NO_SUCH_SESSION: the browser is gone")
			gone.Failed = "1"
			lost := func(_ context.Context, _ *controllertest.Place, req flows.Request) flows.Result {
				req.Observer.Step(flows.StepReport{Step: "1", Outcome: flows.OutcomeRunning})
				req.Observer.Step(flows.StepReport{Step: "1", Outcome: flows.OutcomeFailed})
				return gone
			}
			d.runner.Next(lost, lost)
			v := d.start(mail())
			d.isKind(v, task.CheckpointSideLost)
			d.restart()
			d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()}), task.NeedsApproval)
			d.runner.Next(lost)
			d.isKind(d.approve(d.rest(v.ID)), task.CheckpointSideLost)
		})
	})
	t.Run("while waiting for approval", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			v := d.start(mail())
			d.opener.Place("t-1").Die()
			lost := d.rest(v.ID)
			d.isKind(lost, task.CheckpointSideLost)
			if got := d.report(v.ID).Decisions[0].State; got != task.DecisionVoid {
				t.Errorf("the open approval is %s", got)
			}
			asked := d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()})
			d.is(asked, task.NeedsApproval)
			if d.presses() != 0 {
				t.Error("pressed without asking afresh")
			}
		})
	})
	t.Run("at a payment", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			d.runner.Guard("paying for the order", payControl())
			v := d.start(task.StartRequest{Flow: flow(payment)})
			d.opener.Place("t-1").Die()
			v = d.rest(v.ID)
			d.isKind(v, task.CheckpointPayment)
			if strings.Join(v.Next, " ") != "TaskReport" {
				t.Errorf("next %v", v.Next)
			}
		})
	})
}

func TestA137_AFullDisk(t *testing.T) {
	full := func(task.Change) error { return controllertest.Full() }
	t.Run("at the answer", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			v := d.start(mail())
			d.store.Refuse(full)
			_, err := d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Approve: yes(), Digest: v.Status.Digest})
			d.refused("ContinueTask", err, fault.StoreFull)
			if got := d.rest(v.ID); got.Revision != v.Revision || d.presses() != 0 {
				t.Errorf("%+v after %d presses", got, d.presses())
			}
			d.store.Refuse(nil)
			d.is(d.approve(v), task.Done)
		})
	})
	t.Run("between approval and press", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			v := d.start(mail())
			watch := d.Watch(d.t.Context(), nil)
			d.store.Refuse(func(c task.Change) error {
				if c.Press != nil {
					d.store.RefuseAfter(full)
					return controllertest.Full()
				}
				return nil
			})
			v = d.approve(v)
			d.isKind(v, task.CheckpointInterrupted)
			if d.presses() != 0 || !strings.Contains(v.Status.Reason, "STORE_FULL") {
				t.Errorf("%d presses, %+v", d.presses(), v.Status)
			}
			told := false
			for range 3 {
				batch, err := watch.Next(d.t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range batch {
					told = told || e.Health != nil && e.Health.Store == string(fault.StoreFull)
				}
				if told {
					break
				}
			}
			if !told {
				t.Error("no event says why")
			}
			d.store.Refuse(nil)
			v = d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()})
			d.is(v, task.NeedsApproval) // the unused signature is void, it asks afresh
			d.is(d.approve(v), task.Done)
			if d.presses() != 1 {
				t.Errorf("%d presses", d.presses())
			}
		})
	})
	t.Run("while steps run", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			d.runner.Before("write the letter", func(context.Context) { d.store.Refuse(full) })
			v := d.start(task.StartRequest{Flow: flow(open, write, tidy)})
			d.isKind(v, task.CheckpointInterrupted)
			d.store.Refuse(nil)
			d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()}), task.Done)
		})
	})
	t.Run("at the start", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			d.store.Refuse(full)
			_, err := d.StartTask(d.t.Context(), mail())
			d.refused("StartTask", err, fault.StoreFull)
			if views, _ := d.ListTasks(d.t.Context()); len(views) != 0 {
				t.Errorf("tasks %+v", views)
			}
			d.store.Refuse(nil)
		})
	})
}

func TestStartTakesOverHistoryAndOrphans(t *testing.T) {
	inDesk(t, func(d *desk) {
		done := d.start(task.StartRequest{Flow: flow(write)})
		d.start(mail())
		d.close()
		if err := d.store.Bind(done.ID, surfacesBinding()); err != nil {
			t.Fatal(err)
		}
		d.open()
		views, _ := d.ListTasks(d.t.Context())
		if len(views) != 1 || views[0].Status.State != task.NeedsApproval {
			t.Errorf("live: %+v", views)
		}
		if got := d.opener.Destroyed(); len(got) != 1 || got[0].Driver != "orphan" {
			t.Errorf("destroyed %+v", got)
		}
		if left, _ := d.store.Orphans(); len(left) != 0 {
			t.Errorf("orphans left %+v", left)
		}
		history, err := d.History(d.t.Context(), "", 0, 10)
		if err != nil || len(history) != 1 || history[0].ID != done.ID {
			t.Errorf("history %+v %v", history, err)
		}
		pruned, err := d.Prune(d.t.Context(), -time.Hour)
		if err != nil || len(pruned) != 1 {
			t.Errorf("pruned %v %v", pruned, err)
		}
		_, err = d.TaskReport(d.t.Context(), done.ID, true)
		d.refused("TaskReport", err, fault.NoSuchTask)
	})
}

// 10.9: while a secret is forgotten, what fields hold is told to nobody, a press
// that was signed needs no secret, and the rest asks for it first.
func TestA131_A132_WhileASecretIsForgotten(t *testing.T) {
	inDesk(t, func(d *desk) {
		place := surfaces.Field{Origin: "https://mail.test", Role: "textbox", Name: "Word", Shows: "${password}"}
		d.runner.Next(func(_ context.Context, _ *controllertest.Place, req flows.Request) flows.Result {
			e := flows.Evidence{Task: req.Task, Step: "2", Side: surfaces.Browser, Phrase: "sending the letter", Control: flows.EvidenceControl{Role: "button", Name: "Send"}, Class: safety.ActSend}
			return flows.Result{Stop: flows.Stopped, Failed: "2", Pending: &e, SecretFields: []surfaces.Field{place}}
		})
		req := task.StartRequest{
			Flow: flow(`{"enter":{"password":"${password}"}}`, guard, tidy), Facts: map[string]string{"password": "hunter22", "card number": "4242 4242 4242 4242"},
		}
		v := d.start(req)
		d.is(v, task.NeedsApproval)
		d.restart()
		d.opener.Place("t-1").Show(`textbox "Password hint" = "hunter22"`, "Card 4242 4242 4242 4242")
		look, err := d.Look(d.t.Context(), v.ID)
		if err != nil || look.Evidence == nil || len(look.Differs) > 0 {
			t.Errorf("looked at %+v %v", look, err)
		}
		v = d.approve(v)
		if d.is(v, task.NeedsInput); d.presses() != 1 || v.Status.Fields[0].Name != "password" {
			t.Fatalf("%d presses, asks for %+v", d.presses(), v.Status.Fields)
		}
		runs := d.runner.Requests()
		if last := runs[len(runs)-1]; !slices.Equal(last.Unknown, []string{"card number", "password"}) || len(last.SecretFields) != 1 || last.SecretFields[0].Shows != "${password}" {
			t.Errorf("the press ran with %q unknown, at %+v", last.Unknown, last.SecretFields)
		}
		look, err = d.Look(d.t.Context(), v.ID)
		if said := fmt.Sprintf("%+v", look.Screen); err != nil || strings.Contains(said, "hunter22") || strings.Contains(said, "4242") || !strings.Contains(said, "Card ${secret}") {
			t.Errorf("looked at %s %v", said, err)
		}
		d.runner.Fail("tidy up", failing("", "no such button"))
		v = d.answer(task.ContinueRequest{ID: v.ID, Inputs: map[string]string{"password": "hunter22", "card number": "4242424242424242"}})
		d.is(v, task.Failed)
		runs = d.runner.Requests()
		if last := runs[len(runs)-1]; len(last.Unknown) != 0 || last.FirstStep != 3 {
			t.Errorf("went on at %d with %q unknown", last.FirstStep, last.Unknown)
		}
		if d.presses() != 1 || strings.Contains(d.store.Written(), "hunter22") {
			t.Errorf("%d presses, or the secret is in the store", d.presses())
		}
	})
}

// A rescuer is told no more than a decider.
func TestA132_ABriefingWhileASecretIsForgotten(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		hold := d.block("write the letter")
		v := d.start(task.StartRequest{Flow: flow(guard, write), Facts: map[string]string{"password": "hunter22"}})
		d.restart()
		d.fails("write the letter", 1)
		d.rescuer.Say(`{"action":"give_up","reason":"no"}`)
		d.approve(d.rest(v.ID))
		d.opener.Place("t-1").Show(`textbox "Hint" = "hunter22"`, "Card 4242 4242 4242 4242")
		close(hold)
		d.is(d.rest(v.ID), task.Failed)
		if said := spoken(d.rescuer.Asked()); strings.Contains(said, "hunter22") || strings.Contains(said, "4242") || !strings.Contains(said, `textbox "Hint"`) {
			t.Error("the briefing tells what a field holds, or a card number")
		}
	})
}

func TestA133_AnApprovalExpires(t *testing.T) {
	limited := func() task.StartRequest {
		req := mail()
		req.Constraints.ApprovalDeadlineMS = 60_000
		return req
	}
	expired := func(d *desk, v task.View) {
		d.is(v, task.Cancelled)
		dec := d.report(v.ID).Decisions[0]
		if dec.State != task.DecisionExpired || dec.Who != "deadline" || d.presses() != 0 {
			d.t.Errorf("decision %+v after %d presses", dec, d.presses())
		}
	}
	t.Run("while the desk is open", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			v := d.start(limited())
			within(59 * time.Second)
			d.is(d.rest(v.ID), task.NeedsApproval)
			within(2 * time.Second)
			expired(d, d.rest(v.ID))
			if d.opener.Place("t-1").Releases() != 1 {
				t.Error("the side is still held")
			}
		})
	})
	t.Run("while the desk is closed", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			v := d.start(limited())
			d.close()
			within(2 * time.Minute)
			d.open()
			expired(d, d.rest(v.ID))
		})
	})
	t.Run("answered in time", func(t *testing.T) {
		inDesk(t, func(d *desk) {
			d.is(d.approve(d.start(limited())), task.Done)
			within(2 * time.Minute)
		})
	})
}
