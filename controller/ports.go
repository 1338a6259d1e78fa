package controller

import (
	"context"

	"countersign/controller/chat"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
)

// Store keeps tasks. Every write is on disk when the call returns nil; errors
// are faults with a STORE_ code, and then nothing was written. Calls block on
// disk and are safe for concurrent use. It is closed by main.
type Store interface {
	Records
	Bindings
	Pictures
	// Allocate gives the next task id; an id is never given twice.
	Allocate() (task.ID, error)
	// Commit writes one transition in one transaction. A record whose revision
	// is older than the stored one, or entries that leave a hole, is INTERNAL
	// and nothing is written.
	Commit(task.Change) error
	// Prune removes history that ended before the time (Unix ms), with its
	// pictures.
	Prune(before int64) ([]task.ID, error)
}

// Records reads what was committed.
type Records interface {
	// Live gives the tasks that are not history, in the order of their ids.
	Live() ([]task.Record, error)
	// Record gives one task, live or history; NO_SUCH_TASK otherwise.
	Record(task.ID) (task.Record, error)
	// History pages records that are final, newest first, whose title or state
	// holds query; before 0 starts with the newest.
	History(query string, before task.ID, limit int) ([]task.Record, error)
	// Entries gives journal entries with Seq > after, oldest first, at most
	// limit (0: all).
	Entries(id task.ID, after uint64, limit int) ([]task.Entry, error)
	// Decisions and Presses give all of a task's, oldest first.
	Decisions(task.ID) ([]task.Decision, error)
	Presses(task.ID) ([]task.Press, error)
}

// Bindings keep where a task's sides are found again.
type Bindings interface {
	Bind(task.ID, surfaces.Binding) error
	Unbind(task.ID, surfaces.Side) error
	Bindings(task.ID) ([]surfaces.Binding, error)
	// Orphans gives bindings whose task holds nothing any more.
	Orphans() (task.Bindings, error)
}

// Pictures are files named by their SHA-256, in hex.
type Pictures interface {
	// KeepPicture is on disk when it returns nil.
	KeepPicture(png []byte) (sha256 string, err error)
	// Picture gives the bytes; NO_SUCH_OUTPUT when it is not kept.
	Picture(sha256 string) ([]byte, error)
	// DropPicture removes one that no record names; unknown ones are no error.
	DropPicture(sha256 string) error
}

// Runner runs one flow once. Tests script it without a screen.
type Runner interface {
	// Run carries out req on place until the flow ends, stops or fails, or ctx
	// ends; the partial result is returned in every case.
	Run(ctx context.Context, place surfaces.Surface, req flows.Request) flows.Result
	// Evidence re-reads place and recomputes what a guard's evidence would be
	// now, pressing nothing; an error when the control cannot be found.
	Evidence(ctx context.Context, place surfaces.Surface, req flows.Request, guard string) (*flows.Evidence, *flows.Seen, error)
	// Decider names what answers questions; empty when none is configured.
	Decider() string
}

// Opener makes the place a task acts in. Nothing is started before the first
// verb that needs it. Bindings of an earlier process make the sides connect to
// what still lives instead of starting anew.
type Opener interface {
	Open(id string, needs surfaces.Needs, bindings []surfaces.Binding, keep surfaces.Keeper) (surfaces.Place, error)
	// Available says which surfaces can be had, without starting any.
	Available() []surfaces.Availability
	// Destroy ends what an orphaned binding still refers to.
	Destroy(ctx context.Context, b surfaces.Binding) error
}

// Options plug the controller together.
type Options struct {
	Store   Store
	Runner  Runner
	Opener  Opener
	Planner chat.Model // nil: plain-language tasks are needs_plan
	Rescuer chat.Model // nil: no rescue
	Shaper  chat.Model // nil: output is OUTPUT_UNAVAILABLE
	Version string
	// DecisionModel is what Describe says of the decider; nil: its name alone.
	DecisionModel *task.Model
}
