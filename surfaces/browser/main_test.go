package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"go.uber.org/goleak"

	"countersign/surfaces"
	"countersign/surfaces/host"
)

// shared is the one browser of this package: every test gets a tab of its own in
// it, as a task gets one in a person's browser.
type shared struct {
	once     sync.Once
	err      error
	dir      string
	chromium host.Chromium
	profile  string
}

var browserOfTests shared //nolint:gochecknoglobals // one browser for the whole package

func (b *shared) start() error {
	b.once.Do(func() {
		path, err := host.FindChromium("")
		if err != nil {
			b.err = err
			return
		}
		if b.profile, b.err = host.NewProfile(b.dir); b.err != nil {
			return
		}
		b.chromium, b.err = host.StartChromium(context.Background(),
			host.Launch{Executable: path, Profile: b.profile, Width: viewportWidth, Height: viewportHeight})
	})
	return b.err
}

// patience bounds what must happen by itself; it is no measurement.
const patience = 2 * time.Minute

func TestMain(m *testing.M) {
	if os.Getenv(deskPage) != "" {
		os.Exit(m.Run()) // it will be killed, and leaves no folder
	}
	dir, err := os.MkdirTemp("", "browser-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	browserOfTests.dir = dir
	code := m.Run()
	if browserOfTests.profile != "" {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		if err := browserOfTests.chromium.Process.End(ctx, endGrace); err != nil {
			fmt.Fprintln(os.Stderr, "the tests' browser would not end:", err)
			code = 1
		}
		if err := host.RemoveProfile(ctx, browserOfTests.profile); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		cancel()
	}
	if left := leaks(dir); left != "" {
		fmt.Fprintln(os.Stderr, "left behind:", left)
		code = 1
	}
	_ = os.RemoveAll(dir)
	http.DefaultClient.CloseIdleConnections()
	if err := stillRunning(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// stillRunning names goroutines that do not end. A browser that was ended is
// reaped when the last of its threads is gone, on a busy machine seconds later.
func stillRunning() error {
	var err error
	for range 20 {
		if err = goleak.Find(); err == nil {
			break
		}
	}
	return err
}

// leaks names a process or profile folder that the tests left below dir.
func leaks(dir string) string {
	procs, _ := os.ReadDir("/proc")
	for _, p := range procs {
		line, err := os.ReadFile("/proc/" + p.Name() + "/cmdline")
		if err == nil && strings.Contains(string(line), "--user-data-dir="+dir) {
			return "process " + p.Name()
		}
	}
	var found string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if folders, _ := host.Profiles(dir + "/" + e.Name() + "/browsers"); len(folders) > 0 {
			found = folders[0]
		}
	}
	return found
}

// needBrowser skips on a machine without Chromium and fails in CI.
func needBrowser(t testing.TB) {
	t.Helper()
	if err := browserOfTests.start(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("no Chromium: %v; install it with apt-get install chromium", err)
	}
}

// folder makes a state folder that TestMain looks through at the end.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp(browserOfTests.dir, "state-")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// keeper is a Keeper that remembers what it was told.
type keeper struct {
	mu    sync.Mutex
	all   []surfaces.Binding
	last  *surfaces.Binding
	fails error
}

func (k *keeper) Bind(b surfaces.Binding) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fails != nil {
		return k.fails
	}
	k.all = append(k.all, b)
	k.last = &b
	return nil
}

func (k *keeper) Unbind(surfaces.Side) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last = nil
	return nil
}

// tabOf opens a tab of its own in the shared browser, with the window every
// reading of ours has. The binding is that of a tab an earlier process opened.
func tabOf(t testing.TB, needs surfaces.Needs, o Options) *Side {
	t.Helper()
	needBrowser(t)
	o.StateDir = folder(t)
	endpoint := browserOfTests.chromium.DevTools
	b, err := binding{Endpoint: endpoint, Target: newTab(t), OwnTab: true}.encode()
	if err != nil {
		t.Fatal(err)
	}
	needs.Endpoint = endpoint
	s, err := NewDriver(o).side("w-1", needs, &b, &keeper{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Release(context.Background()); err != nil {
			t.Error(err)
		}
	})
	must(t, s.Launch(t.Context(), "browser"))
	size := emulation.SetDeviceMetricsOverrideParams{Width: viewportWidth, Height: viewportHeight, DeviceScaleFactor: 1}
	if _, err := call(t.Context(), s.tab, emulation.SetDeviceMetricsOverride, size); err != nil {
		t.Fatal(err)
	}
	focus := emulation.SetFocusEmulationEnabledParams{Enabled: true}
	if _, err := call(t.Context(), s.tab, emulation.SetFocusEmulationEnabled, focus); err != nil {
		t.Fatal(err)
	}
	return s
}

// newTab opens a tab by the browser's own web service and gives its id.
func newTab(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(browserOfTests.chromium.DevTools)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "http://"+u.Host+"/json/new?about:blank", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }() // it was read
	var made struct{ ID string }
	if err := json.NewDecoder(resp.Body).Decode(&made); err != nil {
		t.Fatal(err)
	}
	return made.ID
}

// serve answers every path with a page of the table; the path without its slash
// is the key, "" the start.
func serve(t testing.TB, pages map[string]string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>Test</title>" + body))
	}))
	t.Cleanup(server.Close)
	return server
}

// show opens one page in a tab of its own.
func show(t testing.TB, body string) *Side {
	t.Helper()
	s := tabOf(t, surfaces.Needs{}, Options{})
	server := serve(t, map[string]string{"": body})
	must(t, s.Navigate(t.Context(), server.URL))
	return s
}

func must(t testing.TB, r *surfaces.Reply) *surfaces.Reply {
	t.Helper()
	if !r.OK {
		t.Fatalf("%s: %v (%v)", r.Command, r.Err(), r.Error.Cause)
	}
	return r
}

func observe(t testing.TB, s *Side) *surfaces.Screen {
	t.Helper()
	screen, r := s.Observe(t.Context(), "", "", surfaces.Full)
	if r != nil {
		t.Fatalf("observe: %v (%v)", r.Err(), r.Error.Cause)
	}
	return screen
}

func pick(t testing.TB, screen *surfaces.Screen, role, name string) *surfaces.Candidate {
	t.Helper()
	for i := range screen.Candidates {
		if c := &screen.Candidates[i]; c.Role == role && c.Name == name {
			return c
		}
	}
	t.Fatalf("no %s %q among %s", role, name, all(screen))
	return nil
}

func all(screen *surfaces.Screen) string {
	var b strings.Builder
	for _, c := range screen.Candidates {
		fmt.Fprintf(&b, "\n  %s %s %q %q %v %v %v", c.Ref, c.Role, c.Name, c.Description, c.States, c.Path, c.Value)
	}
	return b.String()
}

// script runs an expression in the page's own world and gives its text.
func script(t testing.TB, s *Side, expression string) string {
	t.Helper()
	yes := true
	r, err := call(t.Context(), s.tab, runtime.Evaluate, runtime.EvaluateParams{Expression: "String(" + expression + ")", ReturnByValue: &yes})
	if err != nil {
		t.Fatal(err)
	}
	if r.ExceptionDetails != nil {
		t.Fatalf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	var text string
	if err := json.Unmarshal(r.Result.Value, &text); err != nil {
		t.Fatal(err)
	}
	return text
}

// overHTTP is the shared browser's address as a person would give it.
func overHTTP(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(browserOfTests.chromium.DevTools)
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + u.Host
}

// pages gives the ids of the shared browser's tabs.
func pages(t testing.TB) []string {
	t.Helper()
	resp, err := http.Get(overHTTP(t) + "/json/list")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }() // it was read
	var all []struct{ ID, Type string }
	if err := json.NewDecoder(resp.Body).Decode(&all); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, p := range all {
		if p.Type == "page" {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// opener counts the tabs that the page of s opened.
func opener(t testing.TB, s *Side) int {
	t.Helper()
	all, err := cdp.Call(t.Context(), s.tab.browser, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, i := range all.TargetInfos {
		if i.Type == "page" && i.OpenerID == s.tab.session.TargetID {
			n++
		}
	}
	return n
}
