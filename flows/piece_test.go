package flows_test

import (
	"testing"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/surfaces/surfacetest"
)

// Lines that say what they are belong to the line above them.
func TestReadOfLabelledLines(t *testing.T) {
	page := func() *surfacetest.Page {
		var all []*surfacetest.Element
		for _, line := range []string{
			"Delphine Pereira", "Phone: 997-2950", "Email: delphine@post.example", "City: Lisbon",
			"Gustav Lindgren", "Phone: 541-6189", "Email: gustav@post.example", "City: Prague",
		} {
			all = append(all, surfacetest.Text(line))
		}
		return &surfacetest.Page{Title: "People", Elements: all}
	}
	for what, want := range map[string]string{
		"the email of Gustav Lindgren":   "gustav@post.example",
		"the city of Delphine Pereira":   "Lisbon",
		"the phone of Gustav Lindgren":   "541-6189",
		"the address of Gustav Lindgren": "",
		"the city of Ulrich Keller":      "",
	} {
		on(t, page, func(s *stage) {
			s.req.Flow.Steps = []flows.Step{{Kind: flows.KindRead, What: what, Into: "x"}}
			res := flows.NewRunner(decider.NewEmbedded()).Run(s.Context(), s.fake, s.req)
			if got := res.Vars["x"]; got != want {
				t.Errorf("%s: %q, %s (%s), want %q", what, got, res.Stop, res.Reason, want)
			}
		})
	}
}
