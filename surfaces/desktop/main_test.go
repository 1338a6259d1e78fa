package desktop

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/host"
)

// patience bounds what must happen by itself; it is no measurement.
const patience = time.Minute

// TestMain makes the test binary the process that robot.Open starts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == robot.Subcommand {
		if err := robot.Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// needInput skips where the desktop side was left out of the build.
func needInput(t testing.TB) {
	t.Helper()
	if !robot.Built {
		t.Skip("built without the desktop side")
	}
}

// sideOf gives a side on a desktop.
func sideOf(t testing.TB, d *host.Desktop, o Options, needs surfaces.Needs) *Side {
	t.Helper()
	needInput(t)
	if o.Env == nil {
		o.Env = d.Env
	}
	s := NewDriver(o).side(needs, nil)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// show gives a side on a desktop of its own in which a program of ours runs,
// and waits until that can be read.
func show(t testing.TB, app string, source []byte, args ...string) (*Side, *host.Desktop) {
	t.Helper()
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	desktoptest.Script(t, d, source, args...)
	s := sideOf(t, d, Options{}, surfaces.Needs{})
	await(t, s, app)
	return s, d
}

// await waits until a program's window can be read and has the focus.
func await(t testing.TB, s *Side, app string) *surfaces.Screen {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		screen, r := s.Observe(ctx, app, "", surfaces.Full)
		if screen != nil && slices.ContainsFunc(screen.Candidates, func(c surfaces.Candidate) bool { return c.Has(surfaces.Focused) }) {
			return screen
		}
		s.AwaitChange(ctx, 200)
		if ctx.Err() != nil {
			t.Fatalf("%s cannot be read: %v", app, r.Err())
		}
	}
}

func observe(t testing.TB, s *Side, app string) *surfaces.Screen {
	t.Helper()
	screen, r := s.Observe(t.Context(), app, "", surfaces.Full)
	if screen == nil {
		t.Fatalf("observe %q: %v", app, r.Err())
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
	t.Fatalf("no %s %q among:\n%s", role, name, lines(screen))
	return nil
}

func has(screen *surfaces.Screen, role, name string) bool {
	for i := range screen.Candidates {
		if c := &screen.Candidates[i]; c.Role == role && c.Name == name {
			return true
		}
	}
	return false
}

func lines(screen *surfaces.Screen) string {
	var all []string
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		all = append(all, surfaces.Line(c, true)+" under "+strings.Join(c.Path, " › "))
	}
	return strings.Join(append(all, screen.Context...), "\n")
}

func must(t testing.TB, r *surfaces.Reply) {
	t.Helper()
	if err := r.Err(); err != nil {
		t.Fatalf("%s: %v (%v)", r.Command, err, r.Error.Cause)
	}
}

func click(t testing.TB, s *Side, c *surfaces.Candidate) {
	t.Helper()
	must(t, s.Execute(t.Context(), surfaces.Click, c, ""))
	s.Settle(t.Context())
}

// end kills a program and waits until it has ended.
func end(t testing.TB, p host.Process) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience) // the test's own is over in a clean-up
	defer cancel()
	if err := p.End(ctx, 0); err != nil {
		t.Error(err)
	}
}
