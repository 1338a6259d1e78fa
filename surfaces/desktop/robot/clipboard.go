//go:build linux && !nodesktop

package robot

import (
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

const (
	askWithin  = time.Second // an owner of the clipboard that says nothing for so long never will
	takeWithin = time.Second // a program that pastes asks within this
	takeCalm   = 60 * time.Millisecond
	mostKept   = longest * 4 // bytes of the clipboard that are kept
)

// clipboard is the CLIPBOARD selection (ICCCM section 2). What it holds for
// others lives in this process alone: it is gone when the process is.
type clipboard struct {
	*display
	window xproto.Window

	mu      sync.Mutex // guards the rest; the listening goroutine reads it
	text    string
	secret  bool // text is a staged one
	holding bool
	handed  chan struct{} // told when it was, has room for one
	answer  chan xproto.SelectionNotifyEvent
}

// held is what the clipboard had before.
type held struct {
	text     string
	any      bool // somebody held it
	readable bool
}

func newClipboard(x *display) *clipboard {
	c := &clipboard{display: x, handed: make(chan struct{}, 1), answer: make(chan xproto.SelectionNotifyEvent, 1)}
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
	case xproto.SelectionNotifyEvent:
		select {
		case c.answer <- e:
		default: // nobody asked
		}
	}
}

// keep reads what the clipboard holds. An owner that has gone, or does not
// answer, holds nothing that can be read.
func (c *clipboard) keep() held {
	c.mu.Lock()
	if c.holding && !c.secret {
		defer c.mu.Unlock()
		return held{text: c.text, any: true, readable: true}
	}
	c.mu.Unlock()
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
	if err != nil || r.Type != c.atom("UTF8_STRING") || r.BytesAfter > 0 {
		return held{any: true} // in pieces, or too long to be kept
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
	select {
	case <-c.handed:
	default:
	}
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

// restore gives the clipboard back what it held; true when it holds that again,
// or holds nothing as before. Whatever comes of that, the staged text is off it.
func (c *clipboard) restore(was held) bool {
	c.mu.Lock()
	still := c.holding && c.secret
	c.text, c.secret, c.holding = was.text, false, was.readable && still
	holding := c.holding
	c.mu.Unlock()
	if !still {
		return true // somebody has put something else there meanwhile
	}
	if holding {
		return c.own()
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
	if handed && secret {
		select {
		case c.handed <- struct{}{}:
		default: // it has been told
		}
	}
}
