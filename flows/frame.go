package flows

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"countersign/flows/decider"
)

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

// longestPerspective is how many bytes one adds at most, with its space.
const longestPerspective = 64

// frame gives the n-th variant of a request: a perspective, and for choices
// keyed by number or letter another leading option, another order behind it and
// another key style. The second result maps the answers' keys back.
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

// rotate has the n-th option lead, shuffles the rest and names all of them
// anew: odd framings in the other style than the request's. The same n always
// gives the same order.
func rotate(options []decider.Option, n int) ([]decider.Option, map[string]string) {
	lead := n % len(options)
	turned := slices.Concat(options[lead:], options[:lead])
	rest := turned[1:]
	rand.New(rand.NewPCG(uint64(n), uint64(len(options)))).Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	_, err := strconv.Atoi(options[0].Key)
	letters := (err != nil) != (n%2 == 1)
	back := map[string]string{}
	for i := range turned {
		key := numberKey(i)
		if letters {
			key = letterKey(i)
		}
		back[key] = turned[i].Key
		turned[i].Key = key
	}
	return turned, back
}

// rekey gives an answer the request's own keys. A key the framing did not offer
// is dropped: it may be another option's in the request.
func rekey(a decider.Answer, back map[string]string) decider.Answer {
	if a.Choice != decider.None {
		a.Choice = back[a.Choice]
	}
	probabilities := make(map[string]float64, len(a.Probabilities))
	for key, p := range a.Probabilities {
		if old, ok := back[key]; ok {
			probabilities[old] = p
		} else if key == decider.None {
			probabilities[key] = p
		}
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
