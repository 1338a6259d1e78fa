//go:build linux && !nodesktop

package robot

import (
	"sync"
	"time"
	"unicode/utf8"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

const (
	askWithin  = time.Second // an owner of the clipboard that says nothing for so long never will
	takeWithin = time.Second // a program that pastes asks within this
	takeCalm   = 60 * time.Millisecond
	mostKept   = longest * 4 // bytes of the clipboard that are kept
)

// clipboard is the CLIPBOARD selection (ICCCM section 2). What it holds lives in
// this process alone, and is gone when the process is: a staged text must, and
// what others copied is for a holder.
type clipboard struct {
	*display
	window xproto.Window
	ended  <-chan struct{} // nobody waits for a paste any more
	// Each is told, and has room for one.
	handed  chan struct{} // a program was given the text
	cleared chan struct{} // another took the clipboard
	answer  chan xproto.SelectionNotifyEvent

	promise *pledge // of one goroutine

	mu      sync.Mutex // guards the rest; the listening goroutine reads it
	text    string
	secret  bool // text is a staged one
	holding bool
}

// held is what the clipboard had before.
type held struct {
	text     string
	any      bool // somebody held it
	readable bool
}

func newClipboard(x *display, ended <-chan struct{}) *clipboard {
	c := &clipboard{
		display: x, ended: ended, handed: make(chan struct{}, 1), cleared: make(chan struct{}, 1),
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
	select {
	case <-c.answer: // of an earlier question
	default:
	}
	const name = "COUNTERSIGN_CLIPBOARD"
	xproto.ConvertSelection(c.Conn, c.window, c.atom("CLIPBOARD"), c.atom("UTF8_STRING"), c.atom(name), xproto.TimeCurrentTime)
	select {
	case e := <-c.answer:
		if e.Property == 0 {
			return held{any: true}
		}
	case <-time.After(askWithin):
		return held{any: true}
	}
	r, err := xproto.GetProperty(c.Conn, true, c.window, c.atom(name), xproto.GetPropertyTypeAny, 0, longest).Reply()
	if err != nil || r.Type != c.atom("UTF8_STRING") || r.BytesAfter > 0 || !utf8.Valid(r.Value) {
		return held{any: true} // in pieces, too long to be kept, or no text
	}
	return held{text: string(r.Value), any: true, readable: true}
}

// stage makes the clipboard hold text; false when it cannot be had.
func (c *clipboard) stage(text string) bool {
	if len(text) > mostKept {
		return false
	}
	c.mu.Lock()
	c.text, c.secret, c.holding = text, true, true
	c.mu.Unlock()
	forget(c.handed)
	forget(c.cleared)
	return c.own()
}

// own takes the selection, and looks whether it was given.
func (c *clipboard) own() bool {
	xproto.SetSelectionOwner(c.Conn, c.window, c.atom("CLIPBOARD"), xproto.TimeCurrentTime)
	r, err := xproto.GetSelectionOwner(c.Conn, c.atom("CLIPBOARD")).Reply()
	return err == nil && r.Owner == c.window
}

// taken waits until a program has asked for the staged text, and none asks any
// more.
func (c *clipboard) taken() bool {
	select {
	case <-c.handed:
	case <-c.ended:
		return false
	case <-time.After(takeWithin):
		return false
	}
	for {
		select {
		case <-c.handed:
		case <-time.After(takeCalm):
			return true
		}
	}
}

// restore has the holder give the clipboard back what it held; true when it
// holds that again, or holds nothing as before. Whatever comes of that, the
// staged text is off it.
func (c *clipboard) restore(was held, by *holder) bool {
	c.mu.Lock()
	still := c.holding
	c.text, c.secret, c.holding = "", false, false
	c.mu.Unlock()
	if !still {
		by.drop()
		return true // somebody has put something else there meanwhile
	}
	if by.take() {
		select {
		case <-c.cleared:
			return true
		case <-time.After(holdWithin):
		}
	}
	xproto.SetSelectionOwner(c.Conn, 0, c.atom("CLIPBOARD"), xproto.TimeCurrentTime)
	r, err := xproto.GetSelectionOwner(c.Conn, c.atom("CLIPBOARD")).Reply()
	return err == nil && r.Owner == 0 && !was.any
}

// passwordHint asks managers of the clipboard to remember nothing; it is the
// one KDE's and others heed.
const passwordHint = "x-kde-passwordManagerHint"

// serve answers a program that wants what the clipboard holds.
func (c *clipboard) serve(e xproto.SelectionRequestEvent) {
	c.mu.Lock()
	text, holding, secret := c.text, c.holding, c.secret
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
	case !holding:
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
