package decider

import (
	"context"
	"encoding/json"
)

// Completer is the one call of a language model that the model decider needs;
// controller/model provides it. Safe for concurrent use. Errors are faults with
// a DECIDER_ code (flows.md 5.1); transient ones were tried again before.
type Completer interface {
	Complete(ctx context.Context, p Prompt) (Completion, error)
	// Name is the model's name, as the status line shows it.
	Name() string
}

// Prompt is one question to a language model.
type Prompt struct {
	System string          // how to answer
	User   string          // the request as JSON: state and questions
	Schema json.RawMessage // JSON Schema the answer must fit, where the server can hold a model to one
}

// Completion is what it answered.
type Completion struct {
	Text   string  // one JSON object, or what the model wrote instead
	Tokens []Token // the text's tokens with their probabilities; empty where the server gives none
}

// Token is one token of the answer.
type Token struct {
	Text        string
	Probability float64            // 0 to 1
	Instead     map[string]float64 // the likeliest tokens at this place with their probabilities, this one included
}
