package decider

import (
	"slices"
	"strings"
)

// target answers which control serves the purpose. Two that fit equally well
// are none: a person would be asked.
func (r *reading) target(q Question) Answer {
	k := r.rank(q.Subject, q.Purpose)
	fits := make([]fit, 0, len(q.Options))
	for _, o := range q.Options {
		var f fit
		if i, ok := r.index(o); ok {
			f = k.fits[i]
		} else {
			c := offered(o)
			f = r.fit(k.p, k.of, &c)
		}
		f.key = o.Key
		fits = append(fits, f)
	}
	return choose(fits, pickFloor)
}

// confirm answers whether the one control offered is the one meant, against
// everything else on the screen that could be.
func (r *reading) confirm(q Question) Answer {
	if len(q.Options) == 0 {
		return yes(unrelated.p(), "nothing to confirm")
	}
	k := r.rank(q.Subject, q.Purpose)
	own, known := r.index(q.Options[0])
	c := r.offered(q.Options[0])
	f := r.fit(k.p, k.of, &c)
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
	for _, o := range q.Options {
		c := r.offered(o)
		ws := slices.Concat(c.words, c.around)
		hit, why := covered(p.object(), ws)
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
func (r *reading) fit(p purpose, of []word, c *control) fit {
	if !p.touches(c) {
		return stranger(c)
	}
	f := fit{name: c.plain, id: c.id()}
	ticking := (setsState(p.verb) || tickVerbs[p.verb]) && stateful(c.role) && found(p.verb, c.words) == 0
	if ticking {
		p = stateless(p)
	}
	folds := opens(p.verb) && (c.has("expanded") || c.has("collapsed"))
	unfolds := !folds && anyOf(p.verb, "expand", "collapse") && !stateful(c.role) // a heading that does not say that it does
	if (folds || unfolds || adjustable(c.role) && adjustWords[p.verb]) && found(p.verb, c.words) == 0 {
		p = withoutVerb(p)
	}
	f.p, f.grade, f.why = grades(p, c)
	if on, why := covered(p.content(), c.around); ticking && on > 0.99 && f.p < nameInWords.p() {
		// Whatever a card's one box is called, ticking the card is ticking it.
		f.p, f.grade, f.why = nameInWords.p(), nameInWords, why
	}
	if len(c.says) > 0 {
		// A label the page gives beside the shown words is nearly a name.
		labelled := *c
		labelled.words, labelled.plain, labelled.says = c.says, normalize(c.description), c.words
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
		hit, _ := covered(of, c.around)
		f.p += 0.04 * hit
	}
	f.p = min(max(f.p, 0.01), quotedExact.p())
	return f
}

// stranger is the fit of a control that has nothing of a purpose.
func stranger(c *control) fit {
	return fit{p: unrelated.p(), grade: unrelated, why: strangers, name: c.plain}
}

var strangers = []string{"no word in common"}

// touches reports a control that has a word of the purpose on it or around it.
func (p *purpose) touches(c *control) bool {
	for _, w := range p.words {
		if w.met(c.words) > 0 || w.met(c.says) > 0 || w.met(c.around) > 0 {
			return true
		}
	}
	return false
}

// grades is the lexical part of fit.
func grades(p purpose, c *control) (float64, grade, []string) {
	if c.plain == "" && len(c.says) == 0 {
		return unrelated.p(), unrelated, nil
	}
	if len(p.quotes) > 0 {
		if v, g, why, done := gradeQuoted(p, c); done {
			return v, g, why
		}
	}
	want := p.content()
	recall, why := recalled(p, want, c)
	precision := explained(p, c)
	if precision == 0 && recall == 0 {
		return unrelated.p(), unrelated, nil
	}
	if numberDiffers(want, c) {
		return otherNumber.p(), otherNumber, why
	}
	if len(p.keys) > 0 && explains(c.words, p.keys)+explains(c.says, p.keys)+explains(c.around, p.keys) == 0 {
		return halfMatch.p() * recall, halfMatch, why
	}
	if sign(c) && p.verb != "" && len(p.where) == 0 && len(p.object()) > 0 && explains(c.around, p.object()) == 0 {
		return halfMatch.p() * recall, halfMatch, why
	}
	verbThere := p.verb == "" || found(p.verb, c.words) > 0 || found(p.verb, c.says) > 0
	if p.verb != "" && saysDone(p.verb, c.plain) {
		verbThere = false
	}
	switch {
	case !verbThere && (chooses(p.verb) || startsThing(p, want)) && precision > 0.75:
		return inWords(purpose{}, want, recall, c), nameInWords, why // "filter by author" may start at Author
	case !verbThere && commits(p.verb):
		return objectOnly.p() * max(precision, recall) * 0.8, objectOnly, why
	case !verbThere:
		return objectOnly.p() * (precision + recall) / 2, objectOnly, why
	case recall > 0.995 && precision > 0.995:
		return namedExact.p(), namedExact, why
	case recall > 0.9 && precision > 0.9 && precision+recall < 1.995:
		return namedNearly.p() - (2-precision-recall)*0.2, namedNearly, why
	case p.verb == "" && len(why) > 0 && recall < 0.995 && (kindsMissing(want, c) || told(p.keys, c)):
		return wordsInName.p() - 0.08*(1-precision) - 0.04, wordsInName, why
	case recall > 0.995 || recall > 0.8 && p.verb == "" && len(why) > 1:
		return wordsInName.p() - 0.08*(1-precision) - 0.5*(1-recall), wordsInName, why
	case precision > 0.75:
		return inWords(p, want, recall, c) * (0.6 + 0.4*precision), nameInWords, why
	case (p.verb != "" || precision > 0 || c.opener && p.roam && c.role != "button") && toldAround(want, c):
		return nameInWords.p() + 0.1*max(recall-contextShare, 0), nameInWords, why
	}
	return halfMatch.p() * (precision + recall) / 2 / 0.8, halfMatch, why
}

// toldAround reports a control of which every word is told by its name and by
// what stands around it: the Add of that card.
func toldAround(want []word, c *control) bool {
	around := false
	for _, w := range want {
		switch {
		case w.met(c.words) > 0 || w.met(c.says) > 0 || isCurrency(w.text):
		case w.met(c.around) > 0:
			around = true
		case !w.kind:
			return false
		}
	}
	return around
}

// sign reports a control that is only a plus or a minus: what it adds to is said
// around it.
func sign(c *control) bool { return c.plain == "plus" || c.plain == "minus" }

// told reports a control whose name has all words by which a thing is told.
func told(keys []word, c *control) bool {
	hit, _ := covered(keys, c.words)
	return hit > 0.99
}

// otherAct reports a name that says of the thing what is to be done with it:
// "Add card" does not open a card.
func otherAct(p purpose, c *control) bool {
	return len(c.words) > 1 && c.role == "button" && c.words[0].weight == actWeight && p.has(c.words[0].text) == 0
}

// kindsMissing reports a control that lacks none of the words but those for the
// kind of thing it is: "the billing settings" are on the tab Billing.
func kindsMissing(want []word, c *control) bool {
	return !slices.ContainsFunc(want, func(w word) bool {
		return !(w.kind && w.text != "option") && w.weight > roamWeight && w.met(c.words) == 0 && w.met(c.says) == 0
	})
}

// saysDone reports a name that has the verb only as something done: Sent and
// Deleted name folders and states, and nobody sends by pressing them.
func saysDone(verb, name string) bool {
	done := false
	for _, f := range strings.Fields(name) {
		if canonical(f) != verb {
			continue
		}
		if (!strings.HasSuffix(f, "ed") || strings.HasSuffix(f, "eed")) && !irregularPast[f] {
			return false
		}
		done = true
	}
	return done
}

var irregularPast = set(`sent paid bought`)

// startsThing reports "start a transfer", where the verb adds nothing to the
// thing; "start the search" is about searching.
func startsThing(p purpose, want []word) bool {
	return anyOf(p.verb, "start") && !slices.ContainsFunc(want, func(w word) bool { return w.text != p.verb && acting[w.text] })
}

// inWords is for names that say part of the purpose: with the verb it is the
// control that does it; without one it grows with the share that is said, and a
// number left unsaid is told to nobody.
func inWords(p purpose, want []word, recall float64, c *control) float64 {
	if p.verb != "" {
		return nameInWords.p() + 0.14*recall
	}
	v := nameInWords.p() - 0.27 + 0.41*recall
	for _, w := range want {
		if isNumber(w.text) && !hasTerm(c.words, w.text) && !hasTerm(c.says, w.text) && !hasTerm(c.around, w.text) {
			v -= 0.2
		}
	}
	return max(v, unrelated.p())
}

// gradeQuoted judges by what is quoted, unless the quote only says where: "add
// "Desk lamp" to the cart" wants the Add of that card.
func gradeQuoted(p purpose, c *control) (v float64, g grade, why []string, done bool) {
	for _, q := range p.quotes {
		exact := c.plain == q
		within := containsPhrase(c.plain, q)
		if p.verb != "" && !quoteHolds(p, p.verb) {
			if found(p.verb, c.words) > 0 && (within || containsPhrase(normalize(c.path), q)) {
				return quotedExact.p(), quotedExact, []string{q, p.verb}, true
			}
			if within && found(p.verb, c.words) == 0 {
				return objectOnly.p(), objectOnly, []string{q}, true
			}
			continue
		}
		switch {
		case exact:
			return quotedExact.p(), quotedExact, []string{q}, true
		case within:
			return quotedWithin.p(), quotedWithin, []string{q}, true
		case containsPhrase(normalize(c.description), q):
			return quotedWithin.p() - 0.05, quotedWithin, []string{q}, true
		}
	}
	if p.verb == "" || quoteHolds(p, p.verb) {
		return notQuoted.p() * found01(p, c), notQuoted, nil, true
	}
	return 0, unrelated, nil, false
}

func found01(p purpose, c *control) float64 {
	hit, _ := covered(p.content(), c.words)
	return max(hit, unrelated.p())
}

func quoteHolds(p purpose, verb string) bool {
	for _, q := range p.quotes {
		if slices.Contains(terms(q), verb) {
			return true
		}
	}
	return false
}

func containsPhrase(text, phrase string) bool {
	return phrase != "" && strings.Contains(" "+text+" ", " "+phrase+" ")
}

// recalled is the share of the purpose found in the name and the description,
// and in part around the control.
func recalled(p purpose, want []word, c *control) (float64, []string) {
	sum, got := 0.0, 0.0
	var why []string
	for _, w := range want {
		hit := max(w.met(c.words), w.met(c.says))
		if hit == 0 && kinds[w.text] && w.weight == plainWeight {
			w.weight = kindWeight
		}
		if a := w.met(c.around); hit == 0 && a > 0 {
			hit = contextShare * a
		}
		if hit == 0 && stateful(c.role) && anyOf(w.text, "option", "choice") {
			continue // says what kind of control it is
		}
		if hit == 0 && isCurrency(w.text) {
			continue // a sign on the screen
		}
		if hit > 0 {
			why = append(why, w.text)
		}
		sum += w.weight
		got += w.weight * hit
	}
	if sum == 0 {
		return 0, nil
	}
	return got / sum, why
}

// explained is the share of the name's words that the purpose accounts for. A
// count or a price beside the words ("Cart (2)", "Pay €90") is no difference.
func explained(p purpose, c *control) float64 {
	sum, got := 0.0, 0.0
	acts := p.verb != "" && found(p.verb, c.words) > 0
	for _, w := range c.words {
		if isNumber(w.text) && found(w.text, p.words) == 0 || isCurrency(w.text) {
			continue
		}
		if acts && acting[w.text] && found(w.text, p.words) == 0 {
			w.weight = scaffoldWeight // "Confirm and pay" pays
			if anyOf(w.text, "move") {
				continue // "Move to trash" deletes
			}
		}
		sum += w.weight
		got += w.weight * p.has(w.text)
	}
	if sum == 0 && len(c.words) > 0 {
		for _, w := range c.words {
			if found(w.text, p.words) > 0 {
				return 1
			}
		}
	}
	if sum == 0 {
		return 0
	}
	return got / sum
}

// has is how well the purpose has a term of a name.
func (p *purpose) has(term string) float64 {
	best := found(term, p.words)
	for _, w := range p.words {
		if best == 0 && w.meant == term {
			return typoShare
		}
	}
	return best
}

func isCurrency(t string) bool {
	switch t {
	case "eur", "usd", "gbp", "inr", "rs", "chf":
		return true
	}
	return false
}

// numberDiffers reports a purpose with a number that the control lacks, where
// the control shows one that the purpose lacks.
func numberDiffers(want []word, c *control) bool {
	for _, w := range want {
		if hasTerm(c.words, w.text) || hasTerm(c.says, w.text) || hasTerm(c.around, w.text) {
			continue
		}
		if isNumber(w.text) && otherOf(isNumber, want, c.words) || isMonth(w.text) && (otherOf(isMonth, want, c.words) || otherOf(isMonth, want, c.says)) {
			return true
		}
	}
	return false
}

// otherOf reports a word of a sort that is not among those wanted.
func otherOf(sort func(string) bool, want, in []word) bool {
	return slices.ContainsFunc(in, func(w word) bool { return sort(w.text) && !hasTerm(want, w.text) })
}

func isMonth(term string) bool { return slices.Contains(monthTerms, term) }

// circumstances tells equal names apart: what can be pressed, is in view and in
// front is meant sooner.
func (r *reading) circumstances(p purpose, c *control) float64 {
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
func adjusts(p purpose) bool {
	return slices.ContainsFunc(p.words, func(w word) bool { return adjustWords[w.text] })
}

var adjustWords = set("change set adjust move drag raise lower select choose open pick")

func roleLeaning(p purpose, role string) float64 {
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
		if has(p.words, "read") || has(p.words, "open") {
			return -0.06
		}
	}
	return 0
}

func chooses(verb string) bool { return setsState(verb) || anyOf(verb, "sort", "filter") }

// setsState reports verbs that ask for a control's state and are not in its
// name.
func setsState(verb string) bool { return stateVerbs[verb] }

var stateVerbs = set("tick check untick uncheck switch turn enable disable mark unmark")

// opens reports verbs that ask for something to be unfolded or folded.
func opens(verb string) bool { return openVerbs[verb] }

var openVerbs = set("expand collapse close")
