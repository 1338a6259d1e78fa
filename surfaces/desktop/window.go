package desktop

import (
	"context"

	"countersign/surfaces"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
)

// forward brings a program's window to the front, the one read last when there
// are several, and gives its number. Under Wayland, where there is none, the
// window is asked to take the focus.
func (s *Side) forward(ctx context.Context, l *link, p program) (uint32, error) {
	read := s.reading.window
	if s.reading.program.at.Bus != p.at.Bus {
		read = accessible{}
	}
	if l.robot == nil {
		if read.null() {
			return 0, nil
		}
		return 0, l.bus.ask(ctx, read, atspi+"Component.GrabFocus", nil, new(bool))
	}
	w, err := l.window(ctx, p, read)
	if err != nil || w.Active {
		return w.ID, err
	}
	if _, f := s.send(ctx, l, robot.Request{Op: robot.Raise, Window: w.ID}); f != nil {
		return 0, &surfaces.Refusal{Failure: f}
	}
	return w.ID, nil
}

// window is a window of a program as X has it: the one of the title it has now;
// of several the one at its place; the frontmost when none is asked for. Two that
// cannot be told apart are refused, and so is one that is closed.
func (l *link) window(ctx context.Context, p program, at accessible) (robot.Window, error) {
	title := ""
	if !at.null() {
		var err error
		if title, err = l.titled(ctx, at); err != nil {
			return robot.Window{}, err
		}
	}
	var all, titled []robot.Window
	for _, w := range l.stack(ctx) {
		if w.PID != p.pid || w.Own {
			continue
		}
		all = append(all, w)
		if w.Title == title {
			titled = append(titled, w)
		}
	}
	if len(titled) > 0 {
		all = titled
	}
	switch {
	case len(all) == 0:
		return robot.Window{}, refuse(fault.AppNotFound, p.name+" has no window that can be brought forward")
	case len(all) == 1 || at.null():
		return all[len(all)-1], nil
	}
	var box struct{ X, Y, W, H int32 }
	if err := l.bus.ask(ctx, at, atspi+"Component.GetExtents", []any{uint32(0)}, &box); err != nil {
		return robot.Window{}, err
	}
	off := func(w robot.Window) int {
		return abs(w.X-int(box.X)) + abs(w.Y-int(box.Y)) + abs(w.Width-int(box.W)) + abs(w.Height-int(box.H))
	}
	best, twice := all[0], false
	for _, w := range all[1:] {
		switch d := off(w) - off(best); {
		case d < 0:
			best, twice = w, false
		case d == 0:
			twice = true
		}
	}
	if twice {
		return robot.Window{}, refuse(fault.NotActionable, p.name+" has two windows of one title at one place")
	}
	return best, nil
}

// titled is the title that a window has now; STALE_REF where it is closed.
func (l *link) titled(ctx context.Context, at accessible) (string, error) {
	var st []uint32
	err := l.bus.ask(ctx, at, atspi+"Accessible.GetState", nil, &st)
	is := statesOf(st)
	if absent(err) || err == nil && (is.has(stDefunct) || !is.has(stVisible)) {
		return "", refuse(fault.StaleRef, "the window that was read is closed")
	}
	if err != nil {
		return "", err
	}
	name, err := l.bus.get(ctx, at, "Accessible", "Name")
	title, _ := name.(string)
	return title, err
}

func abs(n int) int { return max(n, -n) }
