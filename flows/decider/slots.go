package decider

import (
	"slices"
	"strings"
)

// slot answers which field a slot's text belongs into.
func (r *reading) slot(q Question) Answer {
	fits := make([]fit, 0, len(q.Options))
	for i := range q.Options {
		o := &q.Options[i]
		c := r.offered(o)
		p, why := r.slotFit(q.Subject, &c)
		p = max(p+r.standing(&c), 0.01)
		fits = append(fits, fit{key: o.Key, p: p, why: why, id: c.label() + "\x00" + c.path})
	}
	return choose(fits, leanFloor)
}

// slotFit weighs a field for a slot, the only field of a screen for one that
// names none.
func (r *reading) slotFit(slot string, c *control) (float64, []string) {
	p, why := fieldFit(slot, c)
	if p < namedNearly.p() && r.fieldAt(slot, c) {
		return namedNearly.p(), []string{"the field at that place"}
	}
	return p, why
}

// fieldAt reports the field that takes text at the place that a slot counts to
// which names nothing else, "the third text box"; the only one there is where it
// does not count.
func (r *reading) fieldAt(slot string, c *control) bool {
	if !c.takesText() || c.has("readonly") {
		return false
	}
	nth := 0
	for _, f := range fragments(slot) {
		n, isNth := nthOf(f)
		if !isNth {
			n = ordinals[f] // the last
		}
		switch {
		case n != 0 && nth == 0:
			nth = n
		case !slotNoise[f] && f != "textbox" && f != "textfield" && f != "textarea":
			return false
		}
	}
	fields, at := 0, 0
	for i := range r.controls {
		if f := &r.controls[i]; f.takesText() && !f.has("readonly") {
			fields++
			if f.from.At == c.from.At {
				at = fields
			}
		}
	}
	switch {
	case nth != 0 && c.from.At == 0: // where it stands is not known
		return false
	case nth == 0:
		return fields == 1
	case nth < 0:
		return at == fields+1+nth
	}
	return at == nth
}

// standing tells fields of one name apart: what is in front is filled, and what
// floats over a page that is itself in front is some other form.
func (r *reading) standing(c *control) float64 {
	d := 0.0
	if c.has("covered") || c.has("readonly") {
		d -= 0.05
	}
	if r.inFront() != c.inLayer() {
		d -= clearLead
	}
	return d
}

// fieldFit weighs a field against a slot's name.
func fieldFit(slot string, c *control) (float64, []string) {
	want := slotWords(slot)
	have := slotWords(c.name)
	if c.name == "" {
		have = slotWords(c.from.Description)
	}
	if normalize(slot) == c.plain() && c.plain() != "" {
		return quotedExact.p(), []string{c.plain()}
	}
	if len(want) == 0 || len(have) == 0 && len(c.says()) == 0 {
		return unrelated.p(), nil
	}
	if slices.Equal(textsOf(want), textsOf(have)) {
		return namedExact.p(), textsOf(want)
	}
	hit, why := covered(want, have)
	told, _ := covered(have, want)
	around, more := covered(want, append(c.around(), c.says())...)
	whole := hit + (1-hit)*around*contextShare
	if clash(want, have) || hit < 0.995 && clash(want, c.around()...) {
		return min(halfMatch.p(), hit*halfMatch.p()), why
	}
	switch {
	case hit == 0:
		return around * halfMatch.p() * 0.8, more
	case hit > 0.995:
		return wordsInName.p() - 0.25*(1-told), why
	case told > 0.995:
		return nameInWords.p() - 0.12 + 0.4*(whole-0.5), append(why, more...)
	case hit > 0.7 && told > 0.7:
		return nameInWords.p() - 0.1, why
	}
	return halfMatch.p() * 0.9 * (whole + told) / 2 / 0.8, append(why, more...)
}

// clash keeps apart what shares a word and is never the same: a first and a
// last name, a card's number and a phone's, departure and return.
func clash(want []word, have ...[]word) bool {
	for _, pair := range [][2]string{
		{"firstname", "lastname"},
		{"depart", "return"},
		{"departure", "return"},
		{"origin", "destination"},
		{"expiry", "card"},
		{"cvc", "expiry"},
		{"phone", "card"},
		{"email", "subject"},
		{"billing", "delivery"},
		{"billing", "shipping"},
	} {
		for i := range 2 {
			a, b := pair[i], pair[1-i]
			if has(want, a) && !has(want, b) && hasTerm(canonical(b), have...) && !hasTerm(canonical(a), have...) {
				return true
			}
		}
	}
	return false
}

// writtenOf are words for a person.
func writtenOf(ws []word) []string {
	out := make([]string, len(ws))
	for i := range ws {
		out[i] = ws[i].written()
	}
	return out
}

func textsOf(ws []word) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.text
	}
	return out
}

// slotTerms are words of form language that name the same field. From and to
// are stop words elsewhere, and whole names here.
var slotTerms = map[string]string{
	"from": "origin", "to": "destination", "leaving": "origin", "depart": "departure", "departing": "departure",
	"outbound": "departure", "inbound": "return", "arriving": "destination", "recipient": "destination",
	"recipients": "destination", "town": "city", "county": "state", "province": "state", "query": "search", "keyword": "search",
	"keywords": "search", "searchterm": "search", "comments": "message", "comment": "message", "street": "address", "forename": "firstname",
	"fullname": "name", "username": "user", "passenger": "traveller", "traveler": "traveller", "subject": "subject",
	"term": "search", "station": "place", "airport": "place", "location": "place", "when": "date", "day": "date",
}

// slotNoise are words of a label that say how to fill it in.
var slotNoise = set(`enter your type please optional required here e g eg the a an of for in on with field box text input value details`)

// slotWords are the words of a slot's or a field's name. A name made of small
// words alone, "where is it", keeps them all.
func slotWords(name string) []word {
	raw := joinPhrases(fragments(name))
	if named := slices.DeleteFunc(slices.Clone(raw), func(f string) bool { return slotNoise[f] }); len(named) > 0 {
		raw = named
	}
	var out []word
	for _, f := range raw {
		t := canonical(f)
		switch {
		case slotTerms[f] != "":
			t = canonical(slotTerms[f])
		case slotTerms[t] != "":
			t = canonical(slotTerms[t])
		case stopWords[t]:
			continue
		}
		w := plainWeight
		if anyOf(t, "place", "date", "number", "code", "name") || isNumber(t) {
			w = kindWeight
		}
		if !hasTerm(t, out) {
			out = append(out, word{text: t, weight: w})
		}
	}
	if len(out) == 0 {
		for _, f := range raw {
			out = append(out, word{text: canonical(f), weight: plainWeight})
		}
	}
	return placed(out)
}

// placed reads departure and arrival of a place as where from and where to;
// those of a date or a time stay what they are.
func placed(ws []word) []word {
	if !has(ws, "place") && !has(ws, "city") {
		return ws
	}
	for i := range ws {
		switch {
		case anyOf(ws[i].text, "departure"):
			ws[i].text = canonical("origin")
		case anyOf(ws[i].text, "arrival"):
			ws[i].text = canonical("destination")
		}
	}
	return ws
}

// asks answers whether the screen asks for a slot at all.
func (r *reading) asks(q Question) Answer {
	best, why := 0.0, []string(nil)
	for i := range r.controls {
		c := &r.controls[i]
		p, w := r.slotFit(q.Subject, c)
		if !c.takesText() {
			p *= 0.7
		}
		if p > best {
			best, why = p, w
		}
	}
	if best >= pickFloor {
		return yes(0.5+best/2, why...)
	}
	for _, l := range r.lines[1:] {
		if hit, w := covered(slotWords(q.Subject), slotWords(l.text)); hit > 0.99 {
			return yes(0.5, w...)
		}
	}
	return yes(best/2, "no field is named so")
}

// flagged answers whether the screen complains about a slot's field: a
// complaint in the field's own words or in a line that names it.
func (r *reading) flagged(q Question) Answer {
	want := slotWords(q.Subject)
	if len(q.Options) > 0 {
		c := r.offered(&q.Options[0])
		want = append(want, slotWords(c.name)...)
		if said, ok := firstOf(strings.ToLower(c.from.Description), complaints); ok {
			return yes(landed.p(), said)
		}
	}
	for i := range r.controls {
		c := &r.controls[i]
		if p, _ := fieldFit(q.Subject, c); p < pickFloor || !c.takesText() {
			continue
		}
		if said, ok := firstOf(strings.ToLower(c.from.Description), complaints); ok {
			return yes(landed.p()-0.05, said)
		}
	}
	for _, l := range r.lines[1:] {
		said, ok := firstOf(strings.ToLower(l.text), complaints)
		if !ok {
			continue
		}
		if hit, why := covered(want, slotWords(l.text)); hit >= 0.5 {
			return yes(landed.p()-0.1, append(why, said)...)
		}
	}
	return yes(unrelated.p(), "no complaint names it")
}

// opens answers whether pressing the one control offered would show the slot's
// field.
func (r *reading) opens(q Question) Answer {
	if len(q.Options) == 0 {
		return yes(unrelated.p(), "nothing is offered")
	}
	c := r.offered(&q.Options[0])
	if c.role == "" || c.takesText() && !c.has("readonly") {
		return yes(halfMatch.p(), "it is no opener")
	}
	asked := offered(&q.Options[0]) // as it was asked about, with the label before it
	hit, why := covered(slotWords(q.Subject), slotWords(asked.name+" "+asked.from.Description))
	if hit > 0.99 {
		return yes(wordsInName.p()+0.04, why...)
	}
	return yes(halfMatch.p()*hit, append(why, "it does not name all of it")...)
}
