package flows_test

import (
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/surfaces/surfacetest"
)

// A journey is asked of the form that shows, and one of what it finds is taken
// where the sentence books; on a page without such a form the sentence is one act.
func TestJourneyInOneSentence(t *testing.T) {
	for _, tt := range []struct {
		says, form, did string
		stop            flows.Stop
	}{
		{`Book the first flight from: Athens to: Madrid on 12/24/2026.`, "Athens Madrid 12/24/2026", "Search Book", flows.Completed},
		{`find a train from Graz to Wien Mitte on 12/24/2026`, "Graz Wien Mitte 12/24/2026", "Search", flows.Completed},
		{`find a train from Graz to Wien`, "Graz Wien ", "Search", flows.Completed},
	} {
		var did []string
		press := func(name string, then func(*surfacetest.App)) *surfacetest.Element {
			return surfacetest.Button(name, func(a *surfacetest.App) {
				did = append(did, name)
				then(a)
			})
		}
		form := func() *surfacetest.Page {
			return &surfacetest.Page{Title: "Trips", Elements: []*surfacetest.Element{
				surfacetest.Field("From"), surfacetest.Field("To"), surfacetest.Field("Departure date"),
				press("Search", func(a *surfacetest.App) { a.Add(press("Book", func(*surfacetest.App) {})) }),
			}}
		}
		on(t, form, func(s *stage) {
			s.req.Flow.Steps = []flows.Step{do(tt.says)}
			res := flows.NewRunner(decider.NewEmbedded()).Run(s.Context(), s.fake, s.req)
			s.fake.Do(func(a *surfacetest.App) {
				form := a.Value("From") + " " + a.Value("To") + " " + a.Value("Departure date")
				if got := strings.Join(did, " "); got != tt.did || form != tt.form || res.Stop != tt.stop {
					t.Errorf("%s: filled %q, pressed %q and ended %s (%s)", tt.says, form, got, res.Stop, res.Reason)
				}
			})
		})
	}
	var did []string
	on(t, desk(&did), func(s *stage) {
		s.req.Flow.Steps = []flows.Step{do("find One from Two to Three")}
		flows.NewRunner(decider.NewEmbedded()).Run(s.Context(), s.fake, s.req)
		s.fake.Do(func(a *surfacetest.App) {
			if a.Value("Name")+a.Value("City") != "" {
				t.Error("typed where no form asks from where to where")
			}
		})
	})
}
