package workspace

import (
	"context"
	"errors"
	"strings"
	"sync"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Workspace is the live place of one task. It is a surfaces.Place: every call
// goes to exactly one side, by the name it carries or else to the active one.
// A failed call changes nothing, so that an unnamed call never lands on a side
// that just failed to open. Safe for concurrent use.
type Workspace struct {
	desktop, browser Member                                  // nil: this task does not have it
	absent           map[surfaces.Side]surfaces.Availability // why a side that was wanted is not there

	mu      sync.Mutex // guards the next two; held for no call out
	active  surfaces.Side
	lastApp string // what was last observed, launched or navigated; empty: nothing yet

	lost   chan surfaces.Side
	listen sync.Once
	stop   chan struct{} // ends the goroutines that listen for losses
	ended  sync.Once
	wg     sync.WaitGroup
}

var _ surfaces.Place = (*Workspace)(nil)

// New joins the sides a task has; either may be nil. The active side is the one
// present, the desktop when both or neither are.
func New(desktop, browser Member) *Workspace {
	w := &Workspace{
		desktop: desktop, browser: browser, active: surfaces.Desktop,
		lost: make(chan surfaces.Side, 2), // one signal of each side
		stop: make(chan struct{}),
	}
	if desktop == nil && browser != nil {
		w.active = surfaces.Browser
	}
	return w
}

// SideFor is the side a name belongs to: browser, browser:NAME and web
// addresses to the browser, everything else to the desktop.
func SideFor(app string) surfaces.Side {
	name := strings.ToLower(strings.TrimSpace(app))
	if name == "browser" {
		return surfaces.Browser
	}
	for _, prefix := range []string{"browser:", "http://", "https://"} {
		if strings.HasPrefix(name, prefix) {
			return surfaces.Browser
		}
	}
	return surfaces.Desktop
}

// Active is the side an unnamed call goes to.
func (w *Workspace) Active() surfaces.Side {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.active
}

func (w *Workspace) side(s surfaces.Side) Member {
	if s == surfaces.Browser {
		return w.browser
	}
	return w.desktop
}

// named is the side of a name; no name is the active side.
func (w *Workspace) named(app string) (surfaces.Side, Member) {
	s := SideFor(app)
	if strings.TrimSpace(app) == "" {
		s = w.Active()
	}
	return s, w.side(s)
}

// went records that a call made s the active side.
func (w *Workspace) went(s surfaces.Side, app string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active, w.lastApp = s, app
}

// missing is the reply of a verb routed to a side the task does not have.
func (w *Workspace) missing(command string, s surfaces.Side) *surfaces.Reply {
	code := fault.DesktopNotAvailable
	if s == surfaces.Browser {
		code = fault.BrowserNotAvailable
	}
	why, unavailable := w.absent[s]
	if !unavailable {
		return surfaces.Fail(command, code, "this task was not given the "+string(s))
	}
	r := surfaces.Fail(command, code, "the "+string(s)+" cannot be had: "+why.Reason)
	if why.Hint != "" {
		r.Error.Hint = why.Hint
	}
	return r
}

// Observe reads app on its side and makes that side active.
func (w *Workspace) Observe(ctx context.Context, app, root string, depth surfaces.Depth) (*surfaces.Screen, *surfaces.Reply) {
	s, m := w.named(app)
	if m == nil {
		return nil, w.missing("observe", s)
	}
	screen, r := m.Observe(ctx, app, root, depth)
	if screen == nil {
		return nil, r
	}
	name := app
	if strings.TrimSpace(app) == "" {
		name = screen.App
	}
	w.went(s, name)
	return screen, nil
}

// Execute acts on the active side: the target was read there.
func (w *Workspace) Execute(ctx context.Context, op surfaces.Op, target *surfaces.Candidate, text string) *surfaces.Reply {
	s := w.Active()
	m := w.side(s)
	if m == nil {
		return w.missing(string(op), s)
	}
	return m.Execute(ctx, op, target, text)
}

// ReadValue asks the active side.
func (w *Workspace) ReadValue(ctx context.Context, target *surfaces.Candidate) (string, bool) {
	m := w.side(w.Active())
	if m == nil {
		return "", false
	}
	return m.ReadValue(ctx, target)
}

// Paste goes to the side of app and leaves the active side as it is.
func (w *Workspace) Paste(ctx context.Context, app string, target *surfaces.Candidate, text string) *surfaces.Reply {
	s, m := w.named(app)
	if m == nil {
		return w.missing("paste", s)
	}
	return m.Paste(ctx, app, target, text)
}

// Press goes to the side of app and leaves the active side as it is.
func (w *Workspace) Press(ctx context.Context, app, combo string) *surfaces.Reply {
	s, m := w.named(app)
	if m == nil {
		return w.missing("press", s)
	}
	return m.Press(ctx, app, combo)
}

// Launch starts app on its side and makes that side active.
func (w *Workspace) Launch(ctx context.Context, app string) *surfaces.Reply {
	s, m := w.named(app)
	if m == nil {
		return w.missing("launch", s)
	}
	r := m.Launch(ctx, app)
	if r.OK {
		w.went(s, app)
	}
	return r
}

// Navigate always goes to the browser and makes it active.
func (w *Workspace) Navigate(ctx context.Context, url string) *surfaces.Reply {
	if w.browser == nil {
		return w.missing("navigate", surfaces.Browser)
	}
	r := w.browser.Navigate(ctx, url)
	if r.OK {
		w.went(surfaces.Browser, string(surfaces.Browser))
	}
	return r
}

// Back goes to the browser when it is active, else to the desktop, which
// refuses.
func (w *Workspace) Back(ctx context.Context, app string) *surfaces.Reply {
	s := w.Active()
	m := w.side(s)
	if m == nil {
		return w.missing("back", s)
	}
	return m.Back(ctx, app)
}

// DismissCover goes where Back goes: only a page can say what lies over a
// control.
func (w *Workspace) DismissCover(ctx context.Context, target *surfaces.Candidate) *surfaces.Reply {
	s := w.Active()
	m := w.side(s)
	if m == nil {
		return w.missing("dismiss_cover", s)
	}
	return m.DismissCover(ctx, target)
}

// Photograph is asked of the active side.
func (w *Workspace) Photograph(ctx context.Context, hide surfaces.Hidden) (*surfaces.Picture, *surfaces.Reply) {
	const command = "photograph"
	s := w.Active()
	m := w.side(s)
	if m == nil {
		return nil, w.missing(command, s)
	}
	p, ok := m.(surfaces.Photographer)
	if !ok {
		return nil, surfaces.Fail(command, fault.ActionNotSupported, "this side gives no pictures")
	}
	return p.Photograph(ctx, hide)
}

// Settle lets the active side react.
func (w *Workspace) Settle(ctx context.Context) {
	if m := w.side(w.Active()); m != nil {
		m.Settle(ctx)
	}
}

// SettleBriefly lets the active side react to what fetches nothing.
func (w *Workspace) SettleBriefly(ctx context.Context) {
	if m := w.side(w.Active()); m != nil {
		m.SettleBriefly(ctx)
	}
}

// AwaitChange waits for the active side; with none, nothing can change.
func (w *Workspace) AwaitChange(ctx context.Context, ms int) bool {
	m := w.side(w.Active())
	return m != nil && m.AwaitChange(ctx, ms)
}

// members are the sides present.
func (w *Workspace) members() map[surfaces.Side]Member {
	present := map[surfaces.Side]Member{}
	for _, s := range []surfaces.Side{surfaces.Browser, surfaces.Desktop} {
		if m := w.side(s); m != nil {
			present[s] = m
		}
	}
	return present
}

// Holding reports whether any side is open, or would be found again.
func (w *Workspace) Holding() bool {
	for _, m := range w.members() {
		if m.Holding() {
			return true
		}
	}
	return false
}

// Reach tells a person how to get at the browser; zero when it is not open.
func (w *Workspace) Reach() surfaces.Reach {
	if w.browser == nil {
		return surfaces.Reach{}
	}
	return w.browser.Reach()
}

// BringForward implements surfaces.Forwarder.
func (w *Workspace) BringForward(ctx context.Context) error {
	f, ok := w.browser.(surfaces.Forwarder)
	if !ok {
		return fault.New(fault.BrowserUnavailable, "this task has no browser")
	}
	return f.BringForward(ctx)
}

// Lost delivers a side at most once when what it lived in has died. Listening
// begins with the first call and ends with Release or Close.
func (w *Workspace) Lost() <-chan surfaces.Side {
	w.listen.Do(func() {
		for s, m := range w.members() {
			w.wg.Go(func() { // ended by end
				select {
				case <-m.Lost():
					w.lost <- s
				case <-w.stop:
				}
			})
		}
	})
	return w.lost
}

// end stops listening for losses.
func (w *Workspace) end() {
	w.ended.Do(func() { close(w.stop) })
	w.wg.Wait()
}

// Release gives every side back, whatever became of the task: a launched
// browser is closed, an attached one left. Idempotent.
func (w *Workspace) Release(ctx context.Context) error {
	w.end()
	var errs []error
	for _, m := range w.members() {
		errs = append(errs, m.Release(ctx))
	}
	return errors.Join(errs...)
}

// Close only disconnects; bindings stay good.
func (w *Workspace) Close() error {
	w.end()
	var errs []error
	for _, m := range w.members() {
		errs = append(errs, m.Close())
	}
	return errors.Join(errs...)
}
