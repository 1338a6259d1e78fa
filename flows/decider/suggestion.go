package decider

import (
	"slices"
	"strings"
)

// suggestion answers which row completes the text that was typed. A row must
// hold all of the text; of several that do, only one that stands out is taken.
func (r *reading) suggestion(q Question) Answer {
	typed := terms(q.Subject)
	slot := slotWords(q.Purpose)
	fits := make([]fit, 0, len(q.Options))
	for i := range q.Options {
		o := &q.Options[i]
		c := offered(o)
		p, why := completes(typed, slot, &c)
		fits = append(fits, fit{key: o.Key, p: p, why: why, id: c.name + "\x00" + c.path})
	}
	return choose(fits, pickFloor)
}

func completes(typed []string, slot []word, c *control) (float64, []string) {
	row := terms(c.name)
	if len(typed) == 0 || len(row) == 0 {
		return unrelated.p(), nil
	}
	if slices.Equal(typed, row) {
		return quotedExact.p(), []string{c.plain()}
	}
	hits := 0
	for _, t := range typed {
		if slices.Contains(row, t) {
			hits++
		}
	}
	share := float64(hits) / float64(len(typed))
	kind, _ := covered(slot, slotWords(c.name+" "+c.from.Description))
	switch {
	case hits == len(typed) && strings.HasPrefix(strings.Join(row, " "), strings.Join(typed, " ")):
		return wordsInName.p() - 0.01*float64(min(len(row)-len(typed), 6)) + 0.05*kind, typed
	case hits == len(typed):
		return nameInWords.p() + 0.05*kind, typed
	case prefixed(typed, row):
		return nameInWords.p() - 0.1 + 0.05*kind, typed
	case hits == len(row) && share >= 0.5:
		return nameInWords.p() - 0.12, row
	}
	return halfMatch.p() * share, nil
}

// prefixed reports rows that begin every typed word: "San Fra" and "San
// Francisco".
func prefixed(typed, row []string) bool {
	for _, t := range typed {
		if !slices.ContainsFunc(row, func(w string) bool { return len(t) >= 3 && strings.HasPrefix(w, t) }) {
			return false
		}
	}
	return true
}
