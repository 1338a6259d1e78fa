package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/surfacetest"
	"countersign/surfaces/workspace"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// side is a Fake that writes down which verbs reached it.
type side struct {
	*surfacetest.Fake
	name string
	log  *[]string
}

func newSide(kind surfaces.Side, log *[]string) *side {
	f := surfacetest.New(kind)
	f.Serve("https://shop.test/", func() *surfacetest.Page {
		field := surfacetest.Field("Address")
		field.Value = strings.Repeat("ä", 200)
		return &surfacetest.Page{Title: "Shop", Elements: []*surfacetest.Element{
			surfacetest.Text("Welcome"), field, surfacetest.Button("Buy", nil), surfacetest.Field("Note"),
		}}
	})
	for _, app := range []string{"Files", "Mail", "browserish"} {
		f.Serve(app, func() *surfacetest.Page { return &surfacetest.Page{Title: app} })
	}
	return &side{Fake: f, name: string(kind), log: log}
}

func (s *side) note(verb string) { *s.log = append(*s.log, s.name+" "+verb) }

func (s *side) Observe(ctx context.Context, app, root string, d surfaces.Depth) (*surfaces.Screen, *surfaces.Reply) {
	s.note("observe")
	return s.Fake.Observe(ctx, app, root, d)
}

func (s *side) Execute(ctx context.Context, op surfaces.Op, c *surfaces.Candidate, text string) *surfaces.Reply {
	s.note("execute")
	return s.Fake.Execute(ctx, op, c, text)
}

func (s *side) ReadValue(ctx context.Context, c *surfaces.Candidate) (string, bool) {
	s.note("read_value")
	return s.Fake.ReadValue(ctx, c)
}

func (s *side) Paste(ctx context.Context, app string, c *surfaces.Candidate, text string) *surfaces.Reply {
	s.note("paste")
	return s.Fake.Paste(ctx, app, c, text)
}

func (s *side) Press(ctx context.Context, app, combo string) *surfaces.Reply {
	s.note("press")
	return s.Fake.Press(ctx, app, combo)
}

func (s *side) Launch(ctx context.Context, app string) *surfaces.Reply {
	s.note("launch")
	return s.Fake.Launch(ctx, app)
}

func (s *side) Navigate(ctx context.Context, url string) *surfaces.Reply {
	s.note("navigate")
	return s.Fake.Navigate(ctx, url)
}

func (s *side) Back(ctx context.Context, app string) *surfaces.Reply {
	s.note("back")
	return s.Fake.Back(ctx, app)
}

func (s *side) DismissCover(ctx context.Context, c *surfaces.Candidate) *surfaces.Reply {
	s.note("dismiss_cover")
	return s.Fake.DismissCover(ctx, c)
}

func (s *side) Settle(ctx context.Context)        { s.note("settle") }
func (s *side) SettleBriefly(ctx context.Context) { s.note("settle_briefly") }
func (s *side) AwaitChange(context.Context, int) bool {
	s.note("await_change")
	return true
}

// both is a workspace of two sides and the log of what reached them.
func both() (w *workspace.Workspace, desktop, browser *side, log *[]string) {
	log = &[]string{}
	desktop, browser = newSide(surfaces.Desktop, log), newSide(surfaces.Browser, log)
	return workspace.New(desktop, browser), desktop, browser, log
}

func last(log *[]string) string {
	if len(*log) == 0 {
		return ""
	}
	return (*log)[len(*log)-1]
}

func TestSF17A83BrowserOnly(t *testing.T) {
	log := &[]string{}
	w := workspace.New(nil, newSide(surfaces.Browser, log))
	replies := []*surfaces.Reply{w.Launch(t.Context(), "Files"), w.Press(t.Context(), "Files", "return"), w.Paste(t.Context(), "Files", nil, "x")}
	if _, r := w.Observe(t.Context(), "Files", "", surfaces.Full); r != nil {
		replies = append(replies, r)
	}
	var commands []string
	for _, r := range replies {
		commands = append(commands, r.Command)
		if r.Code() != fault.DesktopNotAvailable || r.Error.Delivery != surfaces.NotDelivered || r.Error.Hint == "" {
			t.Errorf("%s answered %+v, want DESKTOP_NOT_AVAILABLE", r.Command, r.Error)
		}
	}
	if want := []string{"launch", "press", "paste", "observe"}; !slices.Equal(commands, want) {
		t.Errorf("commands %v, want %v", commands, want)
	}
	if w.Active() != surfaces.Browser || len(*log) != 0 {
		t.Errorf("active %s, the browser was used for %v", w.Active(), *log)
	}
}

func TestSF18DesktopOnly(t *testing.T) {
	log := &[]string{}
	w := workspace.New(newSide(surfaces.Desktop, log), nil)
	if r := w.Navigate(t.Context(), "https://shop.test/"); r.Code() != fault.BrowserNotAvailable || r.Command != "navigate" {
		t.Errorf("answered %+v", r)
	}
	if w.Active() != surfaces.Desktop || len(*log) != 0 || w.Reach() != (surfaces.Reach{}) {
		t.Errorf("active %s, the desktop was used for %v", w.Active(), *log)
	}
}

func TestSF19SideFor(t *testing.T) {
	tests := map[string]surfaces.Side{
		"browser": surfaces.Browser, " Browser ": surfaces.Browser, "browser:shop": surfaces.Browser,
		"https://a.example": surfaces.Browser, "HTTP://a.example": surfaces.Browser,
		"browserish": surfaces.Desktop, "browserish notes": surfaces.Desktop, "Mail": surfaces.Desktop, "httpd": surfaces.Desktop, "": surfaces.Desktop,
	}
	for app, want := range tests {
		if got := workspace.SideFor(app); got != want {
			t.Errorf("SideFor(%q) = %s, want %s", app, got, want)
		}
	}
}

func TestSF20FirstActiveSide(t *testing.T) {
	log := &[]string{}
	d, b := newSide(surfaces.Desktop, log), newSide(surfaces.Browser, log)
	for _, tt := range []struct {
		w    *workspace.Workspace
		want surfaces.Side
	}{{workspace.New(d, b), surfaces.Desktop}, {workspace.New(d, nil), surfaces.Desktop}, {workspace.New(nil, b), surfaces.Browser}, {workspace.New(nil, nil), surfaces.Desktop}} {
		if got := tt.w.Active(); got != tt.want {
			t.Errorf("active %s, want %s", got, tt.want)
		}
	}
}

func TestSF21A90FailedNavigateChangesNothing(t *testing.T) {
	w, _, browser, log := both()
	browser.FailNext("navigate", surfaces.Fail("navigate", fault.BrowserUnavailable, "no browser"))
	w.Navigate(t.Context(), "https://shop.test/")
	w.Execute(t.Context(), surfaces.Scroll, nil, "")
	if last(log) != "desktop execute" {
		t.Errorf("the act reached %q", last(log))
	}
	if w.Navigate(t.Context(), "https://shop.test/"); w.Active() != surfaces.Browser {
		t.Error("a navigate that went well left the desktop active")
	}
}

func TestSF22PressLeavesTheActiveSide(t *testing.T) {
	w, _, _, log := both()
	if _, r := w.Observe(t.Context(), "Files", "", surfaces.Full); r != nil {
		t.Fatal(r.Err())
	}
	w.Press(t.Context(), "browser", "return")
	if last(log) != "browser press" {
		t.Errorf("the press reached %q", last(log))
	}
	w.Execute(t.Context(), surfaces.Scroll, nil, "")
	if last(log) != "desktop execute" {
		t.Errorf("the act reached %q", last(log))
	}
}

func TestSF23BackOnTheDesktopRefuses(t *testing.T) {
	w, _, _, _ := both()
	w.Navigate(t.Context(), "https://shop.test/")
	w.Launch(t.Context(), "Files")
	if r := w.Back(t.Context(), "browser"); r.Code() != fault.ActionNotSupported {
		t.Errorf("back answered %v", r.Err())
	}
	if r := w.DismissCover(t.Context(), nil); r.Code() != fault.ActionNotSupported {
		t.Errorf("dismiss_cover answered %v", r.Err())
	}
}

func TestSF24NeitherSide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := workspace.New(nil, nil)
		start := time.Now()
		w.Settle(t.Context())
		w.SettleBriefly(t.Context())
		if w.AwaitChange(t.Context(), 1000) || time.Since(start) != 0 {
			t.Error("with no side something was waited for")
		}
		if r := w.Execute(t.Context(), surfaces.Click, nil, ""); r.Code() != fault.DesktopNotAvailable || r.Command != "click" {
			t.Errorf("an act answered %+v", r)
		}
		if _, ok := w.ReadValue(t.Context(), nil); ok || w.Holding() {
			t.Error("there is something to read or to hold")
		}
	})
}

func TestSF25VisibleText(t *testing.T) {
	w, _, _, _ := both()
	w.Navigate(t.Context(), "https://shop.test/")
	want := []string{"Welcome", `textbox "Address" = "` + strings.Repeat("ä", 80) + `"`, `button "Buy"`, `textbox "Note"`}
	if diff := cmp.Diff(want, w.VisibleText(t.Context())); diff != "" {
		t.Errorf("visible text (-want +got):\n%s", diff)
	}
}

func TestSF26VisibleTextOfNothing(t *testing.T) {
	w, desktop, _, _ := both()
	if got := w.VisibleText(t.Context()); len(got) != 0 {
		t.Errorf("before anything was observed: %q", got)
	}
	w.Launch(t.Context(), "Files")
	desktop.Die()
	if got := w.VisibleText(t.Context()); len(got) != 0 {
		t.Errorf("of a closed app: %q", got)
	}
}

func TestSF27VisibleTextKeepsTheRouting(t *testing.T) {
	w, _, _, log := both()
	w.Navigate(t.Context(), "https://shop.test/")
	w.Launch(t.Context(), "Files")
	before := w.Active()
	w.VisibleText(t.Context())
	w.Execute(t.Context(), surfaces.Scroll, nil, "")
	if w.Active() != before || last(log) != "desktop execute" {
		t.Errorf("active %s, the act reached %q", w.Active(), last(log))
	}
}

// model is the routing table of surfaces.md section 6, written a second time.
type model struct {
	active  surfaces.Side
	present map[surfaces.Side]bool
}

// TestRoutingTable runs random verbs, some failing, against random sides and
// compares where each one went with the table.
func TestRoutingTable(t *testing.T) {
	apps := []string{"browser", "browser:shop", "https://shop.test/", "Files", "Mail", "browserish", ""}
	verbs := []string{"observe", "execute", "read_value", "paste", "press", "launch", "navigate", "back", "dismiss_cover", "settle", "settle_briefly", "await_change"}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 7))
		log := &[]string{}
		sides := map[surfaces.Side]*side{surfaces.Desktop: newSide(surfaces.Desktop, log), surfaces.Browser: newSide(surfaces.Browser, log)}
		m := model{active: surfaces.Desktop, present: map[surfaces.Side]bool{surfaces.Desktop: rng.IntN(4) > 0, surfaces.Browser: rng.IntN(4) > 0}}
		var desktop, browser workspace.Member
		if m.present[surfaces.Desktop] {
			desktop = sides[surfaces.Desktop]
		}
		if m.present[surfaces.Browser] {
			browser = sides[surfaces.Browser]
		}
		if desktop == nil && browser != nil {
			m.active = surfaces.Browser
		}
		w := workspace.New(desktop, browser)
		var history []string
		for range 40 {
			verb, app, fails := verbs[rng.IntN(len(verbs))], apps[rng.IntN(len(apps))], rng.IntN(3) == 0
			history = append(history, fmt.Sprintf("%s(%q) fails=%v", verb, app, fails))
			want := m.step(verb, app, fails)
			*log = nil
			failure := surfaces.Fail(verb, fault.Timeout, "scripted")
			if fails && (verb == "observe" || verb == "launch" || verb == "navigate") {
				sides[surfaces.Desktop].FailNext(verb, failure)
				sides[surfaces.Browser].FailNext(verb, failure)
			}
			call(t, w, verb, app)
			// A scripted failure that was not asked for would fail a later call.
			drain(t, sides, verb)
			got := ""
			if len(*log) > 0 {
				got = (*log)[0]
			}
			if got != want || w.Active() != m.active {
				t.Fatalf("seed %d: reached %q, active %s; want %q, %s\n%s", seed, got, w.Active(), want, m.active, strings.Join(history, "\n"))
			}
		}
	}
}

// step says which side a verb reaches, and what is active afterwards.
func (m *model) step(verb, app string, fails bool) string {
	to := m.active
	switch verb {
	case "navigate":
		to = surfaces.Browser
	case "observe", "paste", "press", "launch":
		switch {
		case app == "browser", strings.HasPrefix(app, "browser:"), strings.HasPrefix(app, "https://"):
			to = surfaces.Browser
		case app != "":
			to = surfaces.Desktop
		}
	}
	if !m.present[to] {
		return ""
	}
	if !fails {
		switch verb {
		case "observe", "launch", "navigate":
			m.active = to
		}
	}
	return string(to) + " " + verb
}

func call(t *testing.T, w *workspace.Workspace, verb, app string) {
	ctx := t.Context()
	switch verb {
	case "observe":
		w.Observe(ctx, app, "", surfaces.Full)
	case "execute":
		w.Execute(ctx, surfaces.Scroll, nil, "")
	case "read_value":
		w.ReadValue(ctx, &surfaces.Candidate{})
	case "paste":
		w.Paste(ctx, app, &surfaces.Candidate{}, "")
	case "press":
		w.Press(ctx, app, "return")
	case "launch":
		w.Launch(ctx, app)
	case "navigate":
		w.Navigate(ctx, "https://shop.test/")
	case "back":
		w.Back(ctx, app)
	case "dismiss_cover":
		w.DismissCover(ctx, &surfaces.Candidate{})
	case "settle":
		w.Settle(ctx)
	case "settle_briefly":
		w.SettleBriefly(ctx)
	case "await_change":
		w.AwaitChange(ctx, 1)
	default:
		t.Fatalf("no verb %q", verb)
	}
}

// drain takes up scripted failures that no call used.
func drain(t *testing.T, sides map[surfaces.Side]*side, verb string) {
	for _, s := range sides {
		for range 2 {
			switch verb {
			case "observe":
				s.Fake.Observe(t.Context(), "", "", surfaces.Full)
			case "launch":
				s.Fake.Launch(t.Context(), "Files")
			case "navigate":
				s.Fake.Navigate(t.Context(), "https://shop.test/")
			}
		}
	}
}

func TestLostIsToldOnceAndEndsWithRelease(t *testing.T) {
	w, desktop, browser, _ := both()
	lost := w.Lost()
	browser.Die()
	if got := <-lost; got != surfaces.Browser {
		t.Errorf("lost %q, want the browser", got)
	}
	select {
	case s := <-w.Lost():
		t.Errorf("lost %q a second time", s)
	default:
	}
	for range 2 {
		if err := w.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if !desktop.Released() || !browser.Released() {
		t.Error("a side was not given back")
	}
	desktop.Die()
	select {
	case s := <-lost:
		t.Errorf("lost %q after the release", s)
	default:
	}
}

func TestCloseKeepsTheSides(t *testing.T) {
	w, _, browser, _ := both()
	w.Navigate(t.Context(), "https://shop.test/")
	if !w.Holding() || w.Reach().Address != "https://shop.test/" {
		t.Errorf("holding %v, reach %+v", w.Holding(), w.Reach())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if browser.Released() {
		t.Error("closing the connection released the browser")
	}
}

// driver makes Fakes and remembers what it was asked.
type driver struct {
	kind      surfaces.Side
	available surfaces.Availability
	made      []*surfacetest.Fake
	binding   *surfaces.Binding
	fails     error
	destroyed []surfaces.Binding
}

func (d *driver) Side(_ string, _ surfaces.Needs, b *surfaces.Binding, _ surfaces.Keeper) (workspace.Member, error) {
	if d.fails != nil {
		return nil, d.fails
	}
	f := surfacetest.New(d.kind)
	d.made, d.binding = append(d.made, f), b
	return f, nil
}

func (d *driver) Destroy(_ context.Context, b surfaces.Binding) error {
	d.destroyed = append(d.destroyed, b)
	return nil
}

func (d *driver) Available() surfaces.Availability { return d.available }

func drivers() (browser, desktop *driver, o workspace.Opener) {
	browser = &driver{kind: surfaces.Browser, available: surfaces.Availability{Kind: surfaces.Browser, Available: true}}
	desktop = &driver{kind: surfaces.Desktop, available: surfaces.Availability{Kind: surfaces.Desktop, Available: true}}
	return browser, desktop, workspace.Opener{Browser: browser, Desktop: desktop}
}

func TestOpenBuildsOnlyTheSidesAllowed(t *testing.T) {
	tests := []struct {
		name             string
		sides            []surfaces.Side
		browser, desktop int
	}{
		{"every one", nil, 1, 1},
		{"browser", []surfaces.Side{surfaces.Browser}, 1, 0},
		{"desktop", []surfaces.Side{surfaces.Desktop}, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			browser, desktop, o := drivers()
			bindings := []surfaces.Binding{{Side: surfaces.Browser, Driver: "test"}}
			if _, err := o.Open("t-1", surfaces.Needs{Sides: tt.sides}, bindings, nil); err != nil {
				t.Fatal(err)
			}
			if len(browser.made) != tt.browser || len(desktop.made) != tt.desktop {
				t.Errorf("made %d browsers and %d desktops, want %d and %d", len(browser.made), len(desktop.made), tt.browser, tt.desktop)
			}
			if tt.browser > 0 && (browser.binding == nil || desktop.binding != nil) {
				t.Error("the binding did not reach its side alone")
			}
		})
	}
}

func TestSF88UnavailableDesktopSaysWhy(t *testing.T) {
	_, desktop, o := drivers()
	desktop.available = surfaces.Availability{Kind: surfaces.Desktop, Reason: "there is no display", Hint: "Start the desk inside a graphical session."}
	p, err := o.Open("t-1", surfaces.Needs{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Launch(t.Context(), "Files")
	if r.Code() != fault.DesktopNotAvailable || !strings.Contains(r.Error.Message, "no display") || r.Error.Hint != desktop.available.Hint {
		t.Errorf("answered %+v", r.Error)
	}
	if r := p.Navigate(t.Context(), "https://shop.test/"); !r.OK {
		t.Errorf("the browser does not work: %v", r.Err())
	}
	if diff := cmp.Diff([]surfaces.Availability{{Kind: surfaces.Browser, Available: true}, desktop.available}, o.Available()); diff != "" {
		t.Errorf("available (-want +got):\n%s", diff)
	}
}

func TestOpenWithoutADesktopDriver(t *testing.T) {
	browser, _, _ := drivers()
	o := workspace.Opener{Browser: browser}
	p, err := o.Open("t-1", surfaces.Needs{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Launch(t.Context(), "Files"); r.Code() != fault.DesktopNotAvailable || p.Active() != surfaces.Browser {
		t.Errorf("answered %v with %s active", r.Err(), p.Active())
	}
	if got := o.Available()[1]; got.Available || got.Reason == "" || got.Hint == "" {
		t.Errorf("available %+v, want a reason and a hint", got)
	}
}

func TestOpenFailsWhole(t *testing.T) {
	browser, desktop, o := drivers()
	browser.fails = fault.New(fault.InvalidRequest, "no such profile")
	p, err := o.Open("t-1", surfaces.Needs{}, nil, nil)
	if p != nil || !errors.Is(err, browser.fails) {
		t.Errorf("gave %v, %v", p, err)
	}
	if _, r := desktop.made[0].Observe(t.Context(), "", "", surfaces.Full); r.Code() != fault.NoSuchSession {
		t.Error("the side made first was left connected")
	}
}

func TestDestroyGoesToTheDriver(t *testing.T) {
	browser, _, o := drivers()
	b := surfaces.Binding{Side: surfaces.Browser, Driver: "test"}
	if err := o.Destroy(t.Context(), b); err != nil || len(browser.destroyed) != 1 {
		t.Errorf("destroyed %v, %v", browser.destroyed, err)
	}
	if err := (workspace.Opener{}).Destroy(t.Context(), b); fault.CodeOf(err) != fault.Internal {
		t.Errorf("without a driver: %v", err)
	}
}
