package controllertest

import (
	"context"
	"errors"
	"sync"
	"time"

	"countersign/controller/chat"
	"countersign/controller/task"
)

// Chat is a chat.Model without a model behind it: it answers what a test put
// in, in order, and keeps every conversation. Safe for concurrent use.
type Chat struct {
	mu      sync.Mutex // guards the rest
	name    string
	replies []reply
	always  *reply
	asked   [][]chat.Turn
	ended   int
}

type reply struct {
	text  string
	err   error
	after time.Duration
	hang  bool
}

var _ chat.Model = (*Chat)(nil)

// NewChat makes a model of that name, which fails until it is given answers.
func NewChat(name string) *Chat { return &Chat{name: name} }

// Say appends answers.
func (c *Chat) Say(texts ...string) {
	for _, text := range texts {
		c.add(reply{text: text})
	}
}

// Think appends an answer that takes its time.
func (c *Chat) Think(d time.Duration, text string) { c.add(reply{text: text, after: d}) }

// Hang appends a call that never answers: it ends with its context.
func (c *Chat) Hang() { c.add(reply{hang: true}) }

// Fail appends a call that fails.
func (c *Chat) Fail(message string) { c.Refuse(errors.New(message)) }

// Refuse appends a call that fails with err.
func (c *Chat) Refuse(err error) { c.add(reply{err: err}) }

// Always is what it answers when nothing appended is left.
func (c *Chat) Always(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.always = &reply{text: text}
}

func (c *Chat) add(r reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replies = append(c.replies, r)
}

// Asked gives every conversation so far, as it stood when it was sent.
func (c *Chat) Asked() [][]chat.Turn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([][]chat.Turn(nil), c.asked...)
}

// Ended counts the calls that ended because their context did.
func (c *Chat) Ended() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// Name implements chat.Model.
func (c *Chat) Name() task.Model { return task.Model{Provider: "fake", Model: c.name} }

// Chat implements chat.Model.
func (c *Chat) Chat(ctx context.Context, turns []chat.Turn) (string, error) {
	r := c.next(turns)
	var after <-chan time.Time // never, for one that hangs
	if !r.hang {
		timer := time.NewTimer(r.after)
		defer timer.Stop()
		after = timer.C
	}
	select {
	case <-after:
		return r.text, r.err
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ended++
		return "", ctx.Err()
	}
}

func (c *Chat) next(turns []chat.Turn) reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, append([]chat.Turn(nil), turns...))
	switch {
	case len(c.replies) > 0:
		r := c.replies[0]
		c.replies = c.replies[1:]
		return r
	case c.always != nil:
		return *c.always
	default:
		return reply{err: errors.New("the model cannot be reached")}
	}
}
