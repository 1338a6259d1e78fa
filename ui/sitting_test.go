//go:build linux

package ui

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"countersign/controller"
	"countersign/ui/uitest"
)

// sitting is the whole program at a pseudo-terminal: what it writes is drawn by
// an emulated terminal, what the test types comes in as a person's keys.
type sitting struct {
	t    testing.TB
	tty  *os.File // the program's side
	far  *os.File // the terminal's side
	stop context.CancelFunc
	end  chan error    // what Run returned
	more chan struct{} // one signal for any output since the last

	mu     sync.Mutex // guards what follows
	screen *uitest.Emulator
	bytes  int
	rate   int // bytes drained in a tenth of a second; 0: all
}

// slowly makes a terminal of 2 KB a second.
func slowly(s *sitting) { s.rate = 2 << 10 / 10 }

// sit starts a desk. It ends with the test.
func sit(t testing.TB, desk controller.Desk, size uitest.Size, o Options, terminal ...func(*sitting)) *sitting {
	t.Helper()
	far, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &sitting{
		t: t, far: far, tty: tty, end: make(chan error, 1), more: make(chan struct{}, 1),
		screen: uitest.NewEmulator(size),
	}
	s.setSize(size)
	for _, is := range terminal {
		is(s)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	o.In, o.Out, o.CrashDir = tty, tty, t.TempDir()
	read := make(chan struct{})
	go func() { // ends when the terminal is closed
		defer close(read)
		s.read()
	}()
	go func() { // ends with the desk
		_, err := Run(ctx, desk, o)
		s.end <- err
	}()
	t.Cleanup(func() {
		s.tap(0)
		stop()
		if err := <-s.end; err != nil {
			t.Errorf("the desk ended with %v", err)
		}
		_ = tty.Close()
		_ = far.Close()
		<-read
	})
	return s
}

func (s *sitting) read() {
	buf := make([]byte, 64<<10)
	for {
		s.mu.Lock()
		room := buf
		if s.rate > 0 {
			room = buf[:s.rate]
		}
		s.mu.Unlock()
		n, err := s.far.Read(room)
		if len(room) < len(buf) {
			<-time.After(time.Second / 10)
		}
		s.mu.Lock()
		_, _ = s.screen.Write(buf[:n])
		s.bytes += n
		s.mu.Unlock()
		select {
		case s.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// tap changes how fast the terminal drains; 0 is as fast as it can.
func (s *sitting) tap(rate int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rate = rate
}

func (s *sitting) setSize(size uitest.Size) {
	s.t.Helper()
	if err := pty.Setsize(s.far, &pty.Winsize{Rows: uint16(size.Height), Cols: uint16(size.Width)}); err != nil {
		s.t.Fatal(err)
	}
}

// resize changes the terminal. The terminal is not this process's own, so the
// kernel's signal is sent by hand.
func (s *sitting) resize(size uitest.Size) {
	s.t.Helper()
	s.mu.Lock()
	s.screen.Resize(size)
	s.mu.Unlock()
	s.setSize(size)
	if err := syscall.Kill(os.Getpid(), syscall.SIGWINCH); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sitting) send(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.far, keys); err != nil {
		s.t.Fatal(err)
	}
}

// until waits for a screen that want accepts and returns its cells.
func (s *sitting) until(what string, want func(shown string) bool) [][]uitest.Cell {
	s.t.Helper()
	deadline := time.After(patience)
	for {
		s.mu.Lock()
		shown := s.screen.String()
		var cells [][]uitest.Cell
		met := want(shown)
		if met {
			cells = s.screen.Cells()
		}
		s.mu.Unlock()
		if met {
			return cells
		}
		select {
		case <-s.more:
		case err := <-s.end:
			s.end <- err
			s.t.Fatalf("ended (%v) before %s; it shows:\n%s", err, what, shown)
		case <-deadline:
			s.t.Fatalf("no %s; it shows:\n%s", what, shown)
		}
	}
}

func (s *sitting) has(text string) [][]uitest.Cell {
	s.t.Helper()
	return s.until(text, func(shown string) bool { return strings.Contains(shown, text) })
}

func (s *sitting) hasNot(text string) [][]uitest.Cell {
	s.t.Helper()
	return s.until("screen without "+text, func(shown string) bool { return !strings.Contains(shown, text) })
}

// types types key by key, as a person does: what arrives at once is a paste.
func (s *sitting) types(text string) {
	s.t.Helper()
	for i := range text {
		s.send(text[i : i+1])
		s.has("› " + text[:i+1])
	}
}

func (s *sitting) strange() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.Strange()
}

func (s *sitting) written() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// hasty is a clock that runs so many times as fast, so that what arms itself is
// ready soon.
type hasty struct {
	start time.Time
	times time.Duration
}

func (c hasty) Now() time.Time { return c.start.Add(time.Since(c.start) * c.times) }

func (c hasty) After(d time.Duration) <-chan time.Time { return time.After(d / c.times) }
