package parse

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	// 6:45 PM, 06:45, 9.30 a.m., 7 pm. What may stand around it is checked by
	// hand, for Go's expressions look neither ahead nor behind.
	clock = regexp.MustCompile(`(?i)(\d{1,2})(?:([:.])(\d{2}))?(?:[ \x{a0}\x{202f}]?([ap])(?:\.m\.?|m))?`)

	noon = regexp.MustCompile(`(?i)\bnoon\b`)

	chunk = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?)\s*(days?|d|hours?|hrs?|h|minutes?|mins?|m)`)
)

// ClockOf reads the first time of day shown, in minutes after midnight
// (flows.md 11.2).
func ClockOf(s string) (minutes int, ok bool) {
	at, found := len(s), false
	for from := 0; from < len(s); {
		m := clock.FindStringSubmatchIndex(s[from:])
		if m == nil {
			break
		}
		start, end := from+m[0], from+m[1]
		if v, fine := clockAt(s, start, end, m, from); fine {
			minutes, at, found = v, start, true
			break
		}
		from = max(end, digitsEnd(s, start))
	}
	if m := noon.FindStringIndex(s); m != nil && m[0] < at && !strings.HasSuffix(strings.ToLower(s[:m[0]]), "after") {
		return 12 * 60, true
	}
	return minutes, found
}

func clockAt(s string, start, end int, m []int, from int) (minutes int, ok bool) {
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return s[from+m[2*i] : from+m[2*i+1]]
	}
	hour, mark, minute, half := group(1), group(2), group(3), strings.ToLower(group(4))
	before, after := runeBefore(s, start), runeAfter(s, end)
	switch {
	case isDigit(before) || before == ':' || before == '.' || before == ',' || isDigit(after):
		return 0, false
	case half != "" && letter(after):
		return 0, false
	case half == "" && mark != ":":
		return 0, false // 9.30 and 7 are times only with a.m. or p.m.
	case half == "" && letter(after) && !strings.HasPrefix(s[end:], "Z"):
		return 0, false
	}
	h, min := atoi(hour), atoi(minute)
	if min > 59 || half == "" && h > 23 || half != "" && (h < 1 || h > 12) {
		return 0, false
	}
	if half == "" {
		return h*60 + min, true
	}
	h %= 12
	if half == "p" {
		h += 12
	}
	return h*60 + min, true
}

// DurationOf reads a duration in minutes: the sum of every chunk, rounded
// (flows.md 11.3).
func DurationOf(s string) (minutes int, ok bool) {
	total, last := 0.0, -1
	for _, m := range chunk.FindAllStringSubmatchIndex(s, -1) {
		start, end := m[0], m[1]
		before := runeBefore(s, start)
		if letter(runeAfter(s, end)) || start != last && (letter(before) || strings.ContainsRune(".,:-₹$€£¥", before)) {
			continue
		}
		v, err := strconv.ParseFloat(s[m[2]:m[3]], 64)
		if err != nil {
			continue
		}
		unit := strings.ToLower(s[m[4]:m[5]])
		total += v * perUnit(unit)
		ok, last = true, end
		if unit[0] == 'h' { // 2h35
			if tail := digitsEnd(s, end); tail > end && tail-end <= 2 && !continues(s, tail) {
				total += float64(atoi(s[end:tail]))
			}
		}
	}
	if total > 1e6 { // two years: no duration a page shows
		return 0, false
	}
	return int(math.Round(total)), ok
}

// continues reports whether the digits that end at i are followed by a unit, a
// fraction or more of a word, so that they are a chunk of their own or none.
func continues(s string, i int) bool {
	r := runeAfter(s, i)
	if letter(r) || r == '.' || r == ':' || r == ',' {
		return true
	}
	m := chunk.FindStringIndex("0" + s[i:])
	return m != nil && m[0] == 0
}

func perUnit(unit string) float64 {
	switch unit[0] {
	case 'd':
		return 24 * 60
	case 'h':
		return 60
	default:
		return 1
	}
}

// StopsOf reads a count of stops (flows.md 11.4).
func StopsOf(s string) (int, bool) {
	w := words(s)
	for i, word := range w {
		switch word {
		case "nonstop":
			return 0, true
		case "direct":
			if i == 0 || w[i-1] != "not" && w[i-1] != "non" {
				return 0, true
			}
		case "stop", "stops":
			if i == 0 {
				continue
			}
			if n, ok := count(w[i-1]); ok {
				return n, true
			}
		}
	}
	return 0, false
}

// count reads a small number written in digits or as a word; before a stop, non
// and no are none at all.
func count(word string) (int, bool) {
	if n := slices.Index([]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}, word); n >= 0 {
		return n, true
	}
	if word == "non" || word == "zero" {
		return 0, true
	}
	if len(word) > 2 || digitsEnd(word, 0) != len(word) {
		return 0, false
	}
	return atoi(word), true
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// atoi reads digits; an empty text is 0.
func atoi(digits string) int {
	n := 0
	for _, d := range digits {
		n = n*10 + int(d-'0')
	}
	return n
}
