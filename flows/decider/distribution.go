package decider

import (
	"cmp"
	"slices"
)

// fit is how well one control serves a purpose.
type fit struct {
	key   string
	p     float64
	grade grade
	why   []string
	of    *control // what it is of; nil for what is no control
	id    string   // of what is no control
}

// after orders fits from the best down; of equals role, name and path decide,
// which is the order of last resort.
func (f *fit) after(g *fit) int {
	switch {
	case f.p != g.p:
		return cmp.Compare(g.p, f.p)
	case f.of == nil || g.of == nil:
		return cmp.Compare(f.id, g.id)
	}
	return cmp.Or(cmp.Compare(f.of.role, g.of.role), cmp.Compare(f.of.name, g.of.name), cmp.Compare(f.of.path, g.of.path))
}

// covered is the share of wanted words found among those of some texts.
func covered(want []word, in ...[]word) (float64, []string) {
	sum, got := 0.0, 0.0
	var why []string
	for i := range want {
		w := &want[i]
		hit := w.met(in...)
		if hit > 0 {
			why = append(why, w.written())
		}
		sum += w.weight
		got += w.weight * hit
	}
	if sum == 0 {
		return 0, nil
	}
	return got / sum, why
}

// led takes from the evidence what the lead over the next does not support: no
// lead is twins, a clear lead is all of it.
func led(p, lead float64) float64 {
	if p <= twins.p() || lead >= clearLead {
		return p
	}
	return twins.p() + (p-twins.p())*max(lead, 0)/clearLead
}

// choose turns fits into the answer of a Choice. The order of options plays no
// part: equal fits are equal.
func choose(fits []fit, floor float64) Answer {
	if len(fits) == 0 {
		return Answer{Choice: None, Probabilities: map[string]float64{None: 1}, Confidence: 1, Why: []string{"nothing is offered"}}
	}
	sorted := fits
	slices.SortStableFunc(sorted, func(a, b fit) int { return a.after(&b) })
	best := sorted[0]
	lead, equals := 1.0, 1
	if len(sorted) > 1 {
		lead = best.p - sorted[1].p
	}
	for _, f := range sorted[1:] {
		if best.p-f.p < 1e-9 {
			equals++
		}
	}
	if len(sorted) > 1 && rivals(best, sorted[1]) {
		lead = 0
	}
	top := led(best.p, lead)
	if equals > 1 {
		top = min(top, 0.88/float64(equals))
	}
	return answerOf(sorted, top, equals, floor)
}

// rivals are two that both say more than was asked for, each in its own way:
// "the terms" are neither the terms of sale nor the terms of use.
func rivals(a, b fit) bool {
	return a.grade == wordsInName && b.grade == wordsInName && a.of.plain() != b.of.plain()
}

func answerOf(sorted []fit, top float64, equals int, floor float64) Answer {
	best := sorted[0]
	a := Answer{Choice: best.key, Probabilities: make(map[string]float64, len(sorted)+1), Confidence: 1, Why: best.why}
	rest := 1 - top*float64(equals)
	sum := 0.0
	for _, f := range sorted[equals:] {
		sum += pow(f.p)
	}
	// What is left goes to the others by their evidence, at most half of it:
	// that nothing fits stays possible.
	none := 1.0
	for i, f := range sorted {
		p := top
		if i >= equals {
			if sum == 0 {
				continue
			}
			p = min(rest/2*pow(f.p)/sum, f.p, top)
		}
		a.Probabilities[f.key] = p
		none -= p
	}
	a.Probabilities[None] = max(none, 0)
	if equals > 1 && top <= twins.p() {
		a.Choice = None
		a.Why = append(slices.Clone(best.why), "several fit equally well")
	} else if top < floor || top <= twins.p() && best.p > twins.p() {
		a.Choice = None
		a.Why = append(slices.Clone(best.why), "nothing fits well enough")
	}
	return a
}

func pow(p float64) float64 {
	out := 1.0
	for range rivalWeight {
		out *= p
	}
	return out
}

// yes is the answer to a yes/no question.
func yes(p float64, why ...string) Answer { return Answer{P: min(max(p, 0.01), 0.99), Why: why} }
