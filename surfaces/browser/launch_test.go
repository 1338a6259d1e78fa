package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

// launched makes a driver that starts browsers of its own.
func launched(t *testing.T, o Options) *Driver {
	t.Helper()
	needBrowser(t)
	if o.StateDir == "" {
		o.StateDir = folder(t)
	}
	return NewDriver(o)
}

func open(t *testing.T, d *Driver, needs surfaces.Needs, b *surfaces.Binding, keep *keeper) *Side {
	t.Helper()
	s, err := d.side("w-1", needs, b, keep)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Release(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestBindingIsWrittenInTwoParts(t *testing.T) {
	keep := &keeper{}
	d := launched(t, Options{})
	s := open(t, d, surfaces.Needs{}, nil, keep)
	must(t, s.Launch(t.Context(), "browser"))
	if len(keep.all) != 2 {
		t.Fatalf("%d bindings were written, want 2", len(keep.all))
	}
	first, _ := decode(keep.all[0])
	second, _ := decode(keep.all[1])
	if first.Profile == "" || first.Process.PID != 0 || first.DevTools != "" {
		t.Errorf("the first part is %+v, want a folder alone", first)
	}
	if second.Profile != first.Profile || !second.Process.Alive() || second.DevTools == "" || second.Target == "" {
		t.Errorf("the second part is %+v", second)
	}
	if err := s.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if second.Process.Alive() {
		t.Error("the browser lives on after Release")
	}
	if _, err := os.Stat(first.Profile); !os.IsNotExist(err) {
		t.Errorf("the temporary folder is still there: %v", err)
	}
	if keep.last != nil {
		t.Error("the binding is still kept")
	}
}

// deskPage names the page that TestDesk opens.
const deskPage = "TEST_DESK_PAGE"

// TestDesk is no test: the tests below run it as a process of its own that opens
// a page, writes its binding down, and waits to be killed.
func TestDesk(t *testing.T) {
	to := os.Getenv(deskPage)
	if to == "" {
		return
	}
	d := NewDriver(Options{StateDir: os.Getenv("TEST_DESK_STATE")})
	s, err := d.side("w-1", surfaces.Needs{}, nil, filed(os.Getenv("TEST_DESK_BINDING")))
	if err != nil {
		t.Fatal(err)
	}
	must(t, s.Navigate(t.Context(), to))
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, observe(t, s), "button", "Press"), ""))
	fmt.Println("ready")
	select {}
}

// filed keeps a binding in a file.
type filed string

func (f filed) Bind(b surfaces.Binding) error {
	raw, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return os.WriteFile(string(f), raw, 0o600)
}

func (f filed) Unbind(surfaces.Side) error { return os.Remove(string(f)) }

// desk starts TestDesk, kills it with signal 9 and gives the binding it left.
func desk(t *testing.T, state, page string) surfaces.Binding {
	t.Helper()
	file := filepath.Join(state, "binding")
	cmd := exec.Command(os.Args[0], "-test.run=^TestDesk$")
	cmd.Env = append(os.Environ(), deskPage+"="+page, "TEST_DESK_STATE="+state, "TEST_DESK_BINDING="+file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var word string
	_, scanned := fmt.Fscan(out, &word)
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if scanned != nil || word != "ready" {
		t.Fatalf("the desk said %q, %v", word, scanned)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b surfaces.Binding
	if err := json.Unmarshal(raw, &b); err != nil {
		t.Fatal(err)
	}
	return b
}

const counter = `<button onclick="this.nextSibling.textContent=++n">Press</button><p>0</p><script>n=41</script>`

func TestKilledDeskFindsItsPageAgain(t *testing.T) {
	needBrowser(t)
	server := serve(t, map[string]string{"": counter})
	state := folder(t)
	b := desk(t, state, server.URL)
	d := launched(t, Options{StateDir: state})
	s := open(t, d, surfaces.Needs{}, &b, &keeper{})
	if !s.Holding() {
		t.Error("a side with a binding holds nothing")
	}
	if err := d.Sweep(t.Context(), []surfaces.Binding{b}); err != nil {
		t.Fatal(err)
	}
	r := s.Execute(t.Context(), surfaces.Click, &surfaces.Candidate{Ref: "seen:1", Role: "button"}, "")
	wants(t, r, fault.StaleRef, surfaces.NotDelivered)
	screen := observe(t, s)
	if screen.Address != server.URL+"/" || screen.Context[0] != "42" {
		t.Errorf("the page is at %s and says %v", screen.Address, screen.Context)
	}
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", "Press"), ""))
	if got := observe(t, s).Context[0]; got != "43" {
		t.Errorf("after a press it says %s", got)
	}
	if reach := s.Reach(); reach.Address != server.URL+"/" || reach.Headed {
		t.Errorf("reach %+v", reach)
	} else if resp, err := http.Get(reach.Endpoint + "/json/version"); err != nil {
		t.Error(err)
	} else {
		_ = resp.Body.Close()
	}
}

func TestSweepEndsWhatAKilledDeskLeft(t *testing.T) {
	needBrowser(t)
	state := folder(t)
	sb := desk(t, state, serve(t, map[string]string{"": counter}).URL)
	b, err := decode(sb)
	if err != nil {
		t.Fatal(err)
	}
	if !b.Process.Alive() {
		t.Fatal("the browser died with its desk")
	}
	if err := launched(t, Options{StateDir: state}).Sweep(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if b.Process.Alive() || host.IsFolder(b.Profile) {
		t.Error("the browser or its folder is still there")
	}
}

// A browser that dies is one loss and NO_SUCH_SESSION; a side made of the same
// binding after that opens a new one on the same folder, at the last page.
func TestBrowserKilled(t *testing.T) {
	server := serve(t, map[string]string{"": counter, "here": counter})
	keep := &keeper{}
	d := launched(t, Options{})
	s := open(t, d, surfaces.Needs{}, nil, keep)
	must(t, s.Navigate(t.Context(), server.URL+"/here?q=secret#x"))
	c := pick(t, observe(t, s), "button", "Press")
	b, _ := decode(*keep.last)
	if err := syscall.Kill(b.Process.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-s.Lost()
	if r := s.Execute(t.Context(), surfaces.Click, c, ""); r.Code() != fault.NoSuchSession {
		t.Errorf("answered %v", r.Err())
	}
	if _, r := s.Observe(t.Context(), "", "", surfaces.Full); r.Code() != fault.NoSuchSession {
		t.Errorf("answered %v", r.Err())
	}
	if s.Holding() || s.Reach() != (surfaces.Reach{}) {
		t.Error("a lost side still holds something")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	next := open(t, d, surfaces.Needs{}, keep.last, keep)
	if at := observe(t, next).Address; at != server.URL+"/here" {
		t.Errorf("the new browser is at %s", at)
	}
	again, _ := decode(*keep.last)
	if again.Profile != b.Profile || again.Process == b.Process {
		t.Errorf("it runs on %s, want %s", again.Profile, b.Profile)
	}
}

func TestBindingOfADeadBrowserIsALoss(t *testing.T) {
	needBrowser(t)
	sb, err := binding{
		Profile: filepath.Join(folder(t), "browsers", "profile-x"), Temporary: true, Process: host.Process{PID: os.Getpid(), Start: 1},
		DevTools: "ws://127.0.0.1:1/devtools/browser/x", Target: "x",
	}.encode()
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, launched(t, Options{}), surfaces.Needs{}, &sb, &keeper{})
	_, r := s.Observe(t.Context(), "", "", surfaces.Full)
	wants(t, r, fault.NoSuchSession, surfaces.NotDelivered)
	<-s.Lost()
}

func TestSF76NoBrowser(t *testing.T) {
	t.Setenv("PATH", "")
	s := open(t, NewDriver(Options{StateDir: folder(t)}), surfaces.Needs{}, nil, &keeper{})
	r := s.Launch(t.Context(), "browser")
	wants(t, r, fault.BrowserUnavailable, surfaces.NotDelivered)
	if a := NewDriver(Options{}).Available(); a.Available || a.Hint == "" {
		t.Errorf("available %+v", a)
	}
	bad := filepath.Join(folder(t), "browser")
	if err := os.WriteFile(bad, []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	keep := &keeper{}
	s = open(t, NewDriver(Options{StateDir: folder(t)}), surfaces.Needs{Executable: bad}, nil, keep)
	wants(t, s.Launch(t.Context(), "browser"), fault.BrowserUnavailable, surfaces.NotDelivered)
	if keep.last != nil {
		t.Error("a binding of nothing is kept")
	}
}

func TestSF77ClosedUnused(t *testing.T) {
	keep := &keeper{}
	d := NewDriver(Options{StateDir: folder(t)})
	s := open(t, d, surfaces.Needs{}, nil, keep)
	s.Settle(t.Context())
	if s.Holding() || len(keep.all) != 0 {
		t.Error("something was opened")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if len(keep.all) != 0 || host.IsFolder(d.root()) {
		t.Error("something was started")
	}
}

func TestSF78ProfileInUse(t *testing.T) {
	profile := filepath.Join(folder(t), "kept")
	if err := os.Mkdir(profile, 0o700); err != nil {
		t.Fatal(err)
	}
	needs := surfaces.Needs{Profile: profile}
	d := launched(t, Options{})
	first := open(t, d, needs, nil, &keeper{})
	must(t, first.Launch(t.Context(), "browser"))
	for name, other := range map[string]*Driver{"of the same desk": d, "of another desk": launched(t, Options{})} {
		r := open(t, other, needs, nil, &keeper{}).Launch(t.Context(), "browser")
		wants(t, r, fault.BrowserUnavailable, surfaces.NotDelivered)
		if r.Error.Hint != inUse("").(*fault.Error).Hint { //nolint:errorlint // made two lines above
			t.Errorf("%s: hint %q", name, r.Error.Hint)
		}
	}
	observe(t, first)
	if err := first.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !host.IsFolder(profile) {
		t.Error("the kept folder was removed")
	}
}

func TestSF74TooManySessions(t *testing.T) {
	needBrowser(t)
	d := NewDriver(Options{StateDir: folder(t)})
	needs := surfaces.Needs{Endpoint: browserOfTests.chromium.DevTools}
	var held []*Side
	for range MaxSessions {
		s := open(t, d, needs, nil, &keeper{})
		must(t, s.Launch(t.Context(), "browser"))
		held = append(held, s)
	}
	ninth := open(t, d, needs, nil, &keeper{})
	wants(t, ninth.Launch(t.Context(), "browser"), fault.LimitExceeded, surfaces.NotDelivered)
	if err := held[3].Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := held[3].Release(t.Context()); err != nil {
		t.Errorf("giving back what is closed: %v", err)
	}
	must(t, ninth.Launch(t.Context(), "browser"))
	var ids []string
	for _, s := range d.Sessions() {
		ids = append(ids, s.ID)
		if s.Launched || s.Headless || s.URL == "" {
			t.Errorf("session %+v, want an attached one with its page", s)
		}
	}
	if got, want := strings.Join(ids, " "), "s-1 s-2 s-3 s-5 s-6 s-7 s-8 s-9"; got != want {
		t.Errorf("sessions %s, want %s", got, want)
	}
}

func TestSF75AttachedBrowserStays(t *testing.T) {
	theirs := string(show(t, "Theirs").tab.session.TargetID)
	for name, endpoint := range map[string]string{"ws": browserOfTests.chromium.DevTools, "http": overHTTP(t)} {
		s := open(t, NewDriver(Options{}), surfaces.Needs{Endpoint: endpoint, Origins: []string{"https://none.example"}}, nil, &keeper{})
		must(t, s.Launch(t.Context(), "browser"))
		if r := s.Reach(); !r.Headed || r.Endpoint != endpoint {
			t.Errorf("%s: reach %+v", name, r)
		}
		ours := string(s.tab.session.TargetID)
		if err := s.Release(t.Context()); err != nil { // A89
			t.Fatal(err)
		}
		await(t, func() bool { return !slices.Contains(pages(t), ours) })
	}
	if !browserOfTests.chromium.Process.Alive() {
		t.Fatal("the browser ended")
	}
	if !slices.Contains(pages(t), theirs) {
		t.Error("the person's tab was closed")
	}
	s := open(t, NewDriver(Options{}), surfaces.Needs{Endpoint: "http://127.0.0.1:1"}, nil, &keeper{})
	wants(t, s.Launch(t.Context(), "browser"), fault.BrowserUnavailable, surfaces.NotDelivered)
}

// Two desks, which know nothing of each other, work in one browser of a person
// who looks at a page both may use: neither takes that page, nor the other's.
func TestAttachedTasksShareNoTab(t *testing.T) {
	theirs := show(t, "Theirs")
	server := serve(t, map[string]string{"": "One", "two": "Two"})
	var sides []*Side
	for _, path := range []string{"/", "/two"} {
		s := open(t, NewDriver(Options{}), surfaces.Needs{Endpoint: browserOfTests.chromium.DevTools}, nil, &keeper{})
		must(t, s.Launch(t.Context(), "browser"))
		if at := s.tab.events.where(); at != "about:blank" {
			t.Errorf("it began at %s", at)
		}
		must(t, s.Navigate(t.Context(), server.URL+path))
		sides = append(sides, s)
	}
	for i, s := range append(sides, theirs) {
		if got, want := observe(t, s).Context, []string{"One", "Two", "Theirs"}[i]; !slices.Equal(got, []string{want}) {
			t.Errorf("tab %d shows %q, want %q", i, got, want)
		}
	}
}

// A page that would keep its visitor does not keep the tab: what asks whether to
// leave is asked of nobody any more once the task is over.
func TestATabThatAsksBeforeItClosesIsClosed(t *testing.T) {
	show(t, "Theirs") // the browser is there
	server := serve(t, map[string]string{"": `<button onclick="window.onbeforeunload = e => { e.preventDefault(); return 'stay' }">Begin</button>`})
	s := open(t, NewDriver(Options{}), surfaces.Needs{Endpoint: browserOfTests.chromium.DevTools}, nil, &keeper{})
	must(t, s.Launch(t.Context(), "browser"))
	must(t, s.Navigate(t.Context(), server.URL+"/"))
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, observe(t, s), "button", "Begin"), ""))
	ours := string(s.tab.session.TargetID)
	if err := s.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	await(t, func() bool { return !slices.Contains(pages(t), ours) })
}

func TestABindingThatCannotBeKeptOpensNothing(t *testing.T) {
	keep := &keeper{fails: fault.New(fault.StoreFull, "no room")}
	d := launched(t, Options{})
	s := open(t, d, surfaces.Needs{}, nil, keep)
	if r := s.Launch(t.Context(), "browser"); r.Code() != fault.StoreFull {
		t.Errorf("answered %v", r.Err())
	}
	if left, err := host.Profiles(d.root()); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestNeedsThatContradict(t *testing.T) {
	for name, n := range map[string]surfaces.Needs{
		"endpoint and profile":  {Endpoint: "http://127.0.0.1:9222", Profile: "/x"},
		"a relative profile":    {Profile: "x"},
		"a bare executable":     {Executable: "chromium"},
		"a missing executable":  {Executable: "/nowhere/chromium"},
		"an origin with a path": {Origins: []string{"https://a.example/x"}},
	} {
		_, err := NewDriver(Options{}).Side("w-1", n, nil, nil)
		if !errors.Is(err, fault.New(fault.InvalidRequest, "")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
