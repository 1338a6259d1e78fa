package flows

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"countersign/flows/safety"
	"countersign/surfaces"
)

// copy reads what a clause names off the screen and types it, or presses the
// one control that is called so. Where the reading is not plain nothing is done.
func (s *step) copy(ctx context.Context, c clause) (Outcome, string, error) {
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return "", "", err
	}
	of, err := s.words(c.copied.of)
	if err != nil {
		return "", "", err
	}
	text, err := s.readOff(ctx, screen, c.copied, of)
	if err != nil {
		return "", "", err
	}
	switch {
	case len([]rune(text)) >= mostSavedText:
		return "", "", failed("%q is too long to be copied whole", of)
	case s.mask(text) != text:
		return "", "", failed("%q holds a secret, and a secret is typed by enter alone", of)
	}
	text = c.casing.of(text)
	told := fmt.Sprintf("read %q off the screen", of)
	if !c.types() {
		outcome, note, err := s.pressNamed(ctx, screen, text)
		return outcome, told + "; " + note, err
	}
	name, err := s.words(c.slots[0].Name)
	if err != nil {
		return "", "", err
	}
	outcome, note, err := s.fillAll(ctx, []*slotFill{{name: name, key: stepKey(c.slots[0].Name), text: text}})
	return outcome, told + "; " + note, err
}

// pressNamed presses the one control whose name is a text.
func (s *step) pressNamed(ctx context.Context, screen *surfaces.Screen, text string) (Outcome, string, error) {
	called := slices.DeleteFunc(clickable(screen), func(c *surfaces.Candidate) bool { return !strings.EqualFold(squash(c.Name), text) })
	if len(called) != 1 {
		return "", "", failed("%d controls are called %q, one was wanted", len(called), text)
	}
	s.report.Turns++
	if err := s.mustPress(ctx, called[0]); err != nil {
		return "", "", err
	}
	return OutcomeDone, "pressed " + called[0].Label(), nil
}

func (s *step) readOff(ctx context.Context, screen *surfaces.Screen, from *source, of string) (string, error) {
	if from.count {
		n, why := howManyOf(screen, of)
		if why != "" {
			return "", failed("how many %s there are is not plain: %s", of, why)
		}
		return strconv.Itoa(n), nil
	}
	text, err := s.textOf(ctx, screen, of)
	if err != nil || from.word == 0 {
		return text, err
	}
	words := strings.Fields(text)
	at := from.word - 1
	if from.word < 0 {
		at = len(words) - 1
	}
	if at >= len(words) {
		return "", failed("%s has %d words, word %d was wanted", of, len(words), from.word)
	}
	return strings.Trim(words[at], `.,;:!?"“”„()`), nil
}

// Words that only point at what stands on the screen, and words for a text or a
// field of any kind.
var (
	deictic  = regexp.MustCompile(`(?i)\b(?:(?:that\s+is\s+)?(?:shown|displayed|given|printed|written)(?:\s+(?:here|there))?|above|below|here|on\s+(?:the|this)\s+(?:page|screen)|underneath|beneath|at\s+the\s+top)\b`)
	inA      = regexp.MustCompile(`(?i)^(?:the\s+)?(?:whole\s+|entire\s+|full\s+)?(?:text|value|contents?)\s+(?:of|in|from|inside)\s+`)
	inTable  = regexp.MustCompile(`(?i)\s+(?:in|from|on|of)\s+the\s+(?:table|list|card|page)$`)
	anyField = regexp.MustCompile(`(?i)\s*\b(?:(?:read-?only|grey|gray)\s+)?(text\s*area|text\s*box|text\s*field|input(?:\s+(?:field|box))?|field|box)$`)
	anyProse = regexp.MustCompile(`(?i)^(?:(first|second|third|fourth|fifth|last|\d+(?:st|nd|rd|th))\s+)?(?:text|paragraph|sentence|quote|quotation|passage|line|saying|proverb|motto)$`)
)

// leastProse is how many words make a text one that a person calls a paragraph or
// a sentence, no label.
const leastProse = 3

// textOf is the one text of a screen that a person calls so.
func (s *step) textOf(ctx context.Context, screen *surfaces.Screen, of string) (string, error) {
	name := strings.Trim(deictic.ReplaceAllString(of, ""), " .")
	name = inTable.ReplaceAllString(name, "")
	name = bare(bare(inA.ReplaceAllString(bare(name), "")))
	if m := anyField.FindStringSubmatch(name); m != nil {
		if text, n := s.fieldText(screen, strings.TrimSuffix(name, m[0]), m[1]); n == 1 {
			return text, nil
		} else if n > 1 {
			return "", failed("%d fields may be %q", n, of)
		}
	}
	texts := labelled(screen, name)
	m := anyProse.FindStringSubmatch(name)
	switch {
	case len(texts) == 1:
		return texts[0], nil
	case len(texts) == 0 && m != nil:
		return s.proseText(screen, of, ordinalOf(m[1]))
	case len(texts) == 0:
		if text := onCard(screen, name); text != "" {
			return text, nil
		}
		return s.pieceMeant(ctx, screen, of, name)
	}
	return "", failed("several texts on the screen may be %q", of)
}

// fieldText is what stands in the one field that holds a text and is called by a
// name; n is how many there are. A password's is never read.
func (s *step) fieldText(screen *surfaces.Screen, name, kind string) (text string, n int) {
	area := strings.Contains(strings.ToLower(kind), "area")
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if !showsText(c) || strings.TrimSpace(c.Value) == "" || area && c.Role != "textarea" {
			continue
		}
		if name != "" && labelText(c.Name) != labelText(name) {
			continue
		}
		text, s.readFrom, n = c.Value, placeOf(c), n+1
	}
	return text, n
}

// showsText reports a field whose text may be read, one that takes none included.
func showsText(c *surfaces.Candidate) bool {
	return c.InputType != "password" && (c.TakesText() || slices.Contains([]string{"textbox", "textarea", "searchbox"}, c.Role))
}

// proseText is the only text of several words, or the nth. One that a link cuts
// in two is not read: where its words stand is not known.
func (s *step) proseText(screen *surfaces.Screen, of string, nth int) (string, error) {
	var all []surfaces.TextNode
	for _, t := range screen.TextNodes {
		if !t.Field && len(strings.Fields(t.Text)) >= leastProse && !startsAct.MatchString(t.Text) && !strings.HasSuffix(t.Text, "?") && !strings.HasSuffix(t.Text, ":") {
			all = append(all, t)
		}
	}
	at := 0
	switch {
	case nth < 0:
		at = len(all) - 1
	case nth > 0:
		at = nth - 1
	case len(all) > 1:
		if at = standsOut(all); at < 0 {
			return "", failed("%d texts on the screen may be %q", len(all), of)
		}
	}
	if at < 0 || at >= len(all) {
		return "", failed("nothing on the screen is %q", of)
	}
	t := all[at]
	if slices.ContainsFunc(screen.Candidates, func(c surfaces.Candidate) bool {
		return c.Order == t.Order+1 && c.Role == "link" && slices.Equal(c.Path, t.Path)
	}) {
		return "", failed("a link stands in %q or right after it, where its words end is not plain", of)
	}
	return t.Text, nil
}

// standsOut is the text that is twice as long as any other; -1 where none is.
func standsOut(all []surfaces.TextNode) int {
	longest, next := 0, 0
	for i := range all {
		switch n := len(all[i].Text); {
		case i == 0 || n > len(all[longest].Text):
			longest, next = i, len(all[longest].Text)*min(i, 1)
		default:
			next = max(next, n)
		}
	}
	if len(all[longest].Text) < 2*next {
		return -1
	}
	return longest
}

// yours is what a label says of whose a thing is.
var yours = regexp.MustCompile(`(?i)^(?:your|my|our)\s+`)

// sameLabel reports a text that is the label a name asks for: "Your code" is the
// code.
func sameLabel(text, name string) bool {
	return labelText(yours.ReplaceAllString(text, "")) == labelText(yours.ReplaceAllString(name, ""))
}

// labelled gives each different text that stands by a label: in its row, right
// behind it, in its field, or under it as the heading of a column.
func labelled(screen *surfaces.Screen, name string) []string {
	var out []string
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" && !sameLabel(text, name) && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	heads := map[string]bool{}
	for i := range screen.TextNodes {
		heads[labelText(screen.TextNodes[i].Column)] = true
	}
	for i := range screen.Candidates {
		if c := &screen.Candidates[i]; showsText(c) && sameLabel(c.Name, name) {
			add(c.Value)
		}
	}
	for i, t := range screen.TextNodes {
		label, value, cut := strings.Cut(t.Text, ":")
		switch {
		case t.Field:
		case t.Column != "" && sameLabel(t.Column, name):
			add(t.Text)
		case cut && sameLabel(label, name) && strings.TrimSpace(value) != "":
			add(value)
		case !sameLabel(t.Text, name) || heads[labelText(t.Text)] || i+1 == len(screen.TextNodes):
		default:
			next := screen.TextNodes[i+1]
			between := slices.ContainsFunc(screen.Candidates, func(c surfaces.Candidate) bool { return c.Order > t.Order && c.Order < next.Order })
			if !between && !next.Field && cardPath(next.Path) == cardPath(t.Path) && !strings.HasSuffix(next.Text, ":") {
				add(next.Text)
			}
		}
	}
	return out
}

var (
	partOf  = regexp.MustCompile(`(?is)^(.+?)\s+of\s+(.+)$`)
	ownsOne = regexp.MustCompile(`(?s)^(.+?)['’]s\s+(.+)$`)
)

// onCard is the labelled text right under the one heading that a name belongs
// to, "the phone of Ada Low", nothing but labelled texts between.
func onCard(screen *surfaces.Screen, name string) string {
	label, owner := "", ""
	if m := ownsOne.FindStringSubmatch(name); m != nil {
		owner, label = m[1], m[2]
	} else if m := partOf.FindStringSubmatch(name); m != nil {
		label, owner = m[1], m[2]
	}
	heads, under, found := 0, false, ""
	for _, t := range screen.TextNodes {
		before, value, labels := strings.Cut(t.Text, ":")
		switch {
		case owner == "" || t.Field:
		case labelText(t.Text) == labelText(owner):
			heads, under = heads+1, true
		case !labels:
			under = false
		case under && found == "" && before != "" && saysAll(label, before):
			found = strings.TrimSpace(value)
		}
	}
	if heads != 1 {
		return ""
	}
	return found
}

// pieceMeant asks which piece of text is meant, as a read step does. A label whose
// value is not plain is not guessed at.
func (s *step) pieceMeant(ctx context.Context, screen *surfaces.Screen, of, name string) (string, error) {
	shows := slices.ContainsFunc(screen.TextNodes, func(t surfaces.TextNode) bool { return labelText(t.Text) == labelText(name) })
	if !shows {
		text, found, err := s.pieceOf(ctx, screen, of)
		glued := strings.HasPrefix(labelText(text), labelText(name)) // a label and its value, which begins who knows where
		if err != nil || found && !glued && !saysAll(of, text) && !isLabel(screen, text) {
			return text, err
		}
	}
	return "", failed("nothing on the screen is plainly %q; put quotes round it to have it typed as it is", of)
}

// isLabel reports a text that names a field to type into, or what comes after it.
func isLabel(screen *surfaces.Screen, text string) bool {
	fields := slices.ContainsFunc(screen.Candidates, func(c surfaces.Candidate) bool {
		return c.TakesText() && labelText(c.Name) == labelText(text)
	})
	return fields || strings.HasSuffix(text, ":")
}

// saysAll reports a text whose every word stands in what was asked for: it names
// the thing or whose it is, and is not its value.
func saysAll(of, text string) bool {
	asked := safety.Words(of)
	return !slices.ContainsFunc(safety.Words(text), func(w string) bool { return !slices.Contains(asked, w) })
}
