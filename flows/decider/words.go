package decider

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one word of a text, reduced so that its inflections and its plain
// synonyms are equal.
type word struct {
	text   string  // stem of the canonical form
	weight float64 // what it tells: 0 for "the", little for "page", 1 for a noun
	of     *sense  // of a word of a sentence
}

// sense is how a word of a sentence is written, and what a screen makes of it.
type sense struct {
	written string
	meant   string // a word of the screen that it may be a misspelling of
	kind    bool   // says what kind of thing it is, and no control of the screen is called so
}

func (w *word) kind() bool { return w.of != nil && w.of.kind }

// written is the word for a person: as the sentence has it, where it is known.
func (w *word) written() string {
	if w.of == nil || w.of.written == "" {
		return w.text
	}
	return w.of.written
}

func (w *word) meant() string {
	if w.of == nil {
		return ""
	}
	return w.of.meant
}

// Weights. A verb that says what happens outweighs its object: "search for
// trains" is served by Search sooner than by Trains.
const (
	plainWeight    = 1.0
	actWeight      = 1.4
	scaffoldWeight = 0.25 // page, button, notice: names a kind of thing
	roamWeight     = 0.3  // open, show, choose: any press does that
	synonymShare   = 0.8  // of a word found as a near synonym only
	typoShare      = 0.9  // of a word found but for its spelling
	kindWeight     = 0.4  // says what kind of thing it is: mail, product, number
	contextShare   = 0.7  // of a word found around the control, not on it
)

// wordsOf reads text into words, those without weight left out.
func wordsOf(text string) []word { return (&lexer{}).words(text) }

// terms gives every canonical term of text in order, stop words too.
func terms(text string) []string {
	raw := joinPhrases(fragments(text))
	out := make([]string, 0, len(raw))
	for _, f := range raw {
		out = append(out, canonical(f))
	}
	return out
}

func canonical(f string) string {
	if isNumber(f) {
		if n, ok := nthOf(f); ok {
			return strconv.Itoa(n)
		}
		return f
	}
	if c, ok := synonyms[f]; ok {
		return stem(c)
	}
	if n, ok := nthOf(f); ok {
		return strconv.Itoa(n)
	}
	s := stem(f)
	if c, ok := synonyms[s]; ok {
		return stem(c)
	}
	return s
}

func weigh(term string) float64 {
	switch {
	case isNumber(term):
		return plainWeight
	case stopWords[term]:
		return 0
	case scaffold[term]:
		return scaffoldWeight
	case roaming[term]:
		return roamWeight
	case acting[term]:
		return actWeight
	}
	return plainWeight
}

// fragments cuts text into lower-case runs of letters and digits. Numbers keep
// their decimal mark, their colon and the ending that makes them ordinals.
func fragments(text string) []string { return rawFragments(respelled(text)) }

// respelled is text with its dates spelled out, and a word for a sign that is all
// there is. Most text stays as it is.
func respelled(text string) string {
	if strings.IndexByte(text, '-') < 0 && strings.IndexByte(text, '/') < 0 {
		return glyph(text)
	}
	text = glyph(expandDates(strings.ToLower(text)))
	return strings.ReplaceAll(text, "e-mail", "email")
}

// rawFragments is the cutting alone.
func rawFragments(text string) []string {
	out := make([]string, 0, 8)
	for from, to := nextFragment(text, 0); from < to; from, to = nextFragment(text, to) {
		out = append(out, folded(text[from:to]))
	}
	return out
}

// nextFragment finds the next run of letters, or number, of a text; from and to
// are equal where there is none.
func nextFragment(text string, i int) (from, to int) {
	for i < len(text) {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case unicode.IsDigit(r):
			j := endOfNumber(text, i)
			if k := endOfWord(text, j); k > j && nthEnding[strings.ToLower(text[j:k])] {
				j = k
			}
			return i, j
		case isLetter(r):
			return i, endOfWord(text, i)
		}
		i += n
	}
	return i, i
}

// folded is a fragment as it is compared with others.
func folded(f string) string {
	f = strings.ToLower(f)
	if i := endOfNumber(f, 0); i > 0 {
		return plainNumber(f[:i]) + f[i:]
	}
	return foldWord(f)
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

// endOfWord is where the letters that start at i end; an apostrophe inside is
// one of them.
func endOfWord(text string, i int) int {
	for j := i; j < len(text); {
		r, n := rune(text[j]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[j:])
		}
		if !isLetter(r) && (j == i || r != '\'' && r != '’') {
			return j
		}
		j += n
	}
	return len(text)
}

func endOfNumber(text string, i int) int {
	digitAt := func(j int) int {
		r, n := utf8.DecodeRuneInString(text[j:])
		if j < len(text) && unicode.IsDigit(r) {
			return n
		}
		return 0
	}
	j := i
	for j < len(text) {
		if n := digitAt(j); n > 0 {
			j += n
			continue
		}
		mark := text[j] == '.' || text[j] == ',' || text[j] == ':'
		if j == i || !mark || digitAt(j+1) == 0 {
			break
		}
		j++
	}
	return j
}

// plainNumber drops grouping, leading zeros and empty decimals, so that 1,234.00
// and 1234 are equal, 09:05 and 9:05 too.
func plainNumber(s string) string {
	if i := strings.LastIndexByte(s, ','); i >= 0 {
		if len(s)-i == 3 && strings.Count(s, ",") == 1 && !strings.Contains(s, ".") {
			s = s[:i] + "." + s[i+1:]
		}
		s = strings.ReplaceAll(s, ",", "")
	}
	s = strings.TrimSuffix(s, ".00")
	if t := strings.TrimLeft(s, "0"); t != "" && t[0] >= '0' && t[0] <= '9' {
		return t
	}
	return s
}

// foldWord drops accents and the ending of a genitive.
func foldWord(s string) string {
	if strings.ContainsAny(s, "'’") {
		s = strings.TrimSuffix(strings.ReplaceAll(s, "’", "'"), "'s")
		s = strings.ReplaceAll(s, "'", "")
	}
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if plain, ok := unaccented[r]; ok {
			b.WriteString(plain)
			continue
		}
		if !unicode.IsMark(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// glyph gives the word that a sign stands for when it is all of a control's
// name, and any other text as it is.
func glyph(text string) string {
	switch strings.TrimSpace(text) {
	case "×", "✕", "✖", "⨯", "✗", "x", "X":
		return "close"
	case "+":
		return "plus"
	case "-", "−", "–":
		return "minus"
	case "=":
		return "equals"
	}
	return text
}

// joinPhrases replaces fixed phrases of interface language by one term, and
// what another tongue says by the English for it.
func joinPhrases(fs []string) []string {
	out := make([]string, 0, len(fs))
	for i := 0; i < len(fs); {
		said, n := severalAt(fs, i)
		if n == 0 {
			said, n = singly(fs[i]), 1
		}
		out = append(out, said...)
		i += n
	}
	return out
}

// severalAt reads a number or a phrase of several fragments that begins at i,
// and gives how many it has.
func severalAt(fs []string, i int) ([]string, int) {
	if said, n := numberAt(fs, i); n > 0 {
		return []string{said}, n
	}
	if term, n := phraseAt(fs, i); n > 0 {
		return []string{term}, n
	}
	return abroad.phrase(fs, i)
}

// singly reads one fragment.
func singly(f string) []string {
	if !isNumber(f) && !english[f] && !english[stem(f)] {
		if terms, ok := abroad.single(f); ok {
			return terms
		}
	}
	return []string{f}
}

// englishTerms reads what a table of another tongue says in English.
func englishTerms(text string) []string {
	fs := rawFragments(text)
	var out []string
	for i := 0; i < len(fs); {
		term, n := phraseAt(fs, i)
		if n == 0 {
			term, n = fs[i], 1
		}
		out = append(out, canonical(term))
		i += n
	}
	return out
}

// phraseAt gives the term of the English phrase that begins at i, and how many
// words it has.
func phraseAt(fs []string, i int) (string, int) {
	for _, p := range phrasesBy[fs[i]] {
		if hasAt(fs, i, p.words) {
			return p.term, len(p.words)
		}
	}
	return "", 0
}

func hasAt(fs []string, i int, words []string) bool {
	if i+len(words) > len(fs) {
		return false
	}
	for k, w := range words {
		if fs[i+k] != w {
			return false
		}
	}
	return true
}

// stem takes English inflections off. It need not give a real word, only the
// same one for each form.
func stem(w string) string {
	if len(w) <= 3 || w[0] >= '0' && w[0] <= '9' {
		return w
	}
	switch {
	case strings.HasSuffix(w, "sses"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case hasAnySuffix(w, "ches", "shes", "xes", "zes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !hasAnySuffix(w, "ss", "us", "is"):
		w = w[:len(w)-1]
	}
	switch {
	case strings.HasSuffix(w, "ied") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ing") && stemmable(w[:len(w)-3]):
		w = undouble(w[:len(w)-3])
	case strings.HasSuffix(w, "ed") && stemmable(w[:len(w)-2]):
		w = undouble(w[:len(w)-2])
	case strings.HasSuffix(w, "ship") && len(w) > 7:
		w = w[:len(w)-4]
	}
	if strings.HasSuffix(w, "ie") {
		return w[:len(w)-2] + "y"
	}
	if len(w) > 3 && strings.HasSuffix(w, "e") && !strings.HasSuffix(w, "ee") {
		w = w[:len(w)-1]
	}
	return w
}

func stemmable(s string) bool { return len(s) >= 3 && strings.ContainsAny(s, "aeiouy") }

func undouble(s string) string {
	n := len(s)
	if n > 3 && s[n-1] == s[n-2] && !strings.ContainsRune("lsz", rune(s[n-1])) {
		return s[:n-1]
	}
	return s
}

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, x := range suffixes {
		if strings.HasSuffix(s, x) {
			return true
		}
	}
	return false
}

// isNumber reports whether a term is a number, a clock or an amount.
func isNumber(term string) bool { return term != "" && term[0] >= '0' && term[0] <= '9' }

// found gives the best match of a term among the words of some texts: 1 for the
// same, synonymShare for a near synonym, else 0.
func found(term string, in ...[]word) float64 {
	if hasTerm(term, in...) {
		return 1
	}
	near := kin[term]
	for _, ws := range in {
		for i := range ws {
			if near[ws[i].text] {
				return synonymShare
			}
		}
	}
	return 0
}

// met is found for a word that may be misspelled.
func (w *word) met(in ...[]word) float64 {
	best := found(w.text, in...)
	if meant := w.meant(); best == 0 && meant != "" {
		best = typoShare * found(meant, in...)
	}
	return best
}

// has reports whether a word given in plain English is among the words.
func has(ws []word, plain string) bool { return hasTerm(canonical(plain), ws) }

// hasTerm reports a term that is one of the words of some texts.
func hasTerm(term string, in ...[]word) bool {
	for _, ws := range in {
		for i := range ws {
			if ws[i].text == term {
				return true
			}
		}
	}
	return false
}

// anyOf reports whether a term is one of some plain English words.
func anyOf(term string, plain ...string) bool {
	return slices.ContainsFunc(plain, func(p string) bool { return canonical(p) == term })
}
