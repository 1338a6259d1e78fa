//go:build linux

package ui

import (
	"io"
	"os"
	"os/exec"
	ossignal "os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"countersign/ui/uitest"
)

// runShell is the least a shell does for one job: it puts a desk of its own in
// the foreground, says when it has stopped, and goes on with it for a line. A
// user signal makes it send the desk the signal to stop, as `kill -TSTP` would.
func runShell() int {
	ossignal.Ignore(syscall.SIGTTOU) // it takes the terminal back from the background
	toStop := make(chan os.Signal, 1)
	ossignal.Notify(toStop, syscall.SIGUSR1)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), deskEnv+"=none")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Foreground: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		return 1
	}
	pid := cmd.Process.Pid
	go func() { // ends with the process
		for range toStop {
			_ = syscall.Kill(pid, syscall.SIGTSTP)
		}
	}()
	line := make([]byte, 64)
	for {
		var ws syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &ws, syscall.WUNTRACED, nil); err == syscall.EINTR {
			continue
		}
		if !ws.Stopped() {
			return ws.ExitStatus()
		}
		_ = unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, os.Getpid())
		_, _ = io.WriteString(os.Stdout, "stopped\r\n")
		_, _ = os.Stdin.Read(line)
		_ = unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, pid)
		_ = syscall.Kill(-pid, syscall.SIGCONT)
	}
}

// session is a process of its own at a terminal of its own.
type session struct {
	*sitting
	cmd  *exec.Cmd
	exit chan error
}

func newSession(t *testing.T, where string) session {
	t.Helper()
	far, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := session{
		sitting: &sitting{t: t, far: far, tty: tty, end: make(chan error, 1), more: make(chan struct{}, 1), screen: uitest.NewEmulator(usual)},
		cmd:     exec.Command(os.Args[0]), exit: make(chan error, 1),
	}
	s.setSize(usual)
	s.cmd.Env = append(os.Environ(), deskEnv+"="+where, "COUNTERSIGN_TEST_CRASH="+t.TempDir(), "TERM=xterm-256color")
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() { // ends when the terminal is closed
		defer close(read)
		s.read()
	}()
	go func() { s.exit <- s.cmd.Wait() }() // ends with the process
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = tty.Close()
		_ = far.Close()
		<-read
	})
	return s
}

// ends waits for the process's own end.
func (s session) ends() {
	s.t.Helper()
	select {
	case err := <-s.exit:
		if err != nil {
			s.t.Errorf("it ended with %v", err)
		}
	case <-time.After(patience):
		s.t.Fatal("it does not end")
	}
}

// stopped waits until the shell has the terminal, and holds it to what it was.
func (s session) stopped(times int, how string, before *unix.Termios) {
	s.t.Helper()
	s.until("the shell", func(shown string) bool { return strings.Count(shown, "stopped") == times })
	s.mu.Lock()
	alt, cursor := s.screen.AltScreen(), s.screen.CursorShown()
	s.mu.Unlock()
	if alt || !cursor {
		s.t.Errorf("%s: alternate screen %v, cursor shown %v", how, alt, cursor)
	}
	if diff := cmp.Diff(before, settings(s.t, s.tty)); diff != "" {
		s.t.Errorf("%s: the terminal's settings differ (-before +after):\n%s", how, diff)
	}
}

// TestSuspendAndResume stops the desk from within and from outside; each time
// the shell gets its terminal as it was, and the desk comes back whole.
func TestSuspendAndResume(t *testing.T) {
	t.Parallel()
	s := newSession(t, "shell")
	before := settings(t, s.tty)
	for i, how := range []string{"ctrl+z", "a signal", "ctrl+z again"} {
		s.has("5 tasks")
		if strings.HasPrefix(how, "ctrl+z") {
			s.send("\x1a")
		} else if err := s.cmd.Process.Signal(syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
		s.stopped(i+1, how, before)
		s.send("\n")
	}
	s.has("5 tasks")
	s.send("\x03")
	s.has("Leave the desk?")
	s.send("\x03")
	s.ends()
}

// TestNothingToComeBackFrom: a desk that leads its own terminal says why it is
// not suspended, for a key and for a signal.
func TestNothingToComeBackFrom(t *testing.T) {
	t.Parallel()
	s := newSession(t, "none")
	s.has("5 tasks")
	s.send("\x1a")
	s.has("no shell stands behind this terminal")
	s.send("?")
	s.has("Keys")
	s.send("\x1b")
	s.has("5 tasks")
	s.send("\x03")
	s.has("Leave the desk?")
	s.send("\x03")
	s.ends()
}

// TestClosedTerminalEndsTheDesk: the window is closed under it.
func TestClosedTerminalEndsTheDesk(t *testing.T) {
	t.Parallel()
	s := newSession(t, "none")
	s.has("5 tasks")
	_ = s.tty.Close()
	if err := s.far.Close(); err != nil {
		t.Fatal(err)
	}
	s.ends()
}

// TestHangUpEndsTheDesk is the same where only the signal comes.
func TestHangUpEndsTheDesk(t *testing.T) {
	t.Parallel()
	s := newSession(t, "none")
	before := settings(t, s.tty)
	s.has("5 tasks")
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	s.ends()
	if diff := cmp.Diff(before, settings(t, s.tty)); diff != "" {
		t.Errorf("the terminal's settings differ (-before +after):\n%s", diff)
	}
}
