package flows

import (
	"testing"

	"countersign/surfaces"
)

// Of doubles one is offered, unless the step counts them.
func TestWhatIsCountedIsOfferedWhole(t *testing.T) {
	pool := []*surfaces.Candidate{{Role: "textbox"}, {Role: "textbox"}, {Role: "textbox"}}
	for subject, want := range map[string]int{"click the text box": 1, "click the third text box": 3, "click the last field": 3, "click the 2nd box": 3} {
		if got := len((&step{}).offered(pool, saysPlace.MatchString(subject))); got != want {
			t.Errorf("%s: %d offered, want %d", subject, got, want)
		}
	}
}
