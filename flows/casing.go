package flows

import (
	"regexp"
	"strings"
)

// casing says how a sentence wants what it types to be spelled.
type casing int

const (
	asWritten casing = iota
	lowerCase
	upperCase
)

// of spells a text so.
func (c casing) of(text string) string {
	switch c {
	case lowerCase:
		return strings.ToLower(text)
	case upperCase:
		return strings.ToUpper(text)
	case asWritten:
	}
	return text
}

var (
	inCase = regexp.MustCompile(`(?i),?\s+(?:(?:all\s+)?in|with|using)\s+(?:all[\s-]+|only\s+)?(?:(lower[\s-]?case|small\s+letters)|upper[\s-]?case|(?:capital|block)\s+letters|capitals|caps)(?:\s+letters)?\b,?`)
	// Ways to write that are not in our power: a text is typed plainly or not at all.
	inManner = regexp.MustCompile(`(?i)^\s*\S+\s+\S.*\s(?:backwards?|reversed|twice|(?:in|with)\s+(?:reverse(?:\s+order)?|title[\s-]?case|bold|italics?|quotes|quotation\s+marks|brackets|morse(?:\s+code)?)|without\s+(?:spaces|(?:any\s+)?punctuation|vowels))(?:\s+(?:in|into|as)\s|[\s.]*$)`)
)

// cutCasing takes out of a part how what it types is spelled, unless that stands
// in quotes.
func cutCasing(part string) (string, casing) {
	m := inCase.FindStringSubmatchIndex(hideQuotes(part))
	if m == nil || !typesAny.MatchString(part) {
		return part, asWritten
	}
	rest := part[:m[0]] + part[m[1]:]
	if m[2] >= 0 {
		return rest, lowerCase
	}
	return rest, upperCase
}

// typesOddly reports a part that asks for a text to be written in a way that is
// not in our power.
func typesOddly(part string) bool {
	return typesAny.MatchString(part) && inManner.MatchString(hideQuotes(part))
}

var typesAny = regexp.MustCompile(`(?i)^\s*(?:please\s+)?(?:enter|type|input|write|put|paste|copy|fill)\b`)

// hideQuotes blanks what stands in quotes, every byte in its place.
func hideQuotes(text string) string {
	return anyQuote.ReplaceAllStringFunc(text, func(q string) string { return strings.Repeat("q", len(q)) })
}
