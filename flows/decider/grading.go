package decider

import (
	"slices"
	"strings"
)

// How well the words of a name and of a purpose agree, by what is quoted, what is
// said of both, and what must not differ.

// grades is the lexical part of fit.
func grades(p *purpose, c *control) (float64, grade, []string) {
	if c.unnamed() && len(c.says()) == 0 {
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
	if len(p.keys) > 0 && explains(p.keys, c.words(), c.says())+explains(p.keys, c.around()...) == 0 {
		return halfMatch.p() * recall, halfMatch, why
	}
	if p.verb != "" && sign(c) && len(p.where) == 0 && len(p.object()) > 0 && explains(p.object(), c.around()...) == 0 {
		return halfMatch.p() * recall, halfMatch, why
	}
	verbThere := p.verb == "" || found(p.verb, c.words(), c.says()) > 0 && !saysDone(p.verb, c)
	switch {
	case !verbThere && (chooses(p.verb) || startsThing(p, want)) && precision > 0.75:
		return inWords(&purpose{}, want, recall, c), nameInWords, why // "filter by author" may start at Author
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
		case w.met(c.words(), c.says()) > 0 || isCurrency(w.text):
		case w.met(c.around()...) > 0:
			around = true
		case !w.kind():
			return false
		}
	}
	return around
}

// sign reports a control that is only a plus or a minus: what it adds to is said
// around it.
func sign(c *control) bool {
	return len(c.words()) == 1 && (c.plain() == "plus" || c.plain() == "minus")
}

// told reports a control whose name has all words by which a thing is told.
func told(keys []word, c *control) bool {
	hit, _ := covered(keys, c.words())
	return hit > 0.99
}

// otherAct reports a name that says of the thing what is to be done with it:
// "Add card" does not open a card.
func otherAct(p *purpose, c *control) bool {
	return len(c.words()) > 1 && c.role == "button" && c.words()[0].weight == actWeight && p.has(c.words()[0].text) == 0
}

// kindsMissing reports a control that lacks none of the words but those for the
// kind of thing it is: "the billing settings" are on the tab Billing.
func kindsMissing(want []word, c *control) bool {
	return !slices.ContainsFunc(want, func(w word) bool {
		return !(w.kind() && w.text != "option") && w.weight > roamWeight && w.met(c.words()) == 0 && w.met(c.says()) == 0
	})
}

// saysDone reports a name that has the verb only as something done: Sent and
// Deleted name folders and states, and nobody sends by pressing them.
func saysDone(verb string, c *control) bool {
	if !endsInDT(c.shown()) {
		return false
	}
	done := false
	for f := range strings.FieldsSeq(c.plain()) {
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

// endsInDT reports a text with a word that ends as those do that say of a thing
// what was done with it. It is asked of every name, and few have one.
func endsInDT(text string) bool {
	for from, to := nextFragment(text, 0); from < to; from, to = nextFragment(text, to) {
		if last := text[to-1] | 0x20; last == 'd' || last == 't' {
			return true
		}
	}
	return false
}

var irregularPast = set(`sent paid bought`)

// startsThing reports "start a transfer", where the verb adds nothing to the
// thing; "start the search" is about searching.
func startsThing(p *purpose, want []word) bool {
	return startVerbs[p.verb] && !slices.ContainsFunc(want, func(w word) bool { return w.text != p.verb && acting[w.text] })
}

// inWords is for names that say part of the purpose: with the verb it is the
// control that does it; without one it grows with the share that is said, and a
// number left unsaid is told to nobody.
func inWords(p *purpose, want []word, recall float64, c *control) float64 {
	if p.verb != "" {
		return nameInWords.p() + 0.14*recall
	}
	v := nameInWords.p() - 0.27 + 0.41*recall
	for _, w := range want {
		if isNumber(w.text) && !hasTerm(w.text, c.words(), c.says()) && !hasTerm(w.text, c.around()...) {
			v -= 0.2
		}
	}
	return max(v, unrelated.p())
}

// gradeQuoted judges by what is quoted, unless the quote only says where: "add
// "Desk lamp" to the cart" wants the Add of that card.
func gradeQuoted(p *purpose, c *control) (v float64, g grade, why []string, done bool) {
	for _, q := range p.quotes {
		exact := c.plain() == q
		within := containsPhrase(c.plain(), q)
		if p.verb != "" && !quoteHolds(p, p.verb) {
			if found(p.verb, c.words()) > 0 && (within || containsPhrase(normalize(c.path), q)) {
				return quotedExact.p(), quotedExact, []string{q, p.written(p.verb)}, true
			}
			if within && found(p.verb, c.words()) == 0 {
				return objectOnly.p(), objectOnly, []string{q}, true
			}
			continue
		}
		switch {
		case exact:
			return quotedExact.p(), quotedExact, []string{q}, true
		case within:
			return quotedWithin.p(), quotedWithin, []string{q}, true
		case containsPhrase(normalize(c.from.Description), q):
			return quotedWithin.p() - 0.05, quotedWithin, []string{q}, true
		}
	}
	if p.verb == "" || quoteHolds(p, p.verb) {
		return notQuoted.p() * found01(p, c), notQuoted, nil, true
	}
	return 0, unrelated, nil, false
}

func found01(p *purpose, c *control) float64 {
	hit, _ := covered(p.content(), c.words())
	return max(hit, unrelated.p())
}

func quoteHolds(p *purpose, verb string) bool {
	for _, q := range p.quotes {
		if slices.Contains(terms(q), verb) {
			return true
		}
	}
	return false
}

// containsPhrase reports whole words of a normalized text that follow each other.
func containsPhrase(text, phrase string) bool {
	if phrase == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(phrase)
		if (start == 0 || text[start-1] == ' ') && (end == len(text) || text[end] == ' ') {
			return true
		}
		from = start + 1
	}
}

// written is a term of the purpose for a person.
func (p *purpose) written(term string) string {
	for i := range p.words {
		if p.words[i].text == term {
			return p.words[i].written()
		}
	}
	return term
}

// recalled is the share of the purpose found in the name and the description,
// and in part around the control.
func recalled(p *purpose, want []word, c *control) (float64, []string) {
	sum, got := 0.0, 0.0
	var why []string
	words, says, around := c.words(), c.says(), c.around()
	for _, w := range want {
		hit := w.met(words, says)
		if hit == 0 && kinds[w.text] && w.weight == plainWeight {
			w.weight = kindWeight
		}
		if hit == 0 {
			hit = contextShare * w.met(around...)
		}
		if hit == 0 && stateful(c.role) && optionWords[w.text] {
			continue // says what kind of control it is
		}
		if hit == 0 && isCurrency(w.text) {
			continue // a sign on the screen
		}
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

// explained is the share of the name's words that the purpose accounts for. A
// count or a price beside the words ("Cart (2)", "Pay €90") is no difference.
func explained(p *purpose, c *control) float64 {
	sum, got := 0.0, 0.0
	acts := p.verb != "" && found(p.verb, c.words()) > 0
	for _, w := range c.words() {
		if isNumber(w.text) && found(w.text, p.words) == 0 || isCurrency(w.text) {
			continue
		}
		if acts && acting[w.text] && found(w.text, p.words) == 0 {
			w.weight = scaffoldWeight // "Confirm and pay" pays
			if moveVerbs[w.text] {
				continue // "Move to trash" deletes
			}
		}
		sum += w.weight
		got += w.weight * p.has(w.text)
	}
	if sum == 0 && len(c.words()) > 0 {
		for _, w := range c.words() {
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
	for i := range p.words {
		if best == 0 && p.words[i].meant() == term {
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
		if hasTerm(w.text, c.words(), c.says()) || hasTerm(w.text, c.around()...) {
			continue
		}
		if isNumber(w.text) && otherOf(isNumber, want, c.words()) || isMonth(w.text) && (otherOf(isMonth, want, c.words()) || otherOf(isMonth, want, c.says())) {
			return true
		}
	}
	return false
}

// otherOf reports a word of a sort that is not among those wanted.
func otherOf(sort func(string) bool, want, in []word) bool {
	return slices.ContainsFunc(in, func(w word) bool { return sort(w.text) && !hasTerm(w.text, want) })
}

func isMonth(term string) bool { return slices.Contains(monthTerms, term) }
