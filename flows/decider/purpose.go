package decider

import (
	"regexp"
	"strings"
)

// purpose is what a control is looked for: a step, an option, a guard's phrase.
type purpose struct {
	words   []word   // without the words of quotes left out: quotes are words too
	quotes  []string // quoted texts, normalized
	verb    string   // the acting word that leads, "" when any press would do
	roam    bool     // led by a roaming verb: open, choose
	role    string   // the role it names, "" for none
	ordinal int      // 1 for first, -1 for last, 0 for none
	plain   string   // normalized text
	keys    []word   // what the thing is told by: "the issue about dark mode"
}

var quoted = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|«([^»]+)»|(?:^|[\s(])'([^']+)'(?:$|[\s).,;:])|‘([^’]+)’`)

// purposeOf reads a step's text. A lead such as "click to accomplish:" is the
// runtime's own wording and left out.
func purposeOf(text string) purpose {
	for _, lead := range []string{"accomplish:", "perform:"} {
		if _, rest, ok := strings.Cut(text, lead); ok {
			text = rest
		}
	}
	p := purpose{plain: normalize(text)}
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		for _, q := range m[1:] {
			if n := normalize(q); n != "" {
				p.quotes = append(p.quotes, n)
			}
		}
	}
	p.role = roleIn(text)
	for i, t := range terms(text) {
		if n, ok := ordinals[t]; ok && len(p.quotes) == 0 {
			p.ordinal = n
			continue
		}
		w := weigh(t)
		if w == 0 {
			continue
		}
		lead := p.verb == "" && !p.roam && i < 3 && len(p.words) == 0
		switch {
		case lead && w == actWeight:
			p.verb = t
		case lead && w == roamWeight:
			p.roam = true
		case w == actWeight:
			w = plainWeight
		}
		p.words = append(p.words, word{t, w})
	}
	return p.keyed(text)
}

var tellers = regexp.MustCompile(`(?i)\b(?:about|named|called|titled|from)\b(.*)`)

// keyed finds the words by which a thing is told, for steps that open or choose
// one; the word before them only says what kind of thing it is.
func (p purpose) keyed(text string) purpose {
	m := tellers.FindStringSubmatchIndex(text)
	if p.verb != "" || m == nil {
		return p
	}
	p.keys = wordsOf(text[m[2]:m[3]])
	if i := len(p.words) - len(p.keys) - 1; i >= 0 && p.words[i].weight == plainWeight {
		p.words[i].weight = kindWeight
	}
	return p
}

// content are the words that are no roaming verb and no scaffolding, or all of
// them when nothing else is there ("open the menu").
func (p purpose) content() []word {
	var out []word
	for _, w := range p.words {
		if w.weight > roamWeight {
			out = append(out, w)
		}
	}
	if len(out) > 0 {
		return out
	}
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

// object are the content words without the leading verb.
func (p purpose) object() []word {
	var out []word
	for _, w := range p.content() {
		if w.text != p.verb {
			out = append(out, w)
		}
	}
	return out
}

// normalize is text as its lower-case words and numbers, single spaces.
func normalize(text string) string { return strings.Join(fragments(text), " ") }

// roleIn finds the kind of control a text names by its last such word: "the
// Apply button", "tick the terms checkbox".
func roleIn(text string) string {
	role := ""
	for _, f := range fragments(text) {
		if r, ok := roleWords[f]; ok {
			role = r
		}
	}
	return role
}

var roleWords = map[string]string{
	"button": "button", "link": "link", "checkbox": "checkbox", "tab": "tab", "radio": "radio",
	"switch": "switch", "toggle": "switch", "dropdown": "combobox", "slider": "slider", "menuitem": "menuitem", "icon": "button",
}

// commits reports verbs whose control must carry the verb itself: nobody pays
// by pressing "Order details".
func commits(verb string) bool { return committing[verb] }

var committing = set(`pay send submit delete remove publish post buy confirm book reserve transfer place register cancel
	discard subscribe unsubscribe signout checkout`)
