package surfacetest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Conformance is the suite every surface passes. Open gives a fresh surface
// that already shows the form (FormHTML, or an application like it) under the
// name app; it is called once per test and cleans up by t.Cleanup.
func Conformance(t *testing.T, app string, open func(t *testing.T) surfaces.Surface) {
	tests := []struct {
		name string
		run  func(*subject)
	}{
		{"reads the form", (*subject).readsTheForm},
		{"SF-08 a still page keeps its fingerprint", (*subject).keepsItsFingerprint},
		{"types, and reads back", (*subject).types},
		{"pastes over what was there", (*subject).pastes},
		{"SF-15 tells no password", (*subject).tellsNoPassword},
		{"SF-09 ticks once", (*subject).ticksOnce},
		{"chooses from a native list", (*subject).chooses},
		{"clicks once per click", (*subject).clicksOnce},
		{"fails closed on a control that is gone", (*subject).failsClosed},
		{"refuses text where none goes", (*subject).refusesText},
		{"refuses what is covered", (*subject).refusesCovered},
		{"SF-06 honours a cancelled context", (*subject).honoursCancel},
		{"SF-07 touches nothing when there is nothing to do", (*subject).touchesNothing},
		{"awaits a change", (*subject).awaitsChange},
		{"serves several goroutines", (*subject).servesSeveral},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(&subject{T: t, app: app, s: open(t)}) })
	}
}

// subject is the surface under test with what every test asks of it.
type subject struct {
	*testing.T
	app string
	s   surfaces.Surface
}

// patience bounds one verb; no conforming surface comes near.
const patience = 20 * time.Second

func (t *subject) observe() *surfaces.Screen {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	screen, r := t.s.Observe(ctx, t.app, "", surfaces.Full)
	if (screen == nil) == (r == nil) {
		t.Fatalf("observe gave screen %v and reply %v, want exactly one", screen, r)
	}
	if r != nil {
		t.Fatalf("observe: %v", r.Err())
	}
	return screen
}

func find(s *surfaces.Screen, role, name string) *surfaces.Candidate {
	for i := range s.Candidates {
		if c := &s.Candidates[i]; c.Name == name && c.Role == role {
			return c
		}
	}
	return nil
}

func (t *subject) want(role, name string) *surfaces.Candidate {
	t.Helper()
	s := t.observe()
	c := find(s, role, name)
	if c == nil {
		var lines []string
		for i := range s.Candidates {
			lines = append(lines, surfaces.Line(&s.Candidates[i], true))
		}
		t.Fatalf("no %s %q among:\n%s", role, name, strings.Join(lines, "\n"))
	}
	return c
}

func (t *subject) execute(op surfaces.Op, target *surfaces.Candidate, text string) *surfaces.Reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r := t.s.Execute(ctx, op, target, text)
	t.envelope(r, string(op))
	t.s.Settle(ctx)
	return r
}

func (t *subject) must(op surfaces.Op, target *surfaces.Candidate, text string) {
	t.Helper()
	if err := t.execute(op, target, text).Err(); err != nil {
		t.Fatalf("%s %s: %v", op, target.Label(), err)
	}
}

// envelope checks what holds for every reply.
func (t *subject) envelope(r *surfaces.Reply, command string) {
	t.Helper()
	if r == nil {
		t.Fatal("no reply")
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if r.Command != command || r.OK == (r.Error != nil) || !r.OK && (r.Error.Hint == "" || r.Error.Code.Hint() == "") {
		t.Errorf("SF-03 reply %s, want command %q and exactly one of data and error, with a known code and a hint", raw, command)
	}
}

func (t *subject) shows(line string) bool {
	t.Helper()
	return slices.Contains(t.observe().Context, line)
}

func (t *subject) readsTheForm() {
	s := t.observe()
	if s.Window != "Conformance form" || s.Surface != surfaces.FrontWindow {
		t.Errorf("window %q, surface %q", s.Window, s.Surface)
	}
	for _, want := range []struct{ role, name string }{
		{"textbox", "Name"},
		{"textbox", "Password"},
		{"checkbox", "Terms"},
		{"option", "Green"},
		{"button", "Count"},
		{"button", "Extra"},
		{"button", "Beneath"},
	} {
		if find(s, want.role, want.name) == nil {
			t.Errorf("no %s %q", want.role, want.name)
		}
	}
	refs := map[string]bool{}
	for i, c := range s.Candidates {
		if c.Ref == "" || refs[c.Ref] {
			t.Errorf("%s has the ref %q, want one of its own", c.Label(), c.Ref)
		}
		refs[c.Ref] = true
		if i > 0 && c.Order < s.Candidates[i-1].Order {
			t.Errorf("%s stands before its predecessor", c.Label())
		}
	}
	if !slices.Contains(s.Context, "pressed 0 times") {
		t.Errorf("context %q, want the line pressed 0 times", s.Context)
	}
}

func (t *subject) keepsItsFingerprint() {
	a, b := t.observe(), t.observe()
	if surfaces.Fingerprint(a) != surfaces.Fingerprint(b) {
		t.Errorf("two readings of a still page differ: %s", surfaces.ChangeNote(a, b, true))
	}
}

func (t *subject) types() {
	name := t.want("textbox", "Name")
	if !name.TakesText() {
		t.Fatalf("%s offers %v", name.Label(), name.Actions)
	}
	t.must(surfaces.TypeText, name, "Mira Olsen")
	if got, ok := t.s.ReadValue(t.Context(), name); !ok || got != "Mira Olsen" {
		t.Errorf("ReadValue = %q, %v", got, ok)
	}
	again := t.want("textbox", "Name")
	if again.Value != "Mira Olsen" {
		t.Errorf("the next reading holds %q", again.Value)
	}
	t.must(surfaces.TypeText, again, "Jo")
	if got := t.want("textbox", "Name").Value; got != "Jo" {
		t.Errorf("typing over it left %q, want Jo", got)
	}
	if t.shows("Jo") {
		t.Error("what a field holds is in the context")
	}
}

func (t *subject) pastes() {
	t.must(surfaces.TypeText, t.want("textbox", "Name"), "before")
	r := t.s.Paste(t.Context(), t.app, t.want("textbox", "Name"), "after")
	t.envelope(r, "paste")
	if got := t.want("textbox", "Name").Value; got != "after" {
		t.Errorf("pasting over it left %q, want after (%v)", got, r.Err())
	}
}

func (t *subject) tellsNoPassword() {
	const secret = "hunter2-swordfish"
	field := t.want("textbox", "Password")
	t.must(surfaces.TypeText, field, secret)
	if got, ok := t.s.ReadValue(t.Context(), field); ok || got != "" {
		t.Errorf("ReadValue of a password = %q, %v", got, ok)
	}
	raw, err := json.Marshal(t.observe())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), secret) {
		t.Error("the reading holds the password")
	}
}

func (t *subject) ticksOnce() {
	before := t.observe()
	t.must(surfaces.Check, find(before, "checkbox", "Terms"), "")
	after := t.observe()
	if !find(after, "checkbox", "Terms").Has(surfaces.Checked) || surfaces.Fingerprint(before) == surfaces.Fingerprint(after) {
		t.Error("check left it as it was")
	}
	t.must(surfaces.Check, find(after, "checkbox", "Terms"), "")
	ticked := t.want("checkbox", "Terms")
	if !ticked.Has(surfaces.Checked) {
		t.Error("checking what is checked unticked it")
	}
	t.must(surfaces.Uncheck, ticked, "")
	if t.want("checkbox", "Terms").Has(surfaces.Checked) {
		t.Error("uncheck left it ticked")
	}
}

func (t *subject) chooses() {
	t.must(surfaces.Click, t.want("option", "Green"), "")
	if !t.want("option", "Green").Has(surfaces.Selected) || t.want("option", "Red").Has(surfaces.Selected) {
		t.Error("Green is not the one selected")
	}
}

func (t *subject) clicksOnce() {
	t.must(surfaces.Click, t.want("button", "Count"), "")
	t.must(surfaces.Click, t.want("button", "Count"), "")
	if !t.shows("pressed 2 times") {
		t.Errorf("after two clicks the form says %q", t.observe().Context)
	}
}

func (t *subject) failsClosed() {
	extra := t.want("button", "Extra")
	t.must(surfaces.Click, t.want("button", "Remove"), "")
	r := t.execute(surfaces.Click, extra, "")
	if r.Code() != fault.StaleRef || r.Error.Delivery != surfaces.NotDelivered {
		t.Errorf("clicking what is gone answered %v, want STALE_REF, not delivered", r.Err())
	}
	r = t.execute(surfaces.Click, &surfaces.Candidate{Ref: "made:up", Role: "button", Name: "Count"}, "")
	if c := r.Code(); c != fault.StaleRef && c != fault.ElementNotFound && c != fault.InvalidArgs {
		t.Errorf("clicking an invented ref answered %q", c)
	}
	if !t.shows("pressed 0 times") {
		t.Error("a failed click reached another control")
	}
}

func (t *subject) refusesText() {
	r := t.execute(surfaces.TypeText, t.want("button", "Count"), "hello")
	if r.Code() != fault.NotATextField || r.Error.Delivery != surfaces.NotDelivered {
		t.Errorf("typing into a button answered %v, want NOT_A_TEXT_FIELD", r.Err())
	}
	if r := t.execute("juggle", t.want("button", "Count"), ""); r.Code() != fault.InvalidArgs {
		t.Errorf("an unknown operation answered %v, want INVALID_ARGS", r.Err())
	}
	if !t.shows("pressed 0 times") {
		t.Error("a refused act was carried out")
	}
}

func (t *subject) refusesCovered() {
	r := t.execute(surfaces.Click, t.want("button", "Beneath"), "")
	if r.Code() != fault.NotActionable || !strings.Contains(r.Error.Details.Cover, "Lying on top") {
		t.Errorf("clicking what is covered answered %v, want NOT_ACTIONABLE that names the cover", r.Err())
	}
	if !t.want("button", "Beneath").Has(surfaces.Covered) {
		t.Error("it is not marked covered")
	}
}

func (t *subject) honoursCancel() {
	count := t.want("button", "Count")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	start := time.Now()
	if screen, r := t.s.Observe(ctx, t.app, "", surfaces.Full); screen != nil || r == nil {
		t.Error("a cancelled observe gave a screen")
	}
	t.envelope(t.s.Execute(ctx, surfaces.Click, count, ""), "click")
	t.s.Settle(ctx)
	t.s.AwaitChange(ctx, int(patience.Milliseconds()))
	if took := time.Since(start); took > patience/4 {
		t.Errorf("cancelled verbs took %v", took)
	}
	t.must(surfaces.Click, t.want("button", "Count"), "")
	if !t.shows("pressed 1 times") {
		t.Errorf("after a cancelled click and a real one the form says %q", t.observe().Context)
	}
}

func (t *subject) touchesNothing() {
	before := t.observe()
	count := find(before, "button", "Count")
	for _, op := range []surfaces.Op{surfaces.Drill, surfaces.Widen, surfaces.Done, surfaces.Blocked, surfaces.Wait} {
		if err := t.execute(op, count, "").Err(); err != nil {
			t.Errorf("%s: %v", op, err)
		}
	}
	if now := t.observe(); surfaces.Fingerprint(before) != surfaces.Fingerprint(now) {
		t.Errorf("something was touched: %s", surfaces.ChangeNote(before, now, true))
	}
}

func (t *subject) awaitsChange() {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := t.s.Execute(ctx, surfaces.Click, t.want("button", "Grow"), "").Err(); err != nil {
		t.Fatal(err)
	}
	for range 40 { // a surface that cannot watch answers true early
		if !t.s.AwaitChange(ctx, 2000) {
			break
		}
		if t.shows("a late line") {
			return
		}
	}
	if !t.shows("a late line") {
		t.Error("the form changed by itself, and no wait told of it")
	}
}

func (t *subject) servesSeveral() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 3 {
				t.s.Observe(t.Context(), t.app, "", surfaces.Full)
				t.s.Execute(t.Context(), surfaces.Scroll, nil, "")
			}
		})
	}
	wg.Wait()
	t.must(surfaces.Click, t.want("button", "Count"), "")
	if !t.shows("pressed 1 times") {
		t.Error("after several goroutines it no longer works")
	}
}
