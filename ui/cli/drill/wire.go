package drill

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// hello is the first line a child reads: what it may open, and when it dies.
type hello struct {
	Folder     string   `json:"folder"`     // of the trial, holding the mark and the store
	Token      string   `json:"token"`      // what the mark must say
	Sites      []string `json:"sites"`      // the only origins a task may reach
	Executable string   `json:"executable"` // of the browser; empty: found in PATH
	Kill       kill     `json:"kill"`
}

// moment says where in a desk's work it is killed.
type moment string

const (
	never         moment = ""
	afterWrite    moment = "after_write"         // the n-th write returned, nobody was told
	beforeWrite   moment = "before_write"        // the n-th write is about to begin
	afterIntend   moment = "after_intend"        // a press is on disk as intended, not sent
	beforePress   moment = "before_press"        // a press is about to be written as intended
	afterPress    moment = "after_press"         // a press was sent, and not yet written as pressed
	withinPress   moment = "within_press"        // some time after it was intended
	anyMoment     moment = "any"                 // some time after the start, whatever goes on
	pressPatience        = 60 * time.Millisecond // withinPress falls inside it; a press takes 10 to 50 ms
)

// kill is one planned death.
type kill struct {
	When  moment        `json:"when"`
	N     int           `json:"n,omitempty"`     // afterWrite, beforeWrite: from 1
	Delay time.Duration `json:"delay,omitempty"` // withinPress, anyMoment
}

// order is what the parent asks of a child; exactly one of the last four.
type order struct {
	Start    *task.StartRequest    `json:"start,omitempty"`
	Continue *task.ContinueRequest `json:"continue,omitempty"`
	Look     task.ID               `json:"look,omitempty"`
	End      bool                  `json:"end,omitempty"`
}

// message is what a child says.
type message struct {
	// Open is the first: everything the store held once the desk stood.
	Open *[]told `json:"open,omitempty"`
	// Write is a write that the store has acknowledged, with its entries.
	Write *written `json:"write,omitempty"`
	// Entry is an event of the desk.
	Entry json.RawMessage `json:"entry,omitempty"`
	// View or Refused answers a start or a continue, Looked a look.
	View    json.RawMessage `json:"view,omitempty"`
	Refused *fault.Error    `json:"refused,omitempty"`
	Looked  bool            `json:"looked,omitempty"`
}

// told is one task as the desk reports it.
type told struct {
	View      json.RawMessage   `json:"view"`
	Journal   []json.RawMessage `json:"journal"`
	Decisions []task.Decision   `json:"decisions"`
}

// written is one acknowledged write of the store.
type written struct {
	N       int               `json:"n"` // from 1 in this child
	Entries []json.RawMessage `json:"entries,omitempty"`
}

// lines writes messages one by one; safe for concurrent use.
type lines struct {
	mu  sync.Mutex // guards out
	out io.Writer
}

// say writes one line in one call, so that a death never leaves half of it.
func (l *lines) say(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err = l.out.Write(append(raw, '\n'))
	return err
}
