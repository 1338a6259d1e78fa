// Package robot is the process that owns robotgo and the connection to the X
// display: an X error, or a display that goes away, ends the process that holds
// it, and that must never be the desk. It speaks lines of JSON over its
// standard streams, one reply per request, and ends with its input: only what a
// person had copied is held on, by a run of its own (Hold). No other package may
// import robotgo.
//
// It sends input to the one window that is named with it, and to no other that
// has the focus or lies at that place; none while a window that was named its
// own has the focus, and none to such a window, whatever it is asked.
package robot

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"countersign/surfaces/fault"
)

// Subcommand is the hidden command of the same binary that runs Serve.
const Subcommand = "robot"

const (
	maxLine   = 64 << 20        // one request or reply, in bytes: a picture of a large screen
	endWithin = 2 * time.Second // from the end of its input, or the kill, to the end of the process
)

// Display is what the process can drive.
type Display struct {
	Found  bool   `json:"found"`
	Name   string `json:"name,omitempty"`   // as DISPLAY names it
	Width  int    `json:"width,omitempty"`  // pixels
	Height int    `json:"height,omitempty"` // pixels
	Reason string `json:"reason,omitempty"` // why there is none, in plain words
}

// Window is a top window of the display.
type Window struct {
	ID     uint32 `json:"id"`
	PID    int    `json:"pid,omitempty"` // 0: it does not say
	Title  string `json:"title,omitempty"`
	Active bool   `json:"active,omitempty"`
	Own    bool   `json:"own,omitempty"` // the terminal of the desk
	X      int    `json:"x"`
	Y      int    `json:"y"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// Own is what input must keep away from: windows by number, and all windows of
// some processes.
type Own struct {
	PIDs    []int    `json:"pids,omitempty"`
	Windows []uint32 `json:"windows,omitempty"`
}

// Op is what the process is asked to do.
type Op string

// The closed list of operations.
const (
	Probe   Op = "probe"   // → Display
	Windows Op = "windows" // → Windows, the frontmost last
	Raise   Op = "raise"   // Window: to the front, with the focus
	Move    Op = "move"    // the pointer, to X, Y
	Click   Op = "click"   // at X, Y; Button, Double
	Drag    Op = "drag"    // from X, Y to ToX, ToY
	Scroll  Op = "scroll"  // at X, Y by DX, DY notches, down and right positive
	Key     Op = "key"     // Keys: modifiers, then one key
	Type    Op = "type"    // Text by the keyboard's own layout
	Paste   Op = "paste"   // Text over the clipboard, which is kept, and Keys to paste → Restored
	Capture Op = "capture" // X, Y, Width, Height; no size: the whole screen → PNG; Window: what lies over it → Windows
	Lift    Op = "lift"    // every key and button that is down is let go
	Hold    Op = "hold"    // Text, for the clipboard, from the end of the input on; Window: whose it is until then
)

// Request is one line to the process. What an operation does not name is left
// out, but for Own, without which no input is sent and nothing is raised, and
// for Window, which all input is meant for. When the input ends over a request,
// what is left of it is not done.
type Request struct {
	Op     Op       `json:"op"`
	X      int      `json:"x,omitempty"`
	Y      int      `json:"y,omitempty"`
	ToX    int      `json:"to_x,omitempty"`
	ToY    int      `json:"to_y,omitempty"`
	DX     int      `json:"dx,omitempty"`
	DY     int      `json:"dy,omitempty"`
	Width  int      `json:"width,omitempty"`
	Height int      `json:"height,omitempty"`
	Button string   `json:"button,omitempty"` // left when empty; right, center
	Double bool     `json:"double,omitempty"`
	Keys   []string `json:"keys,omitempty"`
	Text   string   `json:"text,omitempty"`
	Window uint32   `json:"window,omitempty"`
	Own    *Own     `json:"own,omitempty"`
}

// looks reports a request that changes nothing, and may be made twice.
func (r Request) looks() bool { return r.Op == Probe || r.Op == Windows || r.Op == Capture }

// Reply is one line from the process.
type Reply struct {
	OK      bool     `json:"ok"`
	Display *Display `json:"display,omitempty"`
	Windows []Window `json:"windows,omitempty"` // of a capture: those of other programs that lay over Window

	Restored bool       `json:"restored,omitempty"` // the clipboard holds, again or still, all that it held
	PNG      []byte     `json:"png,omitempty"`
	Code     fault.Code `json:"code,omitempty"`
	Message  string     `json:"message,omitempty"`
	// Sent says of a failure that some of the input had been sent.
	Sent bool `json:"sent,omitempty"`
}

func refused(code fault.Code, format string, args ...any) Reply {
	return Reply{Code: code, Message: fmt.Sprintf(format, args...)}
}

// hands does what is asked of the process; one goroutine calls it.
type hands interface {
	do(Request) Reply
	// gone is closed when the display has gone away.
	gone() <-chan struct{}
	// linger is called when the input has ended. It returns when there is
	// nothing left for which the process must stay.
	linger()
}

// Serve answers requests until the input ends, or the display it once had goes
// away. It is the whole process: the error is of its streams or its display,
// and a failure to do what was asked is a reply.
func Serve(in io.Reader, out io.Writer) error {
	lines := make(chan []byte)
	failed := make(chan error, 1)
	ended := make(chan struct{})
	go func() { // ends with the input, or with the process
		scan := bufio.NewScanner(in)
		scan.Buffer(nil, maxLine)
		for scan.Scan() {
			lines <- append([]byte(nil), scan.Bytes()...)
		}
		failed <- scan.Err()
		close(ended)
		close(lines)
	}()
	h := newHands(ended)
	write := json.NewEncoder(out)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				if err := <-failed; err != nil {
					return fault.Wrap(fault.Internal, err, "the desktop process cannot read what it is asked")
				}
				h.linger()
				return nil
			}
			if err := write.Encode(answer(h, line)); err != nil {
				return fault.Wrap(fault.Internal, err, "the desktop process cannot answer")
			}
		case <-h.gone():
			return fault.New(fault.NoSuchSession, "the display is gone")
		}
	}
}

func answer(h hands, line []byte) Reply {
	var r Request
	if err := json.Unmarshal(line, &r); err != nil {
		return refused(fault.InvalidArgs, "this line is no request")
	}
	switch r.Op {
	case Probe, Windows, Raise, Move, Click, Drag, Scroll, Key, Type, Paste, Capture, Lift, Hold:
		return h.do(r)
	default:
		return refused(fault.InvalidArgs, "no operation %q", r.Op)
	}
}
