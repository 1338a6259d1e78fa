//go:build linux

package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	ossignal "os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"countersign/controller"
	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/ui/inspector"
	"countersign/ui/uitest"
)

// deskEnv makes the test binary a desk at its terminal instead of a test.
const deskEnv = "COUNTERSIGN_TEST_DESK"

const panicSecret = "4242-secret-value"

// brokenDesk panics where it is told to.
type brokenDesk struct {
	controller.Desk
	where string
}

func (d brokenDesk) TaskReport(ctx context.Context, id task.ID, trace bool) (task.Report, error) {
	if d.where == "command" {
		panic(panicSecret)
	}
	return d.Desk.TaskReport(ctx, id, trace)
}

func (d brokenDesk) Watch(ctx context.Context, from map[task.ID]uint64) controller.Stream {
	if d.where == "feed" {
		return brokenStream{}
	}
	return d.Desk.Watch(ctx, from)
}

type brokenStream struct{}

func (brokenStream) Next(context.Context) ([]task.Entry, error) { panic(panicSecret) }

// runDesk is the child's whole life. It exits 7 on the fault of a crash.
func runDesk(where string) int {
	if where == "shell" {
		return runShell()
	}
	o := Options{CrashDir: os.Getenv("COUNTERSIGN_TEST_CRASH"), Version: "test", In: os.Stdin, Out: os.Stdout}
	if where == "update" {
		o.Sensitive = func(string) bool { panic(panicSecret) } // asked by Update for every field of a form
	}
	ctx, stop := ossignal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // as the program does
	defer stop()
	if where == "signal" {
		o.Sensitive = func(string) bool { // the signal comes while Update is at work
			_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
			<-ctx.Done()
			time.Sleep(20 * time.Millisecond) // for whoever else listens
			return false
		}
	}
	scene := uitest.Scene("demo", time.Now())
	if where == "notify" {
		o.Bell, o.Notify, o.Tmux = true, true, os.Getenv("TMUX") != ""
		go waitsAgain(ctx, scene) // ends with the desk
	}
	_, err := Run(ctx, brokenDesk{scene, where}, o)
	if err != nil {
		_, _ = io.WriteString(os.Stderr, err.Error()+"\n")
		return 7
	}
	return 0
}

// waitsAgain lets a task ask something new again and again: a tmux that is just
// drawing lets nothing through.
func waitsAgain(ctx context.Context, desk *controllertest.Desk) {
	for n := uint64(100); ; n++ {
		select {
		case <-time.After(ringEvery):
		case <-ctx.Done():
			return
		}
		status := task.Status{State: task.NeedsHuman, Reason: "sign in"}
		desk.Put(task.View{ID: 9, Title: "Asks", Status: status, Revision: n, SinceAt: int64(n), Next: task.Next(status, true)})
	}
}

// patience bounds what must happen by itself; it is no measurement.
const patience = 2 * time.Minute

// child runs a desk at a pseudo-terminal and gives what it wrote, how it ended,
// and the terminal's settings before and after.
func child(t *testing.T, where string, keys ...string) (screen string, code int, before, after *unix.Termios, crashes []string) {
	t.Helper()
	crashDir := t.TempDir()
	ptm, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ptm.Close() //nolint:errcheck // the test is over
	defer tty.Close() //nolint:errcheck // the test is over
	if err := pty.Setsize(ptm, &pty.Winsize{Rows: 30, Cols: 110}); err != nil {
		t.Fatal(err)
	}
	before = settings(t, tty)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), deskEnv+"="+where, "COUNTERSIGN_TEST_CRASH="+crashDir, "TERM=xterm-256color")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	var out bytes.Buffer
	read := make(chan struct{})
	shown := make(chan struct{}, 1)
	go func() { // ends when the terminal's last writer is gone
		defer close(read)
		buf := make([]byte, 4096)
		for {
			n, err := ptm.Read(buf)
			out.Write(buf[:n])
			if strings.Contains(out.String(), "countersign") {
				select {
				case shown <- struct{}{}:
				default:
				}
			}
			if err != nil {
				return
			}
		}
	}()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if len(keys) > 0 {
		<-shown
		for _, k := range keys {
			if _, err := io.WriteString(ptm, k); err != nil {
				t.Fatal(err)
			}
		}
	}
	waited := make(chan error, 1)
	go func() { waited <- cmd.Wait() }() // ends with the child
	select {
	case err = <-waited:
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		t.Fatalf("the desk does not end; it shows:\n%s", <-drain(&out))
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	after = settings(t, tty)
	_ = tty.Close()
	<-read
	found, err := filepath.Glob(filepath.Join(crashDir, "crash-*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), code, before, after, found
}

func drain(b *bytes.Buffer) chan string {
	c := make(chan string, 1)
	c <- b.String()
	return c
}

func settings(t testing.TB, tty *os.File) *unix.Termios {
	t.Helper()
	s, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestD12PanicRestoresTheTerminal(t *testing.T) {
	for _, where := range []string{"command", "feed", "update"} {
		t.Run(where, func(t *testing.T) {
			screen, code, before, after, crashes := child(t, where)
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("the terminal's settings differ (-before +after):\n%s", diff)
			}
			if !strings.Contains(screen, "\x1b[?1049l") || !strings.Contains(screen, "\x1b[?25h") {
				t.Errorf("the alternate screen or the hidden cursor was left behind")
			}
			if code != 7 || len(crashes) != 1 {
				t.Fatalf("exit %d with %d crash files, want 7 and one; it shows:\n%s", code, len(crashes), screen)
			}
			file := string(mustRead(t, crashes[0]))
			if !strings.Contains(file, "goroutine") || !strings.Contains(file, "panic:") {
				t.Errorf("the crash file says too little:\n%s", file)
			}
			// D13: neither the file nor the terminal holds the value.
			if strings.Contains(file, panicSecret) || strings.Contains(screen, panicSecret) {
				t.Error("the value panicked with is shown")
			}
		})
	}
}

func TestQuittingRestoresTheTerminal(t *testing.T) {
	screen, code, before, after, crashes := child(t, "none", "\x03", "\x03")
	if diff := cmp.Diff(before, after); diff != "" || code != 0 || len(crashes) != 0 {
		t.Errorf("exit %d, %d crash files; the terminal's settings (-before +after):\n%s", code, len(crashes), diff)
	}
	if !strings.Contains(screen, "\x1b[?1049l") {
		t.Error("the alternate screen was left behind")
	}
}

// Two listeners heard the signal and one of them could wait for the other for
// ever; which came first was chance, so it is tried several times.
func TestSignalEndsTheDeskAndRestoresTheTerminal(t *testing.T) {
	const tries = 10
	for range tries {
		screen, code, before, after, crashes := child(t, "signal")
		if diff := cmp.Diff(before, after); diff != "" || code != 0 || len(crashes) != 0 {
			t.Fatalf("exit %d, %d crash files; the terminal's settings (-before +after):\n%s", code, len(crashes), diff)
		}
		if !strings.Contains(screen, "\x1b[?1049l") || !strings.Contains(screen, "\x1b[?25h") {
			t.Fatal("the alternate screen or the hidden cursor was left behind")
		}
	}
}

// A terminal that answers nothing is not waited for: Bubble Tea would ask it for
// its background colour, for five seconds.
func TestTerminalIsNotAskedForItsColour(t *testing.T) {
	screen, _, _, _, _ := child(t, "none", "\x03", "\x03")
	if strings.Contains(screen, "\x1b]11;?") {
		t.Error("the terminal was asked for its background colour")
	}
}

// A panic in View leaves the frame empty, and the next message ends the program.
func TestD12PanicInView(t *testing.T) {
	broken := inspector.Model{}.SetView(task.View{ID: 1}) // made without New: it has no rows to draw from
	g := guarded{Model{width: 100, height: 30, inspector: broken}, &crashBox{}}
	if frame := g.View(); frame != "" || g.box.get() == nil {
		t.Fatalf("drew %q, crash %v", frame, g.box.get())
	}
	if _, cmd := g.Update(secondMsg{time.Now()}); cmd == nil || cmd() != tea.Quit() {
		t.Error("the program goes on after a panic in View")
	}
}
