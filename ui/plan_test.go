package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/ui/uitest"
)

// plans opens the composer on a desk with a planner and has wanted planned.
func plans(b bench) {
	b.Keys("n")
	b.Type(wanted)
	b.Keys("enter")
}

func TestATaskInWordsIsPlannedShownAndStarted(t *testing.T) {
	at(t, "planner", usual, func(b bench) {
		plans(b)
		if got := b.desk.Plans(); len(got) != 1 || got[0].Task != wanted {
			t.Fatalf("planned %+v", got)
		}
		for _, want := range []string{"8     stop_before  sending the list", "asks for  e-mail", "note      It ends in front of"} {
			b.MustShow(want)
		}
		b.Keys("enter")
		b.Type("noa@postbox.example")
		b.Keys("enter")
		if n := len(b.desk.Starts()); n != 0 {
			t.Fatalf("%d started before every value was given", n)
		}
		b.Keys("enter")
		got := b.desk.Starts()
		if len(got) != 1 || got[0].Task != wanted || got[0].Facts["e-mail"] != "noa@postbox.example" {
			t.Fatalf("started %+v:\n%s", got, b.Frame())
		}
		if !strings.Contains(string(got[0].Flow), "Innsbruck") {
			t.Errorf("the flow is %s", got[0].Flow)
		}
		b.MustShow("t-1 started")
	})
}

func TestAPlanIsEditedAndCheckedAtEachKey(t *testing.T) {
	at(t, "planner", usual, func(b bench) {
		plans(b)
		b.Keys("e", "down", "down", "down", "down", "end", "backspace")
		b.MustShow("line 6")
		b.Keys("ctrl+s")
		b.MustShow("correct it first")
		b.Type(",")
		b.MustShow("9 steps, no errors")
		b.Keys("enter")
		b.Type(`"close the notice",`)
		b.MustShow("10 steps, no errors")
		b.Keys("esc")
		b.MustShow("close the notice")
		b.Keys("e", "ctrl+s")
		b.MustShow("e-mail")
		b.Type("noa@postbox.example")
		b.Keys("enter", "enter")
		if got := b.desk.Starts(); len(got) != 1 || !strings.Contains(string(got[0].Flow), `"close the notice"`) {
			t.Errorf("started %+v:\n%s", got, b.Frame())
		}
	})
}

func TestPlanningIsStoppedByEsc(t *testing.T) {
	at(t, "planner", usual, func(b bench) {
		ended := 0
		hang := b.desk.OnPlan
		b.desk.OnPlan = func(ctx context.Context, req task.PlanRequest) (task.Plan, error) {
			defer func() { ended++ }()
			return hang(ctx, req)
		}
		b.Keys("n")
		b.Type("Wait forever")
		b.Keys("enter", "x")
		b.MustShow("Planning …")
		if ended != 0 {
			t.Fatal("it ended by itself")
		}
		b.Keys("esc")
		b.MustShow("› Wait forever")
		b.MustShow("stopped: nothing was planned")
		if ended != 1 || b.Shows("PLAN_FAILED") {
			t.Errorf("%d plannings ended:\n%s", ended, b.Frame())
		}
	})
}

func TestNothingTypedIsLostWhenPlanningFails(t *testing.T) {
	at(t, "planner", usual, func(b bench) {
		b.Keys("n")
		b.Type("Fly to the moon")
		b.Keys("enter")
		for _, want := range []string{"PLAN_FAILED", "UNKNOWN_STEP_KIND", "Word the task differently", "› Fly to the moon"} {
			b.MustShow(want)
		}
		if len(b.desk.Starts()) != 0 {
			t.Error("it started")
		}
	})
}

func TestADiscardedPlanComesBackWithItsWords(t *testing.T) {
	at(t, "planner", usual, func(b bench) {
		plans(b)
		b.Keys("enter")
		b.Type("noa@postbox.example")
		b.Keys("esc", "esc", "enter")
		if n := len(b.desk.Plans()); n != 1 {
			t.Errorf("%d plannings for the same words", n)
		}
		b.Keys("enter")
		b.MustShow("noa@postbox.example")
		b.Keys("esc", "r")
		if n := len(b.desk.Plans()); n != 2 {
			t.Errorf("%d plannings, want another one", n)
		}
		b.Keys("esc")
		b.Type(" please")
		b.Keys("enter")
		if got := b.desk.Plans(); len(got) != 3 || got[2].Task != wanted+" please" {
			t.Errorf("planned %+v", got)
		}
	})
}

func TestWithoutAPlannerWordsAreRefusedPlainly(t *testing.T) {
	at(t, "empty", usual, func(b bench) {
		plans(b)
		b.MustShow("needs a planner, and none is")
		if len(b.desk.Plans()) != 0 {
			t.Error("a planner was asked")
		}
		b.MustShow("› " + wanted[:40])
	})
}

// A plan's text is foreign: it is shown cleaned and never moves the screen.
func TestAPlanCannotWriteOnTheScreen(t *testing.T) {
	at(t, "planner", usual, func(b bench) {
		b.desk.OnPlan = func(context.Context, task.PlanRequest) (task.Plan, error) {
			return task.Plan{
				Flow:  []byte(`{"app":"browser","steps":[{"browse":"http://a.test"},"press \u001b[2J\u202eevil"]}`),
				Notes: []string{"\x1b]52;c;eA==\a a note"},
			}, nil
		}
		plans(b)
		for range 2 {
			checkFrame(t, "plan", b, usual)
			if shown := b.Model.View(); strings.ContainsAny(shown, "\x1b\a\u202e") {
				t.Errorf("the plan got through:\n%q", shown)
			}
			b.Keys("e")
		}
	})
}

func TestPlannedFlowIsRight(t *testing.T) {
	if c := checkFlow(task.StartRequest{Flow: []byte(uitest.Planned)}); len(c.Errors) > 0 {
		t.Errorf("%+v", c.Errors)
	}
}

// A slow line delivers letters together; a word that is also the name of a key
// stays a word.
func TestLettersThatSpellAKeyAreText(t *testing.T) {
	at(t, "planner", usual, func(b bench) {
		b.Keys("n")
		for _, word := range []string{"look", " ", "up", " ", "enter", " ", "tab", " ", "esc", " ", "ctrl+c"} {
			b.Send(uitest.Letters(word))
		}
		b.MustShow("› look up enter tab esc ctrl+c")
		if b.Quit || len(b.desk.Plans()) != 0 {
			t.Error("a word was taken for a key")
		}
	})
	at(t, "demo", usual, func(b bench) {
		b.Keys("j", "j", "j", "enter")
		b.Wait(3 * time.Second)
		b.Type("sign")
		b.Wait(3 * time.Second)
		b.Send(uitest.Letters("enter"))
		b.MustShow("› sign ")
		if n := len(b.desk.Answers()); n != 0 {
			t.Errorf("%d answers", n)
		}
	})
}
