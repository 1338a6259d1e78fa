package desktop

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
)

// actWithin bounds one operation: a program that hangs is not waited for. One that
// opened a dialog on a busy machine took more than 10 s over it.
const actWithin = 20 * time.Second

// Execute does one operation, quietly: through the program's own accessibility,
// which moves no pointer and takes no focus. Only with headed, and only for a
// control that offers nothing else, the pointer is moved.
func (s *Side) Execute(ctx context.Context, op surfaces.Op, target *surfaces.Candidate, text string) *surfaces.Reply {
	command := string(op)
	switch op {
	case surfaces.Done, surfaces.Blocked, surfaces.Widen:
		return surfaces.Succeed(command, surfaces.Data{})
	case surfaces.Drill:
		if target == nil {
			return unsent(surfaces.Fail(command, fault.InvalidArgs, "drill without a target"))
		}
		return surfaces.Succeed(command, surfaces.Data{Root: target.Ref})
	case surfaces.Wait:
		surfaces.Pause(ctx, surfaces.WaitTime)
		return surfaces.Succeed(command, surfaces.Data{})
	case surfaces.Click, surfaces.TypeText, surfaces.Check, surfaces.Uncheck, surfaces.Expand, surfaces.Collapse, surfaces.Scroll:
	default:
		return surfaces.Fail(command, fault.InvalidArgs, "no such operation")
	}
	return s.acts(ctx, command, func(ctx context.Context, l *link) *surfaces.Reply {
		ctx, cancel := context.WithTimeout(ctx, actWithin)
		defer cancel()
		if op == surfaces.Scroll {
			return s.scroll(ctx, l, target, text)
		}
		h, err := s.target(ctx, l, op, target)
		if err != nil {
			return unsent(failed(command, err))
		}
		switch op {
		case surfaces.TypeText:
			err = h.set(ctx, l.bus, text)
		case surfaces.Check, surfaces.Uncheck:
			if h.ticked() == (op == surfaces.Check) {
				return surfaces.Succeed(command, surfaces.Data{})
			}
			if err = s.click(ctx, l, h); err == nil {
				err = s.shows(ctx, l, h, func() bool { return h.ticked() == (op == surfaces.Check) })
			}
		case surfaces.Expand, surfaces.Collapse:
			if h.states.has(stExpanded) == (op == surfaces.Expand) {
				return surfaces.Succeed(command, surfaces.Data{})
			}
			err = s.unfold(ctx, l, h)
		default:
			err = s.click(ctx, l, h)
		}
		if err != nil {
			return failed(command, err)
		}
		return surfaces.Succeed(command, surfaces.Data{})
	})
}

// ticked reports whether a control that can be ticked is.
func (h *handle) ticked() bool {
	return h.states.has(stChecked) || h.role == roleToggleButton && h.states.has(stPressed)
}

// click does what a press would: chooses it where its container selects, takes
// the focus for a field, else does the control's own action.
func (s *Side) click(ctx context.Context, l *link, h *handle) error {
	switch {
	case h.combo != nil:
		return choose(ctx, l.bus, h.combo.at, h.index)
	case h.word == "textbox" || h.word == "textarea" || h.word == "spinbutton":
		s.caret = h // it takes the focus with the first key: before, that would take it from the person
		return nil
	case h.role == roleTableCell && h.word == "checkbox":
		return s.tick(ctx, l, h)
	case choosable(h.node) && h.role != rolePageTab: // the action of a row is that of a double click
		if err := h.chosen(ctx, l.bus); err != nil {
			return err
		}
		return s.shows(ctx, l, h, func() bool { return h.states.has(stSelected) })
	case h.ifaces.has(hasAction):
		done, err := h.press(ctx, l.bus)
		s.menu = done && (h.role == roleMenu || h.role == rolePushButtonMenu)
		if done && err == nil && h.role == roleMenu && !h.states.has(stSelected) && !h.unfolded(ctx, l) {
			_, err = h.press(ctx, l.bus)
		}
		if done || err != nil {
			return err
		}
	}
	if choosable(h.node) {
		return choose(ctx, l.bus, h.parent.at, h.index)
	}
	return s.point(ctx, l, h)
}

// unfold has a branch of a tree, or another control that folds, change over: by
// its own action for it, since a press only chooses a row.
func (s *Side) unfold(ctx context.Context, l *link, h *handle) error {
	if !choosable(h.node) {
		return s.click(ctx, l, h)
	}
	was := h.states.has(stExpanded)
	done, err := h.does(ctx, l.bus, "expand or contract", "expand", "collapse")
	if err != nil {
		return err
	}
	if !done {
		return refuse(fault.ActionNotSupported, h.label()+" says nothing of how it is unfolded")
	}
	return h.changes(ctx, l, func() bool { return h.states.has(stExpanded) != was })
}

// changesWithin is how long a control has to show what was done to it: a program
// on a busy machine takes seconds.
const changesWithin = 5 * time.Second

// changes waits until a control shows that it changed over.
func (h *handle) changes(ctx context.Context, l *link, over func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, changesWithin)
	defer cancel()
	for {
		_, changed := l.events.now(true)
		if err := h.live(ctx, l.bus); err != nil || over() {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			f := surfaces.Fail("", fault.NotActionable, h.label()+" does not change over").Error
			f.Delivery, f.Hint = surfaces.DeliveredUnverified, "Look before repeating it; some controls need the pointer: --headed."
			return &surfaces.Refusal{Failure: f}
		}
	}
}

// shows waits until a control shows what was done to it; also one that went with
// it does, or one before which the program asks first.
func (s *Side) shows(ctx context.Context, l *link, h *handle, done func() bool) error {
	err := h.changes(ctx, l, done)
	if err == nil || fault.CodeOf(plainError(err)) == fault.StaleRef {
		return nil
	}
	w := &walk{bus: l.bus}
	windows, failed := w.windows(ctx, s.reading.program)
	if failed == nil && slices.ContainsFunc(windows, func(n *node) bool { return n.states.has(stModal) && n.at != h.window }) {
		return nil
	}
	return err
}

// unfoldWithin is how long a menu has to show its items. One that is pressed
// while a window of another program comes up shows none: it cannot have the
// pointer then, and says nothing.
const unfoldWithin = 700 * time.Millisecond

// unfolded reports whether a menu that was pressed shows its items; also where
// nobody can tell.
func (h *handle) unfolded(ctx context.Context, l *link) bool {
	ctx, cancel := context.WithTimeout(ctx, unfoldWithin)
	defer cancel()
	for {
		_, changed := l.events.now(false)
		shows, known := h.showsItems(ctx, l.bus)
		if shows || !known {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

func (h *handle) showsItems(ctx context.Context, b *bus) (shows, known bool) {
	var items []accessible
	if b.ask(ctx, h.at, atspi+"Accessible.GetChildren", nil, &items) != nil || len(items) == 0 {
		return false, ctx.Err() != nil
	}
	questions := make([]*question, len(items))
	for i, at := range items {
		questions[i] = &question{to: at, method: atspi + "Accessible.GetState", answer: func(c *dbus.Call) {
			var st []uint32
			shows = shows || c.Store(&st) == nil && statesOf(st).has(stVisible|shownOnScreen)
		}}
	}
	b.askAll(ctx, questions)
	return shows, true
}

// presses are the names programs give the action of a press, the likeliest
// first.
func presses() []string {
	return []string{"click", "press", "toggle", "activate", "jump", "open", "select", "expand or contract", "menu"}
}

// press does the control's own action; false when it has none that is a press.
func (h *handle) press(ctx context.Context, b *bus) (bool, error) {
	return h.does(ctx, b, presses()...)
}

// does has a control do the first of some actions that it has; false when it has
// none of them.
func (h *handle) does(ctx context.Context, b *bus, names ...string) (bool, error) {
	var actions []struct{ Name, Description, Key string }
	if err := b.ask(ctx, h.at, atspi+"Action.GetActions", nil, &actions); err != nil {
		return false, err
	}
	for _, want := range names {
		for i, a := range actions {
			if !strings.EqualFold(a.Name, want) {
				continue
			}
			done, err := b.order(ctx, h.at, atspi+"Action.DoAction", int32(i))
			if err != nil {
				return false, err
			}
			if !done {
				return false, refuse(fault.NotActionable, h.label()+" refuses to be pressed")
			}
			return true, nil
		}
	}
	return false, nil
}

// point presses the middle of a control with the pointer.
func (s *Side) point(ctx context.Context, l *link, h *handle) error {
	if !s.headed {
		f := surfaces.Fail("", fault.NotActionable, h.label()+" reacts to nothing but the pointer").Error
		f.Delivery, f.Hint = surfaces.NotDelivered, "Allow real input with --headed, or use its key."
		return &surfaces.Refusal{Failure: f}
	}
	var box struct{ X, Y, W, H int32 }
	if err := l.bus.ask(ctx, h.at, atspi+"Component.GetExtents", []any{uint32(0)}, &box); err != nil {
		return err
	}
	if !h.states.has(shownOnScreen) || box.W <= 0 || box.H <= 0 {
		return refuse(fault.NotActionable, h.label()+" is not on the screen")
	}
	window, err := s.forward(ctx, l, s.reading.program)
	if err != nil {
		return err
	}
	at := robot.Request{Op: robot.Click, X: int(box.X + box.W/2), Y: int(box.Y + box.H/2), Window: window}
	if _, f := s.send(ctx, l, at); f != nil {
		return &surfaces.Refusal{Failure: f}
	}
	return nil
}

func (b *bus) setValue(ctx context.Context, at accessible, to float64) error {
	return b.ask(ctx, at, properties+"Set", []any{atspi + "Value", "CurrentValue", dbus.MakeVariant(to)})
}

// set puts text into a field, instead of what it held. The text stands in no
// error.
func (h *handle) set(ctx context.Context, b *bus, text string) error {
	number := h.ifaces.has(hasValue) && (h.word == "spinbutton" || h.word == "slider")
	if number {
		if v, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
			return b.setValue(ctx, h.at, v)
		}
	}
	if !h.ifaces.has(hasEditable) || !h.states.has(stEditable) {
		return refuse(fault.NotATextField, h.label()+" takes no text")
	}
	var done bool
	if err := b.ask(ctx, h.at, atspi+"EditableText.SetTextContents", []any{text}, &done); err != nil {
		return err
	}
	if !done {
		f := surfaces.Fail("", fault.TextNotDelivered, h.label()+" did not take the text").Error
		return &surfaces.Refusal{Failure: f}
	}
	return nil
}

// ReadValue gives what a field holds now; never a password.
func (s *Side) ReadValue(ctx context.Context, target *surfaces.Candidate) (string, bool) {
	if target == nil {
		return "", false
	}
	value, known := "", false
	s.act(ctx, "read_value", func(ctx context.Context, l *link) *surfaces.Reply {
		h, ok := s.reading.refs[target.Ref]
		if !ok || h.role == rolePasswordText || h.live(ctx, l.bus) != nil {
			return surfaces.Fail("read_value", fault.StaleRef, target.Label()+" cannot be read")
		}
		value, known = h.value(ctx, l.bus)
		return surfaces.Succeed("read_value", surfaces.Data{})
	})
	return value, known
}

// value asks a field what it holds.
func (h *handle) value(ctx context.Context, b *bus) (string, bool) {
	switch {
	case h.role == roleComboBox:
		name, err := b.get(ctx, h.at, "Accessible", "Name")
		text, ok := name.(string)
		return text, err == nil && ok
	case h.ifaces.has(hasText) && (private(h.role) || h.role == roleSpinButton):
		var text string
		err := b.ask(ctx, h.at, atspi+"Text.GetText", []any{int32(0), int32(-1)}, &text)
		return text, err == nil
	case h.ifaces.has(hasValue):
		v, err := b.get(ctx, h.at, "Value", "CurrentValue")
		f, ok := v.(float64)
		return strconv.FormatFloat(f, 'g', -1, 64), err == nil && ok
	default:
		return "", false
	}
}
