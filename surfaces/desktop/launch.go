package desktop

import (
	"context"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

const (
	windowWithin = 15 * time.Second       // a program has so long to show a window
	lookAgain    = 250 * time.Millisecond // at the latest, when nothing is told
)

// Launch brings a running program forward, or starts it and waits for its
// window. A name is what the program calls itself, its desktop entry or its
// executable; no shell is asked, and nothing is passed to it.
func (s *Side) Launch(ctx context.Context, app string) *surfaces.Reply {
	const command = "launch"
	app = strings.TrimSpace(app)
	return s.acts(ctx, command, func(ctx context.Context, l *link) *surfaces.Reply {
		if app == "" {
			return unsent(surfaces.Fail(command, fault.InvalidArgs, "no program named"))
		}
		err := s.bring(ctx, l, app)
		if fault.CodeOf(plainError(err)) == fault.AppNotFound || fault.CodeOf(plainError(err)) == fault.PermDenied {
			err = s.startNamed(ctx, l, app)
		}
		if err != nil {
			return failed(command, err)
		}
		return surfaces.Succeed(command, surfaces.Data{})
	})
}

// plainError is a refusal as the fault it is.
func plainError(err error) error {
	if r, ok := err.(*surfaces.Refusal); ok {
		return fault.New(r.Failure.Code, r.Failure.Message)
	}
	return err
}

// bring brings a program that runs to the front.
func (s *Side) bring(ctx context.Context, l *link, app string) error {
	p, err := s.find(ctx, l, app)
	if err != nil {
		return err
	}
	w := &walk{bus: l.bus}
	windows, err := w.windows(ctx, p)
	if err != nil {
		return err
	}
	if len(windows) == 0 {
		return refuse(fault.AppNotFound, app+" shows no window")
	}
	if l.robot == nil {
		return l.bus.ask(ctx, windows[0].at, atspi+"Component.GrabFocus", nil, new(bool))
	}
	_, err = s.forward(ctx, l, p)
	return err
}

// startNamed starts a program, unless somebody just did, and waits until it shows
// a window.
func (s *Side) startNamed(ctx context.Context, l *link, app string) error {
	before, err := l.bus.programs(ctx)
	if err != nil {
		return err
	}
	pid := s.coming(app, before)
	if pid == 0 {
		args, err := s.command(app)
		if err != nil {
			return err
		}
		if pid, err = start(args, s.driver.env); err != nil {
			return refuse(fault.AppNotFound, strconv.Quote(app)+" cannot be started")
		}
	}
	entries := entriesFor(s.driver.env, app)
	ctx, cancel := context.WithTimeout(ctx, windowWithin)
	defer cancel()
	for {
		l.events.mark()
		if p, ok := s.arrived(ctx, l, app, entries, pid); ok {
			s.launched[strings.ToLower(app)] = p.at.Bus
			s.reading = reading{number: s.reading.number, program: p}
			l.events.follow(p.at.Bus)
			return nil
		}
		told, cancel := context.WithTimeout(ctx, lookAgain)
		l.events.await(told, false)
		cancel()
		if ctx.Err() != nil {
			f := surfaces.Fail("", fault.Timeout, strconv.Quote(app)+" was started, but shows no window that can be read").Error
			f.Delivery, f.Hint = surfaces.DeliveredUnverified, "Look before starting it again; "+strings.ToLower(turnOn[:1])+turnOn[1:]
			return &surfaces.Refusal{Failure: f}
		}
	}
}

// arrived finds the program that came of a start: the process itself, one it
// started, or one by that name; it may have run before, but showed no window.
func (s *Side) arrived(ctx context.Context, l *link, app string, entries []entry, pid int) (program, bool) {
	all, err := l.bus.programs(ctx)
	if err != nil {
		return program{}, false
	}
	own := s.own(ctx, l)
	all = slices.DeleteFunc(all, func(p program) bool { return own.has(p.pid) })
	for _, fits := range []func(program) bool{
		func(p program) bool { return slices.Contains(ancestry(p.pid), pid) },
		func(p program) bool { return len(named([]program{p}, app, entries)) > 0 },
	} {
		for _, p := range all {
			if !fits(p) {
				continue
			}
			w := &walk{bus: l.bus}
			if windows, err := w.windows(ctx, p); err == nil && len(windows) > 0 {
				return p, true
			}
		}
	}
	return program{}, false
}

// command finds what to run for a name: its desktop entry before an executable
// of that name.
func (s *Side) command(app string) ([]string, error) {
	for _, e := range entriesFor(s.driver.env, app) {
		if e.terminal {
			continue // it would need a terminal, and the desk's is out of reach
		}
		if path, ok := s.driver.env.lookPath(e.exec[0]); ok {
			return append([]string{path}, e.exec[1:]...), nil
		}
	}
	for _, name := range []string{app, strings.ToLower(app)} {
		if path, ok := s.driver.env.lookPath(name); ok {
			return []string{path}, nil
		}
	}
	return nil, refuse(fault.AppNotFound, "no program called "+strconv.Quote(app)+" runs or is installed")
}

// start runs a program in a session of its own, so that it outlives us: it is
// the person's. It is reaped when it ends before we do.
func start(args []string, env environment) (int, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = env
	cmd.Dir = env.get("HOME")
	host.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	go func() { _ = cmd.Wait() }() // ends with the program, which may be after us
	return cmd.Process.Pid, nil
}
