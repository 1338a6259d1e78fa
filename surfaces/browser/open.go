package browser

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"syscall"
	"time"

	devbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	devpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"

	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

// errDead says that what a binding refers to does not live any more.
var errDead = errors.New("what the binding refers to is gone")

// start makes the resource of a launched side: the folder, written down before
// the browser starts, and the browser.
func (s *Side) start(ctx context.Context, old binding) (binding, error) {
	b := binding{Profile: s.needs.Profile, Headed: s.needs.Headed, Address: old.Address}
	exe := s.needs.Executable
	if exe == "" {
		exe = s.driver.options.Executable
	}
	path, err := host.FindChromium(exe)
	if err != nil {
		return b, err
	}
	b.Temporary = b.Profile == ""
	if b.Temporary {
		b.Profile = old.Profile
	}
	if b.Temporary && !host.IsFolder(b.Profile) {
		if b.Profile, err = host.NewProfile(s.driver.root()); err != nil {
			return b, fault.Wrap(fault.BrowserUnavailable, err, "no profile folder can be made").
				WithHint("Make the state folder writable, or free some space on its disk.")
		}
	}
	if err := s.driver.admit(s, b.Profile); err != nil {
		return b, err
	}
	if err := vacate(ctx, b); err != nil {
		return b, err
	}
	if err := s.bind(b); err != nil {
		return b, err
	}
	c, err := host.StartChromium(ctx, host.Launch{
		Executable: path, Profile: b.Profile, Headed: b.Headed,
		Width: s.driver.options.Width, Height: s.driver.options.Height, UserAgent: s.driver.options.UserAgent, Env: s.driver.options.Env,
	})
	b.Process, b.DevTools = c.Process, c.DevTools
	return b, err
}

// vacate makes sure that no browser runs on the folder: one of ours that was
// started and never used is ended, another one is left alone.
func vacate(ctx context.Context, b binding) error {
	p, held := host.HolderOf(b.Profile)
	if !held {
		return nil
	}
	if !b.Temporary {
		return inUse(b.Profile)
	}
	return p.End(ctx, 0)
}

// connect reaches the page a binding refers to; without a target it takes the
// first one and says so in the binding it returns. errDead when it is gone.
func (s *Side) connect(ctx context.Context, b binding) (*tab, binding, error) {
	address := b.DevTools
	if b.attached() {
		address = b.Endpoint
	} else if !b.Process.Alive() {
		return nil, b, errDead
	}
	link, err := dial(ctx, address)
	if err != nil {
		if b.live() && !b.attached() {
			err = errors.Join(errDead, err)
		}
		return nil, b, err
	}
	t, b, err := s.attach(ctx, link, b)
	if err != nil {
		link.close()
		return nil, b, err
	}
	return t, b, nil
}

// link is a connection to a browser, not yet to a page.
type link struct {
	ctx   context.Context // lives as long as the connection, not as long as a verb
	close func()
}

func dial(ctx context.Context, address string) (*link, error) {
	base, cancelAlloc := remote.NewAllocator(context.WithoutCancel(ctx), address)
	quiet := func(string, ...any) {} // what chromedp would log may hold what a page says
	bctx, cancel := chromedp.NewContext(base, chromedp.WithLogf(quiet), chromedp.WithErrorf(quiet))
	l := &link{ctx: bctx, close: func() {
		cancel()
		cancelAlloc()
		chromedp.FromContext(base).Allocator.Wait()
	}}
	// The first call must not have a deadline of its own, which would become the
	// connection's, so it is cut off from outside.
	stop := context.AfterFunc(ctx, cancel)
	_, err := chromedp.Targets(bctx)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err == nil {
		return l, nil
	}
	l.close()
	return nil, fault.Wrap(fault.BrowserUnavailable, err, "the browser at "+address+" cannot be reached: "+plain(err)).
		WithHint("Check that a browser listens there: start it with --remote-debugging-port.")
}

// plain is the last part of a chain of errors: the transport's own words.
func plain(err error) string {
	parts := strings.Split(err.Error(), ": ")
	return parts[len(parts)-1]
}

func (s *Side) attach(ctx context.Context, l *link, b binding) (*tab, binding, error) {
	id, b, err := choose(ctx, l, b)
	if err != nil {
		return nil, b, err
	}
	t := &tab{events: newEvents(), admits: s.origins.Admits}
	t.worlds = t.events
	t.events.frame = cdp.FrameID(id)
	tctx, cancel := chromedp.NewContext(l.ctx, chromedp.WithTargetID(id), chromedp.WithDetachOnCancel(), chromedp.WithListener(t.events.heard))
	stop := context.AfterFunc(ctx, cancel)
	err = chromedp.Do(tctx)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		cancel()
		return nil, b, err
	}
	c := chromedp.FromContext(tctx)
	t.session, t.browser, t.life = c.Target, c.Browser, tctx
	done := make(chan struct{})
	watched := make(chan struct{})
	go func() { // ends with the connection, or when t.close closes done
		defer close(watched)
		s.watch(t, done)
	}()
	t.close = func() {
		close(done)
		cancel()
		l.close()
		<-watched
	}
	if err := s.prepare(ctx, t, b); err != nil {
		close(done)
		cancel()
		<-watched
		return nil, b, err
	}
	return t, b, nil
}

// choose picks the page: the bound one, the first of our own browser, or, in the
// person's, a new blank one. Their own tabs are never taken: they are in use, and
// another desk could take the same one.
func choose(ctx context.Context, l *link, b binding) (target.ID, binding, error) {
	if b.attached() && !b.live() {
		return ownTab(ctx, l, b)
	}
	for {
		infos, err := chromedp.Targets(l.ctx)
		if err != nil {
			return "", b, err
		}
		for _, i := range infos {
			if i.Type != "page" || strings.HasPrefix(i.URL, "devtools:") {
				continue
			}
			if b.live() && string(i.TargetID) != b.Target {
				continue
			}
			b.Target = string(i.TargetID)
			return i.TargetID, b, nil
		}
		if b.live() {
			return "", b, errDead
		}
		// Its first page comes a moment after its DevTools.
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return "", b, err
		}
	}
}

func ownTab(ctx context.Context, l *link, b binding) (target.ID, binding, error) {
	c := chromedp.FromContext(l.ctx)
	r, err := cdp.Call(ctx, c.Browser, target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	if err != nil {
		return "", b, err
	}
	b.Target, b.OwnTab = string(r.TargetID), true
	return r.TargetID, b, nil
}

// closeTab closes the tab we opened in a browser that is not ours. A browser that
// is gone took its tabs along, and a tab that is gone is what was wanted.
func closeTab(ctx context.Context, b binding) error {
	l, err := dial(ctx, b.Endpoint)
	if errors.Is(err, syscall.ECONNREFUSED) {
		return nil
	}
	if err != nil {
		return err
	}
	defer l.close()
	browser := chromedp.FromContext(l.ctx).Browser
	_, err = cdp.Call(ctx, browser, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(b.Target)})
	if err == nil {
		return nil
	}
	open, listing := chromedp.Targets(l.ctx)
	if listing == nil && !slices.ContainsFunc(open, func(t *target.Info) bool { return t.TargetID == target.ID(b.Target) }) {
		return nil
	}
	return fault.Wrap(fault.BrowserUnavailable, err, "our tab in the attached browser could not be closed: "+plain(err)).
		WithHint("Close the tab by hand.")
}

// prepare sets a page up: what chromedp mirrors and we do not use is turned off,
// our own headless browser gets the window every reading expects.
func (s *Side) prepare(ctx context.Context, t *tab, b binding) error {
	tree, err := call(ctx, t, devpage.GetFrameTree, cdp.Empty{})
	if err != nil {
		return err
	}
	t.events.mu.Lock()
	if t.events.commits == 0 {
		t.events.commit(tree.FrameTree.Frame)
	}
	t.events.mu.Unlock()
	if _, err := call(ctx, t, css.Disable, cdp.Empty{}); err != nil {
		return err
	}
	if _, err := call(ctx, t, dom.Disable, cdp.Empty{}); err != nil {
		return err
	}
	yes := true
	down := devbrowser.SetDownloadBehaviorParams{Behavior: devbrowser.SetDownloadBehaviorBehaviorDeny, EventsEnabled: &yes}
	if dir := s.driver.options.DownloadDir; dir != "" {
		down.Behavior, down.DownloadPath = devbrowser.SetDownloadBehaviorBehaviorAllow, dir
	}
	if b.attached() { // the person's own settings stay
		down.Behavior, down.DownloadPath = devbrowser.SetDownloadBehaviorBehaviorDefault, ""
	}
	if _, err := cdp.Call(ctx, t.browser, devbrowser.SetDownloadBehavior, down); err != nil {
		return err
	}
	if !b.Headed && !b.attached() {
		size := emulation.SetDeviceMetricsOverrideParams{Width: int64(s.driver.options.Width), Height: int64(s.driver.options.Height), DeviceScaleFactor: 1}
		if _, err := call(ctx, t, emulation.SetDeviceMetricsOverride, size); err != nil {
			return err
		}
		if _, err := call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
			return err
		}
	}
	return nil
}

// watch waits for the end of the page or of its browser, and lets a page go that
// asks to be kept.
func (s *Side) watch(t *tab, done <-chan struct{}) {
	detached, stop := t.browser.Subscribe("Target.detachedFromTarget")
	defer stop()
	files, stopFiles := t.browser.Subscribe("Browser.downloadWillBegin")
	defer stopFiles()
	ctx, cancel := context.WithCancel(context.Background()) // ends with done
	defer cancel()
	leaving := make(chan struct{})
	asks := func() { // one wait for a leave-page prompt; ends with ctx
		if t.events.until(ctx, func() bool {
			return t.events.dead || t.events.dialog != nil && t.events.dialog.kind == devpage.DialogTypeBeforeunload
		}) {
			select {
			case leaving <- struct{}{}:
			case <-ctx.Done():
			}
		}
	}
	go asks()
	for {
		select {
		case <-done:
			return
		case <-t.browser.LostConnection:
			s.unlessDone(t, done)
			return
		case raw, ok := <-detached:
			var ev target.EventDetachedFromTarget
			if ok && json.Unmarshal(raw, &ev) == nil && ev.SessionID != t.session.SessionID {
				continue
			}
			s.unlessDone(t, done)
			return
		case raw, ok := <-files:
			var ev devbrowser.EventDownloadWillBegin
			if ok && json.Unmarshal(raw, &ev) == nil {
				t.events.downloading(ev)
			}
			if !ok {
				files = nil
			}
		case <-leaving:
			if look(t.events, func() bool { return t.events.dead }) {
				s.lose()
				return
			}
			letGo(ctx, t)
			go asks()
		}
	}
}

// unlessDone takes the end of a connection for a loss, unless we ended it.
func (s *Side) unlessDone(t *tab, done <-chan struct{}) {
	select {
	case <-done:
	default:
		t.events.gone()
		s.lose()
	}
}

func letGo(ctx context.Context, t *tab) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, _ = cdp.Call(ctx, t.session, devpage.HandleJavaScriptDialog, devpage.HandleJavaScriptDialogParams{Accept: true})
	t.events.until(ctx, func() bool { return t.events.dialog == nil || t.events.dead })
}
