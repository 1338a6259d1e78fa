package flows

import (
	"countersign/flows/facts"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Request is one run: what goes in (flows.md 2.1, tasks.md 10.8). Values above
// a cap are clamped silently; zero means the default.
type Request struct {
	Flow             Flow
	Facts            *facts.Set        // caller values, shared and secret; win over Flow.Vars
	Collected        map[string]string // saved by earlier runs; lose to Facts on a clash
	CollectedOrder   []string          // names of Collected, oldest first
	Unknown          []string          // secrets of the task whose values a restart forgot; needs IncludeValues false
	SecretFields     []surfaces.Field  // where earlier runs typed secrets, or saw them: withheld while one is unknown
	AllowDestructive bool
	PaymentApproved  bool
	Approved         *Evidence // what the operator signed; a guard that now reads another digest gates again
	Payment          Payment
	DialogLeftOpen   bool
	IncludeValues    bool
	MaxActions       int // default 60, cap 120; negative: none left
	MaxModelCalls    int // default 3000, cap 10000; negative: none left
	Votes            int // default 7, cap 9
	Brief            Brief
	Memory           []Hint
	Trace            bool
	Strategy         string // narrow (default) or wide
	Deliberation     string // off, standard, deep (default)
	Task             string // the task's id, for evidence; empty outside a task
	FirstStep        int    // number of Flow.Steps[0] in the flow as given, for reports; 0 means 1
	Guidance         int    // how many steps at the front a rescue wrote: all stand in for FirstStep
	Rest             int    // with Guidance: number of the step behind it

	// AroundPress is called with the evidence after the last look of a guard
	// that will press, before the input. An error means nothing is pressed and
	// the step fails with its code; sent is called right after the input was
	// sent, with false when it certainly was not delivered. On the run's
	// goroutine; may block on disk. Nil: nothing is recorded.
	AroundPress func(Evidence) (sent func(delivered bool), err error)
	// Observer hears of steps and looks while the run goes on; nil: nobody
	// listens. Called on the run's goroutine; must not block for long.
	Observer Observer
	// StopAtBoundary ends the run before its next step once it is closed or
	// sent to; nil: never.
	StopAtBoundary <-chan struct{}
}

// Observer is told what a run does. Everything handed over is masked.
type Observer interface {
	// Step reports a step started, acted (outcome running) or ended.
	Step(StepReport)
	// Seen reports one look.
	Seen(Seen)
	// Exchange reports one decider exchange; only called with Request.Trace.
	Exchange(Exchange)
}

// Number gives the i-th step's number in the flow as given; steps of a rescue
// all have that of the step they stand in for.
func (r Request) Number(i int) int {
	first := max(r.FirstStep, 1)
	switch {
	case r.Guidance == 0:
		return first + i
	case i < r.Guidance:
		return first
	default:
		return r.Rest + i - r.Guidance
	}
}

// standIn is StepReport.StandIn of the i-th step.
func (r Request) standIn(i int) int {
	if i < r.Guidance {
		return i + 1
	}
	return 0
}

// Payment is the mode of tasks.md 4.4.
type Payment string

// The two modes; StopAtPayment is the default.
const (
	StopAtPayment   Payment = "stop_at_payment"
	FillThenApprove Payment = "fill_then_approve"
)

// Brief is what the decider is told of the task beside the screen (5.4).
type Brief struct {
	Goal  string   // at most 600 characters
	Rules []string // standing rules
}

// Stop says why a run ended.
type Stop string

// The ends of a run (flows.md 2.2).
const (
	Completed   Stop = "completed"
	Stopped     Stop = "stopped_before_destructive"
	StepFailed  Stop = "step_failed"
	OutOfAction Stop = "action_budget"
	OutOfCalls  Stop = "model_budget"
	Invalid     Stop = "invalid"
	Cancelled   Stop = "cancelled"
	Halted      Stop = "halted" // Request.StopAtBoundary: ended before the step in Result.Failed
)

// Result is what came of one run.
type Result struct {
	Stop           Stop
	Steps          []StepReport
	Vars           map[string]string // final values of everything saved or declared, never a secret
	Saved          []string          // names this run's own steps saved, oldest first
	Pending        *Evidence         // what a stop_before found and did not press
	Refused        *Evidence         // what the failing step was refused to press
	RefusedFor     string            // "payment" or "irreversible" when Refused is set
	Differs        []Difference      // fields of Pending that differ from Request.Approved
	Failed         string            // path of the failing or stopping step: "3", "4.2.1"
	StandIn        int               // StepReport.StandIn of the last step reached
	Reason         string            // its note, masked; starts with Code and a colon when there is one
	Code           fault.Code        // code behind the failure; empty for a judgement
	Hint           string            // the next move of that failure, masked; empty where the code's own will do
	DialogLeftOpen bool
	Learned        []Hint
	Actions        int
	Calls          int              // decider calls; every framing is one
	Pressed        bool             // an approved or allowed guard's press was sent in this run
	Errors         []Problem        // for Invalid
	SecretFields   []surfaces.Field // where secrets were typed, or stood in a form
	Facts          *facts.Set       // the request's, with the forms in which secrets were typed and what was read and is secret; nil: the request's
}

// Difference is one digest field that changed between signing and the look
// before the press.
type Difference struct {
	Field  string `json:"field"`
	Signed string `json:"signed"`
	Now    string `json:"now"`
}

// Outcome of a step.
type Outcome string

// Outcomes; Running occurs in events only.
const (
	OutcomeRunning     Outcome = "running"
	OutcomeDone        Outcome = "done"
	OutcomeAlreadyDone Outcome = "already_done"
	OutcomeGated       Outcome = "gated"
	OutcomeFailed      Outcome = "failed"
)

// StepReport is one step reached (flows.md 2.3). Typed text never appears.
type StepReport struct {
	Step         string        `json:"step"` // path: "3", "3.1", "4.2.1"
	Run          int           `json:"run,omitempty"`
	StandIn      int           `json:"stand_in,omitempty"` // which of a rescue's steps this is or is in, from 1; they carry the number of the step they stand in for
	Kind         Kind          `json:"kind"`
	Text         string        `json:"text"` // the step's words, masked
	App          string        `json:"app,omitempty"`
	Side         surfaces.Side `json:"side,omitempty"`
	Outcome      Outcome       `json:"outcome"`
	Note         string        `json:"note"`
	Turns        int           `json:"turns"`
	DeciderCalls int           `json:"decider_calls"`
	Actions      []ActionNote  `json:"actions"`
	Loops        []string      `json:"loops"`
	Why          string        `json:"why,omitempty"` // by what the step was last judged done or not, masked; empty when the decider gave no words
	Confidence   float64       `json:"confidence"`    // minimum over the step's decisions, 1 when none
	ElapsedMS    int64         `json:"elapsed_ms"`
}

// ActionNote is one act of a step.
type ActionNote struct {
	Op     string           `json:"op"`
	Target *surfaces.Target `json:"target,omitempty"`
	OK     bool             `json:"ok"`
	Code   fault.Code       `json:"code,omitempty"`
	Change string           `json:"change,omitempty"` // the change note of the next look, masked
	Why    string           `json:"why,omitempty"`    // the words by which the decider chose the target, masked; empty when it gave none
}

// Hint is one grounding hint (tasks.md 10.5): never a ref, value or secret.
type Hint struct {
	App     string   `json:"app"`
	Origin  string   `json:"origin,omitempty"`
	StepKey string   `json:"step_key"` // normalised text, variables unexpanded
	Role    string   `json:"role"`
	Name    string   `json:"name"`
	Path    []string `json:"path"`
}

// Seen is one look as the desk shows it: masked, never a password.
type Seen struct {
	Side    surfaces.Side `json:"side"`
	Address string        `json:"address,omitempty"`
	Window  string        `json:"window"`
	Surface string        `json:"surface"`
	Lines   []string      `json:"lines"`   // visible text and control labels, document order
	Fields  []SeenField   `json:"fields"`  // what takes text, with what it holds
	Changed string        `json:"changed"` // change note since the last look
}

// SeenField is a field and what it holds, a secret as ${name}.
type SeenField struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Exchange is one decision for the trace: masked.
type Exchange struct {
	Step      string `json:"step"`
	State     any    `json:"state"`
	Questions any    `json:"questions"`
	Answers   any    `json:"answers"`
	Late      bool   `json:"late,omitempty"` // one framing's answers that came after the decision and are not in it
}

// Problem is one rejection or warning of the validator.
type Problem struct {
	Path    string `json:"path"` // "steps[2].enter", or "" for the whole
	Code    string `json:"code"` // UNKNOWN_STEP_KIND, SECRET_OUTSIDE_ENTER, …
	Message string `json:"message"`
}
