package controller_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller/chat"
	"countersign/controller/task"
	"countersign/surfaces/fault"
)

const letter = `{"app":"browser","steps":[{"browse":"https://mail.test"},"write the letter",{"stop_before":"sending the letter"}]}`

func spoken(talks [][]chat.Turn) string {
	var b strings.Builder
	for _, turns := range talks {
		for _, turn := range turns {
			b.WriteString(turn.Text + "\n")
		}
	}
	return b.String()
}

func (d *desk) entries(id task.ID, kind task.EventKind) []task.Entry {
	d.t.Helper()
	var found []task.Entry
	for _, e := range d.report(id).Journal {
		if e.Event == kind {
			found = append(found, e)
		}
	}
	return found
}

func TestATextIsPlannedAndRun(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.planner.Think(3*time.Second, letter)
		v, err := d.StartTask(d.t.Context(), task.StartRequest{Task: "Write to Mira"})
		if err != nil || v.Status.State != task.Running || v.Summary != "Planning." {
			t.Fatalf("%+v %v", v, err)
		}
		synctest.Wait()
		if d.opener.Opened() != 0 {
			t.Error("a place was made while planning")
		}
		within(3 * time.Second)
		v = d.rest(v.ID)
		d.is(v, task.NeedsApproval)
		if v.Title != "Write to Mira" || v.Step.Index != 3 {
			t.Errorf("title %q, step %+v", v.Title, v.Step)
		}
		notes := d.entries(v.ID, task.EventPlan)
		if len(notes) != 1 {
			t.Fatalf("%d plan entries", len(notes))
		}
		n := notes[0].Plan
		if !n.OK || n.Calls != 1 || n.WallMS != 3000 || n.Steps != 3 || n.Questions != 0 || n.Model != "fake/plan" || n.SentBytes == 0 || n.Error != "" {
			t.Errorf("plan entry %+v", n)
		}
		r := d.report(v.ID)
		if string(r.Flow) != letter || r.Spent.ElapsedMS != 0 {
			t.Errorf("flow %s, %d ms charged for planning", r.Flow, r.Spent.ElapsedMS)
		}
	})
}

func TestA13_AGivenFlowIsNotPlanned(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.is(d.start(task.StartRequest{Task: "Tidy up", Flow: flow(tidy)}), task.Done)
		if n := len(d.planner.Asked()); n != 0 {
			t.Errorf("the planner was asked %d times", n)
		}
	})
}

func TestA36_PlannerQuestionsAreAskedWithNothingOpen(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.planner.Say(`{"app":"browser","steps":[{"browse":"https://library.test"},{"enter":{"name":"${name}","telephone":"${phone}"}}]}`)
		v := d.start(task.StartRequest{Task: "Join the library", Facts: map[string]string{"name": "Jo Park"}})
		d.is(v, task.NeedsInput)
		if f := v.Status.Fields; len(f) != 1 || f[0].Name != "phone" || f[0].Why != "step 2 needs ${phone}, which was not supplied" {
			t.Errorf("fields %+v", v.Status.Fields)
		}
		if d.opener.Opened() != 0 {
			t.Error("a browser is open")
		}
		d.restart()
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Inputs: map[string]string{"phone": "12345678"}}), task.Done)
		if d.report(v.ID).Journal[1].Plan.Questions != 1 {
			t.Error("the question is not in the journal")
		}
	})
}

func TestA99_PlanFailed(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		bad := `{"app":"browser","steps":[{"clik":"x"}]}`
		d.planner.Say(bad, "no", letter)
		d.is(d.start(task.StartRequest{Task: "Write to Mira"}), task.NeedsApproval)

		d.planner.Say(bad, bad, bad)
		v := d.start(task.StartRequest{Task: "Write to Mira"})
		d.is(v, task.Failed)
		s := v.Status
		if !strings.HasPrefix(s.Reason, "PLAN_FAILED: ") || !strings.Contains(s.Reason, "UNKNOWN_STEP_KIND") || !s.Recoverable || s.Step != 0 || s.Hint != fault.PlanFailed.Hint() {
			t.Errorf("%+v", s)
		}
		if n := d.entries(v.ID, task.EventPlan)[0].Plan; n.OK || n.Calls != 3 || n.Error == "" {
			t.Errorf("plan entry %+v", n)
		}

		d.planner.Fail("the server is down")
		v = d.start(task.StartRequest{Task: "Write to Mira"})
		if d.is(v, task.Failed); !strings.Contains(v.Status.Reason, "the server is down") {
			t.Error(v.Status.Reason)
		}
		d.planner.Refuse(fault.New(fault.DeciderProviderFailed, "out of reach").WithHint("Start the server."))
		v = d.start(task.StartRequest{Task: "Write to Mira"})
		if d.is(v, task.Failed); v.Status.Hint != "Start the server." {
			t.Errorf("the hint is %q", v.Status.Hint)
		}
	})
}

func TestA100_APlannerIsToldNamesOnly(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.planner.Say("no", letter)
		values := map[string]string{"street": "Elm Row 4", "password": "hunter2!", "card number": "4242 4242 4242 4242", "badge": "Zebra-77"}
		d.start(task.StartRequest{
			Task:  "Send it to Elm Row 4, log in with hunter2!, my badge is Zebra-77 and my card 4242-4242-4242-4242",
			Facts: values, SecretFacts: []string{"badge"},
		})
		said := spoken(d.planner.Asked())
		for name, value := range values {
			if strings.Contains(said, value) || strings.Contains(said, "4242-4242") {
				t.Errorf("the value of %s is in the prompt", name)
			}
			if !strings.Contains(said, `"`+name+`"`) {
				t.Errorf("the name %s is not", name)
			}
		}
		if !strings.Contains(said, "Send it to ${street}") {
			t.Error("the task does not use the name")
		}
	})
}

func TestPlanTask(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.planner.Say(`{"app":"browser","steps":[{"browse":"https://shop.test"},{"enter":{"name":"${name}","street":"${street}","card":"${card number}"}},{"stop_before":"paying for the order"}]}`)
		p, err := d.PlanTask(d.t.Context(), task.PlanRequest{Task: "Order two notebooks", FactNames: []string{"name", "card number", "club"}, SecretFacts: []string{"club"}})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Questions) != 1 || p.Questions[0].Name != "street" || len(p.Flow) == 0 {
			t.Errorf("%+v", p)
		}
		if all := strings.Join(p.Notes, " "); !strings.Contains(all, "in front of a payment: paying for the order") || !strings.Contains(all, "fill_then_approve") {
			t.Errorf("notes %q", all)
		}
		if said := spoken(d.planner.Asked()); !strings.Contains(said, `secret details: "card number", "club"`) {
			t.Error("the secret names are not marked")
		}
		if views, _ := d.ListTasks(d.t.Context()); len(views) != 0 || d.store.Commits() != 0 || d.opener.Opened() != 0 {
			t.Error("planning touched something")
		}
		for want, req := range map[fault.Code]task.PlanRequest{
			fault.InvalidRequest: {Task: " "}, fault.UnknownSecret: {Task: "x", SecretFacts: []string{"pin"}},
		} {
			_, err := d.PlanTask(d.t.Context(), req)
			d.refused("PlanTask", err, want)
		}
		_, err = d.PlanTask(d.t.Context(), task.PlanRequest{Task: "x", Surfaces: []string{"phone"}})
		d.refused("an unknown surface", err, fault.InvalidRequest)
		_, err = d.PlanTask(d.t.Context(), task.PlanRequest{Task: "x", FactNames: []string{""}})
		d.refused("an empty name", err, fault.InvalidRequest)
		_, err = d.PlanTask(d.t.Context(), task.PlanRequest{Task: "x"})
		d.refused("a model out of reach", err, fault.PlanFailed)
		d.planner.Hang()
		ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
		defer cancel()
		if _, err = d.PlanTask(ctx, task.PlanRequest{Task: "x"}); err == nil || d.planner.Ended() != 1 {
			t.Errorf("the call did not end with its caller: %v", err)
		}
	})
	inDesk(t, func(d *desk) {
		_, err := d.PlanTask(d.t.Context(), task.PlanRequest{Task: "x"})
		d.refused("no planner", err, fault.PlannerNotConfigured)
	})
}

// 10.3 and 10.9: a planning is cancelled with its call, and done again after
// whatever interrupts it.
func TestPlanningIsCancelledAndInterrupted(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.planner.Hang()
		v := d.cancel(d.start(task.StartRequest{Task: "Write to Mira"}).ID, "")
		if d.is(v, task.Cancelled); d.planner.Ended() != 1 {
			t.Error("the model's call goes on")
		}
		for name, interrupt := range map[string]func(){
			"halt":    func() { _, _ = d.Halt(d.t.Context(), false) },
			"restart": d.restart,
			"crash":   func() { d.crash(); d.open() },
		} {
			d.planner.Hang()
			v = d.start(task.StartRequest{Task: "Write to Mira"})
			interrupt()
			v = d.rest(v.ID)
			if d.isKind(v, task.CheckpointInterrupted); v.Status.Reason != "interrupted while planning" {
				t.Errorf("%s: reason %q", name, v.Status.Reason)
			}
			d.planner.Think(time.Second, letter)
			if v = d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()}); v.Summary != "Planning." {
				t.Errorf("%s: %q", name, v.Summary)
			}
			within(time.Second)
			d.is(d.rest(v.ID), task.NeedsApproval)
		}
	})
}
