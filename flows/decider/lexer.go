package decider

import "strings"

// lexer reads texts into words and remembers what it read: a name, a path or a
// word that a screen has many times, or shows again at the next look, is reduced
// once. What a text reduces to depends on nothing else, so remembering changes
// no answer. Its zero value is ready and remembers nothing. Not safe for
// concurrent use.
type lexer struct {
	texts   map[string]*reduced
	paths   map[string]*pathway
	around  map[surroundings][]word
	lexemes map[string]lexeme
	ids     map[string]int // of terms, from 1
}

// reduced is one text.
type reduced struct {
	plain string // normalized
	words []word
	name  []word // the words, read as the name of a control
}

// pathway is what a control's path tells.
type pathway struct {
	words   []word
	place   int      // number of the innermost numbered container, 0 for none
	family  string   // path of the containers numbered with it, without their names
	item    string   // the family and the number
	layer   bool     // leads into something that floats over the page
	fixture bool     // leads into a part that every page of a site has
	parts   []string // names of its containers, as terms
}

type surroundings struct{ path, card, under string }

// lexeme is one fragment: the words it stands for, and whether a phrase or a
// number of several fragments may begin with it.
type lexeme struct {
	words  []word
	begins bool
}

func newLexer() *lexer {
	return &lexer{
		texts: map[string]*reduced{}, paths: map[string]*pathway{}, around: map[surroundings][]word{},
		lexemes: map[string]lexeme{}, ids: map[string]int{},
	}
}

// full reports a lexer that has seen enough pages to begin anew.
func (l *lexer) full() bool { return len(l.texts)+len(l.around) > mostRemembered }

const mostRemembered = 20000 // texts; some twenty crowded pages

func (l *lexer) words(text string) []word { return l.text(text).words }

var nothing = &reduced{}

// text reduces one text.
func (l *lexer) text(text string) *reduced {
	if text == "" {
		return nothing
	}
	if t, ok := l.texts[text]; ok {
		return t
	}
	fs := fragments(text)
	out := make([]word, 0, len(fs))
	for i := 0; i < len(fs); {
		x := l.lexeme(fs[i])
		n := 0
		if x.begins {
			var said []string
			if said, n = severalAt(fs, i); n > 0 {
				out = append(out, l.weighed(said)...)
				i += n
			}
		}
		if n == 0 {
			out = append(out, x.words...)
			i++
		}
	}
	t := &reduced{plain: strings.Join(fs, " "), words: out, name: nameWords(out)}
	if len(out) == 0 {
		for _, f := range joinPhrases(fs) {
			term := canonical(f)
			t.name = append(t.name, word{text: term, weight: plainWeight, id: l.id(term)}) // a link "About" is about nothing else
		}
	}
	if l.texts != nil {
		l.texts[text] = t
	}
	return t
}

func (l *lexer) lexeme(f string) lexeme {
	if x, ok := l.lexemes[f]; ok {
		return x
	}
	x := lexeme{words: l.weighed(singly(f)), begins: len(phrasesBy[f]) > 0 || len(abroad.phrases[f]) > 0 || isNumber(f) || tens[f] > 0}
	if l.lexemes != nil {
		l.lexemes[f] = x
	}
	return x
}

// weighed gives the words of some terms that have weight.
func (l *lexer) weighed(said []string) []word {
	out := make([]word, 0, len(said))
	for _, f := range said {
		t := canonical(f)
		if w := weigh(t); w > 0 {
			out = append(out, word{text: t, weight: w, id: l.id(t)})
		}
	}
	return out
}

// id numbers a term; 0 where nothing is remembered.
func (l *lexer) id(term string) int {
	if l.ids == nil {
		return 0
	}
	n, ok := l.ids[term]
	if !ok {
		n = len(l.ids) + 1
		l.ids[term] = n
	}
	return n
}

// path reads a control's path.
func (l *lexer) path(path string) *pathway {
	if p, ok := l.paths[path]; ok {
		return p
	}
	lower := strings.ToLower(path)
	p := &pathway{words: l.words(path), layer: firstIn(lower, "dialog", "popover", "alert", "sheet"), fixture: firstIn(lower, "navigation", "contentinfo", "banner", "toolbar")}
	p.place, p.family, p.item = placeOf(path)
	for i, piece := range strings.Split(path, `"`) {
		if i%2 == 1 {
			if name := strings.Join(terms(piece), " "); name != "" {
				p.parts = append(p.parts, name)
			}
		}
	}
	if l.paths != nil {
		l.paths[path] = p
	}
	return p
}

// surround gives the words around a control: of its path, its card and the text
// above it.
func (l *lexer) surround(s surroundings) []word {
	if s.card == "" && s.under == "" {
		return l.path(s.path).words
	}
	if ws, ok := l.around[s]; ok {
		return ws
	}
	path, card, under := l.path(s.path).words, l.words(s.card), l.words(s.under)
	ws := make([]word, 0, len(path)+len(card)+len(under))
	ws = append(append(append(ws, path...), card...), under...)
	if l.around != nil {
		l.around[s] = ws
	}
	return ws
}
