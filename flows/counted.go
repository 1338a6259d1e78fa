package flows

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"countersign/flows/safety"
	"countersign/surfaces"
)

// listing is a list or a table of a screen: what each item says, and the text
// over it.
type listing struct {
	over  string // the text over it
	names string // that and the labels around it
	keys  []string
	items map[string]string
}

var (
	inPlace   = regexp.MustCompile(`(?i)\b(?:in|on|of|from|under|within|inside)\s+`)
	quantity  = regexp.MustCompile(`(?i)^\d+\s*[x×]?\s|[x×]\s*\d+|\b(?:qty|quantity)\b`)
	anyDigits = regexp.MustCompile(`\d+`)
	goesMore  = regexp.MustCompile(`(?i)^(?:show|load|see|view)\s+(?:more|all)\b|^next(?:\s+page)?$|^[›»>]$`)
)

// Words that ask for a number of anything, or name no list by themselves.
var (
	anyItem  = wordSet("item", "entry", "entrie", "thing", "element", "row", "line", "there", "are", "is", "listed", "shown", "many", "total", "do", "you", "see", "have", "i", "it", "in", "on", "the", "a", "we", "different", "all")
	anyPlace = wordSet("list", "table", "page", "screen", "below", "above", "here", "the", "your", "my", "this", "that", "are", "is", "there", "a", "shown")
)

func wordSet(words ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return set
}

// howManyOf counts the items of a list that a text names: those of the list that
// is called so, or those that say so themselves. why tells what is not plain.
func howManyOf(screen *surfaces.Screen, of string) (n int, why string) {
	noun, place := of, ""
	if m := inPlace.FindStringIndex(of); m != nil {
		noun, place = of[:m[0]], of[m[1]:]
	}
	nouns, places := wordsBeside(noun, anyItem), wordsBeside(place, anyPlace)
	lists := slices.DeleteFunc(listings(screen), func(l listing) bool { return !hasWords(l.names, places) })
	if slices.ContainsFunc(screen.Candidates, func(c surfaces.Candidate) bool { return goesMore.MatchString(strings.TrimSpace(c.Name)) }) {
		return 0, "not all of them show"
	}
	var called []listing
	var counts []int
	for _, l := range lists {
		n := 0
		for _, key := range l.keys {
			if quantity.MatchString(l.items[key]) {
				return 0, "the items have numbers of their own"
			}
			if hasWords(l.items[key], nouns) {
				n++
			}
		}
		if len(nouns) > 0 && hasWords(l.names, nouns) {
			called = append(called, l)
		}
		if n > 0 {
			counts = append(counts, n)
		}
	}
	switch {
	case len(lists) == 0:
		return 0, "no such list shows"
	case len(called) == 1 && (len(counts) == 0 || len(counts) == 1 && counts[0] == len(called[0].keys)):
		if n = len(called[0].keys); saysOther(called[0].over, n) {
			return 0, "the text over the list says another number"
		}
		return n, ""
	case len(called) > 0 || len(counts) > 1:
		return 0, "several lists may be meant"
	case len(counts) == 0:
		return 0, "nothing in a list is called so"
	}
	return counts[0], ""
}

// saysOther reports a heading with a number in it that is not n: "Guests: 4".
func saysOther(heading string, n int) bool {
	for _, digits := range anyDigits.FindAllString(heading, -1) {
		if digits != strconv.Itoa(n) {
			return true
		}
	}
	return false
}

// wordsBeside are the words of a text, singular, without some.
func wordsBeside(text string, without map[string]bool) []string {
	var out []string
	for _, w := range safety.Words(text) {
		if w = singular(w); !without[w] {
			out = append(out, w)
		}
	}
	return out
}

func hasWords(text string, words []string) bool {
	have := wordsBeside(text, nil)
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) })
}

// listings are the lists of a screen, without the head row of a table.
func listings(screen *surfaces.Screen) []listing {
	heads := map[string]bool{}
	for _, t := range screen.TextNodes {
		heads[t.Column] = t.Column != ""
	}
	var out []listing
	at := map[string]int{}
	heading := ""
	for _, n := range nodesOf(screen, false) {
		text := squash(strings.Join(n.texts, " "))
		row := cardPath(n.path)
		if row == "" {
			if n.control == nil && len(text) <= mostHeading {
				heading = text
			}
			continue
		}
		depth := strings.Count(row, "\x00")
		family := strings.Join(n.path[:depth], "\x00") + "\x00" + numberedPart.FindStringSubmatch(n.path[depth])[1]
		if strings.HasPrefix(n.path[depth], "row ") && n.control == nil && heads[text] && headRow(screen, n.path) {
			continue
		}
		i, ok := at[family]
		if !ok {
			i = len(out)
			at[family] = i
			out = append(out, listing{over: heading, names: heading + " " + strings.Join(n.path[:depth], " "), items: map[string]string{}})
			heading = ""
		}
		if _, ok := out[i].items[row]; !ok {
			out[i].keys = append(out[i].keys, row)
		}
		out[i].items[row] = strings.TrimSpace(out[i].items[row] + " " + text)
	}
	return out
}

// headRow reports a row whose texts stand under no heading: they are headings.
func headRow(screen *surfaces.Screen, path []string) bool {
	return !slices.ContainsFunc(screen.TextNodes, func(t surfaces.TextNode) bool {
		return cardPath(t.Path) == cardPath(path) && t.Column != ""
	})
}
