// Package chat holds the words between the controller and a language model:
// turns in, text out. It is a leaf; controller/model speaks to a real one,
// planner, rescuer and shaper each hold one protocol, and tests script it.
package chat

import (
	"context"

	"countersign/controller/task"
)

// Role says who speaks a turn.
type Role string

// The three roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Turn is one message of a conversation.
type Turn struct {
	Role Role
	Text string
}

// Model is one language model, set up for one role (tasks.md 9.1). Safe for
// concurrent use.
type Model interface {
	// Chat gives the model's answer, a JSON object as text. It tries passing
	// failures again by itself and returns as soon as ctx ends. Its errors are
	// one sentence each, name no key, and are not worth another try.
	Chat(ctx context.Context, turns []Turn) (string, error)
	// Name is what Describe and the journal show; it never holds a key.
	Name() task.Model
}

// Bytes is how much of a conversation is sent with its next turn; the journal
// counts it.
func Bytes(turns []Turn) int {
	n := 0
	for _, t := range turns {
		n += len(t.Text)
	}
	return n
}
