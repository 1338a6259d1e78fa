package task

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"countersign/flows"
	"countersign/surfaces"
)

// StartRequest is what StartTask takes. Decoded strictly: unknown keys are
// INVALID_REQUEST. Flow stays raw so that its errors can be listed with paths.
type StartRequest struct {
	Task        string            `json:"task,omitempty"`
	Flow        json.RawMessage   `json:"flow,omitempty"`
	Facts       map[string]string `json:"facts,omitempty"`
	SecretFacts []string          `json:"secret_facts,omitempty"`
	Constraints Constraints       `json:"constraints"`
	Budget      Budget            `json:"budget"`
	Memory      []flows.Hint      `json:"memory,omitempty"`
	Trace       bool              `json:"trace,omitempty"`
	Output      *Output           `json:"output,omitempty"`
}

// PurposeOf names the task that runs a flow file: the file's name without its
// folder and .json. Empty for standard input.
func PurposeOf(file string) string {
	if file == "-" || file == "" {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(file), ".json")
}

// Constraints say what a task may reach (tasks.md section 7).
type Constraints struct {
	Payment            flows.Payment `json:"payment,omitempty"`
	Surfaces           []string      `json:"surfaces,omitempty"`
	Origins            []string      `json:"origins,omitempty"`
	AllowDestructive   bool          `json:"allow_destructive,omitempty"`
	ApprovalDeadlineMS int64         `json:"approval_deadline_ms,omitempty"`
	BrowserEndpoint    string        `json:"browser_endpoint,omitempty"`
	Headed             bool          `json:"headed,omitempty"`
	BrowserExecutable  string        `json:"browser_executable,omitempty"`
	BrowserProfile     string        `json:"browser_profile,omitempty"`
}

// Budget is what a task may spend; nil is the default of tasks.md section 6.
type Budget struct {
	MaxActions    *int   `json:"max_actions,omitempty"`
	MaxModelCalls *int   `json:"max_model_calls,omitempty"`
	Votes         *int   `json:"votes,omitempty"`
	Strategy      string `json:"strategy,omitempty"`
	Deliberation  string `json:"deliberation,omitempty"`
	MaxElapsedMS  *int64 `json:"max_elapsed_ms,omitempty"`
	MaxRescues    *int   `json:"max_rescues,omitempty"`
}

// Output asks for the records in a shape.
type Output struct {
	Instructions string          `json:"instructions"`
	Schema       json.RawMessage `json:"schema,omitempty"`
}

// ContinueRequest answers a pause (tasks.md 2.5).
type ContinueRequest struct {
	ID      ID                `json:"id"`
	Inputs  map[string]string `json:"inputs,omitempty"`
	Approve *bool             `json:"approve,omitempty"`
	Digest  string            `json:"digest,omitempty"`
	Answer  string            `json:"answer,omitempty"`
	// From the desk only: which inputs the person marked as secret, the lines of
	// the question as they stood on the screen, and for how long.
	Secret  []string `json:"-"`
	Shown   []string `json:"-"`
	ShownMS int64    `json:"-"`
}

// Capabilities is what Describe gives (tasks.md 2.1).
type Capabilities struct {
	Version           string                  `json:"version"`
	Surfaces          []surfaces.Availability `json:"surfaces"`
	DeciderConfigured bool                    `json:"decider_configured"`
	PlannerConfigured bool                    `json:"planner_configured"`
	RescueConfigured  bool                    `json:"rescue_configured"`
	OutputConfigured  bool                    `json:"output_configured"`
	DecisionModel     *Model                  `json:"decision_model,omitempty"`
	PlannerModel      *Model                  `json:"planner_model,omitempty"`
	RescueModel       *Model                  `json:"rescue_model,omitempty"`
	OutputModel       *Model                  `json:"output_model,omitempty"`
	StepKinds         []flows.Kind            `json:"step_kinds"`
	Guide             string                  `json:"guide"`
	Members           []Member                `json:"members"`
	Examples          []StartRequest          `json:"examples"`
}

// Model names a model without its key.
type Model struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
}

// Member describes one of the eight operations.
type Member struct {
	Name         string          `json:"name"`
	Summary      string          `json:"summary"`
	Confidential bool            `json:"confidential"`
	Input        json.RawMessage `json:"input"`  // JSON Schema
	Output       json.RawMessage `json:"output"` // JSON Schema
}

// PlanRequest and Plan are the input and output of PlanTask.
type PlanRequest struct {
	Task        string   `json:"task"`
	FactNames   []string `json:"fact_names,omitempty"`
	SecretFacts []string `json:"secret_facts,omitempty"`
	Surfaces    []string `json:"surfaces,omitempty"`
}

// Plan is a flow written by the planner, and what it leaves open.
type Plan struct {
	Flow      json.RawMessage `json:"flow"`
	Questions []Field         `json:"questions"`
	Notes     []string        `json:"notes"`
}
