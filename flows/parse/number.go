package parse

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDigits keeps an amount exact in a float64 and text short.
const maxDigits = 15

// number is a number as it stands in a text: text[start:end], its digits, and
// the marks between them.
type number struct {
	start, end int
	groups     []string // digit groups, one more than marks
	marks      []rune   // '.', ',' or ' ' (space or apostrophe)
}

// numberAt reads the number that starts at i; ok is false when none does.
func numberAt(s string, i int) (n number, ok bool) {
	end := digitsEnd(s, i)
	if end == i {
		return n, false
	}
	n = number{start: i, end: end, groups: []string{s[i:end]}}
	for n.end < len(s) {
		r, size := utf8.DecodeRuneInString(s[n.end:])
		from := n.end + size
		to := digitsEnd(s, from)
		switch {
		case to == from:
			return n, true
		case r == '.' || r == ',':
			n.marks = append(n.marks, r)
		case groupSpace(r) && to-from == 3 && n.mayGroup():
			n.marks = append(n.marks, ' ')
		default:
			return n, true
		}
		n.groups = append(n.groups, s[from:to])
		n.end = to
	}
	return n, true
}

// mayGroup reports whether a group of thousands may follow: only a whole part
// of one to three digits, then threes, is grouped by spaces.
func (n number) mayGroup() bool {
	if len(n.groups[0]) > 3 {
		return false
	}
	for i, mark := range n.marks {
		if mark != ' ' || len(n.groups[i+1]) != 3 {
			return false
		}
	}
	return true
}

// numbers gives every number of a text in order.
func numbers(s string) []number {
	var out []number
	for i := 0; i < len(s); {
		n, ok := numberAt(s, i)
		if !ok {
			i++
			continue
		}
		out = append(out, n)
		i = n.end
	}
	return out
}

// decimal writes the number as decimal text, the digits as they stand. Which of
// . and , is the decimal mark follows flows.md 11.1; pointGroups makes a single
// point before three digits a mark of thousands, as the euro zone writes. False
// for what fits no way of writing numbers, such as 1,2,3.
func (n number) decimal(pointGroups bool) (string, bool) {
	whole, fraction := len(n.groups), "" // groups of the whole part
	points, commas, last := 0, 0, ' '
	for _, m := range n.marks {
		switch m {
		case '.':
			points, last = points+1, m
		case ',':
			commas, last = commas+1, m
		}
	}
	after := n.groups[len(n.groups)-1]
	split := false
	switch {
	case points > 0 && commas > 0:
		if last == '.' && points > 1 || last == ',' && commas > 1 {
			return "", false
		}
		split = true
	case commas == 1:
		split = len(after) == 2
	case points == 1:
		split = !pointGroups || len(after) != 3
	}
	if split {
		whole, fraction = whole-1, "."+after
	}
	if !grouped(n.groups[:whole]) {
		return "", false
	}
	digits := strings.Join(n.groups[:whole], "")
	if len(digits)+len(fraction) > maxDigits {
		return "", false
	}
	return digits + fraction, true
}

// grouped reports whether groups are those of one number: the last has three
// digits, those between two or three (India writes 1,23,456), the first one to
// three.
func grouped(groups []string) bool {
	if len(groups) == 1 {
		return true
	}
	for i, g := range groups {
		switch {
		case i == 0 && len(g) > 3:
			return false
		case i == len(groups)-1 && len(g) != 3:
			return false
		case i > 0 && len(g) != 2 && len(g) != 3:
			return false
		}
	}
	return true
}

// value reads decimal text.
func value(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0 // decimal text always parses
	}
	return v
}

func digitsEnd(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// groupSpace reports whether r may stand before a group of thousands.
func groupSpace(r rune) bool {
	return r == '\'' || r == '’' || r != '\n' && unicode.IsSpace(r)
}

func runeBefore(s string, i int) rune {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return r
}

func runeAfter(s string, i int) rune {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r
}

// letter reports whether r is a letter; the mark of broken text is none.
func letter(r rune) bool { return r != utf8.RuneError && unicode.IsLetter(r) }
