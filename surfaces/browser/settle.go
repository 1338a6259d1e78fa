package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"countersign/surfaces"
)

// Waits of surfaces.md 8.4.
const (
	firstSign    = 450 * time.Millisecond
	networkCap   = time.Second            // QUIET_MS
	networkQuiet = 100 * time.Millisecond // NETWORK_QUIET
	suggestQuiet = 500 * time.Millisecond
	sentBefore   = 3 * time.Second // requests sent so long before still count
	stillFor     = 50 * time.Millisecond
	stillCap     = 400 * time.Millisecond
	steadyCap    = 2 * time.Second
	steadyIdle   = 500 * time.Millisecond // no request for so long is an idle network
	steadyPause  = 400 * time.Millisecond
	slack        = 500 * time.Millisecond // past a cap, so that a page being replaced cannot hold a wait
)

// emptyPage is what a new tab shows.
const emptyPage = "about:blank"

// moment is the state of a page before an act, to tell what the act caused.
type moment struct {
	at      time.Time
	changes int // of the document, counted by our script
	seen    int // requests begun
	commits int
	files   int
	failed  int // navigations that ended without a new document
	loader  cdp.LoaderID
	world   string
}

// begin notes the moment before an act.
func (t *tab) begin(ctx context.Context) {
	var m struct {
		Changes int `json:"changes"`
	}
	_ = t.ask(ctx, "moment", nil, &m) // a page without a script world is judged by its events alone
	t.hasty, t.saves = false, false
	t.since = t.events.now()
	t.since.changes, t.since.world = m.Changes, t.world
}

// now is the moment as the events tell it.
func (e *events) now() moment {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.opened = ""
	return moment{at: time.Now(), seen: e.seen, commits: e.commits, files: len(e.files), failed: e.failed, loader: e.loader}
}

// Settle gives the page time to react to the last act.
func (s *Side) Settle(ctx context.Context) { s.settle(ctx, false) }

// SettleBriefly is Settle without waiting for the network, after something that
// fetches nothing.
func (s *Side) SettleBriefly(ctx context.Context) { s.settle(ctx, true) }

func (s *Side) settle(ctx context.Context, brief bool) {
	t, done := s.waiting(ctx)
	if t == nil {
		return
	}
	defer done()
	if s.driver.options.Mode == Steady {
		t.steady(ctx)
		return
	}
	if !t.signs(ctx) {
		return
	}
	if !brief {
		t.quiet(ctx)
	}
	t.still(ctx)
}

// waiting takes the turn for a wait; nil when there is no page to wait for.
func (s *Side) waiting(ctx context.Context) (*tab, func()) {
	if s.take(ctx) != nil {
		return nil, nil
	}
	s.mu.Lock()
	t := s.tab
	if s.gone {
		t = nil
	}
	s.mu.Unlock()
	if t == nil || t.events.prompt() != nil {
		s.give()
		return nil, nil
	}
	return t, s.give
}

// signs waits for the first sign of an effect; false when there is none.
func (t *tab) signs(ctx context.Context) bool {
	left := firstSign
	if !t.since.at.IsZero() {
		left -= time.Since(t.since.at)
	}
	e, m := t.events, t.since
	if m.at.IsZero() && look(e, e.rests) {
		return false // nothing was done that it could react to
	}
	moved := func() bool {
		return e.seen > m.seen || e.commits > m.commits || e.pending != "" || e.asked || e.dead || e.dialog != nil
	}
	if look(e, moved) || t.world != m.world {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, max(left, 0)+slack)
	defer cancel()
	got := make(chan bool, 1)
	go func() { // ends with ctx, which this function cancels
		var changed bool
		err := t.ask(ctx, "sign", map[string]any{"since": m.changes, "ms": max(left, 0).Milliseconds()}, &changed)
		got <- changed || replaced(err)
	}()
	event := make(chan struct{})
	go func() { // ends with ctx too
		if e.until(ctx, moved) {
			close(event)
		}
	}()
	select {
	case changed := <-got:
		return changed || look(e, moved)
	case <-event:
		cancel()
		<-got
		return true
	}
}

// rests says whether the page has loaded and fetches nothing; mu is held. The
// empty page of a new tab does not tell that it has loaded.
func (e *events) rests() bool {
	return (e.stage["load"] || e.address == emptyPage) && len(e.requests) == 0 && e.pending == "" && !e.asked
}

// quiet waits until the requests that change the page have ended.
func (t *tab) quiet(ctx context.Context) {
	calm := networkQuiet
	ctx, cancel := context.WithTimeout(ctx, networkCap)
	defer cancel()
	start := time.Now()
	for ctx.Err() == nil {
		var flying, began bool
		var last time.Time
		look(t.events, func() bool {
			for _, at := range t.events.requests {
				flying = flying || t.since.at.IsZero() || at.After(t.since.at.Add(-sentBefore))
			}
			flying = flying || t.events.pending != ""
			began, last = t.events.seen > t.since.seen, t.events.begun
			return t.events.dead || t.events.dialog != nil
		})
		wait := time.Duration(0)
		if began {
			wait = calm - time.Since(last)
		}
		if t.hasty {
			wait = max(wait, suggestQuiet-time.Since(start))
		}
		if !flying && wait <= 0 {
			return
		}
		if flying {
			wait = max(wait, 10*time.Millisecond)
		}
		_ = pause(ctx, wait)
	}
}

// still waits until nothing changes and nothing moves.
func (t *tab) still(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, stillCap+slack)
	defer cancel()
	args := map[string]any{"quiet": stillFor.Milliseconds(), "ms": stillCap.Milliseconds()}
	_ = t.ask(ctx, "still", args, nil) // a page that cannot say is not waited for
}

// steady waits for an idle network and then a little more.
func (t *tab) steady(ctx context.Context) {
	short, cancel := context.WithTimeout(ctx, steadyCap)
	defer cancel()
	for short.Err() == nil {
		idle := look(t.events, func() bool {
			return len(t.events.requests) == 0 && t.events.pending == "" && time.Since(t.events.begun) >= steadyIdle
		})
		if idle {
			break
		}
		_ = pause(short, 20*time.Millisecond)
	}
	surfaces.Pause(ctx, steadyPause)
}

// AwaitChange watches the page for at most ms milliseconds.
func (s *Side) AwaitChange(ctx context.Context, ms int) bool {
	t, done := s.waiting(ctx)
	if t == nil {
		return true // cannot watch
	}
	defer done()
	e := t.events
	commits := look(e, func() int { return e.commits })
	wait := time.Duration(max(ms, 0)) * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, wait+slack)
	defer cancel()
	var m struct {
		Changes int `json:"changes"`
	}
	if t.ask(ctx, "moment", nil, &m) != nil {
		return true
	}
	var changed bool
	if err := t.ask(ctx, "sign", map[string]any{"since": m.Changes, "ms": wait.Milliseconds()}, &changed); err != nil {
		return true
	}
	return changed || look(e, func() bool { return e.commits > commits })
}
