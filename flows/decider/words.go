package decider

import (
	"slices"
	"strings"
	"unicode"
)

// word is one word of a text, reduced so that its inflections and its plain
// synonyms are equal.
type word struct {
	text   string  // stem of the canonical form
	weight float64 // what it tells: 0 for "the", little for "page", 1 for a noun
}

// Weights. A verb that says what happens outweighs its object: "search for
// trains" is served by Search sooner than by Trains.
const (
	plainWeight    = 1.0
	actWeight      = 1.4
	scaffoldWeight = 0.25 // page, button, notice: names a kind of thing
	roamWeight     = 0.3  // open, show, choose: any press does that
	synonymShare   = 0.8  // of a word found as a near synonym only
	kindWeight     = 0.4  // says what kind of thing it is: mail, product, number
	contextShare   = 0.7  // of a word found around the control, not on it
)

// wordsOf reads text into words, those without weight left out.
func wordsOf(text string) []word {
	var out []word
	for _, t := range terms(text) {
		if w := weigh(t); w > 0 {
			out = append(out, word{t, w})
		}
	}
	return out
}

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
	s := stem(f)
	for _, form := range []string{f, s} {
		if c, ok := synonyms[form]; ok {
			return stem(c)
		}
	}
	return s
}

func weigh(term string) float64 {
	switch {
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
// their decimal mark and their colon.
func fragments(text string) []string {
	text = expandDates(strings.ToLower(text))
	text = strings.ReplaceAll(text, "e-mail", "email")
	if g, ok := glyph(strings.TrimSpace(text)); ok {
		return []string{g}
	}
	rs := []rune(text)
	var out []string
	for i := 0; i < len(rs); {
		r := rs[i]
		switch {
		case unicode.IsDigit(r):
			j := endOfNumber(rs, i)
			out = append(out, plainNumber(string(rs[i:j])))
			i = j
		case unicode.IsLetter(r) || unicode.IsMark(r):
			j := i
			for j < len(rs) && (unicode.IsLetter(rs[j]) || unicode.IsMark(rs[j]) || rs[j] == '\'' || rs[j] == '’') {
				j++
			}
			out = append(out, plainLetters(string(rs[i:j])))
			i = j
		default:
			i++
		}
	}
	return out
}

func endOfNumber(rs []rune, i int) int {
	j := i
	for j < len(rs) {
		if unicode.IsDigit(rs[j]) {
			j++
			continue
		}
		mark := rs[j] == '.' || rs[j] == ',' || rs[j] == ':'
		if !mark || j+1 >= len(rs) || !unicode.IsDigit(rs[j+1]) {
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

func plainLetters(s string) string {
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

// glyph is the word that a sign stands for when it is all of a control's name.
func glyph(text string) (string, bool) {
	switch text {
	case "×", "✕", "✖", "⨯", "✗", "x":
		return "close", true
	case "+":
		return "plus", true
	case "-", "−", "–":
		return "minus", true
	}
	return "", false
}

// joinPhrases replaces fixed phrases of interface language by one term.
func joinPhrases(fs []string) []string {
	var out []string
next:
	for i := 0; i < len(fs); {
		for _, p := range phrases {
			if hasAt(fs, i, p.words) {
				out = append(out, p.term)
				i += len(p.words)
				continue next
			}
		}
		out = append(out, fs[i])
		i++
	}
	return out
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

// same gives 1 for equal terms, synonymShare for near synonyms, else 0.
func same(a, b string) float64 {
	if a == b {
		return 1
	}
	for _, k := range kin[a] {
		if slices.Contains(kin[b], k) {
			return synonymShare
		}
	}
	return 0
}

// found gives the best match of a term among words.
func found(term string, in []word) float64 {
	best := 0.0
	for _, w := range in {
		best = max(best, same(term, w.text))
	}
	return best
}

// has reports whether a word given in plain English is among the words.
func has(ws []word, plain string) bool { return hasTerm(ws, canonical(plain)) }

func hasTerm(ws []word, term string) bool {
	return slices.ContainsFunc(ws, func(w word) bool { return w.text == term })
}

// anyOf reports whether a term is one of some plain English words.
func anyOf(term string, plain ...string) bool {
	return slices.ContainsFunc(plain, func(p string) bool { return canonical(p) == term })
}
