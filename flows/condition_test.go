package flows_test

import (
	"slices"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/flowstest"
	"countersign/surfaces/surfacetest"
)

// holding scripts the three answers of a condition.
func (s *stage) holding(holds, negated, top float64) {
	s.d.On("holds", flowstest.P(holds)).On("negated", flowstest.P(negated)).On("coverage", flowstest.Top(top))
}

func TestFL88_EstimateOfACondition(t *testing.T) {
	for _, tt := range []struct {
		name                string
		holds, negated, top float64
		want                string
		stop                flows.Stop
	}{
		{"FL-88 torn and covered", 0.55, 0.5, 0.9, "it holds", flows.Completed},
		{"torn and not covered", 0.55, 0.5, 0.8, "66%", flows.StepFailed},
		{"clear", 0.9, 0.1, 0.6, "it holds", flows.Completed},
		{"clearly not", 0.1, 0.9, 0.1, "10%", flows.StepFailed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			on(t, page(button("Go")), func(s *stage) {
				s.holding(tt.holds, tt.negated, tt.top)
				res := s.run(step(flows.KindVerify, "a button shows"))
				s.wantStop(res, tt.stop)
				if !strings.Contains(res.Steps[0].Note, tt.want) {
					t.Errorf("note %q, want %q", res.Steps[0].Note, tt.want)
				}
			})
		})
	}
	on(t, page(button("Go")), func(s *stage) {
		s.holding(0.55, 0.5, 0.9)
		if got := s.run(step(flows.KindVerify, "a button shows")).Steps[0].Confidence; got != 0.9 {
			t.Errorf("FL-88 judged %v, want 0.90", got)
		}
	})
}

func TestFL89_EmptyResultEndsTheWait(t *testing.T) {
	on(t, page(surfacetest.Text("Sorry, 0 results for rice")), func(s *stage) {
		s.holding(0.1, 0.9, 0)
		res := s.run(step(flows.KindWaitFor, "a list of results shows"))
		s.wantStop(res, flows.StepFailed)
		s.wantNote(res, "0 results")
		if got := len(s.d.Asked("holds")); got != 2 {
			t.Errorf("%d checks, want 2", got)
		}
	})
}

func TestFL90_StillAndLikelyHolds(t *testing.T) {
	on(t, page(surfacetest.Text("a list")), func(s *stage) {
		s.holding(0.7, 0.3, 0.7)
		s.wantOutcome(s.run(step(flows.KindWaitFor, "a list shows")), 0, flows.OutcomeDone)
		if got := len(s.d.Asked("holds")); got != 3 {
			t.Errorf("%d checks, want 3", got)
		}
	})
}

func TestWaitForGivesUpAfterTen(t *testing.T) {
	on(t, page(surfacetest.Text("a list")), func(s *stage) {
		s.holding(0.2, 0.8, 0)
		s.wantStop(s.run(step(flows.KindWaitFor, "a list shows")), flows.StepFailed)
		if got := len(s.d.Asked("holds")); got != 10 {
			t.Errorf("%d checks, want 10", got)
		}
	})
}

func TestFL91_FalseIfIsDone(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.holding(0.1, 0.9, 0)
		res := s.run(flows.Step{Kind: flows.KindIf, Condition: "a dialog shows", Then: []flows.Step{do("close it")}})
		s.wantStop(res, flows.Completed)
		if len(res.Steps) != 1 || res.Steps[0].Outcome != flows.OutcomeDone {
			t.Errorf("reports %+v", res.Steps)
		}
	})
}

func TestFL92_RepeatRunsItsBodyAtMostMax(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.holding(0.1, 0.9, 0)
		s.d.On("done", flowstest.P(1)).On("not_done", flowstest.P(0)).On("progress", flowstest.Top(1))
		res := s.run(flows.Step{Kind: flows.KindRepeatUntil, Condition: "all shows", Steps: []flows.Step{do("show more")}, Max: 2})
		s.wantStop(res, flows.StepFailed)
		var paths []string
		for _, r := range res.Steps {
			paths = append(paths, r.Step)
		}
		if !slices.Equal(paths, []string{"1", "1.1.1", "1.2.1"}) || res.Failed != "1" {
			t.Errorf("reports %v, failed %q", paths, res.Failed)
		}
	})
}

func TestFL115_PathsOfNestedReports(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.req.FirstStep = 4
		// The loop's condition is false twice, the if's true; the child works in
		// the first round and is stuck in the second.
		s.d.On("holds", flowstest.P(0), flowstest.P(1), flowstest.P(0), flowstest.P(1)).On("negated", flowstest.P(1), flowstest.P(0), flowstest.P(1), flowstest.P(0)).
			On("coverage", flowstest.Top(0), flowstest.Top(1), flowstest.Top(0), flowstest.Top(1))
		s.d.On("done", flowstest.P(1), flowstest.P(0)).On("not_done", flowstest.P(0), flowstest.P(1)).On("progress", flowstest.Top(1), flowstest.Top(0)).On("move", flowstest.Key("stuck"))
		res := s.run(flows.Step{Kind: flows.KindRepeatUntil, Condition: "all shows", Max: 3, Steps: []flows.Step{
			{Kind: flows.KindIf, Condition: "more is offered", Then: []flows.Step{do("show more")}},
		}})
		s.wantStop(res, flows.StepFailed)
		if res.Failed != "4.2.1.1" {
			t.Errorf("failed at %q, want step 4, round 2, child 1, its child 1", res.Failed)
		}
		var outcomes []string
		for _, r := range res.Steps {
			outcomes = append(outcomes, r.Step+" "+string(r.Outcome))
		}
		want := []string{"4 failed", "4.1.1 done", "4.1.1.1 already_done", "4.2.1 done", "4.2.1.1 failed"}
		if !slices.Equal(outcomes, want) {
			t.Errorf("reports %v, want %v", outcomes, want)
		}
	})
}

func TestFL120_NothingPrivateIsLearned(t *testing.T) {
	field := surfacetest.Field("Account number")
	on(t, page(field, button("Go 12345678"), dead("Delete it"), button("Fine")), func(s *stage) {
		s.with(map[string]string{"account number": "12345678"})
		s.d.On("slot_1", flowstest.Pick("Account number", 0.9)).On("target", flowstest.Pick("Go ${account number}", 0.9), flowstest.Pick("Fine", 0.9), flowstest.Pick("Delete it", 0.9))
		s.d.On("done", flowstest.P(0), flowstest.P(1), flowstest.P(0), flowstest.P(1), flowstest.P(0)).On("not_done", flowstest.P(1), flowstest.P(0), flowstest.P(1), flowstest.P(0), flowstest.P(1)).
			On("progress", flowstest.Top(0), flowstest.Top(1), flowstest.Top(0), flowstest.Top(1), flowstest.Top(0))
		res := s.run(enter("account number", "${account number}"), do("go on"), do("be fine"), do("tidy up"))
		s.wantStop(res, flows.StepFailed)
		var names []string
		for _, h := range res.Learned {
			names = append(names, h.Name)
		}
		if !slices.Equal(names, []string{"Account number", "Fine"}) || strings.Contains(dump(res.Learned), "12345678") {
			t.Errorf("learned %v", names)
		}
	})
}

func TestObserverHearsStartedActedEnded(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.d.On("target", flowstest.Pick("Go", 0.9)).On("done", flowstest.P(0), flowstest.P(1)).On("not_done", flowstest.P(1), flowstest.P(0)).On("progress", flowstest.Top(0), flowstest.Top(1))
		s.run(do("go on"))
		var heard []string
		for _, r := range s.told.steps {
			heard = append(heard, string(r.Outcome))
		}
		if !slices.Equal(heard, []string{"running", "running", "running", "done"}) { // started, launched, clicked, ended
			t.Errorf("heard %v", heard)
		}
		last := s.told.steps[3]
		if len(last.Actions) != 2 || !strings.Contains(last.Actions[1].Change, "other text is shown") || last.Actions[1].Target.Name != "Go" {
			t.Errorf("actions %+v", last.Actions)
		}
		seen := s.told.seen[len(s.told.seen)-1]
		if seen.Window != "A page" || !slices.Contains(seen.Lines, "pressed Go") || !slices.Contains(seen.Lines, `button "Go"`) {
			t.Errorf("seen %+v", seen)
		}
	})
}
