package decider

import (
	"slices"
	"strings"
)

// blocked judges whether something in front has to go first: the step's own
// control lies under it, or nothing in it serves the step.
func (r *reading) blocked(q Question) Answer {
	p := purposeOf(q.Subject)
	inFront, behind := -1.0, -1.0
	var under *control
	layers := false
	for i := range r.controls {
		c := &r.controls[i]
		f := r.fit(&p, nil, c)
		if c.inLayer() {
			layers = true
			inFront = max(inFront, f.p)
		} else if f.p > behind {
			behind, under = f.p, c
		}
	}
	if inFront >= pickFloor && inFront >= behind-clearLead {
		return yes(notStarted.p(), "what is in front serves the step")
	}
	if under != nil && behind >= pickFloor && under.has("covered") {
		return yes(0.88, under.label()+" is covered")
	}
	front := r.state.Surface == "sheet" || r.state.Surface == "dialog" || r.state.Surface == "alert"
	if front && layers {
		return yes(0.82, "a "+r.state.Surface+" is in front and is not about the step")
	}
	return yes(notStarted.p(), "nothing is in the way")
}

// dismissals are the words of controls that clear an obstacle, the least
// committal first.
var dismissals = []struct {
	term string
	p    float64
}{{"reject", 0.92}, {"close", 0.9}, {"skip", 0.86}, {"cancel", 0.82}, {"accept", 0.78}, {"ok", 0.74}}

// dismiss answers which control clears what is in the way.
func (r *reading) dismiss(q Question) Answer {
	fits := make([]fit, 0, len(q.Options))
	for _, o := range q.Options {
		if strings.EqualFold(o.Key, "escape") {
			fits = append(fits, fit{key: o.Key, p: 0.5, why: []string{"Escape closes most of them"}, id: "escape"})
			continue
		}
		c := r.offered(&o)
		f := fit{key: o.Key, p: unrelated.p(), id: c.label() + "\x00" + c.path}
		for _, d := range dismissals {
			ws := slices.Concat(c.words(), c.says())
			if c.plain() == d.term || found(canonical(d.term), ws) == 1 && len(c.words()) <= 4 {
				f.p, f.why = d.p, []string{c.label()}
				break
			}
		}
		if !c.inLayer() {
			f.p *= 0.5
		}
		if c.has("covered") {
			f.p *= 0.6
		}
		fits = append(fits, f)
	}
	return choose(settleTwins(fits), pickFloor)
}

// settleTwins lets one of several equal ways out win: either of two crosses
// clears an obstacle, so nobody would be asked.
func settleTwins(fits []fit) []fit {
	best := -1
	for i := range fits {
		if best < 0 || fits[i].p > fits[best].p || fits[i].p == fits[best].p && fits[i].id < fits[best].id {
			best = i
		}
	}
	for i := range fits {
		if i != best && fits[i].p > fits[best].p-clearLead {
			fits[i].p = max(fits[best].p-clearLead, 0.01)
		}
	}
	return fits
}
