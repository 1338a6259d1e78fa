package flows

import (
	"context"
	"errors"
	"sync"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// questions are the questions of one request by id.
type questions = map[string]decider.Question

// ask is the only function that asks the decider: build, budget, page kind,
// brief, mask, split, frame, evaluate, merge, record. Nothing after the masking
// can hold a secret.
func (s *step) ask(ctx context.Context, screen *surfaces.Screen, about string, qs questions) (decider.Answers, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.callsLeft <= 0 {
		return nil, &ended{stop: OutOfCalls, note: "the budget of decider calls is used up"}
	}
	whole := s.build(screen, about, qs)
	parts := deal(whole)
	framings := 1
	if s.decider.Framings() {
		framings = limit(s.req.Votes, defaultVotes, capVotes)
	}
	framings = min(framings, s.callsLeft/len(parts))
	if framings == 0 {
		return nil, &ended{stop: OutOfCalls, note: "the budget of decider calls does not cover this question"}
	}
	calls := framings * len(parts)
	s.callsLeft -= calls
	s.report.DeciderCalls += calls
	s.result.Calls += calls

	answers := decider.Answers{}
	merged, err := evaluate(ctx, s.decider, parts, framings)
	if err != nil {
		return nil, s.askingFailed(ctx, err)
	}
	for _, part := range merged {
		for id, a := range part {
			answers[id] = a
		}
	}
	if key, _, ok := answers.Chosen("page_kind", whole.Questions["page_kind"]); ok {
		s.pageKind = key
	}
	if s.req.Trace && s.req.Observer != nil {
		s.req.Observer.Exchange(Exchange{Step: s.path, State: whole.State, Questions: whole.Questions, Answers: answers})
	}
	return answers, nil
}

func (s *step) askingFailed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return failedWith(err)
}

// build makes the request as framing 0 asks it, masked.
func (s *step) build(screen *surfaces.Screen, about string, qs questions) decider.Request {
	req := decider.Request{State: s.state(screen, about), Questions: questions{}}
	brief := s.brief()
	for id, q := range qs {
		if briefed(q) {
			q.Instructions += "\nBrief: " + brief
		}
		req.Questions[id] = q
	}
	if screen.Side == surfaces.Browser {
		req.Questions["page_kind"] = pageKindQuestion()
	}
	return s.masked(req)
}

// briefed reports whether a question chooses and so is told of the task. What
// judges the screen is not: the brief drags its verdict toward the whole task.
func briefed(q decider.Question) bool {
	return q.Ask == decider.AskConfirm || q.Type == decider.Choice && q.Ask != decider.AskPageKind
}

// evaluate asks every part in every framing at once and merges the framings.
// The goroutines end before it returns.
func evaluate(ctx context.Context, d decider.Decider, parts []decider.Request, framings int) ([]decider.Answers, error) {
	type slot struct {
		answers decider.Answers
		err     error
	}
	ballots := make([][]slot, len(parts))
	var wg sync.WaitGroup
	for p, part := range parts {
		ballots[p] = make([]slot, framings)
		for f := range framings {
			ask := func() {
				framed, back := frame(part, f)
				answers, err := d.Evaluate(ctx, framed)
				ballots[p][f] = slot{back(answers), err}
			}
			if framings*len(parts) == 1 {
				ask()
				continue
			}
			wg.Go(ask)
		}
	}
	wg.Wait()
	merged := make([]decider.Answers, len(parts))
	for p, part := range parts {
		var in []decider.Answers
		var errs []error
		for _, b := range ballots[p] {
			if b.err != nil {
				errs = append(errs, b.err)
				continue
			}
			in = append(in, b.answers)
		}
		if len(in) == 0 {
			return nil, errors.Join(errs...)
		}
		merged[p] = merge(part.Questions, in)
	}
	return merged, nil
}
