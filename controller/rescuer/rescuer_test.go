package rescuer

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"countersign/controller/chat"
	"countersign/controller/task"
	"countersign/flows"
)

// script answers the same for ever.
type script struct {
	answer string
	asked  [][]chat.Turn
}

func (s *script) Name() task.Model { return task.Model{Provider: "test", Model: "script"} }

func (s *script) Chat(_ context.Context, turns []chat.Turn) (string, error) {
	s.asked = append(s.asked, turns)
	return s.answer, nil
}

func briefing(t *testing.T, failed int) Briefing {
	t.Helper()
	var f flows.Flow
	raw := `{"app":"browser","vars":{"seen":""},"steps":["open the form",{"enter":{"name":"${name}"}},{"if":{"condition":"c","then":[{"stop_before":"sending it"}]}},"end"]}`
	if err := json.Unmarshal([]byte(raw), &f); err != nil {
		t.Fatal(err)
	}
	same := func(s string) string { return s }
	return Briefing{Flow: f, Failed: failed, Names: []string{"name", "pin"}, Secrets: []string{"pin"}, Payment: flows.StopAtPayment, Clean: same, Mask: same}
}

// A branch that holds a guard may not be replaced by steps that hold none.
func TestA103_AFailedIfKeepsItsGuard(t *testing.T) {
	b := briefing(t, 2)
	for answer, valid := range map[string]bool{
		`{"action":"skip","reason":"r","covers":0}`:                                                                                 false,
		`{"action":"retry","reason":"r","steps":["press it"]}`:                                                                      false,
		`{"action":"retry","reason":"r","steps":[{"stop_before":"sending"}]}`:                                                       true,
		`{"action":"retry","reason":"r","steps":["close the note",{"if":{"condition":"c","then":[{"stop_before":"sending it"}]}}]}`: true,
	} {
		_, _, err := Ask(t.Context(), &script{answer: answer}, b)
		if (err == nil) != valid {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

// Every text of a briefing goes through Clean: none is forgotten.
func TestA70_EveryTextIsCleaned(t *testing.T) {
	b := briefing(t, 0)
	b.Clean = func(s string) string { return strings.ReplaceAll(s, "hunter2", "${pin}") }
	b.Goal, b.Failure, b.Screen = "goal hunter2", "failure hunter2", []string{"screen hunter2"}
	b.Flow.Steps[0].Text, b.Flow.Steps[1].Slots[0].Text = "step hunter2", "slot hunter2"
	b.Reports = []flows.StepReport{{Step: "1", Text: "report hunter2", Note: "note hunter2"}}
	b.Earlier = []task.Rescue{{Failure: "before hunter2", Reason: "reason hunter2", Steps: json.RawMessage(`["advice hunter2"]`)}}
	b.Values = []task.Value{{Name: "seen", Text: "value hunter2"}}
	said := turns(b)[1].Text
	if strings.Contains(said, "hunter2") {
		t.Errorf("the secret is told:\n%s", said)
	}
	for _, text := range []string{"goal", "failure", "screen", "step", "slot", "report", "note", "before", "reason", "advice", "value"} {
		if !strings.Contains(said, text+" ${pin}") {
			t.Errorf("the %s is not told", text)
		}
	}
}

func TestA70_BadAdviceGoesBackCleaned(t *testing.T) {
	b := briefing(t, 0)
	b.Clean = func(s string) string { return strings.ReplaceAll(s, "hunter2", "${pin}") }
	m := &script{answer: `{"action":"retry","reason":"hunter2","steps":[{"hunter2":"x"}]}`}
	if _, used, err := Ask(t.Context(), m, b); err == nil || used.Calls != 3 {
		t.Fatalf("%+v %v", used, err)
	}
	for _, turn := range m.asked[2] {
		if strings.Contains(turn.Text, "hunter2") {
			t.Errorf("the %s's turn holds the value: %s", turn.Role, turn.Text)
		}
	}
}

// A guard about signing in gates nothing; its rescue may try it again, and not
// leave it out.
func TestA103_AFailedSignInIsTriedAgain(t *testing.T) {
	b := briefing(t, 0)
	b.Flow.Steps[0] = flows.Step{Kind: flows.KindStopBefore, Text: "logging in"}
	for answer, valid := range map[string]bool{
		`{"action":"retry","reason":"r","steps":["close the note",{"stop_before":"logging in"}]}`: true,
		`{"action":"retry","reason":"r","steps":["close the note"]}`:                              false,
	} {
		if _, _, err := Ask(t.Context(), &script{answer: answer}, b); (err == nil) != valid {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

func TestTheScreenIsShedLongestFirst(t *testing.T) {
	lines := []string{"short", strings.Repeat("x", 5000), "also short", strings.Repeat("y", 9000)}
	if got := shed(lines); got != strings.Join(lines[:3], "\n") {
		t.Errorf("%d characters left", len(got))
	}
	if got := shed(lines[:1]); got != "short" {
		t.Error(got)
	}
	many := make([]string, 1<<16)
	for i := range many {
		many[i] = "0123456789"
	}
	if got := shed(many); len(got) > maxScreen {
		t.Errorf("%d characters left", len(got))
	}
}

func TestABriefingIsBounded(t *testing.T) {
	b := briefing(t, 0)
	huge := strings.Repeat("w ", 1<<19)
	b.Goal, b.Failure, b.Screen = huge, huge, []string{huge}
	b.Values = []task.Value{{Name: "seen", Text: huge}}
	b.Reports = []flows.StepReport{{Step: "1", Text: huge, Note: huge}}
	b.Earlier = []task.Rescue{{Step: 1, Failure: huge, Reason: huge, Steps: json.RawMessage(`["x"]`)}}
	m := &script{answer: `{"action":"give_up","reason":"no"}`}
	advice, _, err := Ask(t.Context(), m, b)
	if err != nil || advice.Action != GiveUp || len(m.asked[0][1].Text) > 20000 {
		t.Errorf("%+v %v, %d bytes", advice, err, len(m.asked[0][1].Text))
	}
}

func FuzzAdvice(f *testing.F) {
	for _, seed := range []string{
		`{"action":"retry","reason":"r","steps":["x",{"enter":{"a":"${pin}"}}],"covers":1}`, `{"action":"skip","reason":"r","covers":1}`,
		"```\n{\"action\":\"give_up\",\"reason\":\"no\"}\n```", `{"action":"retry","reason":"r","steps":[{"stop_before":"sending it"}]}`,
	} {
		f.Add(seed, 0)
		f.Add(seed, 2)
	}
	f.Fuzz(func(t *testing.T, answer string, failed int) {
		b := briefing(t, max(failed, 0)%4)
		advice, _, err := Ask(t.Context(), &script{answer: answer}, b)
		if err != nil || advice.Action == GiveUp {
			return
		}
		dropped := b.Flow.Steps[b.Failed+1 : b.Failed+1+advice.Covers]
		for _, s := range dropped {
			if s.HoldsGuard() {
				t.Errorf("%q drops a guard", answer)
			}
		}
		if len(advice.Steps) > 6 || (advice.Action == Retry) != (len(advice.Steps) > 0) {
			t.Errorf("%q: %+v", answer, advice)
		}
		if b.Flow.Steps[b.Failed].HoldsGuard() && !flows.EndsInGuard(advice.Steps) && !same(advice.Steps[len(advice.Steps)-1], b.Flow.Steps[b.Failed]) {
			t.Errorf("%q unguards", answer)
		}
	})
}
