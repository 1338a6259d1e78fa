package decider

import (
	"regexp"
	"slices"
	"strings"
)

// What a sentence says of a thing beside its name: how the name begins or ends,
// what it is not, its state, its number in a row, and within what limits.

var affixes = []struct {
	words []string
	ends  bool
}{
	{[]string{"that", "starts", "with"}, false},
	{[]string{"starting", "with"}, false},
	{[]string{"beginning", "with"}, false},
	{[]string{"that", "begins", "with"}, false},
	{[]string{"that", "ends", "with"}, true},
	{[]string{"that", "ends", "in"}, true},
	{[]string{"ending", "with"}, true},
	{[]string{"ending", "in"}, true},
}

func (p *purpose) readAffixes(s *sentence) {
	for i := range s.tokens {
		for _, a := range affixes {
			if !s.at(i, a.words...) || i+len(a.words) >= len(s.tokens) {
				continue
			}
			from := i + len(a.words)
			to := from + 1
			for q := s.tokens[from].quote; q > 0 && to < len(s.tokens) && s.tokens[to].quote == q; to++ {
			}
			said := s.tokens[from].said
			if q := s.tokens[from].quote; q > 0 {
				said = s.quotes[q-1]
			}
			if a.ends {
				p.ends = said
			} else {
				p.begins = said
			}
			s.take(i, to)
		}
	}
}

var exclusions = [][]string{
	{"that", "is", "not"},
	{"which", "is", "not"},
	{"that", "are", "not"},
	{"but", "not"},
	{"except", "for"},
	{"except"},
	{"other", "than"},
	{"apart", "from"},
	{"excluding"},
	{"without"},
	{"and", "not"},
	{"not"},
}

// readExclusions finds "not the sponsored one" and "every box except Terms".
func (p *purpose) readExclusions(s *sentence) {
	for i := 0; i < len(s.tokens); i++ {
		n := 0
		for _, e := range exclusions {
			if s.at(i, e...) {
				n = len(e)
				break
			}
		}
		if n == 0 && s.at(i, "but") && s.anySaid(i, "all", "everything", "every", "each") {
			n = 1
			p.every = true
		}
		if n == 0 {
			continue
		}
		to := s.clauseEnd(i + n)
		ws, _ := s.words(i+n, to)
		if off := heavier(ws, roamWeight); len(off) > 0 {
			if slices.ContainsFunc(off, func(w word) bool { return doneWords[w.text] }) && len(off) == 1 {
				p.off = true
			} else {
				p.not = append(p.not, off...)
			}
			s.take(i, to)
			i = to - 1
		}
	}
}

func (s *sentence) anySaid(before int, words ...string) bool {
	for i := range before {
		if slices.Contains(words, s.said(i)) {
			return true
		}
	}
	return false
}

var doneWords = set("done complete completed finished checked ticked read")

// clauseEnd is where the clause that begins at i ends: at the next place, or
// where the sentence turns to something else.
func (s *sentence) clauseEnd(i int) int {
	for ; i < len(s.tokens); i++ {
		if s.taken[i] || s.at(i, "then") || s.at(i, "to", "the") || s.at(i, "and") && acting[s.termAt(i+1)] {
			return i
		}
		if _, n := s.relationAt(i); n > 0 {
			return i
		}
	}
	return i
}

var statePhrases = map[string]string{
	"unchecked": "-checked", "unticked": "-checked", "unselected": "-selected", "checked": "checked", "ticked": "checked",
	"selected": "selected", "active": "selected", "current": "selected", "highlighted": "selected",
	"expanded": "expanded", "open": "expanded", "opened": "expanded", "collapsed": "collapsed", "closed": "collapsed",
	"disabled": "disabled", "greyed": "disabled", "enabled": "-disabled", "empty": "-checked", "completed": "checked", "finished": "checked",
}

var beforeState = set("the a an is are every all each any only currently first second last still already")

// readStates finds adjectives that say what state the control is in, unless a
// control is named so.
func (p *purpose) readStates(s *sentence, r *reading) {
	if p.readWish(s) {
		return
	}
	for i := range s.tokens {
		state, ok := statePhrases[s.said(i)]
		if !ok || i == 0 || !beforeState[s.tokens[i-1].said] || r.named(s.tokens[i].term) || r.nearTo(s.tokens[i].term) {
			continue
		}
		p.states = append(p.states, state)
		s.take(i, i+1)
	}
	for i := range s.tokens {
		if s.at(i, "as") && i > 0 && doneWords[s.termAt(i+1)] && !r.named(s.termAt(i+1)) {
			s.take(i, i+2)
		}
		if off := s.said(i) == "off"; off && anyOf(s.termAt(0), "turn", "switch") {
			p.off = true
		}
	}
	if anyOf(s.termAt(0), "uncheck", "disable") || anyOf(s.termAt(0), "clear") && p.role == "checkbox" {
		p.off = true
	}
}

// readWish reads "make sure Daily is ticked" as "tick Daily".
func (p *purpose) readWish(s *sentence) bool {
	n := 0
	for _, lead := range [][]string{{"make", "sure"}, {"make", "sure", "that"}, {"ensure"}, {"ensure", "that"}} {
		if s.at(0, lead...) {
			n = len(lead)
		}
	}
	last := len(s.tokens) - 1
	state := s.said(last)
	wish, ok := statePhrases[state]
	if state == "on" || state == "off" {
		wish, ok = map[string]string{"on": "checked", "off": "-checked"}[state], true
	}
	if n == 0 || !ok {
		return false
	}
	is := last - 1
	if s.said(is) == "not" {
		is--
	}
	if s.said(is) != "is" && s.said(is) != "are" {
		return false
	}
	p.off = strings.HasPrefix(wish, "-") != (is < last-1)
	p.verb = canonical("tick")
	s.take(0, n)
	s.take(is, last+1)
	return true
}

// readOrdinal finds "the third"; with a month beside it, or where a control is
// called by that number, it is a number.
func (p *purpose) readOrdinal(s *sentence, r *reading) {
	for i, t := range s.tokens {
		if s.taken[i] || t.quote > 0 {
			continue
		}
		n, isNth := nthOf(t.said)
		if !isNth {
			if n = ordinals[t.said]; n == 0 {
				continue
			}
		}
		if isNth && (s.hasMonth() || i+1 == len(s.tokens) && r.named(t.term)) {
			continue
		}
		if (s.at(i+1, "name") || s.at(i+1, "change") || s.at(i+1, "step")) && n < 0 || r.named(t.said) {
			continue
		}
		if n == -1 && s.at(i-1, "second", "last") {
			n = -2
		}
		p.ordinal = n
		s.take(i, i+1)
	}
}

func (s *sentence) hasMonth() bool {
	return slices.ContainsFunc(s.tokens, func(t token) bool { return slices.Contains(monthTerms, t.term) })
}

var monthTerms = func() []string {
	var out []string
	for _, m := range months {
		out = append(out, canonical(m))
	}
	return out
}()

// withoutLimits takes "under 50 euros" out of a text, unless the screen has a
// control that says so.
func (r *reading) withoutLimits(text string, p *purpose) string {
	return saysLimit.ReplaceAllStringFunc(text, func(said string) string {
		if r.says(said) {
			return said
		}
		p.limits += " " + said
		return " "
	})
}

var saysLimit = regexp.MustCompile(`(?i)\b(?:for\s+|costing\s+)?(?:under|below|less than|at most|no more than|up to|cheaper than|over|above|more than|at least|before|after|between|until)\s+[^\w\s]{0,2}\s?\d[\d.,:]*(?:\s+and\s+[^\w\s]{0,2}\d[\d.,:]*)?\s*(?:euros?|eur|dollars?|usd|pounds?|gbp|€|£|\$|am|pm|stops?|changes?|stars?|o'clock)?`)

// says reports a control whose name has all words of a text, its small ones too.
func (r *reading) says(text string) bool {
	want := terms(text)
	for i := range r.controls {
		if c := &r.controls[i]; c.plain() != "" && holdsAll(terms(c.name), want) {
			return true
		}
	}
	return false
}

func holdsAll(have, want []string) bool {
	for _, w := range want {
		if !isCurrency(w) && !slices.Contains(have, w) {
			return false
		}
	}
	return true
}
