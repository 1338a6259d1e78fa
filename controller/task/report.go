package task

import (
	"encoding/json"

	"countersign/flows"
)

// Report is everything one task did (tasks.md 2.8).
type Report struct {
	View      View               `json:"view"`
	Request   StartRequest       `json:"request"` // shared facts by value, secret ones by name only (in secret_facts)
	Flow      json.RawMessage    `json:"flow,omitempty"`
	Steps     []flows.StepReport `json:"steps"`
	Records   map[string]Rows    `json:"records"`
	Artifacts []Artifact         `json:"artifacts"`
	Learned   []flows.Hint       `json:"learned"`
	Trace     []flows.Exchange   `json:"trace"`
	Rescues   []Rescue           `json:"rescues"`
	Approval  *Approval          `json:"approval,omitempty"`
	Decisions []Decision         `json:"decisions"`
	Journal   []Entry            `json:"journal"`
	Spent     Spent              `json:"spent"`
}

// Approval is the evidence of an open approval, and after a void one what
// differs from what was signed.
type Approval struct {
	flows.Evidence
	Digest  string             `json:"digest"`
	Differs []flows.Difference `json:"differs,omitempty"`
}

// Artifact is the handle of a picture.
type Artifact struct {
	ID         string `json:"id"`
	TotalBytes int64  `json:"total_bytes"`
	SHA256     string `json:"sha256"`
	MediaType  string `json:"media_type"`
	Width      int    `json:"width"`
	Height     int    `json:"height"`
}

// Rescue is one rescue (tasks.md 9.4).
type Rescue struct {
	Step    int             `json:"step"`
	Failure string          `json:"failure"`
	Reason  string          `json:"reason"`
	Steps   json.RawMessage `json:"steps"`
	Covers  int             `json:"covers"`
	Outcome string          `json:"outcome"`
}

// Spent is what a task used over all its runs.
type Spent struct {
	Actions    int   `json:"actions"`
	ModelCalls int   `json:"model_calls"`
	ElapsedMS  int64 `json:"elapsed_ms"`
}

// DecisionState is how far a decision got.
type DecisionState string

// The states of a decision (tasks.md 4.9).
const (
	DecisionAsked    DecisionState = "asked"
	DecisionApproved DecisionState = "approved"
	DecisionDeclined DecisionState = "declined"
	DecisionVoid     DecisionState = "void"
	DecisionExpired  DecisionState = "expired"
	DecisionSpent    DecisionState = "spent"
)

// Decision is one question to a person and its answer.
type Decision struct {
	ID         uint64             `json:"id"` // from 1 per task
	Task       ID                 `json:"task"`
	Question   State              `json:"question"` // the state that asked
	Evidence   *flows.Evidence    `json:"evidence,omitempty"`
	Digest     string             `json:"digest,omitempty"`
	Differs    []flows.Difference `json:"differs,omitempty"`
	State      DecisionState      `json:"state"`
	Answer     string             `json:"answer,omitempty"` // approve, decline, go, done, inputs, paid, not_paid …
	Words      string             `json:"words,omitempty"`  // the person's own, a decline's reason
	Who        string             `json:"who,omitempty"`    // operator, deadline
	Shown      []string           `json:"shown,omitempty"`  // the question's lines as they stood before the person; empty when nobody answered
	ShownMS    int64              `json:"shown_ms"`
	AskedAt    int64              `json:"asked_at"`
	AnsweredAt int64              `json:"answered_at,omitempty"`
}

// PressState is how far a press got.
type PressState string

// The states of a press record (tasks.md 10.9).
const (
	Intended       PressState = "intended"
	Pressed        PressState = "pressed"
	OutcomeUnknown PressState = "outcome_unknown"
	NotPressed     PressState = "not_pressed" // certainly not delivered, or the person says it did not happen
)

// Press is the record of one press of a guarded control: Intended is on disk
// before the input is sent.
type Press struct {
	Task     ID         `json:"task"`
	Seq      uint64     `json:"seq"` // from 1 per task
	Step     string     `json:"step"`
	Digest   string     `json:"digest"`
	State    PressState `json:"state"`
	Decision uint64     `json:"decision,omitempty"` // 0 when pressed under allow_destructive
	At       int64      `json:"at"`
}
