package decider

import (
	"regexp"
	"slices"
)

// purpose is what a control is looked for: a step, an option, a guard's phrase,
// taken apart.
type purpose struct {
	words   []word   // what it is about, with the words of quotes, without those of places and exclusions
	quotes  []string // quoted texts, normalized
	verb    string   // the acting word that leads, "" when any press would do
	deed    bool     // the verb is a noun that is done: "start the search"
	looks   bool     // led by one that wants to see a thing: open, read
	roam    bool     // led by a roaming verb: open, choose
	role    string   // the role it names, "" for none
	ordinal int      // 1 for first, -1 for last, 0 for none
	plain   string   // normalized text
	keys    []word   // what the thing is told by: "the issue about dark mode"

	where    []place  // where it stands
	not      []word   // what it is not
	states   []string // what state it is in, a leading "-" for not in it
	every    bool     // all that fit are meant
	most     *superlative
	limits   string // "under 50 euros", as written
	begins   string // how its name begins, normalized
	ends     string // how it ends
	contents []word // content, once asked for
	off      bool   // the state asked for is off: untick, turn off, mark as not done
}

var quoted = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|(?:^|[\s(])'([^']+)'(?:$|[\s).,;:])|‘([^’]+)’`)

// purposeOf reads a step's text without a screen.
func purposeOf(text string) purpose { return (&reading{}).purpose(text) }

var tellers = regexp.MustCompile(`(?i)\b(?:about|named|called|titled|labelled|labeled|from|by)\b(.*)`)

// keyed finds the words by which a thing is told, for steps that open or choose
// one; the word before them only says what kind of thing it is.
func (p purpose) keyed(text string) purpose {
	m := tellers.FindStringSubmatchIndex(text)
	if p.verb != "" || m == nil {
		return p
	}
	p.keys = wordsOf(text[m[2]:m[3]])
	p.keys = slices.DeleteFunc(p.keys, func(k word) bool { return !hasTerm(k.text, p.words) || kinds[k.text] })
	if i := len(p.words) - len(p.keys) - 1; i >= 0 && p.words[i].weight == plainWeight {
		p.words[i].weight = kindWeight
	}
	return p
}

// content are the words that are no roaming verb and no scaffolding, or all of
// them when nothing else is there ("open the menu").
func (p *purpose) content() []word {
	if p.contents == nil {
		p.contents = p.contentOf()
	}
	return p.contents
}

func (p *purpose) contentOf() []word {
	out := heavier(p.words, roamWeight)
	if slices.ContainsFunc(out, func(w word) bool { return !w.kind() }) {
		return out
	}
	out = nil
	for _, w := range p.words {
		if w.weight != roamWeight {
			out = append(out, w)
		}
	}
	if len(out) > 0 {
		return out
	}
	return p.words
}

func heavier(ws []word, than float64) []word {
	var out []word
	for _, w := range ws {
		if w.weight > than {
			out = append(out, w)
		}
	}
	return out
}

// object are the content words without the leading verb.
func (p *purpose) object() []word {
	if p.verb == "" {
		return p.content()
	}
	var out []word
	for _, w := range p.content() {
		if w.text != p.verb {
			out = append(out, w)
		}
	}
	return out
}

// commits reports verbs whose control must carry the verb itself: nobody pays
// by pressing "Order details".
func commits(verb string) bool { return committing[verb] }

var committing = set(`pay send submit delete remove publish post buy confirm book reserve transfer place register cancel
	discard subscribe unsubscribe signout checkout`)
