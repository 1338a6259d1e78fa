package decider

import (
	"regexp"
	"sort"
	"strconv"
	"strings"

	"countersign/flows/parse"
)

// list answers which of several lists is meant: by its words, and by the
// measures its items show.
func (r *reading) list(q Question) Answer {
	want := statementOf(q.Subject).words
	fits := make([]fit, 0, len(q.Options))
	for i := range q.Options {
		o := &q.Options[i]
		c := offered(o)
		text := strings.TrimSpace(c.name + " " + c.from.Description + " " + c.path)
		hit, why := covered(want, wordsOf(text))
		f := fit{key: o.Key, why: why, id: text, p: 0.1 + 0.7*hit}
		if _, ok := amountIn(text); ok {
			f.p += 0.08
		}
		if _, ok := clockIn(text); ok {
			f.p += 0.04
		}
		fits = append(fits, f)
	}
	return choose(fits, leanFloor)
}

// record answers which card fits what is asked of it.
func (r *reading) record(q Question) Answer {
	fits := make([]fit, 0, len(q.Options))
	texts := make([]string, 0, len(q.Options))
	for i := range q.Options {
		o := &q.Options[i]
		c := offered(o)
		texts = append(texts, strings.TrimSpace(c.name+" "+c.from.Description))
	}
	for i, o := range q.Options {
		p, why := meets(q.Subject, texts[i])
		fits = append(fits, fit{key: o.Key, p: p, why: why, id: texts[i]})
	}
	preferExtreme(q.Subject, fits, texts)
	return choose(fits, pickFloor)
}

// belongs answers whether a card is of what is picked from. A word that other
// cards asked about at once show and this one does not counts against it; one
// that none of them shows was said by the page, not by its cards.
func (r *reading) belongs(q Question, all map[string]Question) Answer {
	if len(q.Options) == 0 {
		return yes(unrelated.p(), "no card is shown")
	}
	text := cardText(&q.Options[0])
	if said, ok := firstOf(strings.ToLower(text), []string{"sponsored", "advertisement", "promoted"}); ok {
		return yes(otherNumber.p(), said)
	}
	p := changed.p()
	var why []string
	common := spoken(all)
	kind := kindNamed(q.Subject)
	if said, of := saying(all, kind); 2*said > of {
		kind = ""
	}
	for _, w := range statementOf(q.Subject).words {
		if w.weight < plainWeight || w.text == kind {
			continue
		}
		if found(w.text, wordsOf(text)) > 0 {
			why = append(why, w.text)
			continue
		}
		if common[w.text] {
			p = min(p, halfPresent.p())
			why = append(why, "not "+w.text)
		}
	}
	if limit, ok := limits(q.Subject, text); ok {
		p = min(p, limit)
	}
	if q.Purpose != "" {
		m, more := meets(q.Purpose, text)
		p, why = min(p, m), append(why, more...)
	}
	if len(why) == 0 {
		why = []string{"judged by its kind and its limits"}
	}
	return yes(p, why...)
}

// saying counts the cards of a request that have a word.
func saying(all map[string]Question, term string) (said, of int) {
	for _, q := range all {
		if q.Ask != AskBelongs || len(q.Options) == 0 {
			continue
		}
		of++
		if found(term, wordsOf(cardText(&q.Options[0]))) > 0 {
			said++
		}
	}
	return said, of
}

// kindNamed is the word that says what all of the list are: the plural at its
// end, or before what is said of all of them. Where few have the word it is part
// of their names: the Station Hotel is not the only hotel.
func kindNamed(subject string) string {
	fs := fragments(quoted.ReplaceAllString(subject, " "))
	for i, f := range fs {
		if len(f) < 4 || !strings.HasSuffix(f, "s") || strings.HasSuffix(f, "ss") || weigh(canonical(f)) < plainWeight {
			continue
		}
		if i+1 == len(fs) || ofAll[fs[i+1]] {
			return canonical(f)
		}
	}
	return ""
}

var ofAll = map[string]bool{
	"in": true, "of": true, "for": true, "with": true, "from": true, "to": true, "on": true, "by": true, "at": true, "near": true, "that": true,
	"which": true, "under": true, "below": true, "between": true, "shown": true, "listed": true, "offered": true, "found": true,
}

func cardText(o *Option) string {
	c := offered(o)
	return strings.TrimSpace(c.name + " " + c.from.Description)
}

// spoken are the words that at least one card of the request shows.
func spoken(all map[string]Question) map[string]bool {
	out := map[string]bool{}
	for _, q := range all {
		if q.Ask != AskBelongs || len(q.Options) == 0 {
			continue
		}
		ws := wordsOf(cardText(&q.Options[0]))
		for _, w := range statementOf(q.Subject).words {
			if found(w.text, ws) > 0 {
				out[w.text] = true
			}
		}
	}
	return out
}

// meets judges a card against a wish: its limits first, then its words.
func meets(wish, card string) (float64, []string) {
	words := wishWords(wish)
	limit, limited := limits(wish, card)
	if limited && limit < pickFloor {
		return limit, []string{"a limit is not kept"}
	}
	if len(words) == 0 {
		if limited {
			return limit, []string{"every limit is kept"}
		}
		return halfMatch.p(), nil
	}
	for _, m := range quoted.FindAllStringSubmatch(wish, -1) {
		for _, g := range m[1:] {
			if n := normalize(g); n != "" && !containsPhrase(normalize(card), n) {
				return notQuoted.p(), []string{n, "is not in it"}
			}
		}
	}
	hit, why := covered(words, wordsOf(card))
	switch {
	case hit > 0.995:
		return wordsInName.p(), why
	case limited && hit == 0:
		return nameInWords.p(), []string{"every limit is kept"}
	}
	return hit * halfMatch.p() * 1.2, why
}

var between = regexp.MustCompile(`(?i)\bbetween\s+[^\d\s]{0,2}\s?(\d[\d.,:]*)\s+and\s+[^\d\s]{0,2}\s?(\d[\d.,:]*)`)

var wishLimits = regexp.MustCompile(`(?i)\b(under|below|less than|at most|no more than|up to|cheaper than|over|above|more than|at least|before|after|by)\s+[^\d\s]{0,4}\s?(\d[\d.,:]*|one|two|three)\s*(am|pm|stops?|changes?|transfers?|stars?)?`)

var partsOfDay = []struct {
	word     string
	from, to int
}{{"morning", 5 * 60, 12 * 60}, {"afternoon", 12 * 60, 17 * 60}, {"evening", 17 * 60, 23 * 60}, {"night", 21 * 60, 24 * 60}}

var superlatives = set(`cheapest lowest earliest latest fastest shortest quickest fewest most least best highest top rated rating first last price
	time closest nearest available`)

// wishWords are the words of a wish that a card has to show: limits, parts of
// the day and superlatives are judged by numbers.
func wishWords(wish string) []word {
	wish = wishLimits.ReplaceAllString(wish, " ")
	lower := strings.ToLower(wish)
	for _, d := range partsOfDay {
		lower = strings.ReplaceAll(lower, d.word, " ")
	}
	for _, s := range []string{"non-stop", "nonstop", "direct"} {
		lower = strings.ReplaceAll(lower, s, " ")
	}
	var out []word
	for _, w := range statementOf(lower).words {
		if !superlatives[w.text] {
			out = append(out, w)
		}
	}
	return out
}

// limits checks what a wish says in numbers; false when it says nothing so.
func limits(wish, card string) (float64, bool) {
	said, kept := false, true
	for _, m := range wishLimits.FindAllStringSubmatch(wish, -1) {
		if ok, readable := keeps(m, card); readable {
			said, kept = true, kept && ok
		}
	}
	for _, m := range between.FindAllStringSubmatch(wish, -1) {
		for _, half := range [][]string{{"", "at least", m[1], ""}, {"", "at most", m[2], ""}} {
			if ok, readable := keeps(half, card); readable {
				said, kept = true, kept && ok
			}
		}
	}
	lower := strings.ToLower(wish)
	if at, ok := clockIn(card); ok {
		for _, d := range partsOfDay {
			if strings.Contains(lower, d.word) {
				said, kept = true, kept && at >= d.from && at < d.to
			}
		}
	}
	if firstIn(lower, "non-stop", "nonstop", "direct ") || strings.HasSuffix(lower, "direct") {
		if n, ok := stopsIn(card); ok {
			said, kept = true, kept && n == 0
		}
	}
	if !said {
		return 0, false
	}
	if kept {
		return changed.p(), true
	}
	return denied.p(), true
}

func keeps(m []string, card string) (ok, readable bool) {
	relation, bound, unit := strings.ToLower(m[1]), m[2], strings.ToLower(m[3])
	if strings.HasPrefix(unit, "stop") || strings.HasPrefix(unit, "change") || strings.HasPrefix(unit, "transfer") {
		n, got := stopsIn(card)
		limit, err := strconv.ParseFloat(canonicalNumber(bound), 64)
		return err == nil && satisfies(float64(n), relation, limit), got && err == nil
	}
	if relation == "before" || relation == "after" || relation == "by" || strings.Contains(bound, ":") {
		at, got := clockIn(card)
		limit, can := clockIn(bound + clockTail(bound, unit))
		if relation == "after" {
			return at > limit, got && can
		}
		return at <= limit, got && can
	}
	v, got := amountIn(card)
	if !got {
		v, got = numberIn(card)
	}
	limit, can := numberIn(bound)
	return satisfies(v, relation, limit), got && can
}

func canonicalNumber(s string) string {
	if s == "one" {
		return "1"
	}
	return canonical(strings.ToLower(s))
}

func clockTail(bound, unit string) string {
	if strings.Contains(bound, ":") {
		return unit
	}
	return ":00" + unit
}

// preferExtreme breaks ties by a superlative of the wish: of several morning
// trains the cheapest.
func preferExtreme(wish string, fits []fit, texts []string) {
	lower := strings.ToLower(wish)
	var measure func(string) (float64, bool)
	sign := 1.0
	clock := func(s string) (float64, bool) { m, ok := clockIn(s); return float64(m), ok }
	switch {
	case firstIn(lower, "cheapest", "lowest price", "lowest fare", "least expensive"):
		measure = amountIn
	case firstIn(lower, "most expensive", "highest price"):
		measure, sign = amountIn, -1
	case firstIn(lower, "earliest"):
		measure = clock
	case firstIn(lower, "latest"):
		measure, sign = clock, -1
	case firstIn(lower, "highest rated", "best rated", "top rated", "highest rating", "best rating"):
		measure, sign = ratingIn, -1
	case firstIn(lower, "fastest", "shortest", "quickest"):
		measure = func(s string) (float64, bool) { m, ok := parse.DurationOf(s); return float64(m), ok }
	default:
		return
	}
	order := make([]int, 0, len(fits))
	for i := range fits {
		if _, ok := measure(texts[i]); ok && fits[i].p >= halfMatch.p() {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool {
		x, _ := measure(texts[order[a]])
		y, _ := measure(texts[order[b]])
		return sign*x < sign*y
	})
	for rank, i := range order {
		if rank == 0 {
			fits[i].p = max(fits[i].p, wordsInName.p())
			fits[i].why = append(fits[i].why, "the first by that measure")
			continue
		}
		x, _ := measure(texts[order[0]])
		y, _ := measure(texts[i])
		if x != y {
			fits[i].p = min(fits[i].p, wordsInName.p()-clearLead)
		} else {
			fits[i].p = max(fits[i].p, wordsInName.p())
		}
	}
}
