package desktop

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/flows"
	"countersign/flows/facts"
	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

func TestPartsOfAProgram(t *testing.T) {
	s, _ := show(t, "parts", desktoptest.Gallery, "parts")
	screen := observe(t, s, "parts")
	if screen.Window != "Parts" || screen.Surface != surfaces.FrontWindow || screen.Side != surfaces.Desktop || screen.Origin != "parts: Parts" {
		t.Errorf("window %q, surface %q, side %q, origin %q", screen.Window, screen.Surface, screen.Side, screen.Origin)
	}
	for _, want := range []struct {
		role, name, value string
		can               surfaces.Action
		state             string
	}{
		{"menuitem", "File", "", surfaces.CanClick, ""},
		{"spinbutton", "Copies", "3", surfaces.CanSetValue, ""},
		{"slider", "Volume", "20", surfaces.CanSetValue, ""},
		{"switch", "Bold", "", surfaces.CanCheck, ""},
		{"radio", "One", "", surfaces.CanCheck, surfaces.Checked},
		{"radio", "Two", "", surfaces.CanCheck, ""},
		{"button", "Off", "", "", surfaces.Disabled},
		{"tab", "General", "", surfaces.CanClick, surfaces.Selected},
		{"tab", "Details", "", surfaces.CanClick, ""},
		{"cell", "Bela", "", surfaces.CanClick, ""},
		{"cell", "Turin", "", surfaces.CanClick, ""},
		{"textarea", "Letter", "a letter\nof two lines", surfaces.CanTypeText, ""},
	} {
		c := pick(t, screen, want.role, want.name)
		if c.Value != want.value || want.can != "" && !c.Can(want.can) || want.state != "" && !c.Has(want.state) {
			t.Errorf("%s: actions %q; want value %q, action %q, state %q", surfaces.Line(c, true), c.Actions, want.value, want.can, want.state)
		}
	}
	if off := pick(t, screen, "button", "Off"); len(off.Actions) > 0 {
		t.Errorf("a disabled button offers %q", off.Actions)
	}
	if has(screen, "menuitem", "Save") {
		t.Error("the item of a closed menu is read")
	}
	if !slices.Contains(screen.Context, "ready") || slices.Contains(screen.Context, "page Details") {
		t.Errorf("context %q", screen.Context)
	}
	for _, n := range screen.TextNodes {
		if strings.Contains(n.Text, "letter") {
			t.Error("what a field holds is text of the program")
		}
	}
}

func TestSF80_ActiveWindow(t *testing.T) {
	s, _ := show(t, "two", desktoptest.Gallery, "two")
	first := observe(t, s, "two")
	click(t, s, pick(t, first, "button", "Forward"))
	for range 20 {
		if observe(t, s, "two").Window != first.Window {
			return
		}
		s.AwaitChange(t.Context(), 500)
	}
	t.Errorf("the window %q is still the one read", first.Window)
}

func TestSF81_ModalDialogAlone(t *testing.T) {
	s, _ := show(t, "modal", desktoptest.Gallery, "modal")
	before := observe(t, s, "modal")
	click(t, s, pick(t, before, "button", "Delete"))
	screen := awaitFront(t, s, "modal", surfaces.FrontWindow)
	if screen.Surface != surfaces.FrontAlert && screen.Surface != surfaces.FrontDialog {
		t.Errorf("surface %q", screen.Surface)
	}
	if has(screen, "button", "Count") || !has(screen, "button", "Keep") || !slices.Contains(screen.Context, "Really delete?") {
		t.Errorf("not the dialog alone:\n%s", lines(screen))
	}

	// The programs would obey a press behind the dialog; a person could not.
	count := pick(t, before, "button", "Count")
	if r := s.Execute(t.Context(), surfaces.Click, count, ""); r.Code() != fault.StaleRef {
		t.Errorf("a ref of the former reading answered %v", r.Err())
	}
	click(t, s, pick(t, screen, "button", "Keep"))
	if after := observe(t, s, "modal"); after.Surface != surfaces.FrontWindow || !slices.Contains(after.Context, "kept") {
		t.Errorf("after the dialog: surface %q, %q", after.Surface, after.Context)
	}
}

// TestModalBetweenLookAndAct: the dialog came after the reading.
func TestModalBetweenLookAndAct(t *testing.T) {
	s, d := show(t, "modal", desktoptest.Gallery, "modal")
	other := sideOf(t, d, Options{}, surfaces.Needs{})
	count := pick(t, observe(t, s, "modal"), "button", "Count")
	click(t, other, pick(t, observe(t, other, "modal"), "button", "Delete"))
	awaitFront(t, other, "modal", surfaces.FrontWindow)
	r := s.Execute(t.Context(), surfaces.Click, count, "")
	if r.Code() != fault.NotActionable || r.Error.Delivery != surfaces.NotDelivered || !strings.Contains(r.Error.Details.Cover, "alert") {
		t.Errorf("answered %v, want NOT_ACTIONABLE that names the dialog", r.Err())
	}
}

// awaitFront waits until something else than former is in front.
func awaitFront(t *testing.T, s *Side, app, former string) *surfaces.Screen {
	t.Helper()
	for range 20 {
		if screen := observe(t, s, app); screen.Surface != former {
			return screen
		}
		s.AwaitChange(t.Context(), 500)
	}
	t.Fatalf("nothing but %s comes to the front", former)
	return nil
}

func TestSF82_DeepTree(t *testing.T) {
	s, _ := show(t, "deep", desktoptest.Gallery, "deep")
	screen := observe(t, s, "deep")
	if has(screen, "button", "Bottom") || len(screen.Unexplored) == 0 {
		t.Fatalf("unexplored %q", screen.Unexplored)
	}
	part, r := s.Observe(t.Context(), "deep", screen.Unexplored[0], surfaces.Full)
	if part == nil {
		t.Fatal(r.Err())
	}
	bottom := pick(t, part, "button", "Bottom")
	if !slices.Contains(bottom.Path, `group "Level 15" #1`) {
		t.Errorf("path %q", bottom.Path)
	}
	click(t, s, bottom)
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, screen, "textbox", ""), "")) // the refs of the whole stay good
	shallow, r := s.Observe(t.Context(), "deep", "", surfaces.Skeleton)
	if shallow == nil || len(shallow.Unexplored) == 0 {
		t.Errorf("a skeleton is cut too: %v", r.Err())
	}
}

// TestFiveThousandNodes: all the limits hold, and the rest is read on.
func TestFiveThousandNodes(t *testing.T) {
	s, _ := show(t, "many", desktoptest.Gallery, "many", "3400") // three objects for two controls
	screen := observe(t, s, "many")
	if len(screen.Candidates) != maxCandidates || len(screen.TextNodes) > maxTexts || len(screen.Context) > maxContext {
		t.Errorf("%d candidates, %d texts, %d lines", len(screen.Candidates), len(screen.TextNodes), len(screen.Context))
	}
	seen := map[string]bool{}
	for i := range screen.Candidates {
		seen[screen.Candidates[i].Name] = true
	}
	if len(screen.Unexplored) == 0 {
		t.Fatal("nothing is unexplored")
	}
	part, r := s.Observe(t.Context(), "many", screen.Unexplored[0], surfaces.Full)
	if part == nil {
		t.Fatal(r.Err())
	}
	if len(part.Candidates) == 0 || seen[part.Candidates[0].Name] {
		t.Errorf("reading on gave %d candidates, the first of them %q", len(part.Candidates), part.Candidates[0].Name)
	}
	if !seen["Button 0"] || !pick(t, screen, "button", "Button 200").Has(surfaces.Offscreen) {
		t.Error("what has to be scrolled to is not marked")
	}
}

// TestNamesOfAllKinds: double, empty and hostile names are told apart, and stay
// the foreign text they are.
func TestNamesOfAllKinds(t *testing.T) {
	s, _ := show(t, "names", desktoptest.Gallery, "names")
	screen := observe(t, s, "names")
	var twins []*surfaces.Candidate
	nameless, evil, long := (*surfaces.Candidate)(nil), (*surfaces.Candidate)(nil), (*surfaces.Candidate)(nil)
	for i := range screen.Candidates {
		switch c := &screen.Candidates[i]; {
		case c.Name == "Twin":
			twins = append(twins, c)
		case c.Name == "" && c.Role == "button":
			nameless = c
		case strings.HasPrefix(c.Name, "Evil"):
			evil = c
		case strings.HasPrefix(c.Name, "xxx"):
			long = c
		}
	}
	if len(twins) != 2 || nameless == nil || evil == nil || long == nil {
		t.Fatalf("read:\n%s", lines(screen))
	}
	if len(long.Name) != maxName || strings.ContainsAny(evil.Name, "\r\n") {
		t.Errorf("names %q and %q", long.Name, evil.Name)
	}
	click(t, s, twins[1])
	if got := observe(t, s, "names").Context; !slices.Contains(got, "twin 2") {
		t.Errorf("the second twin pressed: %q", got)
	}
}

func TestSF79_AccessibilityOff(t *testing.T) {
	needInput(t)
	t.Run("no session bus", func(t *testing.T) {
		d := desktoptest.Start(t, host.DesktopOptions{NoAccessibility: true})
		s := sideOf(t, d, Options{Env: []string{"DISPLAY=" + d.Display}}, surfaces.Needs{})
		denies(t, s, "session bus")
	})
	t.Run("a bus that is gone", func(t *testing.T) {
		d := desktoptest.Start(t, host.DesktopOptions{NoAccessibility: true})
		s := sideOf(t, d, Options{Env: []string{"DISPLAY=" + d.Display, "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere"}}, surfaces.Needs{})
		denies(t, s, "session bus")
	})
	t.Run("programs that do not register", func(t *testing.T) {
		d := desktoptest.Start(t, host.DesktopOptions{SwitchedOff: true})
		d.Env = append(d.Env, "NO_AT_BRIDGE=1")
		desktoptest.Script(t, d, desktoptest.Form)
		s := sideOf(t, d, Options{}, surfaces.Needs{})
		denies(t, s, "toolkit-accessibility")
	})
}

// denies checks that an observe is PERM_DENIED, and says how to mend that.
func denies(t *testing.T, s *Side, says string) {
	t.Helper()
	screen, r := s.Observe(t.Context(), "form", "", surfaces.Full)
	if screen != nil || r.Code() != fault.PermDenied || r.Error.Delivery != surfaces.NotDelivered {
		t.Fatalf("screen %v, reply %v", screen, r.Err())
	}
	if !strings.Contains(r.Error.Message+r.Error.Hint, says) {
		t.Errorf("%q, hint %q; want %q in it", r.Error.Message, r.Error.Hint, says)
	}
}

func TestSF86_ClosedWindow(t *testing.T) {
	s, d := show(t, "two", desktoptest.Gallery, "two")
	other := sideOf(t, d, Options{}, surfaces.Needs{})
	screen := observe(t, s, "two")
	button := pick(t, screen, "button", "In "+screen.Window)
	observe(t, other, "two")
	for _, w := range opened(t, other).stack(t.Context()) {
		if w.Title == screen.Window {
			continue
		}
		if _, f := other.send(t.Context(), opened(t, other), robot.Request{Op: robot.Raise, Window: w.ID}); f != nil {
			t.Fatal(f.Message)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	there := observe(t, other, "two")
	for ; there.Window == screen.Window; there = observe(t, other, "two") {
		if other.AwaitChange(ctx, 500); ctx.Err() != nil {
			t.Fatal("the other window does not come to the front")
		}
	}
	click(t, other, pick(t, there, "button", "Close the other"))
	r := s.Execute(t.Context(), surfaces.Click, button, "")
	if r.Code() != fault.StaleRef || r.Error.Delivery != surfaces.NotDelivered {
		t.Errorf("answered %v, want STALE_REF, not delivered", r.Err())
	}
}

func TestNobodyByThatName(t *testing.T) {
	s, _ := show(t, "form", desktoptest.Form)
	if _, r := s.Observe(t.Context(), "nobody", "", surfaces.Full); r.Code() != fault.AppNotFound {
		t.Errorf("answered %v", r.Err())
	}
	if screen := observe(t, s, ""); screen.App != "form" {
		t.Errorf("without a name the screen is of %q", screen.App)
	}
	if screen := observe(t, s, "FORM"); screen.Window != "Conformance form" {
		t.Errorf("window %q", screen.Window)
	}
}

// TestTable: cells stand in the row that they share, and a box to tick is one,
// called as the head of its column says.
func TestTable(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	desktoptest.Script(t, d, desktoptest.Gallery, "table")
	s := sideOf(t, d, Options{}, surfaces.Needs{})
	awaitControl(t, s, "table", "cell", "Jones")
	want := `button "Name" under table
button "Weight" under table
button "Sent" under table
cell "Smith" (selected) under table › row "Smith 4 kg" #1
cell "4 kg" (selected) under table › row "Smith 4 kg" #1
checkbox "Sent" (selected) under table › row "Smith 4 kg" #1
cell "Jones" under table › row "Jones 7 kg" #2
cell "7 kg" under table › row "Jones 7 kg" #2
checkbox "Sent" under table › row "Jones 7 kg" #2
cell "Smith" under table › row "Smith 9 kg" #3
cell "9 kg" under table › row "Smith 9 kg" #3
checkbox "Sent" (checked) under table › row "Smith 9 kg" #3
nothing`
	if diff := cmp.Diff(want, strings.ReplaceAll(lines(observe(t, s, "table")), "focused, ", "")); diff != "" {
		t.Error(diff)
	}
	set, err := facts.New(nil, nil)
	noError(t, err)
	_, result := run(t, d, `{"app":"table","steps":["tick the Sent box in the row of Jones", "untick Sent in the row \"Smith 9 kg\""]}`, set)
	if result.Stop != flows.Completed {
		t.Errorf("it stopped with %v: %s %s", result.Stop, result.Failed, result.Reason)
	}
	awaitLine(t, s, "table", "row 2 is False")
	var ticked []bool
	for _, c := range observe(t, s, "table").Candidates {
		if c.Role == "checkbox" {
			ticked = append(ticked, c.Has(surfaces.Checked))
		}
	}
	if !slices.Equal(ticked, []bool{false, true, false}) {
		t.Errorf("ticked are %v", ticked)
	}
}
