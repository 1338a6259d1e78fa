package decider

import "slices"

// target answers which control serves the purpose. Two that fit equally well
// are none: a person would be asked.
func (r *reading) target(q Question) Answer {
	k := r.rank(q.Subject, q.Purpose)
	fits := r.fits[:0]
	for i := range q.Options {
		o := &q.Options[i]
		var f fit
		if at, ok := r.index(o); ok {
			f = k.fits[at]
		} else {
			c := offered(o)
			f = r.fit(&k.p, k.of, &c)
		}
		f.key = o.Key
		fits = append(fits, f)
	}
	r.fits = fits
	return choose(fits, pickFloor)
}

// confirm answers whether the one control offered is the one meant, against
// everything else on the screen that could be.
func (r *reading) confirm(q Question) Answer {
	if len(q.Options) == 0 {
		return yes(unrelated.p(), "nothing to confirm")
	}
	k := r.rank(q.Subject, q.Purpose)
	own, known := r.index(&q.Options[0])
	c := r.offered(&q.Options[0])
	f := r.fit(&k.p, k.of, &c)
	if known {
		f = k.fits[own]
	}
	lead := f.p
	for i, o := range k.fits {
		d := &r.controls[i]
		if known && i == own || !known && c.sameAs(d) {
			known, own = true, i
			continue
		}
		if d.role != c.role && o.p <= f.p {
			continue
		}
		if rivals(f, o) {
			o.p = f.p
		}
		lead = min(lead, f.p-o.p)
	}
	if lead < 0 {
		return yes(min(f.p, twins.p()), append(slices.Clip(f.why), "another control fits better")...)
	}
	return yes(led(f.p, lead), f.why...)
}

// region says which part of the screen holds what is looked for, only when the
// purpose names the part: a wrong region hides the right control, none hides
// nothing.
func (r *reading) region(q Question) Answer {
	p := purposeOf(q.Subject)
	fits := make([]fit, 0, len(q.Options))
	for i := range q.Options {
		o := &q.Options[i]
		c := r.offered(o)
		hit, why := covered(p.object(), append(c.around(), c.words())...)
		f := fit{key: o.Key, p: hit * halfMatch.p(), why: why, id: c.name + c.path}
		if hit > 0.99 {
			f.p = wordsInName.p()
		}
		fits = append(fits, f)
	}
	return choose(fits, pickFloor)
}

// fit weighs one control; of are the words of what the choice is for. Name first; what stands around it helps to tell
// look-alikes apart; role, place and state only break ties.
func (r *reading) fit(p *purpose, of []word, c *control) fit {
	if !p.touches(c) {
		return stranger
	}
	return r.weigh(p, of, c)
}

// weigh is fit for a control that has something of the purpose.
func (r *reading) weigh(p *purpose, of []word, c *control) fit {
	f := fit{of: c}
	ticking := (setsState(p.verb) || tickVerbs[p.verb]) && stateful(c.role) && found(p.verb, c.words()) == 0
	if ticking {
		p = p.withoutVerb()
	}
	folds := opens(p.verb) && (c.has("expanded") || c.has("collapsed"))
	unfolds := !folds && unfoldVerbs[p.verb] && !stateful(c.role) // a heading that does not say that it does
	if (folds || unfolds || adjustable(c.role) && adjustWords[p.verb]) && found(p.verb, c.words()) == 0 {
		p = p.withoutVerb()
	}
	f.p, f.grade, f.why = grades(p, c)
	if ticking && f.p < nameInWords.p() {
		// Whatever a card's one box is called, ticking the card is ticking it.
		if on, why := covered(p.content(), c.around()...); on > 0.99 {
			f.p, f.grade, f.why = nameInWords.p(), nameInWords, why
		}
	}
	if len(c.says()) > 0 {
		// A label the page gives beside the shown words is nearly a name.
		labelled := *c
		labelled.labelled, labelled.called, labelled.told = true, c.told, c.called
		if v, g, why := grades(p, &labelled); v-saidShare > f.p {
			f.p, f.grade, f.why = v-saidShare, g, why
		}
	}
	if p.deed && c.role == "link" && f.grade == namedExact {
		f.p, f.grade = wordsInName.p(), wordsInName // a link called Search leads to a search and does none
	}
	if len(f.why) == 0 {
		f.why = strangers
	}
	if f.p <= unrelated.p() {
		return f
	}
	if unfolds {
		f.p -= clearLead
	}
	f.p += r.circumstances(p, c)
	if len(of) > 0 {
		hit, _ := covered(of, c.around()...)
		f.p += 0.04 * hit
	}
	f.p = min(max(f.p, 0.01), quotedExact.p())
	return f
}

// stranger is the fit of a control that has nothing of a purpose.
var stranger = fit{p: unrelated.p(), grade: unrelated, why: strangers}

var strangers = []string{"no word in common"}

// touches reports a control that has a word of the purpose on it or around it.
func (p *purpose) touches(c *control) bool {
	for i := range p.words {
		if w := &p.words[i]; w.met(c.words(), c.says()) > 0 || w.met(c.around()...) > 0 {
			return true
		}
	}
	return false
}

// hasOne reports a purpose that has one of some words.
func (p *purpose) hasOne(of map[string]bool) bool {
	return slices.ContainsFunc(p.words, func(w word) bool { return of[w.text] })
}

// circumstances tells equal names apart: what can be pressed, is in view and in
// front is meant sooner.
func (r *reading) circumstances(p *purpose, c *control) float64 {
	d := 0.0
	if p.looks && otherAct(p, c) {
		d -= 2 * clearLead
	}
	if c.has("disabled") {
		d -= 0.4
	}
	if c.has("offscreen") {
		d -= 0.03
	}
	if c.has("covered") {
		d -= 0.05
	}
	if r.inFront() && c.inLayer() {
		d += 0.05
	}
	if c.takesText() && p.role == "" && !(adjustable(c.role) && adjusts(p)) {
		d -= 0.25
	}
	return d + roleLeaning(p, c.role)
}

// adjustable are fields that are set by pressing.
func adjustable(role string) bool {
	return role == "combobox" || role == "slider" || role == "spinbutton"
}

// adjusts reports a purpose that sets something to another value.
func adjusts(p *purpose) bool {
	return p.hasOne(adjustWords)
}

var adjustWords = set("change set adjust move drag raise lower select choose open pick")

func roleLeaning(p *purpose, role string) float64 {
	if p.role != "" {
		asText := (&control{role: role}).takesText()
		switch {
		case role == p.role || p.role == "button" && role == "menuitem" || p.role == "textbox" && asText:
			return 0.05
		case (p.role == "searchbox" || p.role == "textbox") && !asText:
			return -0.3
		}
		return -0.06
	}
	switch role {
	case "button":
		if p.verb != "" {
			return 0.02
		}
	case "image", "heading", "text", "":
		return -0.08
	case "option", "radio", "checkbox", "gridcell", "switch", "tab", "menuitem":
		if p.verb != "" && !chooses(p.verb) {
			return -0.02
		}
		if p.hasOne(readWords) {
			return -0.06
		}
	}
	return 0
}

func chooses(verb string) bool { return stateVerbs[verb] || sortVerbs[verb] }

// setsState reports verbs that ask for a control's state and are not in its
// name.
func setsState(verb string) bool { return stateVerbs[verb] }

var stateVerbs = set("tick check untick uncheck switch turn enable disable mark unmark")

var (
	sortVerbs   = set("sort filter")
	readWords   = set("read open")
	unfoldVerbs = set("expand collapse")
	startVerbs  = set("start")
	moveVerbs   = set("move")
	optionWords = set("option choice")
)

// opens reports verbs that ask for something to be unfolded or folded.
func opens(verb string) bool { return openVerbs[verb] }

var openVerbs = set("expand collapse close")
