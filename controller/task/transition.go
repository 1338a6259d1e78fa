package task

import "slices"

// transitions is the table of tasks.md 1.7 by state; the empty state is the
// start. A state may follow itself where its question changes: other values
// still missing, another digest, a side lost while interrupted. What only the
// status tells, that a payment checkpoint is final, Status.Allows adds.
//
//	start ──► running ──► done, failed
//	  │        │   ▲
//	  ▼        ▼   │ answer
//	needs_plan  needs_input, needs_approval, needs_human, checkpoint
//
// From every state that is not final a task can be cancelled.
var transitions = map[State][]State{
	"":            {Running, NeedsInput, NeedsPlan},
	Running:       {Running, NeedsInput, NeedsApproval, NeedsHuman, Checkpoint, Done, Failed, Cancelled},
	NeedsInput:    {Running, NeedsInput, Checkpoint, Failed, Cancelled},
	NeedsApproval: {Running, NeedsInput, NeedsApproval, Checkpoint, Cancelled},
	NeedsHuman:    {Running, NeedsInput, Checkpoint, Cancelled},
	Checkpoint:    {Running, NeedsInput, NeedsApproval, Checkpoint, Cancelled},
	NeedsPlan:     {Cancelled},
	Done:          {},
	Failed:        {},
	Cancelled:     {},
}

// Allowed reports whether a task may go from one state to another; from the
// empty state when it starts.
func Allowed(from, to State) bool { return slices.Contains(transitions[from], to) }

// Allows is Allowed for a status: nothing follows a final one.
func (s Status) Allows(to State) bool { return !s.IsFinal() && Allowed(s.State, to) }
