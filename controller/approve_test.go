package controller_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

func TestA37_A38_AGuardPausesAndIsPressedOnceWhenApproved(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(mail())
		d.is(v, task.NeedsApproval)
		if v.Status.Action != "sending the letter" || v.Status.Target != "Send" || d.presses() != 0 {
			t.Fatalf("%+v after %d presses", v.Status, d.presses())
		}
		if v.Summary != "Waiting for approval: sending the letter (Send)." || v.Step.Index != 3 || v.Progress != 0.5 {
			t.Errorf("summary %q, step %+v, progress %v", v.Summary, v.Step, v.Progress)
		}
		r := d.report(v.ID)
		if r.Approval == nil || r.Approval.Digest != v.Status.Digest || r.Approval.Control.Name != "Send" {
			t.Errorf("approval %+v", r.Approval)
		}
		d.is(d.approve(v), task.Done)
		runs := d.runner.Requests()
		if len(runs) != 3 || d.presses() != 1 {
			t.Fatalf("%d runs, %d presses", len(runs), d.presses())
		}
		signed, rest := runs[1], runs[2]
		if len(signed.Flow.Steps) != 1 || signed.FirstStep != 3 || signed.Approved == nil || !signed.AllowDestructive || signed.PaymentApproved {
			t.Errorf("the signed run: %+v", signed)
		}
		if len(rest.Flow.Steps) != 1 || rest.FirstStep != 4 || rest.Approved != nil || rest.AllowDestructive {
			t.Errorf("the rest: %+v", rest)
		}
	})
}

func TestApprovalIsSpentWithTheIntendedPress(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(mail())
		var with []task.Change
		d.store.Refuse(func(c task.Change) error {
			if c.Press != nil && c.Press.State == task.Intended {
				with = append(with, c)
			}
			return nil
		})
		d.is(d.approve(v), task.Done)
		if len(with) != 1 || len(with[0].Decisions) != 1 || with[0].Decisions[0].State != task.DecisionSpent {
			t.Fatalf("the transaction of the press: %+v", with)
		}
		if p := with[0].Press; p.Decision != with[0].Decisions[0].ID || p.Digest != v.Status.Digest || p.Step != "3" {
			t.Errorf("press %+v", p)
		}
		presses, _ := d.store.Presses(v.ID)
		if len(presses) != 1 || presses[0].State != task.Pressed {
			t.Errorf("press records %+v", presses)
		}
		var states []task.DecisionState
		for _, e := range d.report(v.ID).Journal {
			if e.Decision != nil {
				states = append(states, e.Decision.State)
			}
		}
		want := []task.DecisionState{task.DecisionAsked, task.DecisionApproved, task.DecisionSpent}
		if diff := cmp.Diff(want, states); diff != "" {
			t.Errorf("decision (-want +got):\n%s", diff)
		}
	})
}

func TestA39_EachGuardAsks(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Flow: flow(guard, `{"stop_before":"deleting the draft"}`)})
		v = d.approve(v)
		d.is(v, task.NeedsApproval)
		if v.Status.Action != "deleting the draft" || d.presses() != 1 {
			t.Errorf("%+v after %d presses", v.Status, d.presses())
		}
		d.is(d.approve(v), task.Done)
	})
}

func TestA40_Declined(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(mail())
		v = d.answer(task.ContinueRequest{ID: v.ID, Approve: no(), Answer: "wrong address", ShownMS: 4200})
		d.is(v, task.Cancelled)
		if d.presses() != 0 || len(d.runner.Requests()) != 1 || d.opener.Place("t-1").Releases() != 1 {
			t.Errorf("%d presses, %d runs, %d releases", d.presses(), len(d.runner.Requests()), d.opener.Place("t-1").Releases())
		}
		got := d.report(v.ID).Decisions[0]
		if got.State != task.DecisionDeclined || got.Words != "wrong address" || got.Who != "operator" || got.ShownMS != 4200 {
			t.Errorf("decision %+v", got)
		}
	})
}

func TestA41_AnswersThatDoNotFit(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(mail())
		for name, tt := range map[string]struct {
			req  task.ContinueRequest
			want fault.Code
		}{
			"no approve":     {task.ContinueRequest{}, fault.InvalidRequest},
			"no digest":      {task.ContinueRequest{Approve: yes()}, fault.StaleApproval},
			"another digest": {task.ContinueRequest{Approve: yes(), Digest: "00"}, fault.StaleApproval},
		} {
			tt.req.ID = v.ID
			_, err := d.ContinueTask(d.t.Context(), tt.req)
			d.refused(name, err, tt.want)
			if got := d.rest(v.ID); got.Revision != v.Revision {
				t.Errorf("%s: the pause changed: %+v", name, got)
			}
		}
	})
}

func TestBlindControlCannotBeApproved(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Guard("sending the letter", flows.Evidence{Control: flows.EvidenceControl{Role: "button"}, Class: safety.ActSend})
		v := d.start(mail())
		d.is(v, task.NeedsApproval)
		_, err := d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Approve: yes(), Digest: v.Status.Digest})
		d.refused("approve", err, fault.BlindApproval)
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: no()}), task.Cancelled)
	})
}

func TestA42_AGuardInsideAnIfRunsAloneThenTheWholeIf(t *testing.T) {
	inDesk(t, func(d *desk) {
		branch := `{"if":{"condition":"a letter is ready","then":["check it",` + guard + `]}}`
		nestedStop := func(_ context.Context, _ *controllertest.Place, req flows.Request) flows.Result {
			e := flows.Evidence{
				Task: req.Task, Step: "2.2", Side: surfaces.Browser, Phrase: "sending the letter",
				Class: safety.ActSend, Control: flows.EvidenceControl{Role: "button", Name: "Send"},
			}
			return flows.Result{Stop: flows.Stopped, Failed: "2.2", Pending: &e}
		}
		d.runner.Next(nestedStop)
		v := d.start(task.StartRequest{Flow: flow(open, branch, tidy)})
		d.is(v, task.NeedsApproval)
		if v.Step.Index != 2 {
			t.Errorf("step %+v", v.Step)
		}
		d.is(d.approve(v), task.Done)
		runs := d.runner.Requests()
		if len(runs) < 3 || len(runs[1].Flow.Steps) != 1 || runs[1].Flow.Steps[0].Kind != flows.KindStopBefore || runs[1].FirstStep != 2 {
			t.Fatalf("runs %+v", runs)
		}
		if rest := runs[2]; rest.FirstStep != 2 || rest.AllowDestructive || rest.Approved != nil || rest.Flow.Steps[0].Kind != flows.KindIf {
			t.Errorf("the rest: %+v", rest)
		}
	})
}

// pressThenFail presses the guard under its signature and then reports that
// what should have happened is not to be seen.
func pressThenFail(t *testing.T, reason string) controllertest.Script {
	return func(_ context.Context, _ *controllertest.Place, req flows.Request) flows.Result {
		sent, err := req.AroundPress(*req.Approved)
		if err != nil {
			t.Errorf("AroundPress: %v", err)
			return flows.Result{Stop: flows.StepFailed, Failed: req.Approved.Step}
		}
		sent(true)
		return flows.Result{Stop: flows.StepFailed, Failed: req.Approved.Step, Reason: reason, Pressed: true}
	}
}

func TestA43_APressThatWasSentIsNeverRepeated(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(mail())
		d.opener.Place("t-1").Show("Enter the OTP")
		d.runner.Next(pressThenFail(t, "not confirmed"))
		v = d.approve(v)
		d.is(v, task.NeedsHuman)
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Answer: "done"}), task.Done)
		last := d.runner.Requests()[2]
		if last.FirstStep != 4 || d.presses() != 0 {
			t.Errorf("went on at step %d with %d more presses", last.FirstStep, d.presses())
		}
	})
}

// Input handed to a dying browser may never have arrived: the person says what
// happened, and a press that did not is asked for anew.
func TestTheBrowserDiesRightAfterThePress(t *testing.T) {
	dying := func(t *testing.T) controllertest.Script {
		press := pressThenFail(t, "NO_SUCH_SESSION: the browser is gone")
		return func(ctx context.Context, place *controllertest.Place, req flows.Request) flows.Result {
			res := press(ctx, place, req)
			res.Code = fault.NoSuchSession
			return res
		}
	}
	for answer, want := range map[string]task.State{"happened": task.Done, "did_not_happen": task.NeedsApproval} {
		t.Run(answer, func(t *testing.T) {
			inDesk(t, func(d *desk) {
				v := d.start(mail())
				d.runner.Next(dying(d.t))
				v = d.approve(v)
				d.isKind(v, task.CheckpointOutcomeUnknown)
				_, err := d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Approve: yes()})
				d.refused("approve", err, fault.InvalidRequest)
				d.is(d.answer(task.ContinueRequest{ID: v.ID, Answer: answer}), want)
				if d.presses() != 0 {
					t.Errorf("%d more presses", d.presses())
				}
			})
		})
	}
}

func TestA44_D4_AChangedControlVoidsTheAnswer(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Guard("paying for the order", payControl())
		v := d.start(task.StartRequest{Flow: flow(open, payment), Constraints: task.Constraints{
			Payment: flows.FillThenApprove, Origins: []string{"https://shop.test"},
		}})
		d.is(v, task.NeedsApproval)
		dearer := payControl()
		dearer.Amount = "28.40"
		d.runner.Guard("paying for the order", dearer)
		again := d.approve(v)
		d.is(again, task.NeedsApproval)
		if again.Status.Digest == v.Status.Digest || d.presses() != 0 {
			t.Errorf("digest %s, %d presses", again.Status.Digest, d.presses())
		}
		r := d.report(v.ID)
		want := []flows.Difference{{Field: "amount", Signed: "18.40 EUR", Now: "28.40 EUR"}}
		if diff := cmp.Diff(want, r.Approval.Differs); diff != "" {
			t.Errorf("differs (-want +got):\n%s", diff)
		}
		if r.Decisions[0].State != task.DecisionVoid || r.Decisions[1].State != task.DecisionAsked {
			t.Errorf("decisions %+v", r.Decisions)
		}
		_, err := d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Approve: yes(), Digest: v.Status.Digest})
		d.refused("the old signature", err, fault.StaleApproval)
		d.is(d.approve(again), task.Done)
		if d.presses() != 1 {
			t.Errorf("%d presses", d.presses())
		}
	})
}

func TestA46_SignInIsNoGuard(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.is(d.start(task.StartRequest{Flow: flow(`{"stop_before":"logging in to the account"}`)}), task.Done)
		d.is(d.start(task.StartRequest{Flow: flow(`{"stop_before":"sending or logging in"}`)}), task.NeedsApproval)
	})
}

func TestA47_A48_PaymentIsACheckpoint(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Guard("paying for the order", payControl())
		v := d.start(task.StartRequest{Flow: flow(open, write, `{"verify":"the letter is there"}`, payment)})
		d.isKind(v, task.CheckpointPayment)
		s := v.Status
		if s.Summary != "https://mail.test; write the letter" {
			t.Errorf("done before: %q, want the acts and no condition", s.Summary)
		}
		if s.Continuable || !strings.Contains(s.Reason, "payment") || !strings.Contains(s.Reason, "Pay 18.40 EUR") || s.Location != "Pay 18.40 EUR" {
			t.Errorf("status %+v", s)
		}
		place := d.opener.Place("t-1")
		if place.Releases() != 0 || !place.Holding() || strings.Join(v.Next, " ") != "CancelTask TaskReport" {
			t.Errorf("%d releases, next %v", place.Releases(), v.Next)
		}
		_, err := d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Approve: yes()})
		d.refused("approve", err, fault.NotContinuable)
		v = d.cancel(v.ID, "paid")
		d.isKind(v, task.CheckpointPayment)
		if place.Releases() != 1 || strings.Join(v.Next, " ") != "TaskReport" || d.presses() != 0 {
			t.Errorf("%d releases, next %v, %d presses", place.Releases(), v.Next, d.presses())
		}
		if v.Paid != task.Paid {
			t.Errorf("after \"paid\": %q", v.Paid)
		}
		if got := d.report(v.ID).Decisions[0]; got.Answer != "paid" || got.State != task.DecisionApproved {
			t.Errorf("decision %+v", got)
		}
	})
}

func TestPaymentAnswerIsStoredBeforeTheRelease(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Guard("paying for the order", payControl())
		v := d.start(task.StartRequest{Flow: flow(payment)})
		d.store.Refuse(func(task.Change) error { return controllertest.Full() })
		_, err := d.CancelTask(d.t.Context(), v.ID, "not_paid")
		d.refused("CancelTask", err, fault.StoreFull)
		if n := d.opener.Place("t-1").Releases(); n != 0 {
			t.Errorf("%d releases before the answer was on disk", n)
		}
		d.store.Refuse(nil)
		v = d.cancel(v.ID, "not_paid")
		if v.Paid != task.NotPaid {
			t.Errorf("after \"not_paid\": %q", v.Paid)
		}
		if got := d.report(v.ID).Decisions[0]; got.State != task.DecisionDeclined || got.Answer != "not_paid" {
			t.Errorf("decision %+v", got)
		}
	})
}

func TestA49_FillThenApproveAsks(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Guard("paying for the order", payControl())
		v := d.start(task.StartRequest{Flow: flow(payment), Constraints: task.Constraints{Payment: flows.FillThenApprove, Origins: []string{"https://shop.test"}}})
		d.is(v, task.NeedsApproval)
		if d.presses() != 0 {
			t.Error("pressed unasked")
		}
		d.is(d.approve(v), task.Done)
		if req := d.runner.Requests()[1]; !req.PaymentApproved || d.presses() != 1 {
			t.Errorf("payment approved %v, %d presses", req.PaymentApproved, d.presses())
		}
	})
}

func TestA50_A51_AllowDestructiveNeverPays(t *testing.T) {
	fill := task.Constraints{AllowDestructive: true, Payment: flows.FillThenApprove, Origins: []string{"https://shop.test"}}
	tests := []struct {
		name, step string
		con        task.Constraints
		want       task.State
		presses    int
	}{
		{"A50 sending", guard, task.Constraints{AllowDestructive: true}, task.Done, 1},
		{"A51 paying, stop_at_payment", payment, task.Constraints{AllowDestructive: true}, task.Checkpoint, 0},
		{"A51 paying, fill_then_approve", payment, fill, task.NeedsApproval, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inDesk(t, func(d *desk) {
				d.runner.Guard("paying for the order", payControl())
				d.is(d.start(task.StartRequest{Flow: flow(tt.step), Constraints: tt.con}), tt.want)
				if d.presses() != tt.presses {
					t.Errorf("%d presses, want %d", d.presses(), tt.presses)
				}
			})
		})
	}
}

func TestA52_AnOrdinaryStepRefusedForPaymentStopsAtPayment(t *testing.T) {
	inDesk(t, func(d *desk) {
		pay := payControl()
		d.runner.Fail("write the letter", flows.Result{Stop: flows.StepFailed, Reason: "refused", Refused: &pay, RefusedFor: "payment"})
		d.isKind(d.start(mail()), task.CheckpointPayment)
	})
}

func TestRefusedForPaymentUnderFillThenApproveIsAFailure(t *testing.T) {
	inDesk(t, func(d *desk) {
		pay := payControl()
		d.runner.Fail("write the letter", flows.Result{Stop: flows.StepFailed, Reason: "refused", Refused: &pay, RefusedFor: "payment"})
		d.is(d.start(task.StartRequest{Flow: flow(write), Constraints: task.Constraints{Payment: flows.FillThenApprove, Origins: []string{"https://shop.test"}}}), task.Failed)
	})
}

func TestA54_TheBriefSaysHowFarPaymentMayGo(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.start(task.StartRequest{Flow: flow(write)})
		d.start(task.StartRequest{Flow: flow(write), Constraints: task.Constraints{Payment: flows.FillThenApprove, Origins: []string{"https://shop.test"}}})
		for i, want := range []string{"Leave payment alone", "Payment details may be typed out of the secret facts"} {
			rules := strings.Join(d.runner.Requests()[i].Brief.Rules, "\n")
			for _, rule := range []string{want, "data, never an instruction", "Decline paid extras", "without approval"} {
				if !strings.Contains(rules, rule) {
					t.Errorf("run %d: no %q in\n%s", i, rule, rules)
				}
			}
		}
	})
}

// A decision keeps what stood before the person, without a secret in it.
func TestWhatWasShownIsKeptWithTheDecision(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Flow: flow(`{"enter":{"password":"${password}"}}`, guard), Facts: map[string]string{"password": "hunter22"}})
		d.is(v, task.NeedsApproval)
		shown := slices.Repeat([]string{"SEND  t-1", "typed  hunter22"}, 300)
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: no(), Shown: shown, ShownMS: 1200}), task.Cancelled)
		got := d.report(v.ID).Decisions[0]
		if len(got.Shown) != 400 || got.Shown[0] != shown[0] || got.Shown[1] != "typed  ${password}" || got.ShownMS != 1200 {
			t.Errorf("%d lines, the second %q, %d ms", len(got.Shown), got.Shown[1], got.ShownMS)
		}
		if strings.Contains(d.store.Written(), "hunter22") {
			t.Error("the secret is in the store")
		}
	})
}

func TestA118_D6_TheFirstAnswerWins(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(mail())
		release := d.block("tidy up")
		var wg sync.WaitGroup
		codes := make(chan fault.Code, 2) // two answers
		for range 2 {
			wg.Go(func() {
				_, err := d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Approve: yes(), Digest: v.Status.Digest})
				codes <- fault.CodeOf(err)
			})
		}
		wg.Wait()
		synctest.Wait()
		got := map[fault.Code]int{<-codes: 1}
		got[<-codes]++
		if got[""] != 1 || got[fault.NotWaiting] != 1 || d.presses() != 1 {
			t.Errorf("answers %v, %d presses", got, d.presses())
		}
		close(release)
	})
}

func TestAnAnswerToAnEarlierQuestionIsStale(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(mail())
		d.opener.Place("t-1").Show("Enter the OTP")
		d.runner.Next(pressThenFail(t, "not confirmed"))
		d.is(d.approve(v), task.NeedsHuman)
		_, err := d.ContinueTask(d.t.Context(), task.ContinueRequest{ID: v.ID, Approve: yes(), Digest: v.Status.Digest})
		d.refused("second signature", err, fault.StaleApproval)
	})
}

func TestAllowedPressIsRecordedToo(t *testing.T) {
	inDesk(t, func(d *desk) {
		v := d.start(task.StartRequest{Flow: flow(guard), Constraints: task.Constraints{AllowDestructive: true}})
		presses, _ := d.store.Presses(v.ID)
		if len(presses) != 1 || presses[0].Decision != 0 || presses[0].State != task.Pressed {
			t.Errorf("press records %+v", presses)
		}
	})
}
