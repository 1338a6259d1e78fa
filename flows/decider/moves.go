package decider

import (
	"slices"
	"strings"
)

// move answers what to do next. Pressing is the ordinary case; a page at work
// is waited for, a missing control is waited for, scrolled to, and then given
// up on.
func (r *reading) move(q Question) Answer {
	best, why := r.nextMove(q)
	offeredMoves := map[string]string{}
	for _, o := range q.Options {
		offeredMoves[strings.ToLower(o.Key)] = o.Key
	}
	for _, m := range best {
		if key, ok := offeredMoves[m]; ok {
			return Answer{Choice: key, Probabilities: spread(q.Options, key, 0.85), Confidence: 1, Why: why}
		}
	}
	return Answer{Choice: None, Probabilities: map[string]float64{None: 1}, Confidence: 1, Why: why}
}

func spread(options []Option, key string, p float64) map[string]float64 {
	out := map[string]float64{key: p}
	rest := (1 - p) / float64(len(options))
	for _, o := range options {
		if o.Key != key {
			out[o.Key] = rest
		}
	}
	out[None] = rest
	return out
}

// nextMove lists moves, the best first; the first one that is offered is taken.
func (r *reading) nextMove(q Question) ([]string, []string) {
	p := purposeOf(q.Subject)
	last := r.state.Last
	v := r.done(q.Subject)
	if last != nil && v.p >= nameInWords.p() || last == nil && v.p >= gone.p() {
		return []string{"finished", "activate"}, v.why
	}
	if said, ok := r.complaint(); ok && last.Changed && len(last.Said) > 0 && v.p == complained.p() {
		return []string{"stuck"}, []string{"the page answered: " + said} // a second press gets the same answer
	}
	top, label := r.best(q.Subject)
	if key := shortcutFor(p); key != "" && last == nil && (key != "back" || top < pickFloor) {
		return []string{"shortcut", "activate"}, []string{key}
	}
	if top >= pickFloor {
		if last != nil && last.OK && !last.Changed && label == last.Role+` "`+last.Name+`"` {
			return []string{"wait", "activate"}, []string{label, "was pressed, the answer may be slow"}
		}
		if r.loading != "" && last != nil {
			return []string{"wait", "activate"}, []string{r.loading}
		}
		if (has(p.words, "expand") || has(p.words, "unfold")) && r.folds(label) {
			return []string{"expand", "activate"}, []string{label}
		}
		return []string{"activate"}, []string{label}
	}
	if r.loading != "" {
		return []string{"wait", "activate"}, []string{r.loading}
	}
	if last == nil || last.Op == "wait" || last.Changed && last.Op != "scroll" {
		return []string{"wait", "scroll", "stuck"}, []string{"nothing here serves the step yet"}
	}
	if last.Op == "scroll" && !last.Changed {
		return []string{"stuck", "activate"}, []string{"nothing here serves the step"}
	}
	return []string{"scroll", "stuck", "activate"}, []string{"nothing in view serves the step"}
}

// folds reports a control that says whether it is open.
func (r *reading) folds(label string) bool {
	return slices.ContainsFunc(r.controls, func(c control) bool {
		return (c.has("expanded") || c.has("collapsed")) && c.label() == label
	})
}

// best is the control that serves a step best, and how well.
func (r *reading) best(subject string) (float64, string) {
	top, label := 0.0, ""
	for i, f := range r.rank(subject, "").fits {
		if f.p > top {
			top, label = f.p, r.controls[i].label()
		}
	}
	return top, label
}

// shortcutFor gives the key set that a step asks for by the name of a key or
// of a move no control stands for.
func shortcutFor(p purpose) string {
	t := " " + p.plain + " "
	for _, s := range []struct{ says, key string }{
		{" press enter ", "confirm"},
		{" press return ", "confirm"},
		{" hit enter ", "confirm"},
		{" hit return ", "confirm"},
		{" the enter key ", "confirm"},
		{" press escape ", "dismiss"},
		{" press esc ", "dismiss"},
		{" the escape key ", "dismiss"},
		{" go back ", "back"},
		{" previous page ", "back"},
		{" press tab ", "next_field"},
		{" next field ", "next_field"},
	} {
		if strings.Contains(t, s.says) {
			return s.key
		}
	}
	return ""
}

// shortcut answers which key set serves the step; only one that it spells out,
// or one whose own words it uses when no control does.
func (r *reading) shortcut(q Question) Answer {
	p := purposeOf(q.Subject)
	want := shortcutFor(p)
	if want == "back" {
		if top, _ := r.best(q.Subject); top >= pickFloor {
			want = "" // a control takes there
		}
	} else if want == "" {
		if top, _ := r.best(q.Subject); top < pickFloor {
			want = shortcutByWords(p)
		}
	}
	for _, o := range q.Options {
		if want != "" && strings.EqualFold(o.Key, want) {
			return Answer{Choice: o.Key, Probabilities: spread(q.Options, o.Key, namedExact.p()), Confidence: 1, Why: []string{want}}
		}
	}
	return Answer{Choice: None, Probabilities: map[string]float64{None: 1}, Confidence: 1, Why: []string{"the step names no key"}}
}

func shortcutByWords(p purpose) string {
	switch {
	case has(p.words, "folder") && (has(p.words, "new") || has(p.words, "create")):
		return "new_folder"
	case has(p.words, "new") && anyOf(p.verb, "create", "write", "compose"):
		return "new_item"
	case p.verb == "reply":
		return "reply"
	case has(p.words, "setting"):
		return "settings"
	}
	return ""
}
