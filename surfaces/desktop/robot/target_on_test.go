//go:build linux && !nodesktop

package robot

import (
	"context"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"countersign/surfaces/fault"
)

// program is one that input is meant for: a window over all of the display, with
// the focus.
type program struct {
	*clipboard
	pressed chan struct{} // keys and buttons that reached it
}

// target opens one; it answers pings when it is not busy.
func target(t *testing.T, display string, answers bool) *program {
	t.Helper()
	xgb.Logger.SetOutput(io.Discard)
	x, err := openDisplay(display)
	if err != nil {
		t.Fatal(err)
	}
	p := &program{newClipboard(x, nil), make(chan struct{}, 1)}
	served := p.event
	p.event = func(e xgb.Event) {
		switch e := e.(type) {
		case xproto.KeyPressEvent, xproto.ButtonPressEvent:
			tell(p.pressed)
		case xproto.ClientMessageEvent:
			if !answers {
				return
			}
			e.Window = x.root
			mask := uint32(xproto.EventMaskSubstructureNotify | xproto.EventMaskSubstructureRedirect)
			xproto.SendEvent(x.Conn, false, x.root, mask, string(e.Bytes()))
		default:
			served(e)
		}
	}
	xproto.DestroyWindow(x.Conn, p.window)
	setup := xproto.Setup(x.Conn).DefaultScreen(x.Conn)
	xproto.CreateWindow(x.Conn, setup.RootDepth, p.window, x.root, 0, 0, 640, 480, 0, xproto.WindowClassInputOutput, setup.RootVisual,
		xproto.CwEventMask, []uint32{xproto.EventMaskKeyPress | xproto.EventMaskButtonPress})
	ping := make([]byte, 4)
	xgb.Put32(ping, uint32(x.atom("_NET_WM_PING")))
	xproto.ChangeProperty(x.Conn, xproto.PropModeReplace, p.window, x.atom("WM_PROTOCOLS"), xproto.AtomAtom, 32, 1, ping)
	xproto.MapWindow(x.Conn, p.window)
	p.focusHere()
	t.Cleanup(func() {
		x.Close()
		<-x.gone
	})
	return p
}

func (p *program) focusHere() {
	xproto.SetInputFocus(p.Conn, xproto.InputFocusParent, p.window, xproto.TimeCurrentTime)
	p.focus() // an answer: it was done
}

// untouched checks that no key and no button has reached it.
func (p *program) untouched(t *testing.T) {
	t.Helper()
	p.focus() // an answer: what was sent before has come
	select {
	case <-p.pressed:
		t.Error("it was pressed, and was not meant")
	default:
	}
}

func pasteInto(p *program) Request {
	return Request{Op: Paste, Text: "hunter2-swordfish", Keys: []string{"ctrl", "v"}, Own: &Own{}, Window: uint32(p.window)}
}

// start has a request carried out beside the test.
func start(t *testing.T, c *Client, r Request) <-chan result {
	t.Helper()
	done := make(chan result, 1)
	go func() { // ends with the answer
		reply, err := c.Do(context.Background(), r)
		done <- result{reply, err}
	}()
	return done
}

// TestInputForAnotherWindow: keys go to the window that is meant or nowhere, and
// a press at a place where another lies is none.
func TestInputForAnotherWindow(t *testing.T) {
	c, display, _ := robotOn(t)
	meant, front := target(t, display, true), target(t, display, true)
	own := &Own{}
	for _, r := range []Request{
		{Op: Key, Keys: []string{"enter"}},
		{Op: Type, Text: "delete"},
		pasteInto(meant),
		{Op: Click, X: 20, Y: 20},
		{Op: Drag, X: 5, Y: 5, ToX: 90, ToY: 90},
		{Op: Scroll, X: 20, Y: 20, DY: 1},
	} {
		r.Own, r.Window = own, uint32(meant.window)
		if r, err := c.Do(t.Context(), r); fault.CodeOf(err) != fault.NotActionable || r.Sent {
			t.Errorf("%s answered %v", r.Code, err)
		}
	}
	front.untouched(t)
	meant.untouched(t)

	// It lies over a part of the other alone.
	xproto.ConfigureWindow(front.Conn, front.window, xproto.ConfigWindowWidth, []uint32{100})
	front.focus()
	for x, want := range map[int]fault.Code{50: fault.NotActionable, 150: ""} {
		_, err := c.Do(t.Context(), Request{Op: Click, X: x, Y: 20, Own: own, Window: uint32(meant.window)})
		if fault.CodeOf(err) != want {
			t.Errorf("a click at %d answered %v, want %q", x, err, want)
		}
	}
	front.untouched(t)
	<-meant.pressed
}

// TestFocusMovesOverTyping: the rest of the text is not typed into the window
// that came to the front.
func TestFocusMovesOverTyping(t *testing.T) {
	c, display, _ := robotOn(t)
	other, meant := target(t, display, true), target(t, display, true)
	done := start(t, c, Request{Op: Type, Text: strings.Repeat("a", 100_000), Own: &Own{}, Window: uint32(meant.window)})
	<-meant.pressed
	other.focusHere()
	if got := <-done; fault.CodeOf(got.err) != fault.NotActionable || !got.reply.Sent {
		t.Errorf("answered %+v, %v", got.reply, got.err)
	}
}

// TestFocusMovesBeforeAPaste: while the clipboard's owner keeps it waiting
// another window comes to the front, and gets no key.
func TestFocusMovesBeforeAPaste(t *testing.T) {
	for name, own := range map[string]bool{"another program's": false, "the terminal": true} {
		t.Run(name, func(t *testing.T) {
			c, display, _ := robotOn(t)
			owner, other, meant := person(t, display), target(t, display, true), target(t, display, true)
			asked := make(chan struct{}, 1)
			owner.event = func(e xgb.Event) {
				if _, ok := e.(xproto.SelectionRequestEvent); ok {
					tell(asked) // and never answer
				}
			}
			owner.copies(t, "a street and a number")
			r, want := pasteInto(meant), fault.NotActionable
			if own {
				r.Own, want = &Own{Windows: []uint32{uint32(other.window)}}, fault.OwnWindow
			}
			done := start(t, c, r)
			<-asked
			other.focusHere()
			if got := <-done; fault.CodeOf(got.err) != want || got.reply.Sent {
				t.Errorf("answered %+v, %v; want %s", got.reply, got.err, want)
			}
			other.untouched(t)
		})
	}
}

// TestPasteThatNobodyTakes: the program got to its keys and does not ask for the
// text. It does not stay, and what was copied before is back.
func TestPasteThatNobodyTakes(t *testing.T) {
	c, display, _ := robotOn(t)
	p := person(t, display)
	p.copies(t, "a street and a number")
	r, err := c.Do(t.Context(), unheard(t, display))
	if fault.CodeOf(err) != fault.TextNotDelivered || !r.Restored || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("answered %+v, %v", r, err)
	}
	if got := p.keep(); got.text != "a street and a number" {
		t.Errorf("the clipboard holds %+v", got)
	}
}

// TestPasteIntoABusyProgram: it does not get to its keys in time. What it pastes
// when it does must not be what a person had copied.
func TestPasteIntoABusyProgram(t *testing.T) {
	c, display, _ := robotOn(t)
	p := person(t, display)
	p.copies(t, "a street and a number")
	busy := target(t, display, false)
	r, err := c.Do(t.Context(), pasteInto(busy))
	if fault.CodeOf(err) != fault.TextNotDelivered || r.Restored || !r.Sent {
		t.Errorf("answered %+v, %v", r, err)
	}
	if got := busy.keep(); got.any {
		t.Errorf("the clipboard holds %+v", got)
	}
}

// TestPasteBesideAManager: a manager of the clipboard asks for whatever comes on
// it, and would keep it. It is not given the text; the program that it is for is.
func TestPasteBesideAManager(t *testing.T) {
	c, display, _ := robotOn(t)
	manager, meant := person(t, display), target(t, display, false)
	manager.copies(t, "a street and a number")
	done := start(t, c, pasteInto(meant))
	<-manager.cleared
	if got := manager.keep(); got.readable {
		t.Errorf("the manager was given %+v", got)
	}
	if got := meant.keep(); got.text != "hunter2-swordfish" {
		t.Errorf("the program was given %+v", got)
	}
	if got := <-done; got.err != nil || !got.reply.Restored {
		t.Errorf("answered %+v, %v", got.reply, got.err)
	}
	if got := manager.keep(); got.text != "a street and a number" {
		t.Errorf("the clipboard holds %+v", got)
	}
}

// menu has a program show a menu, which takes the keyboard.
func (p *program) menu(t *testing.T) {
	t.Helper()
	w, err := xproto.NewWindowId(p.Conn)
	if err != nil {
		t.Fatal(err)
	}
	setup := xproto.Setup(p.Conn).DefaultScreen(p.Conn)
	xproto.CreateWindow(p.Conn, setup.RootDepth, w, p.root, 300, 300, 50, 50, 0, xproto.WindowClassInputOutput, setup.RootVisual,
		xproto.CwOverrideRedirect|xproto.CwEventMask, []uint32{1, xproto.EventMaskKeyPress})
	xproto.MapWindow(p.Conn, w)
	k, err := xproto.GrabKeyboard(p.Conn, false, w, xproto.TimeCurrentTime, xproto.GrabModeAsync, xproto.GrabModeAsync).Reply()
	if err != nil || k.Status != xproto.GrabStatusSuccess {
		t.Fatalf("the keyboard cannot be taken: %v, %v", k, err)
	}
}

// TestAnotherProgramHasAMenuOpen: it gets all keys, whatever has the focus.
func TestAnotherProgramHasAMenuOpen(t *testing.T) {
	c, display, _ := robotOn(t)
	other, meant := target(t, display, true), target(t, display, true)
	other.menu(t)
	for _, r := range []Request{
		{Op: Key, Keys: []string{"enter"}},
		{Op: Type, Text: "delete"},
		pasteInto(meant),
		{Op: Click, X: 20, Y: 20},
	} {
		r.Own, r.Window = &Own{}, uint32(meant.window)
		if got, err := c.Do(t.Context(), r); fault.CodeOf(err) != fault.NotActionable || got.Sent {
			t.Errorf("%s answered %v", r.Op, err)
		}
	}
	other.untouched(t)
}

// TestItsOwnMenuIsOpen: keys go on to it.
func TestItsOwnMenuIsOpen(t *testing.T) {
	c, display, _ := robotOn(t)
	meant := target(t, display, true)
	meant.menu(t)
	if _, err := c.Do(t.Context(), Request{Op: Key, Keys: []string{"enter"}, Own: &Own{}, Window: uint32(meant.window)}); err != nil {
		t.Error(err)
	}
	<-meant.pressed
}

// TestPictureOfWhatIsNotShown: it would be one of what shows there instead.
func TestPictureOfWhatIsNotShown(t *testing.T) {
	c, display, _ := robotOn(t)
	w := target(t, display, true)
	shot := Request{Op: Capture, Window: uint32(w.window), Width: 30, Height: 40}
	if _, err := c.Do(t.Context(), shot); err != nil {
		t.Error(err)
	}
	for name, r := range map[string]Request{
		"no part of it": {Op: Capture, Window: shot.Window}, "less than none": {Op: Capture, Width: -5, Height: -5},
	} {
		if got, err := c.Do(t.Context(), r); fault.CodeOf(err) != fault.NotActionable || got.PNG != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	xproto.UnmapWindow(w.Conn, w.window)
	w.focus()
	if got, err := c.Do(t.Context(), shot); fault.CodeOf(err) != fault.NotActionable || got.PNG != nil {
		t.Errorf("an iconified window: %v", err)
	}
}

// TestRichClipboard: of a page or a picture only the text comes back, and that is
// told.
func TestRichClipboard(t *testing.T) {
	c, display, _ := robotOn(t)
	p := person(t, display)
	served := p.event
	p.event = func(e xgb.Event) {
		r, ok := e.(xproto.SelectionRequestEvent)
		if !ok || r.Target != p.atom("TARGETS") {
			served(e)
			return
		}
		kinds := make([]byte, 8)
		xgb.Put32(kinds, uint32(p.atom("UTF8_STRING")))
		xgb.Put32(kinds[4:], uint32(p.atom("text/html")))
		xproto.ChangeProperty(p.Conn, xproto.PropModeReplace, r.Requestor, r.Property, xproto.AtomAtom, 32, 2, kinds)
		answer := xproto.SelectionNotifyEvent{Time: r.Time, Requestor: r.Requestor, Selection: r.Selection, Target: r.Target, Property: r.Property}
		xproto.SendEvent(p.Conn, false, r.Requestor, 0, string(answer.Bytes()))
	}
	p.copies(t, "a street and a number")
	if r, err := c.Do(t.Context(), unheard(t, display)); r.Restored {
		t.Errorf("answered %+v, %v", r, err)
	}
	if got := p.keep(); got.text != "a street and a number" {
		t.Errorf("the clipboard holds %+v", got)
	}
}

// TestKeyboardSwitched: with another layout switched on, or Caps Lock, keys would
// make other characters than those meant.
func TestKeyboardSwitched(t *testing.T) {
	c, display, _ := robotOn(t)
	set, err := exec.LookPath("setxkbmap")
	if err != nil {
		t.Fatal("setxkbmap is missing; install the package x11-xkb-utils")
	}
	p := target(t, display, true)
	if err := xtest.Init(p.Conn); err != nil {
		t.Fatal(err)
	}
	const capsLock = 66 // its key on a keyboard for PCs, by the rules of evdev
	press := func() {
		for _, kind := range []byte{xproto.KeyPress, xproto.KeyRelease} {
			xtest.FakeInput(p.Conn, kind, capsLock, 0, p.root, 0, 0, 0)
		}
		p.focus()
	}
	do := func(r Request, want fault.Code) {
		t.Helper()
		r.Own, r.Window = &Own{}, uint32(p.window)
		if r, err := c.Do(t.Context(), r); fault.CodeOf(err) != want || r.Sent {
			t.Errorf("answered %+v, %v; want %q", r, err, want)
		}
	}
	write, undo, enter := Request{Op: Type, Text: "Az"}, Request{Op: Key, Keys: []string{"ctrl", "z"}}, Request{Op: Key, Keys: []string{"enter"}}
	press()
	do(write, fault.NotActionable)
	do(undo, "")
	press()
	do(write, "")

	if out, err := exec.Command(set, "-display", display, "-rules", "evdev", "-layout", "us,de", "-option", "grp:caps_toggle").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	press()
	do(write, fault.NotActionable)
	do(undo, fault.NotActionable)
	do(enter, "")
}
