package flows_test

import (
	"slices"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/flowstest"
	"countersign/surfaces"
	"countersign/surfaces/surfacetest"
)

// After a restart a secret that was typed is not known. What fields hold is told
// to no decider, the fields it stood in read as before, so that the signed digest
// is still the same, and what could be a card's is hidden (tasks.md 10.9).
func TestA131_A132_AForgottenSecretIsWithheldByPlace(t *testing.T) {
	const card, word = "4111111111111111", "correct horse"
	field, echo, to := surfacetest.Field("Word"), surfacetest.Field("Say it again"), surfacetest.Field("To")
	field.OnInput = func(a *surfacetest.App, text string) { a.Find("Say it again").Value = "it is " + text }
	to.Value = "mira@example.org"
	send := surfacetest.Button("Send", func(*surfacetest.App) {})
	on(t, page(field, echo, to, surfacetest.Text("Card 4111 1111 1111 1111 on file"), send), func(s *stage) {
		s.with(map[string]string{"word": word, "card number": card}, "word")
		s.req.IncludeValues = true
		s.d.On("slot_1", flowstest.Pick("Word", 0.9)).On("target*", flowstest.Pick("Send", 0.95))
		first := s.run(enter("word", "${word}"), step(flows.KindStopBefore, "sending the letter"))
		if first.Pending == nil || len(first.SecretFields) != 2 {
			t.Fatalf("%+v at %+v", first.Pending, first.SecretFields)
		}
		before := len(s.d.Requests())
		s.told.seen, s.told.steps = nil, nil

		s.req.Facts, s.req.Unknown, s.req.SecretFields = nil, []string{"word", "card number"}, first.SecretFields
		again := s.run(step(flows.KindStopBefore, "sending the letter"))
		if again.Pending == nil || len(again.Pending.Form) != len(first.Pending.Form) {
			t.Fatalf("%s: %+v", again.Reason, again.Pending)
		}
		again.Pending.Step = first.Pending.Step
		if again.Pending.Digest() != first.Pending.Digest() {
			t.Errorf("the digest did not survive: %+v", first.Pending.Differs(again.Pending))
		}
		asked := dump(s.d.Requests()[before:])
		if strings.Contains(asked, "mira@example.org") {
			t.Error("the decider was told what a field holds")
		}
		all := asked + dump(again, s.told.steps, s.told.seen)
		for _, leak := range []string{word, card, "4111 1111"} {
			if strings.Contains(all, leak) {
				t.Errorf("%q left the run", leak)
			}
		}
		if !strings.Contains(all, "Card ${secret} on file") {
			t.Error("what could be a card number is not hidden")
		}
		fields := s.told.seen[len(s.told.seen)-1].Fields
		want := []flows.SeenField{{Label: "Word", Value: "${word}"}, {Label: "Say it again", Value: "it is ${word}"}, {Label: "To"}}
		if !slices.Equal(fields, want) {
			t.Errorf("fields as seen: %v", fields)
		}
		if place := first.SecretFields[0]; place.Equal(surfaces.Field{}) || place.Shows != "${word}" {
			t.Errorf("typed at %+v", place)
		}
	})
}
