package decider

import (
	"regexp"
	"strings"
)

var comparison = regexp.MustCompile(`(?i)\b(under|below|less than|at most|no more than|not more than|up to|cheaper than|over|above|more than|at least|no less than|exceeds)\s+[^\d\s]{0,4}\s?(\d[\d.,:]*)`)

// compared judges "the total is under €100" by the number beside the words.
func (r *reading) compared(condition string) (verdict, bool) {
	m := comparison.FindStringSubmatch(condition)
	if m == nil {
		return verdict{}, false
	}
	bound, ok := numberIn(m[2])
	if !ok {
		return verdict{}, false
	}
	s := statementOf(strings.Replace(condition, m[0], " ", 1))
	if s.list || plainCount(s) {
		if n := r.cards(); n > 0 {
			return comparedVerdict(float64(n), m[1], bound), true
		}
	}
	for i := range r.lines {
		hit, _ := covered(s.words, r.lines[i].words)
		if len(s.words) > 0 && hit < 0.75 {
			continue
		}
		if v, ok := numberIn(r.lines[i].text); ok {
			return comparedVerdict(v, m[1], bound), true
		}
		if i+1 < len(r.lines) {
			if v, ok := numberIn(r.lines[i+1].text); ok {
				return comparedVerdict(v, m[1], bound), true
			}
		}
	}
	return verdict{halfPresent.p(), []string{"no number beside it"}}, true
}

// plainCount reports a statement about how many of something there are.
func plainCount(s statement) bool {
	return strings.HasSuffix(s.plain, "showing") || strings.HasSuffix(s.plain, "listed") || strings.HasSuffix(s.plain, "shown")
}

func comparedVerdict(v float64, relation string, bound float64) verdict {
	if satisfies(v, relation, bound) {
		return verdict{allStated.p(), []string{"the number fits"}}
	}
	return verdict{denied.p(), []string{"the number does not fit"}}
}

func satisfies(v float64, relation string, bound float64) bool {
	switch strings.ToLower(relation) {
	case "under", "below", "less than", "cheaper than":
		return v < bound
	case "at most", "no more than", "not more than", "up to":
		return v <= bound
	case "over", "above", "more than", "exceeds":
		return v > bound
	default: // at least, no less than
		return v >= bound
	}
}
