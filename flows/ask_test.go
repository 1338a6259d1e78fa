package flows_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/flows/flowstest"
	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/surfacetest"
)

func TestFL25_A98_UnofferedKeyPressesNothing(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.d.On("target", flowstest.Key("99"))
		s.run(do("go on"))
		s.wantClicks("", 0)
	})
}

func TestFL26_VotesAreClampedAndShortOfBudget(t *testing.T) {
	for _, tt := range []struct{ votes, calls, want int }{{20, 0, 9}, {7, 3, 3}, {0, 0, 7}} {
		on(t, page(button("Go")), func(s *stage) {
			s.d.Votes = true
			s.req.Votes, s.req.MaxModelCalls = tt.votes, tt.calls
			s.d.On("holds", flowstest.P(1)).On("negated", flowstest.P(0)).On("coverage", flowstest.Top(1))
			res := s.run(step(flows.KindVerify, "a button shows"))
			s.wantStop(res, flows.Completed)
			if got := len(s.d.Requests()); got != tt.want || res.Calls != tt.want {
				t.Errorf("votes %d with %d calls left: %d framings, %d counted, want %d", tt.votes, tt.calls, got, res.Calls, tt.want)
			}
		})
	}
}

func TestFramingsAgreeOnTheSameControl(t *testing.T) {
	on(t, page(button("One"), button("Two"), button("Three")), func(s *stage) {
		s.d.Votes, s.req.Votes = true, 5
		s.d.On("target", flowstest.Pick("Two", 0.9)).On("move", flowstest.Key("activate"))
		s.req.MaxActions = 2 // the launch and one press
		s.run(do("go on"))
		s.wantClicks(`button "Two"`, 1)
		keys := map[string]bool{}
		for _, q := range s.d.Asked("target") {
			for _, o := range q.Options {
				if o.Name == "Two" {
					keys[o.Key] = true
				}
			}
		}
		if len(keys) < 3 {
			t.Errorf("Two was offered under the keys %v, want it moved about", keys)
		}
	})
}

func TestFL27_BigRequestsAreSplit(t *testing.T) {
	var elements []*surfacetest.Element
	for i := range 300 {
		elements = append(elements, dead(fmt.Sprintf("Control %d %s", i, strings.Repeat("word ", 40))))
	}
	on(t, page(append(elements, button("Go"))...), func(s *stage) {
		s.d.On("group_*", flowstest.Pick("Go", 0.9)).On("target", flowstest.Pick("Go", 0.9)).On("move", flowstest.Key("activate"), flowstest.Key("stuck"))
		s.run(do("go on"))
		s.wantClicks(`button "Go"`, 1)
		parts := 0
		for _, req := range s.d.Requests() {
			b, err := json.Marshal(req)
			if err != nil || len(b) > 48000 {
				t.Errorf("a part of %d bytes, %v", len(b), err)
			}
			for id := range req.Questions {
				if strings.HasPrefix(id, "group_") {
					parts++
					break
				}
			}
		}
		if parts < 2 {
			t.Errorf("the knockout went out in %d parts, want several", parts)
		}
	})
}

func TestFL28_OnlyChoosingIsBriefed(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.req.Brief.Goal = "reach the summit"
		s.d.On("target", flowstest.Pick("Go", 0.5)).On("again", flowstest.Pick("Go", 0.5)).On("confirm", flowstest.P(0.6))
		s.run(do("go on"))
		for id, briefed := range map[string]bool{"done": false, "not_done": false, "progress": false, "blocked": false, "page_kind": false, "target": true, "move": true, "confirm": true} {
			qs := s.d.Asked(id)
			if len(qs) == 0 {
				t.Errorf("%s was never asked", id)
				continue
			}
			if got := strings.Contains(qs[0].Instructions, "reach the summit"); got != briefed {
				t.Errorf("%s carries the brief: %v, want %v", id, got, briefed)
			}
		}
	})
}

func TestFL30_EmbeddedIgnoresOptionOrder(t *testing.T) {
	pick := func(names ...string) string {
		got := ""
		var elements []*surfacetest.Element
		for _, n := range names {
			elements = append(elements, button(n))
		}
		on(t, page(elements...), func(s *stage) {
			s.req.Flow.Steps = []flows.Step{do(`press "Search trains"`)}
			flows.NewRunner(decider.NewEmbedded()).Run(s.Context(), s.fake, s.req)
			for _, a := range s.fake.Acts() {
				if a.Verb == "click" {
					got += a.On
				}
			}
		})
		return got
	}
	a, b := pick("Search trains", "Search", "Help"), pick("Help", "Search", "Search trains")
	if a != b || a != `button "Search trains"` {
		t.Errorf("%q and %q, want the same press", a, b)
	}
}

func TestFL31_CallsRunOutInsideAnIf(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.req.MaxModelCalls = 1
		s.d.On("holds", flowstest.P(1)).On("negated", flowstest.P(0)).On("coverage", flowstest.Top(1))
		res := s.run(flows.Step{Kind: flows.KindIf, Condition: "a button shows", Then: []flows.Step{do("go on")}})
		s.wantStop(res, flows.OutOfCalls)
		if len(res.Steps) != 2 || res.Steps[1].Step != "1.1" || res.Failed != "1.1" {
			t.Errorf("reports %+v, failed %q", res.Steps, res.Failed)
		}
	})
}

func TestFL32_ActionsAreCapped(t *testing.T) {
	n := 0
	more := surfacetest.Button("More", func(a *surfacetest.App) { n++; a.Add(surfacetest.Text(fmt.Sprint("item ", n))) })
	on(t, page(more), func(s *stage) {
		s.req.MaxActions = 500
		s.d.On("target", flowstest.Pick("More", 0.9)).On("done", flowstest.P(1)).On("not_done", flowstest.P(0)).On("progress", flowstest.Top(1))
		var steps []flows.Step
		for range 130 {
			steps = append(steps, do("create one more"))
		}
		res := s.run(steps...)
		s.wantStop(res, flows.OutOfAction)
		if res.Actions != 120 || len(s.fake.Acts()) != 120 {
			t.Errorf("%d actions counted, %d done, want 120", res.Actions, len(s.fake.Acts()))
		}
	})
}

func TestNothingLeftFailsBeforeTheFirst(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.req.MaxActions = -1
		s.wantStop(s.run(do("go on")), flows.OutOfAction)
		s.req.MaxActions, s.req.MaxModelCalls = 0, -1
		s.wantStop(s.run(do("go on")), flows.OutOfCalls)
		if len(s.d.Requests()) != 0 || s.fake.Count("click", "") != 0 {
			t.Error("something was asked or pressed on an empty budget")
		}
	})
}

func TestFL33_DeciderErrorFailsTheStep(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.d.Fail = fault.New(fault.DeciderAuthentication, "the key was refused")
		res := s.run(do("go on"))
		s.wantStop(res, flows.StepFailed)
		if res.Code != fault.DeciderAuthentication || !strings.HasPrefix(res.Reason, "DECIDER_AUTHENTICATION: ") {
			t.Errorf("code %q, reason %q", res.Code, res.Reason)
		}
	})
	on(t, page(button("Go")), func(s *stage) {
		s.req.Flow.Steps = []flows.Step{do("go on")}
		if res := flows.NewRunner(nil).Run(s.Context(), s.fake, s.req); res.Code != fault.DeciderNotConfigured {
			t.Errorf("without a decider: %q", res.Code)
		}
	})
}

func TestCancelledGivesThePartialResult(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		ctx, cancel := context.WithCancel(s.Context())
		s.d.On("target", flowstest.Pick("Go", 0.9)).On("done", flowstest.P(0), func(decider.Question, decider.State) (decider.Answer, bool) {
			cancel()
			return decider.Answer{P: 0}, true
		})
		res := s.runIn(ctx, do("go on"), do("go further"))
		s.wantStop(res, flows.Cancelled)
		if len(res.Steps) != 1 || res.Failed != "1" || res.Actions == 0 {
			t.Errorf("partial result %+v", res)
		}
	})
}

func TestHaltedAtTheStepBoundary(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		stop := make(chan struct{})
		s.req.StopAtBoundary = stop
		s.d.On("target", flowstest.Pick("Go", 0.9)).On("progress", flowstest.Top(0), flowstest.Top(1)).On("not_done", flowstest.P(0.9), flowstest.P(0)).
			On("done", flowstest.P(0), func(decider.Question, decider.State) (decider.Answer, bool) {
				close(stop)
				return decider.Answer{P: 1}, true
			})
		res := s.run(do("go on"), do("go further"))
		s.wantStop(res, flows.Halted)
		s.wantOutcome(res, 0, flows.OutcomeDone)
		if len(res.Steps) != 1 || res.Failed != "2" {
			t.Errorf("halted before %q after %d steps, want before step 2 after the first was finished", res.Failed, len(res.Steps))
		}
	})
}

func TestFL110_OpenWaitsForTheWindow(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		for range 3 {
			s.fake.FailNext("observe", surfaces.Fail("observe", fault.AppNotFound, "no window yet"))
		}
		res := s.run(step(flows.KindOpen, "browser"))
		s.wantOutcome(res, 0, flows.OutcomeDone)
		if len(s.d.Requests()) != 0 || s.fake.Readings() != 1 {
			t.Errorf("%d questions, %d readings", len(s.d.Requests()), s.fake.Readings())
		}
	})
}

func TestFL111_LaunchRefusedNote(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		refusal := surfaces.Fail("launch", fault.BrowserUnavailable, strings.Repeat("long ", 100)+"\nsecond line")
		refusal.Error.Hint = "Free some space."
		s.fake.FailNext("launch", refusal)
		res := s.run(step(flows.KindOpen, "browser"))
		s.wantStop(res, flows.StepFailed)
		note := strings.TrimPrefix(res.Steps[0].Note, "BROWSER_UNAVAILABLE: ")
		if note == res.Steps[0].Note || len(note) > 200 || strings.Contains(note, "second") || res.Code != fault.BrowserUnavailable || res.Hint != "Free some space." {
			t.Errorf("note %q, code %q, hint %q", res.Steps[0].Note, res.Code, res.Hint)
		}
	})
}

func TestBrowseKeepsTheCode(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.fake.FailNext("navigate", surfaces.Fail("navigate", fault.PolicyDenied, "not listed"))
		res := s.run(step(flows.KindBrowse, "https://other.test/"))
		if res.Code != fault.PolicyDenied || res.Steps[0].Note != "POLICY_DENIED: not listed" {
			t.Errorf("code %q, note %q", res.Code, res.Steps[0].Note)
		}
	})
	for _, address := range []string{"javascript:x", "file:///etc/passwd", "data:text/html,x"} {
		on(t, page(button("Go")), func(s *stage) {
			s.wantStop(s.run(step(flows.KindBrowse, address)), flows.StepFailed)
			if s.fake.Count("navigate", "") != 0 {
				t.Errorf("%s was loaded", address)
			}
		})
	}
}

func TestLostSideFailsWithItsCode(t *testing.T) {
	for _, verb := range []string{"observe", "click"} {
		on(t, page(button("Go")), func(s *stage) {
			s.d.On("target", flowstest.Pick("Go", 0.9))
			s.fake.FailNext(verb, surfaces.Fail(verb, fault.NoSuchSession, "the browser died"))
			res := s.run(do("go on"), do("go further"))
			s.wantStop(res, flows.StepFailed)
			if res.Code != fault.NoSuchSession || res.Reason != "NO_SUCH_SESSION: the browser died" || len(res.Steps) != 1 {
				t.Errorf("%s: code %q, reason %q after %d steps", verb, res.Code, res.Reason, len(res.Steps))
			}
		})
	}
}

func TestA54_TheBriefHoldsThePaymentRule(t *testing.T) {
	for mode, rule := range map[flows.Payment]string{"": "Leave payment alone", flows.FillThenApprove: "secret values"} {
		on(t, page(button("Go")), func(s *stage) {
			s.req.Payment = mode
			s.run(do("go on"))
			if qs := s.d.Asked("target"); len(qs) == 0 || !strings.Contains(qs[0].Instructions, rule) {
				t.Errorf("under %q the brief does not say %q", mode, rule)
			}
		})
	}
}
