package controller_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

const stuck = "nothing happened"

func retry(covers int, steps ...string) string {
	return fmt.Sprintf(`{"action":"retry","reason":"the calendar hides the form","steps":[%s],"covers":%d}`, strings.Join(steps, ","), covers)
}

func skip(covers int) string {
	return fmt.Sprintf(`{"action":"skip","reason":"the page is past this","covers":%d}`, covers)
}

func (d *desk) fails(text string, times int) {
	for range times {
		d.runner.Fail(text, failing("", stuck))
	}
}

// progress notes every progress a task shows.
func (d *desk) progress(id task.ID) []float64 {
	var seen []float64
	for _, e := range d.entries(id, task.EventView) {
		seen = append(seen, e.View.Progress)
	}
	return seen
}

func TestA08_ARescueNeverDropsProgress(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.fails("write the letter", 1)
		d.rescuer.Think(3*time.Second, retry(1, `"close the calendar"`, `"write it in short"`))
		v := d.start(task.StartRequest{Flow: flow(open, write, `"check it"`, tidy)})
		if d.is(v, task.Running); v.Summary != "Step 2 failed; asking the rescuer (1 of 5)." || v.Step.Index != 2 {
			t.Errorf("%q %+v", v.Summary, v.Step)
		}
		hold := d.block("close the calendar")
		within(3 * time.Second)
		v = d.rest(v.ID)
		if v.Step.Index != 2 || v.Step.Intent != "close the calendar" || v.Progress != 0.25 || v.Left.Rescues[0] != 4 {
			t.Errorf("%+v progress %v left %v", v.Step, v.Progress, v.Left.Rescues)
		}
		if r := d.report(v.ID).Rescues; len(r) != 1 || r[0].Outcome != "running" {
			t.Errorf("while it runs: %+v", r)
		}
		close(hold)
		v = d.rest(v.ID)
		if d.is(v, task.Done); v.Progress != 1 || !slices.IsSorted(d.progress(v.ID)) {
			t.Errorf("progress %v", d.progress(v.ID))
		}
		r := d.report(v.ID)
		var paths []string
		for _, s := range r.Steps {
			paths = append(paths, s.Step+" "+s.Text)
		}
		want := []string{"1 https://mail.test", "2 write the letter", "2 close the calendar", "2 write it in short", "4 tidy up"}
		if !slices.Equal(paths, want) || r.Steps[2].StandIn != 1 || r.Steps[3].StandIn != 2 || r.Steps[4].StandIn != 0 {
			t.Errorf("steps %q", paths)
		}
		if got := r.Rescues[0]; got.Step != 2 || got.Failure != stuck || got.Covers != 1 || got.Outcome != "recovered" || string(got.Steps) != `["close the calendar","write it in short"]` {
			t.Errorf("%+v %s", got, got.Steps)
		}
		var said []string
		for _, e := range d.entries(v.ID, task.EventView) {
			said = append(said, e.View.Summary)
		}
		if !slices.Contains(said, "Rescue 1 of 5: the calendar hides the form.") {
			t.Errorf("views said %q", said)
		}
		n := d.entries(v.ID, task.EventRescue)[0].Rescue
		if n.Step != 2 || n.Attempt != 1 || n.Limit != 5 || n.WallMS != 3000 || n.Calls != 1 || n.Outcome != "guided" || n.Steps != 2 || n.Covers != 1 || n.Model != "fake/rescue" || n.SentBytes == 0 {
			t.Errorf("rescue entry %+v", n)
		}
		if r.Spent.ElapsedMS != 3000 {
			t.Errorf("A81: %d ms charged", r.Spent.ElapsedMS)
		}
	})
}

func TestA10_FailedStepIsThatOfTheFlowAsGiven(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.fails("write the letter", 1)
		d.fails("tidy up", 1)
		d.rescuer.Say(retry(0, `"a"`, `"b"`, `"c"`), `{"action":"give_up","reason":"the site is closed"}`)
		v := d.start(task.StartRequest{Flow: flow(open, write, tidy)})
		d.is(v, task.Failed)
		s := v.Status
		if s.Step != 3 || s.Reason != stuck || !s.Recoverable || !strings.Contains(s.Hint, "the site is closed") {
			t.Errorf("A10, A107: %+v", s)
		}
		r := d.report(v.ID).Rescues
		if len(r) != 2 || r[0].Outcome != "recovered" || r[1].Step != 3 || r[1].Outcome != "gave_up" || string(r[1].Steps) != "[]" {
			t.Errorf("%+v", r)
		}
	})
}

// A failure inside guidance can be rescued again, and stays the same step.
func TestA10_ARescueOfARescue(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.fails("write the letter", 1)
		d.fails("b", 1)
		d.rescuer.Say(retry(0, `"a"`, `"b"`, `"c"`), retry(1, `"x"`))
		v := d.start(task.StartRequest{Flow: flow(open, write, tidy)})
		d.is(v, task.Done)
		var texts []string
		for _, s := range d.report(v.ID).Steps {
			texts = append(texts, s.Step+s.Text)
		}
		if want := []string{"1https://mail.test", "2write the letter", "2a", "2b", "2x", "3tidy up"}; !slices.Equal(texts, want) {
			t.Errorf("%q", texts)
		}
		r := d.report(v.ID).Rescues
		if r[0].Outcome != "failed_again" || r[1].Outcome != "recovered" || r[1].Step != 2 || r[1].Covers != 1 {
			t.Errorf("%+v", r)
		}
	})
}

func TestASkip(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.fails("write the letter", 1)
		d.rescuer.Say(skip(1))
		v := d.start(task.StartRequest{Flow: flow(open, write, `"check it"`, tidy)})
		if d.is(v, task.Done); len(d.report(v.ID).Steps) != 3 || d.report(v.ID).Rescues[0].Outcome != "recovered" {
			t.Errorf("%+v", d.report(v.ID).Rescues)
		}
	})
}

func TestA45_AMovedGuardAsksAgain(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		v := d.start(mail())
		d.is(v, task.NeedsApproval)
		d.fails("sending the letter", 1)
		d.rescuer.Say(retry(0, `"open the other dialog"`, `{"stop_before":"sending it from there"}`))
		v = d.approve(v)
		d.is(v, task.NeedsApproval)
		if v.Status.Action != "sending it from there" || v.Step.Index != 3 || d.presses() != 0 {
			t.Fatalf("%+v at %+v, %d presses", v.Status, v.Step, d.presses())
		}
		d.restart()
		v = d.rest(v.ID)
		v = d.approve(v)
		if d.is(v, task.Done); d.presses() != 1 || d.runner.Presses()[0].Phrase != "sending it from there" {
			t.Errorf("%d presses", d.presses())
		}
		last := d.runner.Requests()[len(d.runner.Requests())-1]
		if len(last.Flow.Steps) != 1 || last.Flow.Steps[0].Text != "tidy up" || last.AllowDestructive {
			t.Errorf("the rest ran as %+v", last.Flow.Steps)
		}
		if r := d.report(v.ID).Rescues; len(r) != 1 || r[0].Outcome != "recovered" {
			t.Errorf("%+v", r)
		}
	})
}

// 4.3: once a press was sent nothing retries it, a rescue least of all.
func TestAPressThatWasSentIsNotRescued(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		v := d.start(mail())
		d.runner.Next(pressThenFail(t, stuck))
		v = d.approve(v)
		if d.is(v, task.Failed); len(d.rescuer.Asked()) != 0 {
			t.Error("the rescuer was asked")
		}
	})
}

func TestA60_A62_AWallIsForAPerson(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.fails("write the letter", 2)
		d.runner.Before("write the letter", nil)
		hold := d.block("write the letter")
		v := d.start(mail())
		d.opener.Place("t-1").Show("Please solve the captcha")
		close(hold)
		v = d.rest(v.ID)
		d.is(v, task.NeedsHuman)
		v = d.answer(task.ContinueRequest{ID: v.ID})
		d.is(v, task.NeedsHuman)
		if n := len(d.rescuer.Asked()); n != 0 || v.Left.Rescues[0] != 5 {
			t.Errorf("asked %d times, left %v", n, v.Left.Rescues)
		}
	})
}

func TestA70_TheBriefingHoldsNoValue(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		values := map[string]string{"street": "Elm \"Row\" 4", "password": "hunter2!", "card number": "4242 4242 4242 4242"}
		d.runner.Fail("write to Elm \"Row\" 4", failing("", "Elm \"Row\" 4 was refused with hunter2!"))
		d.runner.Save("the page", "page", "hunter2! 4242-4242-4242-4242 Elm \"Row\" 4")
		hold := d.block("write to Elm \"Row\" 4")
		d.rescuer.Say(`{"action":"give_up","reason":"no"}`)
		v := d.start(task.StartRequest{
			Task: "Log in with hunter2! from Elm \"Row\" 4", Facts: values,
			Flow: flow(`{"read":{"what":"the page","into":"page"}}`, `"write to Elm \"Row\" 4"`, `{"enter":{"p":"${password}"}}`),
		})
		d.opener.Place("t-1").Show("4242 4242", "4242 4242", "Elm \"Row\" 4", "password hunter2!", strings.Repeat("long ", 3000))
		close(hold)
		d.is(d.rest(v.ID), task.Failed)
		said := spoken(d.rescuer.Asked())
		for name, value := range values {
			if strings.Contains(said, value) || strings.Contains(said, strings.Trim(fmt.Sprintf("%q", value), `"`)) {
				t.Errorf("the value of %s is in the briefing", name)
			}
		}
		for _, want := range []string{"‹street›", "${password}", "${card number} (secret)", "<== this step failed", "‹street› was refused with ${password}"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not in the briefing", want)
			}
		}
		if strings.Contains(said, "4242") || strings.Contains(said, "long long") {
			t.Error("a card number over two lines, or the longest line, is in the briefing")
		}
	})
}

func TestA101_A102_A103_A104_A105_BadGuidance(t *testing.T) {
	seven := retry(0, `"1"`, `"2"`, `"3"`, `"4"`, `"5"`, `"6"`, `"7"`)
	hidden := `{"if":{"condition":"a note is in front","then":[{"stop_before":"sending the letter"}]}}`
	loop := `{"repeat_until":{"condition":"it is sent","steps":[{"stop_before":"sending the letter"}]}}`
	for _, row := range []struct {
		name, answer, problem string
		guard                 bool // the failed step is one
	}{
		{"A101 seven steps", seven, "1 to 6 steps, not 7", false},
		{"A101 no steps", retry(0), "1 to 6 steps, not 0", false},
		{"A101 covers past the end", retry(9, `"x"`), "covers is from 0 to 2", false},
		{"A101 covers less than none", skip(-1), "covers is from 0 to 2", false},
		{"A102 covers a hidden guard", retry(1, `"x"`), "GUARD_DROPPED", false},
		{"A102 skips over a hidden guard", skip(1), "GUARD_DROPPED", false},
		{"A103 ends in a loop", retry(0, loop), "NO_GUARD_AT_END", true},
		{"A103 an empty branch", retry(0, hidden), "NO_GUARD_AT_END", true},
		{"A104 skips a guard", skip(0), "never skipped", true},
		{"A104 skips everything", skip(2), "nothing would be left", false},
		{"A105 an unknown name", retry(0, `"go to ${nowhere}"`), "${nowhere} is new", false},
		{"a secret outside enter", retry(0, `"say ${password}"`), "SECRET_OUTSIDE_ENTER", false},
		{"a secret written out", retry(0, `{"enter":{"p":"hunter2!"}}`), "value of a secret", false},
		{"a stand-in", retry(0, `{"enter":{"s":"‹street›"}}`), "write ${street}", false},
		{"a misspelt key", `{"action":"retry","reason":"r","steps":["x"],"cover":1}`, "cover", false},
		{"no reason", `{"action":"skip","covers":0}`, "reason is missing", false},
		{"no JSON", "skip it", "no complete JSON object", false},
		{"a reply of 2 MB", strings.Repeat("x", 2<<20), "at most 1024", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			inModelDesk(t, func(d *desk) {
				steps, failed, good := flow(write, hidden, tidy), "write the letter", retry(0, `"write it in short"`)
				if row.guard {
					steps, failed, good = flow(guard, tidy), "sending the letter", retry(0, `"look again"`, guard)
				}
				d.fails(failed, 1)
				d.rescuer.Say(row.answer, good)
				v := d.start(task.StartRequest{Flow: steps, Facts: map[string]string{"password": "hunter2!", "street": "Elm Row 4"}})
				if s := v.Status.State; s != task.Done && s != task.NeedsApproval {
					t.Fatalf("%+v", v.Status)
				}
				asked := d.rescuer.Asked()
				if len(asked) != 2 {
					t.Fatalf("asked %d times", len(asked))
				}
				if last := asked[1][len(asked[1])-1].Text; !strings.Contains(last, row.problem) {
					t.Errorf("sent back %q, want %q", last, row.problem)
				}
			})
		})
	}
}

func TestA103_AFinalGuardIsValid(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.fails("sending the letter", 1)
		d.rescuer.Say(retry(0, `"look again"`, `{"if":{"condition":"c","then":[{"stop_before":"sending it"}],"else":[{"stop_before":"sending it"}]}}`))
		d.is(d.start(mail()), task.Done) // the fake's if does nothing
		if n := len(d.rescuer.Asked()); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

func TestA106_CoversAreCutDown(t *testing.T) {
	form := `{"enter":{"name":"Jo","city":"Aarhus"}}`
	for covers, earlier := range map[int]string{
		0: `"close the calendar"`, 1: `{"enter":{"City":"Aarhus"}}`,
	} {
		inModelDesk(t, func(d *desk) {
			d.fails("write the letter", 1)
			d.rescuer.Say(retry(2, earlier, `"Write  the LETTER"`))
			v := d.start(task.StartRequest{Flow: flow(write, form, `"check it"`, tidy)})
			if d.is(v, task.Done); d.report(v.ID).Rescues[0].Covers != covers {
				t.Errorf("after %s: %+v", earlier, d.report(v.ID).Rescues[0])
			}
		})
	}
}

func TestA108_A81_ASilentRescuer(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.fails("write the letter", 1)
		d.rescuer.Hang()
		v := d.start(mail())
		within(119 * time.Second)
		d.is(d.rest(v.ID), task.Running)
		within(2 * time.Second)
		v = d.rest(v.ID)
		d.is(v, task.Failed)
		r := d.report(v.ID)
		if r.Rescues[0].Outcome != "gave_up" || !v.Status.Recoverable || v.Status.Reason != stuck || r.Spent.ElapsedMS != 120000 {
			t.Errorf("%+v %+v, %d ms", r.Rescues[0], v.Status, r.Spent.ElapsedMS)
		}
		if n := d.entries(v.ID, task.EventRescue)[0].Rescue; n.Outcome != "timeout" {
			t.Errorf("%+v", n)
		}

		limit := int64(5000) // what is left of the budget, if that is less
		d.fails("write the letter", 1)
		d.rescuer.Hang()
		req := mail()
		req.Budget.MaxElapsedMS = &limit
		v = d.start(req)
		within(6 * time.Second)
		v = d.rest(v.ID)
		if d.is(v, task.Failed); v.Status.Recoverable || !strings.Contains(v.Status.Hint, "budget.max_elapsed_ms") || d.report(v.ID).Spent.ElapsedMS != 5000 {
			t.Errorf("%+v", v.Status)
		}
	})
}

func TestA109_A110_A82_WhoIsNeverRescued(t *testing.T) {
	none, pay := 0, payControl()
	for name, row := range map[string]struct {
		budget task.Budget
		result flows.Result
		state  task.State
	}{
		"A109 no rescues":           {task.Budget{MaxRescues: &none}, failing("", stuck), task.Failed},
		"A110 no browser":           {task.Budget{}, failing(fault.BrowserUnavailable, "BROWSER_UNAVAILABLE: none"), task.Failed},
		"A82 no actions left":       {task.Budget{}, flows.Result{Stop: flows.OutOfAction}, task.Failed},
		"an invalid flow":           {task.Budget{}, flows.Result{Stop: flows.Invalid}, task.Failed},
		"a nested failure":          {task.Budget{}, flows.Result{Failed: "2.1", Reason: stuck}, task.Failed},
		"a lost side":               {task.Budget{}, failing(fault.NoSuchSession, "NO_SUCH_SESSION: gone"), task.Checkpoint},
		"A52 refused for a payment": {task.Budget{}, flows.Result{Refused: &pay, RefusedFor: "payment"}, task.Checkpoint},
	} {
		inModelDesk(t, func(d *desk) {
			d.runner.Fail("write the letter", row.result)
			req := mail()
			req.Budget = row.budget
			v := d.start(req)
			if (name[:3] == "A11" || name[:3] == "A82") && v.Status.Recoverable {
				t.Errorf("%s: it is recoverable", name)
			}
			if v.Status.State != row.state || len(d.rescuer.Asked()) != 0 || d.report(v.ID).Rescues == nil {
				t.Errorf("%s: %+v after %d calls", name, v.Status, len(d.rescuer.Asked()))
			}
		})
	}
}

func TestRescuesAreCountedPerTask(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		two := 2
		d.fails("write the letter", 9)
		d.rescuer.Always(retry(0, write))
		v := d.start(task.StartRequest{Flow: flow(write, tidy), Budget: task.Budget{MaxRescues: &two}})
		if d.is(v, task.Failed); len(d.rescuer.Asked()) != 2 || v.Left.Rescues[0] != 0 || v.Status.Step != 1 || !v.Status.Recoverable {
			t.Errorf("%d calls, %+v", len(d.rescuer.Asked()), v.Status)
		}
		if second := spoken(d.rescuer.Asked()[1:]); !strings.Contains(second, "outcome: failed_again") {
			t.Error("the second is not told of the first")
		}
	})
}

// 10.3, 10.9: thinking ends with the task, and what is left of a rescue is
// taken up where it stood.
func TestARescueIsCancelledAndInterrupted(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.fails("write the letter", 2)
		d.rescuer.Hang()
		v := d.cancel(d.start(mail()).ID, "")
		if d.is(v, task.Cancelled); d.rescuer.Ended() != 1 || d.opener.Place("t-1").Releases() != 1 {
			t.Error("the call goes on, or the browser is held")
		}
		d.rescuer.Hang()
		v = d.start(mail())
		d.restart()
		v = d.rest(v.ID)
		if d.isKind(v, task.CheckpointInterrupted); v.Status.Reason != "interrupted at step 2 of 4" {
			t.Errorf("%q", v.Status.Reason)
		}
		d.is(d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()}), task.NeedsApproval)

		for name, interrupt := range map[string]func(){
			"halt": func() { _, _ = d.Halt(d.t.Context(), true) }, "crash": func() { d.crash(); d.open() },
		} {
			d.fails("write the letter", 1)
			d.rescuer.Say(retry(1, `"a"`, `"b"`))
			d.block("b")
			v = d.start(task.StartRequest{Flow: flow(open, write, `"check it"`, tidy)})
			interrupt()
			d.runner.Before("b", nil)
			v = d.rest(v.ID)
			d.isKind(v, task.CheckpointInterrupted)
			before := len(d.runner.Requests())
			v = d.answer(task.ContinueRequest{ID: v.ID, Approve: yes()})
			d.is(v, task.Done)
			last := d.runner.Requests()[before:]
			if len(last) != 1 || len(last[0].Flow.Steps) != 2 || last[0].Flow.Steps[0].Text != "b" || last[0].Flow.Steps[1].Text != "tidy up" {
				t.Errorf("%s: went on with %+v", name, last)
			}
			if r := d.report(v.ID).Rescues; r[0].Outcome != "recovered" {
				t.Errorf("%s: %+v", name, r)
			}
		}
	})
}

// A browser that dies while the rescuer thinks is lost, not rescued.
func TestASideLostWhileARescuerThinks(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		d.fails("write the letter", 1)
		d.rescuer.Hang()
		v := d.start(mail())
		d.opener.Place("t-1").Die()
		synctest.Wait()
		d.isKind(d.rest(v.ID), task.CheckpointSideLost)
		if d.rescuer.Ended() != 1 {
			t.Error("the call goes on")
		}
	})
}

// 10.5: hints learned before a rescue are used after it, and go out.
func TestLearnedHintsReachTheRescue(t *testing.T) {
	inModelDesk(t, func(d *desk) {
		hint := flows.Hint{App: "browser", StepKey: "a", Role: "button", Name: "A"}
		d.runner.Next(func(_ context.Context, _ *controllertest.Place, _ flows.Request) flows.Result {
			return flows.Result{Stop: flows.StepFailed, Failed: "1", Reason: stuck, Learned: []flows.Hint{hint}}
		})
		d.rescuer.Say(retry(0, `"x"`))
		v := d.start(task.StartRequest{Flow: flow(write, tidy), Memory: []flows.Hint{{App: "given"}}})
		d.is(v, task.Done)
		if m := d.runner.Requests()[1].Memory; len(m) != 2 || m[0].App != "given" || m[1].Name != "A" {
			t.Errorf("memory %+v", m)
		}
		if l := d.report(v.ID).Learned; len(l) != 1 {
			t.Errorf("learned %+v", l)
		}
	})
}
