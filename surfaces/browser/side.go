package browser

import (
	"context"
	"errors"
	"net/url"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	devpage "github.com/chromedp/cdproto/page"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
	"countersign/surfaces/origin"
	"countersign/surfaces/workspace"
)

// Side is the browser side of one workspace: one page of one browser, opened by
// the first verb that needs it. Its verbs are serialized.
type Side struct {
	id      string
	driver  *Driver
	needs   surfaces.Needs
	origins origin.List
	keep    surfaces.Keeper // nil: bindings are not kept
	turn    chan struct{}   // holds the one verb that runs
	lost    chan struct{}   // one loss at most, so a buffer of one never blocks

	mu      sync.Mutex // guards the rest; held for no call out
	session string     // s-1, s-2, …; empty before it opened
	tab     *tab
	bound   *binding
	gone    bool // its browser died
	closed  bool
}

var _ workspace.Member = (*Side)(nil)

// Session describes an open browser session (surfaces.md 8.7).
type Session struct {
	ID       string
	Endpoint string
	Launched bool
	Headless bool
	URL      string
}

// Session gives what is open; false when nothing is.
func (s *Side) Session() (Session, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tab == nil || s.gone {
		return Session{}, false
	}
	return Session{
		ID: s.session, Endpoint: s.bound.DevTools + s.bound.Endpoint, Launched: !s.bound.attached(),
		Headless: !s.bound.attached() && !s.bound.Headed, URL: s.tab.events.where(),
	}, true
}

// Holding reports whether a page is open, or would be found again.
func (s *Side) Holding() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.closed && !s.gone && (s.tab != nil || s.bound != nil && s.bound.live())
}

// Lost is signalled once when the page or its browser has died.
func (s *Side) Lost() <-chan struct{} { return s.lost }

// Reach gives the DevTools address of the browser and the page it shows.
func (s *Side) Reach() surfaces.Reach {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tab == nil || s.gone {
		return surfaces.Reach{}
	}
	r := surfaces.Reach{Endpoint: s.bound.Endpoint, Address: s.tab.events.where(), Headed: s.bound.Headed || s.bound.attached()}
	if u, err := url.Parse(s.bound.DevTools); err == nil && u.Host != "" {
		r.Endpoint = "http://" + u.Host
	}
	return r
}

// BringForward raises the window of the page, wherever it has gone and whatever
// stands open in it. It implements surfaces.Forwarder.
func (s *Side) BringForward(ctx context.Context) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.give()
	t, err := s.opened(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.driver.options.Timeout)
	defer cancel()
	_, err = call(ctx, t, devpage.BringToFront, cdp.Empty{})
	return err
}

// Release gives the page back: a browser we started is ended and its temporary
// folder removed, of the person's only our own tab is closed. Idempotent.
func (s *Side) Release(ctx context.Context) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.give()
	s.disconnect()
	s.mu.Lock()
	bound := s.bound
	s.bound, s.closed = nil, true
	s.mu.Unlock()
	s.driver.dismiss(s)
	if bound == nil {
		return nil
	}
	if err := s.driver.destroy(ctx, *bound); err != nil {
		return err
	}
	if s.keep == nil {
		return nil
	}
	return s.keep.Unbind(surfaces.Browser)
}

// Close only disconnects: the browser lives on and its binding stays good.
func (s *Side) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), s.driver.options.Timeout) // Close has no context of its own
	defer cancel()
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.give()
	s.disconnect()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.driver.dismiss(s)
	return nil
}

func (s *Side) disconnect() {
	s.mu.Lock()
	t := s.tab
	s.tab = nil
	s.mu.Unlock()
	if t != nil {
		t.close()
	}
}

// take waits for this verb's turn.
func (s *Side) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Side) give() { <-s.turn }

// lose notes that the browser died; it may be called from any goroutine.
func (s *Side) lose() {
	s.mu.Lock()
	first := !s.gone && !s.closed
	s.gone = true
	if first && s.bound != nil && !s.bound.attached() {
		address := s.bound.Address
		if s.tab != nil {
			address = bare(s.tab.events.where())
		}
		s.driver.remember(s.bound.Process, address)
	}
	s.mu.Unlock()
	if !first {
		return
	}
	s.driver.dismiss(s)
	s.lost <- struct{}{}
}

func (s *Side) bind(b binding) error {
	s.mu.Lock()
	s.bound = &b
	s.mu.Unlock()
	if s.keep == nil {
		return nil
	}
	sb, err := b.encode()
	if err != nil {
		return err
	}
	return s.keep.Bind(sb)
}

// opened gives the page, opening or finding it when that is not done yet.
func (s *Side) opened(ctx context.Context) (*tab, error) {
	ctx, cancel := context.WithTimeout(ctx, host.StartWithin+s.driver.options.Timeout)
	defer cancel()
	s.mu.Lock()
	t, gone, closed, bound := s.tab, s.gone, s.closed, s.bound
	s.mu.Unlock()
	switch {
	case closed:
		return nil, fault.New(fault.NoSuchSession, "the browser session is closed")
	case gone:
		return nil, fault.New(fault.NoSuchSession, "the browser of this task died")
	case t != nil:
		return t, nil
	}
	if bound != nil && bound.live() {
		address, reported := s.driver.forget(bound.Process)
		if !reported {
			return s.again(ctx, *bound)
		}
		bound = &binding{Profile: bound.Profile, Address: address}
	}
	return s.anew(ctx, bound)
}

// again finds the page of an earlier process.
func (s *Side) again(ctx context.Context, b binding) (*tab, error) {
	if err := s.driver.admit(s, b.Profile); err != nil {
		return nil, err
	}
	t, b, err := s.connect(ctx, b)
	if err != nil {
		s.driver.dismiss(s)
		if errors.Is(err, errDead) || b.attached() {
			s.lose()
			return nil, fault.Wrap(fault.NoSuchSession, err, "the browser of this task is not there any more")
		}
		return nil, err
	}
	return s.use(ctx, t)
}

// anew starts a browser, or attaches to the person's, and connects to it as an
// earlier process would be found again.
func (s *Side) anew(ctx context.Context, old *binding) (*tab, error) {
	b := binding{Endpoint: s.needs.Endpoint}
	var err error
	if b.attached() {
		err = s.driver.admit(s, "")
	} else {
		if old == nil {
			old = &binding{}
		}
		b, err = s.start(ctx, *old)
	}
	var t *tab
	if err == nil {
		t, b, err = s.connect(ctx, b)
	}
	if err == nil {
		err = s.bind(b)
	}
	if err == nil && b.Address != "" && !b.attached() {
		err = restore(ctx, s, t, b.Address)
	}
	if err != nil {
		s.undo(ctx, t, b)
		return nil, err
	}
	return s.use(ctx, t)
}

// undo leaves nothing of a start that failed.
func (s *Side) undo(ctx context.Context, t *tab, b binding) {
	if t != nil {
		t.close()
	}
	s.driver.dismiss(s)
	s.mu.Lock()
	s.bound = nil
	s.mu.Unlock()
	clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*endGrace)
	defer cancel()
	if b.Process.PID == 0 && !b.Temporary && !b.OwnTab {
		return // somebody else's folder or browser
	}
	if s.driver.destroy(clean, b) == nil && s.keep != nil {
		_ = s.keep.Unbind(surfaces.Browser) // an orphaned binding is destroyed at the next start
	}
}

// use makes the page this side's, after a first page outside the list was left.
func (s *Side) use(ctx context.Context, t *tab) (*tab, error) {
	s.mu.Lock()
	s.tab = t
	s.mu.Unlock()
	if s.origins.Admits(t.events.where()) {
		return t, nil
	}
	if err := s.leave(ctx, t); err != nil {
		return nil, fault.Wrap(fault.PolicyDenied, err, "the page the browser restored is not on the list, and could not be left")
	}
	return t, nil
}

// act is the frame around every verb: its turn, its time, an open page, no
// script dialog in the way, and origins checked before and after.
func (s *Side) act(ctx context.Context, command string, do func(context.Context, *tab) *surfaces.Reply) *surfaces.Reply {
	if err := s.take(ctx); err != nil {
		return unsent(failed(command, err))
	}
	defer s.give()
	t, err := s.opened(ctx)
	if err != nil {
		return unsent(failed(command, err))
	}
	ctx, cancel := context.WithTimeout(ctx, s.driver.options.Timeout)
	defer cancel()
	if d := t.events.prompt(); d != nil {
		return behindDialog(command, d)
	}
	if !s.origins.Admits(t.events.where()) {
		return s.denied(ctx, t, command, surfaces.NotDelivered)
	}
	r := do(ctx, t)
	if r.Code() == fault.Timeout && look(t.events, func() bool { return t.events.pending != "" }) {
		t.stopLoading(ctx) // a site that does not answer must not hold the page it was reached from
	}
	if r.Code() == fault.NoSuchSession {
		s.lose()
		return r
	}
	if !s.origins.Admits(t.events.where()) {
		return s.denied(ctx, t, command, surfaces.DeliveryUnknown)
	}
	return r
}

// unsent says that a failure came before anything reached the page.
func unsent(r *surfaces.Reply) *surfaces.Reply {
	if r.Error != nil {
		r.Error.Delivery = surfaces.NotDelivered
	}
	return r
}
