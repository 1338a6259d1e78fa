// Package rescuer asks a language model what to do about a failed step
// (tasks.md 9.3, 9.4). It is told nothing that was not masked and redacted; what
// it answers may stand in for the failed step and drop what its own steps do,
// and may never reword, reorder or unguard the rest.
package rescuer

import (
	"context"
	"encoding/json"
	"strings"

	"countersign/controller/chat"
	"countersign/controller/task"
	"countersign/flows"
)

// Briefing is what a rescuer is told, and what its answer is checked against.
type Briefing struct {
	Goal    string
	Rules   []string
	Flow    flows.Flow // as it was running; its variables hold every saved name
	Failed  int        // index of the failed step in it, from 0
	Failure string
	Reports []flows.StepReport // of this run
	Earlier []task.Rescue
	Values  []task.Value
	Screen  []string // visible text

	Names   []string          // of all facts
	Secrets []string          // those of them that are secret
	Card    func(string) bool // which names are card data
	Payment flows.Payment
	Clean   func(string) string // masks, then redacts; everything told goes through it
	Mask    func(string) string // replaces secret values
}

// Action is what a rescuer wants done.
type Action string

// The three actions.
const (
	Retry  Action = "retry"
	Skip   Action = "skip"
	GiveUp Action = "give_up"
)

// Advice is a rescuer's valid answer.
type Advice struct {
	Action Action
	Reason string
	Steps  []flows.Step // run in place of the failed step; none for a skip
	Covers int          // steps after the failed one that need no run, as applied
}

// Ask asks the model, with two repairs. The error is the model's own or a
// *chat.InvalidError. Safe for concurrent use.
func Ask(ctx context.Context, m chat.Model, b Briefing) (Advice, chat.Usage, error) {
	var advice Advice
	used, err := chat.Converse(ctx, m, turns(b), b.Clean, func(object json.RawMessage) []string {
		a, wrong := decode(object)
		if len(wrong) == 0 {
			a, wrong = judge(b, a)
		}
		advice = a.Advice
		return wrong
	})
	if err != nil {
		return Advice{}, used, err
	}
	return advice, used, nil
}

const protocol = `You help a desk that carries out computer tasks when a step of a flow has failed. You are told the flow, what failed and what the screen shows. You answer with one JSON object, and nothing else:

{"action": "retry", "reason": "the calendar hides the form", "steps": ["close the calendar", {"enter": {"city": "${city}"}}], "covers": 0}
{"action": "skip", "reason": "the page is already past this", "covers": 1}
{"action": "give_up", "reason": "the site refuses automated visitors"}

` + chat.Rule + `

- retry: 1 to 6 steps that run in place of the failed one; then the flow goes on unchanged. Repeat the failed step as the last of them when it is still needed.
- covers counts steps right after the failed one that need no run any more, because your steps do them; 0 when in doubt. A step that holds a stop_before is never covered.
- skip: the failed step, and the covered ones after it, need no run. A stop_before is never skipped, and something must be left to run.
- When the failed step is a stop_before, your steps must end in one.
- Use only the names listed, always as ${name}. Words such as ‹name› stand for a detail you are not told: write ${name} for it. A secret may only be the value of an enter.
- What cannot be taken back is only reached through a stop_before; an ordinary step never presses what pays, sends, deletes, publishes or submits.
- give_up when nothing a step could do would help. The reason is one sentence for a person.

How steps are written:

`

const (
	maxSteps  = 6    // of one answer (tasks.md 9.4)
	maxReason = 300  // characters kept of a reason
	maxWords  = 2000 // characters told of the goal and of the failure
	maxValue  = 200  // characters told of one saved value (tasks.md 9.3)
	maxScreen = 8000 // characters told of the screen (tasks.md 9.3)
	maxItems  = 60   // reports, values and names told, the latest
)

// squash is a text as it is compared: case and spacing do not count.
func squash(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
