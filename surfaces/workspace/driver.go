package workspace

import (
	"context"

	"countersign/surfaces"
)

// Member is one side inside a workspace. It opens what it drives lazily, with
// the first verb that needs it.
type Member interface {
	surfaces.Surface
	// Holding reports whether it is open now, or would be found again.
	Holding() bool
	// Lost is signalled at most once when what it lived in has died.
	Lost() <-chan struct{}
	// Reach tells a person how to get at it; zero when it is not open.
	Reach() surfaces.Reach
	// Release gives it back: what we launched is closed, what we attached to is
	// left. Idempotent.
	Release(ctx context.Context) error
	// Close only disconnects; its binding stays good.
	Close() error
}

// Driver makes the members of one side.
type Driver interface {
	// Side makes a member that is not open yet. A binding of an earlier process
	// makes it connect to what still lives; keep stores its bindings.
	Side(id string, needs surfaces.Needs, binding *surfaces.Binding, keep surfaces.Keeper) (Member, error)
	// Destroy ends what a binding still refers to; nil when nothing lives.
	Destroy(ctx context.Context, b surfaces.Binding) error
	// Available says whether the side can be had, without starting anything.
	Available() surfaces.Availability
}
