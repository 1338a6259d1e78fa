package parse

import (
	"slices"
	"strings"
)

// CriterionKind is what a pick ranks by.
type CriterionKind string

// The criteria of flows.md 11.6 that need no judgement.
const (
	LowestPrice  CriterionKind = "lowest_price"
	HighestPrice CriterionKind = "highest_price"
	Earliest     CriterionKind = "earliest"
	Latest       CriterionKind = "latest"
	FewestStops  CriterionKind = "fewest_stops"
	Shortest     CriterionKind = "shortest"
	First        CriterionKind = "first"
	Last         CriterionKind = "last"
	Nearest      CriterionKind = "nearest"     // to Criterion.Nearest
	FirstWhere   CriterionKind = "first_where" // page order; Criterion.Condition must hold
)

// Criterion is what the `by` of a pick asks for.
type Criterion struct {
	Kind      CriterionKind
	Nearest   float64 // for Nearest
	Condition string  // for FirstWhere: what the first one must be
}

// fillers may stand beside a criterion; anything else asks for more than a
// ranking.
var fillers = []string{"the", "a", "one", "option", "item", "result", "by", "of", "in", "total", "number", "time", "travel"}

var wordings = map[string]CriterionKind{
	"cheapest": LowestPrice, "least expensive": LowestPrice,
	"lowest price": LowestPrice, "lowest fare": LowestPrice, "lowest cost": LowestPrice,
	"most expensive": HighestPrice, "highest price": HighestPrice, "highest fare": HighestPrice, "highest cost": HighestPrice,
	"earliest": Earliest, "earliest departure": Earliest,
	"latest": Latest, "latest departure": Latest,
	"fewest stops": FewestStops, "least stops": FewestStops,
	"shortest": Shortest, "shortest duration": Shortest, "fastest": Shortest, "quickest": Shortest,
	"first": First, "last": Last,
}

// conditions are the words after "first …" that make it the first which fits.
var conditions = []string{"rated", "under", "over", "with", "available"}

// CriterionOf reads the `by` of a pick. False when it asks for judgement:
// "a morning flight", "cheapest non-stop".
func CriterionOf(by string) (Criterion, bool) {
	plain := slices.DeleteFunc(words(by), func(w string) bool { return slices.Contains(fillers, w) })
	if kind, ok := wordings[strings.Join(plain, " ")]; ok {
		return Criterion{Kind: kind}, true
	}
	if n, ok := nearestTo(by); ok {
		return Criterion{Kind: Nearest, Nearest: n}, true
	}
	if condition, ok := firstWhere(by); ok {
		return Criterion{Kind: FirstWhere, Condition: condition}, true
	}
	return Criterion{}, false
}

// nearestTo reads "closest to 9" and "nearest to size 42": at most two words
// before the number, and nothing but a currency and fillers after it.
func nearestTo(by string) (float64, bool) {
	found := numbers(by)
	if len(found) != 1 {
		return 0, false
	}
	n := found[0]
	text, ok := n.decimal(currencyOf(by, n) == "EUR")
	if !ok || letter(runeBefore(by, n.start)) || letter(runeAfter(by, n.end)) {
		return 0, false
	}
	lead := slices.DeleteFunc(words(by[:n.start]), func(w string) bool { return w != "to" && slices.Contains(fillers, w) })
	if len(lead) < 2 || len(lead) > 4 || lead[0] != "closest" && lead[0] != "nearest" || lead[1] != "to" {
		return 0, false
	}
	tail := words(by[n.end:])
	if c := currencyAfter(strings.TrimSpace(by[n.end:])); c != "" {
		tail = nil
	}
	if slices.ContainsFunc(tail, func(w string) bool { return !slices.Contains(fillers, w) }) {
		return 0, false
	}
	return value(text), true
}

// firstWhere reads "first rated 4 stars or more"; the condition keeps its own
// words.
func firstWhere(by string) (condition string, ok bool) {
	rest := strings.TrimSpace(by)
	for _, lead := range []string{"the ", "first "} {
		if len(rest) >= len(lead) && strings.EqualFold(rest[:len(lead)], lead) {
			rest = strings.TrimSpace(rest[len(lead):])
			continue
		}
		if lead == "first " {
			return "", false
		}
	}
	w := words(rest)
	if !slices.ContainsFunc(w, func(word string) bool { return slices.Contains(conditions, word) }) {
		return "", false
	}
	return rest, true
}
