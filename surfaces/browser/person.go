package browser

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// PersonsTab makes a side on a tab of the person's own browser, to be looked at
// where it stands: nothing is opened, and Release leaves the tab as it is. With
// which, the tab whose address or title holds that text. AMBIGUOUS_TARGET when
// several would do, ELEMENT_NOT_FOUND when none does, BROWSER_UNAVAILABLE when no
// browser answers at the endpoint.
func (d *Driver) PersonsTab(ctx context.Context, needs surfaces.Needs, which string) (*Side, error) {
	l, err := dial(ctx, needs.Endpoint)
	if err != nil {
		return nil, err
	}
	infos, err := chromedp.Targets(l.ctx)
	l.close()
	if err != nil {
		return nil, fault.Wrap(fault.BrowserUnavailable, err, "the tabs of the browser at "+needs.Endpoint+" cannot be listed")
	}
	var found []string
	var id string
	for _, i := range infos {
		if i.Type != "page" || !strings.HasPrefix(i.URL, "http") || !strings.Contains(strings.ToLower(i.URL+"\n"+i.Title), strings.ToLower(which)) {
			continue
		}
		found = append(found, fmt.Sprintf("%q %s", clip(squash(i.Title), 60), clip(i.URL, 120)))
		id = string(i.TargetID)
	}
	switch {
	case len(found) == 0 && which != "":
		return nil, fault.Newf(fault.ElementNotFound, "no tab's address or title holds %q", which).
			WithHint("Take another part of the address, or leave the choice out.")
	case len(found) == 0:
		return nil, fault.New(fault.ElementNotFound, "the browser has no tab with a web page").WithHint("Open the page in it, or give its address.")
	case len(found) > 1:
		return nil, fault.Newf(fault.AmbiguousTarget, "%d tabs would do: %s", len(found), strings.Join(found, ", ")).
			WithHint("Name one by a part of its address or title.")
	}
	b, err := binding{Endpoint: needs.Endpoint, Target: id}.encode()
	if err != nil {
		return nil, err
	}
	return d.side("person", needs, &b, nil)
}

// Page makes a side whose binding nobody keeps: what it opens must be released
// by the one who opened it. Errors as Side's.
func (d *Driver) Page(needs surfaces.Needs) (*Side, error) { return d.side("page", needs, nil, nil) }
