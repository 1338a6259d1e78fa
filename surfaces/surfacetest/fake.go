package surfacetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/origin"
)

// settleTime is the longest Settle waits for what Later announced, about what
// the browser side allows (surfaces.md 8.4).
const settleTime = time.Second

// Act is one thing that reached the application.
type Act struct {
	Verb string // click, type_text, …, paste, press, launch, navigate, back, dismiss_cover
	On   string // the label of what it was done to, or the address, app or combo
	Text string // what was typed
}

// Fake is a simulated application behind the Surface interface. Refs are new
// with every reading and those of an earlier one are STALE_REF. Safe for
// concurrent use; verbs are serialized.
type Fake struct {
	side surfaces.Side

	mu       sync.Mutex // guards all below, and is held while a handler runs
	pages    map[string]func() *Page
	app      *App
	allowed  origin.List
	failures map[string][]*surfaces.Reply
	reading  int
	refs     map[string]*Element // of the latest reading
	roots    map[string]string   // unexplored refs to path labels
	acts     []Act
	readings int
	pending  int           // Later not yet done
	changed  chan struct{} // closed and replaced with every change

	opened, dead, released, closed bool
	lost                           chan struct{}
}

// New makes a Fake that shows an empty page. Its first verb opens it.
func New(side surfaces.Side) *Fake {
	f := &Fake{
		side: side, pages: map[string]func() *Page{}, failures: map[string][]*surfaces.Reply{},
		changed: make(chan struct{}), lost: make(chan struct{}, 1),
	}
	f.app = &App{fake: f, page: &Page{}}
	if side == surfaces.Browser {
		f.app.address = "about:blank"
	}
	return f
}

// Serve says what an address shows, or on the desktop an application's name.
// Query and fragment may be left out of it.
func (f *Fake) Serve(address string, build func() *Page) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pages[address] = build
}

// Allow limits where it may navigate.
func (f *Fake) Allow(l origin.List) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.allowed = l
}

// Do changes or reads the application from a test.
func (f *Fake) Do(change func(*App)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f.app)
	f.notify()
}

// FailNext makes the next verb of that name answer r instead of acting;
// several are answered in order. Verbs are named as replies name them.
func (f *Fake) FailNext(verb string, r *surfaces.Reply) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures[verb] = append(f.failures[verb], r)
}

// Acts are all that reached the application, oldest first.
func (f *Fake) Acts() []Act {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.acts)
}

// Count is how many acts of a verb reached what is labelled on; an empty on
// counts them all.
func (f *Fake) Count(verb, on string) int {
	n := 0
	for _, a := range f.Acts() {
		if a.Verb == verb && (on == "" || a.On == on) {
			n++
		}
	}
	return n
}

// Readings is how often it was observed.
func (f *Fake) Readings() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readings
}

// begin is the common start of every verb; the lock is held when it answers
// nil, and not otherwise.
func (f *Fake) begin(ctx context.Context, verb string) *surfaces.Reply {
	if ctx.Err() != nil {
		r := surfaces.Fail(verb, fault.Timeout, "the call was cancelled before it began")
		r.Error.Delivery = surfaces.NotDelivered
		return r
	}
	f.mu.Lock()
	r := f.refusal(verb)
	if r != nil {
		f.mu.Unlock()
		return r
	}
	f.opened, f.app.moved = true, false
	return nil
}

func (f *Fake) refusal(verb string) *surfaces.Reply {
	if f.dead || f.released || f.closed {
		return surfaces.Fail(verb, fault.NoSuchSession, "the session is closed")
	}
	if queue := f.failures[verb]; len(queue) > 0 {
		f.failures[verb] = queue[1:]
		return queue[0]
	}
	return nil
}

// end is the common end of a verb that acted.
func (f *Fake) end(act Act) *surfaces.Reply {
	f.acts = append(f.acts, act)
	f.notify()
	var d surfaces.Data
	if f.side == surfaces.Browser {
		d.URL, d.Title = f.app.address, f.app.page.Title
	}
	if f.app.moved && f.side == surfaces.Browser {
		d.Status, d.Loading = f.app.page.Status, f.app.page.Loading
	}
	return surfaces.Succeed(act.Verb, d)
}

// Execute does one operation.
func (f *Fake) Execute(ctx context.Context, op surfaces.Op, target *surfaces.Candidate, text string) *surfaces.Reply {
	verb := string(op)
	switch op {
	case surfaces.Done, surfaces.Blocked, surfaces.Widen:
		return f.untouched(ctx, verb, "")
	case surfaces.Drill:
		if target == nil {
			return surfaces.Fail(verb, fault.InvalidArgs, "drill without a target")
		}
		return f.untouched(ctx, verb, target.Ref)
	case surfaces.Wait:
		surfaces.Pause(ctx, surfaces.WaitTime)
		return f.untouched(ctx, verb, "")
	case surfaces.Click, surfaces.TypeText, surfaces.Check, surfaces.Uncheck, surfaces.Expand, surfaces.Collapse, surfaces.Scroll:
	default:
		return surfaces.Fail(verb, fault.InvalidArgs, "no such operation")
	}
	if r := f.begin(ctx, verb); r != nil {
		return r
	}
	defer f.mu.Unlock()
	if f.app.alert != nil {
		return f.answerAlert(verb, target)
	}
	if op == surfaces.Scroll {
		return f.end(Act{Verb: verb})
	}
	e, r := f.resolve(verb, target)
	if r != nil {
		return r
	}
	return f.act(op, e, text)
}

func (f *Fake) act(op surfaces.Op, e *Element, text string) *surfaces.Reply {
	verb := string(op)
	act := Act{Verb: verb, On: label(e), Text: text}
	switch op {
	case surfaces.Click, surfaces.Expand, surfaces.Collapse:
		f.app.activate(e)
	case surfaces.Check, surfaces.Uncheck:
		if slices.Contains(e.States, surfaces.Checked) == (op == surfaces.Check) {
			return surfaces.Succeed(verb, surfaces.Data{})
		}
		f.app.activate(e)
	case surfaces.TypeText:
		if !e.takesText() {
			return surfaces.Fail(verb, fault.NotATextField, label(e)+" takes no text")
		}
		if !e.Deaf {
			f.app.put(e, text)
		}
	case surfaces.Scroll, surfaces.Wait, surfaces.Drill, surfaces.Widen, surfaces.Done, surfaces.Blocked: // Execute's
	}
	return f.end(act)
}

// untouched answers an operation that sends nothing to the application.
func (f *Fake) untouched(ctx context.Context, verb, root string) *surfaces.Reply {
	if r := f.begin(ctx, verb); r != nil {
		return r
	}
	defer f.mu.Unlock()
	return surfaces.Succeed(verb, surfaces.Data{Root: root})
}

// resolve finds the live, uncovered element behind a target of the latest
// reading; without a target it is the field in focus.
func (f *Fake) resolve(verb string, target *surfaces.Candidate) (*Element, *surfaces.Reply) {
	if target == nil {
		if verb == string(surfaces.TypeText) && f.app.focus != nil {
			return f.app.focus, nil
		}
		if verb == string(surfaces.TypeText) {
			return nil, surfaces.Fail(verb, fault.NotATextField, "nothing that takes text has the focus")
		}
		return nil, surfaces.Fail(verb, fault.InvalidArgs, "no target")
	}
	e, known := f.refs[target.Ref]
	if !known || !slices.Contains(f.app.elements(), e) {
		return nil, surfaces.Fail(verb, fault.StaleRef, "that control is of an earlier reading")
	}
	cover, covered := f.app.cover(e)
	if covered || slices.Contains(e.States, surfaces.Disabled) {
		return nil, notActionable(verb, e, cover)
	}
	return e, nil
}

func notActionable(verb string, e *Element, cover string) *surfaces.Reply {
	message := label(e) + " cannot be acted on"
	if cover != "" {
		message = label(e) + " is under " + cover
	}
	r := surfaces.Fail(verb, fault.NotActionable, message)
	r.Error.Delivery = surfaces.NotDelivered
	r.Error.Details = surfaces.Details{Cover: cover, EmptyLayer: e.EmptyLayer}
	if e.EmptyLayer && cover == "" {
		r.Error.Details.Cover = "an empty layer"
	}
	return r
}

func (f *Fake) answerAlert(verb string, target *surfaces.Candidate) *surfaces.Reply {
	open := f.app.alert
	if target == nil || verb != string(surfaces.Click) || target.Ref != alertOK && target.Ref != alertCancel {
		return scriptDialog(verb)
	}
	f.app.alert = nil
	handler := open.ok
	if target.Ref == alertCancel {
		handler = open.cancel
	}
	if handler != nil {
		handler(f.app)
	}
	return f.end(Act{Verb: verb, On: target.Label()})
}

func scriptDialog(verb string) *surfaces.Reply {
	r := surfaces.Fail(verb, fault.NotActionable, "a script dialog is open")
	r.Error.Delivery = surfaces.NotDelivered
	return r
}

// ReadValue gives what a field holds, never a password's.
func (f *Fake) ReadValue(ctx context.Context, target *surfaces.Candidate) (string, bool) {
	if target == nil || f.begin(ctx, "read_value") != nil {
		return "", false
	}
	defer f.mu.Unlock()
	e, known := f.refs[target.Ref]
	if !known || e.InputType == "password" || !slices.Contains(f.app.elements(), e) {
		return "", false
	}
	return e.Value, true
}

// Paste puts text into a field, a deaf one too.
func (f *Fake) Paste(ctx context.Context, _ string, target *surfaces.Candidate, text string) *surfaces.Reply {
	if r := f.begin(ctx, "paste"); r != nil {
		return r
	}
	defer f.mu.Unlock()
	if f.app.alert != nil {
		return scriptDialog("paste")
	}
	e, r := f.resolve("paste", target)
	if r != nil {
		return r
	}
	if !e.takesText() {
		return surfaces.Fail("paste", fault.NotATextField, label(e)+" takes no text")
	}
	f.app.put(e, text)
	return f.end(Act{Verb: "paste", On: label(e), Text: text})
}

// Press sends a key: the page's own handler, else Escape closes a layer.
func (f *Fake) Press(ctx context.Context, _, combo string) *surfaces.Reply {
	if r := f.begin(ctx, "press"); r != nil {
		return r
	}
	defer f.mu.Unlock()
	if f.app.alert != nil {
		return scriptDialog("press")
	}
	f.app.key(strings.ToLower(combo))
	return f.end(Act{Verb: "press", On: combo})
}

// Launch brings an application forward; a browser is already there.
func (f *Fake) Launch(ctx context.Context, app string) *surfaces.Reply {
	if r := f.begin(ctx, "launch"); r != nil {
		return r
	}
	defer f.mu.Unlock()
	if f.side == surfaces.Desktop {
		if _, ok := f.pages[app]; !ok {
			return surfaces.Fail("launch", fault.AppNotFound, fmt.Sprintf("no application %q", app))
		}
		f.app.load(app)
	}
	return f.end(Act{Verb: "launch", On: app})
}

// Navigate loads an address; only a browser can.
func (f *Fake) Navigate(ctx context.Context, url string) *surfaces.Reply {
	if f.side == surfaces.Desktop {
		return surfaces.Base{}.Navigate(ctx, url)
	}
	if r := f.begin(ctx, "navigate"); r != nil {
		return r
	}
	defer f.mu.Unlock()
	if !strings.Contains(url, ":") {
		url = "https://" + url
	}
	if !f.allowed.Admits(url) {
		return surfaces.Fail("navigate", fault.PolicyDenied, "that address is outside the allowed origins")
	}
	f.app.Go(url)
	return f.end(Act{Verb: "navigate", On: url})
}

// Back goes to the page before; only a browser can.
func (f *Fake) Back(ctx context.Context, app string) *surfaces.Reply {
	if f.side == surfaces.Desktop {
		return surfaces.Base{}.Back(ctx, app)
	}
	if r := f.begin(ctx, "back"); r != nil {
		return r
	}
	defer f.mu.Unlock()
	if n := len(f.app.history); n > 0 {
		before := f.app.history[n-1]
		f.app.history = f.app.history[:n-1]
		f.app.load(before)
	}
	return f.end(Act{Verb: "back", On: f.app.address})
}

// DismissCover lifts a bare backdrop; only a page has one.
func (f *Fake) DismissCover(ctx context.Context, target *surfaces.Candidate) *surfaces.Reply {
	if f.side == surfaces.Desktop {
		return surfaces.Base{}.DismissCover(ctx, target)
	}
	if r := f.begin(ctx, "dismiss_cover"); r != nil {
		return r
	}
	defer f.mu.Unlock()
	if target == nil {
		return surfaces.Fail("dismiss_cover", fault.InvalidArgs, "no target")
	}
	e, known := f.refs[target.Ref]
	if !known {
		return surfaces.Fail("dismiss_cover", fault.StaleRef, "that control is of an earlier reading")
	}
	if cover, covered := f.app.cover(e); covered && !e.EmptyLayer {
		return notActionable("dismiss_cover", e, cover)
	}
	if !e.EmptyLayer {
		return surfaces.Succeed("dismiss_cover", surfaces.Data{})
	}
	for _, other := range f.app.elements() {
		if other.EmptyLayer {
			other.Cover, other.EmptyLayer = "", false
		}
	}
	r := f.end(Act{Verb: "dismiss_cover", On: label(e)})
	dismissed := "an empty layer"
	r.Data.Dismissed = &dismissed
	return r
}

func label(e *Element) string {
	return (&surfaces.Candidate{Role: e.Role, Name: e.Name}).Label()
}
