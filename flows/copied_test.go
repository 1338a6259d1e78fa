package flows_test

import (
	"testing"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/surfaces"
	"countersign/surfaces/surfacetest"
)

// notes is a page with texts to be copied, and one field to type into.
func notes() *surfacetest.Page {
	area := surfacetest.Field("Terms")
	area.Role, area.Value, area.States = "textarea", "Pay ${amount} by noon", []string{surfaces.ReadOnly}
	return &surfacetest.Page{Title: "Notes", Elements: []*surfacetest.Element{
		surfacetest.Text("First name"), surfacetest.Text("Harriet"),
		surfacetest.Text("Pass phrase: open sesame"),
		surfacetest.Text("The quick brown fox jumps over the lazy dog and runs into the wide, wide wood."),
		area, surfacetest.Field("Answer"),
	}}
}

// What a sentence copies off the screen is typed as it stands there, and a
// sentence that does not say plainly what is copied types nothing.
func TestCopiedText(t *testing.T) {
	for _, tt := range []struct {
		says, typed string
		stop        flows.Stop
	}{
		{`Copy the text in the textarea and paste it into Answer`, "Pay ${amount} by noon", flows.Completed},
		{`copy the text of the Terms field to Answer`, "Pay ${amount} by noon", flows.Completed},
		{`Enter the value of First name into the Answer field`, "Harriet", flows.Completed},
		{`Find the 4th word in the paragraph, type that into the text field`, "fox", flows.Completed},
		{`Find the last word of the paragraph and enter it into Answer`, "wood", flows.Completed},
		{`Find the 40th word in the paragraph and enter it into Answer`, "", flows.StepFailed},
		{`Copy the text of the Prices field to Answer`, "", flows.StepFailed},
		{`Copy the telephone number of Ada to Answer`, "", flows.StepFailed},
		{`Copy the pass phrase to Answer`, "", flows.StepFailed}, // it is a secret of the task
	} {
		on(t, notes, func(s *stage) {
			s.with(map[string]string{"phrase": "open sesame", "amount": "9 EUR"}, "phrase")
			s.req.Flow.Steps = []flows.Step{do(tt.says)}
			res := flows.NewRunner(decider.NewEmbedded()).Run(s.Context(), s.fake, s.req)
			s.fake.Do(func(a *surfacetest.App) {
				if got := a.Value("Answer"); got != tt.typed || res.Stop != tt.stop {
					t.Errorf("%s: typed %q and ended %s (%s), want %q, %s", tt.says, got, res.Stop, res.Reason, tt.typed, tt.stop)
				}
			})
		})
	}
}
