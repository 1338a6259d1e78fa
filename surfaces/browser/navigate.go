package browser

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	devpage "github.com/chromedp/cdproto/page"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// landing is where a navigation ended.
type landing struct {
	title    string
	status   int
	download string
	loading  bool // it can be read, but something on it has not come
}

// loadPatience is how long a page whose document is complete may take for its
// load event: one picture that never comes must not hold what can be read.
const loadPatience = 5 * time.Second

// Navigate loads a web page and waits for its load event, or for loadPatience
// after its document is complete. HTTP errors are pages: their status is in the
// reply.
func (s *Side) Navigate(ctx context.Context, raw string) *surfaces.Reply {
	const command = "navigate"
	to, bad := address(raw)
	if bad != nil {
		return &surfaces.Reply{Command: command, Error: bad}
	}
	if !s.origins.Admits(to) {
		return surfaces.Fail(command, fault.PolicyDenied, "this address is outside the sites this task may use")
	}
	return s.act(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply {
		t.begin(ctx)
		l, err := t.open(ctx, to)
		if err != nil {
			return failed(command, err)
		}
		if err := s.note(t); err != nil {
			return failed(command, err)
		}
		return surfaces.Succeed(command, surfaces.Data{URL: t.events.where(), Title: l.title, Status: l.status, Download: l.download, Loading: l.loading})
	})
}

// note keeps the last page in the binding of a launched browser.
func (s *Side) note(t *tab) error {
	s.mu.Lock()
	b := *s.bound
	s.mu.Unlock()
	at := bare(t.events.where())
	if b.attached() || at == b.Address || !s.origins.Admits(t.events.where()) {
		return nil
	}
	b.Address = at
	return s.bind(b)
}

// restore opens the last page of a browser that died; a page that does not
// answer is no reason to have none.
func restore(ctx context.Context, s *Side, t *tab, to string) error {
	if !s.origins.Admits(to) {
		return nil
	}
	_, err := t.open(ctx, to)
	if err != nil && ctx.Err() != nil {
		return err
	}
	return nil
}

// open loads an address. A failure leaves the old page current.
func (t *tab) open(ctx context.Context, to string) (landing, error) {
	files := look(t.events, func() int { return len(t.events.files) })
	r, err := call(ctx, t, devpage.Navigate, devpage.NavigateParams{URL: to})
	if errors.Is(err, errDialog) { // the new page asks something already
		return landing{}, nil
	}
	if err != nil {
		t.stopLoading(ctx)
		return landing{}, err
	}
	if r.IsDownload || strings.Contains(r.ErrorText, "ERR_ABORTED") {
		return t.downloaded(ctx, files)
	}
	if r.ErrorText != "" {
		return landing{}, refuse(fault.PageError, "the page could not be loaded: "+strings.TrimPrefix(r.ErrorText, "net::"))
	}
	return t.loaded(ctx, r.LoaderID)
}

// loaded waits for a document that was asked for, and for loadPatience for the
// rest of it. A document that replaces itself meanwhile is waited for anew.
func (t *tab) loaded(ctx context.Context, loader cdp.LoaderID) (landing, error) {
	e := t.events
	at := func(stage string) func() bool {
		return func() bool {
			committed := loader == "" || e.loader == loader || e.commits > 0 && e.stage[stage]
			return e.dead || e.dialog != nil || committed && (loader == "" || e.stage[stage]) && e.pending == ""
		}
	}
	var l landing
	for complete := false; !complete; {
		if !e.until(ctx, at("DOMContentLoaded")) {
			t.stopLoading(ctx)
			return landing{}, ctx.Err()
		}
		document := look(e, func() cdp.LoaderID { return e.loader })
		short, cancel := context.WithTimeout(ctx, loadPatience)
		l.loading = !e.until(short, at("load"))
		cancel()
		complete = !l.loading || look(e, func() bool { return e.loader == document && e.pending == "" })
	}
	if look(e, func() bool { return e.dead }) {
		return landing{}, errGone
	}
	l.status = look(e, func() int { return e.status[e.loader] })
	h, err := t.history(ctx)
	if err == nil && int(h.CurrentIndex) < len(h.Entries) {
		l.title = h.Entries[h.CurrentIndex].Title
	}
	return l, nil
}

// downloaded names the file an address turned out to be.
func (t *tab) downloaded(ctx context.Context, before int) (landing, error) {
	short, cancel := context.WithTimeout(ctx, fileWait)
	defer cancel()
	t.events.until(short, func() bool { return len(t.events.files) > before })
	name := look(t.events, func() string {
		if len(t.events.files) <= before {
			return ""
		}
		return t.events.files[len(t.events.files)-1]
	})
	if name == "" {
		return landing{}, refuse(fault.PageError, "the page was not loaded: the site answered with nothing to show")
	}
	return landing{download: name}, nil
}

func (t *tab) stopLoading(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = call(ctx, t, devpage.StopLoading, cdp.Empty{}) // the page that stays is judged by the next look
	t.events.until(ctx, func() bool { return t.events.pending == "" || t.events.dead })
}

// Back goes one step back in history.
func (s *Side) Back(ctx context.Context, _ string) *surfaces.Reply {
	const command = "back"
	return s.act(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply { return s.back(ctx, t, command) })
}

func (s *Side) back(ctx context.Context, t *tab, command string) *surfaces.Reply {
	t.begin(ctx)
	h, err := t.history(ctx)
	if err != nil {
		return failed(command, err)
	}
	if h.CurrentIndex < 1 || int(h.CurrentIndex) >= len(h.Entries) {
		return unsent(surfaces.Fail(command, fault.PageError, "there is no page to go back to"))
	}
	before := h.Entries[h.CurrentIndex-1]
	if !s.origins.Admits(before.URL) {
		return surfaces.Fail(command, fault.PolicyDenied, "the page before is outside the sites this task may use")
	}
	if err := t.toEntry(ctx, before.ID); err != nil {
		return failed(command, err)
	}
	status := look(t.events, func() int { return t.events.status[t.events.loader] })
	return surfaces.Succeed(command, surfaces.Data{URL: t.events.where(), Title: before.Title, Status: status})
}

// history reads the history. It changes nothing, so it is read again when the
// page was just being replaced and the answer got lost.
func (t *tab) history(ctx context.Context) (devpage.GetNavigationHistoryResult, error) {
	for {
		h, err := call(ctx, t, devpage.GetNavigationHistory, cdp.Empty{})
		if err == nil || !replaced(err) || pause(ctx, 20*time.Millisecond) != nil {
			return h, err
		}
	}
}

// toEntry goes to an entry of the history and waits until it is there.
func (t *tab) toEntry(ctx context.Context, id int64) error {
	e := t.events
	from := look(e, func() int { return e.commits })
	loader := look(e, func() cdp.LoaderID { return e.loader })
	if _, err := call(ctx, t, devpage.NavigateToHistoryEntry, devpage.NavigateToHistoryEntryParams{EntryID: id}); err != nil && !replaced(err) {
		return err
	}
	there := func() bool {
		return e.dead || e.dialog != nil || e.commits > from && e.pending == "" && (e.loader == loader || e.stage["load"] || e.stage["DOMContentLoaded"])
	}
	if !e.until(ctx, there) {
		t.stopLoading(ctx)
		return ctx.Err()
	}
	if look(e, func() bool { return e.dead }) {
		return errGone
	}
	return nil
}
