package controller_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

// failOn makes a step fail with a screen that shows the lines.
func (d *desk) failOn(text string, lines ...string) {
	d.runner.Next(func(_ context.Context, p *controllertest.Place, req flows.Request) flows.Result {
		p.Show(lines...)
		return d.failAt(req, text, "")
	})
}

// failAt is a run that did every step up to the one with these words.
func (d *desk) failAt(req flows.Request, text, path string) flows.Result {
	for i, s := range req.Flow.Steps {
		number := itoa(max(req.FirstStep, 1) + i)
		rep := flows.StepReport{Step: number, Kind: s.Kind, Text: s.Text, Outcome: flows.OutcomeRunning}
		req.Observer.Step(rep)
		rep.Outcome = flows.OutcomeDone
		if controllertest.Words(s) == text {
			rep.Outcome = flows.OutcomeFailed
			req.Observer.Step(rep)
			if path == "" {
				path = number
			}
			return flows.Result{Stop: flows.StepFailed, Failed: path, Reason: "nothing happened"}
		}
		req.Observer.Step(rep)
	}
	return flows.Result{Stop: flows.Completed}
}

func itoa(n int) string { return string(rune('0' + n)) }

func TestA55_A57_AWallNeedsAPerson(t *testing.T) {
	for line, want := range map[string]string{
		"Verify you are human":                "solve the captcha",
		"Enter the OTP":                       "type the one-time code",
		"Verify your phone":                   "verify the phone",
		"Two-factor authentication":           "finish two-factor sign-in",
		"Sign in to continue":                 "sign in",
		"reCAPTCHA, then sign in to continue": "solve the captcha",
	} {
		t.Run(want+" from "+line, func(t *testing.T) {
			inDesk(t, func(d *desk) {
				d.failOn("write the letter", "Welcome", line)
				v := d.start(mail())
				d.is(v, task.NeedsHuman)
				if v.Status.Reason != want || v.Summary != "A person must "+want+"." || v.Step.Index != 2 {
					t.Errorf("%+v, %q, step %+v", v.Status, v.Summary, v.Step)
				}
			})
		})
	}
}

func TestA56_A63_NoWallIsAFailure(t *testing.T) {
	for name, lines := range map[string][]string{"A56 bare links": {"Log in", "Sign up"}, "A63 nothing observed": nil} {
		t.Run(name, func(t *testing.T) {
			inDesk(t, func(d *desk) {
				d.failOn("write the letter", lines...)
				v := d.start(mail())
				d.is(v, task.Failed)
				if v.Status.Step != 2 || !v.Status.Recoverable || v.Status.Hint == "" || v.Status.Reason != "nothing happened" {
					t.Errorf("%+v", v.Status)
				}
				if d.opener.Place("t-1").Releases() != 1 {
					t.Error("the side is still held")
				}
			})
		})
	}
}

func TestA58_ACaptchaBesideAStepThatSucceedsPausesNothing(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Before("write the letter", func(context.Context) { d.opener.Place("t-1").Show("captcha") })
		d.is(d.start(task.StartRequest{Flow: flow(open, write, tidy)}), task.Done)
	})
}

func TestA59_ANestedFailureIsNoWall(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Next(func(_ context.Context, p *controllertest.Place, req flows.Request) flows.Result {
			p.Show("captcha")
			return d.failAt(req, "a banner is in front", "1.1")
		})
		v := d.start(task.StartRequest{Flow: flow(`{"if":{"condition":"a banner is in front","then":["close it"]}}`)})
		d.is(v, task.Failed)
		if !v.Status.Recoverable || v.Status.Step != 1 {
			t.Errorf("%+v", v.Status)
		}
	})
}

func TestA60_A61_A62_AnyAnswerRunsTheFailedStepAgain(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.failOn("write the letter", "captcha")
		d.failOn("write the letter", "captcha")
		v := d.start(task.StartRequest{Flow: flow(open, write, tidy)})
		d.is(v, task.NeedsHuman)
		v = d.answer(task.ContinueRequest{ID: v.ID, Approve: no()})
		d.is(v, task.NeedsHuman) // A62: the wall is still there
		if v.Left.Rescues[0] != v.Left.Rescues[1] {
			t.Errorf("rescues left %v", v.Left.Rescues)
		}
		v = d.answer(task.ContinueRequest{ID: v.ID, Answer: "done"})
		d.is(v, task.Done)
		for i, req := range d.runner.Requests()[1:] {
			if req.FirstStep != 2 || len(req.Flow.Steps) != 2 {
				t.Errorf("run %d began at step %d of %d", i+2, req.FirstStep, len(req.Flow.Steps))
			}
		}
		if got := d.report(v.ID).Decisions; len(got) != 2 || got[1].Answer != "done" || got[1].Evidence != nil {
			t.Errorf("decisions %+v", got)
		}
	})
}

func TestA136_D9_LookAtAWall(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.failOn("write the letter", "captcha")
		v := d.start(mail())
		d.is(v, task.NeedsHuman)
		for _, tt := range []struct {
			lines []string
			want  task.Wall
		}{{[]string{"Solve the captcha"}, task.WallStillThere}, {[]string{"12 seats"}, task.WallGone}, {nil, task.WallCannotTell}} {
			d.opener.Place("t-1").Show(tt.lines...)
			look, err := d.Look(d.t.Context(), v.ID)
			if err != nil || look.Wall != tt.want {
				t.Errorf("%v: %s %v, want %s", tt.lines, look.Wall, err, tt.want)
			}
			if got := d.rest(v.ID); got.Revision != v.Revision {
				t.Errorf("the look changed the task: %+v", got)
			}
		}
	})
}

func TestLookAtAnApprovalComparesTheEvidence(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Guard("paying for the order", payControl())
		v := d.start(task.StartRequest{Flow: flow(payment), Constraints: task.Constraints{Payment: flows.FillThenApprove, Origins: []string{"https://shop.test"}}})
		look, err := d.Look(d.t.Context(), v.ID)
		if err != nil || look.Evidence == nil || len(look.Differs) != 0 {
			t.Fatalf("%+v %v, want the same evidence", look, err)
		}
		dearer := payControl()
		dearer.Amount = "28.40"
		d.runner.Guard("paying for the order", dearer)
		look, err = d.Look(d.t.Context(), v.ID)
		if err != nil || len(look.Differs) != 1 || look.Differs[0].Field != "amount" || d.presses() != 0 {
			t.Errorf("%+v %v, want the amount to differ", look, err)
		}
	})
}

func TestLookAtAPaymentShowsNoFieldValue(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Guard("paying for the order", payControl())
		v := d.start(task.StartRequest{Flow: flow(payment)})
		d.opener.Place("t-1").Show("Order 12", `textbox "Card number" = "4242 4242 4242 4242"`)
		look, err := d.Look(d.t.Context(), v.ID)
		if err != nil || look.Screen == nil || len(look.Screen.Fields) != 1 {
			t.Fatalf("%+v %v", look, err)
		}
		if strings.Contains(fmt.Sprint(*look.Screen), "4242") {
			t.Errorf("screen %+v", look.Screen)
		}
	})
}

func TestABugInARunFailsItsTaskOnly(t *testing.T) {
	inDesk(t, func(d *desk) {
		was := slog.Default()
		slog.SetDefault(slog.New(slog.DiscardHandler))
		defer slog.SetDefault(was)
		d.runner.Next(func(context.Context, *controllertest.Place, flows.Request) flows.Result { panic("hunter22") })
		v := d.start(mail())
		d.is(v, task.Failed)
		if !strings.HasPrefix(v.Status.Reason, "INTERNAL: ") || strings.Contains(v.Status.Reason, "hunter22") {
			t.Errorf("%+v", v.Status)
		}
		d.is(d.start(mail()), task.NeedsApproval)
	})
}

func TestLookWhileRunningIsRefused(t *testing.T) {
	inDesk(t, func(d *desk) {
		release := d.block("write the letter")
		v := d.start(mail())
		_, err := d.Look(d.t.Context(), v.ID)
		d.refused("Look", err, fault.NotWaiting)
		close(release)
	})
}

func TestA110_ABrowserThatCannotStartFailsAtOnce(t *testing.T) {
	inDesk(t, func(d *desk) {
		d.runner.Next(func(_ context.Context, p *controllertest.Place, _ flows.Request) flows.Result {
			p.Show("captcha")
			return flows.Result{Stop: flows.StepFailed, Failed: "1", Code: fault.BrowserUnavailable, Reason: "BROWSER_UNAVAILABLE: no profile folder", Hint: "Free some space."}
		})
		v := d.start(mail())
		d.is(v, task.Failed)
		if v.Status.Recoverable || !strings.HasPrefix(v.Status.Reason, "BROWSER_UNAVAILABLE: ") || v.Status.Hint != "Free some space." {
			t.Errorf("%+v", v.Status)
		}
	})
}
