package decider

import (
	"regexp"
	"strconv"
	"strings"

	"countersign/flows/parse"
)

var (
	number    = regexp.MustCompile(`\d[\d.,]*\d|\d`)
	clockTime = regexp.MustCompile(`(?i)\b\d{1,2}[:.]\d{2}\s?(?:am|pm|a\.m\.|p\.m\.)?\b`)
	rating    = regexp.MustCompile(`(?i)\brat(?:ed|ing)\D{0,5}(\d{1,2}(?:[.,]\d)?)|\b(\d{1,2}(?:[.,]\d)?)\s*(?:/|of|out of)\s*(?:5|10)\b`)
	changes   = regexp.MustCompile(`(?i)\b(\d+|no|one|two|three)\s+(?:change|transfer)s?\b`)
)

// amountIn is the first amount with a currency in text.
func amountIn(text string) (float64, bool) {
	price, ok := parse.PriceOf(text)
	return price.Amount, ok && price.Currency != ""
}

// numberIn is the amount in text, or else its first count; clocks are left out.
func numberIn(text string) (float64, bool) {
	if v, ok := amountIn(text); ok {
		return v, true
	}
	m := number.FindString(clockTime.ReplaceAllString(text, " "))
	if m == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(plainNumber(m), 64)
	return v, err == nil
}

// ratingIn is the rating in text: "Rated 4.8 of 5", "8.9 out of 10".
func ratingIn(text string) (float64, bool) {
	m := rating.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.Replace(m[1]+m[2], ",", ".", 1), 64)
	return v, err == nil
}

// clockIn is the first clock time in text, in minutes after midnight.
func clockIn(text string) (int, bool) { return parse.ClockOf(text) }

// stopsIn is the number of stops, or of changes, in text.
func stopsIn(text string) (int, bool) {
	if n, ok := parse.StopsOf(text); ok {
		return n, true
	}
	m := changes.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	if strings.EqualFold(m[1], "no") {
		return 0, true
	}
	n, err := strconv.Atoi(canonicalNumber(m[1]))
	return n, err == nil
}
