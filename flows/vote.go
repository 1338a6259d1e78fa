package flows

import (
	"maps"
	"slices"

	"countersign/flows/decider"
)

// merge averages what the framings answered: mean probability per key or level,
// and for a Choice the share of framings that picked the winner as confidence.
func merge(qs questions, in []decider.Answers) decider.Answers {
	if len(in) == 1 {
		return maps.Clone(in[0])
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

// settled reports whether the framings in agree so well on every question that
// the rest cannot matter.
func settled(qs questions, in []decider.Answers) bool {
	for id, q := range qs {
		given := make([]decider.Answer, len(in))
		for n, answers := range in {
			a, ok := answers[id]
			if !ok {
				return false
			}
			given[n] = a
		}
		if !unanimous(q, given) {
			return false
		}
	}
	return true
}

// unanimous reports one side far from the middle, or one top option well ahead,
// in each. What the page is only goes into the next brief, so there agreeing is
// enough.
func unanimous(q decider.Question, given []decider.Answer) bool {
	switch q.Type {
	case decider.Noul:
		sure := !slices.ContainsFunc(given, func(a decider.Answer) bool { return a.P < sureYes })
		return sure || !slices.ContainsFunc(given, func(a decider.Answer) bool { return a.P > sureNo })
	case decider.Score:
		top := topLevel(given[0])
		return !slices.ContainsFunc(given, func(a decider.Answer) bool {
			return topLevel(a) != top || len(a.Levels) == 0 || a.Levels[top] < quorumTop
		})
	case decider.Choice:
		top := given[0].Choice
		return !slices.ContainsFunc(given, func(a decider.Answer) bool {
			return a.Choice != top || q.Ask != decider.AskPageKind && a.Probabilities[top] < quorumTop
		})
	default:
		return false
	}
}

func topLevel(a decider.Answer) int {
	top := 0
	for i, p := range a.Levels {
		if p > a.Levels[top] {
			top = i
		}
	}
	return top
}
