package decider

import (
	"regexp"
	"slices"
	"strings"
)

// A sentence may tell a thing by a name: a person's, a handle, a quoted text. What
// bears another name is another thing, and of copies that nothing tells apart none
// is the one named.

var (
	fullName = regexp.MustCompile(`\p{Lu}\p{L}+(?:[ \t]+\p{Lu}\p{L}+)+`)
	oneName  = regexp.MustCompile(`[^.?!:\s][ \t]+(\p{Lu}[\p{L}\d]+)|(@[\p{L}\d_.]+)`)
	ofWhom   = regexp.MustCompile(`(?i)\b(?:of|by|from|for)\s+(?:the\s+|a\s+)?(?:\p{L}+\s+)?([\p{L}\d]+)`)
	honours  = set("mr mrs ms miss dr prof sir madam")
)

// fullNamesIn are the names of several words in a text, as their terms; quotes and
// the first word of the text are none.
func fullNamesIn(text string) [][]string {
	text = quoted.ReplaceAllString(text, " . ")
	if _, rest, ok := strings.Cut(text, " "); ok {
		text = rest
	}
	var out [][]string
	for _, m := range fullName.FindAllString(text, -1) {
		var name []string
		for _, f := range fragments(m) {
			if t := canonical(f); !honours[f] && !kinds[t] && !acting[t] && roleWords[f] == "" && weigh(t) >= plainWeight {
				name = append(name, t)
			}
		}
		if len(name) > 1 {
			out = append(out, name)
		}
	}
	return out
}

// namesakes demotes what has one part of a name in the sentence around it and not
// the other: the row of Rosa Pereira is not that of Rosa Lopez.
func (r *reading) namesakes(k *ranking, text string) {
	names := fullNamesIn(text)
	for _, name := range names {
		k.keep(func(i int) bool {
			c := &r.controls[i]
			beside, missing := false, false
			for _, t := range name {
				own := found(t, c.words(), c.says()) > 0
				around := found(t, c.around()...) > 0
				beside = beside || around && !own
				missing = missing || !around && !own
			}
			return !beside || !missing
		}, strings.Join(name, " "))
	}
}

// copies demotes controls that are alike in name, place and all around them where
// the sentence tells one of them by words that none of them has.
func (r *reading) copies(k *ranking, text string) {
	if k.p.ordinal != 0 || k.p.every {
		return
	}
	among := k.contenders()
	var telling []string
	for _, i := range among {
		c := &r.controls[i]
		if !slices.ContainsFunc(among, func(j int) bool { return j != i && c.sameAs(&r.controls[j]) && c.from.Card == r.controls[j].from.Card }) {
			continue
		}
		if telling == nil {
			telling = r.tellingIn(text)
		}
		for _, t := range telling {
			if found(t, c.words(), c.says()) == 0 && found(t, c.around()...) == 0 {
				k.fits[i].demote()
				k.fits[i].why = append(slices.Clip(k.fits[i].why), "one of several alike, none with "+t)
				break
			}
		}
	}
}

// tellingIn are the terms of a text that tell one thing from its like: names,
// handles, quoted words, and whose it is where the screen has that word.
func (r *reading) tellingIn(text string) []string {
	out := []string{}
	add := func(piece string, shown bool) {
		for _, f := range fragments(piece) {
			t := canonical(f)
			if weigh(t) < plainWeight || kinds[t] || acting[t] || roleWords[f] != "" || slices.Contains(out, t) {
				continue
			}
			if !shown || r.onScreen(t) || r.inText(t) {
				out = append(out, t)
			}
		}
	}
	for _, m := range quoted.FindAllString(text, -1) {
		add(m, false)
	}
	bare := quoted.ReplaceAllString(text, " ")
	for _, m := range oneName.FindAllStringSubmatch(bare, -1) {
		add(m[1]+" "+m[2], false)
	}
	for _, m := range ofWhom.FindAllStringSubmatch(bare, -1) {
		add(m[1], true)
	}
	return out
}

// inText reports a term that a line of the screen has.
func (r *reading) inText(term string) bool {
	return slices.ContainsFunc(r.lines, func(l line) bool { return found(term, l.words) > 0 })
}
