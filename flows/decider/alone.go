package decider

import "slices"

// is answers whether the one control offered is the one meant and no other,
// before it is pressed for good. It goes by confirm, and beyond by what no name
// says: that nothing else on the screen does such a thing.
func (r *reading) is(q Question) Answer {
	a := r.confirm(q)
	if len(q.Options) == 0 || a.P < nameInWords.p() {
		return a
	}
	p, c := purposeOf(q.Subject), r.offered(&q.Options[0])
	if !commits(p.verb) || !does(p.verb, &c) || speaksOfElse(p, &c) || !r.alone(p, &c) {
		return a
	}
	return yes(max(a.P, onlyOne.p()), append(slices.Clone(a.Why), "nothing else here does it")...)
}

// does reports a control that has the verb in its name, and not as something
// done.
func does(verb string, c *control) bool {
	return found(verb, c.words()) > 0 && !saysDone(verb, c)
}

// speaksOfElse reports a purpose with a thing of its own that the control does
// not show, where the control's name has one that the purpose lacks: "Delete
// draft" is not for deleting the account. A purpose that says no more than the
// form or the order is about whatever the screen is about.
func speaksOfElse(p purpose, c *control) bool {
	missing := slices.ContainsFunc(p.object(), func(w word) bool {
		return w.weight >= plainWeight && !kinds[w.text] && found(w.text, c.words(), c.says()) == 0 && found(w.text, c.around()...) == 0
	})
	return missing && explained(&p, c) < 1
}

// alone reports that no other control of the screen does the same, nor fits as
// well as one that is picked.
func (r *reading) alone(p purpose, c *control) bool {
	own := false
	for i := range r.controls {
		d := &r.controls[i]
		if !own && c.sameAs(d) {
			own = true
			continue
		}
		if does(p.verb, d) || r.fit(&p, nil, d).p >= pickFloor {
			return false
		}
	}
	return true
}
