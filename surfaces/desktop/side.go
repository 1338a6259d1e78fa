package desktop

import (
	"context"
	"errors"
	"sync"

	"countersign/surfaces"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
	"countersign/surfaces/workspace"
)

// Side is the desktop side of one workspace. Its verbs, and those of the other
// sides of its driver, are serialized.
type Side struct {
	surfaces.Base
	driver *Driver
	headed bool
	keep   surfaces.Keeper // nil: bindings are not kept
	// elsewhere is the display the task worked on, when it is not this one.
	elsewhere string
	lost      chan struct{} // one loss at most, so a buffer of one never blocks

	// Of the verb that has the desktop's turn.
	reading  reading
	menu     bool              // the act opened one
	caret    *handle           // the field that was pressed last: keys begin there
	launched map[string]string // names, in lower case, to the programs that came of launching them

	mu     sync.Mutex // guards the rest; held for no call out
	link   *link
	gone   bool // the bus or the display died
	closed bool
}

var _ workspace.Member = (*Side)(nil)

// link is what a side holds while it is open.
type link struct {
	bus    *bus
	events *events
	robot  *robot.Client // nil where no input can be sent
	size   robot.Display // of the screen
	stop   context.CancelFunc
	wg     sync.WaitGroup
}

func (l *link) close() {
	l.stop()
	if l.robot != nil {
		l.robot.Close()
	}
	_ = l.bus.Close() // the bus may be gone, which is as good
	l.wg.Wait()
}

// Holding reports whether it is open.
func (s *Side) Holding() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.link != nil && !s.gone && !s.closed
}

// Lost is signalled once when the display or the accessibility bus has died.
func (s *Side) Lost() <-chan struct{} { return s.lost }

// Reach is empty: a person reaches a desktop by sitting at it.
func (s *Side) Reach() surfaces.Reach { return surfaces.Reach{} }

// Release lets the desktop go without closing anything on it. Idempotent.
func (s *Side) Release(ctx context.Context) error {
	opened := s.end()
	if !opened || s.keep == nil {
		return nil
	}
	return s.keep.Unbind(surfaces.Desktop)
}

// Close disconnects. Idempotent.
func (s *Side) Close() error {
	s.end()
	return nil
}

// end disconnects, and reports whether it had been open.
func (s *Side) end() bool {
	s.mu.Lock()
	l := s.link
	s.link, s.closed = nil, true
	s.mu.Unlock()
	s.driver.hold.leave(s, false)
	if l != nil {
		l.close()
	}
	return l != nil
}

// lose notes that the display or the bus died; it may be called from any
// goroutine, more than once.
func (s *Side) lose() {
	s.mu.Lock()
	first := !s.gone && !s.closed
	s.gone = true
	s.mu.Unlock()
	if first {
		s.lost <- struct{}{}
	}
}

// take waits for this verb's turn on the desktop.
func (s *Side) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case s.driver.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Side) give() { <-s.driver.turn }

// opened gives the connections, made by the first verb.
func (s *Side) opened(ctx context.Context) (*link, error) {
	s.mu.Lock()
	l, gone, closed := s.link, s.gone, s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return nil, fault.New(fault.NoSuchSession, "the desktop was given back")
	case gone:
		return nil, fault.New(fault.NoSuchSession, "the desktop of this task is gone")
	case l != nil:
		return l, nil
	case s.elsewhere != "":
		return nil, s.left()
	}
	if reason, hint := s.driver.env.absence(); reason != "" {
		return nil, fault.New(fault.DesktopNotAvailable, reason).WithHint(hint)
	}
	l, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.bind(); err != nil {
		l.close()
		return nil, err
	}
	s.mu.Lock()
	closed = s.closed
	if !closed {
		s.link = l
	}
	s.mu.Unlock()
	if closed {
		l.close()
		return nil, fault.New(fault.NoSuchSession, "the desktop was given back")
	}
	return l, nil
}

// left gives up a display that the desk is not on any more.
func (s *Side) left() error {
	if s.keep != nil {
		if err := s.keep.Unbind(surfaces.Desktop); err != nil {
			return err
		}
	}
	s.lose()
	return fault.Newf(fault.NoSuchSession, "this task worked on the display %s, and the desk is on another now", s.elsewhere)
}

// connect starts the process that sends input, where any can be sent, and joins
// the accessibility bus; it watches both. The display comes first: without one
// there is no bus worth a word.
func (s *Side) connect(ctx context.Context) (*link, error) {
	l := &link{}
	if !s.driver.env.wayland() {
		executable, err := s.driver.executable()
		if err == nil {
			l.robot, l.size, err = robot.Open(ctx, robot.Options{Executable: executable, Env: s.driver.env})
		}
		if err != nil {
			return nil, err
		}
	}
	if err := l.join(ctx, s.driver.env); err != nil {
		if l.robot != nil {
			l.robot.Close()
		}
		return nil, err
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx)) // ended by close
	l.stop = stop
	l.wg.Go(func() { // ended by close
		var lost <-chan struct{}
		if l.robot != nil {
			lost = l.robot.Lost()
		}
		select {
		case <-life.Done():
		case <-l.bus.Context().Done():
			s.lose()
		case <-lost:
			s.lose()
		}
	})
	return l, nil
}

// join connects to the accessibility bus.
func (l *link) join(ctx context.Context, env environment) error {
	b, err := connect(ctx, env)
	if err != nil {
		return err
	}
	if l.events, err = b.listen(ctx); err != nil {
		_ = b.Close()
		return denied(err, "the accessibility bus does not say what is on it")
	}
	l.bus = b
	return nil
}

func (s *Side) bind() error {
	if s.keep == nil {
		return nil
	}
	b, err := s.driver.bindingOf()
	if err != nil {
		return err
	}
	return s.keep.Bind(b)
}

// act is the frame around every verb: its turn, its time, open connections.
func (s *Side) act(ctx context.Context, command string, do func(context.Context, *link) *surfaces.Reply) *surfaces.Reply {
	ctx, cancel := context.WithTimeout(ctx, s.driver.options.Timeout)
	defer cancel()
	if err := s.take(ctx); err != nil {
		return unsent(failed(command, err))
	}
	defer s.give()
	l, err := s.opened(ctx)
	if err != nil {
		return unsent(failed(command, err))
	}
	r := do(ctx, l)
	if !r.OK && s.died(ctx, l) {
		r = surfaces.Fail(command, fault.NoSuchSession, "the desktop of this task is gone")
		r.Error.Delivery = surfaces.DeliveryUnknown // it died while the call ran
	}
	return r
}

// acts is the frame around every verb that changes something: one side does so
// at a time.
func (s *Side) acts(ctx context.Context, command string, do func(context.Context, *link) *surfaces.Reply) *surfaces.Reply {
	ctx, cancel := context.WithTimeout(ctx, s.driver.options.Timeout)
	defer cancel()
	if err := s.driver.hold.enter(ctx, s); err != nil {
		return unsent(failed(command, err))
	}
	s.menu = false
	r := s.act(ctx, command, do)
	s.driver.hold.leave(s, s.menu && r.OK)
	return r
}

// died reports whether a failure came of the desktop's own end: programs go
// before anybody tells that their display did.
func (s *Side) died(ctx context.Context, l *link) bool {
	s.mu.Lock()
	gone := s.gone
	s.mu.Unlock()
	if gone || l.bus.Context().Err() != nil {
		s.lose()
		return true
	}
	if l.robot == nil {
		return false
	}
	_, err := l.robot.Do(ctx, robot.Request{Op: robot.Probe})
	if fault.CodeOf(err) == fault.NoSuchSession {
		s.lose()
		return true
	}
	return false
}

// send has real input sent. PLATFORM_NOT_SUPPORTED where none can be; the
// delivery of the failure says whether any of it was.
func (s *Side) send(ctx context.Context, l *link, r robot.Request) (robot.Reply, *surfaces.Failure) {
	if l.robot == nil {
		f := surfaces.Fail("", fault.PlatformNotSupported, "keys, pointer and pictures cannot be had under Wayland").Error
		f.Details.Works = []string{"reading", "clicking", "typing into fields", "choosing", "launching"}
		f.Hint = "Use a step that acts on a control, or run the desk in an X11 session."
		return robot.Reply{}, f
	}
	own := robot.Own(s.own(ctx, l))
	r.Own = &own
	reply, err := l.robot.Do(ctx, r)
	if err == nil {
		return reply, nil
	}
	f := failed("", err).Error
	f.Delivery = surfaces.NotDelivered
	switch code := fault.CodeOf(err); {
	case errors.Is(err, robot.ErrUnbegun):
	case reply.Sent, code == fault.Timeout, code == fault.Internal, code == fault.NoSuchSession:
		f.Delivery = surfaces.DeliveryUncertain
	}
	return reply, f
}

// own is what is out of reach: beside the processes the desk runs under that of
// the window which its terminal says it is in.
func (s *Side) own(ctx context.Context, l *link) own {
	o := s.driver.own()
	if len(o.Windows) == 0 {
		return o
	}
	for _, w := range l.windows(ctx, o) {
		if w.Own && w.PID != 0 && !o.has(w.PID) {
			o.PIDs = append(o.PIDs, w.PID)
		}
	}
	return o
}

// stack lists the top windows, the frontmost last; empty where it cannot be
// told.
func (l *link) stack(ctx context.Context) []robot.Window { return l.windows(ctx, own{}) }

func (l *link) windows(ctx context.Context, o own) []robot.Window {
	if l.robot == nil {
		return nil
	}
	request := robot.Request{Op: robot.Windows}
	if len(o.PIDs)+len(o.Windows) > 0 {
		given := robot.Own(o)
		request.Own = &given
	}
	r, err := l.robot.Do(ctx, request)
	if err != nil {
		return nil
	}
	return r.Windows
}
