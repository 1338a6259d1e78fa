package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

func TestSF69ScriptDialogs(t *testing.T) {
	s := show(t, `<button onclick="document.title=confirm('Really go?')">Ask</button><button onclick="alert('Hi');document.title='told'">Tell</button><button>Other</button><input aria-label=Box onfocus="if(!window.once){once=1;alert('Focus')}">`)
	screen := observe(t, s)
	other := pick(t, screen, "button", "Other")
	ask := pick(t, screen, "button", "Ask")
	must(t, s.Execute(t.Context(), surfaces.Click, ask, ""))
	s.Settle(t.Context())
	box := observe(t, s)
	if box.Surface != surfaces.FrontAlert || len(box.Context) != 1 || box.Context[0] != "Really go?" || len(box.Candidates) != 2 || box.Origin == "" {
		t.Fatalf("the dialog is %+v", box)
	}
	r := s.Execute(t.Context(), surfaces.Click, other, "")
	wants(t, r, fault.NotActionable, surfaces.NotDelivered)
	wants(t, s.Press(t.Context(), "browser", "escape"), fault.NotActionable, surfaces.NotDelivered)
	wants(t, s.Navigate(t.Context(), "http://127.0.0.1:1/"), fault.NotActionable, surfaces.NotDelivered)
	if _, ok := s.ReadValue(t.Context(), other); ok {
		t.Error("a value was read behind a dialog")
	}
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, box, "button", "OK"), ""))
	s.Settle(t.Context())
	if got := observe(t, s); got.Window != "true" || got.Surface != surfaces.FrontWindow {
		t.Errorf("after OK: %q %s", got.Window, got.Surface)
	}
	must(t, s.Execute(t.Context(), surfaces.Click, ask, ""))
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, observe(t, s), "button", "Cancel"), ""))
	if got := observe(t, s).Window; got != "false" {
		t.Errorf("after Cancel: %q", got)
	}
	wants(t, s.Execute(t.Context(), surfaces.Click, pick(t, box, "button", "OK"), ""), fault.StaleRef, surfaces.NotDelivered)
	must(t, click(t, s, "button", "Tell"))
	if box := observe(t, s); len(box.Candidates) != 1 {
		t.Errorf("an alert has %s", all(box))
	}
	must(t, click(t, s, "button", "OK"))
	if got := observe(t, s).Window; got != "told" {
		t.Errorf("after the alert: %q", got)
	}
}

func TestSF69PromptTakesText(t *testing.T) {
	s := show(t, `<button onclick="document.title=prompt('Your name?','Nobody')">Ask</button>`)
	ask := func() *surfaces.Screen {
		must(t, click(t, s, "button", "Ask"))
		return observe(t, s)
	}
	box := pick(t, ask(), "textbox", "Your name?")
	if box.Value != "Nobody" {
		t.Errorf("the box holds %q", box.Value)
	}
	must(t, s.Execute(t.Context(), surfaces.TypeText, box, "Ida"))
	if got, ok := s.ReadValue(t.Context(), box); !ok || got != "Ida" {
		t.Errorf("it holds %q", got)
	}
	if got := pick(t, observe(t, s), "textbox", "Your name?").Value; got != "Ida" {
		t.Errorf("it shows %q", got)
	}
	must(t, click(t, s, "button", "OK"))
	if got := observe(t, s).Window; got != "Ida" {
		t.Errorf("it answered %q", got)
	}
	wants(t, s.Execute(t.Context(), surfaces.TypeText, box, "late"), fault.StaleRef, surfaces.NotDelivered)
	ask()
	must(t, click(t, s, "button", "Cancel"))
	if got := observe(t, s).Window; got != "null" {
		t.Errorf("cancelled it answered %q", got)
	}
}

func TestPageThatAsksWhileItLoads(t *testing.T) {
	server := serve(t, map[string]string{"": `<script>alert('Welcome')</script><button>Go</button>`})
	s := tabOf(t, surfaces.Needs{}, Options{})
	must(t, s.Navigate(t.Context(), server.URL))
	box := observe(t, s)
	if box.Surface != surfaces.FrontAlert || box.Context[0] != "Welcome" || box.Address != server.URL+"/" {
		t.Fatalf("read %+v", box)
	}
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, box, "button", "OK"), ""))
	pick(t, observe(t, s), "button", "Go")
}

// Another site's window opens by itself and stays unread.
func TestWindowOfAnotherSite(t *testing.T) {
	other := serve(t, map[string]string{"": "Theirs"})
	s := show(t, fmt.Sprintf(`<button onclick="window.open(%q)">Open</button>`, other.URL))
	at := observe(t, s).Address
	r := must(t, click(t, s, "button", "Open"))
	if r.Data.URL != at {
		t.Errorf("at %s", r.Data.URL)
	}
	if got := observe(t, s); strings.Contains(strings.Join(got.Context, " "), "Theirs") {
		t.Error("the other window was read")
	}
}

func TestLeavePagePromptIsAccepted(t *testing.T) {
	server := serve(t, map[string]string{"": `<a href=/next>Next</a><input aria-label=Box><script>onbeforeunload=e=>{e.preventDefault();return 'stay'}</script>`, "next": "There"})
	s := tabOf(t, surfaces.Needs{}, Options{})
	must(t, s.Navigate(t.Context(), server.URL))
	must(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, observe(t, s), "textbox", "Box"), "x"))
	r := must(t, click(t, s, "link", "Next"))
	if r.Data.URL != server.URL+"/next" {
		t.Errorf("at %s", r.Data.URL)
	}
}

// two gives two sites: b refused, a listed.
func two(t *testing.T) (a, b *httptest.Server, hits *atomic.Int32) {
	hits = &atomic.Int32{}
	b = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		if strings.HasSuffix(r.URL.Path, ".js") {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, "document.title='loaded'")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<button>Theirs</button>")
	}))
	t.Cleanup(b.Close)
	a = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, b.URL, http.StatusFound)
		case "/script":
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprintf(w, "<title>none</title><script src=%s/x.js></script>", b.URL)
		case "/later":
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprintf(w, "<button>Ours</button><script>go=()=>location=%q</script>", b.URL)
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<title>Home</title><a href=/away>Away</a>")
		}
	}))
	t.Cleanup(a.Close)
	return a, b, hits
}

func TestOrigins(t *testing.T) {
	a, b, hits := two(t)
	s := tabOf(t, surfaces.Needs{Origins: []string{a.URL}}, Options{})
	t.Run("SF-70 A86 a refused address is never requested", func(t *testing.T) {
		wants(t, s.Navigate(t.Context(), b.URL), fault.PolicyDenied, surfaces.NotDelivered)
		if hits.Load() != 0 {
			t.Error("it was requested")
		}
		for _, other := range []string{"file:///etc/passwd", "data:text/html,x", "chrome://settings", "javascript:1"} {
			if r := s.Navigate(t.Context(), other); r.OK || r.Error.Delivery != surfaces.NotDelivered {
				t.Errorf("%s: %+v", other, r)
			}
		}
	})
	t.Run("SF-71 A86 a click that lands outside is left", func(t *testing.T) {
		must(t, s.Navigate(t.Context(), a.URL))
		r := click(t, s, "link", "Away")
		wants(t, r, fault.PolicyDenied, surfaces.DeliveryUnknown)
		if !r.Error.Details.LeftPage {
			t.Error("left_page is not set")
		}
		if screen := observe(t, s); screen.Window != "Home" {
			t.Errorf("on %q", screen.Address)
		}
	})
	t.Run("a redirect of a listed address", func(t *testing.T) {
		r := s.Navigate(t.Context(), a.URL+"/away")
		wants(t, r, fault.PolicyDenied, surfaces.DeliveryUnknown)
		if !r.Error.Details.LeftPage {
			t.Error("left_page is not set")
		}
	})
	t.Run("a page that went away by itself is neither read nor acted on", func(t *testing.T) {
		must(t, s.Navigate(t.Context(), a.URL+"/later"))
		ours := pick(t, observe(t, s), "button", "Ours")
		script(t, s, "setTimeout(go,0)")
		ctx := t.Context()
		s.tab.events.until(ctx, func() bool { return strings.HasPrefix(s.tab.events.address, b.URL) })
		screen, r := s.Observe(ctx, "", "", surfaces.Full)
		if screen != nil || r.Code() != fault.PolicyDenied || !r.Error.Details.LeftPage {
			t.Errorf("read %+v, %+v", screen, r)
		}
		must(t, s.Navigate(ctx, a.URL+"/later"))
		script(t, s, "setTimeout(go,0)")
		s.tab.events.until(ctx, func() bool { return strings.HasPrefix(s.tab.events.address, b.URL) })
		wants(t, s.Execute(ctx, surfaces.Click, ours, ""), fault.PolicyDenied, surfaces.NotDelivered)
	})
	t.Run("SF-73 A87 files of other sites load", func(t *testing.T) {
		if r := must(t, s.Navigate(t.Context(), a.URL+"/script")); r.Data.Title != "loaded" {
			t.Errorf("title %q", r.Data.Title)
		}
	})
	t.Run("SF-72 any public host is not this machine", func(t *testing.T) {
		public := tabOf(t, surfaces.Needs{Origins: []string{"*"}}, Options{})
		for _, other := range []string{"http://2130706433/", "http://localhost", "http://printer", a.URL} {
			wants(t, public.Navigate(t.Context(), other), fault.PolicyDenied, surfaces.NotDelivered)
		}
	})
}

func TestBack(t *testing.T) {
	server := serve(t, map[string]string{"": "<title>One</title>", "two": "<title>Two</title>"})
	s := tabOf(t, surfaces.Needs{}, Options{})
	must(t, s.Navigate(t.Context(), server.URL))
	must(t, s.Navigate(t.Context(), server.URL+"/two"))
	if r := must(t, s.Back(t.Context(), "browser")); r.Data.URL != server.URL+"/" {
		t.Errorf("at %s", r.Data.URL)
	}
	if at := observe(t, s).Address; at != server.URL+"/" {
		t.Errorf("reading %s", at)
	}
}

func TestBadSites(t *testing.T) {
	quit := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/silent":
			select {
			case <-quit:
			case <-r.Context().Done():
			}
		case "/broken":
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, "<title>Oops</title><button>Retry</button>")
		case "/file":
			w.Header().Set("Content-Disposition", `attachment; filename="report.pdf"`)
			_, _ = io.WriteString(w, "%PDF-")
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<title>Home</title><a href=/file>Report</a><a href=/silent>Wait</a>")
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(quit) })
	s := tabOf(t, surfaces.Needs{}, Options{})
	hasty := func(verb func() *surfaces.Reply) *surfaces.Reply { // with little time for what never comes, and for that alone
		s.driver.options.Timeout = 3 * time.Second
		defer func() { s.driver.options.Timeout = DefaultTimeout }()
		return verb()
	}
	must(t, s.Navigate(t.Context(), server.URL))
	t.Run("a site that never answers", func(t *testing.T) {
		r := hasty(func() *surfaces.Reply { return s.Navigate(t.Context(), server.URL+"/silent") })
		wants(t, r, fault.Timeout, surfaces.DeliveryUnknown)
		if got := observe(t, s).Window; got != "Home" {
			t.Errorf("the old page is %q", got)
		}
		link := pick(t, observe(t, s), "link", "Wait")
		r = hasty(func() *surfaces.Reply { return s.Execute(t.Context(), surfaces.Click, link, "") })
		wants(t, r, fault.Timeout, surfaces.DeliveryUnknown)
		observe(t, s)
	})
	t.Run("an answer of 500 is a page", func(t *testing.T) {
		if r := must(t, s.Navigate(t.Context(), server.URL+"/broken")); r.Data.Status != 500 || r.Data.Title != "Oops" {
			t.Errorf("data %+v", r.Data)
		}
	})
	t.Run("nobody listens", func(t *testing.T) {
		wants(t, s.Navigate(t.Context(), "http://127.0.0.1:1/"), fault.PageError, surfaces.DeliveryUnknown)
	})
	t.Run("a script that never ends", func(t *testing.T) {
		must(t, s.Navigate(t.Context(), server.URL))
		c := pick(t, observe(t, s), "link", "Report")
		script(t, s, "setTimeout(()=>{const x=new XMLHttpRequest;x.open('GET','/silent',false);x.send()},0)")
		if r := hasty(func() *surfaces.Reply { return s.Execute(t.Context(), surfaces.Click, c, "") }); r.Code() != fault.Timeout {
			t.Errorf("answered %v", r.Err())
		}
	})
}

func TestDownloads(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/file" {
			w.Header().Set("Content-Disposition", `attachment; filename="../report.pdf"`)
			_, _ = io.WriteString(w, "%PDF-")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<title>Home</title><a href=/file>Report</a><a href='data:text/csv,a' download=own.csv>Save</a>")
	}))
	t.Cleanup(server.Close)
	dir := folder(t)
	s := open(t, launched(t, Options{DownloadDir: dir}), surfaces.Needs{}, nil, &keeper{})
	must(t, s.Navigate(t.Context(), server.URL))
	if r := must(t, click(t, s, "link", "Report")); !strings.HasSuffix(r.Data.Download, "report.pdf") || strings.Contains(r.Data.Download, "/") || r.Data.URL != server.URL+"/" {
		t.Errorf("data %+v", r.Data)
	}
	await(t, func() bool {
		found, _ := filepath.Glob(dir + "/*report.pdf")
		return len(found) == 1
	})
	if r := must(t, click(t, s, "link", "Save")); r.Data.Download != "own.csv" {
		t.Errorf("a link that navigates nowhere: %+v", r.Data)
	}
	if r := must(t, s.Navigate(t.Context(), server.URL+"/file")); r.Data.Download == "" {
		t.Errorf("data %+v", r.Data)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "report.pdf")); err == nil {
		t.Error("the file left its folder")
	}
}

// await looks until done, for things the browser does by itself.
func await(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.NewTimer(patience)
	defer late.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-late.C:
			t.Fatalf("it did not happen in %v", patience)
		}
	}
}
