//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
	"countersign/surfaces/desktop"
	"countersign/surfaces/desktop/desktoptest"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/host"
	"countersign/ui/cli"
)

// patience bounds what must happen by itself: programs and a browser start, on a
// machine that does a lot else. It is no measurement.
const patience = 3 * time.Minute

// TestMain makes the test binary the processes that it starts of itself.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case robot.Subcommand:
			finish(robot.Serve(os.Stdin, os.Stdout))
		case host.WardenSubcommand:
			finish(host.Watch(os.Stdin, os.Args[2]))
		}
	}
	if os.Getenv(asDemo) != "" {
		finish(waitToBeKilled())
	}
	os.Exit(m.Run())
}

func finish(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// seat is the whole program without its screen: a desk on a store of its own,
// and somebody who answers.
type seat struct {
	*testing.T
	desk controller.Desk
}

// sit opens the program on a desktop.
func sit(t *testing.T, env []string) *seat {
	t.Helper()
	if !robot.Built {
		t.Skip("built without the desktop side")
	}
	state := t.TempDir()
	opened, err := open(t.Context(), cli.Settings{
		Paths: cli.Paths{State: state, Store: filepath.Join(state, "desk.db")}, Env: env,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opened.Close(true); err != nil {
			t.Error(err)
		}
	})
	return &seat{t, opened.Desk}
}

// program opens the program on a desktop of its own in which another one runs.
func program(t *testing.T, name string, args ...string) (*seat, *host.Desktop) {
	t.Helper()
	d := desktoptest.Start(t, host.DesktopOptions{})
	s := sit(t, d.Env)
	if name != "" {
		desktoptest.Run(t, d, name, args...)
	}
	return s, d
}

// start starts a task that has the desktop alone.
func (s *seat) start(steps string, more func(*task.StartRequest)) task.View {
	s.Helper()
	req := task.StartRequest{Task: s.Name(), Flow: []byte(steps), Constraints: task.Constraints{Surfaces: []string{"desktop"}}}
	if more != nil {
		more(&req)
	}
	v, err := s.desk.StartTask(s.Context(), req)
	if err != nil {
		s.Fatal(err)
	}
	return s.settled(v)
}

// settled waits until a task waits or is over.
func (s *seat) settled(v task.View) task.View {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	for v.Status.State == task.Running {
		var err error
		if v, err = s.desk.AwaitTask(ctx, v.ID, time.Minute); err != nil {
			s.Fatal(err)
		}
		if ctx.Err() != nil {
			s.tell(v.ID)
			s.Fatalf("%s still runs: %s", v.ID, v.Summary)
		}
	}
	return v
}

// is checks where a task came to rest.
func (s *seat) is(v task.View, want task.State) {
	s.Helper()
	if v.Status.State != want {
		s.tell(v.ID)
		s.Fatalf("%s is %s, want %s: %s %s", v.ID, v.Status.State, want, v.Summary, v.Status.Reason)
	}
}

func (s *seat) report(id task.ID) task.Report {
	s.Helper()
	r, err := s.desk.TaskReport(s.Context(), id, false)
	if err != nil {
		s.Fatal(err)
	}
	return r
}

// tell logs what a task did.
func (s *seat) tell(id task.ID) {
	s.Helper()
	for _, step := range s.report(id).Steps {
		s.Logf("%-5s %-10s %-12s %.2f  %s: %s", step.Step, step.Kind, step.Outcome, step.Confidence, step.Text, step.Note)
	}
}

// readable waits until a program of ours can be read. One that is installed is
// waited for by the launch itself.
func readable(t *testing.T, d *host.Desktop, app string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	side, err := desktop.NewDriver(desktop.Options{Env: d.Env}).Side("w-1", surfaces.Needs{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = side.Close() }()
	for {
		screen, r := side.Observe(ctx, app, "", surfaces.Full)
		if screen != nil {
			return
		}
		if side.AwaitChange(ctx, 500); ctx.Err() != nil {
			t.Fatalf("%s cannot be read: %v", app, r.Err())
		}
	}
}

// outcome is how a step ended at last; empty for one that was not reached.
func (s *seat) outcome(id task.ID, step string) flows.Outcome {
	s.Helper()
	for _, r := range slices.Backward(s.report(id).Steps) {
		if r.Step == step {
			return r.Outcome
		}
	}
	return ""
}

// give answers with values, sign with a signature.
func (s *seat) give(v task.View, inputs map[string]string) task.View {
	s.Helper()
	return s.goOn(task.ContinueRequest{ID: v.ID, Inputs: inputs})
}

func (s *seat) sign(v task.View, words string) task.View {
	s.Helper()
	yes := true
	return s.goOn(task.ContinueRequest{ID: v.ID, Approve: &yes, Digest: v.Status.Digest, Answer: words})
}

func (s *seat) goOn(req task.ContinueRequest) task.View {
	s.Helper()
	v, err := s.desk.ContinueTask(s.Context(), req)
	if err != nil {
		s.Fatal(err)
	}
	return s.settled(v)
}
