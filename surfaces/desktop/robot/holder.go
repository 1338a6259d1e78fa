//go:build linux && !nodesktop

package robot

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/jezek/xgb/xproto"
)

// holdWithin bounds the start of a holder, and its taking of the clipboard.
const holdWithin = 5 * time.Second

// holder is another run of this program, which was given what the clipboard
// held. When its input ends, because it is told to take or because this process
// died over a paste, it takes the clipboard, and stays until something else is
// copied or the display goes: as every program does that a person copied from.
// A nil one holds nothing.
type holder struct {
	cmd *exec.Cmd
	in  io.Closer
}

// holder starts one for what was kept; nil when there is nothing, or when it
// does not start.
func (h *robotHands) holder(kept held) *holder {
	if !kept.readable {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	cmd := exec.Command(self, Subcommand)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil
	}
	if cmd.Start() != nil {
		return nil
	}
	ready := make(chan bool, 1)
	go func() { // ends with the holder, which may be after us
		line, _ := bufio.NewReader(out).ReadBytes('\n')
		var r Reply
		ready <- json.Unmarshal(line, &r) == nil && r.OK
		_ = cmd.Wait() // how it ended is of no use to anybody
	}()
	one := &holder{cmd, in}
	go func() { // ends when the holder reads, or is dropped
		_ = json.NewEncoder(in).Encode(Request{Op: Hold, Text: kept.text, Window: uint32(h.clip.window)})
	}()
	select {
	case ok := <-ready:
		if ok {
			return one
		}
	case <-h.ended:
	case <-time.After(holdWithin):
	}
	one.drop()
	return nil
}

// take has it take the clipboard; false when there is none.
func (o *holder) take() bool { return o != nil && o.in.Close() == nil }

// drop ends it.
func (o *holder) drop() {
	if o != nil {
		_ = o.cmd.Process.Kill() // gone already is as good
	}
}

// pledge is a text that the clipboard is to hold for others when the input has
// ended, and whose window has the clipboard until then.
type pledge struct {
	text string
	from xproto.Window
}

func (c *clipboard) pledge(text string, from uint32) {
	c.promise = &pledge{text, xproto.Window(from)}
}

// linger keeps the promise, unless somebody has put something else on the
// clipboard meanwhile.
func (c *clipboard) linger() {
	if c.promise == nil {
		return
	}
	owner, err := xproto.GetSelectionOwner(c.Conn, c.atom("CLIPBOARD")).Reply()
	if err != nil || owner.Owner != xproto.WindowNone && owner.Owner != c.promise.from {
		return
	}
	c.mu.Lock()
	c.text, c.holding = c.promise.text, true
	c.mu.Unlock()
	if !c.own() {
		return
	}
	select {
	case <-c.cleared:
	case <-c.gone:
	}
}
