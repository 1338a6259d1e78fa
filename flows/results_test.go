package flows_test

import (
	"fmt"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/surfaces/surfacetest"
)

// search is a page of results, three to a page, with the numbers of the pages
// under them; nav is what stands above and stays.
func search(did *[]string, results, nav int) func() *surfacetest.Page {
	link := func(name string, click func(*surfacetest.App), in ...string) *surfacetest.Element {
		return &surfacetest.Element{Role: "link", Name: name, Path: in, OnClick: click}
	}
	open := func(name string) func(*surfacetest.App) {
		return func(*surfacetest.App) { *did = append(*did, name) }
	}
	const perPage = 3
	var page func(from int) *surfacetest.Page
	page = func(from int) *surfacetest.Page {
		var out []*surfacetest.Element
		for i := range nav {
			name := fmt.Sprintf("Department %c", 'A'+i)
			out = append(out, link(name, open(name), "navigation", "list", fmt.Sprintf("listitem #%d", i+1)))
		}
		for i := from; i < min(from+perPage, results); i++ {
			name := fmt.Sprintf("Stone %c", 'A'+i)
			out = append(out, link(name, open(name), "main", "list", fmt.Sprintf("listitem #%d", i-from+1)))
		}
		for n := 0; n*perPage < results; n++ {
			out = append(out, link(fmt.Sprint(n+1), func(a *surfacetest.App) { a.Page().Elements = page(n * perPage).Elements }, "main"))
		}
		return &surfacetest.Page{Title: "Results", Elements: out}
	}
	return func() *surfacetest.Page { return page(0) }
}

// A result is counted over the pages of results, whatever else stands in lists.
func TestResultOnALaterPage(t *testing.T) {
	for _, tt := range []struct {
		says         string
		results, nav int
		stop         flows.Stop
		did          string
	}{
		{"click the 2nd search result", 8, 0, flows.Completed, "Stone B"},
		{"click the 5th search result", 8, 0, flows.Completed, "Stone E"},
		{"open the eighth result", 8, 2, flows.Completed, "Stone H"},
		{"open the seventh result", 7, 2, flows.Completed, "Stone G"}, // alone on its page
		{"open the 9th result", 8, 2, flows.StepFailed, ""},
	} {
		var did []string
		on(t, search(&did, tt.results, tt.nav), func(s *stage) {
			s.req.Flow.Steps = []flows.Step{do(tt.says)}
			res := flows.NewRunner(decider.NewEmbedded()).Run(s.Context(), s.fake, s.req)
			if got := strings.Join(did, " "); got != tt.did || res.Stop != tt.stop {
				t.Errorf("%s: opened %q and ended %s (%s), want %q, %s", tt.says, got, res.Stop, res.Reason, tt.did, tt.stop)
			}
		})
	}
}
