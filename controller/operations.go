// Package controller owns every live task: it starts runs, interprets how they
// end, pauses for a person, spends an answer once, and is the only place that
// publishes. All state is committed before it is published. It touches no
// store, no user interface and no concrete surface; main plugs those in.
package controller

import (
	"context"
	"time"

	"countersign/controller/task"
	"countersign/surfaces"
)

// Operations are the eight calls of the controller (tasks.md section 2). Every
// error is a *fault.Error. Safe for concurrent use.
type Operations interface {
	// Describe is cheap and touches nothing.
	Describe(ctx context.Context) (task.Capabilities, error)
	// PlanTask writes a flow and creates no task.
	PlanTask(ctx context.Context, req task.PlanRequest) (task.Plan, error)
	// StartTask answers at once; the work happens on a goroutine the controller
	// owns. Confidential.
	StartTask(ctx context.Context, req task.StartRequest) (task.View, error)
	// AwaitTask returns when the view changes or timeout passes (default 30 s,
	// at most 60 s); at once for a task that is not running.
	AwaitTask(ctx context.Context, id task.ID, timeout time.Duration) (task.View, error)
	// ContinueTask answers a pause. Confidential.
	ContinueTask(ctx context.Context, req task.ContinueRequest) (task.View, error)
	// CancelTask ends a task, or releases what a final one still holds. Answer
	// is kept for the record: at a payment checkpoint paid or not_paid.
	CancelTask(ctx context.Context, id task.ID, answer string) (task.View, error)
	// TaskReport gives everything one task did, live or history. Confidential.
	TaskReport(ctx context.Context, id task.ID, trace bool) (task.Report, error)
	// ListTasks gives every live view, newest first.
	ListTasks(ctx context.Context) ([]task.View, error)
}

// Desk is what the desk and the command line in the same process may call
// beside the operations (tasks.md 10.10); never offered to an outside caller.
type Desk interface {
	Operations
	// Watch streams events. From maps a task to the last number read; absent
	// ones start with their present view. Ends with ctx.
	Watch(ctx context.Context, from map[task.ID]uint64) Stream
	// Look reads a waiting task's side without changing anything.
	Look(ctx context.Context, id task.ID) (task.Look, error)
	// BringForward shows the person the window of a waiting task's browser; one
	// without a window is left as it is. Either way it says how to reach it.
	BringForward(ctx context.Context, id task.ID) (surfaces.Reach, error)
	// Picture gives a kept picture's bytes, or NO_SUCH_OUTPUT.
	Picture(ctx context.Context, sha256 string) ([]byte, error)
	// Halt stops every running task, at its next step boundary or at once, as
	// interrupted, and lists them.
	Halt(ctx context.Context, now bool) ([]task.View, error)
	// History pages finished and evicted tasks, newest first; before 0 starts
	// with the newest.
	History(ctx context.Context, query string, before task.ID, limit int) ([]task.View, error)
	// Prune removes history older than age, with its pictures.
	Prune(ctx context.Context, age time.Duration) ([]task.ID, error)
}

// Stream is one watcher's place in the events. No watcher is ever waited for:
// stored events it missed are read again from the store, so a stored event of
// a task always comes in order and without a hole.
type Stream interface {
	// Next blocks until at least one event is there and returns what is ready,
	// at most 256. The error is ctx's own when it ended. One goroutine only.
	Next(ctx context.Context) ([]task.Entry, error)
}
