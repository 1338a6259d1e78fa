package flows

import (
	"context"
	"encoding/json"
	"errors"
	"sort"
	"strconv"
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

// deal keeps a request within the limit of bytes: first the state loses the
// tails of its longest lists, then the questions are dealt, in order, to parts
// that each carry the whole state.
func deal(req decider.Request) []decider.Request {
	for size(req.State) > requestLimit/2 && trimTail(&req.State) {
	}
	if size(req) <= requestLimit {
		return []decider.Request{req}
	}
	ids := make([]string, 0, len(req.Questions))
	for id := range req.Questions {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return naturalLess(ids[i], ids[j]) })
	var parts []decider.Request
	part := decider.Request{State: req.State, Questions: questions{}}
	used := size(part)
	for _, id := range ids {
		need := size(req.Questions[id]) + len(id) + len(`"":,`)
		if len(part.Questions) > 0 && used+need > requestLimit {
			parts = append(parts, part)
			part = decider.Request{State: req.State, Questions: questions{}}
			used = size(part)
		}
		part.Questions[id] = req.Questions[id]
		used += need
	}
	parts = append(parts, part)
	for i := range parts {
		for size(parts[i]) > requestLimit && trimTail(&parts[i].State) {
		}
	}
	return parts
}

// naturalLess orders ids so that group_2 comes before group_10.
func naturalLess(a, b string) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

// trimTail drops the last quarter of the state's longest list; false when
// nothing is left to drop. It never changes the list others share.
func trimTail(st *decider.State) bool {
	longest := &st.VisibleText
	for _, list := range []*[]string{&st.Elements, &st.RecentActions, &st.AlreadyCollected} {
		if size(*list) > size(*longest) {
			longest = list
		}
	}
	n := len(*longest)
	if n == 0 {
		return false
	}
	*longest = (*longest)[: n-(n+3)/4 : n-(n+3)/4]
	return true
}

func size(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return requestLimit + 1 // cannot happen for our types; counts as too big
	}
	return len(b)
}

// merge averages what the framings answered: mean probability per key or level,
// and for a Choice the share of framings that picked the winner as confidence.
func merge(qs questions, in []decider.Answers) decider.Answers {
	if len(in) == 1 {
		return in[0]
	}
	out := decider.Answers{}
	for id, q := range qs {
		var given []decider.Answer
		for _, answers := range in {
			if a, ok := answers[id]; ok {
				given = append(given, a)
			}
		}
		if len(given) == 0 {
			continue
		}
		switch q.Type {
		case decider.Noul:
			out[id] = meanNoul(given)
		case decider.Score:
			out[id] = meanScore(given)
		case decider.Choice:
			out[id] = meanChoice(given)
		}
	}
	return out
}

func meanNoul(given []decider.Answer) decider.Answer {
	sum := 0.0
	for _, a := range given {
		sum += a.P
	}
	return decider.Answer{P: sum / float64(len(given)), Why: given[0].Why}
}

func meanScore(given []decider.Answer) decider.Answer {
	levels := make([]float64, len(given[0].Levels))
	for _, a := range given {
		for i := range min(len(levels), len(a.Levels)) {
			levels[i] += a.Levels[i] / float64(len(given))
		}
	}
	return decider.Answer{Levels: levels, Why: given[0].Why}
}

func meanChoice(given []decider.Answer) decider.Answer {
	mean := map[string]float64{}
	for _, a := range given {
		for key, p := range a.Probabilities {
			mean[key] += p / float64(len(given))
		}
	}
	best := decider.None
	for key, p := range mean {
		if p > mean[best] || p == mean[best] && key < best && best != decider.None {
			best = key
		}
	}
	agree := 0
	for _, a := range given {
		if a.Choice == best {
			agree++
		}
	}
	return decider.Answer{Choice: best, Probabilities: mean, Confidence: float64(agree) / float64(len(given)), Why: given[0].Why}
}

// perspectives are the words a later framing adds.
var perspectives = [...]string{
	"",
	"Judge as someone seeing this screen for the first time.",
	"Judge by the exact words shown.",
	"Judge by what each control would do.",
	"Look for a reason against the obvious answer first.",
	"Judge by where things stand on the screen.",
	"Judge as someone who will be blamed for a wrong answer.",
	"Judge by the state of the controls.",
	"Read everything twice before judging.",
}

// frame gives the n-th variant of a request: a perspective, and for choices
// keyed by number or letter another order and key style. The second result maps
// the answers' keys back.
func frame(req decider.Request, n int) (decider.Request, func(decider.Answers) decider.Answers) {
	if n == 0 {
		return req, func(a decider.Answers) decider.Answers { return a }
	}
	framed := decider.Request{State: req.State, Questions: questions{}}
	back := map[string]map[string]string{}
	for id, q := range req.Questions {
		q.Instructions += " " + perspectives[n%len(perspectives)]
		if q.Type == decider.Choice && labelKeyed(q.Options) {
			q.Options, back[id] = rotate(q.Options, n)
		}
		framed.Questions[id] = q
	}
	return framed, func(answers decider.Answers) decider.Answers {
		out := decider.Answers{}
		for id, a := range answers {
			if keys := back[id]; keys != nil {
				a = rekey(a, keys)
			}
			out[id] = a
		}
		return out
	}
}

// labelKeyed reports whether all keys are numbers or single letters.
func labelKeyed(options []decider.Option) bool {
	for _, o := range options {
		if _, err := strconv.Atoi(o.Key); err != nil && len(o.Key) != 1 {
			return false
		}
	}
	return len(options) > 0
}

func rotate(options []decider.Option, n int) ([]decider.Option, map[string]string) {
	turned := make([]decider.Option, len(options))
	back := map[string]string{}
	for i := range options {
		o := options[(i+n)%len(options)]
		key := strconv.Itoa(i + 1)
		if n%2 == 1 {
			key = letterKey(i)
		}
		back[key] = o.Key
		o.Key = key
		turned[i] = o
	}
	return turned, back
}

func rekey(a decider.Answer, back map[string]string) decider.Answer {
	if key, ok := back[a.Choice]; ok {
		a.Choice = key
	}
	probabilities := map[string]float64{}
	for key, p := range a.Probabilities {
		if old, ok := back[key]; ok {
			key = old
		}
		probabilities[key] += p
	}
	a.Probabilities = probabilities
	return a
}

// letterKey is A to Z, then AA and on.
func letterKey(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return letterKey(i/26-1) + string(rune('A'+i%26))
}
