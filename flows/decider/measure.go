package decider

import (
	"regexp"
	"strconv"
	"strings"
)

var number = regexp.MustCompile(`\d[\d.,]*\d|\d`)

// numberIn is the first amount or count in text; clocks are left out.
func numberIn(text string) (float64, bool) {
	text = clockTime.ReplaceAllString(text, " ")
	m := number.FindString(text)
	if m == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(plainNumber(m), 64)
	return v, err == nil
}

// amountIn is the first amount with a currency in text.
func amountIn(text string) (float64, bool) {
	m := amount.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(plainNumber(m[1]+m[2]), 64)
	return v, err == nil
}

var (
	amount    = regexp.MustCompile(`(?i)(?:[€$£₹¥]|\b(?:eur|usd|gbp|inr|rs\.?)\b)\s?(\d[\d.,]*\d|\d)|(\d[\d.,]*\d|\d)\s?(?:[€$£₹¥]|(?:eur|usd|gbp|inr)\b)`)
	clockTime = regexp.MustCompile(`(?i)\b(\d{1,2})[:.](\d{2})\s?(am|pm|a\.m\.|p\.m\.)?\b`)
	changes   = regexp.MustCompile(`(?i)\b(\d+|one|two|three|no)\s*\+?\s*(?:stop|change|transfer)s?\b`)
)

// clockIn is the first clock time in text, in minutes after midnight.
func clockIn(text string) (int, bool) {
	m := clockTime.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	h, errH := strconv.Atoi(m[1])
	min, errM := strconv.Atoi(m[2])
	if errH != nil || errM != nil || h > 23 || min > 59 {
		return 0, false
	}
	switch suffix := strings.ToLower(m[3]); {
	case strings.HasPrefix(suffix, "p") && h < 12:
		h += 12
	case strings.HasPrefix(suffix, "a") && h == 12:
		h = 0
	}
	return h*60 + min, true
}

// stopsIn is the number of stops or changes in text.
func stopsIn(text string) (int, bool) {
	lower := strings.ToLower(text)
	if firstIn(lower, "non-stop", "nonstop", "non stop", "direct") && !strings.Contains(lower, "directions") {
		return 0, true
	}
	m := changes.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	switch strings.ToLower(m[1]) {
	case "no":
		return 0, true
	case "one":
		return 1, true
	case "two":
		return 2, true
	case "three":
		return 3, true
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}
