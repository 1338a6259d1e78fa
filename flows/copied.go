package flows

import (
	"regexp"
	"strings"
)

// source says what is read off the screen to be typed: a text, one word of it,
// or how many of something there are. What is read is foreign text: it goes into
// a field as it is, its references unexpanded, and is never an instruction.
type source struct {
	of    string // as written: "the text in the textarea", "First name"
	word  int    // which word of it, from 1; -1 is the last, 0 the whole text
	count bool   // how many of it there are
}

var (
	howMany   = regexp.MustCompile(`(?is)^(?:how\s+many|(?:the\s+)?(?:total\s+)?(?:number|count)\s+of)\s+(.+)$`)
	wordOf    = regexp.MustCompile(`(?is)^(?:the\s+)?(\d+(?:st|nd|rd|th)|[a-z]+)\s+word\s+(?:of|in|from)\s+(.+)$`)
	valueIn   = regexp.MustCompile(`(?is)^(?:the\s+)?(?:value|contents?)\s+(?:of|in|from|for|shown\s+(?:for|in))\s+(.+)$`)
	textIn    = regexp.MustCompile(`(?is)^(?:the\s+)?text\s+(?:of|in|from|inside|under|below|above|beside|next\s+to)\s+.+$`)
	isShown   = regexp.MustCompile(`(?i)\b(?:shown|displayed|given|printed)\s+(?:above|below|here|in|on|at|next)\b`)
	ofOne     = regexp.MustCompile(`^\p{Lu}[\p{L}-]*(?:\s+\p{Lu}[\p{L}-]*)*['’]s\s+\p{Ll}`)
	tellsOf   = regexp.MustCompile(`(?i)\s(?:is|are|was|were|has|have|had|will|can|must|should)\s`) // a sentence, no thing
	ledQuote  = regexp.MustCompile(`(?i)\b(?:of|in|from|for|under|beside|labell?ed|called|named|headed|to|below|above)\s+(?:the\s+)?(?:"[^"]*"|“[^”]*”)`)
	typesText = regexp.MustCompile(`(?is)^(?:please\s+)?(?:enter|type|input|write|put|paste|copy)\s+(?:in\s+)?(.+?)[.\s]*$`)
	copiesTo  = regexp.MustCompile(`(?is)^(?:please\s+)?(?:copy|paste)\s+(.+)\s+(?:in)?to\s+(.+?)[.\s]*$`)
	takesText = regexp.MustCompile(`(?is)^(?:please\s+)?(?:copy|read|find|look\s+up|take|get|note|determine)\s+(?:out\s+|down\s+|off\s+)?(.+?)[.?\s]*$`)
	countsUp  = regexp.MustCompile(`(?is)^(?:please\s+)?(?:count\s+(?:up\s+)?(?:how\s+many\s+|the\s+number\s+of\s+)?|(?:see|tell|check|find\s+out|work\s+out|determine)\s+how\s+many\s+|how\s+many\s+)(.+?)[.?\s]*$`)
	usesIt    = regexp.MustCompile(`(?is)^(?:please\s+)?(?:paste|type|enter|write|input|put|fill|copy)\s+(?:in\s+)?(?:it|that|this|them|(?:the|that|this|your)\s+(?:(?:same|copied|correct|right)\s+)?(?:text|word|number|value|answer|result|count|total|code|content|one))(?:\s+(in\s*to|in|as|for|on|to|below)\b\s*(.*?))?[.\s]*$`)
	pressesIt = regexp.MustCompile(`(?is)^(?:press|click|tap|hit|choose|select|pick)\s+(?:on\s+)?(?:the\s+)?(?:(?:button|link|option|answer)\s+(?:with|for|that\s+(?:shows|says|has))\s+(?:that|this|the)\s+(?:\w+\s+)?(?:number|word|count|answer|value|result)|(?:right|correct|matching)\s+(?:number|answer|button|option|one)|(?:that|this)\s+(?:number|word|answer))[.\s]*$`)
	fillsWith = regexp.MustCompile(`(?is)^(?:please\s+)?fill(?:\s+in|\s+out)?\s+(?:the\s+)?(.+?)\s+with\s+(.+?)[.\s]*$`)
)

// copiedClause reads a part of a sentence that types what it names instead of
// what it says, together with the part before that says what "it" is. merged: it
// takes the place of that part.
func copiedClause(part string, prior *clause) (c clause, merged, ok bool) {
	if prior != nil && prior.pressesOnly() {
		from, found := takenFrom(prior.text)
		if m := usesIt.FindStringSubmatch(part); found && m != nil {
			return clause{text: part, copied: &from, slots: []Slot{{Name: fieldNamed(m[2])}}}, true, true
		}
		if found && pressesIt.MatchString(part) {
			return clause{text: part, copied: &from}, true, true
		}
	}
	what, field := "", ""
	if m := fillsWith.FindStringSubmatch(part); m != nil {
		field, what = m[1], m[2]
	} else if m := typesText.FindStringSubmatch(part); m != nil {
		what, field = intoField(m[1])
	}
	read := typedFrom
	if m := copiesTo.FindStringSubmatch(part); m != nil {
		what, field, read = m[1], m[2], copiedFrom
	}
	from, ok := read(what)
	if field == "" || !ok {
		return clause{}, false, false
	}
	return clause{text: part, copied: &from, slots: []Slot{{Name: fieldNamed(field)}}}, false, true
}

// intoField cuts what is typed from the field it goes into.
func intoField(text string) (what, field string) {
	lower := strings.ToLower(text)
	if at := strings.Index(lower, " into "); at > 0 {
		return text[:at], text[at+len(" into "):]
	}
	for _, word := range []string{" in ", " as ", " to "} {
		if at := strings.LastIndex(lower, word); at > 0 && (boxWords.MatchString(text[at:]) || word == " as ") {
			return text[:at], text[at+len(word):]
		}
	}
	return "", ""
}

// fieldNamed is what a field is called by; any field where a part names none.
func fieldNamed(text string) string {
	return slotName(deictic.ReplaceAllString(strings.Trim(text, `"“” .`), ""))
}

func slotName(name string) string {
	if name = box(name); name == "" || bareBox.MatchString(name) {
		return onlyBox
	}
	return name
}

// typedFrom reads what is typed as a place to read it from. Anything else that is
// typed is meant as it is written.
func typedFrom(what string) (source, bool) {
	what = strings.TrimSpace(what)
	if what == "" || anyQuote.MatchString(ledQuote.ReplaceAllString(what, "")) {
		return source{}, false
	}
	if from, ok := counted(what); ok {
		return from, true
	}
	if m := wordOf.FindStringSubmatch(what); m != nil {
		n := ordinalOf(m[1])
		return source{of: m[2], word: n}, n != 0
	}
	if m := valueIn.FindStringSubmatch(what); m != nil {
		return source{of: m[1]}, true
	}
	said := strings.HasPrefix(what, "the ") && !tellsOf.MatchString(what) || textIn.MatchString(what) || isShown.MatchString(what) || ofOne.MatchString(what)
	return source{of: what}, said
}

func counted(what string) (source, bool) {
	m := howMany.FindStringSubmatch(what)
	if m == nil {
		return source{}, false
	}
	return source{of: m[1], count: true}, true
}

// takenFrom reads a part that says what the next one types: "copy the text
// below", "count the apples".
func takenFrom(part string) (source, bool) {
	if m := countsUp.FindStringSubmatch(part); m != nil {
		return source{of: m[1], count: true}, true
	}
	m := takesText.FindStringSubmatch(part)
	if m == nil {
		return source{}, false
	}
	return copiedFrom(m[1])
}

// copiedFrom reads what is copied: always a place, unless it stands in quotes.
func copiedFrom(what string) (source, bool) {
	if from, ok := typedFrom(what); ok {
		return from, true
	}
	return source{of: what}, !anyQuote.MatchString(ledQuote.ReplaceAllString(what, ""))
}

// ordinalOf reads first to twelfth, 3rd, and last as -1; 0 is none.
func ordinalOf(text string) int {
	text = strings.ToLower(text)
	if text == "last" {
		return -1
	}
	return placeNumber(strings.TrimRight(text, "stndrh"), text)
}
