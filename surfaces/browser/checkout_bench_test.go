package browser

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/flows/facts"
	"countersign/surfaces"
	"countersign/surfaces/demosite"
	"countersign/surfaces/workspace"
)

// BenchmarkCheckout runs the demo's checkout flow up to its payment stop, and
// the same clicks, fills and waits written straight against chromedp, in turns
// and in one browser; "x-bare" is what the desk takes for each second that the
// bare script takes. The bar is 2.
func BenchmarkCheckout(b *testing.B) {
	s := tabOf(b, surfaces.Needs{}, Options{})
	place := workspace.New(nil, s)
	b.Cleanup(func() { _ = place.Close() }) // only disconnects; the side is given back by tabOf
	tab := bareTab(b)
	sites, err := demosite.Start(b.Context(), demosite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = sites.Close() })
	flow := checkoutFlow(b, sites)
	var desk, bare time.Duration
	for b.Loop() { // in turns, so that both see the same machine
		newVisitor(b, tab, s.tab.session)
		start := time.Now()
		checkoutByFlow(b, place, flow)
		desk += time.Since(start)

		newVisitor(b, tab, chromedp.FromContext(tab).Target)
		start = time.Now()
		checkoutByHand(b, tab, sites.Addresses()["shop"])
		bare += time.Since(start)
	}
	b.ReportMetric(float64(desk.Milliseconds())/float64(b.N), "desk-ms")
	b.ReportMetric(float64(bare.Milliseconds())/float64(b.N), "bare-ms")
	b.ReportMetric(float64(desk)/float64(bare), "x-bare")
}

func checkoutFlow(b *testing.B, sites *demosite.Sites) flows.Flow {
	b.Helper()
	raw, err := demosite.Flow("shop", sites.Addresses())
	if err != nil {
		b.Fatal(err)
	}
	flow, problems := flows.Decode(raw)
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	return flow
}

func checkoutByFlow(b *testing.B, place surfaces.Place, flow flows.Flow) {
	b.Helper()
	none, err := facts.New(nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	r := flows.NewRunner(decider.NewEmbedded()).Run(b.Context(), place, flows.Request{
		Flow: flow, Facts: none, IncludeValues: true, MaxActions: 120, MaxModelCalls: 6000,
		Payment: flows.StopAtPayment, Deliberation: "off", Task: "t-1",
	})
	if r.Stop != flows.Stopped || r.Pending == nil {
		b.Fatalf("stopped %s at %q: %s", r.Stop, r.Failed, r.Reason)
	}
}

// bareTab is a tab of the shared browser as chromedp alone sets it up, with the
// window that the desk gives its own.
func bareTab(b *testing.B) context.Context {
	b.Helper()
	l, err := dial(b.Context(), browserOfTests.chromium.DevTools)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(l.close)
	ctx, cancel := chromedp.NewContext(l.ctx, chromedp.WithTargetID(target.ID(newTab(b))))
	b.Cleanup(cancel)
	err = chromedp.Do(ctx,
		chromedp.EmulateViewport(viewportWidth, viewportHeight),
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
			return err
		}))
	if err != nil {
		b.Fatal(err)
	}
	return ctx
}

// newVisitor makes the browser one that the shop has never seen, with the tab
// that is used next in front.
func newVisitor(b *testing.B, ctx context.Context, next *chromedp.Target) {
	b.Helper()
	if _, err := chromedp.Call(ctx, network.ClearBrowserCookies, cdp.Empty{}); err != nil {
		b.Fatal(err)
	}
	if _, err := cdp.Call(ctx, next, page.BringToFront, cdp.Empty{}); err != nil {
		b.Fatal(err)
	}
}

// checkoutByHand is what a program would do that knows the shop's pages and
// looks at nothing else. A field is filled as the desk fills it: by one typed
// input. Each click waits until what it clicks is visible.
func checkoutByHand(b *testing.B, tab context.Context, shop string) {
	b.Helper()
	click := func(css string) chromedp.Action[chromedp.Void] { return chromedp.Click(chromedp.CSS(css)) }
	follow := func(css string) chromedp.Action[chromedp.Void] {
		return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := chromedp.WaitEvent(page.LoadEventFired, nil, click(css))(ctx, t)
			return chromedp.Void{}, err
		}
	}
	fill := func(css, text string) chromedp.Action[chromedp.Void] {
		return chromedp.Steps(chromedp.Focus(chromedp.CSS(css), chromedp.NodeVisible), typed(text))
	}
	err := chromedp.Do(tab,
		chromedp.Navigate(shop),
		click(`[data-consent-answer="rejected"]`),
		chromedp.WaitNotPresent(chromedp.CSS(`[data-consent]`)),
		fill(`input[name="q"]`, "cargo bike"),
		follow(`form.search button`),
		follow(`.results a[aria-label="View details of Mule Compact"]`),
		click(`button.close[data-newsletter-close]`),
		chromedp.WaitNotVisible(chromedp.CSS(`[data-newsletter]`)),
		follow(`form.add button[type="submit"]`),
		follow(`.summary + a[href="/checkout/address"]`),
		fill(`#field-name`, "Noa Lindqvist"),
		fill(`#field-email`, "noa.lindqvist@example.org"),
		fill(`#field-street`, "Kanalgata 14"),
		fill(`#field-postcode`, "1771"),
		fill(`#field-city`, "Halden"),
		chromedp.SetValue(chromedp.CSS(`#field-country`), "Sweden"),
		follow(`form[action="/checkout/address"] button[type="submit"]`),
		chromedp.WaitVisible(chromedp.CSS(`form[action="/checkout/payment"] button[type="submit"]`)),
	)
	if err != nil {
		b.Fatal(err)
	}
}

func typed(text string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return err
	})
}
