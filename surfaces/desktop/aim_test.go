package desktop

import (
	"context"
	"os"
	"slices"
	"strconv"
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

// awaitTop waits until a program's window is in front.
func awaitTop(t *testing.T, s *Side, title string) robot.Window {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		for _, w := range opened(t, s).stack(ctx) {
			if w.Title == title && w.Active {
				return w
			}
		}
		if s.AwaitChange(ctx, 50); ctx.Err() != nil {
			t.Fatalf("%s does not come to the front", title)
		}
	}
}

// TestKeysForOneOfSeveralInstances: they go to the one that was read, also when
// another of its name is in front, and nowhere once it has ended.
func TestKeysForOneOfSeveralInstances(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	first := desktoptest.Script(t, d, desktoptest.Gallery, "instance", "1")
	s := sideOf(t, d, Options{}, surfaces.Needs{})
	await(t, s, "instance")
	desktoptest.Script(t, d, desktoptest.Gallery, "instance", "2")
	awaitTop(t, s, "Instance 2")
	must(t, s.Press(t.Context(), "instance", "5"))
	awaitTop(t, s, "Instance 1")
	awaitLine(t, s, "instance", "key 53")
	end(t, first)
	awaitTop(t, s, "Instance 2")
	if r := s.Press(t.Context(), "instance", "6"); r.Code() != fault.StaleRef {
		t.Errorf("pressing a key in what has ended answered %v", r.Err())
	}
	fresh := sideOf(t, d, Options{}, surfaces.Needs{})
	awaitLine(t, fresh, "instance", "no key")
}

// TestWhatShifts: a control that is used for another thing by now, or that nobody
// sees, is not acted on; a row is chosen instead of another, a branch unfolds, and
// a box that does not stay ticked is told, unless the program asks first.
func TestWhatShifts(t *testing.T) {
	s, _ := show(t, "shifts", desktoptest.Gallery, "shifts")
	act := func(op surfaces.Op, c *surfaces.Candidate, text string, want fault.Code) {
		t.Helper()
		if r := s.Execute(t.Context(), op, c, text); r.Code() != want {
			t.Errorf("%s %s answered %v, want %q", op, c.Label(), r.Err(), want)
		}
		s.Settle(t.Context())
	}
	screen := observe(t, s, "shifts")
	amount := pick(t, screen, "textbox", "Amount")
	act(surfaces.Click, pick(t, screen, "button", "Reuse"), "", "")
	act(surfaces.TypeText, amount, "250", fault.StaleRef)
	act(surfaces.TypeText, pick(t, observe(t, s, "shifts"), "textbox", "Account"), "250", "")

	for _, c := range observe(t, s, "shifts").Candidates {
		if c.Name == "Erase Two" {
			act(surfaces.Click, &c, "", fault.NotActionable)
		}
	}
	if said := observe(t, s, "shifts").Context; !slices.Contains(said, "nothing") {
		t.Errorf("it says %q", said)
	}

	for _, name := range []string{"Ada", "Cleo", "Cleo"} {
		act(surfaces.Click, pick(t, observe(t, s, "shifts"), "cell", name), "", "")
	}
	awaitLine(t, s, "shifts", "chosen Cleo")
	act(surfaces.Expand, pick(t, observe(t, s, "shifts"), "cell", "Bela"), "", "")
	awaitControl(t, s, "shifts", "cell", "Letter of Bela")

	act(surfaces.Check, pick(t, observe(t, s, "shifts"), "checkbox", "Stays"), "", fault.NotActionable)
	act(surfaces.Check, pick(t, observe(t, s, "shifts"), "checkbox", "Asks"), "", "")
	awaitControl(t, s, "shifts", "button", "OK")
}

// TestTickInAChecklist: Zenity's takes no key for it and says so; with the pointer
// allowed it is ticked.
func TestTickInAChecklist(t *testing.T) {
	needInput(t)
	desktoptest.Need(t, "zenity")
	d := desktoptest.Start(t, host.DesktopOptions{})
	desktoptest.Run(t, d, "zenity", "--list", "--checklist", "--column=Pick", "--column=Train", "FALSE", "AR 512", "FALSE", "AR 530")
	for _, headed := range []bool{false, true} {
		s := sideOf(t, d, Options{}, surfaces.Needs{Headed: headed})
		awaitControl(t, s, "zenity", "cell", "AR 530")
		var last *surfaces.Candidate
		for _, c := range observe(t, s, "zenity").Candidates {
			if c.Role == "checkbox" {
				last = &c
			}
		}
		r := s.Execute(t.Context(), surfaces.Check, last, "")
		if headed != r.OK || !headed && (r.Code() != fault.NotActionable || r.Error.Delivery != surfaces.DeliveredUnverified) {
			t.Errorf("headed %t: %v", headed, r.Err())
		}
	}
}

// TestTerminalKnownByItsWindow: it is out of reach for accessibility too.
func TestTerminalKnownByItsWindow(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{})
	desktoptest.Script(t, d, desktoptest.Gallery, "instance", "1")
	outside := sideOf(t, d, Options{}, surfaces.Needs{})
	await(t, outside, "instance")
	w := awaitTop(t, outside, "Instance 1")
	env := append(slices.Clone(d.Env), "WINDOWID="+strconv.FormatUint(uint64(w.ID), 10))
	s := sideOf(t, d, Options{PID: os.Getpid(), Env: env}, surfaces.Needs{})
	if _, r := s.Observe(t.Context(), "instance", "", surfaces.Full); r.Code() != fault.OwnWindow {
		t.Errorf("reading it answered %v", r.Err())
	}
	if r := s.Launch(t.Context(), "instance"); r.Code() != fault.OwnWindow {
		t.Errorf("launching it answered %v", r.Err())
	}
}

func TestChordsOfTheDesktop(t *testing.T) {
	for combo, want := range map[string]bool{"alt+tab": true, "super+d": true, "ctrl+alt+right": true, "alt+escape": true, "alt+f4": false, "cmd+n": false, "tab": false} {
		keys, ok := chord(combo)
		if !ok || desktops(keys) != want {
			t.Errorf("%s: %t, %t", combo, ok, desktops(keys))
		}
	}
}
