package decider

import (
	"strconv"
	"strings"
)

// ordinals are places in words; the last is counted from the end.
var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
	"eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "last": -1, "final": -1, "bottom": -1, "topmost": 1, "penultimate": -2,
}

var nthEnding = map[string]bool{"st": true, "nd": true, "rd": true, "th": true}

// nthOf reads "third" and "3rd".
func nthOf(f string) (int, bool) {
	if n, ok := ordinals[f]; ok {
		return n, n > 0
	}
	if f == "" || f[0] < '0' || f[0] > '9' || len(f) < 3 || !nthEnding[f[len(f)-2:]] {
		return 0, false
	}
	n, err := strconv.Atoi(f[:len(f)-2])
	return n, err == nil
}

var units = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
}

var tens = map[string]int{
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

// halfDay may follow a number and be one with it.
var halfDay = map[string]bool{"am": true, "pm": true, "a": true, "p": true}

// numberAt reads a number of several fragments: "twenty one", "twenty first",
// "2:15 pm". It gives the number and how many fragments it has.
func numberAt(fs []string, i int) (string, int) {
	if i+1 >= len(fs) {
		return "", 0
	}
	if ten, ok := tens[fs[i]]; ok {
		if unit, ok := units[fs[i+1]]; ok {
			return strconv.Itoa(ten + unit), 2
		}
		if nth, ok := ordinals[fs[i+1]]; ok && nth > 0 && nth < 10 {
			return strconv.Itoa(ten+nth) + "th", 2
		}
		return "", 0
	}
	if !isNumber(fs[i]) {
		return "", 0
	}
	half, n := fs[i+1], 2
	if (half == "a" || half == "p") && i+2 < len(fs) && fs[i+2] == "m" {
		half, n = half+"m", 3
	}
	if half != "am" && half != "pm" {
		return "", 0
	}
	hour, minute, _ := strings.Cut(strings.ReplaceAll(fs[i], ".", ":"), ":")
	h, err := strconv.Atoi(hour)
	if err != nil || h < 1 || h > 12 {
		return "", 0
	}
	h %= 12
	if half == "pm" {
		h += 12
	}
	if minute == "" {
		minute = "00"
	}
	return strconv.Itoa(h) + ":" + minute, n
}
