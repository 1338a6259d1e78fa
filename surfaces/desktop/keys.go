package desktop

import (
	"context"
	"slices"
	"strings"

	"countersign/surfaces"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
)

// keyNames are the logical names of keys and what the desktop process calls
// them.
func keyName(name string) (string, bool) {
	switch name {
	case "return", "enter":
		return "enter", true
	case "escape", "esc":
		return "esc", true
	case "pageup", "page_up":
		return "pageup", true
	case "pagedown", "page_down":
		return "pagedown", true
	case "backspace", "delete", "tab", "space", "up", "down", "left", "right", "home", "end", "insert", "menu",
		"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12":
		return name, true
	default:
		return name, len([]rune(name)) == 1
	}
}

// chord reads a combo in logical spelling. The command key is control here.
func chord(combo string) ([]string, bool) {
	parts := strings.Split(strings.ToLower(strings.TrimSpace(combo)), "+")
	if strings.HasSuffix(combo, "++") || combo == "+" { // the plus key itself
		parts = append(parts[:len(parts)-2], "+")
	}
	var keys []string
	for _, m := range parts[:len(parts)-1] {
		switch strings.TrimSpace(m) {
		case "cmd", "command", "ctrl", "control":
			keys = append(keys, "ctrl")
		case "shift":
			keys = append(keys, "shift")
		case "alt", "option":
			keys = append(keys, "alt")
		case "super", "meta", "win":
			keys = append(keys, "cmd")
		default:
			return nil, false
		}
	}
	key, ok := keyName(strings.TrimSpace(parts[len(parts)-1]))
	return append(keys, key), ok && key != ""
}

// desktops reports a chord that window managers take for themselves: it would
// turn to another window, the terminal among them, or leave none in front.
func desktops(keys []string) bool {
	mods, key := keys[:len(keys)-1], keys[len(keys)-1]
	has := func(m string) bool { return slices.Contains(mods, m) }
	return has("cmd") || has("ctrl") && has("alt") || has("alt") && (key == "tab" || key == "esc" || key == "space")
}

// Press brings the program forward and sends it one chord.
func (s *Side) Press(ctx context.Context, app, combo string) *surfaces.Reply {
	const command = "press"
	keys, ok := chord(combo)
	if !ok {
		return unsent(surfaces.Fail(command, fault.InvalidArgs, "no such key"))
	}
	if desktops(keys) {
		return unsent(surfaces.Fail(command, fault.InvalidArgs, "that chord is the desktop's own, no program's"))
	}
	return s.acts(ctx, command, func(ctx context.Context, l *link) *surfaces.Reply {
		window, r := s.focus(ctx, l, command, app)
		if r != nil {
			return r
		}
		if _, f := s.send(ctx, l, robot.Request{Op: robot.Key, Keys: keys, Window: window}); f != nil {
			return &surfaces.Reply{Command: command, Error: f}
		}
		return surfaces.Succeed(command, surfaces.Data{})
	})
}

// focus brings forward the window that keys are meant for, and gives its number;
// a reply when it cannot be, or when no keys can be sent here at all.
func (s *Side) focus(ctx context.Context, l *link, command, app string) (uint32, *surfaces.Reply) {
	if l.robot == nil {
		_, f := s.send(ctx, l, robot.Request{})
		return 0, &surfaces.Reply{Command: command, Error: f}
	}
	p, err := s.meant(ctx, l, strings.TrimSpace(app))
	var window uint32
	if err == nil {
		window, err = s.forward(ctx, l, p)
	}
	if err == nil {
		err = s.place(ctx, l, p)
	}
	if err != nil {
		return 0, unsent(failed(command, err))
	}
	return window, nil
}

// place gives the field that was pressed last the focus, once its window has it.
func (s *Side) place(ctx context.Context, l *link, p program) error {
	h := s.caret
	s.caret = nil
	if h == nil || h.at.Bus != p.at.Bus {
		return nil
	}
	var done bool
	err := l.bus.ask(ctx, h.at, atspi+"Component.GrabFocus", nil, &done)
	if absent(err) || err == nil && !done {
		return refuse(fault.StaleRef, h.label()+" takes no keys any more")
	}
	return err
}

// meant is the program that keys are for: of several of one name the one that was
// read, and none of the others where that has ended.
func (s *Side) meant(ctx context.Context, l *link, app string) (program, error) {
	read := s.reading.program
	if read.at.null() || app != "" && !strings.EqualFold(app, s.reading.app) {
		return s.find(ctx, l, app)
	}
	all, err := l.bus.programs(ctx)
	if err != nil {
		return program{}, err
	}
	own := s.own(ctx, l)
	for _, p := range all {
		switch {
		case p.at.Bus != read.at.Bus:
		case own.has(p.pid):
			return program{}, refuse(fault.OwnWindow, "that is the terminal this desk runs in")
		default:
			return p, nil
		}
	}
	return program{}, refuse(fault.StaleRef, read.name+" has ended since it was read")
}

// Paste puts text into a field by way of the clipboard, which holds again
// afterwards what it held. The text does not stay on it, whatever happens.
func (s *Side) Paste(ctx context.Context, app string, target *surfaces.Candidate, text string) *surfaces.Reply {
	const command = "paste"
	return s.acts(ctx, command, func(ctx context.Context, l *link) *surfaces.Reply {
		if target != nil {
			h, err := s.target(ctx, l, surfaces.TypeText, target)
			if err == nil && !h.takes() {
				err = refuse(fault.NotATextField, h.label()+" takes no text")
			}
			if err != nil {
				return unsent(failed(command, err))
			}
		}
		window, r := s.focus(ctx, l, command, app)
		if r != nil {
			return r
		}
		if target != nil {
			if r := s.enter(ctx, l, s.reading.refs[target.Ref], window); r != nil {
				return r
			}
		}
		return s.paste(ctx, l, text, window)
	})
}

// takes reports whether a control is one that text goes into.
func (h *handle) takes() bool {
	return (h.word == "textbox" || h.word == "textarea" || h.word == "spinbutton") && !h.states.has(stReadOnly) &&
		(h.states.has(stEditable) || !h.ifaces.has(hasEditable))
}

// enter gives a field the focus and selects what it holds, so that what is
// pasted comes instead of it.
func (s *Side) enter(ctx context.Context, l *link, h *handle, window uint32) *surfaces.Reply {
	const command = "paste"
	var done bool
	if err := l.bus.ask(ctx, h.at, atspi+"Component.GrabFocus", nil, &done); err != nil || !done {
		return unsent(surfaces.Fail(command, fault.NotATextField, h.label()+" does not take the focus"))
	}
	if err := h.live(ctx, l.bus); err != nil {
		return unsent(failed(command, err))
	}
	if !h.states.has(stFocused) {
		return unsent(surfaces.Fail(command, fault.NotATextField, h.label()+" does not take the focus"))
	}
	if !h.ifaces.has(hasEditable) {
		return nil
	}
	if _, f := s.send(ctx, l, robot.Request{Op: robot.Key, Keys: []string{"ctrl", "a"}, Window: window}); f != nil {
		return &surfaces.Reply{Command: command, Error: f}
	}
	return nil
}

func (s *Side) paste(ctx context.Context, l *link, text string, window uint32) *surfaces.Reply {
	const command = "paste"
	reply, f := s.send(ctx, l, robot.Request{Op: robot.Paste, Text: text, Keys: []string{"ctrl", "v"}, Window: window})
	if f != nil && f.Code == fault.PlatformNotSupported && f.Delivery == surfaces.NotDelivered { // no clipboard to be had
		reply, f = s.send(ctx, l, robot.Request{Op: robot.Type, Text: text, Window: window})
		reply.Restored = true // it was never touched
	}
	var data surfaces.Data
	if reply.OK || reply.Code != "" { // it lived to tell
		data.ClipboardRestored = &reply.Restored
	}
	if f != nil {
		return &surfaces.Reply{Command: command, Error: f, Data: &data}
	}
	return surfaces.Succeed(command, data)
}
