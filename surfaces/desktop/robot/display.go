//go:build linux && !nodesktop

package robot

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// display asks X about windows and the keyboard, and moves windows; input is
// robotgo's. An answer that does not come is one that says nothing.
type display struct {
	*xgb.Conn
	root  xproto.Window
	gone  chan struct{} // closed when the connection has ended
	event func(xgb.Event)

	mu    sync.Mutex // guards atoms
	atoms map[string]xproto.Atom
}

func openDisplay(name string) (*display, error) {
	c, err := xgb.NewConnDisplay(name)
	if err != nil {
		return nil, err
	}
	setup := xproto.Setup(c)
	return &display{Conn: c, root: setup.DefaultScreen(c).Root, gone: make(chan struct{}), atoms: map[string]xproto.Atom{}}, nil
}

// listen hands every event to the clipboard; it ends with the connection.
func (x *display) listen() {
	defer close(x.gone)
	for {
		e, err := x.WaitForEvent()
		if e == nil && err == nil {
			return
		}
		if e != nil {
			x.event(e)
		}
	}
}

func (x *display) atom(name string) xproto.Atom {
	x.mu.Lock()
	defer x.mu.Unlock()
	if a, ok := x.atoms[name]; ok {
		return a
	}
	r, err := xproto.InternAtom(x.Conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0
	}
	x.atoms[name] = r.Atom
	return r.Atom
}

const longest = 1 << 16 // of a property, in units of four bytes

func (x *display) property(w xproto.Window, name string) []byte {
	r, err := xproto.GetProperty(x.Conn, false, w, x.atom(name), xproto.GetPropertyTypeAny, 0, longest).Reply()
	if err != nil || r == nil {
		return nil
	}
	return r.Value
}

func (x *display) numbers(w xproto.Window, name string) []uint32 {
	raw := x.property(w, name)
	all := make([]uint32, 0, len(raw)/4)
	for ; len(raw) >= 4; raw = raw[4:] {
		all = append(all, binary.LittleEndian.Uint32(raw))
	}
	return all
}

// stacked lists the top windows, the frontmost last: as the window manager
// says, else as they lie under the root.
func (x *display) stacked() []xproto.Window {
	for _, list := range []string{"_NET_CLIENT_LIST_STACKING", "_NET_CLIENT_LIST"} {
		if ids := x.numbers(x.root, list); len(ids) > 0 {
			all := make([]xproto.Window, len(ids))
			for i, id := range ids {
				all[i] = xproto.Window(id)
			}
			return all
		}
	}
	tree, err := xproto.QueryTree(x.Conn, x.root).Reply()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(tree.Children, func(w xproto.Window) bool {
		a, err := xproto.GetWindowAttributes(x.Conn, w).Reply()
		return err != nil || a.MapState != xproto.MapStateViewable
	})
}

func (x *display) windows(own Own) []Window {
	active := x.active()
	var all []Window
	for _, w := range x.stacked() {
		out := Window{
			ID: uint32(w), PID: x.pid(w), Title: x.title(w), Active: w == active, Own: x.isOwn(own, w),
		}
		if g, err := xproto.GetGeometry(x.Conn, xproto.Drawable(w)).Reply(); err == nil {
			out.Width, out.Height = int(g.Width), int(g.Height)
		}
		if at, err := xproto.TranslateCoordinates(x.Conn, w, x.root, 0, 0).Reply(); err == nil {
			out.X, out.Y = int(at.DstX), int(at.DstY)
		}
		all = append(all, out)
	}
	return all
}

// over lists what is drawn over a window and belongs to another program, or does
// not say to which. Without the window it is everything.
func (x *display) over(w xproto.Window) []Window {
	owner := map[xproto.Window]int{} // of a frame, by the window in it
	for _, c := range x.stacked() {
		if in := x.lineage(c); len(in) > 0 {
			owner[in[len(in)-1]] = x.pid(c)
		}
	}
	tree, err := xproto.QueryTree(x.Conn, x.root).Reply()
	if err != nil {
		return nil
	}
	in := x.lineage(w)
	above := tree.Children
	if len(in) > 0 {
		above = above[slices.Index(above, in[len(in)-1])+1:]
	}
	own := x.pid(w)
	var all []Window
	for _, c := range above {
		pid := owner[c]
		if pid == 0 {
			pid = x.pid(c)
		}
		a, err := xproto.GetWindowAttributes(x.Conn, c).Reply()
		if err != nil || a.MapState != xproto.MapStateViewable || a.Class == xproto.WindowClassInputOnly || pid != 0 && pid == own {
			continue
		}
		if g, err := xproto.GetGeometry(x.Conn, xproto.Drawable(c)).Reply(); err == nil {
			edge := 2 * int(g.BorderWidth)
			all = append(all, Window{ID: uint32(c), PID: pid, X: int(g.X), Y: int(g.Y), Width: int(g.Width) + edge, Height: int(g.Height) + edge})
		}
	}
	return all
}

func (x *display) pid(w xproto.Window) int {
	if n := x.numbers(w, "_NET_WM_PID"); len(n) == 1 {
		return int(n[0])
	}
	return 0
}

func (x *display) title(w xproto.Window) string {
	if t := x.property(w, "_NET_WM_NAME"); len(t) > 0 {
		return string(t)
	}
	return string(x.property(w, "WM_NAME"))
}

func (x *display) active() xproto.Window {
	if n := x.numbers(x.root, "_NET_ACTIVE_WINDOW"); len(n) > 0 {
		return xproto.Window(n[0])
	}
	return 0
}

// lineage is a window and all it lies in, up to the root.
func (x *display) lineage(w xproto.Window) []xproto.Window {
	var all []xproto.Window
	for w != 0 && w != x.root && len(all) < 32 {
		all = append(all, w)
		tree, err := xproto.QueryTree(x.Conn, w).Reply()
		if err != nil {
			break
		}
		w = tree.Parent
	}
	return all
}

func (x *display) isOwn(own Own, w xproto.Window) bool {
	if slices.Contains(own.Windows, uint32(w)) {
		return true
	}
	pid := x.pid(w)
	return pid != 0 && slices.Contains(own.PIDs, pid)
}

// owned reports whether a window, or one it lies in, is the desk's.
func (x *display) owned(own Own, window uint32) bool {
	return slices.ContainsFunc(x.lineage(xproto.Window(window)), func(w xproto.Window) bool { return x.isOwn(own, w) })
}

// focus is where keys go.
func (x *display) focus() xproto.Window {
	f, err := xproto.GetInputFocus(x.Conn).Reply()
	if err != nil || f.Focus <= xproto.InputFocusPointerRoot {
		return 0
	}
	return f.Focus
}

// ownFocus reports whether keys would go to the desk's window. The window
// manager's word counts beside X's own, since a focus may be on its way.
func (x *display) ownFocus(own Own) bool {
	return x.owned(own, uint32(x.focus())) || x.owned(own, uint32(x.active()))
}

// held reports whether another program than a window's has taken the keyboard or
// the pointer for itself, which is what an open menu does: input goes there,
// whatever has the focus. Who has taken them is told by the windows that lie
// outside of the window manager's hands meanwhile.
func (x *display) held(w xproto.Window) bool {
	if x.free() {
		return false
	}
	tree, err := xproto.QueryTree(x.Conn, x.root).Reply()
	if err != nil {
		return true
	}
	own := false
	for _, c := range tree.Children {
		a, err := xproto.GetWindowAttributes(x.Conn, c).Reply()
		if err != nil || !a.OverrideRedirect || a.MapState != xproto.MapStateViewable || a.Class == xproto.WindowClassInputOnly {
			continue
		}
		if !x.sameProgram(c, w) {
			return true
		}
		own = true
	}
	return !own
}

// free takes the keyboard and the pointer for a moment; that fails where another
// program has them.
func (x *display) free() bool {
	k, err := xproto.GrabKeyboard(x.Conn, false, x.root, xproto.TimeCurrentTime, xproto.GrabModeAsync, xproto.GrabModeAsync).Reply()
	if err != nil || k.Status != xproto.GrabStatusSuccess {
		return false
	}
	xproto.UngrabKeyboard(x.Conn, xproto.TimeCurrentTime)
	p, err := xproto.GrabPointer(x.Conn, false, x.root, 0, xproto.GrabModeAsync, xproto.GrabModeAsync, 0, 0, xproto.TimeCurrentTime).Reply()
	if err != nil || p.Status != xproto.GrabStatusSuccess {
		return false
	}
	xproto.UngrabPointer(x.Conn, xproto.TimeCurrentTime)
	x.focus() // an answer: both are let go of
	return true
}

// sameProgram reports whether two windows were made over one connection (X
// Window System Protocol, section 8: the resource-id-mask).
func (x *display) sameProgram(a, b xproto.Window) bool {
	mask := xproto.Window(xproto.Setup(x.Conn).ResourceIdMask)
	return a&^mask == b&^mask
}

// viewable reports whether a window is on the screen: not iconified, and not on
// another workspace.
func (x *display) viewable(window uint32) bool {
	a, err := xproto.GetWindowAttributes(x.Conn, xproto.Window(window)).Reply()
	return err == nil && a.MapState == xproto.MapStateViewable
}

// focused reports whether a window has the focus.
func (x *display) focused(window uint32) bool {
	w := xproto.Window(window)
	active := x.active()
	return (active == 0 || active == w) && slices.Contains(x.lineage(x.focus()), w)
}

// at lists what a press at a place of the screen goes to, the outermost window
// first.
func (x *display) at(left, top int) []xproto.Window {
	var all []xproto.Window
	w := x.root
	for range 32 {
		at, err := xproto.TranslateCoordinates(x.Conn, x.root, w, int16(left), int16(top)).Reply()
		if err != nil || at.Child == 0 {
			break
		}
		w = at.Child
		all = append(all, w)
	}
	return all
}

// raise asks the window manager to bring a window forward; without one it is
// done by hand.
func (x *display) raise(window uint32) {
	w := xproto.Window(window)
	if len(x.numbers(x.root, "_NET_SUPPORTING_WM_CHECK")) == 0 {
		xproto.ConfigureWindow(x.Conn, w, xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove})
		xproto.SetInputFocus(x.Conn, xproto.InputFocusParent, w, xproto.TimeCurrentTime)
		return
	}
	const pager = 2 // the source of the wish: not a program that pushes itself forward
	e := xproto.ClientMessageEvent{
		Format: 32, Window: w, Type: x.atom("_NET_ACTIVE_WINDOW"),
		Data: xproto.ClientMessageDataUnionData32New([]uint32{pager, xproto.TimeCurrentTime, 0, 0, 0}),
	}
	mask := uint32(xproto.EventMaskSubstructureRedirect | xproto.EventMaskSubstructureNotify)
	xproto.SendEvent(x.Conn, false, x.root, mask, string(e.Bytes()))
}

// lift lets go of every key and button that is down. A process that was killed
// over a press leaves it so, and the server repeats such a key for ever.
func (x *display) lift() {
	if xtest.Init(x.Conn) != nil {
		return // then robotgo pressed nothing either
	}
	release := func(kind, detail byte) { xtest.FakeInput(x.Conn, kind, detail, 0, x.root, 0, 0, 0) }
	if r, err := xproto.QueryKeymap(x.Conn).Reply(); err == nil {
		for code := range 8 * len(r.Keys) {
			if r.Keys[code/8]&(1<<(code%8)) != 0 {
				release(xproto.KeyRelease, byte(code))
			}
		}
	}
	if r, err := xproto.QueryPointer(x.Conn, x.root).Reply(); err == nil {
		for i, bit := range []uint16{xproto.ButtonMask1, xproto.ButtonMask2, xproto.ButtonMask3, xproto.ButtonMask4, xproto.ButtonMask5} {
			if r.Mask&bit != 0 {
				release(xproto.ButtonRelease, byte(i+1))
			}
		}
	}
	x.focus() // an answer: all before it was done
}

// modes says whether Caps Lock is on, and which layout of several the keyboard
// is switched to, the first being 0 (X Keyboard Extension, 2.2.2: the state of
// the pointer carries it).
func (x *display) modes() (caps bool, group int) {
	r, err := xproto.QueryPointer(x.Conn, x.root).Reply()
	if err != nil {
		return false, 0
	}
	return r.Mask&xproto.ModMaskLock != 0, int(r.Mask >> 13 & 3)
}

// layout is what each key makes, plain and with shift.
type layout [][2]rune

// layout asks for the keyboard's present one.
func (x *display) layout() layout {
	setup := xproto.Setup(x.Conn)
	count := byte(setup.MaxKeycode - setup.MinKeycode + 1)
	r, err := xproto.GetKeyboardMapping(x.Conn, setup.MinKeycode, count).Reply()
	if err != nil || r.KeysymsPerKeycode == 0 {
		return nil
	}
	var all layout
	for syms := r.Keysyms; len(syms) >= int(r.KeysymsPerKeycode); syms = syms[r.KeysymsPerKeycode:] {
		pair := [2]rune{character(syms[0])}
		if r.KeysymsPerKeycode > 1 {
			pair[1] = character(syms[1])
		}
		all = append(all, pair)
	}
	return all
}

// character is what a keysym types: Latin-1 is itself, the rest of Unicode has
// a mark before it (X Window System Protocol, appendix A); 0 for others.
func character(sym xproto.Keysym) rune {
	switch {
	case sym >= 0x20 && sym <= 0x7e, sym >= 0xa0 && sym <= 0xff:
		return rune(sym)
	case sym >= 0x01000100 && sym <= 0x0110ffff:
		return rune(sym - 0x01000000)
	default:
		return 0
	}
}
