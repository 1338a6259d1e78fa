package decider

import (
	"maps"
	"slices"
	"strings"
)

// language is the interface language of one tongue in terms of English: a
// further one is a further table and its line in tongues. English itself stands
// in lexicon.go, for everything is reduced to it.
type language struct {
	name string
	// stem takes inflections off a folded word. It need not give a real word,
	// only the same one for each form.
	stem func(string) string
	// words has a line for each meaning: the English words, a colon, and the
	// words and fixed phrases that mean it, split by commas.
	words string
	// stop are words without weight.
	stop string
	// relations has a line for each kind of place as an answer names it, a colon,
	// and its prepositions; roles one for each role and the words for such a
	// control. Parts are words for a part of the screen.
	relations, roles, parts string
	// what a page says, as complaints, requests, refusals, outcomes, waiting and
	// emptiness of the English tables; lower-case, split by commas.
	complaints, requests, refusals, outcomes, waiting, emptiness string
}

// tongues are the languages beside English, in no order that matters: no two of
// them give one word two meanings.
var tongues = []language{german, spanish}

// dictionary is all of them, ready to be looked up. Read, never written.
type dictionary struct {
	words   map[string][]string        // folded word to English terms
	stems   []map[string][]string      // by tongue: stem to English terms
	phrases map[string][]foreignPhrase // by first word, the longer ones first
	says    map[string][]string        // by kind of what a page says

	relations []relationPhrase
	roles     map[string]string // folded word to role
	parts     map[string]bool   // folded words
}

type foreignPhrase struct {
	words []string
	terms []string
}

var abroad = newDictionary(tongues)

func newDictionary(all []language) *dictionary {
	d := &dictionary{words: map[string][]string{}, phrases: map[string][]foreignPhrase{}, says: map[string][]string{}, roles: map[string]string{}, parts: map[string]bool{}}
	for _, l := range all {
		d.addPlaces(l)
		stems := map[string][]string{}
		for _, w := range strings.Fields(l.stop) {
			d.words[foldWord(w)] = []string{}
		}
		for meaning, forms := range meanings(l.words) {
			terms := englishTerms(meaning)
			for _, form := range forms {
				d.add(l, stems, rawFragments(form), terms)
			}
		}
		d.stems = append(d.stems, stems)
		for kind, said := range map[string]string{
			"complaints": l.complaints, "requests": l.requests, "refusals": l.refusals, "outcomes": l.outcomes,
			"waiting": l.waiting, "emptiness": l.emptiness,
		} {
			d.says[kind] = append(d.says[kind], listed(said)...)
		}
	}
	for first := range d.phrases {
		slices.SortStableFunc(d.phrases[first], func(a, b foreignPhrase) int { return len(b.words) - len(a.words) })
	}
	return d
}

func (d *dictionary) add(l language, stems map[string][]string, form, terms []string) {
	switch len(form) {
	case 0:
	case 1:
		d.words[form[0]] = terms
		if s := l.stem(form[0]); stems[s] == nil {
			stems[s] = terms
		}
	default:
		d.phrases[form[0]] = append(d.phrases[form[0]], foreignPhrase{form, terms})
	}
}

// addPlaces adds what a language says of where a control stands, and of what
// kind it is.
func (d *dictionary) addPlaces(l language) {
	for how, forms := range meanings(l.relations) {
		for _, form := range forms {
			d.relations = append(d.relations, relationPhrase{rawFragments(form), relation(how)})
		}
	}
	for role, forms := range meanings(l.roles) {
		for _, form := range forms {
			d.roles[foldWord(form)] = role
		}
	}
	for _, part := range listed(l.parts) {
		d.parts[foldWord(part)] = true
	}
}

// together is all of two tables, of which none has a word of the other.
func together[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// meanings reads the table of a language, the earlier line first where two give
// a word.
func meanings(table string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(table) {
		meaning, forms, ok := strings.Cut(line, ":")
		if ok {
			out[strings.TrimSpace(meaning)] = append(out[strings.TrimSpace(meaning)], listed(forms)...)
		}
	}
	return out
}

func listed(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// single gives the English terms of one folded word: none for a word without
// weight, false for a word no tongue has.
func (d *dictionary) single(w string) ([]string, bool) {
	if terms, ok := d.words[w]; ok {
		return terms, true
	}
	if len(w) < 4 {
		return nil, false
	}
	for i, stems := range d.stems {
		if terms, ok := stems[tongues[i].stem(w)]; ok {
			return terms, true
		}
	}
	return nil, false
}

// phrase gives the English terms of a fixed phrase that begins at i, and how
// many words it has.
func (d *dictionary) phrase(fs []string, i int) ([]string, int) {
	for _, p := range d.phrases[fs[i]] {
		if hasAt(fs, i, p.words) {
			return p.terms, len(p.words)
		}
	}
	return nil, 0
}

// trimmed takes the first suffix that fits off a word, leaving at least four
// letters of it: with three, Spanish salir would be English sale.
func trimmed(w string, suffixes ...string) string {
	for _, s := range suffixes {
		if len(w) >= len(s)+4 && strings.HasSuffix(w, s) {
			return w[:len(w)-len(s)]
		}
	}
	return w
}
