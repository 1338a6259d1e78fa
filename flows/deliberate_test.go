package flows_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/flows/flowstest"
	"countersign/surfaces/surfacetest"
)

// once presses one control and then gives up.
func once(q decider.Question, st decider.State) (decider.Answer, bool) {
	if strings.Contains(strings.Join(st.VisibleText, "\n"), "pressed") {
		return flowstest.Key("stuck")(q, st)
	}
	return flowstest.Key("activate")(q, st)
}

// closely has the decider vote and spread its answer to target.
func closely(s *stage, shares map[string]float64) {
	s.d.Votes = true
	s.d.On("target", flowstest.Spread(shares)).On("move", once)
}

// asked counts how often a question was put, framings too.
func (s *stage) asked(id string) int { return len(s.d.Asked(id)) }

func (s *stage) wantAsked(want int, ids ...string) {
	s.Helper()
	for _, id := range ids {
		if got := s.asked(id); got != want {
			s.Errorf("%s was asked %d times, want %d", id, got, want)
		}
	}
}

func TestFL101_ClearEvidenceIsActedOn(t *testing.T) {
	on(t, page(button("One"), button("Two"), button("Three")), func(s *stage) {
		s.d.Votes = true
		dissent := flowstest.Spread(map[string]float64{"Two": 0.6, "One": 0.3})
		s.d.On("target", dissent, flowstest.Spread(map[string]float64{"One": 0.85, "Two": 0.1})).On("move", once)
		s.run(do("go on"))
		s.wantClicks(`button "One"`, 1)
		s.wantAsked(7, "target")
		s.wantAsked(0, "duel_", "again", "confirm")
	})
}

func TestFL102_TwinsTakeTheUnusedFramingsThenADuel(t *testing.T) {
	on(t, page(button("One"), button("Two"), button("Three")), func(s *stage) {
		closely(s, map[string]float64{"One": 0.45, "Two": 0.44, "Three": 0.02})
		s.req.Deliberation = "standard"
		order := ""
		s.d.On("duel_*", flowstest.Pick("Two", 0.8))
		res := s.run(do("go on"))
		s.wantClicks(`button "Two"`, 1)
		s.wantAsked(9, "target")
		framings := 0
		for _, req := range s.d.Requests() {
			if _, ok := req.Questions["target"]; ok {
				framings++
			} else if _, ok := req.Questions["duel_0_1"]; ok && framings != 9 {
				s.Errorf("the duel came after %d framings", framings)
			}
		}
		s.wantAsked(7, "duel_0_1", "duel_1_0")
		s.wantAsked(14, "duel_") // Three is no finalist
		for _, id := range []string{"duel_0_1", "duel_1_0"} {
			order += s.d.Asked(id)[0].Options[0].Name + " "
		}
		if order != "One Two " && order != "Two One " {
			s.Errorf("led by %s, want both orders", order)
		}
		if !slices.Contains(res.Steps[0].Loops, "duel") {
			s.Errorf("loops %v", res.Steps[0].Loops)
		}
		s.wantAsked(0, "is_", "only_near_")
	})
}

func TestFL103_InconclusivePressesTheBestRanked(t *testing.T) {
	for _, tt := range []struct {
		name       string
		is, near   map[string]float64
		want       string
		runnersUp  bool
		deliberate string
	}{
		{"nothing settles it", map[string]float64{"is_0": 0.6, "is_1": 0.5}, map[string]float64{"only_near_0": 0.4, "only_near_1": 0.5}, "One", true, "deep"},
		{"the contrast settles it", map[string]float64{"is_0": 0.3, "is_1": 0.9}, map[string]float64{"only_near_0": 0.7, "only_near_1": 0.1}, "Two", false, "deep"},
		{"no contrast at standard", map[string]float64{"is_0": 0.3, "is_1": 0.9}, map[string]float64{"only_near_0": 0.7, "only_near_1": 0.1}, "One", true, "standard"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			on(t, page(button("One"), button("Two"), button("Three")), func(s *stage) {
				closely(s, map[string]float64{"One": 0.45, "Two": 0.44})
				s.req.Deliberation = tt.deliberate
				s.d.On("duel_*", flowstest.Spread(map[string]float64{"One": 0.5, "Two": 0.5}))
				for id, p := range tt.is {
					s.d.On(id, flowstest.P(p))
				}
				for id, p := range tt.near {
					s.d.On(id, flowstest.P(p))
				}
				s.run(do("go on"))
				s.wantClicks(fmt.Sprintf("button %q", tt.want), 1)
				all := s.d.Requests()
				kept := strings.Contains(strings.Join(all[len(all)-1].State.RecentActions, "\n"), `unsure whether not button "Two"`)
				if kept != tt.runnersUp {
					s.Errorf("the history %q keeps the runner-up: %v, want %v", all[len(all)-1].State.RecentActions, kept, tt.runnersUp)
				}
				if contrasted := s.asked("is_") > 0; contrasted != (tt.deliberate == "deep") {
					s.Errorf("contrasted: %v", contrasted)
				}
			})
		})
	}
}

func TestAbstainedPressesNothing(t *testing.T) {
	on(t, page(button("One"), button("Two")), func(s *stage) {
		s.d.Votes = true
		s.d.On("target", func(q decider.Question, st decider.State) (decider.Answer, bool) {
			a, _ := flowstest.Spread(map[string]float64{"One": 0.3, "Two": 0.2})(q, st)
			a.Choice, a.Probabilities[decider.None] = decider.None, 0.5
			return a, true
		}).On("move", flowstest.Key("activate"))
		s.run(do("go on"))
		s.wantClicks("", 0)
		s.wantAsked(0, "duel_", "is_")
	})
}

// condition answers a condition so that its estimate is p, and the two views
// with theirs.
func condition(s *stage, p, screenOnly, changesOnly float64) {
	estimate := func(q decider.Question) float64 {
		switch {
		case strings.Contains(q.Instructions, "by the screen alone"):
			return screenOnly
		case strings.Contains(q.Instructions, "Only what changed"):
			return changesOnly
		}
		return p
	}
	s.d.Votes = true
	s.d.On("holds", func(q decider.Question, st decider.State) (decider.Answer, bool) {
		return flowstest.P(estimate(q))(q, st)
	})
	s.d.On("negated", func(q decider.Question, st decider.State) (decider.Answer, bool) {
		return flowstest.P(1-estimate(q))(q, st)
	})
	s.d.On("coverage", func(q decider.Question, st decider.State) (decider.Answer, bool) {
		return flowstest.Top(estimate(q))(q, st)
	})
}

func TestFL104_ViewsAreCombinedByTheirMedian(t *testing.T) {
	for _, tt := range []struct {
		p, screenOnly, changesOnly float64
		level                      string
		want                       float64 // 0: it does not hold
		calls                      int
	}{
		{0.8, 0.2, 0.9, "deep", 0.8, 9 + 14},
		{0.8, 0.2, 0.3, "deep", 0, 9 + 14},
		{0.7, 0.9, 0.9, "deep", 0, 9}, // a view rescues nothing
		{0.8, 0.2, 0.3, "standard", 0.8, 9},
		{0.8, 0.2, 0.3, "off", 0.8, 7},
		{0.9, 0.2, 0.3, "deep", 0.9, 7}, // far enough from the bar
	} {
		t.Run(fmt.Sprint(tt.p, tt.screenOnly, tt.changesOnly, tt.level), func(t *testing.T) {
			on(t, page(button("Go")), func(s *stage) {
				condition(s, tt.p, tt.screenOnly, tt.changesOnly)
				s.req.Deliberation = tt.level
				res := s.run(step(flows.KindVerify, "a button shows"))
				if tt.want == 0 {
					s.wantOutcome(res, 0, flows.OutcomeFailed)
				} else {
					s.wantOutcome(res, 0, flows.OutcomeDone)
					if got := res.Steps[0].Confidence; got < tt.want-1e-6 || got > tt.want+1e-6 {
						s.Errorf("confidence %v, want %v", got, tt.want)
					}
				}
				if res.Calls != tt.calls {
					s.Errorf("%d calls, want %d", res.Calls, tt.calls)
				}
			})
		})
	}
}

// TestViewsLeaveOutWhatTheySay: one knows nothing of what was done, the other
// only what is new since the step began.
func TestViewsLeaveOutWhatTheySay(t *testing.T) {
	on(t, page(button("Go"), surfacetest.Text("old line")), func(s *stage) {
		s.d.Votes, s.req.Votes = true, 1
		s.d.On("target", flowstest.Pick("Go", 0.95)).On("move", flowstest.Key("activate"))
		s.d.On("not_done", flowstest.P(1), flowstest.P(0.2)).On("done", flowstest.P(0), flowstest.P(0.8)).On("progress", flowstest.Top(0), flowstest.Top(0.8))
		s.wantOutcome(s.run(do("go on")), 0, flows.OutcomeDone)
		views := 0
		for _, req := range s.d.Requests() {
			q, ok := req.Questions["done"]
			shown := strings.Join(append(slices.Clone(req.State.VisibleText), req.State.Elements...), "\n")
			switch {
			case ok && strings.Contains(q.Instructions, "by the screen alone"):
				views++
				if len(req.State.RecentActions) > 0 || req.State.Last != nil || !strings.Contains(shown, "old line") {
					s.Errorf("the view of the screen knows %q and shows %q", req.State.RecentActions, shown)
				}
			case ok && strings.Contains(q.Instructions, "Only what changed"):
				views++
				if strings.Contains(shown, "old line") || strings.Contains(shown, `"Go"`) || !strings.Contains(shown, "pressed Go") || len(req.State.RecentActions) == 0 {
					s.Errorf("the view of the changes shows %q after %q", shown, req.State.RecentActions)
				}
			}
		}
		if views != 2 {
			s.Errorf("%d views, want 2", views)
		}
	})
}

func TestFL108_ClearEvidenceCostsNothingMore(t *testing.T) {
	calls := map[string]int{}
	for _, level := range []string{"off", "standard", "deep"} {
		on(t, page(button("Go"), button("Help")), func(s *stage) {
			s.d.Votes = true
			s.req.Deliberation = level
			seen := func(yes, no float64) flowstest.Reply {
				return func(q decider.Question, st decider.State) (decider.Answer, bool) {
					p := no
					if strings.Contains(strings.Join(st.VisibleText, "\n"), "pressed Go") {
						p = yes
					}
					if q.Type == decider.Score {
						return flowstest.Top(p)(q, st)
					}
					return flowstest.P(p)(q, st)
				}
			}
			s.d.On("target", flowstest.Pick("Go", 0.97)).On("move", flowstest.Key("activate")).On("done", seen(0.98, 0.02)).On("not_done", seen(0.02, 0.98)).On("progress", seen(0.98, 0.02))
			s.d.On("holds", seen(0.98, 0.02)).On("negated", seen(0.02, 0.98)).On("coverage", seen(0.98, 0.02))
			res := s.run(do("go on"), step(flows.KindVerify, "it went on"))
			s.wantStop(res, flows.Completed)
			calls[level] = res.Calls
		})
	}
	if calls["off"] == 0 || calls["off"] != calls["standard"] || calls["off"] != calls["deep"] {
		t.Errorf("calls %v, want the same on every level", calls)
	}
}

func TestFL95_APressForGoodIsVouchedFor(t *testing.T) {
	for _, tt := range []struct {
		name         string
		belief, is   float64
		level        string
		votes        bool
		asked, press int
	}{
		{"short of the bar and vouched at 0.8", 0.7, 0.8, "deep", true, 9, 0},
		{"the same without framings", 0.7, 0.8, "deep", false, 1, 0},
		{"vouched at 0.85", 0.7, 0.85, "", true, 9, 1},
		{"sure enough", 0.85, 0, "deep", true, 0, 1},
		{"standard asks for no more than to find it", 0.7, 0, "standard", true, 0, 1},
		{"off does neither", 0.7, 0, "off", true, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			on(t, page(button("Send"), button("Help")), func(s *stage) {
				s.d.Votes, s.req.AllowDestructive, s.req.Deliberation = tt.votes, true, tt.level
				s.d.On("target", flowstest.Pick("Send", tt.belief)).On("is_0", flowstest.P(tt.is)).On("only_near_0", flowstest.P(1-tt.is)).On("holds", flowstest.P(1))
				res := s.run(step(flows.KindStopBefore, "sending the letter"))
				s.wantClicks(`button "Send"`, tt.press)
				s.wantAsked(tt.asked, "is_0", "only_near_0")
				if tt.press == 0 {
					s.wantStop(res, flows.StepFailed)
					s.wantNote(res, `too unsure to press button "Send" for good`)
				}
			})
		})
	}
	// A signature under this very control settles it.
	on(t, page(button("Send"), button("Help")), func(s *stage) {
		s.d.Votes = true
		s.d.On("target", flowstest.Pick("Send", 0.7)).On("holds", flowstest.P(1))
		guard := step(flows.KindStopBefore, "sending the letter")
		s.req.Approved, s.req.AllowDestructive = s.run(guard).Pending, true
		s.run(guard)
		s.wantClicks(`button "Send"`, 1)
		s.wantAsked(0, "is_0")
	})
	// Without permission nothing is pressed, so nothing has to be vouched for.
	on(t, page(button("Send"), button("Help")), func(s *stage) {
		s.d.Votes = true
		s.d.On("target", flowstest.Pick("Send", 0.7))
		s.wantStop(s.run(step(flows.KindStopBefore, "sending the letter")), flows.Stopped)
		s.wantAsked(0, "is_0")
	})
}

// TestAGuardIsFoundOrNot: what cannot be taken back is never the best of a bad
// lot.
func TestAGuardIsFoundOrNot(t *testing.T) {
	on(t, page(button("Send"), button("Forward")), func(s *stage) {
		s.d.Votes = true
		s.d.On("target", flowstest.Spread(map[string]float64{"Send": 0.45, "Forward": 0.4})).On("duel_*", flowstest.Spread(map[string]float64{"Send": 0.5, "Forward": 0.5}))
		res := s.run(step(flows.KindStopBefore, "sending the letter"))
		s.wantStop(res, flows.StepFailed)
		s.wantNote(res, "no control for")
	})
}

// TestTheLadderEndsWithTheBudget: short of calls, what there is decides.
func TestTheLadderEndsWithTheBudget(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		condition(s, 0.8, 0.1, 0.1)
		s.req.MaxModelCalls = 8
		res := s.run(step(flows.KindVerify, "a button shows"))
		s.wantStop(res, flows.Completed)
		if res.Calls != 8 {
			s.Errorf("%d calls, want all 8", res.Calls)
		}
	})
}

// TestWhatGainsNothingFromFramingsIsAskedOnce: the ladder has no rung for the
// embedded decider, and the plain bars stay.
func TestWhatGainsNothingFromFramingsIsAskedOnce(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		condition(s, 0.76, 0.1, 0.1)
		s.d.Votes = false
		res := s.run(step(flows.KindVerify, "a button shows"))
		s.wantOutcome(res, 0, flows.OutcomeDone)
		if res.Calls != 1 {
			s.Errorf("%d calls, want 1", res.Calls)
		}
	})
}
