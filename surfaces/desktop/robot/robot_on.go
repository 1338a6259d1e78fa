//go:build linux && !nodesktop

package robot

import (
	"bytes"
	"image/png"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-vgo/robotgo"
	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"countersign/surfaces/fault"
)

// Built reports whether the desktop side is in this program.
const Built = true

// raiseWithin is how long a window manager has to bring a window forward.
const raiseWithin = time.Second

// robotHands does everything through robotgo, and asks X what is where.
type robotHands struct {
	x     *display // nil without a display
	why   string   // there is none
	own   Own
	clip  *clipboard
	ended <-chan struct{} // closed when nobody asks for anything any more
}

// newHands asks for a connection of its own first: robotgo follows a null
// pointer when there is no display.
func newHands(ended <-chan struct{}) hands {
	name := os.Getenv("DISPLAY")
	if name == "" {
		return &robotHands{why: "no X display: DISPLAY is not set"}
	}
	xgb.Logger.SetOutput(io.Discard) // its words about a lost connection are no reply
	x, err := openDisplay(name)
	if err != nil {
		return &robotHands{why: "the X display " + name + " cannot be reached"}
	}
	robotgo.KeySleep, robotgo.MouseSleep = 0, 0
	return &robotHands{x: x, clip: newClipboard(x, ended), ended: ended}
}

func (h *robotHands) gone() <-chan struct{} {
	if h.x == nil {
		return nil
	}
	return h.x.gone
}

func (h *robotHands) linger() {
	if h.x != nil {
		h.clip.linger()
	}
}

// over reports whether nobody asks any more: what is half done stops there.
func (h *robotHands) over() bool {
	select {
	case <-h.ended:
		return true
	default:
		return false
	}
}

func (h *robotHands) do(r Request) Reply {
	if r.Op == Probe {
		return h.probe()
	}
	if h.x == nil {
		return refused(fault.DesktopNotAvailable, "%s", h.why)
	}
	if r.Own != nil {
		h.own = *r.Own
	}
	switch r.Op {
	case Windows:
		return Reply{OK: true, Windows: h.x.windows(h.own)}
	case Capture:
		return h.capture(r)
	case Lift:
		h.x.lift()
		return Reply{OK: true}
	case Hold:
		h.clip.pledge(r.Text, r.Window)
		return Reply{OK: true}
	default:
	}
	if r.Own == nil || r.Window == 0 {
		return refused(fault.InvalidArgs, "what is out of reach was not said, or which window is meant")
	}
	switch r.Op {
	case Raise:
		return h.raise(r.Window)
	case Move, Click, Drag, Scroll:
		return h.point(r)
	default:
		return h.keys(r)
	}
}

func (h *robotHands) probe() Reply {
	if h.x == nil {
		return Reply{OK: true, Display: &Display{Name: os.Getenv("DISPLAY"), Reason: h.why}}
	}
	width, height := robotgo.GetScreenSize()
	return Reply{OK: true, Display: &Display{Found: true, Name: os.Getenv("DISPLAY"), Width: width, Height: height}}
}

func ownWindow() Reply {
	return refused(fault.OwnWindow, "the terminal this desk runs in has the focus")
}

func (h *robotHands) raise(window uint32) Reply {
	if h.x.owned(h.own, window) {
		return refused(fault.OwnWindow, "that is the terminal this desk runs in")
	}
	h.x.raise(window)
	if !h.arrives(window) {
		return refused(fault.NotActionable, "the window manager does not bring that window forward")
	}
	return Reply{OK: true}
}

// arrives waits for a window to have the focus, which may be on its way to it.
func (h *robotHands) arrives(window uint32) bool {
	for end := time.Now().Add(raiseWithin); !h.x.focused(window); time.Sleep(10 * time.Millisecond) {
		if h.over() || time.Now().After(end) {
			return false
		}
	}
	return true
}

// reaches refuses keys that would go to another window than the one they are
// meant for.
func (h *robotHands) reaches(window uint32) Reply {
	if h.x.ownFocus(h.own) || h.x.owned(h.own, window) {
		return ownWindow()
	}
	if !h.arrives(window) {
		if h.x.ownFocus(h.own) {
			return ownWindow()
		}
		return refused(fault.NotActionable, "another window has the focus")
	}
	if h.x.held(xproto.Window(window)) {
		return menuOpen()
	}
	return Reply{OK: true}
}

func menuOpen() Reply {
	return refused(fault.NotActionable, "another program has a menu open, or has taken the keyboard for itself")
}

// point moves the pointer. Where it would touch the terminal or another window
// than the one meant, or while the terminal has the focus, nothing is sent.
func (h *robotHands) point(r Request) Reply {
	places := [][2]int{{r.X, r.Y}}
	if r.Op == Drag {
		places = append(places, [2]int{r.ToX, r.ToY})
	}
	elsewhere := false
	for _, p := range places {
		under := h.x.at(p[0], p[1])
		if slices.ContainsFunc(under, func(w xproto.Window) bool { return h.x.isOwn(h.own, w) }) {
			return refused(fault.OwnWindow, "that place is in the terminal this desk runs in")
		}
		elsewhere = elsewhere || !slices.Contains(under, xproto.Window(r.Window))
	}
	switch {
	case h.x.ownFocus(h.own):
		return ownWindow()
	case elsewhere:
		return refused(fault.NotActionable, "another window lies at that place")
	case h.x.held(xproto.Window(r.Window)):
		return menuOpen()
	}
	button := r.Button
	if button == "" {
		button = "left"
	}
	if !slices.Contains([]string{"left", "right", "center"}, button) {
		return refused(fault.InvalidArgs, "no button %q", button)
	}
	robotgo.Move(r.X, r.Y)
	switch r.Op {
	case Click:
		robotgo.Click(button, r.Double)
	case Drag:
		h.drag(r, button)
	case Scroll:
		robotgo.Scroll(-r.DX, -r.DY, 0)
	default:
	}
	return Reply{OK: true}
}

// dragSteps: a program takes for a drag only what moved some way with the
// button held (GTK: 8 pixels).
const dragSteps = 10

func (h *robotHands) drag(r Request, button string) {
	_ = robotgo.Toggle(button) // it never fails
	defer func() { _ = robotgo.Toggle(button, "up") }()
	for i := 1; i <= dragSteps; i++ {
		robotgo.Move(r.X+(r.ToX-r.X)*i/dragSteps, r.Y+(r.ToY-r.Y)*i/dragSteps)
		time.Sleep(5 * time.Millisecond) // a move that comes with the next is dropped
	}
}

// keys sends keys to the window that is meant while it has the focus.
func (h *robotHands) keys(r Request) Reply {
	if reply := h.reaches(r.Window); !reply.OK {
		reply.Restored = true // nothing was put on the clipboard
		return reply
	}
	switch r.Op {
	case Key:
		return h.chord(r.Keys)
	case Type:
		return h.write(r)
	default:
		return h.paste(r)
	}
}

// chord presses modifiers and one key.
func (h *robotHands) chord(keys []string) Reply {
	if len(keys) == 0 {
		return refused(fault.InvalidArgs, "no key to press")
	}
	mods, key := keys[:len(keys)-1], keys[len(keys)-1]
	for _, m := range mods {
		if !slices.Contains([]string{"ctrl", "shift", "alt", "cmd"}, m) {
			return refused(fault.InvalidArgs, "no modifier %q", m)
		}
	}
	if len([]rune(key)) == 1 {
		if _, group := h.x.modes(); group != 0 {
			return switched()
		}
		k, ok := h.x.layout().keyFor([]rune(key)[0])
		if !ok {
			return refused(fault.InvalidArgs, "the keyboard has no key for %q", key)
		}
		if key = k.name; k.shift && !slices.Contains(mods, "shift") {
			mods = append(slices.Clone(mods), "shift")
		}
	}
	args := make([]any, len(mods))
	for i, m := range mods {
		args[i] = m
	}
	if err := robotgo.KeyTap(key, args...); err != nil {
		return refused(fault.InvalidArgs, "no key %q", key)
	}
	return Reply{OK: true}
}

// switched refuses keys where robotgo's, which are those of the keyboard's first
// layout, would make other characters.
func switched() Reply {
	return refused(fault.NotActionable, "the keyboard is switched to another layout than its first")
}

// write types by the layout of the keyboard. Text with a letter the layout does
// not have is refused whole, so that nothing is left half typed. Between letters
// the focus is looked at: it may have moved to another window. What nobody waits
// for any more is not typed to its end.
func (h *robotHands) write(r Request) Reply {
	switch caps, group := h.x.modes(); {
	case group != 0:
		return switched()
	case caps:
		return refused(fault.NotActionable, "Caps Lock is on")
	}
	var plan []key
	keyboard := h.x.layout()
	for _, c := range r.Text {
		k, ok := keyboard.keyFor(c)
		if !ok {
			return refused(fault.InvalidArgs, "the keyboard cannot type all of the text")
		}
		plan = append(plan, k)
	}
	for i, k := range plan {
		if reply := h.reaches(r.Window); !reply.OK {
			reply.Sent = i > 0
			return reply
		}
		if h.over() {
			return Reply{Code: fault.Timeout, Message: "nobody waits for the typing any more", Sent: i > 0}
		}
		var mods []any
		if k.shift {
			mods = append(mods, "shift")
		}
		if err := robotgo.KeyTap(k.name, mods...); err != nil {
			return Reply{Code: fault.Internal, Message: "a key could not be pressed", Sent: i > 0}
		}
	}
	return Reply{OK: true}
}

// paste goes to the window that is meant alone: while the clipboard is made
// ready another may come to the front, and gets nothing.
func (h *robotHands) paste(r Request) Reply {
	if len(r.Text) > mostText {
		reply := refused(fault.InvalidArgs, "a text of more than %d bytes cannot be pasted", mostText)
		reply.Restored = true
		return reply
	}
	kept := h.clip.keep()
	hold := h.holder(kept)
	if !h.clip.stage(r.Text, r.Window) {
		hold.drop()
		return refused(fault.PlatformNotSupported, "the clipboard cannot be had")
	}
	reply := h.reaches(r.Window)
	if reply.OK {
		reply = h.chord(r.Keys)
	}
	busy := false
	if reply.OK {
		var taken bool
		if taken, busy = h.clip.taken(r.Window); !taken {
			reply = Reply{Code: fault.TextNotDelivered, Message: "nothing took the text off the clipboard", Sent: true}
		}
	}
	if busy { // it may paste yet, and must not paste what a person had copied
		hold.drop()
		if h.clip.unstage() {
			h.clip.empty()
		}
		return reply
	}
	reply.Restored = h.clip.restore(kept, hold)
	return reply
}

// capture takes a picture of the screen, or a part of it. What lies over a
// window is looked for before and after: it may have come meanwhile.
func (h *robotHands) capture(r Request) Reply {
	switch {
	case r.Window != 0 && !h.x.viewable(r.Window):
		return refused(fault.NotActionable, "that window is not on the screen")
	case r.Width < 0, r.Height < 0, r.Window != 0 && (r.Width == 0 || r.Height == 0):
		return refused(fault.NotActionable, "no part of that window is on the screen")
	}
	var area []int
	if r.Width > 0 && r.Height > 0 {
		area = []int{r.X, r.Y, r.Width, r.Height}
	}
	var over []Window
	if r.Window != 0 {
		over = h.x.over(xproto.Window(r.Window))
	}
	img, err := robotgo.CaptureImg(area...)
	if err != nil {
		return refused(fault.NotActionable, "that part of the screen cannot be captured")
	}
	if r.Window != 0 {
		over = append(over, h.x.over(xproto.Window(r.Window))...)
		if !h.x.viewable(r.Window) {
			return refused(fault.NotActionable, "that window went from the screen")
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return refused(fault.Internal, "the picture cannot be written")
	}
	return Reply{OK: true, PNG: out.Bytes(), Windows: over}
}

// key is how robotgo is told of one key: the plain character on it, and whether
// shift makes it the wanted one.
type key struct {
	name  string
	shift bool
}

// plainKeys are the characters that robotgo presses without a shift of its own.
const plainKeys = "abcdefghijklmnopqrstuvwxyz0123456789 ,./;'[]\\-=`"

// keyFor finds a character on the keyboard as it is laid out now: plain, or
// with shift. Others, and those robotgo would press with a shift meant for the
// layout of the United States, it does not have.
func (l layout) keyFor(c rune) (key, bool) {
	switch c {
	case '\n':
		return key{name: "enter"}, true
	case '\t':
		return key{name: "tab"}, true
	}
	for _, pair := range l {
		if pair[0] == 0 || !strings.ContainsRune(plainKeys, pair[0]) {
			continue
		}
		if pair[0] == c {
			return key{name: string(pair[0])}, true
		}
		if pair[1] == c {
			return key{name: string(pair[0]), shift: true}, true
		}
	}
	return key{}, false
}
