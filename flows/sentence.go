package flows

import (
	"regexp"
	"slices"
	"strings"

	"countersign/flows/parse"
)

// clause is one part of a plain step's sentence: what is typed or chosen by name,
// or what is left to the loop of look, judge and act.
type clause struct {
	text    string  // as written, or as it is meant
	written bool    // as written
	slots   []Slot  // what it types
	trip    *trip   // what is booked or looked for
	ends    string  // how what is typed goes on, in its suggestion
	copied  *source // what is typed or pressed stands on the screen
	casing  casing  // how what it types is spelled
	every   bool    // types the one text into every field: "into both text fields"
	what    string  // what an option is chosen for, empty when none is
	option  string
	number  *setting // what it sets to a number
	opens   string   // what is opened one after the other until the thing shows
	odd     bool     // asks for a text to be written in a way that is not in our power
	mail    bool     // writes a reply, or to whom a mail is forwarded
	loose   bool     // may be a press after all: "set the theme to 3"
}

func (c clause) types() bool { return len(c.slots) > 0 }

// pressesOnly reports a clause that is left to the loop.
func (c clause) pressesOnly() bool {
	return !c.types() && c.what == "" && c.opens == "" && c.number == nil && c.copied == nil && !c.odd
}

// Where one act of a sentence ends and the next begins: at a comma, a full stop,
// "and" or "then", before a verb that asks for an act.
const actVerb = `enter|type|input|write|fill|put|set|use|search|click|press|tap|hit|open|select|choose|pick|tick|check|untick|uncheck|` +
	`expand|collapse|close|go|submit|send|find|reply|forward|copy|paste|log\s+in|sign\s+in|login`

var (
	nextAct   = regexp.MustCompile(`(?i)(?:[,;.?]\s+(?:and\s+)?(?:(?:then|finally|afterwards|after\s+that|next),?\s+)?|\s+and\s+(?:then\s+|finally\s+)?|\s+then\s+)(?:` + actVerb + `)\b`)
	anyQuote  = regexp.MustCompile(`"[^"]*"|“[^”]*”|‘[^’]*’|'[^']*'|\$\{[^}]*\}`)
	bareThen  = regexp.MustCompile(`(?i)(?:[,;.]\s+|\s+)(?:and\s+)?then\s+\S`)
	startsAct = regexp.MustCompile(`(?i)^(?:please\s+)?(?:` + actVerb + `|turn|switch|accept|confirm|continue|follow|like|add|navigate|scroll|show|make|mark)\b`)
	joint     = regexp.MustCompile(`(?i)^(?:[,;.?\s]+|and\s+|(?:then|finally|afterwards|after\s+that|next)\b,?\s+)+`)
)

// clausesOf takes a sentence apart into the acts it asks for, in order.
func clausesOf(text string) []clause {
	if t := tripIn(text); t != nil {
		return []clause{{text: text, trip: t}}
	}
	var out []clause
	for _, part := range cutActs(text) {
		out = clausesIn(part, out)
	}
	switch last := len(out) - 1; {
	case last < 0:
		return []clause{{text: text, written: true}}
	case out[last].mail:
		out = append(out, clause{text: "press Send"}) // a reply that is only written is none
	}
	return out
}

// cutActs cuts a sentence before each verb that begins another act and at each
// "then", never inside quotes. A part without a verb has that of the one before.
func cutActs(text string) []string {
	hidden := hideQuotes(text)
	cuts := append(nextAct.FindAllStringIndex(hidden, -1), bareThen.FindAllStringIndex(hidden, -1)...)
	slices.SortFunc(cuts, func(a, b []int) int { return a[0] - b[0] })
	var out []string
	at := 0
	for _, m := range append(cuts, []int{len(text), len(text)}) {
		if m[0] < at {
			continue
		}
		part := strings.TrimSpace(joint.ReplaceAllString(text[at:m[0]], ""))
		if part != "" && at > 0 && !startsAct.MatchString(part) {
			part = strings.Fields(out[len(out)-1])[0] + " " + part
		}
		if part != "" {
			out = append(out, part)
		}
		at = m[0]
	}
	return out
}

var (
	noAct      = regexp.MustCompile(`(?i)^(?:select|choose|pick|tick|check|do|change)\s+(?:nothing|none)\b`)
	takesIt    = regexp.MustCompile(`(?i)^(?:choose|select|pick|click|press)\s+(?:on\s+)?(?:it|that|this|the\s+(?:matching\s+|first\s+)?(?:suggestion|option|entry))\b`)
	byPress    = regexp.MustCompile(`(?is)^.+?\s+by\s+(?:pressing|clicking|tapping|hitting|choosing|selecting)\s+(?:on\s+)?(.+)$`)
	replies    = regexp.MustCompile(`(?is)^(reply(?:\s+to\s+.+?)?)\s+with\s+(?:the\s+)?(?:text\s+|message\s+|words\s+)?(?:"([^"]+)"|“([^”]+)”)[.\s]*$`)
	forward    = regexp.MustCompile(`(?is)^(forward(?:\s+.+?)?)\s+to\s+(.+?)[.\s]*$`)
	quotes     = regexp.MustCompile(`"[^"]*"|“[^”]*”`)
	inOrder    = regexp.MustCompile(`(?i)\s*,?\s*in\s+(?:this|that|the\s+given)\s+order\b`)
	onlyFor    = regexp.MustCompile(`(?i)^for\s+`)
	bareFind   = regexp.MustCompile(`(?i)^(?:find|locate|look)$`)
	searching  = regexp.MustCompile(`(?i)^(?:(?:expand|open|search)\s+(?:all\s+|each\s+of\s+)?(?:the\s+)?(\w+(?:\s+\w+)??)(?:\s+below)?,?\s+to\s+(?:find|locate)|(?:switch\s+between|(?:go|navigate|look|browse)\s+through)\s+(?:all\s+)?(?:the\s+)?(\w+(?:\s+\w+)??)(?:\s+below)?(?:,?\s+to\s+(?:find|locate))?)[.]?$`)
	anItem     = regexp.MustCompile(`(?i)^(?:item|entry|option|value|word|name|suggestion)$`)
	startsEnds = regexp.MustCompile(`(?is)^(?:please\s+)?(?:enter|type|input|choose|select|pick|find)\s+(?:an?|the)\s+(.+?)\s+(?:that|which)\s+(?:starts|begins)\s+with\s+"([^"]+)"\s+and\s+(?:that\s+|which\s+)?ends\s+with\s+"([^"]+)"[.\s]*$`)
	finding    = regexp.MustCompile(`(?i)^(?:find|locate|look\s+for)\s+`)
)

// clausesIn reads one part of a sentence and adds what it asks for to the parts
// before it.
func clausesIn(part string, before []clause) []clause {
	var prior *clause
	if len(before) > 0 {
		prior = &before[len(before)-1]
	}
	if typesOddly(part) {
		return append(before, clause{text: part, odd: true})
	}
	said := part
	part, casing := cutCasing(said)
	if c, merged, ok := copiedClause(part, prior); ok {
		if merged {
			before = before[:len(before)-1]
		}
		c.text, c.casing = said, casing
		return append(before, c)
	}
	if m := startsEnds.FindStringSubmatch(part); m != nil {
		return append(before, clause{text: part, slots: []Slot{{Name: slotName(anItem.ReplaceAllString(m[1], onlyBox)), Text: m[2]}}, ends: m[3]})
	}
	typed := typedClause(part)
	typed.text, typed.casing = said, casing
	typed.number = settingIn(part)
	if !typed.types() {
		part = said
	}
	if m := byPress.FindStringSubmatch(part); m != nil && !typed.types() {
		part = "press " + m[1]
	}
	switch chosen := choices(part); {
	case noAct.MatchString(part), bareFind.MatchString(part), prior != nil && prior.types() && takesIt.MatchString(part):
		return before
	case typed.types(), typed.number != nil:
		return append(before, typed)
	case len(chosen) > 0:
		return append(before, chosen...)
	case prior != nil && searching.MatchString(prior.text):
		prior.opens, prior.text, prior.written = thingSearched(prior.text), part, false
		return before
	case prior != nil && onlyFor.MatchString(prior.text):
		prior.text = strings.TrimRight(part, ". ") + " of " + onlyFor.ReplaceAllString(prior.text, "")
		return before
	}
	m, slot := replies.FindStringSubmatch(part), "message"
	if m == nil {
		m, slot = forward.FindStringSubmatch(part), "to"
	}
	found := prior != nil && finding.MatchString(prior.text)
	switch {
	case m != nil:
		if found {
			prior.text = finding.ReplaceAllString(prior.text, "open ")
		}
		return append(before, clause{text: m[1]}, clause{text: part, mail: true, slots: []Slot{{Name: slot, Text: strings.Join(m[2:], "")}}})
	case found: // where the thing is that this part acts on
		prior.text += " and " + part
		return before
	}
	return append(before, perQuote(part)...)
}

// thingSearched names what is opened one after the other: tabs, sections, a tree.
func thingSearched(text string) string {
	m := searching.FindStringSubmatch(text)
	return m[1] + m[2]
}

// perQuote gives one act for each of several quotes with nothing but commas and
// "and" between them: tick "A", "B" and "C".
func perQuote(part string) []clause {
	whole := []clause{{text: part, written: true}}
	m := quotes.FindAllStringIndex(part, -1)
	for i := 1; i < len(m); i++ {
		if between := strings.Trim(part[m[i-1][1]:m[i][0]], " ,>›»→"); between != "" && !strings.EqualFold(between, "and") && between != "&" {
			return whole
		}
	}
	if len(m) < 2 {
		return whole
	}
	var out []clause
	for _, q := range m {
		out = append(out, clause{text: part[:m[0][0]] + part[q[0]:q[1]] + inOrder.ReplaceAllString(part[m[len(m)-1][1]:], "")})
	}
	return out
}

var (
	choosingVerb = regexp.MustCompile(`(?i)^(?:please\s+)?(?:choose|select|pick|set)\s+`)
	optionFor    = regexp.MustCompile(`(?is)^(.+?)\s+(?:as|for)\s+(?:the\s+|your\s+)?(.+?)[.\s]*$`)
	andComma     = regexp.MustCompile(`(?i)\s*,\s*(?:and\s+)?|\s+and\s+`)
)

// choices reads options by what they are chosen for: "choose Small as the size
// and Vienna as the city".
func choices(part string) []clause {
	verb := choosingVerb.FindString(part)
	if verb == "" {
		return nil
	}
	var out []clause
	for _, piece := range andComma.Split(part[len(verb):], -1) {
		m := optionFor.FindStringSubmatch(piece)
		if m == nil || superlative.MatchString(m[1]) {
			return nil
		}
		out = append(out, clause{text: verb + piece, what: box(m[2]), option: bare(m[1]), loose: true})
	}
	return out
}

// between is the piece of text from the first part to the end of the second,
// where both stand in it as they are.
func between(text, first, second string) (string, bool) {
	from := strings.Index(text, first)
	if from < 0 {
		return "", false
	}
	behind := strings.Index(text[from+len(first):], second)
	if behind < 0 {
		return "", false
	}
	return text[from : from+len(first)+behind+len(second)], true
}

var (
	useTo     = regexp.MustCompile(`(?is)^\s*(?:please\s+)?use\s+(?:the\s+)?(.+?)\s+to\s+(?:enter|type|input|write)\s+(.+?)[.\s]*$`)
	setTo     = regexp.MustCompile(`(?is)^\s*(?:please\s+)?(?:set|change|adjust)\s+(?:the\s+)?(.+?)\s+to\s+(?:be\s+)?(.+?)[.\s]*$`)
	chooseAs  = regexp.MustCompile(`(?is)^\s*(?:please\s+)?(?:select|choose|pick|set|enter)\s+(.+?)\s+(?:as|for|in)\s+(?:the\s+)?(.+?)[.\s]*$`)
	chooseDay = regexp.MustCompile(`(?is)^\s*(?:please\s+)?(?:select|choose|pick|enter)\s+(?:the\s+)?(?:date\s+)?(.+?)[.\s]*$`)
	searchFor = regexp.MustCompile(`(?is)^\s*(?:please\s+)?search(?:\s+\w+){0,3}?\s+for\s+(.+?)[.\s]*$`)
	namedText = regexp.MustCompile(`(?is)^[,\s]*(?:and\s+)?(?:the\s+|your\s+|my\s+)?([^"“,]{0,60}?)\s*(?:"([^"]+)"|“([^”]+)”)`)
	everyBox  = regexp.MustCompile(`(?i)^(?:both|all|each|every)\b.*\b(?:fields?|boxes|box|inputs?)$`)
	bareBox   = regexp.MustCompile(`(?i)^(?:(?:the|given|empty|form|form's|text|input|entry)\s+)*(?:fields?|boxes|box|textbox|textfield|inputs?|form|text\s*area|area)$`)
	bareText  = regexp.MustCompile(`(?i)^(?:text|value|words?|string|phrase)$`)
	plainNoun = regexp.MustCompile(`(?i)^(?:following|text|value|word|words|string|phrase|number|letters?|message)?(?:\s+(?:text|value|word|words|string|phrase))?$`)
)

const onlyBox = "text box" // a slot that names no more than a field of any kind

// typedClause reads what a clause types, if anything.
func typedClause(text string) clause {
	c := clause{text: text, written: true}
	if m := useTo.FindStringSubmatch(text); m != nil {
		text = "enter " + m[2] + " into the " + m[1]
	}
	if c.slots, c.every = quotedSlots(text); c.types() {
		return c
	}
	if slot, ok := typedWording(text); ok {
		c.slots = []Slot{slot}
		return c
	}
	for _, read := range []func(string) (Slot, bool){setWording, dateWording, searchWording} {
		if slot, ok := read(text); ok {
			c.slots, c.loose = []Slot{slot}, true
			return c
		}
	}
	return c
}

// setWording reads "set the quantity to 3": a text in quotes, or data.
func setWording(text string) (Slot, bool) {
	m := setTo.FindStringSubmatch(text)
	if m == nil {
		return Slot{}, false
	}
	if typed, ok := allQuoted(m[2]); ok {
		return Slot{Name: m[1], Text: typed}, true
	}
	return Slot{Name: m[1], Text: m[2]}, dataText.MatchString(m[2])
}

func searchWording(text string) (Slot, bool) {
	m := searchFor.FindStringSubmatch(text)
	if m == nil {
		return Slot{}, false
	}
	typed, ok := allQuoted(m[1])
	return Slot{Name: "search", Text: typed}, ok
}

// allQuoted takes the quotes off a text that is nothing else.
func allQuoted(text string) (string, bool) {
	typed, rest, ok := unquote(text)
	return typed, ok && strings.TrimSpace(rest) == ""
}

// dateWording reads a date that is to be chosen: "select 10/15/2016 as the date",
// "pick 3 May 2027".
func dateWording(text string) (Slot, bool) {
	if m := chooseAs.FindStringSubmatch(text); m != nil && isDate(m[1]) {
		return Slot{Name: box(m[2]), Text: bare(m[1])}, true
	}
	if m := chooseDay.FindStringSubmatch(text); m != nil && isDate(m[1]) {
		return Slot{Name: "date", Text: bare(m[1])}, true
	}
	return Slot{}, false
}

func isDate(text string) bool {
	_, ok := parse.DateOf(bare(text))
	return ok
}

// bare is a text without its quotes and its article.
func bare(text string) string {
	if typed, ok := allQuoted(text); ok {
		text = typed
	}
	return strings.TrimSpace(the.ReplaceAllString(strings.TrimSpace(text), ""))
}

// nameBefore is the field that the words in front of a quote name, any field
// where they only say what the quote is: the text "kim".
func nameBefore(words string) string {
	if words = strings.TrimSpace(words); plainNoun.MatchString(words) || bareBox.MatchString(words) {
		return onlyBox
	}
	return words
}

// quotedSlots reads one or several quoted texts with the names of their fields before
// or behind them: the username "kim" and the password "w4Y", "a" into From and
// "b" into To, or a text alone.
func quotedSlots(text string) (slots []Slot, every bool) {
	m := typingVerb.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	rest := m[1]
	for {
		q := namedText.FindStringSubmatch(rest)
		if q == nil {
			break
		}
		slots = append(slots, Slot{Name: nameBefore(q[1]), Text: q[2] + q[3]})
		rest = rest[len(q[0]):] // it matches from the start
		if led := leadsToBox.FindStringSubmatch(rest); led != nil {
			name, more, several := strings.Cut(led[1], ` and "`)
			at := &slots[len(slots)-1]
			if boxed := box(name); bareText.MatchString(boxed) {
				at.Name = onlyBox
			} else if !bareBox.MatchString(boxed) && !everyBox.MatchString(boxed) {
				at.Name = boxed
			} else if everyBox.MatchString(boxed) {
				every = len(slots) == 1
			}
			rest = ""
			if several {
				rest = `"` + more
			}
		}
	}
	if len(slots) == 0 || strings.Trim(rest, " .,") != "" {
		return nil, false
	}
	for i := range slots {
		if goesOn.MatchString(slots[i].Name) {
			return nil, false
		}
	}
	every = every || len(slots) == 1 && everyBox.MatchString(slots[0].Name)
	return slots, every
}
