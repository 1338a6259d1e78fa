package flows

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"countersign/surfaces"
)

// plain is a do step: what its sentence types runs as enter, what it chooses for
// something as choose, everything else as a loop, one after the other.
func (s *step) plain(ctx context.Context) (Outcome, string, error) {
	todo := clausesOf(s.def.Text)
	if s.saysSecret(s.def.Text) {
		todo = []clause{{text: s.def.Text}}
	}
	var done []string
	outcome := OutcomeAlreadyDone
	for len(todo) > 0 {
		var err error
		if todo, err = s.asNamed(ctx, todo); err != nil {
			return "", "", err
		}
		got, note, err := s.clause(ctx, todo[0])
		if err != nil {
			return "", "", err
		}
		if got == OutcomeDone {
			outcome = OutcomeDone
		}
		done, todo = append(done, note), todo[1:]
	}
	return outcome, strings.Join(done, "; "), nil
}

// asNamed settles what only the screen can tell of the next clause: "press Save |
// close" is one press where a control is called "Save and close", and "tick
// apple, pear" are two where controls are called so.
func (s *step) asNamed(ctx context.Context, todo []clause) ([]clause, error) {
	c := todo[0]
	if c.trip != nil {
		planned, err := s.planned(ctx, c)
		return append(planned, todo[1:]...), err
	}
	verb := listVerb.FindString(c.text)
	items := itemsOf(c.text[len(verb):])
	lists := verb != "" && len(items) > 1 && !quotes.MatchString(c.text)
	follows := len(todo) > 1 && c.written && todo[1].written && todo[1].pressesOnly()
	if !c.pressesOnly() || !follows && !lists {
		return todo, nil
	}
	screen, err := s.look(ctx)
	if err != nil {
		return nil, err
	}
	if follows {
		if whole, ok := between(s.def.Text, c.text, todo[1].text); ok && namesAcross(screen, whole, len(c.text)) {
			joined := clause{text: whole, written: true}
			return s.asNamed(ctx, append([]clause{joined}, todo[2:]...))
		}
	}
	if !lists {
		return todo, nil
	}
	return append(listed(screen, verb, items, c), todo[1:]...), nil
}

var (
	listVerb = regexp.MustCompile(`(?i)^(?:please\s+)?(?:choose|select|pick|tick|check|untick|uncheck|click|press|tap)\s+(?:on\s+)?(?:the\s+)?`)
	listTail = regexp.MustCompile(`(?i)\s+(?:from|in|on|of)\s+(?:the|this)\s+[^,]*$`)
	pathMark = regexp.MustCompile(`\s+(?:>|›|»|→|->)\s+`)
	anyList  = regexp.MustCompile(`(?i)\b(?:lists?|options|choices|menu|drop-?down|box(?:es)?|form|page)$`)
)

// itemsOf takes a list of names apart, or a path through menus: File > Export.
func itemsOf(text string) []string {
	text = strings.TrimRight(inOrder.ReplaceAllString(text, ""), ". ")
	if path := pathMark.Split(text, -1); len(path) > 1 {
		return path
	}
	return andComma.Split(text, -1)
}

// namesAcross reports a control whose name goes on over the end of the first
// clause of whole.
func namesAcross(screen *surfaces.Screen, whole string, at int) bool {
	before, after := strings.Fields(whole[:at]), strings.Fields(whole[at:])
	if len(before) == 0 || len(after) < 2 {
		return false
	}
	phrase := strings.ToLower(before[len(before)-1] + " " + after[0] + " " + after[1])
	return slices.ContainsFunc(screen.Candidates, func(c surfaces.Candidate) bool {
		return strings.Contains(" "+strings.ToLower(squash(c.Name))+" ", " "+strings.Trim(phrase, `".,`)+" ")
	})
}

// listed gives an act for each item of a list whose items controls are called
// by; the clause itself where they are not, or where one is called by all of it.
func listed(screen *surfaces.Screen, verb string, items []string, c clause) []clause {
	tail := listTail.FindString(items[len(items)-1])
	items[len(items)-1] = strings.TrimSuffix(items[len(items)-1], tail)
	if anyList.MatchString(tail) {
		tail = "" // says nothing that tells one from another
	}
	called := func(name string) bool {
		return slices.ContainsFunc(screen.Candidates, func(c surfaces.Candidate) bool { return strings.EqualFold(squash(c.Name), name) })
	}
	if !slices.ContainsFunc(items, called) || called(strings.TrimRight(c.text[len(verb):], ". ")) {
		return []clause{c}
	}
	var out []clause
	for _, item := range items {
		out = append(out, clause{text: fmt.Sprintf("%s%q%s", verb, item, tail)})
	}
	return out
}

// clause does one part of a sentence.
func (s *step) clause(ctx context.Context, c clause) (Outcome, string, error) {
	if c.number != nil {
		found, outcome, note, err := s.setTo(ctx, c.number)
		if found || err != nil {
			return outcome, note, err
		}
	}
	if c.pressesOnly() || c.number != nil && !c.types() {
		return s.reach(ctx, c.text)
	}
	typed := len(s.typed)
	outcome, note, err := s.taken(ctx, c)
	if err != nil && c.loose && len(s.typed) == typed && tolerate(err) == nil {
		return s.reach(ctx, c.text)
	}
	return outcome, note, err
}

// taken does a part that says more than a press.
func (s *step) taken(ctx context.Context, c clause) (Outcome, string, error) {
	switch {
	case c.what != "":
		return s.chooseFor(ctx, c.what, c.option)
	case c.opens != "":
		return s.openUntil(ctx, c.opens, c.text)
	case c.copied != nil:
		return s.copy(ctx, c)
	case c.odd:
		return "", "", failed("%q asks for a way of writing that is not offered; say the text as it is to stand there", c.text)
	case c.every:
		return s.fillEvery(ctx, c.slots[0], c.casing)
	}
	fills, err := s.slotFills(c.slots)
	if err != nil {
		return "", "", err
	}
	fills[0].ends = c.ends
	for _, f := range fills {
		f.text = c.casing.of(f.text)
	}
	return s.fillAll(ctx, fills)
}

// reach gets to what a text says without typing. What was done for the part of
// the sentence before says nothing of this one.
func (s *step) reach(ctx context.Context, text string) (Outcome, string, error) {
	s.last = nil
	said, err := s.words(text)
	if err != nil {
		return "", "", err
	}
	if of, every := everyOf(said); every {
		meant, outcome, note, err := s.pressEvery(ctx, said, of)
		if meant || err != nil {
			return outcome, note, err
		}
	}
	if n := resultAt(said); n > 0 {
		beyond, outcome, note, err := s.resultBeyond(ctx, n)
		if beyond || err != nil {
			return outcome, note, err
		}
	}
	return s.do(ctx, said, stepKey(text), mostTurns)
}

// fillEvery types one text into every field that shows.
func (s *step) fillEvery(ctx context.Context, slot Slot, spelled casing) (Outcome, string, error) {
	fills, err := s.slotFills([]Slot{slot})
	if err != nil {
		return "", "", err
	}
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return "", "", err
	}
	s.report.Turns++
	var each []*slotFill
	for _, field := range s.freeFields(screen) {
		if !field.TakesText() {
			continue
		}
		f := *fills[0]
		f.field, f.name, f.key, f.text = field, field.Name, "", spelled.of(f.text)
		if f.name == "" {
			f.name = fmt.Sprintf("field %d", len(each)+1)
		}
		each = append(each, &f)
	}
	if len(each) == 0 {
		return "", "", failed("no field was found for %s", slot.Name)
	}
	if _, err := s.deliverAll(ctx, each); err != nil {
		return "", "", err
	}
	if err := errors.Join(s.leftOver(each), s.checkErrors(ctx, each)); err != nil {
		return "", "", err
	}
	return OutcomeDone, fillNote(each), nil
}
