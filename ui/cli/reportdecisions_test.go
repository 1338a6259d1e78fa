package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/decision"
	"countersign/ui/uitest"
)

// What stood before the person is kept as it was; a question nobody answered is
// drawn again from its evidence.
func TestReportDrawsDecisionsAgain(t *testing.T) {
	asked := time.Date(2026, 3, 4, 9, 30, 0, 0, time.UTC).UnixMilli()
	e := uitest.MailEvidence(3, asked)
	e.Picture = strings.Repeat("0f", 32)
	shown := []string{"SEND  t-3", "control      button \"Send \u202enow\"", "The page changed since you were asked:"}
	r := task.Report{View: task.View{ID: 3, Title: "Send the note to Mara"}, Decisions: []task.Decision{
		{
			Question: task.NeedsApproval, Evidence: &e, Digest: e.Digest(), State: task.DecisionVoid, AskedAt: asked, AnsweredAt: asked + 1000,
			Differs: []flows.Difference{{Field: "amount", Signed: "12.00 EUR", Now: "99.00 EUR"}},
		},
		{
			Question: task.NeedsApproval, Evidence: &e, Digest: e.Digest(), State: task.DecisionDeclined, AskedAt: asked, AnsweredAt: asked + 9000,
			Answer: "decline", Words: "wrong \x1b[2Jrecipient", Who: "operator", Shown: shown, ShownMS: 8200,
		},
		{Question: task.NeedsHuman, State: task.DecisionAsked, AskedAt: asked},
	}}
	var out bytes.Buffer
	(&command{io: Streams{Out: &out}}).printDecisions(r)
	got := out.String()
	at := 0
	for _, want := range []string{
		"1 of 3  needs_approval  asked 2026-03-04", "  │ SEND  t-3\n", "signed “12.00 EUR”", "now    “99.00 EUR”", "Subject = “Friday”",
		"“Recipients outside your organisation: 1”", "digest       " + decision.Words(e.Digest()), "p-0f0f0f0f0f0f0f0f  ", "void  2026-",
		"2 of 3  needs_approval", "  │ SEND  t-3\n  │ control      button \"Send now\"⌫1\n  │ The page changed", "declined  2026-03-04",
		"answer: decline  words: “wrong recipient⌫4”  by operator  stood 8.2s on the screen", "3 of 3  needs_human", "not answered yet",
	} {
		i := strings.Index(got[at:], want)
		if i < 0 {
			t.Fatalf("%q is missing or out of order in\n%s", want, got)
		}
		at += i
	}
}
