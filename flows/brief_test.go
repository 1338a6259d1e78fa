package flows_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"countersign/flows"
	"countersign/flows/flowstest"
	"countersign/surfaces/surfacetest"
)

// The state shows the newest 12 of many saved values, each cut short, rows as
// their count and the first.
func TestA120_TheNewestSavedValuesInShort(t *testing.T) {
	on(t, page(button("Go")), func(s *stage) {
		s.req.Collected = map[string]string{}
		for i := range 19 {
			name := fmt.Sprintf("v%02d", i)
			s.req.Collected[name] = name + " " + strings.Repeat("é", 300)
			s.req.CollectedOrder = append(s.req.CollectedOrder, name)
		}
		s.req.Collected["rows"] = `[{"name":"Bell"},{"name":"Lock"},{"name":"Pump"}]`
		s.req.CollectedOrder = append(s.req.CollectedOrder, "rows")
		s.run(do("go on"))
		if len(s.d.Requests()) == 0 {
			t.Fatal("nothing was asked")
		}
		got := s.d.Requests()[0].State.AlreadyCollected
		if len(got) != 12 || !strings.HasPrefix(got[0], `rows: 3 rows, first {"name":"Bell"}`) {
			t.Fatalf("the state holds %d values: %q", len(got), got)
		}
		for i, line := range got[1:] {
			if want := fmt.Sprintf("v%02d: v%02d é", 18-i, 18-i); !strings.HasPrefix(line, want) || utf8.RuneCountInString(line) != 120 {
				t.Errorf("line %d is %q, want 120 characters that begin %q", i+1, line, want)
			}
		}
	})
}

// A secret that a native list does not offer word for word fails the step
// rather than being asked about.
func TestA73_SecretOfADropDownIsNeverAsked(t *testing.T) {
	for secret, want := range map[string]flows.Outcome{"Maestro 8123": flows.OutcomeDone, "Maestro 81": flows.OutcomeFailed} {
		on(t, func() *surfacetest.Page {
			return &surfacetest.Page{Title: "Form", Elements: surfacetest.Select("Card", "Visa 4411", "Maestro 8123", "Amex 9001")}
		}, func(s *stage) {
			s.with(map[string]string{"which": secret}, "which")
			s.req.Trace = true
			s.d.On("slot_1", flowstest.Pick("Card", 0.9)).On("target", flowstest.Pick("Maestro 8123", 0.9))
			res := s.run(enter("card", "${which}"))
			s.wantOutcome(res, 0, want)
			s.fake.Do(func(a *surfacetest.App) {
				if got := a.Value("Card"); (got == secret) != (want == flows.OutcomeDone) {
					t.Errorf("%q: the list holds %q", secret, got)
				}
			})
			if len(s.d.Asked("target")) != 0 {
				t.Errorf("%q: the choice was put in a question", secret)
			}
			if everything := dump(res, s.told.steps, s.told.seen, s.told.exchanges, s.d.Requests()); strings.Contains(everything, secret) {
				t.Errorf("%q left the run", secret)
			}
		})
	}
}

// The same list with a shared value is a question: the rule above is about the
// secret, not about lists.
func TestSharedValueOfADropDownIsAsked(t *testing.T) {
	on(t, func() *surfacetest.Page {
		return &surfacetest.Page{Title: "Form", Elements: surfacetest.Select("Colour", "Dark red", "Green")}
	}, func(s *stage) {
		s.d.On("slot_1", flowstest.Pick("Colour", 0.9)).On("target", flowstest.Pick("Dark red", 0.9))
		s.wantOutcome(s.run(enter("colour", "red")), 0, flows.OutcomeDone)
		if len(s.d.Asked("target")) == 0 {
			t.Error("nothing was asked")
		}
	})
}

// The presses that a step made are handed to the decider like everything else:
// a control that shows a secret is told by the secret's name.
func TestNoSecretInTheStepsOwnPresses(t *testing.T) {
	const secret = "Maestro 8123"
	on(t, page(button("Use "+secret)), func(s *stage) {
		s.with(map[string]string{"card": secret}, "card")
		s.d.On("move", flowstest.Key("activate"), flowstest.Key("wait"), flowstest.Key("stuck")).On("target", flowstest.Pick("Use ${card}", 0.9)).On("done", flowstest.P(0.1))
		res := s.run(do("use the card"))
		requests := s.d.Requests()
		if last := requests[len(requests)-1]; len(last.State.Chosen) == 0 {
			t.Fatal("no press was handed on")
		}
		if everything := dump(res, s.told.steps, requests); strings.Contains(everything, secret) {
			t.Error("the secret left the run")
		}
	})
}
