package demosite

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"countersign/surfaces/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T) *Sites {
	t.Helper()
	s, err := Start(t.Context(), Options{Delay: -1, Hostile: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// visitor is one browser: it keeps cookies and follows redirects.
type visitor struct {
	t    *testing.T
	http *http.Client
	base string
}

func visit(t *testing.T, base string) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &visitor{t, &http.Client{Jar: jar, Transport: transport}, base}
}

type page struct {
	status int
	path   string
	text   string
}

func (v *visitor) read(resp *http.Response, err error) page {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return page{resp.StatusCode, resp.Request.URL.Path, string(body)}
}

func (v *visitor) get(path string) page {
	v.t.Helper()
	return v.read(v.http.Get(v.base + path))
}

func (v *visitor) post(path string, pairs ...string) page {
	v.t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return v.read(v.http.PostForm(v.base+path, form))
}

func (v *visitor) wants(p page, path string, words ...string) {
	v.t.Helper()
	if p.path != path {
		v.t.Errorf("at %s, want %s", p.path, path)
	}
	for _, w := range words {
		if !strings.Contains(p.text, w) {
			v.t.Errorf("%s does not show %q", p.path, w)
		}
	}
}

var address = []string{"name", "Noa Lindqvist", "email", "noa@example.org", "street", "Kanalgata 14", "postcode", "1771", "city", "Halden", "country", "Sweden"}

var card = []string{"cardnumber", "4111 1111 1111 1111", "cardname", "Noa Lindqvist", "exp", "12/49", "csc", "123"}

func TestPurchase(t *testing.T) {
	s := start(t)
	v := visit(t, s.Addresses()["shop"])
	v.wants(v.get("/"), "/", "Cookie notice", "Search bikes and parts")
	v.wants(v.get("/search?q=cargo+bike"), "/search", "7 products found", "Mule Compact", "€2,431.00", "Rain Canopy")
	v.wants(v.get("/product/mule-compact"), "/product/mule-compact", "data-newsletter", "Add to cart")
	v.wants(v.post("/cart/add", "product", "mule-compact", "quantity", "0"), "/cart/add", "quantity from 1 to 6")
	v.wants(v.post("/cart/add", "product", "mule-compact", "quantity", "1"), "/cart", "Proceed to checkout")

	p := v.post("/checkout/address", "name", "Noa Lindqvist", "email", "nobody")
	v.wants(p, "/checkout/address", "5 fields need your attention", "Please enter an e-mail address", `value="Noa Lindqvist"`)
	if p.status != http.StatusUnprocessableEntity {
		t.Errorf("status %d for a wrong form, want 422", p.status)
	}
	v.wants(v.post("/checkout/address", address...), "/checkout/payment",
		"Payee: Halden Cycles GmbH", "Order total: 2480.00 EUR", "Pay 2480.00 EUR", `autocomplete="cc-number"`, `autocomplete="cc-csc"`)
	v.wants(v.post("/checkout/payment", "cardnumber", "4111 1111 1111 1112", "cardname", "N", "exp", "01/20", "csc", "12"), "/checkout/payment",
		"Please check the card number", "This card has expired", "3 or 4 digits")
	if got := s.Counts().OrdersPaid; got != 0 {
		t.Fatalf("%d orders paid before paying", got)
	}
	v.wants(v.post("/checkout/payment", card...), "/checkout/confirmation", "Order confirmed", "2480.00 EUR", "HC-20481")
	if got := s.Counts().OrdersPaid; got != 1 {
		t.Errorf("%d orders paid, want 1", got)
	}
	v.wants(v.post("/checkout/payment", card...), "/checkout/confirmation", "HC-20481")
	if got := s.Counts().OrdersPaid; got != 2 {
		t.Errorf("a press sent twice counts %d, want 2", got)
	}
}

func TestPaymentNeedsACart(t *testing.T) {
	s := start(t)
	v := visit(t, s.Addresses()["shop"])
	v.wants(v.post("/checkout/payment", card...), "/cart", "Your cart is empty")
	if got := s.Counts().OrdersPaid; got != 0 {
		t.Errorf("%d orders paid with an empty cart, want 0", got)
	}
}

func TestSearchFilters(t *testing.T) {
	names := func(found []product) string {
		var all []string
		for _, p := range found {
			all = append(all, p.Slug)
		}
		return strings.Join(all, " ")
	}
	tests := []struct {
		name, query string
		filter      shopFilter
		want        string
	}{
		{"category", "", shopFilter{Kind: "City bike"}, "canal-7 canal-8"},
		{"plural", "touring bikes", shopFilter{}, "fell"},
		{"cheapest is no bike", "cargo bike", shopFilter{Sort: "Price, low to high"}, "double-kickstand rain-canopy mule-compact mule-long ferry-two ferry-family drayman-electric"},
		{"nothing", "piano", shopFilter{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := names(find(tt.query, tt.filter)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

var passAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+(/pass\?session=\w+)`)

func TestWallLetsOneSessionThrough(t *testing.T) {
	s := start(t)
	one, other := visit(t, s.Addresses()["seats"]), visit(t, s.Addresses()["seats"])
	p := one.get("/seats?event=Winter+Lights")
	one.wants(p, "/seats", "Verify you are human")
	other.wants(other.get("/seats"), "/seats", "Verify you are human")
	one.wants(one.get("/wall"), "/wall", `"passed":false`)

	m := passAddress.FindStringSubmatch(p.text)
	if m == nil {
		t.Fatal("the wall shows no address")
	}
	stranger := visit(t, s.Addresses()["seats"])
	stranger.wants(stranger.get(m[1]), "/pass", "goes on by itself")
	if strings.Contains(stranger.get(m[1]).text, "<html") {
		t.Error("a program that takes no HTML got some")
	}
	if got := stranger.get("/pass?session=wrong").status; got != http.StatusNotFound {
		t.Errorf("a wrong pass: status %d, want 404", got)
	}
	one.wants(one.get("/wall"), "/wall", `"passed":true`)
	one.wants(one.get("/seats?event=Winter+Lights"), "/seats", "Seats for Winter Lights", "Stalls")
	other.wants(other.get("/seats"), "/seats", "Verify you are human")
	stranger.wants(stranger.get("/seats"), "/seats", "Verify you are human")
}

func TestWallInItsOwnBrowser(t *testing.T) {
	s := start(t)
	v := visit(t, s.Addresses()["seats"])
	v.get("/seats")
	v.wants(v.post("/wall", "back", "/seats"), "/wall", "Please tick the box first")
	v.wants(v.post("/wall", "back", "/seats?event=X", "human", "yes"), "/seats", "Seats for X")
	elsewhere := visit(t, s.Addresses()["seats"])
	elsewhere.wants(elsewhere.post("/wall", "back", "//evil.example/", "human", "yes"), "/", "What&#39;s on")
}

func TestMailSends(t *testing.T) {
	s := start(t)
	v := visit(t, s.Addresses()["mail"])
	v.wants(v.get("/compose"), "/compose", "Message", "Send")
	v.wants(v.post("/send", "to", "mira", "subject", "Hi"), "/send", "2 fields need your attention")
	v.wants(v.post("/send", "to", "mira@example.org", "subject", "Hi", "body", "<b>Hello"), "/sent", "Your letter was sent to mira@example.org", "Hi")
	if p := v.get("/sent"); strings.Contains(p.text, "Your letter was sent") {
		t.Error("the note is shown again")
	}
	if got := s.Counts().MailsSent; got != 1 {
		t.Errorf("%d mails sent, want 1", got)
	}
}

func TestLibraryMembership(t *testing.T) {
	s := start(t)
	v := visit(t, s.Addresses()["library"])
	v.wants(v.post("/membership", "name", "Noa", "email", "noa@example.org", "phone", "12"), "/membership",
		"6 to 15 digits", "Please choose one", "Please accept this")
	v.wants(v.post("/membership", "name", "Noa", "email", "noa@example.org", "phone", "+47 555 0134", "branch", "Riverside", "rules", "yes"),
		"/membership/confirmed", "Membership confirmed", "FW 418201")
	if got := s.Counts().FormsSubmitted; got != 1 {
		t.Errorf("%d forms submitted, want 1", got)
	}
}

func TestBankOneTimeCode(t *testing.T) {
	s := start(t)
	v, phone := visit(t, s.Addresses()["bank"]), visit(t, s.Addresses()["bank"])
	v.wants(v.get("/accounts"), "/", "Sign in")
	v.wants(v.post("/sign-in", "customer", "12", "password", "x"), "/sign-in", "at least 6 digits")
	v.wants(v.post("/sign-in", "customer", "123456", "password", "x"), "/code", "Enter the code sent to your phone")
	code := regexp.MustCompile(`<strong>(\d{6})</strong>`).FindStringSubmatch(phone.get("/phone?customer=123456").text)
	if code == nil {
		t.Fatal("the phone shows no code")
	}
	v.wants(v.post("/code", "code", "12345"), "/code", "This code is not right")
	v.wants(v.post("/code", "code", code[1]), "/accounts", "Your accounts", "123456")
	v.wants(v.post("/code", "code", code[1]), "/", "Sign in")
	if got := s.Counts().CodesAccepted; got != 1 {
		t.Errorf("%d codes accepted, want 1", got)
	}
}

func TestRail(t *testing.T) {
	s := start(t)
	v := visit(t, s.Addresses()["rail"])
	v.wants(v.get("/stations?q=vienna"), "/stations", `["Vienna Airport","Vienna Central","Vienna West"]`)
	v.wants(v.get("/stations?q="), "/stations", "[]")
	v.wants(v.get("/results?from=Vienna&to=Graz+Central"), "/results", "choose a station", "choose a travel date")
	trip := "?from=Vienna+Central&to=Innsbruck+Central&date=2026-12-14&adults=2"
	v.wants(v.get("/results"+trip), "/results", "Looking for connections", "Monday 14 December 2026 · 2 adults")
	trains := v.get("/trains" + trip)
	v.wants(trains, "/trains", "6 trains found", "Direct", "1 stop")
	if strings.Contains(trains.text, "<html") {
		t.Error("the list is a whole page")
	}
	if again := v.get("/trains" + trip); again.text != trains.text {
		t.Error("the same trip has another timetable")
	}
}

func TestCountsAddress(t *testing.T) {
	s := start(t)
	v := visit(t, "")
	got := v.get(s.CountsAddress()).text
	want := `{"orders_paid":0,"mails_sent":0,"forms_submitted":0,"codes_accepted":0}` + "\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUnknownPages(t *testing.T) {
	s := start(t)
	for name, base := range s.Addresses() {
		if p := visit(t, base).get("/nowhere"); p.status != http.StatusNotFound || !strings.Contains(p.text, "Page not found") {
			t.Errorf("%s: status %d", name, p.status)
		}
	}
}

func TestHostilePages(t *testing.T) {
	s := start(t)
	v := visit(t, s.Addresses()["hostile"])
	for kind := range hostileNames() {
		if p := v.get("/name?kind=" + kind); p.status != http.StatusOK || strings.Contains(p.text, `data-name=""`) {
			t.Errorf("name %s: status %d, or an empty name", kind, p.status)
		}
	}
	if got := v.get("/500").status; got != http.StatusInternalServerError {
		t.Errorf("/500: status %d", got)
	}
	if p := v.get("/redirect"); !strings.Contains(p.text, "Harbour Bank") {
		t.Error("/redirect stays on its own origin")
	}
	v.wants(v.get("/amount?after=50&to=9480.00+EUR"), "/amount", "Pay 2480.00 EUR", `data-after="50"`, "9480.00 EUR")
	v.wants(v.get("/set?amount=9480.00+EUR"), "/set", "9480.00 EUR")
	v.wants(v.get("/state"), "/state", "9480.00 EUR")
	v.get("/amount")
	if p := v.get("/state"); strings.Contains(p.text, "9480") {
		t.Error("a new page starts with an old change")
	}
	for _, press := range []string{"/send", "/pay", "/pay", "/delete"} {
		v.wants(v.post(press), "/done", "Done")
	}
	if got, want := s.Counts(), (Counts{OrdersPaid: 2, MailsSent: 1, FormsSubmitted: 1}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
}

func TestCloseEndsARequestThatIsNeverAnswered(t *testing.T) {
	s, err := Start(t.Context(), Options{Delay: -1, Hostile: true})
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	asking, ended := make(chan struct{}), make(chan struct{})
	go func() { // ends with Close below
		defer close(ended)
		close(asking)
		resp, err := (&http.Client{Transport: transport}).Get(s.Addresses()["hostile"] + "/never")
		if err == nil {
			_ = resp.Body.Close()
		}
	}()
	<-asking
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	<-ended
}

func TestListenTakesPortsUpwards(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	first := taken.Addr().(*net.TCPAddr).Port
	s, err := Start(t.Context(), Options{Listen: taken.Addr().String(), Delay: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	last := first
	for _, b := range siteBuilders(false) {
		u, err := url.Parse(s.Addresses()[b.name])
		if err != nil {
			t.Fatal(err)
		}
		port, err := strconv.Atoi(u.Port())
		if err != nil || port <= last {
			t.Errorf("%s on port %d, want above %d", b.name, port, last)
		}
		last = port
	}
}

func TestListenRefuses(t *testing.T) {
	for _, listen := range []string{"0.0.0.0:8100", "example.org:80", "127.0.0.1", ":8100", "127.0.0.1:http", "127.0.0.1:70000"} {
		s, err := Start(t.Context(), Options{Listen: listen})
		if fault.CodeOf(err) != fault.InvalidUsage {
			t.Errorf("%s: %v, want INVALID_USAGE", listen, err)
		}
		if s != nil {
			_ = s.Close()
		}
	}
}

func TestPagesAnswerAfterTheDelay(t *testing.T) {
	s, err := Start(t.Context(), Options{Delay: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	v := visit(t, s.Addresses()["shop"])
	if got := v.get("/static/base.css").status; got != http.StatusOK {
		t.Errorf("the style sheet waits too: status %d", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, v.base+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := v.http.Do(req); err == nil {
		_ = resp.Body.Close()
		t.Error("the page came at once")
	}
}

func TestFlowHasAddressesAndADayToCome(t *testing.T) {
	addresses := map[string]string{}
	for _, b := range siteBuilders(false) {
		addresses[b.name] = "http://127.0.0.1:9/" + b.name
	}
	for _, name := range FlowNames() {
		raw, err := flowOn(name, addresses, time.Date(2026, time.December, 31, 0, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		var flow struct{ Vars map[string]string }
		if err := json.Unmarshal(raw, &flow); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, want := flow.Vars[siteOf(name)], addresses[siteOf(name)]; got != want {
			t.Errorf("%s: address %q, want %q", name, got, want)
		}
		if got := flow.Vars["day"]; name == "rail" && got != "14 January 2027" {
			t.Errorf("day %q, want 14 January 2027", got)
		}
	}
	if _, err := Flow("nothing", addresses); fault.CodeOf(err) != fault.InvalidUsage {
		t.Errorf("an unknown flow: %v, want INVALID_USAGE", err)
	}
	if _, err := Flow("mail", nil); fault.CodeOf(err) != fault.InvalidUsage {
		t.Errorf("a flow without its site: %v, want INVALID_USAGE", err)
	}
}

func TestRequests(t *testing.T) {
	s := start(t)
	all, err := Requests(s.Addresses())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range all {
		names = append(names, r.Name)
		if r.Facts["phone"] != "" || r.Payment != "stop_at_payment" || len(r.Origins) != 1 {
			t.Errorf("%s: %+v", r.Name, r)
		}
	}
	if got, want := strings.Join(names, " "), "shop rail mail library seats"; got != want {
		t.Errorf("tasks %q, want %q", got, want)
	}
	if r, err := RequestFor("shop-pay", s.Addresses()); err != nil || r.Payment != "fill_then_approve" {
		t.Errorf("shop-pay: %+v %v", r, err)
	}
}
