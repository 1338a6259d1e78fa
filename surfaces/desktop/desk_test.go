package desktop_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/decider"
	"countersign/store"
	"countersign/surfaces"
	"countersign/surfaces/browser"
	"countersign/surfaces/desktop"
	"countersign/surfaces/desktop/desktoptest"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
	"countersign/surfaces/workspace"
)

// patience bounds what must happen by itself; it is no measurement.
const patience = 2 * time.Minute

// gate is the embedded decider, which holds each program's verify until it is
// let go: a step that is under way for as long as a test wants.
type gate struct {
	decider.Decider
	mu    sync.Mutex // guards the rest
	doors map[string]*door
}

type door struct {
	reached chan struct{} // closed when a verify waits
	opened  chan struct{} // closed by the test
	once    sync.Once
}

func (g *gate) door(app string) *door {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.doors[app] == nil {
		g.doors[app] = &door{reached: make(chan struct{}), opened: make(chan struct{})}
	}
	return g.doors[app]
}

// Evaluate waits at the door of the program asked about.
func (g *gate) Evaluate(ctx context.Context, req decider.Request) (decider.Answers, error) {
	if strings.Contains(req.State.CurrentStep, "is showing") {
		d := g.door(req.State.App)
		d.once.Do(func() { close(d.reached) })
		select {
		case <-d.opened:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return g.Decider.Evaluate(ctx, req)
}

// bench is a desk of a desktop and a browser, with a task on each that is in
// the middle of its second step.
type bench struct {
	t       *testing.T
	d       *host.Desktop
	form    host.Process
	c       *controller.Controller
	gate    *gate
	stream  controller.Stream
	browser task.ID
	desktop task.ID
	folder  string // of the browsers
	views   map[task.ID]task.View
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if !robot.Built {
		t.Skip("built without the desktop side")
	}
	desktoptest.Need(t, "chromium")
	b := &bench{t: t, d: desktoptest.Start(t, host.DesktopOptions{}), views: map[task.ID]task.View{}}
	b.startForm()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "<title>Shop</title><h1>Welcome</h1><button>Buy</button>")
	}))
	t.Cleanup(site.Close)

	path := filepath.Join(t.TempDir(), "desk.db")
	kept, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	b.folder = path + ".d"
	b.gate = &gate{Decider: decider.NewEmbedded(), doors: map[string]*door{}}
	b.c, err = controller.New(t.Context(), controller.Options{
		Store: kept, Runner: flows.NewRunner(b.gate), Version: "test",
		Opener: workspace.Opener{
			Browser: browser.NewDriver(browser.Options{StateDir: b.folder}),
			Desktop: desktop.NewDriver(desktop.Options{Env: b.d.Env}),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.c.LeaveNothingOpen()
		if err := b.c.Close(); err != nil {
			t.Error(err)
		}
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	b.stream = b.c.Watch(t.Context(), nil)
	b.desktop = b.start(surfaces.Desktop, `{"app": "form", "steps": ["press \"Count\"", {"verify": "\"Lying on top\" is showing"}, "press \"Count\""]}`)
	b.browser = b.start(surfaces.Browser, fmt.Sprintf(`{"app": "browser", "steps": [{"browse": %q}, {"verify": "\"Welcome\" is showing"}]}`, site.URL))
	b.reached("form", b.desktop)
	b.reached("browser", b.browser)
	return b
}

// reached waits until a task is in the middle of its second step.
func (b *bench) reached(app string, id task.ID) {
	b.t.Helper()
	for {
		v, err := b.c.AwaitTask(b.t.Context(), id, 100*time.Millisecond) // back at each change
		if err != nil || v.Status.State != task.Running {
			b.t.Fatalf("the task of %s is %+v, %v", app, v.Status, err)
		}
		select {
		case <-b.gate.door(app).reached:
			return
		default:
		}
	}
}

func (b *bench) start(side surfaces.Side, flow string) task.ID {
	b.t.Helper()
	v, err := b.c.StartTask(b.t.Context(), task.StartRequest{
		Flow: []byte(flow), Constraints: task.Constraints{Surfaces: []string{string(side)}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return v.ID
}

// await reads events until a task is where it is wanted.
func (b *bench) await(id task.ID, what string, there func(task.View) bool) task.View {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	for !there(b.views[id]) {
		entries, err := b.stream.Next(ctx)
		if err != nil {
			b.t.Fatalf("%s: %v; it is %+v", what, err, b.views[id].Status)
		}
		for _, e := range entries {
			if e.View != nil {
				b.views[e.Task] = *e.View
			}
		}
	}
	return b.views[id]
}

// stopped waits until a task does not run any more.
func (b *bench) stopped(id task.ID) task.View {
	b.t.Helper()
	return b.await(id, "stopped", func(v task.View) bool { return v.Status.State != task.Running && v.Status.State != "" })
}

// lost waits until a task is paused because its side is gone.
func (b *bench) lost(id task.ID, side surfaces.Side) {
	b.t.Helper()
	v := b.stopped(id)
	if s := v.Status; s.Kind != task.CheckpointSideLost || !s.Continuable || !strings.HasPrefix(s.Reason, string(side)+" lost at step 2 of ") {
		b.t.Fatalf("it is %+v, want side_lost", s)
	}
}

func (b *bench) done(id task.ID) {
	b.t.Helper()
	v := b.await(id, "done", func(v task.View) bool { return v.Status.IsFinal() })
	if v.Status.State != task.Done {
		b.t.Fatalf("it is %+v, want done", v.Status)
	}
}

// goes lets a task carry on.
func (b *bench) goes(id task.ID) {
	b.t.Helper()
	yes := true
	v, err := b.c.ContinueTask(b.t.Context(), task.ContinueRequest{ID: id, Approve: &yes})
	if err != nil {
		b.t.Fatal(err)
	}
	b.views[id] = v
}

func (b *bench) open(app string) { close(b.gate.door(app).opened) }

// runs checks that a task is untouched by what happened to another.
func (b *bench) runs(id task.ID) {
	b.t.Helper()
	if v, err := b.c.AwaitTask(b.t.Context(), id, time.Millisecond); err != nil || v.Status.State != task.Running {
		b.t.Errorf("the other task is %+v, %v", v.Status, err)
	}
}

// kill ends, as a crash would, the processes with such a command line and
// environment; it fails when there is none.
func kill(t *testing.T, among func(line, env []byte) bool) {
	t.Helper()
	all, _ := filepath.Glob("/proc/[0-9]*")
	killed := 0
	for _, dir := range all {
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil && pid != os.Getpid() && among(line, env) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have gone with its parent
			killed++
		}
	}
	if killed == 0 {
		t.Fatal("there is nothing to be killed")
	}
}

// in reports whether an environment is that of a desktop.
func in(env []byte, d *host.Desktop) bool {
	return slices.ContainsFunc(d.Env, func(e string) bool {
		return strings.HasPrefix(e, "XDG_RUNTIME_DIR=") && bytes.Contains(env, []byte(e+"\x00"))
	})
}

// startForm starts the form and waits until it can be read, by a side of its
// own. That side comes first: it makes the session bus start an accessibility
// bus where there is none any more, for the form to join.
func (b *bench) startForm() {
	b.t.Helper()
	place, err := workspace.Opener{Desktop: desktop.NewDriver(desktop.Options{Env: b.d.Env})}.
		Open("w-1", surfaces.Needs{Sides: []surfaces.Side{surfaces.Desktop}}, nil, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = place.Close() }()
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	place.Observe(ctx, "form", "", surfaces.Full)
	b.form = desktoptest.Script(b.t, b.d, desktoptest.Form)
	for {
		screen, r := place.Observe(ctx, "form", "", surfaces.Full)
		if screen != nil {
			return
		}
		if place.AwaitChange(ctx, 200); ctx.Err() != nil {
			b.t.Fatal(r.Err())
		}
	}
}

// TestADeskOutlivesWhatItWorksOn kills, in the middle of a step, what one of two
// tasks works on. The other goes on, and an answer takes the first one up.
func TestADeskOutlivesWhatItWorksOn(t *testing.T) {
	t.Run("display", func(t *testing.T) {
		b := newBench(t)
		b.d.KillDisplay()
		b.lost(b.desktop, surfaces.Desktop)
		b.runs(b.browser)
		b.open("form")

		// Not back yet: it says so, and waits on.
		b.goes(b.desktop)
		b.lost(b.desktop, surfaces.Desktop)
		if why := b.views[b.desktop].Status.Reason; !strings.Contains(why, "the X display "+b.d.Display+" cannot be reached") {
			t.Errorf("the reason is %q", why)
		}

		desktoptest.Revive(t, b.d)
		b.startForm()
		b.goes(b.desktop)
		b.done(b.desktop)
		b.open("browser")
		b.done(b.browser)
	})
	t.Run("process that sends input", func(t *testing.T) {
		b := newBench(t)
		kill(t, func(line, env []byte) bool {
			return bytes.HasSuffix(line, []byte("\x00"+robot.Subcommand+"\x00")) && in(env, b.d)
		})
		b.runs(b.desktop)
		b.open("form")
		b.done(b.desktop)
		b.open("browser")
		b.done(b.browser)
	})
	t.Run("application", func(t *testing.T) {
		b := newBench(t)
		if err := b.form.End(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		b.runs(b.desktop)
		b.open("form")
		v := b.stopped(b.desktop)
		if v.Status.State != task.Failed || !strings.Contains(v.Status.Reason, string(fault.AppNotFound)) {
			t.Errorf("it is %+v, want failed with APP_NOT_FOUND", v.Status)
		}
		b.open("browser")
		b.done(b.browser)
	})
	t.Run("accessibility bus", func(t *testing.T) {
		b := newBench(t)
		kill(t, func(line, env []byte) bool { return bytes.Contains(line, []byte("at-spi")) && in(env, b.d) })
		b.lost(b.desktop, surfaces.Desktop)
		b.runs(b.browser)
		b.open("form")

		// Not back yet: it says so, and waits on.
		b.goes(b.desktop)
		b.lost(b.desktop, surfaces.Desktop)
		if why := b.views[b.desktop].Status.Reason; !strings.Contains(why, "no accessibility bus is announced") {
			t.Errorf("the reason is %q", why)
		}

		// Once there is one again, it and the programs on it are found.
		desktoptest.Run(t, b.d, "/usr/libexec/at-spi-bus-launcher", "--launch-immediately")
		b.startForm()
		b.goes(b.desktop)
		b.done(b.desktop)
		b.open("browser")
		b.done(b.browser)
	})
	t.Run("session bus", func(t *testing.T) {
		b := newBench(t)
		b.d.KillBus()
		b.lost(b.desktop, surfaces.Desktop)
		b.runs(b.browser)
		b.open("form")
		b.goes(b.desktop)
		b.lost(b.desktop, surfaces.Desktop)
		if why := b.views[b.desktop].Status.Reason; !strings.Contains(why, "the session bus cannot be reached") {
			t.Errorf("the reason is %q", why)
		}
		b.open("browser")
		b.done(b.browser)
	})
	t.Run("browser", func(t *testing.T) {
		b := newBench(t)
		kill(t, func(line, _ []byte) bool {
			return bytes.Contains(line, []byte("--user-data-dir="+b.folder))
		})
		b.lost(b.browser, surfaces.Browser)
		b.runs(b.desktop)
		b.open("form")
		b.done(b.desktop)
		b.open("browser")
		b.goes(b.browser)
		b.done(b.browser)
	})
}
