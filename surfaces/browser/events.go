package browser

import (
	"context"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// worldName starts the name of our isolated world in every document. A number
// follows: a document that comes back out of the history would give its former
// world without telling of it.
const worldName = "countersign"

// dialog is an open script dialog.
type dialog struct {
	kind    page.DialogType
	message string
	text    string // what a prompt proposes
}

// events is what a page told us so far. The listener of the target writes it, in
// the order of the protocol, and never blocks; verbs read it.
type events struct {
	mu       sync.Mutex
	frame    cdp.FrameID // the main frame
	address  string      // of the committed document, with its fragment
	loader   cdp.LoaderID
	status   map[cdp.LoaderID]int // HTTP status of main documents, the last few
	stage    map[string]bool      // lifecycle events of the present loader
	pending  cdp.LoaderID         // a navigation that has started and not committed
	asked    bool                 // the page asked for a navigation that has not started
	failed   int                  // navigations that ended without a new document
	commits  int                  // documents committed and moves within one
	worlds   map[runtime.ExecutionContextID]string
	dialog   *dialog
	dead     bool
	requests map[network.RequestID]time.Time // in flight, of those that change the page
	begun    time.Time                       // when the last of them began
	seen     int                             // how many began
	opened   string                          // address a script wanted a window for
	files    []string                        // names of downloads begun
	halts    map[int]halt
	last     int // number of the last halt
	wakes    []chan struct{}
}

// halt cuts off one call.
type halt struct {
	cancel  context.CancelCauseFunc
	leaving bool // also when the page starts to navigate
}

func newEvents() *events {
	return &events{
		status: map[cdp.LoaderID]int{}, stage: map[string]bool{}, worlds: map[runtime.ExecutionContextID]string{},
		requests: map[network.RequestID]time.Time{}, halts: map[int]halt{},
	}
}

// heard takes one event of the target. It runs on the goroutine that reads the
// connection.
func (e *events) heard(ev any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventExecutionContextCreated:
		if strings.HasPrefix(ev.Context.Name, worldName) {
			e.worlds[ev.Context.ID] = ev.Context.UniqueID
		}
		return
	case *runtime.EventExecutionContextDestroyed:
		maps.DeleteFunc(e.worlds, func(_ runtime.ExecutionContextID, id string) bool { return id == ev.ExecutionContextUniqueID })
		return
	case *runtime.EventExecutionContextsCleared:
		clear(e.worlds)
	case *network.EventRequestWillBeSent, *network.EventResponseReceived, *network.EventLoadingFinished, *network.EventLoadingFailed:
		e.heardNetwork(ev)
	case *page.EventJavascriptDialogOpening:
		e.dialog = &dialog{kind: ev.Type, message: ev.Message, text: ev.DefaultPrompt}
		if ev.Type != page.DialogTypeBeforeunload {
			e.stop(errDialog)
		}
	case *page.EventJavascriptDialogClosed:
		e.dialog = nil
	case *inspector.EventTargetCrashed, *inspector.EventDetached:
		e.die()
	default:
		if !e.heardPage(ev) {
			return
		}
	}
	e.wake()
}

func (e *events) heardPage(ev any) bool {
	switch ev := ev.(type) {
	case *page.EventFrameNavigated:
		if ev.Frame.ParentID != "" {
			return false
		}
		e.commit(ev.Frame)
		if ev.Type == page.NavigationTypeBackForwardCacheRestore { // it is loaded already
			e.stage["DOMContentLoaded"], e.stage["load"] = true, true
		}
	case *page.EventNavigatedWithinDocument:
		if ev.FrameID != e.frame {
			return false
		}
		e.address = ev.URL
		e.commits++
		e.asked = false
	case *page.EventFrameRequestedNavigation:
		if ev.FrameID != e.frame || ev.Disposition != page.ClientNavigationDispositionCurrentTab {
			return false
		}
		e.asked = true
	case *page.EventFrameStartedNavigating:
		if ev.FrameID != e.frame || strings.Contains(strings.ToLower(string(ev.NavigationType)), "samedocument") {
			return false
		}
		if ev.LoaderID != e.loader {
			e.start(ev.LoaderID)
		}
	case *page.EventFrameStoppedLoading:
		if ev.FrameID != e.frame {
			return false
		}
		e.unstart()
	case *page.EventLifecycleEvent:
		if ev.FrameID != e.frame || ev.LoaderID != e.loader {
			return false
		}
		e.stage[ev.Name] = true
	case *page.EventWindowOpen:
		e.opened = ev.URL
	default:
		return false
	}
	return true
}

// start notes a navigation that was started. From now until it commits or ends
// the browser holds back every command to the page itself.
func (e *events) start(loader cdp.LoaderID) {
	e.pending, e.asked = loader, false
	for _, h := range e.halts {
		if h.leaving {
			h.cancel(errLeaving)
		}
	}
}

// unstart notes that a navigation ended without a new document.
func (e *events) unstart() {
	if e.pending != "" {
		e.failed++
	}
	e.pending, e.asked = "", false
}

func (e *events) commit(f *cdp.Frame) {
	e.frame, e.loader = f.ID, f.LoaderID
	e.address = f.URL + f.URLFragment
	e.pending, e.asked = "", false
	e.stage = map[string]bool{}
	e.commits++
	clear(e.requests)
}

func (e *events) heardNetwork(ev any) {
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		main := ev.Type == network.ResourceTypeDocument && ev.FrameID == e.frame
		if !main && !changesPage(ev.Type) {
			return
		}
		if main && string(ev.LoaderID) == string(ev.RequestID) && ev.LoaderID != e.loader {
			e.start(ev.LoaderID)
		}
		e.begun = time.Now()
		e.requests[ev.RequestID] = e.begun
		e.seen++
	case *network.EventResponseReceived:
		if ev.Type == network.ResourceTypeDocument && ev.FrameID == e.frame && ev.Response != nil {
			if len(e.status) > 16 {
				clear(e.status)
			}
			e.status[ev.LoaderID] = int(ev.Response.Status)
		}
	case *network.EventLoadingFinished:
		delete(e.requests, ev.RequestID)
	case *network.EventLoadingFailed:
		delete(e.requests, ev.RequestID)
		if string(ev.RequestID) == string(e.pending) {
			e.unstart()
		}
	}
}

// changesPage says which requests can change what a page shows (surfaces.md
// 8.4): not pings, pictures, fonts, media, or documents of other frames.
func changesPage(t network.ResourceType) bool {
	switch t {
	case network.ResourceTypeScript, network.ResourceTypeStylesheet, network.ResourceTypeXHR, network.ResourceTypeFetch:
		return true
	default:
		return false
	}
}

// downloading notes a file that one of the page's frames began to load; the
// navigation that was to show it is over.
func (e *events) downloading(ev browser.EventDownloadWillBegin) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if ev.FrameID != e.frame {
		return
	}
	e.files = append(e.files, filepath.Base(ev.SuggestedFilename))
	e.unstart()
	e.wake()
}

// die ends every call; mu is held.
func (e *events) die() {
	e.dead = true
	e.stop(errGone)
	e.wake()
}

// gone is die for callers outside.
func (e *events) gone() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.die()
}

// stop cuts off the calls that run; mu is held.
func (e *events) stop(cause error) {
	for _, h := range e.halts {
		h.cancel(cause)
	}
}

func (e *events) wake() {
	for _, w := range e.wakes {
		close(w)
	}
	e.wakes = nil
}

// scope bounds one call: it ends with ctx, when a script dialog opens, and when
// the page dies. The cause tells which.
func (e *events) scope(ctx context.Context) (context.Context, func()) { return e.bound(ctx, false) }

// here bounds calls that are of no use once the page has started to navigate.
func (e *events) here(ctx context.Context) (context.Context, func()) { return e.bound(ctx, true) }

func (e *events) bound(ctx context.Context, leaving bool) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last++
	id := e.last
	e.halts[id] = halt{cancel, leaving}
	switch {
	case e.dead:
		cancel(errGone)
	case e.dialog != nil && e.dialog.kind != page.DialogTypeBeforeunload:
		cancel(errDialog)
	case leaving && e.pending != "":
		cancel(errLeaving)
	}
	return ctx, func() {
		e.mu.Lock()
		delete(e.halts, id)
		e.mu.Unlock()
		cancel(nil)
	}
}

// until waits until ready, which is called with mu held, says so; it looks again
// after every event. False when ctx ended first.
func (e *events) until(ctx context.Context, ready func() bool) bool {
	for {
		e.mu.Lock()
		if ready() {
			e.mu.Unlock()
			return true
		}
		w := make(chan struct{})
		e.wakes = append(e.wakes, w)
		e.mu.Unlock()
		select {
		case <-w:
		case <-ctx.Done():
			return false
		}
	}
}

// look reads the state under the lock.
func look[T any](e *events, read func() T) T {
	e.mu.Lock()
	defer e.mu.Unlock()
	return read()
}

func (e *events) where() string { return look(e, func() string { return e.address }) }

func (e *events) prompt() *dialog {
	return look(e, func() *dialog {
		if e.dialog == nil || e.dialog.kind == page.DialogTypeBeforeunload {
			return nil
		}
		d := *e.dialog
		return &d
	})
}
