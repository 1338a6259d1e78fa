package flows_test

import (
	"fmt"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/surfaces"
	"countersign/surfaces/surfacetest"
)

// desk is a page with what sentences of several acts are said of; did tells what
// was pressed, in order.
func desk(did *[]string) func() *surfacetest.Page {
	press := func(name string) *surfacetest.Element {
		return surfacetest.Button(name, func(*surfacetest.App) { *did = append(*did, name) })
	}
	tick := func(name string) *surfacetest.Element {
		box := surfacetest.Checkbox(name)
		box.OnClick = func(*surfacetest.App) { *did = append(*did, name) }
		return box
	}
	tab := func(name, shows string) *surfacetest.Element {
		return &surfacetest.Element{Role: "tab", Name: name, OnClick: func(a *surfacetest.App) {
			*did = append(*did, name)
			a.Add(press(shows))
		}}
	}
	return func() *surfacetest.Page {
		return &surfacetest.Page{Title: "A page", Elements: []*surfacetest.Element{
			press("One"), press("Two"), press("Save and close"), tick("Mgs"), tick("9Kq"), tick("fig"),
			tab("Tab 1", "Ribbon"), tab("Tab 2", "Pocket"), surfacetest.Field("Name"), surfacetest.Field("City"),
		}}
	}
}

// The acts of one sentence are done one after the other; one that cannot be done
// ends the step before the next.
func TestActsOfOneSentence(t *testing.T) {
	for _, tt := range []struct {
		says string
		stop flows.Stop
		did  string
	}{
		{`press One, then press Two`, flows.Completed, "One Two"},
		{`press Two and press One`, flows.Completed, "Two One"},
		{`press "Save and close" then press Two`, flows.Completed, "Save and close Two"},
		{`press Save and close`, flows.Completed, "Save and close"},
		{`tick "Mgs" and "9Kq"`, flows.Completed, "Mgs 9Kq"},
		{`tick fig, Mgs and 9Kq, then press One`, flows.Completed, "fig Mgs 9Kq One"},
		{`tick fig and kiwi, then press One`, flows.StepFailed, "fig"},
		{`copy One to Two`, flows.StepFailed, ""}, // says a text and a field, and there are none
		{`press One > Two`, flows.Completed, "One Two"},
		{`press "Two" > "One"`, flows.Completed, "Two One"},
		{`select nothing and press One`, flows.Completed, "One"},
		{`leave it by pressing Two`, flows.Completed, "Two"},
		{`switch between the tabs to find and press "Pocket"`, flows.Completed, "Tab 1 Tab 2 Pocket"},
		{`switch between the tabs to find and press "Purse"`, flows.StepFailed, "Tab 1 Tab 2"},
		{`enter "Ada" into Name and press One`, flows.Completed, "One"},
		{`enter "Ada" into Street and press One`, flows.StepFailed, ""},
	} {
		var did []string
		on(t, desk(&did), func(s *stage) {
			s.req.Flow.Steps = []flows.Step{do(tt.says)}
			res := flows.NewRunner(decider.NewEmbedded()).Run(s.Context(), s.fake, s.req)
			if got := strings.Join(did, " "); got != tt.did || res.Stop != tt.stop {
				t.Errorf("%s: pressed %q and ended %s (%s), want %q, %s", tt.says, got, res.Stop, res.Reason, tt.did, tt.stop)
			}
		})
	}
}

// A step that ticks the first of two and not the second is not done.
func TestASentenceIsDoneWithItsLastAct(t *testing.T) {
	var did []string
	on(t, desk(&did), func(s *stage) {
		s.fake.Do(func(a *surfacetest.App) { a.Find("9Kq").States = []string{surfaces.Disabled} })
		s.req.Flow.Steps = []flows.Step{do(`tick "Mgs" and "9Kq"`)}
		res := flows.NewRunner(decider.NewEmbedded()).Run(s.Context(), s.fake, s.req)
		if res.Stop != flows.StepFailed || fmt.Sprint(did) != "[Mgs]" {
			t.Errorf("ended %s after %q", res.Stop, did)
		}
	})
}

// What a sentence types lands in the fields it names.
func TestASentenceTypes(t *testing.T) {
	for says, want := range map[string]string{
		`enter "Ada" into Name and "Graz" into City`:      "Ada Graz",
		`enter the name "Ada" and the city "Graz"`:        "Ada Graz",
		`enter "x8Z" into both text fields and press One`: "x8Z x8Z",
	} {
		var did []string
		on(t, desk(&did), func(s *stage) {
			s.req.Flow.Steps = []flows.Step{do(says)}
			res := flows.NewRunner(decider.NewEmbedded()).Run(s.Context(), s.fake, s.req)
			s.fake.Do(func(a *surfacetest.App) {
				if got := a.Value("Name") + " " + a.Value("City"); got != want || res.Stop != flows.Completed {
					t.Errorf("%s: typed %q and ended %s (%s), want %q", says, got, res.Stop, res.Reason, want)
				}
			})
		})
	}
}

// A text told by its start and its end is typed from its start and taken from
// what is suggested, where one suggestion is so and no other.
func TestStartsAndEnds(t *testing.T) {
	for says, want := range map[string]string{
		`enter an item that starts with "Aus" and ends with "alia"`:     "Australia",
		`choose the country that begins with "aus" and ends with "RIA"`: "Austria",
		`enter a country that starts with "Aus" and ends with "ia"`:     "", // two do
		`enter a country that starts with "Aus" and ends with "way"`:    "",
	} {
		on(t, page(completing("combobox", "Country", 0, "Austria", "Australia", "Austin")), func(s *stage) {
			s.req.Flow.Steps = []flows.Step{do(says)}
			res := flows.NewRunner(decider.NewEmbedded()).Run(s.Context(), s.fake, s.req)
			s.fake.Do(func(a *surfacetest.App) {
				if got := a.Value("Country"); (res.Stop == flows.Completed) != (want != "") || want != "" && got != want {
					t.Errorf("%s: %q, %s (%s), want %q", says, got, res.Stop, res.Reason, want)
				}
			})
		})
	}
}
