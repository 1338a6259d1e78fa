package decider

import (
	"slices"
	"strings"
)

// source answers which piece of text is what is wanted: the one that carries
// its label and a value, or the value that stands right after the label.
func (r *reading) source(q Question) Answer {
	want := statementOf(q.Subject).words
	kind := valueKind(q.Subject)
	if named := slices.DeleteFunc(slices.Clone(want), func(w word) bool { return anyOf(w.text, "price", "cost", "amount", "time", "date") }); kind != nil && len(named) > 0 {
		want = named // a price need not be called one
	}
	fits := make([]fit, 0, len(q.Options))
	for i := range q.Options {
		o := &q.Options[i]
		c := offered(o)
		text := strings.TrimSpace(c.name)
		if text == "" {
			text = c.from.Value
		}
		own := wordsOf(text)
		hit, why := covered(want, own)
		f := fit{key: o.Key, why: append(why, "of what is wanted"), id: text}
		isValue := kind == nil || kind(text)
		switch {
		case hit > 0.99 && isValue && len(own) > len(want):
			f.p = wordsInName.p()
		case isValue && kind != nil && r.follows(want, text):
			f.p, f.why = wordsInName.p()-0.04, append(textsOf(want), "stands before it")
		case hit > 0.99 && kind == nil:
			f.p = nameInWords.p()
		case hit > 0.49 && isValue && addsTo(want, own):
			f.p = 0.5 + 0.1*hit
		default:
			f.p = hit * halfMatch.p()
			if kind != nil && isValue {
				f.p = max(f.p, 0.3)
			}
		}
		around, _ := covered(want, append(c.around(), c.says())...)
		f.p = min(f.p+0.04*around, quotedExact.p())
		if p := placedValue(want, own, &c, kind != nil); isValue && p > f.p {
			f.p, f.why = p, append(textsOf(want), "told by where it stands")
		}
		fits = append(fits, f)
	}
	return choose(fits, leanFloor)
}

// addsTo reports a text that says more than the words it is asked by: whose
// address it is does not tell the address.
func addsTo(want, own []word) bool {
	return slices.ContainsFunc(own, func(w word) bool { return !has(want, w.text) })
}

// placedValue weighs a text by where it stands: the city of Ortega is what stands
// in the row of Ortega under City, and the price of the lamp the one price on the
// lamp's card. Its row or card has to say all else that is wanted.
func placedValue(want, own []word, c *control, kind bool) float64 {
	rest := slices.DeleteFunc(slices.Clone(want), func(w word) bool { return has(c.says(), w.text) })
	named, _ := covered(c.says(), want)
	beside := slices.Concat(c.around()...)
	if len(c.says()) == 0 || named <= 0.99 { // no heading asks for it: Ortega is no city
		beside = slices.DeleteFunc(beside, func(w word) bool { return has(own, w.text) })
	}
	told, _ := covered(rest, beside)
	switch {
	case len(beside) == 0 || len(rest) == 0 || told < 0.99:
		return 0
	case len(c.says()) > 0 && named > 0.99:
		return wordsInName.p() - 0.02
	case len(c.says()) == 0 && kind:
		return wordsInName.p() - 0.08
	}
	return 0
}

// follows reports a text whose line on the screen comes right after a line that
// names what is wanted.
func (r *reading) follows(want []word, text string) bool {
	for i := 1; i < len(r.lines); i++ {
		if r.lines[i].text != text && r.lines[i].plain != normalize(text) {
			continue
		}
		if hit, _ := covered(want, r.lines[i-1].words); hit > 0.99 {
			return true
		}
	}
	return false
}

// valueKind gives the test a value must pass by the words of what is wanted;
// nil when any text will do.
func valueKind(what string) func(string) bool {
	ws := wordsOf(what)
	switch {
	case has(ws, "price") || has(ws, "total") || has(ws, "cost") || has(ws, "fare") || has(ws, "amount"):
		return func(s string) bool { _, ok := amountIn(s); return ok }
	case has(ws, "time") || has(ws, "departure") || has(ws, "arrival"):
		return func(s string) bool { _, ok := clockIn(s); return ok }
	case has(ws, "number") || has(ws, "reference") || has(ws, "code") || has(ws, "phone") || has(ws, "date"):
		return func(s string) bool { return strings.ContainsAny(s, "0123456789") }
	}
	return nil
}
