// Package flowstest is for tests: a decider that answers from a script and
// records what it was asked. It goes through the same door as any other, so
// masking, budgets and votes are always under test.
package flowstest

import (
	"context"
	"strings"
	"sync"

	"countersign/flows/decider"
)

// Reply answers one question; false gives no answer.
type Reply func(q decider.Question, st decider.State) (decider.Answer, bool)

// Decider answers each question id from its own queue, whose last reply
// repeats; an id without one gets the quiet default of New. Safe for concurrent
// use.
type Decider struct {
	// Votes makes Framings true.
	Votes bool
	// Fail makes every request fail with it.
	Fail error

	mu       sync.Mutex // guards the rest
	queues   map[string][]Reply
	all      Reply
	requests []decider.Request
}

// New makes a decider that judges nothing done, nothing in the way, presses by
// move, and picks nothing.
func New() *Decider { return &Decider{queues: map[string][]Reply{}} }

// On queues replies for a question id; an id ending in * stands for all that
// begin so.
func (d *Decider) On(id string, replies ...Reply) *Decider {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queues[id] = append(d.queues[id], replies...)
	return d
}

// Otherwise answers what no queue does, before the defaults.
func (d *Decider) Otherwise(r Reply) *Decider {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = r
	return d
}

// Requests are all requests so far, framings too, oldest first.
func (d *Decider) Requests() []decider.Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]decider.Request{}, d.requests...)
}

// Asked gives every question so far whose id begins with prefix.
func (d *Decider) Asked(prefix string) []decider.Question {
	var out []decider.Question
	for _, req := range d.Requests() {
		for id, q := range req.Questions {
			if strings.HasPrefix(id, prefix) {
				out = append(out, q)
			}
		}
	}
	return out
}

// Framings is Votes.
func (d *Decider) Framings() bool { return d.Votes }

// Name is "scripted".
func (d *Decider) Name() string { return "scripted" }

// Evaluate answers from the script.
func (d *Decider) Evaluate(_ context.Context, req decider.Request) (decider.Answers, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.requests = append(d.requests, req)
	if d.Fail != nil {
		return nil, d.Fail
	}
	out := decider.Answers{}
	for id, q := range req.Questions {
		if a, ok := d.answer(id, q, req.State); ok {
			out[id] = a
		}
	}
	return out, nil
}

func (d *Decider) answer(id string, q decider.Question, st decider.State) (decider.Answer, bool) {
	key := id
	if len(d.queues[key]) == 0 {
		for prefix := range d.queues {
			if p, ok := strings.CutSuffix(prefix, "*"); ok && strings.HasPrefix(id, p) {
				key = prefix
			}
		}
	}
	if queue := d.queues[key]; len(queue) > 0 {
		if len(queue) > 1 {
			d.queues[key] = queue[1:]
		}
		return queue[0](q, st)
	}
	if d.all != nil {
		if a, ok := d.all(q, st); ok {
			return a, ok
		}
	}
	return quiet(q)
}

// agreeable are the families whose quiet answer is yes.
var agreeable = map[decider.Ask]bool{
	decider.AskNotDone: true, decider.AskNegated: true, decider.AskHelped: true, decider.AskAsks: true,
	decider.AskBelongs: true, decider.AskReflects: true,
}

// quiet is the default answer of each family.
func quiet(q decider.Question) (decider.Answer, bool) {
	switch {
	case q.Ask == decider.AskMove:
		return decider.Answer{Choice: "activate", Probabilities: map[string]float64{"activate": 1}}, true
	case agreeable[q.Ask]:
		return decider.Answer{P: 0.95}, true
	case q.Type == decider.Noul:
		return decider.Answer{P: 0.05}, true
	case q.Type == decider.Score:
		levels := make([]float64, len(q.Options))
		levels[0] = 1
		return decider.Answer{Levels: levels}, true
	}
	return decider.Answer{Choice: decider.None, Probabilities: map[string]float64{decider.None: 1}}, true
}

// P answers a yes/no question.
func P(p float64) Reply {
	return func(decider.Question, decider.State) (decider.Answer, bool) { return decider.Answer{P: p}, true }
}

// Top gives a Score's highest level p and the lowest the rest.
func Top(p float64) Reply {
	return func(q decider.Question, _ decider.State) (decider.Answer, bool) {
		levels := make([]float64, max(len(q.Options), 2))
		levels[0], levels[len(levels)-1] = 1-p, p
		return decider.Answer{Levels: levels}, true
	}
}

// Level puts a Score on one level, 0 the lowest.
func Level(n int) Reply {
	return func(q decider.Question, _ decider.State) (decider.Answer, bool) {
		levels := make([]float64, max(len(q.Options), n+1))
		levels[n] = 1
		return decider.Answer{Levels: levels}, true
	}
}

// Pick chooses, with probability p, the first option whose key, name or text is
// want, or whose place holds it; none when there is no such option.
func Pick(want string, p float64) Reply {
	return func(q decider.Question, _ decider.State) (decider.Answer, bool) {
		for _, o := range q.Options {
			if matches(o, want) {
				return decider.Answer{Choice: o.Key, Probabilities: map[string]float64{o.Key: p, decider.None: 1 - p}, Confidence: 1}, true
			}
		}
		return decider.Answer{Choice: decider.None, Probabilities: map[string]float64{decider.None: 1}}, true
	}
}

func matches(o decider.Option, want string) bool {
	if o.Name == want || o.Text == want || o.Key == want {
		return true
	}
	return o.Description != nil && o.Description.Where != "" && o.Description.Where+" › "+o.Name == want
}

// Spread chooses the likeliest of several options by name.
func Spread(shares map[string]float64) Reply {
	return func(q decider.Question, _ decider.State) (decider.Answer, bool) {
		a := decider.Answer{Choice: decider.None, Probabilities: map[string]float64{}}
		best := 0.0
		for _, o := range q.Options {
			p := shares[o.Name]
			a.Probabilities[o.Key] = p
			if p > best {
				a.Choice, best = o.Key, p
			}
		}
		return a, true
	}
}

// Key answers a choice with a key whether or not it was offered.
func Key(key string) Reply {
	return func(decider.Question, decider.State) (decider.Answer, bool) {
		return decider.Answer{Choice: key, Probabilities: map[string]float64{key: 1}}, true
	}
}
