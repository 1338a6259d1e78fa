package decider

import "strings"

// lexer reads texts into words and remembers what it read: a name, a path or a
// word that a screen has many times, or shows again at the next look, is reduced
// once, to numbers; words are made of them where they are asked for. What a text
// reduces to depends on nothing else, so remembering changes no answer. Its zero
// value is ready and remembers nothing. Not safe for concurrent use.
type lexer struct {
	texts   map[string]*reduced
	paths   map[string]*pathway
	parts   map[string]string // names of containers, as terms
	numbers map[string]int32  // of fragments and terms, from 1
	lexemes []lexeme          // by their number
	terms   []int32           // of all texts and fragments, one after the other
	slab    []reduced         // where the next texts go
	cut     []int32           // the text at hand, as numbers of its fragments
	said    []string          // and as they read
}

// lexeme is one fragment of a text, one term, or both: the term "order" is what
// the fragment "order" stands for, and "orders" too.
type lexeme struct {
	text   string  // as the text has it; of a term, the term
	weight float64 // of the term
	said   string  // the fragment, folded; "" for what was no fragment yet
	terms  span    // of lexer.terms: what the fragment stands for, without what has no weight
	begins bool    // a phrase or a number of several fragments may begin with it
	term   bool    // was weighed
}

// reduced is one text.
type reduced struct {
	terms span // of lexer.terms
	small bool // only small words: they count in the name of a control, a link "About" is about nothing else
	spelt *spelt
}

// spelt is a text in words.
type spelt struct {
	words []word
	name  []word // the words, read as the name of a control
	plain string // normalized
}

// pathway is what a control's path tells.
type pathway struct {
	path    string
	labels  *reduced // of its containers
	place   int      // number of the innermost numbered container, 0 for none
	family  string   // path of the containers numbered with it, without their names
	layer   bool     // leads into something that floats over the page
	fixture bool     // leads into a part that every page of a site has
	parts   []string // names of its containers, as terms
}

// newLexer gives one with room for a screen of so many controls.
func newLexer(controls int) *lexer {
	return &lexer{
		texts: make(map[string]*reduced, 2*controls), paths: make(map[string]*pathway, controls/4), parts: map[string]string{},
		numbers: make(map[string]int32, 2*controls), lexemes: make([]lexeme, 1, 2*controls+256),
		terms: make([]int32, 0, 16*controls),
	}
}

// full reports a lexer that has seen enough pages to begin anew.
func (l *lexer) full() bool { return len(l.texts)+len(l.lexemes) > mostRemembered }

const mostRemembered = 20000 // texts and words; some ten crowded pages

// text reduces one text; nil for an empty one.
func (l *lexer) text(text string) *reduced {
	if text == "" {
		return nil
	}
	if t, ok := l.texts[text]; ok {
		return t
	}
	t := l.reduce(text)
	if l.texts != nil {
		l.texts[text] = t
	}
	return t
}

func (l *lexer) reduce(text string) *reduced {
	l.split(text)
	from := len(l.terms)
	for i := 0; i < len(l.said); {
		x := &l.lexemes[l.cut[i]]
		if x.begins || isNumber(x.said) && i+1 < len(l.said) && halfDay[l.said[i+1]] {
			if several, n := severalAt(l.said, i); n > 0 {
				l.add(several)
				i += n
				continue
			}
		}
		l.terms = append(l.terms, l.of(x.terms)...)
		i++
	}
	small := len(l.terms) == from
	if small {
		for _, f := range joinPhrases(l.said) {
			n, _ := l.term(canonical(f))
			l.terms = append(l.terms, n)
		}
	}
	t := l.reduced()
	*t = reduced{terms: span{from, len(l.terms)}, small: small}
	return t
}

// reduced gives a place for one more text.
func (l *lexer) reduced() *reduced {
	const together = 128 // texts
	switch {
	case l.texts == nil:
		return &reduced{}
	case len(l.slab) == cap(l.slab):
		l.slab = make([]reduced, 0, together)
	}
	l.slab = l.slab[:len(l.slab)+1]
	return &l.slab[len(l.slab)-1]
}

// split cuts a text into its fragments.
func (l *lexer) split(text string) {
	l.cut, l.said = l.cut[:0], l.said[:0]
	text = respelled(text)
	for from, to := nextFragment(text, 0); from < to; from, to = nextFragment(text, to) {
		n := l.fragment(text[from:to])
		l.cut, l.said = append(l.cut, n), append(l.said, l.lexemes[n].said)
	}
}

// fragment numbers a fragment, and reads it where it is new.
func (l *lexer) fragment(text string) int32 {
	n := l.number(text)
	if l.lexemes[n].said != "" {
		return n
	}
	f := folded(text)
	from := len(l.terms)
	if isNumber(f) {
		l.addTerm(f)
	} else {
		l.add(singly(f))
	}
	x := &l.lexemes[n]
	x.said, x.terms = f, span{from, len(l.terms)}
	x.begins = !isNumber(f) && (len(phrasesBy[f]) > 0 || len(abroad.phrases[f]) > 0 || tens[f] > 0)
	return n
}

// add adds those terms of some fragments that have weight.
func (l *lexer) add(fragments []string) {
	for _, f := range fragments {
		l.addTerm(f)
	}
}

func (l *lexer) addTerm(fragment string) {
	if n, weight := l.term(canonical(fragment)); weight > 0 {
		l.terms = append(l.terms, n)
	}
}

// of gives the numbers of some terms.
func (l *lexer) of(terms span) []int32 { return l.terms[terms.from:terms.to] }

// term numbers and weighs a term.
func (l *lexer) term(text string) (int32, float64) {
	n := l.number(text)
	x := &l.lexemes[n]
	if !x.term {
		x.weight, x.term = weigh(text), true
	}
	return n, x.weight
}

// number gives the number of a text, always a new one where nothing is
// remembered.
func (l *lexer) number(text string) int32 {
	if n, ok := l.numbers[text]; ok {
		return n
	}
	if len(l.lexemes) == 0 {
		l.lexemes = append(l.lexemes, lexeme{}) // nothing has the number 0
	}
	n := int32(len(l.lexemes))
	l.lexemes = append(l.lexemes, lexeme{text: text})
	if l.numbers != nil {
		l.numbers[text] = n
	}
	return n
}

// spell gives a text in words.
func (l *lexer) spell(t *reduced) *spelt {
	if t == nil {
		return nothing
	}
	if t.spelt != nil {
		return t.spelt
	}
	ws := make([]word, 0, t.terms.to-t.terms.from)
	for _, n := range l.of(t.terms) {
		ws = append(ws, word{text: l.lexemes[n].text, weight: l.lexemes[n].weight})
	}
	t.spelt = &spelt{words: ws, name: nameWords(ws)}
	if t.small {
		for i := range ws {
			ws[i].weight = plainWeight
		}
		t.spelt = &spelt{name: ws}
	}
	return t.spelt
}

// nothing is an empty text in words. Read, never written.
var nothing = &spelt{}

// words reads a text into words, those without weight left out.
func (l *lexer) words(text string) []word { return l.spell(l.text(text)).words }

// plain is the text that was reduced, normalized.
func (l *lexer) plain(t *reduced, text string) string {
	s := l.spell(t)
	if s.plain == "" && t != nil {
		s.plain = normalize(text)
	}
	return s.plain
}

// part is the name of a part of the screen, as terms.
func (l *lexer) part(called string) string {
	name, ok := l.parts[called]
	if !ok {
		name = strings.Join(terms(called), " ")
		if l.parts != nil {
			l.parts[called] = name
		}
	}
	return name
}

// path reads a control's path.
func (l *lexer) path(path string) *pathway {
	if p, ok := l.paths[path]; ok {
		return p
	}
	lower := strings.ToLower(path)
	p := &pathway{
		path: path, labels: l.reduce(path),
		layer:   firstIn(lower, "dialog", "popover", "alert", "sheet"),
		fixture: firstIn(lower, "navigation", "contentinfo", "banner", "toolbar"),
	}
	p.place, p.family = placeOf(path)
	for _, rest, quoted := strings.Cut(path, `"`); quoted; _, rest, quoted = strings.Cut(rest, `"`) {
		var called string
		called, rest, _ = strings.Cut(rest, `"`)
		if name := l.part(called); name != "" {
			p.parts = append(p.parts, name)
		}
	}
	if l.paths != nil {
		l.paths[path] = p
	}
	return p
}
