package flows

import (
	"cmp"
	"context"
	"slices"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// Found is what a sentence would choose on a screen.
type Found struct {
	Control *surfaces.Candidate // nil: nothing clearly fits
	Sure    float64             // how sure the choice is
	Why     string              // the words that decided; empty when the decider gave none
	Refused string              // by which rule only a guard may press the control; empty: any step may
	Note    string              // why nothing was looked for: the sentence types
	Near    []Near              // what else was weighed in the last round, the likeliest first
}

// Near is a control that a sentence may have meant.
type Near struct {
	Control *surfaces.Candidate
	P       float64
}

// Find chooses a control for a sentence as a do step of these words does at its
// first turn, and leaves it at that: nothing is pressed, and no surface is
// asked. Errors are those of the decider.
func (n *Runner) Find(ctx context.Context, screen *surfaces.Screen, sentence string) (Found, error) {
	ctx, cancel := context.WithCancel(ctx)
	round := &lastRound{}
	r := newRun(nil, n.decider, Request{Trace: true, Observer: round})
	defer r.close(cancel)
	s := r.step(Step{Kind: KindDo, Text: sentence}, "1")
	first := clausesOf(sentence)[0]
	if !first.pressesOnly() {
		return Found{Note: "it types or chooses for a field, and presses no control of its own"}, nil
	}
	pool := clickable(screen)
	c, err := s.ground(ctx, screen, want{subject: first.text, purpose: "click to accomplish: " + first.text, pool: pool})
	if err != nil {
		return Found{}, err
	}
	found := Found{Control: c, Near: round.near(pool, c)}
	if c != nil {
		found.Sure, found.Why = s.belief, s.because
		if no := s.gate(screen, c); no != nil {
			found.Refused = no.rule
		}
	}
	return found, nil
}

// lastRound keeps what was last asked about which control to press.
type lastRound struct {
	asked  decider.Question
	answer decider.Answer
}

func (*lastRound) Step(StepReport) {}

func (*lastRound) Seen(Seen) {}

// Exchange is told of every question; that of a target is kept.
func (l *lastRound) Exchange(e Exchange) {
	asked, _ := e.Questions.(questions)
	answers, _ := e.Answers.(decider.Answers)
	if q, ok := asked["target"]; ok {
		l.asked, l.answer = q, answers["target"]
	}
}

// near are the likeliest of those that were offered and not chosen.
func (l *lastRound) near(pool []*surfaces.Candidate, chosen *surfaces.Candidate) []Near {
	const most = 4
	var out []Near
	for _, o := range l.asked.Options {
		p := l.answer.Probabilities[o.Key]
		i := slices.IndexFunc(pool, func(c *surfaces.Candidate) bool {
			return o.At > 0 && c.Order == o.At && c.Role == o.Role && c.Name == o.Name
		})
		if i >= 0 && pool[i] != chosen && p >= leastNear {
			out = append(out, Near{pool[i], p})
		}
	}
	slices.SortStableFunc(out, func(a, b Near) int { return cmp.Compare(b.P, a.P) })
	return out[:min(len(out), most)]
}
