package task

import (
	"encoding/json"

	"countersign/flows"
	"countersign/surfaces"
)

// Record is what the store keeps of a task beside its journal, decisions,
// presses and bindings. It never holds a secret value.
type Record struct {
	ID       ID               `json:"id"`
	Request  StartRequest     `json:"request"` // facts: shared values only; secret names in secret_facts
	Flow     json.RawMessage  `json:"flow,omitempty"`
	View     View             `json:"view"`
	Spent    Spent            `json:"spent"`
	Rescued  int              `json:"rescued"` // rescues used
	Cursor   int              `json:"cursor"`  // last finished top-level step of the flow as given
	Runs     int              `json:"runs"`    // runs begun, for the numbers in reports
	Resume   *Resume          `json:"resume,omitempty"`
	Values   []Value          `json:"values"` // collected: every variable runs saved, oldest first
	Learned  []flows.Hint     `json:"learned,omitempty"`
	Rescues  []Rescue         `json:"rescues,omitempty"`
	Pictures []Artifact       `json:"pictures,omitempty"`
	Trace    []flows.Exchange `json:"trace,omitempty"`
	// SecretFields are where secrets were typed, so that they stay hidden there
	// while their values are not known.
	SecretFields []surfaces.Field `json:"secret_fields,omitempty"`

	DialogLeftOpen bool  `json:"dialog_left_open,omitempty"`
	Holding        bool  `json:"holding"`  // a side is held
	ShownAt        int64 `json:"shown_at"` // when the present pause was first shown, Unix ms
	EndedAt        int64 `json:"ended_at,omitempty"`
	History        bool  `json:"history,omitempty"` // evicted: only TaskReport knows it still

	Decisions uint64 `json:"decisions"` // last decision id
	Presses   uint64 `json:"presses"`   // last press seq
	Seq       uint64 `json:"seq"`       // last journal number
	Revision  uint64 `json:"revision"`  // equals View.Revision; the compare-and-set of a commit
	Owner     string `json:"owner,omitempty"`
}

// Value is one saved variable.
type Value struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ResumeKind says how a paused task goes on.
type ResumeKind string

// Ways to go on. ResumeRetry runs Steps from Index; ResumeApproval runs the
// guard at Index alone with permission, then the rest.
const (
	ResumeRetry    ResumeKind = "retry"
	ResumeApproval ResumeKind = "approval"
)

// Resume is what runs after a pause is answered. Index is a position in the
// flow as given, so that nothing of the flow is stored twice; Steps are what is
// left of the steps a rescue wrote in its place, and Next where the flow goes on
// behind them.
type Resume struct {
	Kind     ResumeKind         `json:"kind"`
	App      string             `json:"app"`
	Index    int                `json:"index"`            // from 1: the step to run first
	Guard    string             `json:"guard,omitempty"`  // path of the guard: "4", "4.2"
	Phrase   string             `json:"phrase,omitempty"` // approval: the guard's words
	Steps    json.RawMessage    `json:"steps,omitempty"`
	Next     int                `json:"next,omitempty"`
	Own      int                `json:"own,omitempty"`      // how many of Steps belong to the latest rescue
	Evidence *flows.Evidence    `json:"evidence,omitempty"` // approval: what is asked to be signed
	Differs  []flows.Difference `json:"differs,omitempty"`
	After    bool               `json:"after,omitempty"` // the press of the guard at Steps[0] was sent: go on after it
}

// Change is everything one transition writes, in one transaction: all or
// nothing, on disk when Commit returns nil.
type Change struct {
	// Record replaces the stored one; its Revision must be at least the stored
	// one's and its Seq the number of the last entry given.
	Record    Record
	Entries   []Entry    // appended; Seq goes on from the stored record's without a hole
	Decisions []Decision // written or replaced by their ID
	Press     *Press     // written or replaced by its Seq
}

// Bindings maps a task to the bindings of its sides.
type Bindings map[ID][]surfaces.Binding
