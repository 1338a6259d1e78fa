//go:build unix

package ui

import (
	"context"
	"os"
	ossignal "os/signal"
	"sync/atomic"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// stops makes a stop signal that comes from outside the same as ctrl+z: the
// terminal is put right first. A signal once listened to never gets its own
// meaning back (Go 1.26, runtime sigdisable), so the one with which Bubble Tea
// stops the program comes here too and is turned into the one nobody can hear.
type stops struct {
	c        chan os.Signal
	stopping *atomic.Bool // the terminal is the shell's
}

func newStops() stops { return stops{make(chan os.Signal, 1), new(atomic.Bool)} }

// watch asks program to suspend at each signal, until ctx ends.
func (s stops) watch(ctx context.Context, program *tea.Program) {
	ossignal.Notify(s.c, syscall.SIGTSTP)
	go func() { // ends with ctx
		defer ossignal.Stop(s.c)
		for {
			select {
			case <-s.c:
			case <-ctx.Done():
				return
			}
			if s.stopping.Load() {
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP) // one may always send to oneself
				continue
			}
			program.Send(suspendMsg{})
		}
	}()
}

// heard sees the messages that stand around a suspend.
func (s stops) heard(msg tea.Msg) {
	switch msg.(type) {
	case tea.SuspendMsg:
		s.stopping.Store(true)
	case tea.ResumeMsg:
		s.stopping.Store(false)
	}
}

// alone reports whether no shell stands behind this program that could go on
// with it once it has stopped: it leads its own session.
func alone() bool {
	session, err := unix.Getsid(0)
	return err == nil && session == os.Getpid()
}
