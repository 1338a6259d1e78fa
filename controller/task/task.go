// Package task is the vocabulary of the controller's boundary: ids, views, the
// nine statuses, requests, answers, reports, events, and the records the store
// keeps. A leaf: types and pure functions, no I/O, no clock.
package task

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"countersign/flows"
	"countersign/surfaces"
)

// ID is a task's number; its text is t-1, t-2, … and it is never reused.
type ID uint64

func (id ID) String() string { return "t-" + strconv.FormatUint(uint64(id), 10) }

// ParseID reads t-7.
func ParseID(s string) (ID, error) {
	n, ok := strings.CutPrefix(strings.TrimSpace(s), "t-")
	if !ok {
		return 0, fmt.Errorf("%q is no task id", s)
	}
	v, err := strconv.ParseUint(n, 10, 64)
	if err != nil || v == 0 {
		return 0, fmt.Errorf("%q is no task id", s)
	}
	return ID(v), nil
}

// MarshalText and UnmarshalText make an ID t-7 in JSON, also as a map key.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads t-7; the empty text is 0.
func (id *ID) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*id = 0
		return nil
	}
	v, err := ParseID(string(b))
	*id = v
	return err
}

// State tells the nine statuses apart.
type State string

// The nine statuses (tasks.md 1.3).
const (
	Running       State = "running"
	NeedsInput    State = "needs_input"
	NeedsApproval State = "needs_approval"
	NeedsHuman    State = "needs_human"
	Checkpoint    State = "checkpoint"
	NeedsPlan     State = "needs_plan"
	Done          State = "done"
	Failed        State = "failed"
	Cancelled     State = "cancelled"
)

// CheckpointKind says what stopped the task.
type CheckpointKind string

// The four kinds; only CheckpointPayment is not continuable.
const (
	CheckpointPayment        CheckpointKind = "payment"
	CheckpointInterrupted    CheckpointKind = "interrupted"
	CheckpointOutcomeUnknown CheckpointKind = "outcome_unknown"
	CheckpointSideLost       CheckpointKind = "side_lost"
)

// What a person says at a payment checkpoint.
const (
	Paid    = "paid"
	NotPaid = "not_paid"
)

// Field is one missing value asked for.
type Field struct {
	Name    string   `json:"name"`
	Why     string   `json:"why"`
	Kind    string   `json:"kind"` // text, email, phone, date, number: a hint for the widget only
	Options []string `json:"options"`
}

// Rows are the records of one variable.
type Rows []map[string]string

// Status is one of nine shapes; only the fields of its State are set. Its JSON
// is exactly the shape of tasks.md 1.3.
type Status struct {
	State State

	Fields []Field // needs_input

	Action string // needs_approval
	Target string
	Digest string

	Reason string // needs_human, checkpoint, failed

	Kind        CheckpointKind // checkpoint
	Location    string
	Summary     string
	Continuable bool

	Guide string // needs_plan

	Answer  string          // done
	Records map[string]Rows // done
	Result  json.RawMessage // done, only when output was asked for

	Step        int // failed; 0 when no single step is to blame
	Hint        string
	Recoverable bool
}

// IsFinal reports whether nothing can follow (tasks.md 1.5).
func (s Status) IsFinal() bool {
	switch s.State {
	case Done, Failed, Cancelled:
		return true
	case Checkpoint:
		return !s.Continuable
	case Running, NeedsInput, NeedsApproval, NeedsHuman, NeedsPlan:
		return false
	default:
		return false
	}
}

// Waits reports whether the task waits for a person: any needs_ state or a
// checkpoint that still holds something to do.
func (s Status) Waits() bool {
	switch s.State {
	case NeedsInput, NeedsApproval, NeedsHuman, NeedsPlan, Checkpoint:
		return true
	case Running, Done, Failed, Cancelled:
		return false
	default:
		return false
	}
}

// CurrentStep is the step in progress, or the one a pause belongs to.
type CurrentStep struct {
	Index   int           `json:"index"` // from 1, in the flow as given
	Kind    flows.Kind    `json:"kind"`
	Intent  string        `json:"intent"` // the step's own words, redacted
	Surface surfaces.Side `json:"surface"`
}

// Left is what remains of each budget as [left, limit]; one without a limit is
// missing.
type Left struct {
	Actions    *[2]int   `json:"actions,omitempty"`
	ModelCalls *[2]int   `json:"model_calls,omitempty"`
	ElapsedMS  *[2]int64 `json:"elapsed_ms,omitempty"`
	Rescues    *[2]int   `json:"rescues,omitempty"`
}

// View is the published face of a task. Redacted: safe to print as it is.
type View struct {
	ID        ID           `json:"id"`
	Status    Status       `json:"status"`
	Summary   string       `json:"summary"` // one sentence
	Step      *CurrentStep `json:"step,omitempty"`
	Progress  float64      `json:"progress"` // 0..1, never decreases
	Next      []string     `json:"next"`
	Title     string       `json:"title"` // at most 80 characters
	Revision  uint64       `json:"revision"`
	StartedAt int64        `json:"started_at"` // Unix ms
	SinceAt   int64        `json:"since_at"`   // Unix ms, entry into the present state
	Left      Left         `json:"left"`
	Paid      string       `json:"paid,omitempty"` // Paid or NotPaid, once the person said so at a payment checkpoint; the status stays as it is
}

// Operations of the controller, as `next` spells them.
const (
	OpStart    = "StartTask"
	OpAwait    = "AwaitTask"
	OpContinue = "ContinueTask"
	OpCancel   = "CancelTask"
	OpReport   = "TaskReport"
)

// Next is table 1.4: the operations that make sense in a state.
func Next(s Status, holdsSurface bool) []string {
	switch s.State {
	case Running:
		return []string{OpAwait, OpCancel}
	case NeedsInput, NeedsApproval, NeedsHuman:
		return []string{OpContinue, OpCancel}
	case Checkpoint:
		if s.Continuable {
			return []string{OpContinue, OpCancel, OpReport}
		}
		if holdsSurface {
			return []string{OpCancel, OpReport}
		}
		return []string{OpReport}
	case NeedsPlan:
		return []string{OpStart, OpCancel}
	case Done, Cancelled:
		return []string{OpReport}
	case Failed:
		return []string{OpReport, OpStart}
	default:
		return []string{}
	}
}
