package decider

// The words of a sentence that the screen does not show may be misspelled, in
// the sentence or on the screen. Short words and numbers are taken as they are:
// too many of them are one letter apart.
const (
	leastTypo = 5 // letters of a word that may have one mistake
	leastTwo  = 9 // letters of one that may have two
)

// misspelled reports whether two different words may be one. The first letter
// is seldom wrong.
func misspelled(a, b string) bool {
	short := min(len(a), len(b))
	if short < leastTypo-1 || max(len(a), len(b)) < leastTypo || a[0] != b[0] || isNumber(a) {
		return false
	}
	if short >= leastTwo {
		return apart(a, b, 2)
	}
	return apart(a, b, 1)
}

// apart reports whether at most so many insertions, deletions, changes or swaps of
// neighbours lead from a to b.
func apart(a, b string, most int) bool {
	if a == b {
		return true
	}
	if most == 0 || len(a)-len(b) > most || len(b)-len(a) > most {
		return false
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch {
	case len(a) > 0 && apart(a[1:], b, most-1), len(b) > 0 && apart(a, b[1:], most-1):
		return true
	case len(a) > 0 && len(b) > 0 && apart(a[1:], b[1:], most-1):
		return true
	}
	return len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && apart(a[2:], b[2:], most-1)
}
