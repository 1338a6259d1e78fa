package flows

import (
	"context"
	"errors"
	"math"
	"slices"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// The levels of deliberation (flows.md section 13); empty and anything else is
// deep.
const (
	deliberationOff      = "off"
	deliberationStandard = "standard"
)

// deliberates reports whether a close call is looked at further before it is
// acted on. A decider to which other words change nothing says the same on
// every rung of the ladder, so its answers stand by the plain bars.
func (r *run) deliberates() bool {
	return r.req.Deliberation != deliberationOff && r.decider.Framings()
}

func (r *run) deep() bool {
	return r.req.Deliberation != deliberationOff && r.req.Deliberation != deliberationStandard
}

// call is what the evidence gate makes of a ballot.
type call int

const (
	torn      call = iota // deliberate
	accepted              // accept
	abstained             // abstain
)

// lead is where a Choice stands in its ballots.
type lead struct {
	key       string  // the winner, or none
	p         float64 // its mean
	margin    float64 // its lead over the next
	agreement float64 // share of framings that picked it
}

// leadOf reads one Choice of a decision.
func (d *decision) leadOf(id string) lead {
	a := d.answers[id]
	st := lead{key: a.Choice, p: a.Probabilities[a.Choice]}
	next := 0.0
	for key, p := range a.Probabilities {
		if key != a.Choice {
			next = max(next, p)
		}
	}
	st.margin = st.p - next
	picked, given := 0, 0
	for _, ballot := range d.ballots {
		if b, ok := ballot[id]; ok {
			given++
			if b.Choice == a.Choice {
				picked++
			}
		}
	}
	if given > 0 {
		st.agreement = float64(picked) / float64(given)
	}
	return st
}

// gate sorts a Choice by the evidence (flows.md 13.2).
func (st lead) gate(floor float64) call {
	switch {
	case st.key == decider.None || st.key == "" || st.p < abstainFloor && st.agreement < abstainAgreement:
		return abstained
	case st.p >= floor && st.margin >= acceptMargin-rounding && st.agreement >= acceptAgreement-rounding:
		return accepted
	}
	return torn
}

// judgement is a yes or no read out of several answers and held against a bar.
type judgement struct {
	ids  []string
	bar  float64
	read func(decider.Answers) (float64, bool)
}

// clear reports a judgement well away from its bar whose framings are of one
// mind about the side.
func (j judgement) clear(d *decision) bool {
	p, ok := j.read(d.answers)
	if !ok || math.Abs(p-j.bar) < undecidedBand-rounding {
		return false
	}
	same, given := 0, 0
	for _, ballot := range d.ballots {
		if b, ok := j.read(ballot); ok {
			given++
			if (b >= j.bar) == (p >= j.bar) {
				same++
			}
		}
	}
	return float64(same) >= (acceptAgreement-rounding)*float64(given)
}

// weighed reads a judgement; one that is not clear takes the ladder: the unused
// framings, then, at deep and only when it would pass, two more views and their
// median with it. A view rescues nothing that fails.
func (s *step) weighed(ctx context.Context, d *decision, j judgement) (float64, error) {
	p, ok := j.read(d.answers)
	if !ok || !s.deliberates() || j.clear(d) {
		return p, nil
	}
	s.loop("escalation")
	if err := s.widen(ctx, d, j.ids...); err != nil {
		return 0, err
	}
	p, _ = j.read(d.answers)
	if p < j.bar || !s.deep() || j.clear(d) {
		return p, nil
	}
	views := []decider.Request{screenOnly(d.request, j.ids), s.changesOnly(d.request, j.ids)}
	got, err := s.poll(ctx, views, 0, s.votes())
	if err != nil && !outOfCalls(err) {
		return 0, err
	}
	all := []float64{p}
	for i, ballots := range got {
		seen := merge(views[i].Questions, ballots)
		s.observeExchange(s.path, views[i], seen, false)
		if v, ok := j.read(seen); ok {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return all[(len(all)-1)/2], nil
}

// widen asks a decision's questions in the framings not used so far and takes
// them into its ballots.
func (s *step) widen(ctx context.Context, d *decision, ids ...string) error {
	more := decider.Request{State: d.request.State, Questions: only(d.request.Questions, ids)}
	if d.framings >= capVotes {
		return nil
	}
	got, err := s.poll(ctx, []decider.Request{more}, d.framings, capVotes)
	if outOfCalls(err) {
		return nil
	}
	if err != nil {
		return err
	}
	d.framings += len(got[0])
	d.ballots = append(d.ballots, got[0]...)
	joined := merge(more.Questions, d.ballots)
	for id, a := range joined {
		d.answers[id] = a
	}
	s.observeExchange(s.path, more, joined, false)
	return nil
}

// outOfCalls reports a budget too short for a rung of the ladder: there is
// nothing more to go by then, which is no error.
func outOfCalls(err error) bool {
	var end *ended
	return errors.As(err, &end) && end.stop == OutOfCalls
}

// askMore is ask for a rung: no answers where the budget is too short for it.
func (s *step) askMore(ctx context.Context, screen *surfaces.Screen, about string, qs questions, framings int) (decider.Answers, error) {
	d, err := s.decide(ctx, s.build(screen, about, qs), framings)
	if outOfCalls(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return d.answers, nil
}

func only(qs questions, ids []string) questions {
	out := questions{}
	for _, id := range ids {
		if q, ok := qs[id]; ok {
			out[id] = q
		}
	}
	return out
}

// screenOnly is a request without what was done: the screen has to say it by
// itself.
func screenOnly(req decider.Request, ids []string) decider.Request {
	req.Questions = told(only(req.Questions, ids), " Judge by the screen alone; what was done before is left out.")
	req.State.RecentActions, req.State.Last, req.State.AlreadyCollected = []string{}, nil, nil
	return req
}

// changesOnly is a request with only what is on the screen since the step
// began, and what the step did.
func (s *step) changesOnly(req decider.Request, ids []string) decider.Request {
	req.Questions = told(only(req.Questions, ids), " Only what changed since the step began is shown.")
	before := s.began
	if before == nil {
		before = &surfaces.Screen{}
	}
	had := map[string]bool{}
	for _, line := range before.Context {
		had[s.mask(line)] = true
	}
	for i := range before.Candidates {
		had[s.mask(surfaces.Line(&before.Candidates[i], s.req.IncludeValues))] = true
	}
	req.State.VisibleText = without(req.State.VisibleText, had)
	req.State.Elements = without(req.State.Elements, had)
	req.State.RecentActions = s.maskAll(recent(s.history[min(s.from, len(s.history)):]))
	req.State.FieldContents, req.State.AlreadyCollected = nil, nil
	return req
}

func without(lines []string, had map[string]bool) []string {
	out := []string{}
	for _, line := range lines {
		if !had[line] {
			out = append(out, line)
		}
	}
	return out
}

// told adds words to every question.
func told(qs questions, words string) questions {
	for id, q := range qs {
		q.Instructions += words
		qs[id] = q
	}
	return qs
}
