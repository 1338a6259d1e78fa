package flows

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"countersign/flows/facts"
	"countersign/flows/safety"
)

// The wordings behind the warnings of flows.md 3.4.
var (
	changeWording = regexp.MustCompile(`(?i)\b(?:(?:has|have|had)\s+(?:been\s+)?(?:changed|updated|increased|decreased|added|removed|moved|saved|gone|become|disappeared)|has been|have been|is no longer|are no longer|changed|became)\b`)

	elsewhereWording = regexp.MustCompile(`(?i)\b(?:(?:than|as)\s+(?:on|at)|(?:the\s+)?other\s+(?:site|shop|store|page|tab)|another\s+(?:site|shop|store))\b`)

	superlative = regexp.MustCompile(`(?i)\b(?:cheapest|lowest|highest|best|fastest|quickest|shortest|longest|earliest|latest|nearest|closest|largest|biggest|smallest|newest|oldest|(?:most|least|fewest)\s+\w+)\b`)

	optionButtons = regexp.MustCompile(`(?i)\b(?:sizes?|colou?rs?|quantit(?:y|ies)|seats?)\b`)

	typingWording = regexp.MustCompile(`(?i)^\s*(?:please\s+)?(?:type|enter|write|input|fill)\b`)

	filterWording = regexp.MustCompile(`(?i)^\s*(?:filter\b|(?:set|apply|use|add|tick|choose)\b.*\bfilters?\b)`)
)

// advise warns of what will probably not do what the author means.
func (c *checker) advise(s saying) {
	switch {
	case s.kind == KindVerify || s.kind == KindWaitFor:
		if elsewhereWording.MatchString(s.text) {
			c.warn(s.path, ComparesElsewhere, "a condition sees only the screen showing now, not another site; read the value there and compare it here")
		}
		if changeWording.MatchString(s.text) {
			c.warn(s.path, DescribesChange, "a condition sees only the screen showing now, not what changed; name what is visible afterwards")
		}
	case s.kind == KindChoose && s.part == "option" && superlative.MatchString(s.text):
		c.warn(s.path, SuperlativeOption, "choose takes the label as it is drawn; choosing by a rule is a pick")
	case s.kind == KindPick && s.part == "from" && optionButtons.MatchString(s.text):
		c.warn(s.path, PickOverOptions, "pick takes one of several results; a size, a colour, a quantity or a seat is a choose or a plain step")
	case s.as == saysAct && typesIn(s.text):
		c.warn(s.path, TypesInDo, "this asks to type and runs as an enter step; write it as one")
	case s.as == saysAct && filterWording.MatchString(s.text):
		c.warn(s.path, FilterStep, "a filter belongs into the from of a pick: \"the trains without a change\"")
	}
}

// typesIn reports whether a plain step asks for nothing but typing.
func typesIn(text string) bool {
	if !typingWording.MatchString(text) {
		return false
	}
	_, ok := typedWording(text)
	return ok
}

// adviseFlow warns of a step that commits in a flow without a guard.
func (c *checker) adviseFlow() {
	if slices.ContainsFunc(c.said, func(s saying) bool { return s.as == saysGuard }) {
		return
	}
	for _, s := range c.said {
		if s.as == saysAct && safety.Commits(s.text) {
			c.warn(s.path, NoGuard, "this seems to commit to something; an ordinary step is refused there, so guard it with a stop_before")
		}
	}
}

// identifiers gives the words of a text that are shaped like the name of a
// variable: with _ in them, or camelCase.
func identifiers(text string) []string {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.DeleteFunc(fields, func(f string) bool { return !strings.Contains(strings.Trim(f, "_"), "_") && !camel(f) })
}

func camel(word string) bool {
	small := false
	for _, r := range word {
		if small && unicode.IsUpper(r) {
			return true
		}
		small = unicode.IsLower(r)
	}
	return false
}

// digitRun is digits with single spaces or dashes between them.
var digitRun = regexp.MustCompile(`\d(?:[ \x{a0}-]?\d){12,}`)

func holdsCardNumber(text string) bool {
	return slices.ContainsFunc(digitRun.FindAllString(text, -1), facts.CardNumber)
}
