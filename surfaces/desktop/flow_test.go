package desktop

import (
	"testing"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/flows/facts"
	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
	"countersign/surfaces/host"
	"countersign/surfaces/workspace"
)

type noKeeper struct{}

func (noKeeper) Bind(surfaces.Binding) error { return nil }
func (noKeeper) Unbind(surfaces.Side) error  { return nil }

// run carries out a flow in a workspace that has the desktop and nothing else.
func run(t *testing.T, d *host.Desktop, raw string, set *facts.Set) (surfaces.Place, flows.Result) {
	t.Helper()
	flow, problems := flows.Decode([]byte(raw))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	opener := workspace.Opener{Desktop: NewDriver(Options{Env: d.Env})}
	place, err := opener.Open("w-1", surfaces.Needs{Sides: []surfaces.Side{surfaces.Desktop}}, nil, noKeeper{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { noError(t, place.Close()) })
	result := flows.NewRunner(decider.NewEmbedded()).Run(t.Context(), place, flows.Request{Flow: flow, Facts: set, IncludeValues: true})
	for _, s := range result.Steps {
		t.Logf("%-5s %-10s %-12s %.2f  %s: %s", s.Step, s.Kind, s.Outcome, s.Confidence, s.Text, s.Note)
	}
	return place, result
}

func TestFormOnTheDesktop(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	desktoptest.Script(t, d, desktoptest.Form)
	await(t, sideOf(t, d, Options{}, surfaces.Needs{}), "form")
	set, err := facts.New(map[string]string{"name": "Mira Olsen", "password": "hunter2-swordfish"}, []string{"password"})
	if err != nil {
		t.Fatal(err)
	}
	place, result := run(t, d, `{
		"app": "form",
		"steps": [
			{ "enter": { "name": "${name}", "password": "${password}" } },
			"press \"Count\"",
			{ "wait_for": "\"pressed 1 times\" is showing" }
		]
	}`, set)
	if result.Stop != flows.Completed {
		t.Fatalf("stopped %s at %q: %s", result.Stop, result.Failed, result.Reason)
	}
	screen, r := place.Observe(t.Context(), "form", "", surfaces.Full)
	if screen == nil {
		t.Fatal(r.Err())
	}
	if got := pick(t, screen, "textbox", "Name").Value; got != "Mira Olsen" {
		t.Errorf("the field holds %q", got)
	}
}

func TestCalculatorOnTheDesktop(t *testing.T) {
	needInput(t)
	desktoptest.Need(t, "galculator")
	d := desktoptest.Start(t, host.DesktopOptions{})
	set, err := facts.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	place, result := run(t, d, `{
		"app": "galculator",
		"steps": [
			{ "open": "galculator" },
			"press \"7\"",
			"press \"+\"",
			"press \"5\"",
			"press \"=\""
		]
	}`, set)
	if result.Stop != flows.Completed {
		t.Fatalf("stopped %s at %q: %s", result.Stop, result.Failed, result.Reason)
	}
	screen, r := place.Observe(t.Context(), "galculator", "", surfaces.Full)
	if screen == nil {
		t.Fatal(r.Err())
	}
	for i := range screen.Candidates {
		if c := &screen.Candidates[i]; c.Role == "textarea" && c.Has(surfaces.ReadOnly) {
			if got := c.Value; got != "12" && got != "12\n" {
				t.Errorf("the display shows %q", got)
			}
			return
		}
	}
	t.Errorf("no display among:\n%s", lines(screen))
}
