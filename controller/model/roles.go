package model

import (
	"context"

	"github.com/openai/openai-go/v3"

	"countersign/controller/chat"
	"countersign/controller/task"
	"countersign/flows/decider"
	"countersign/surfaces/fault"
)

// carefulLimit is how many tokens rescuer and shaper may answer (tasks.md 9.1).
const carefulLimit = 8000

// Roles are the settings of each role; nil: not configured.
type Roles struct{ Planner, Rescuer, Shaper, Decider *Settings }

// Models are the roles' models; those not configured are nil.
type Models struct {
	Planner, Rescuer, Shaper chat.Model
	Decider                  decider.Completer

	clients map[Settings]*client
}

// Open reads the keys and contacts nobody. Roles of the same settings share a
// client. Its errors are INVALID_CONFIG.
func Open(r Roles, env func(string) string) (*Models, error) {
	m := &Models{clients: map[Settings]*client{}}
	for _, s := range []*Settings{r.Planner, r.Rescuer, r.Shaper, r.Decider} {
		if s == nil || m.clients[*s] != nil {
			continue
		}
		c, err := newClient(*s, env)
		if err != nil {
			return nil, err
		}
		m.clients[*s] = c
	}
	if r.Planner != nil {
		m.Planner = &talker{m.clients[*r.Planner], request{temperature: openai.Float(0.2)}}
	}
	careful := request{brief: true, limit: carefulLimit}
	if r.Rescuer != nil {
		m.Rescuer = &talker{m.clients[*r.Rescuer], careful}
	}
	if r.Shaper != nil {
		m.Shaper = &talker{m.clients[*r.Shaper], careful}
	}
	if r.Decider != nil {
		m.Decider = &completer{m.clients[*r.Decider]}
	}
	return m, nil
}

// DecisionModel names what answers the decider's questions; nil when no model
// does.
func (m *Models) DecisionModel() *task.Model {
	c, ok := m.Decider.(*completer)
	if !ok {
		return nil
	}
	name := c.name()
	return &name
}

// Close drops idle connections. Nothing may be asked after it.
func (m *Models) Close() {
	for _, c := range m.clients {
		c.transport.CloseIdleConnections()
	}
}

// talker answers conversations in the style of one role.
type talker struct {
	*client
	style request
}

// Chat implements chat.Model.
func (t *talker) Chat(ctx context.Context, turns []chat.Turn) (string, error) {
	r := t.style
	r.turns = turns
	got, f := t.ask(ctx, r, conversing())
	if f != nil {
		return "", &sentence{f.fault}
	}
	return got.text.String(), nil
}

// Name implements chat.Model.
func (t *talker) Name() task.Model { return t.name() }

// sentence is a failure of a conversation: the role that had it gives the code,
// and finds the next move in the fault.
type sentence struct{ fault *fault.Error }

func (s *sentence) Error() string { return s.fault.Message }
func (s *sentence) Unwrap() error { return s.fault }

// completer answers the decider's questions.
type completer struct{ *client }

// Complete implements decider.Completer.
func (c *completer) Complete(ctx context.Context, p decider.Prompt) (decider.Completion, error) {
	got, f := c.ask(ctx, questions(p), deciding())
	if f != nil {
		return decider.Completion{}, f.fault
	}
	return decider.Completion{Text: got.text.String(), Tokens: got.tokens}, nil
}

// Name implements decider.Completer.
func (c *completer) Name() string { return c.model }

// questions asks at temperature 0, since the same questions should get the same
// answers, and with little reasoning, since a step waits for them.
func questions(p decider.Prompt) request {
	return request{
		turns:  []chat.Turn{{Role: chat.System, Text: p.System}, {Role: chat.User, Text: p.User}},
		schema: p.Schema, temperature: openai.Float(0), brief: true, likely: true,
	}
}
