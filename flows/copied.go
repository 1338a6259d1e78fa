package flows

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"countersign/surfaces"
)

// copied is a text of the screen that a sentence types elsewhere: "copy the text
// below and paste it into Notes", "enter the value of City into the field".
type copied struct {
	what string // as written
	word int    // of the text, from 1; -1 for the last, 0 for all of it
}

var (
	copies    = regexp.MustCompile(`(?is)^(?:please\s+)?(?:copy|find|read|get|take|look\s+up)\s+(.+?)[.\s]*$`)
	pastes    = regexp.MustCompile(`(?is)^(?:paste|type|enter|write|put|input|fill)\s+(?:it|that|this|(?:that|this|the)\s+(?:word|text|value|number|code|name))(?:\s+in)?(?:\s+(?:in\s*to|in|to|on|as)\s+(?:the\s+)?(.+?))?[.\s]*$`)
	copiesTo  = regexp.MustCompile(`(?is)^(?:please\s+)?(?:copy|paste)\s+(.+?)\s+(?:in)?to\s+(?:the\s+)?(.+?)[.\s]*$`)
	typesWhat = regexp.MustCompile(`(?is)^(?:please\s+)?(?:enter|type|input|write|put)\s+(the\s+(?:value|text|contents?|word|words|number|code)\s+(?:of|from|shown|next\s+to|beside|in)\s+.+?)\s+in\s*to\s+(?:the\s+)?(.+?)[.\s]*$`)
	wordOf    = regexp.MustCompile(`(?is)^(?:the\s+)?(?:(\d{1,3})(?:st|nd|rd|th)|(` + strings.Join(nthWords, "|") + `|last))\s+word\s+(?:of|in|from)\s+(.+)$`)
	contentOf = regexp.MustCompile(`(?i)^(?:the\s+)?(?:value|text|contents?|words?)\s+(?:of|from|in|inside)\s+`)
	fieldKind = regexp.MustCompile(`(?i)\b(?:text\s?areas?|text\s?box|text\s?field|input|field|box)\b`)
	textKind  = regexp.MustCompile(`(?i)^(?:the\s+)?(?:whole\s+|entire\s+|following\s+)?(?:paragraph|text|sentence|passage|quote)s?(?:\s+(?:below|above|shown|here))?$`)
	position  = regexp.MustCompile(`(?i)\s+(?:below|above|shown|here|on\s+the\s+page)$`)
)

// copiedBefore reads a part that types what the part before it looked at.
func copiedBefore(part string, prior *clause) bool {
	if prior == nil || prior.types() {
		return false
	}
	m, what := pastes.FindStringSubmatch(part), copies.FindStringSubmatch(prior.text)
	if m == nil || what == nil {
		return false
	}
	prior.copied, prior.slots, prior.text = copiedText(what[1]), []Slot{{Name: slotName(m[1])}}, part
	prior.written = false
	return true
}

// copiedIn reads a part that says both what is copied and where to.
func copiedIn(part string) (clause, bool) {
	m := copiesTo.FindStringSubmatch(part)
	if m == nil {
		m = typesWhat.FindStringSubmatch(part)
	}
	if m == nil || quotes.MatchString(m[1]) || strings.Contains(m[1], "${") {
		return clause{}, false
	}
	return clause{text: part, copied: copiedText(m[1]), slots: []Slot{{Name: slotName(m[2])}}}, true
}

func copiedText(what string) *copied {
	m := wordOf.FindStringSubmatch(what)
	if m == nil {
		return &copied{what: what}
	}
	if strings.EqualFold(m[2], "last") {
		return &copied{what: m[3], word: -1}
	}
	return &copied{what: m[3], word: placeNumber(m[1], m[2])}
}

func slotName(name string) string {
	if name = box(name); name == "" || bareBox.MatchString(name) {
		return onlyBox
	}
	return name
}

// paste types what a clause copies. It is data: nothing in it is a reference, and
// what holds a secret goes nowhere.
func (s *step) paste(ctx context.Context, c clause) (Outcome, string, error) {
	name, err := s.words(c.slots[0].Name)
	if err != nil {
		return "", "", err
	}
	text, err := s.copiedText(ctx, *c.copied)
	switch {
	case err != nil:
		return "", "", err
	case text == "":
		return "", "", failed("there is nothing to copy in %q", c.copied.what)
	case len([]rune(text)) >= mostSavedText:
		return "", "", failed("%q is too long to be copied whole", c.copied.what)
	case s.mask(text) != text:
		return "", "", failed("%q holds a secret, and a secret is typed by enter alone", c.copied.what)
	}
	return s.fillAll(ctx, []*slotFill{{name: name, key: stepKey(c.slots[0].Name), text: text}})
}

// copiedText finds the text on the screen.
func (s *step) copiedText(ctx context.Context, c copied) (string, error) {
	what, err := s.words(c.what)
	if err != nil {
		return "", err
	}
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return "", err
	}
	of := contentOf.ReplaceAllString(what, "")
	var text string
	switch {
	case fieldKind.MatchString(of):
		text, err = s.fieldText(screen, of)
	case textKind.MatchString(of):
		text, err = s.longText(screen, of)
	default:
		var found bool
		if text, found, err = s.pieceOf(ctx, screen, position.ReplaceAllString(of, "")); err == nil && !found {
			err = failed("nothing on the screen is %q", what)
		}
	}
	if err != nil || c.word == 0 {
		return text, err
	}
	words := strings.Fields(text)
	at := c.word - 1
	if c.word < 0 {
		at = len(words) - 1
	}
	if at >= len(words) {
		return "", failed("%q has only %d words", c.what, len(words))
	}
	return strings.Trim(words[at], `.,;:!?"“”()`), nil
}

// fieldText is what the one field that is meant holds.
func (s *step) fieldText(screen *surfaces.Screen, what string) (string, error) {
	area := strings.Contains(strings.ToLower(strings.ReplaceAll(what, " ", "")), "textarea")
	named := telling(position.ReplaceAllString(fieldKind.ReplaceAllString(what, ""), ""))
	var texts []string
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		says := telling(c.Name)
		called := !slices.ContainsFunc(named, func(w string) bool { return !slices.Contains(says, w) })
		if isField(c) && c.Value != "" && called && (!area || c.Role == "textarea") {
			texts = append(texts, c.Value)
		}
	}
	if len(texts) != 1 {
		return "", failed("%d fields with a text are %q", len(texts), what)
	}
	return texts[0], nil
}

// longText is the one text of a screen that stands out by its length.
func (s *step) longText(screen *surfaces.Screen, what string) (string, error) {
	const standsOut = 2 // times the next
	longest, next := "", 0
	for _, t := range screen.TextNodes {
		text := squash(t.Text)
		switch {
		case t.Field:
		case len(text) > len(longest):
			longest, next = text, len(longest)
		default:
			next = max(next, len(text))
		}
	}
	if len(longest) < standsOut*next {
		return "", failed("several texts may be %q", what)
	}
	return longest, nil
}
