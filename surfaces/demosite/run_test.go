package demosite_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/flows/facts"
	"countersign/surfaces"
	"countersign/surfaces/browser"
	"countersign/surfaces/demosite"
	"countersign/surfaces/host"
	"countersign/surfaces/workspace"
)

// runTimeout is for one flow on a machine that does a lot else.
const runTimeout = 2 * time.Minute

// desk is one browser on running sites, used by every flow of the test.
type desk struct {
	*testing.T
	sites *demosite.Sites
	place surfaces.Place
	facts *facts.Set
}

type noKeeper struct{}

func (noKeeper) Bind(surfaces.Binding) error { return nil }
func (noKeeper) Unbind(surfaces.Side) error  { return nil }

func newDesk(t *testing.T) *desk {
	t.Helper()
	if _, err := host.FindChromium(""); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("needs Chromium: make setup")
	}
	sites, err := demosite.Start(t.Context(), demosite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := facts.New(map[string]string{"phone": "+47 912 34 567", "card number": "4242 4242 4242 4242", "card expiry": "12/29", "cvv": "123"},
		[]string{"card number", "card expiry", "cvv"})
	if err != nil {
		t.Fatal(err)
	}
	opener := workspace.Opener{Browser: browser.NewDriver(browser.Options{StateDir: t.TempDir()})}
	place, err := opener.Open("w-flows", surfaces.Needs{Sides: []surfaces.Side{surfaces.Browser}}, nil, noKeeper{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), runTimeout)
		defer cancel()
		if err := place.Release(ctx); err != nil {
			t.Errorf("Release: %v", err)
		}
		if err := sites.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return &desk{t, sites, place, set}
}

// run carries out a flow from the given step on.
func (d *desk) run(t *testing.T, raw []byte, from int, signed *flows.Evidence) flows.Result {
	t.Helper()
	flow, problems := flows.Decode(raw)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	flow.Steps = flow.Steps[from-1:]
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	defer cancel()
	result := flows.NewRunner(decider.NewEmbedded()).Run(ctx, d.place, flows.Request{
		Flow: flow, Facts: d.facts, IncludeValues: true, MaxActions: 120, MaxModelCalls: 6000, FirstStep: from,
		Approved: signed, PaymentApproved: signed != nil, Payment: flows.FillThenApprove, Task: "t-1",
	})
	for _, s := range result.Steps {
		t.Logf("%-5s %-10s %-12s %.2f  %s: %s", s.Step, s.Kind, s.Outcome, s.Confidence, s.Text, s.Note)
	}
	return result
}

func wantStop(t *testing.T, r flows.Result, want flows.Stop, at string) {
	t.Helper()
	if r.Stop != want || r.Failed != at {
		t.Fatalf("stopped %s at %q: %s", r.Stop, r.Failed, r.Reason)
	}
}

// TestDemoFlows runs every flow of the demo in real Chromium, each to where a
// person is needed and, with what the person gives, to its end.
func TestDemoFlows(t *testing.T) {
	d := newDesk(t)
	flowOf := func(t *testing.T, name string) []byte {
		t.Helper()
		raw, err := demosite.Flow(name, d.sites.Addresses())
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	t.Run("shop stops in front of the payment", func(t *testing.T) {
		r := d.run(t, flowOf(t, "shop"), 1, nil)
		wantStop(t, r, flows.Stopped, "12")
		if p := r.Pending; p == nil || p.Amount == "" || p.Currency != "EUR" || !strings.HasPrefix(p.Control.Name, "Pay ") {
			t.Errorf("pending: %+v", p)
		}
		if !strings.Contains(r.Vars["bike"], "€") {
			t.Errorf("picked %q", r.Vars["bike"])
		}
	})
	t.Run("rail ends with the list of trains", func(t *testing.T) {
		r := d.run(t, flowOf(t, "rail"), 1, nil)
		wantStop(t, r, flows.Completed, "")
		if n := strings.Count(r.Vars["trains"], `"price"`); n < 3 {
			t.Errorf("%d priced trains: %s", n, r.Vars["trains"])
		}
	})
	t.Run("seats waits at the wall and goes on behind it", func(t *testing.T) {
		raw := flowOf(t, "seats")
		wantStop(t, d.run(t, raw, 1, nil), flows.StepFailed, "4")
		d.passWall(t)
		wantStop(t, d.run(t, raw, 4, nil), flows.Completed, "")
	})
	for _, signed := range []struct {
		name, step string
		count      func(demosite.Counts) int
	}{
		{"mail", "4", func(c demosite.Counts) int { return c.MailsSent }},
		{"library", "7", func(c demosite.Counts) int { return c.FormsSubmitted }},
		{"shop-pay", "13", func(c demosite.Counts) int { return c.OrdersPaid }},
	} {
		t.Run(signed.name+" acts once when signed", func(t *testing.T) {
			raw := flowOf(t, signed.name)
			r := d.run(t, raw, 1, nil)
			wantStop(t, r, flows.Stopped, signed.step)
			if n := signed.count(d.sites.Counts()); n != 0 {
				t.Fatalf("%d before anybody signed", n)
			}
			from := len(r.Steps)
			for _, s := range r.Steps {
				if strings.Contains(s.Step, ".") {
					from-- // inside a branch
				}
			}
			wantStop(t, d.run(t, raw, from, r.Pending), flows.Completed, "")
			if n := signed.count(d.sites.Counts()); n != 1 {
				t.Errorf("%d after one signature", n)
			}
		})
	}
}

// TestReadmeFirstFlow runs the flow that the README gives a newcomer to type,
// which once looked for something the shop does not sell.
func TestReadmeFirstFlow(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(readme), "cat > hello.json <<'EOF'\n")
	raw, _, closed := strings.Cut(rest, "\nEOF\n")
	if !found || !closed {
		t.Fatal("the README has no hello.json")
	}
	const site = "http://127.0.0.1:8100"
	if !strings.Contains(raw, site) {
		t.Fatalf("hello.json does not name %s", site)
	}
	d := newDesk(t)
	raw = strings.ReplaceAll(raw, site, d.sites.Addresses()["shop"])
	r := d.run(t, []byte(raw), 1, nil)
	wantStop(t, r, flows.Completed, "")
	if n := strings.Count(r.Vars["found"], `"price"`); n < 3 {
		t.Errorf("%d priced rows: %s", n, r.Vars["found"])
	}
}

// passWall does what a person does with the address that the wall shows, and
// waits until the page has noticed.
func (d *desk) passWall(t *testing.T) {
	t.Helper()
	pass := regexp.MustCompile(`http://127\.0\.0\.1:\S+`).FindString(strings.Join(d.place.VisibleText(t.Context()), "\n"))
	if pass == "" {
		t.Fatal("the wall shows no address")
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, pass, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	for range 30 {
		if !strings.Contains(strings.Join(d.place.VisibleText(t.Context()), "\n"), pass) {
			return
		}
		d.place.AwaitChange(t.Context(), 1000)
	}
	t.Fatal("the wall still stands")
}

// TestDemoInOtherWords runs the same sites by flows as a person might word
// them, so that neither the sites nor the decider fit only each other's words.
func TestDemoInOtherWords(t *testing.T) {
	d := newDesk(t)
	tests := []struct {
		name string
		flow string
		stop flows.Stop
		at   string
	}{
		{"shop", `{"app": "browser", "steps": [
			{"browse": "SITE:shop"}, "decline the cookies", {"enter": {"search": "cargo bike"}}, "press Enter",
			{"wait_for": "a list of products is showing"},
			{"choose": {"what": "sort by", "option": "Price, low to high"}}, "apply the filters",
			{"pick": {"from": "the cargo bikes", "by": "most expensive", "into": "bike"}},
			{"if": {"condition": "a newsletter popup is in front", "then": ["close the newsletter"]}},
			"add the bike to the basket", "go to the checkout",
			{"verify": "the delivery address form is showing"},
			{"enter": {"name": "Noa L", "email address": "noa@example.org", "street": "Kanalgata 14", "zip code": "1771", "town": "Halden"}},
			{"choose": {"what": "country", "option": "Denmark"}}, "continue to the payment",
			{"verify": "the payment page is showing"}, {"stop_before": "placing the order"}]}`, flows.Stopped, "17"},
		{"rail", `{"app": "browser", "steps": [
			{"browse": "SITE:rail"}, "reject the cookie notice",
			{"enter": {"departure station": "Salzburg Central", "destination": "Graz Central"}},
			{"choose": {"what": "day of travel", "option": "DAY"}}, "show direct trains only",
			{"choose": {"what": "number of adults", "option": "2"}}, "search for trains",
			{"wait_for": "the trains are listed"}, {"extract": {"what": "the connections", "into": "trains"}},
			{"pick": {"from": "the list of trains", "by": "cheapest", "into": "train"}}]}`, flows.Completed, ""},
		{"mail", `{"app": "browser", "steps": [
			{"browse": "SITE:mail"}, "open the mail from Fernwood Library", {"verify": "the reservation is ready"},
			"go back to the inbox", "write a new mail",
			{"enter": {"recipient": "a@example.org", "subject": "Hi", "text": "Hello there"}},
			{"stop_before": "sending the mail"}]}`, flows.Stopped, "7"},
		{"library", `{"app": "browser", "steps": [
			{"browse": "SITE:library"}, {"if": {"condition": "a cookie banner is showing", "then": ["accept the cookies"]}},
			"become a member", {"enter": {"name": "Noa L", "email": "noa@example.org", "phone": "+47 912 34 567"}},
			{"choose": {"what": "branch", "option": "Hillside"}}, "accept the library rules",
			{"stop_before": "submitting the form"}]}`, flows.Stopped, "7"},
		{"seats", `{"app": "browser", "steps": [
			{"browse": "SITE:seats"}, {"enter": {"event": "Nordlys"}}, {"choose": {"what": "tickets", "option": "4"}},
			"find seats", {"verify": "a captcha is showing"}]}`, flows.Completed, ""},
	}
	day := time.Now().AddDate(0, 2, 0).Format("2 January 2006")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw := strings.ReplaceAll(tt.flow, "DAY", day)
			for site, address := range d.sites.Addresses() {
				raw = strings.ReplaceAll(raw, "SITE:"+site, address)
			}
			wantStop(t, d.run(t, []byte(raw), 1, nil), tt.stop, tt.at)
		})
	}
}
