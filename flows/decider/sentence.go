package decider

import (
	"regexp"
	"slices"
	"strings"
)

// token is one word of a sentence.
type token struct {
	said  string // fragment, phrases joined
	term  string
	quote int // number of the quote it stands in, from 1
}

// sentence is a step's text on its way to a purpose.
type sentence struct {
	tokens []token
	quotes []string
	taken  []bool          // read as something else than what it is about
	parts  map[string]bool // names of the parts of the screen
}

func sentenceOf(text string) sentence {
	var s sentence
	add := func(piece string, quote int) {
		fs := joinPhrases(fragments(piece))
		if len(fs) == 0 && quote > 0 {
			fs = fragments(piece) // small words, quoted, are meant
		}
		for _, f := range fs {
			s.tokens = append(s.tokens, token{f, canonical(f), quote})
		}
	}
	at := 0
	for _, m := range quoted.FindAllStringSubmatchIndex(text, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] < 0 || normalize(text[m[g]:m[g+1]]) == "" {
				continue
			}
			add(text[at:m[g]], 0)
			s.quotes = append(s.quotes, normalize(text[m[g]:m[g+1]]))
			add(text[m[g]:m[g+1]], len(s.quotes))
			at = m[g+1]
		}
	}
	add(text[at:], 0)
	s.taken = make([]bool, len(s.tokens))
	return s
}

// at reports whether words stand unquoted from i on.
func (s *sentence) at(i int, words ...string) bool {
	if i < 0 || i+len(words) > len(s.tokens) {
		return false
	}
	for k, w := range words {
		if t := s.tokens[i+k]; t.quote > 0 || t.said != w || s.taken[i+k] {
			return false
		}
	}
	return true
}

func (s *sentence) take(from, to int) {
	for i := from; i < to; i++ {
		s.taken[i] = true
	}
}

// said is an unquoted word that was not taken, "" past either end.
func (s *sentence) said(i int) string {
	if i < 0 || i >= len(s.tokens) || s.tokens[i].quote > 0 || s.taken[i] {
		return ""
	}
	return s.tokens[i].said
}

// words are those of a stretch, with their quotes.
func (s *sentence) words(from, to int) ([]word, []string) {
	var out []word
	var quotes []string
	for i := from; i < to; i++ {
		t := s.tokens[i]
		if s.taken[i] {
			continue
		}
		if t.quote > 0 && (i == from || s.tokens[i-1].quote != t.quote) {
			quotes = append(quotes, s.quotes[t.quote-1])
		}
		if (t.said == "one" || t.said == "ones") && t.quote == 0 {
			continue
		}
		if w := weigh(t.term); w > 0 || t.quote > 0 {
			out = append(out, word{text: t.term, weight: max(w, scaffoldWeight)})
		}
	}
	return out, quotes
}

// purpose takes a step's text apart, on the screen it is asked of: what the
// screen says by name is a name there. A lead such as "click to accomplish:" is
// the runtime's own wording and left out.
func (r *reading) purpose(text string) purpose {
	for _, lead := range []string{"accomplish:", "perform:"} {
		if _, rest, ok := strings.Cut(text, lead); ok {
			text = rest
		}
	}
	p := purpose{plain: normalize(text), role: roleIn(text)}
	text = r.withoutLimits(text, &p)
	s := sentenceOf(text)
	s.parts = r.parts
	p.readAffixes(&s)
	p.readPlaces(&s)
	p.readExclusions(&s)
	p.readStates(&s, r)
	p.readSuperlative(&s, r)
	p.readOrdinal(&s, r)
	p.readWords(&s, r)
	p = p.keyed(text)
	p.contents = p.contentOf()
	return p
}

// readWords is what is left: the verb and what it is about.
func (p *purpose) readWords(s *sentence, r *reading) {
	seen := map[int]bool{}
	lead := 0
	for i, t := range s.tokens {
		if s.taken[i] {
			continue
		}
		if t.quote > 0 && !seen[t.quote] {
			seen[t.quote] = true
			p.quotes = append(p.quotes, s.quotes[t.quote-1])
		}
		term, meant := r.spelled(t)
		w := weigh(term)
		if t.quote == 0 && everyWords[t.said] {
			p.every = true
		}
		if w == 0 || (t.said == "one" || t.said == "ones") && t.quote == 0 && !r.named(term) {
			lead++
			continue
		}
		leads := p.verb == "" && !p.roam && lead < 3 && len(p.words) == 0
		lead++
		switch {
		case leads && w == actWeight && (p.role == "link" && anyOf(term, "follow") || i == 0 && anyOf(term, "search") && s.goesOn()):
			p.roam = true
			continue
		case leads && w == actWeight:
			p.verb = term
		case leads && w == roamWeight:
			p.roam, p.looks = true, p.looks || lookWords[term]
		case w == actWeight:
			w = plainWeight
		}
		p.words = append(p.words, word{text: term, weight: w, meant: meant, kind: kinds[term] && !r.named(term)})
	}
	p.actsByNoun()
	if len(p.words) == 0 || len(p.content()) > 0 && p.content()[0].weight == roamWeight {
		p.rescue(s, r)
	}
}

var lookWords = set("open show view see visit read look")

// actsByNoun reads "start the search" as searching: the verb says only that it
// is done.
func (p *purpose) actsByNoun() {
	if len(p.words) < 2 || !anyOf(p.verb, "start", "submit", "run", "do", "perform", "make") {
		return
	}
	if noun := p.words[1].text; acting[noun] && !anyOf(noun, "order", "book") {
		p.words = p.words[1:]
		p.deed, p.verb, p.words[0].weight = true, noun, actWeight
	}
}

// goesOn reports "find the mail and press Delete", where finding is no act.
func (s *sentence) goesOn() bool {
	for i := range s.tokens {
		if s.at(i, "and") && weigh(s.termAt(i+1)) != plainWeight && weigh(s.termAt(i+1)) > 0 {
			return true
		}
	}
	return false
}

var everyWords = map[string]bool{"all": true, "every": true, "each": true, "both": true, "everything": true}

// rescue lets words without weight count where nothing else was said and the
// screen has them: the link "About", the language "DE".
func (p *purpose) rescue(s *sentence, r *reading) {
	for i, t := range s.tokens {
		if !s.taken[i] && weigh(t.term) == 0 && r.named(t.term) {
			p.words = append(p.words, word{text: t.term, weight: plainWeight})
		}
	}
}

// spelled gives a word's term, mended when it can only be a slip in a word that
// leads a sentence, and else the word of the screen that it may have meant.
func (r *reading) spelled(t token) (term, meant string) {
	if t.quote > 0 || len(t.said) < leastTypo || weigh(t.term) != plainWeight || r.onScreen(t.term) || r.nearTo(t.term) {
		return t.term, ""
	}
	best := ""
	if r.lexer != nil {
		for w, id := range r.lexer.ids {
			if r.vocabulary.has(id) && misspelled(t.term, w) && (best == "" || w < best) {
				best = w
			}
		}
	}
	if best != "" {
		return t.term, best
	}
	if english[t.said] {
		return t.term, ""
	}
	for _, w := range leadingVerbs {
		if misspelled(t.said, w) {
			return canonical(w), ""
		}
	}
	return t.term, ""
}

// nearTo reports a term of which the screen has a near synonym.
func (r *reading) nearTo(term string) bool {
	for k := range kin[term] {
		if r.onScreen(k) {
			return true
		}
	}
	return false
}

var leadingVerbs = strings.Fields("click press choose select check uncheck delete remove search continue submit cancel close accept switch expand collapse")

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

func (s *sentence) termAt(i int) string {
	if i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].term
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
		if c := &r.controls[i]; c.plain != "" && holdsAll(terms(c.name), want) {
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

// normalize is text as its lower-case words and numbers, single spaces.
func normalize(text string) string { return strings.Join(fragments(text), " ") }

// roleIn finds the kind of control a text names by its last such word: "the
// Apply button", "tick the terms checkbox".
func roleIn(text string) string {
	role := ""
	fs := fragments(quoted.ReplaceAllString(text, " "))
	for i, f := range fs {
		r, ok := roleWords[f]
		if !ok || f == "button" && role == "radio" && fs[i-1] == "radio" {
			continue
		}
		if f == "field" && i > 0 && fs[i-1] == "search" {
			r = "searchbox"
		}
		role = r
	}
	return role
}

var roleWords = map[string]string{
	"button": "button", "link": "link", "checkbox": "checkbox", "checkboxes": "checkbox", "tab": "tab", "radio": "radio",
	"switch": "switch", "toggle": "switch", "dropdown": "combobox", "slider": "slider", "menuitem": "menuitem", "icon": "button",
	"box": "checkbox", "field": "textbox", "textbox": "textbox", "textfield": "textbox", "input": "textbox", "buttons": "button", "links": "link", "tabs": "tab",
	"schaltflache": "button", "knopf": "button", "boton": "button", "enlace": "link", "kastchen": "checkbox", "reiter": "tab",
}
