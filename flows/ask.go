package flows

import (
	"context"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// questions are the questions of one request by id.
type questions = map[string]decider.Question

// decision is what one request came to.
type decision struct {
	request  decider.Request   // whole and masked, as framing 0 asks it
	framings int               // asked for so far
	ballots  []decider.Answers // by framing; nil where nothing came in
	answers  decider.Answers   // the ballots merged
}

// ask asks and gives the merged answers.
func (s *step) ask(ctx context.Context, screen *surfaces.Screen, about string, qs questions) (decider.Answers, error) {
	d, err := s.decide(ctx, s.build(screen, about, qs), s.votes())
	if err != nil {
		return nil, err
	}
	return d.answers, nil
}

// votes is how many framings a decision is asked in.
func (r *run) votes() int { return max(limit(r.req.Votes, defaultVotes, capVotes), 1) }

// decide has a request answered in so many framings and merges them. It sets
// what the next brief says of the page.
func (s *step) decide(ctx context.Context, whole decider.Request, framings int) (*decision, error) {
	got, err := s.poll(ctx, []decider.Request{whole}, 0, framings)
	if err != nil {
		return nil, err
	}
	d := &decision{request: whole, framings: len(got[0]), ballots: got[0], answers: merge(whole.Questions, got[0])}
	if key, _, ok := d.answers.Chosen("page_kind", whole.Questions["page_kind"]); ok {
		s.pageKind = key
	}
	s.observeExchange(s.path, whole, d.answers, false)
	return d, nil
}

// poll is the only way to the decider: budget, split, frame, evaluate. It asks
// each request in the framings from up to and without to, or in as many of them
// as the budget covers, and gives each one's ballots by framing. Nothing after
// the masking of build can hold a secret.
func (s *step) poll(ctx context.Context, wholes []decider.Request, from, to int) ([][]decider.Answers, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.callsLeft <= 0 {
		return nil, &ended{stop: OutOfCalls, note: "the budget of decider calls is used up"}
	}
	s.latecomers()
	e := newElection(s.decider, s.path)
	for owner, whole := range wholes {
		for _, request := range deal(whole) {
			e.parts = append(e.parts, &part{owner: owner, request: request})
		}
	}
	if !s.decider.Framings() {
		to = min(to, 1)
	}
	framings := min(to-from, s.callsLeft/len(e.parts))
	if framings <= 0 {
		return nil, &ended{stop: OutOfCalls, note: "the budget of decider calls does not cover this question"}
	}
	calls := framings * len(e.parts)
	s.callsLeft -= calls
	s.report.DeciderCalls += calls
	s.result.Calls += calls

	e.hold(ctx, from, framings)
	if e.open > 0 {
		s.late = append(s.late, e)
	}
	ballots, err := e.ballots(len(wholes))
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, failedWith(err)
	}
	return ballots, nil
}

// latecomers hears what came in after its decision was taken: it counts for
// nothing any more and is only recorded.
func (r *run) latecomers() {
	waiting := r.late[:0]
	for _, e := range r.late {
		for e.open > 0 {
			select {
			case got := <-e.replies:
				r.tooLate(e, got)
				continue
			default:
			}
			break
		}
		if e.open > 0 {
			waiting = append(waiting, e)
		}
	}
	r.late = waiting
}

// close ends what still runs of this run's questions and waits for it.
func (r *run) close(cancel context.CancelFunc) {
	cancel()
	for _, e := range r.late {
		for e.open > 0 {
			r.tooLate(e, <-e.replies)
		}
	}
	r.late = nil
}

func (r *run) tooLate(e *election, got reply) {
	if e.count(got) && got.err == nil {
		r.observeExchange(e.path, got.of.request, got.of.answers, true)
	}
}

func (r *run) observeExchange(path string, asked decider.Request, answers decider.Answers, late bool) {
	if r.req.Trace && r.req.Observer != nil {
		r.req.Observer.Exchange(Exchange{Step: path, State: asked.State, Questions: asked.Questions, Answers: answers, Late: late})
	}
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
