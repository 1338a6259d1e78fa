package flows

import (
	"strconv"

	"countersign/flows/decider"
)

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
