package decider

import (
	"strings"
	"testing"
)

// TestReasonsAreWrittenAsSaid: the words that decided are those of the
// sentence, not what they reduce to.
func TestReasonsAreWrittenAsSaid(t *testing.T) {
	cs := controls(`button "Edit" @ main › table › row "Jon Jones" #1`, `button "Edit" @ main › table › row "Ann Smith" #2`,
		`button "Delete" @ main › table › row "Ann Smith" #2`)
	for i := range cs {
		cs[i].At = i + 1
	}
	page := sentencePage{state: State{Surface: "window", Controls: cs}, keys: []string{"jon", "ann", "gone"}}
	for _, tt := range []struct{ sentence, key, why string }{
		{"press Edit in the row of Jones", "jon", "Edit, in the row Jones"},
		{`delete the row "Ann Smith"`, "gone", "ann smith, delete"},
		{"edit everything except Jones", "ann", "edit, not Jones"},
	} {
		if key, a := page.found(t, tt.sentence); key != tt.key || strings.Join(a.Why, ", ") != tt.why {
			t.Errorf("%s: got %s by %q, want %s by %q", tt.sentence, key, strings.Join(a.Why, ", "), tt.key, tt.why)
		}
	}
}
