package decider

import (
	"slices"
	"strings"

	"countersign/surfaces"
)

// relation is how a control stands to what a sentence names beside it.
type relation string

const (
	inside  relation = "in"
	beside  relation = "next to"
	leftOf  relation = "left of"
	rightOf relation = "right of"
	above   relation = "above"
	below   relation = "below"
)

// place is one such clause: "in the row of Smith", "next to Total".
type place struct {
	how    relation
	words  []word
	quotes []string
	name   string // of a part of the screen, as terms
	nth    int    // "in the third row"
	soft   bool   // told by a part's name alone: no place when nothing that fits stands there
	part   string // the kind of part it names: row, section, dialog; "" for none
}

// relationPhrase is a preposition of place.
type relationPhrase struct {
	words []string
	how   relation
}

var relationPhrases = append([]relationPhrase{
	{[]string{"to", "the", "left", "of"}, leftOf},
	{[]string{"on", "the", "left", "of"}, leftOf},
	{[]string{"left", "of"}, leftOf},
	{[]string{"to", "the", "right", "of"}, rightOf},
	{[]string{"on", "the", "right", "of"}, rightOf},
	{[]string{"right", "of"}, rightOf},
	{[]string{"next", "to"}, beside},
	{[]string{"continue", "to"}, beside}, // "next to" when next is read as continue
	{[]string{"beside"}, beside},
	{[]string{"near"}, beside},
	{[]string{"close", "to"}, beside},
	{[]string{"right", "after"}, beside},
	{[]string{"above"}, above},
	{[]string{"below"}, below},
	{[]string{"beneath"}, below},
	{[]string{"underneath"}, below},
	{[]string{"under"}, below},
	{[]string{"in"}, inside},
	{[]string{"inside"}, inside},
	{[]string{"within"}, inside},
	{[]string{"on"}, inside},
	{[]string{"from"}, inside},
	{[]string{"to"}, inside},
	{[]string{"of"}, inside},
	{[]string{"at"}, inside},
	{[]string{"for"}, inside},
}, abroad.relations...)

// parts are words for a part of the screen; only with one of them is "in" more
// than a word of what is looked for.
var parts = together(abroad.parts, map[string]bool{
	"section": true, "panel": true, "area": true, "part": true, "group": true, "card": true, "table": true, "form": true, "dialog": true,
	"list": true, "column": true, "row": true, "menu": true, "sidebar": true, "toolbar": true, "header": true, "footer": true, "block": true,
	"region": true, "text": true, "paragraph": true, "heading": true, "box": true, "line": true, "popup": true, "modal": true, "window": true, "tile": true,
})

// relationAt finds a clause of place that begins at i, and how many words its
// preposition has.
func (s *sentence) relationAt(i int) (relation, int) {
	for _, p := range relationPhrases {
		if !s.at(i, p.words...) {
			continue
		}
		n := len(p.words)
		if p.words[0] == "continue" && i == 0 {
			return "", 0 // "continue to payment"
		}
		if p.how == inside && !s.partAhead(i+n) && s.namedPart(i+n) == 0 {
			return "", 0
		}
		if (p.how == below || p.how == beside) && s.namedPart(i+n) > 0 {
			return inside, n // "under Price" is in the group Price
		}
		if i+n >= len(s.tokens) || p.how != inside && (i == 0 || isNumber(s.tokens[i+n].term)) {
			return "", 0
		}
		return p.how, n
	}
	return "", 0
}

// namedPart reports how many tokens from i on are the name of a part of the
// screen, its article included; 0 for none.
func (s *sentence) namedPart(i int) int {
	from := i
	for s.at(i, "the") || s.at(i, "my") || s.at(i, "a") {
		i++
	}
	name := ""
	most := 0
	for k := i; k < len(s.tokens) && k < i+4 && !s.taken[k]; k++ {
		name = strings.TrimSpace(name + " " + s.tokens[k].term)
		if s.parts[name] {
			most = k + 1 - from
		}
	}
	return most
}

// joined are the terms of a stretch, without a leading article.
func (s *sentence) joined(from, to int) string {
	for from < to && (s.at(from, "the") || s.at(from, "my") || s.at(from, "a")) {
		from++
	}
	var out []string
	for _, t := range s.tokens[from:to] {
		out = append(out, t.term)
	}
	return strings.Join(out, " ")
}

// partAhead reports a word for a part of the screen within the next words: "the
// row of Smith", "the Billing section".
func (s *sentence) partAhead(i int) bool {
	const reach = 5
	for k := i; k < len(s.tokens) && k < i+reach; k++ {
		if s.tokens[k].quote > 0 {
			continue
		}
		if parts[s.tokens[k].said] {
			// "add to the list" says where to, "from the list of results" too; a
			// verb's own object does not follow a place word.
			return s.tokens[i].said != "a" || k > i
		}
		if k > i && slices.Contains([]string{"in", "on", "next", "then", "below", "under", "above"}, s.tokens[k].said) {
			return false
		}
	}
	return false
}

// readPlaces takes the clauses of place out of the sentence.
func (p *purpose) readPlaces(s *sentence) {
	for i := 0; i < len(s.tokens); i++ {
		how, n := s.relationAt(i)
		if n == 0 || how == inside && (i == 0 || s.said(i) == "to" && !s.adds()) {
			continue
		}
		from := i + n
		named := s.namedPart(from)
		if how == inside && named == 0 && (s.said(i) == "of" && !s.at(i-1, "row") || s.said(i) == "for") {
			continue
		}
		to := s.placeEnd(from)
		if i == 1 && s.said(i) == "on" && to == len(s.tokens) && parts[s.said(to-1)] && named == 0 {
			continue // "click on the green tile" is about the tile
		}
		if named > 0 && !s.partIn(from+named, to) {
			to = from + named
		}
		soft := named > 0 && !s.partIn(from, to)
		at := place{how: how, soft: soft, name: s.joined(from, from+named)}
		at.read(s, from, to)
		if at.name == "" && len(at.words) == 0 && len(at.quotes) == 0 && at.nth == 0 && at.part == "" {
			continue
		}
		p.where = append(p.where, at)
		s.take(i, to)
		i = to - 1
	}
}

// partIn reports a word for a part of the screen in a stretch.
func (s *sentence) partIn(from, to int) bool {
	for i := from; i < to; i++ {
		if s.tokens[i].quote == 0 && parts[s.tokens[i].said] {
			return true
		}
	}
	return false
}

// adds reports a sentence that puts something somewhere.
func (s *sentence) adds() bool { return anyOf(s.termAt(0), "add", "drop", "move") }

// placeEnd is where the words of a place end: at the next clause. "the row of
// Smith" and "the row for Smith" are one.
func (s *sentence) placeEnd(i int) int {
	from := i
	for ; i < len(s.tokens); i++ {
		if s.taken[i] || s.labels(i) || s.at(i, "then") || s.at(i, "and") && acting[s.termAt(i+1)] || s.at(i, "but") || s.at(i, "not") || s.at(i, "except") || s.at(i, "by") {
			return i
		}
		if i == from {
			continue
		}
		if _, n := s.relationAt(i); n > 0 && !(s.at(i, "of") || s.at(i, "for") || s.at(i, "with")) {
			return i
		}
	}
	return i
}

// labels reports "labelled "Cancel"" where no part of the screen is called so:
// it is the thing in the place that bears the label.
func (s *sentence) labels(i int) bool {
	if !slices.Contains(labelWords, s.said(i)) || i+1 == len(s.tokens) || s.tokens[i+1].quote == 0 {
		return false
	}
	return !s.parts[strings.Join(terms(s.quotes[s.tokens[i+1].quote-1]), " ")]
}

var labelWords = []string{"labelled", "labeled", "named", "called", "titled", "marked"}

func (at *place) read(s *sentence, from, to int) {
	for i := from; i < to; i++ {
		t := s.tokens[i]
		if t.quote == 0 && parts[t.said] {
			at.part = t.said
			s.take(i, i+1)
			continue
		}
		if n, isNth := nthOf(t.said); t.quote == 0 && (isNth || ordinals[t.said] != 0) {
			if !isNth {
				n = ordinals[t.said]
			}
			at.nth = n
			s.take(i, i+1)
		}
	}
	all, quotes := s.words(from, to)
	at.words, at.quotes = heavier(all, roamWeight), quotes
}

// String is the place as an answer gives it for its reason.
func (at place) String() string {
	out := string(at.how)
	if at.part != "" {
		out += " the " + at.part
	}
	for i := range at.words {
		out += " " + at.words[i].written()
	}
	return out
}

// holdsPlace tells how surely a control stands in a place, from 0 to 1.
func (r *reading) holdsPlace(at *place, c *control) float64 {
	if at.nth != 0 && len(at.words) == 0 {
		want := at.nth
		if want < 0 {
			want = r.lastPlace(c) + 1 + want
		}
		return truth(c.place == want)
	}
	if at.name != "" && len(at.words) == 0 {
		return truth(containsPhrase(strings.Join(terms(c.path), " "), at.name))
	}
	if len(at.words) == 0 && len(at.quotes) == 0 {
		return r.partOnly(at, c)
	}
	if len(at.quotes) > 0 && r.quotedAround(at, c) {
		return 1
	}
	switch at.how {
	case leftOf, rightOf, above:
		return r.byBox(at, c)
	case below:
		return max(at.among(c.under()), at.among(c.around()...), r.byBox(at, c))
	case beside:
		return max(at.among(c.near()), at.among(c.around()...), r.byBox(at, c))
	case inside:
	}
	return max(at.among(c.around()...), at.among(c.near()))
}

// quotedAround reports a control around which the quotes of a place stand.
func (r *reading) quotedAround(at *place, c *control) bool {
	text := normalize(c.path + " " + c.from.Card)
	for _, q := range at.quotes {
		if !containsPhrase(text, q) && !hasPhraseOf(c.near(), q) && !hasPhraseOf(c.under(), q) {
			return false
		}
	}
	return true
}

func hasPhraseOf(ws []word, phrase string) bool {
	return containsPhrase(strings.Join(textsOf(ws), " "), strings.Join(terms(phrase), " "))
}

// partOnly judges "in the dialog": what stands in none is not meant while
// something does.
func (r *reading) partOnly(at *place, c *control) float64 {
	if at.part == "dialog" || at.part == "popup" || at.part == "modal" {
		return truth(c.inLayer() || !r.hasLayer)
	}
	return 1
}

// among is the share of the place's words, or of its quotes, among others.
func (at *place) among(in ...[]word) float64 {
	hit, _ := covered(at.words, in...)
	return hit
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// lastPlace is the highest number among the containers of c's family.
func (r *reading) lastPlace(c *control) int {
	last := 0
	for i := range r.controls {
		if d := &r.controls[i]; d.family == c.family {
			last = max(last, d.place)
		}
	}
	return last
}

// byBox judges by the boxes of the controls that have the words of the place.
func (r *reading) byBox(at *place, c *control) float64 {
	if c.from.Box == (surfaces.Bounds{}) {
		return 0
	}
	best := 0.0
	for i := range r.controls {
		d := &r.controls[i]
		if d == c || d.from.Box == (surfaces.Bounds{}) || d.from.Box == c.from.Box {
			continue
		}
		hit, _ := covered(at.words, d.words(), d.says())
		if hit < 0.99 || explains(d.words(), at.words) < 0.99 {
			continue
		}
		if stands(at.how, c.from.Box, d.from.Box) {
			best = max(best, nearness(c.from.Box, d.from.Box))
		}
	}
	return best
}

// nearness of two boxes is 1 where they touch and never under 0.6: of several
// that stand to the left of something the nearest is meant.
func nearness(a, b surfaces.Bounds) float64 {
	dx := max(a.X-b.X-b.Width, b.X-a.X-a.Width, 0)
	dy := max(a.Y-b.Y-b.Height, b.Y-a.Y-a.Height, 0)
	return 0.6 + 0.4/(1+(dx+dy)/100)
}

// explains is the share of words that others account for.
func explains(words []word, by ...[]word) float64 {
	hit, _ := covered(words, by...)
	return hit
}

// stands compares two boxes; to the side of something means on its height.
func stands(how relation, a, b surfaces.Bounds) bool {
	level := a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
	stacked := a.X < b.X+b.Width && b.X < a.X+a.Width
	switch how {
	case leftOf:
		return level && a.X+a.Width <= b.X+b.Width/2
	case rightOf:
		return level && a.X >= b.X+b.Width/2
	case above:
		return stacked && a.Y+a.Height <= b.Y+b.Height/2
	case below:
		return stacked && a.Y >= b.Y+b.Height/2
	case beside:
		gap := max(a.X-b.X-b.Width, b.X-a.X-a.Width)
		return level && gap < max(a.Width, b.Width)
	case inside:
	}
	return false
}
