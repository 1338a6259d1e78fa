package task

import "countersign/flows"

// EventKind names an event or a journal entry.
type EventKind string

// Kinds. View, ended steps, plan, rescue, resume, decision and picture are
// stored and numbered; screen, a step that has not ended, gone and health are
// the latest state only.
const (
	EventView     EventKind = "view"
	EventStep     EventKind = "step"
	EventPlan     EventKind = "plan"
	EventRescue   EventKind = "rescue"
	EventResume   EventKind = "resume"
	EventDecision EventKind = "decision"
	EventPicture  EventKind = "picture"
	EventScreen   EventKind = "screen"
	EventGone     EventKind = "gone"
	EventHealth   EventKind = "health"
)

// Entry is one journal entry, and one event: those that are stored have Seq,
// from 1 per task without a hole. Exactly one payload is set. No entry holds a
// secret, a record or evidence.
type Entry struct {
	Event     EventKind `json:"event"`
	Task      ID        `json:"task,omitempty"`
	Seq       uint64    `json:"seq,omitempty"`
	At        int64     `json:"at"`                   // Unix ms
	ElapsedMS int64     `json:"elapsed_ms,omitempty"` // working time of the task so far

	View     *View             `json:"view,omitempty"`
	Report   *flows.StepReport `json:"report,omitempty"`
	Plan     *PlanNote         `json:"plan,omitempty"`
	Rescue   *RescueNote       `json:"rescue,omitempty"`
	Resume   *ResumeNote       `json:"resume,omitempty"`
	Decision *DecisionNote     `json:"decision,omitempty"`
	Picture  *Artifact         `json:"picture,omitempty"`
	Screen   *flows.Seen       `json:"screen,omitempty"`
	Health   *Health           `json:"health,omitempty"`
}

// PlanNote is the journal's record of one planning.
type PlanNote struct {
	WallMS    int64  `json:"wall_ms"`
	Calls     int    `json:"calls"`
	SentBytes int64  `json:"sent_bytes"`
	Model     string `json:"model"`
	OK        bool   `json:"ok"`
	Steps     int    `json:"steps,omitempty"`
	Questions int    `json:"questions,omitempty"`
	Error     string `json:"error,omitempty"`
}

// RescueNote is the journal's record of one rescue.
type RescueNote struct {
	Step      int    `json:"step"`
	Attempt   int    `json:"attempt"`
	Limit     int    `json:"limit"`
	WallMS    int64  `json:"wall_ms"`
	Calls     int    `json:"calls"`
	SentBytes int64  `json:"sent_bytes"`
	Outcome   string `json:"outcome"`
	Reason    string `json:"reason,omitempty"` // the rescuer's, redacted
	Steps     int    `json:"steps"`
	Covers    int    `json:"covers"`
	Model     string `json:"model"`
}

// ResumeNote says how long a pause stood.
type ResumeNote struct {
	State    State `json:"state"`
	WaitedMS int64 `json:"waited_ms"` // since the pause was first shown
}

// DecisionNote names a decision without its words.
type DecisionNote struct {
	ID     uint64        `json:"id"`
	State  DecisionState `json:"state"`
	Digest string        `json:"digest,omitempty"`
}

// Health is "ok" or a code each.
type Health struct {
	Store    string            `json:"store"`
	Decider  string            `json:"decider"` // the decider's name, or a code
	Surfaces map[string]string `json:"surfaces"`
}

// Wall is what a quiet look says about a wall only a person can pass.
type Wall string

// What Look can say of a wall.
const (
	WallGone       Wall = "gone"
	WallStillThere Wall = "still_there"
	WallCannotTell Wall = "cannot_tell"
)

// Look is a quiet reading of a waiting task's side: it presses nothing and
// changes no state.
type Look struct {
	Screen   *flows.Seen        `json:"screen,omitempty"` // nil when it cannot be read
	Wall     Wall               `json:"wall"`
	Evidence *flows.Evidence    `json:"evidence,omitempty"` // for an approval: as it is now
	Differs  []flows.Difference `json:"differs,omitempty"`
	Missed   string             `json:"missed,omitempty"`   // why there is no evidence now: the control is gone, say
	Endpoint string             `json:"endpoint,omitempty"` // DevTools address of the task's browser
	Address  string             `json:"address,omitempty"`  // page it shows
	Headed   bool               `json:"headed"`
}
