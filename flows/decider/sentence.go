package decider

import (
	"cmp"
	"regexp"
	"strings"
)

// token is one word of a sentence.
type token struct {
	said  string // fragment, phrases joined
	term  string
	quote int // number of the quote it stands in, from 1

	written string // as the sentence has it; said, where it stands for several
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
	written := map[string]string{}
	for from, to := nextFragment(text, 0); from < to; from, to = nextFragment(text, to) {
		written[folded(text[from:to])] = text[from:to]
	}
	add := func(piece string, quote int) {
		fs := joinPhrases(fragments(piece))
		if len(fs) == 0 && quote > 0 {
			fs = fragments(piece) // small words, quoted, are meant
		}
		for _, f := range fs {
			s.tokens = append(s.tokens, token{f, canonical(f), quote, cmp.Or(written[f], f)})
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
			out = append(out, word{t.term, max(w, scaffoldWeight), &sense{written: t.written}})
		}
	}
	return out, quotes
}

// byPressing is the end of a sentence that says of an act by which control it is
// done: "submitting the form by pressing "OK"" looks for OK.
var byPressing = regexp.MustCompile(`(?i)\bby (?:pressing|clicking|tapping)\b(.*)$`)

// purpose takes a step's text apart, on the screen it is asked of: what the
// screen says by name is a name there. A lead such as "click to accomplish:" is
// the runtime's own wording and left out.
func (r *reading) purpose(text string) purpose {
	for _, lead := range []string{"accomplish:", "perform:"} {
		if _, rest, ok := strings.Cut(text, lead); ok {
			text = rest
		}
	}
	if m := byPressing.FindStringSubmatch(text); m != nil && quoted.MatchString(m[1]) {
		text = m[1]
	}
	text = focusing.ReplaceAllString(text, "click on ")
	for _, k := range kindWords {
		text = k.words.ReplaceAllString(text, k.kind)
	}
	p := purpose{plain: normalize(text), role: roleIn(text)}
	if p.role == "checkbox" && !r.hasRole("checkbox") {
		p.role = "" // "the green box" is no box to tick then
	}
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

// Kinds of controls that are written in two words, and what one does to a field
// before typing.
var (
	kindWords = []struct {
		kind  string
		words *regexp.Regexp
	}{
		{"textbox", regexp.MustCompile(`(?i)\b(?:text\s+(?:box|field)|input\s+(?:box|field|textbox|textfield))\b`)},
		{"textarea", regexp.MustCompile(`(?i)\btext\s+area\b`)},
		{"the checkbox", regexp.MustCompile(`(?i)\bthe\s+check\s+box\b`)},
	}
	focusing = regexp.MustCompile(`(?i)^\s*(?:focus|(?:put|place)\s+the\s+cursor)\s+(?:in\s*to|in|on)\s+`)
)

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
		p.words = append(p.words, word{term, w, &sense{t.written, meant, kinds[term] && !r.named(term)}})
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
	for n, is := range r.vocabulary {
		if !is {
			continue
		}
		if w := r.lexer.lexemes[n].text; misspelled(t.term, w) && (best == "" || w < best) {
			best = w
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

func (s *sentence) termAt(i int) string {
	if i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].term
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

var roleWords = together(abroad.roles, map[string]string{
	"button": "button", "link": "link", "checkbox": "checkbox", "checkboxes": "checkbox", "tab": "tab", "radio": "radio",
	"switch": "switch", "toggle": "switch", "dropdown": "combobox", "slider": "slider", "menuitem": "menuitem", "icon": "button",
	"textarea": "textarea", "box": "checkbox", "field": "textbox", "textbox": "textbox", "textfield": "textbox", "input": "textbox", "buttons": "button", "links": "link", "tabs": "tab",
})
