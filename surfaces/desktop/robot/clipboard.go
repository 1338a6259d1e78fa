//go:build linux && !nodesktop

package robot

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

const (
	askWithin  = time.Second     // an owner of the clipboard that says nothing for so long never will
	takeWithin = time.Second     // a program that pastes asks within this, once it gets to its keys
	busyWithin = 8 * time.Second // and gets to them within this
	takeCalm   = 60 * time.Millisecond
	mostText   = 255 << 10 // bytes; what a property is set to goes in one request, of at most 2^18 bytes
)

// clipboard is the CLIPBOARD selection (ICCCM section 2). What it holds lives in
// this process alone, and is gone when the process is: a staged text must, and
// what others copied is for a holder.
type clipboard struct {
	*display
	window xproto.Window
	ended  <-chan struct{} // nobody waits for a paste any more
	// Each is told, and has room for one.
	handed  chan struct{} // the program that the text is for was given it
	cleared chan struct{} // another took the clipboard
	pong    chan struct{} // it answered the latest ping
	answer  chan xproto.SelectionNotifyEvent

	promise *pledge // of one goroutine

	mu      sync.Mutex // guards the rest; the listening goroutine reads it
	text    string
	secret  bool // text is a staged one
	holding bool
	taker   xproto.Window // a window of the program that it is staged for
	pings   uint32        // how many were sent
}

// held is what the clipboard had before.
type held struct {
	text     string
	any      bool // somebody held it
	readable bool
	rich     bool // it was more than the text
}

func newClipboard(x *display, ended <-chan struct{}) *clipboard {
	c := &clipboard{
		display: x, ended: ended, handed: make(chan struct{}, 1), cleared: make(chan struct{}, 1), pong: make(chan struct{}, 1),
		answer: make(chan xproto.SelectionNotifyEvent, 1),
	}
	if w, err := xproto.NewWindowId(x.Conn); err == nil {
		c.window = w
		xproto.CreateWindow(x.Conn, 0, w, x.root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, 0, 0, nil)
	}
	x.event = c.on
	go x.listen() // ends with the connection
	return c
}

func (c *clipboard) on(e xgb.Event) {
	switch e := e.(type) {
	case xproto.SelectionRequestEvent:
		c.serve(e)
	case xproto.SelectionClearEvent:
		c.mu.Lock()
		c.holding, c.text, c.secret = false, "", false
		c.mu.Unlock()
		tell(c.cleared)
	case xproto.SelectionNotifyEvent:
		select {
		case c.answer <- e:
		default: // nobody asked
		}
	case xproto.ClientMessageEvent:
		c.heard(e)
	}
}

// tell leaves word; one that is there already will do.
func tell(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// forget takes word that nobody waited for.
func forget(c chan struct{}) {
	select {
	case <-c:
	default:
	}
}

// keep reads what the clipboard holds. An owner that has gone, or does not
// answer, holds nothing that can be read.
func (c *clipboard) keep() held {
	owner, err := xproto.GetSelectionOwner(c.Conn, c.atom("CLIPBOARD")).Reply()
	if err != nil || owner.Owner == 0 {
		return held{}
	}
	text, ok := c.ask("UTF8_STRING")
	if !ok || !utf8.Valid(text) {
		return held{any: true}
	}
	kinds, ok := c.ask("TARGETS")
	return held{text: string(text), any: true, readable: true, rich: ok && c.rich(kinds)}
}

// ask has the owner of the clipboard give what it holds, as one kind of it;
// false when it has no such, is silent, or holds more than is kept.
func (c *clipboard) ask(kind string) ([]byte, bool) {
	select {
	case <-c.answer: // of an earlier question
	default:
	}
	const name = "COUNTERSIGN_CLIPBOARD"
	xproto.ConvertSelection(c.Conn, c.window, c.atom("CLIPBOARD"), c.atom(kind), c.atom(name), xproto.TimeCurrentTime)
	select {
	case e := <-c.answer:
		if e.Property == 0 {
			return nil, false
		}
	case <-time.After(askWithin):
		return nil, false
	}
	r, err := xproto.GetProperty(c.Conn, true, c.window, c.atom(name), xproto.GetPropertyTypeAny, 0, mostText/4).Reply()
	if err != nil || r.Type == c.atom("INCR") || r.BytesAfter > 0 {
		return nil, false
	}
	return r.Value, true
}

// rich reports whether one of the kinds is a picture, a page, a list of files or
// the like. What a toolkit keeps for itself does not count.
func (c *clipboard) rich(kinds []byte) bool {
	for ; len(kinds) >= 4; kinds = kinds[4:] {
		r, err := xproto.GetAtomName(c.Conn, xproto.Atom(xgb.Get32(kinds))).Reply()
		if err == nil && strings.Contains(r.Name, "/") && !strings.HasPrefix(r.Name, "text/plain") && !strings.HasPrefix(r.Name, "application/x-gtk-") {
			return true
		}
	}
	return false
}

// stage makes the clipboard hold text for the program of a window; false when it
// cannot be had.
func (c *clipboard) stage(text string, taker uint32) bool {
	c.mu.Lock()
	c.text, c.secret, c.holding, c.taker = text, true, true, xproto.Window(taker)
	c.mu.Unlock()
	forget(c.handed)
	forget(c.cleared)
	forget(c.pong)
	return c.own()
}

// own takes the selection, and looks whether it was given.
func (c *clipboard) own() bool {
	xproto.SetSelectionOwner(c.Conn, c.window, c.atom("CLIPBOARD"), xproto.TimeCurrentTime)
	r, err := xproto.GetSelectionOwner(c.Conn, c.atom("CLIPBOARD")).Reply()
	return err == nil && r.Owner == c.window
}

// taken waits until the program of a window has asked for the staged text, and
// asks no more. What others ask for, managers of the clipboard for one, does not
// count. A program that had not got to its keys in time is busy.
func (c *clipboard) taken(window uint32) (taken, busy bool) {
	pinged := c.ping(xproto.Window(window))
	var idle <-chan time.Time // it got to its keys before
	if !pinged {
		idle = time.After(takeWithin)
	}
	late := time.After(busyWithin)
	for {
		select {
		case <-c.handed:
			for {
				select {
				case <-c.handed:
				case <-time.After(takeCalm):
					return true, false
				}
			}
		case <-c.pong:
			idle = time.After(takeWithin)
		case <-idle:
			return false, false
		case <-c.ended:
			return false, false
		case <-late:
			return false, pinged && idle == nil
		}
	}
}

// ping asks a window's program to answer (Extended Window Manager Hints,
// _NET_WM_PING), which it does when it has got to everything before; false for
// one that does not.
func (c *clipboard) ping(w xproto.Window) bool {
	ping := c.atom("_NET_WM_PING")
	if !slices.Contains(c.numbers(w, "WM_PROTOCOLS"), uint32(ping)) {
		return false
	}
	// The answer goes to the root window.
	xproto.ChangeWindowAttributes(c.Conn, c.root, xproto.CwEventMask, []uint32{xproto.EventMaskSubstructureNotify})
	c.mu.Lock()
	c.pings++
	n := c.pings
	c.mu.Unlock()
	e := xproto.ClientMessageEvent{
		Format: 32, Window: w, Type: c.atom("WM_PROTOCOLS"),
		Data: xproto.ClientMessageDataUnionData32New([]uint32{uint32(ping), n, uint32(w), 0, 0}),
	}
	xproto.SendEvent(c.Conn, false, w, xproto.EventMaskNoEvent, string(e.Bytes()))
	return true
}

// heard notes the answer to the latest ping.
func (c *clipboard) heard(e xproto.ClientMessageEvent) {
	data, kind, ping := e.Data.Data32, c.atom("WM_PROTOCOLS"), uint32(c.atom("_NET_WM_PING"))
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.Window == c.root && e.Type == kind && data[0] == ping && data[1] == c.pings && data[2] == uint32(c.taker) {
		xproto.ChangeWindowAttributes(c.Conn, c.root, xproto.CwEventMask, []uint32{xproto.EventMaskNoEvent})
		tell(c.pong)
	}
}

// unstage takes the staged text off; false when somebody has put something else
// there meanwhile.
func (c *clipboard) unstage() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	still := c.holding
	c.text, c.secret, c.holding = "", false, false
	return still
}

// empty leaves nothing on the clipboard.
func (c *clipboard) empty() bool {
	xproto.SetSelectionOwner(c.Conn, 0, c.atom("CLIPBOARD"), xproto.TimeCurrentTime)
	r, err := xproto.GetSelectionOwner(c.Conn, c.atom("CLIPBOARD")).Reply()
	return err == nil && r.Owner == 0
}

// restore has the holder give the clipboard back what it held; true when it
// holds that again, or holds nothing as before. Whatever comes of that, the
// staged text is off it.
func (c *clipboard) restore(was held, by *holder) bool {
	if !c.unstage() {
		by.drop()
		return true // somebody has put something else there meanwhile
	}
	if by.take() {
		select {
		case <-c.cleared:
			return !was.rich
		case <-time.After(holdWithin):
		}
	}
	return c.empty() && !was.any
}

// passwordHint asks managers of the clipboard to remember nothing; it is the
// one KDE's and others heed.
const passwordHint = "x-kde-passwordManagerHint"

// serve answers a program that wants what the clipboard holds.
func (c *clipboard) serve(e xproto.SelectionRequestEvent) {
	c.mu.Lock()
	text, holding, secret, taker := c.text, c.holding, c.secret, c.taker
	c.mu.Unlock()
	property := e.Property
	if property == 0 {
		property = e.Target // of clients before ICCCM 2
	}
	put := func(kind xproto.Atom, format byte, n int, data []byte) {
		xproto.ChangeProperty(c.Conn, xproto.PropModeReplace, e.Requestor, property, kind, format, uint32(n), data)
	}
	handed := false
	switch {
	case !holding, secret && !c.sameProgram(e.Requestor, taker): // a manager of the clipboard keeps what it is given
		property = 0
	case e.Target == c.atom("TARGETS"):
		names := []string{"TARGETS", "UTF8_STRING", "STRING", "TEXT", "text/plain;charset=utf-8", "text/plain"}
		if secret {
			names = append(names, passwordHint)
		}
		data := make([]byte, 4*len(names))
		for i, n := range names {
			xgb.Put32(data[4*i:], uint32(c.atom(n)))
		}
		put(xproto.AtomAtom, 32, len(names), data)
	case e.Target == c.atom(passwordHint):
		put(e.Target, 8, len("secret"), []byte("secret"))
	case e.Target == c.atom("TEXT"):
		put(c.atom("UTF8_STRING"), 8, len(text), []byte(text))
		handed = true
	case e.Target == c.atom("UTF8_STRING"), e.Target == c.atom("STRING"), e.Target == c.atom("text/plain;charset=utf-8"), e.Target == c.atom("text/plain"):
		put(e.Target, 8, len(text), []byte(text))
		handed = true
	default:
		property = 0
	}
	answer := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: property}
	xproto.SendEvent(c.Conn, false, e.Requestor, 0, string(answer.Bytes()))
	if handed {
		tell(c.handed)
	}
}
