package flows

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"countersign/flows/safety"
	"countersign/surfaces"
)

// mostCopies is how many copies of one control a step presses.
const mostCopies = 50

var (
	everyThing = regexp.MustCompile(`(?i)^(?:please\s+)?(\w+)\s+(?:on\s+)?(?:all|every|each)\s+(?:one\s+)?(?:of\s+)?(?:the\s+)?(.+?)(?:\s+(?:on|in)\s+(?:the|this)\s+(?:page|list|feed|screen))?[.!\s]*$`)
	ofEvery    = regexp.MustCompile(`(?i)^(?:please\s+)?(?:click|press|tap|hit)\s+(?:on\s+)?(?:the\s+)?(.+?)\s+(?:of|on|in|for)\s+(?:every|each)\s+(?:of\s+the\s+)?(\w+)[.!\s]*$`)
)

// everyOf reads a sentence that asks for a press on each of several alike: what
// it says of them, without their kind.
func everyOf(text string) (said string, ok bool) {
	if m := everyThing.FindStringSubmatch(text); m != nil {
		words := strings.Fields(m[2])
		return strings.Join(append(words[:len(words)-1:len(words)-1], m[1]), " "), true
	}
	if m := ofEvery.FindStringSubmatch(text); m != nil {
		return m[1], true
	}
	return "", false
}

// pressEvery presses each copy of the control that a text names, once and in
// order. meant is false where it is one control after all, or several boxes to
// tick, which the loop sets one after the other.
func (s *step) pressEvery(ctx context.Context, text, said string) (meant bool, outcome Outcome, note string, err error) {
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return false, "", "", err
	}
	pool := clickable(screen)
	if slices.ContainsFunc(pool, func(c *surfaces.Candidate) bool { return saysEvery(c.Name) }) {
		return false, "", "", nil // "Accept all"
	}
	s.last = nil
	c, err := s.ground(ctx, screen, want{subject: text, purpose: "click to accomplish: " + text, pool: pool})
	if c == nil || err != nil || c.Can(surfaces.CanCheck) || c.Can(surfaces.CanUncheck) || c.Has(surfaces.Checked) {
		return false, "", "", err
	}
	all := copiesOf(c, screen)
	if len(all) < 2 {
		return false, "", "", nil
	}
	if !slices.Contains(all, c) || len(all) > mostCopies || !onlySays(said, c) {
		return true, "", "", failed("which of the %d %s are meant is not plain", len(all), c.Label())
	}
	for n := range all {
		if n > 0 {
			if screen, err = s.lookReadable(ctx); err != nil {
				return true, "", "", err
			}
		}
		next := nextCopy(copiesOf(c, screen), len(all), n)
		if next == nil {
			return true, "", "", failed("%d of %d %s were pressed, then they changed", n, len(all), c.Label())
		}
		s.report.Turns++
		if err := s.mustPress(ctx, next); err != nil {
			return true, "", "", err
		}
	}
	s.last, s.chosen = nil, nil
	return true, OutcomeDone, fmt.Sprintf("pressed each of %d %s", len(all), c.Label()), nil
}

// nextCopy is the copy to press after n of all: they stay as they are, or each is
// gone once it is pressed.
func nextCopy(now []*surfaces.Candidate, all, n int) *surfaces.Candidate {
	switch len(now) {
	case all:
		return now[n]
	case all - n:
		return now[0]
	}
	return nil
}

// copiesOf are the controls of a screen like c that stand where it stands, or on
// the other items of its list, in order.
func copiesOf(c *surfaces.Candidate, screen *surfaces.Screen) []*surfaces.Candidate {
	var out []*surfaces.Candidate
	for i := range screen.Candidates {
		o := &screen.Candidates[i]
		if o.Role == c.Role && o.Name == c.Name && c.Name != "" && ordinalFree(o.Path) == ordinalFree(c.Path) && pressable(o) {
			out = append(out, o)
		}
	}
	return out
}

// onlySays reports words that tell no copy of c from another: they are its name's
// or say what kind of control it is.
func onlySays(said string, c *surfaces.Candidate) bool {
	have := append(safety.Words(c.Name+" "+c.Description), "the", "button", "buttons", "link", "icon", "on", "click", "press", "tap", "hit", "select", "choose", "open", c.Role)
	return !slices.ContainsFunc(safety.Words(said), func(w string) bool {
		return !slices.ContainsFunc(have, func(h string) bool { return singular(h) == singular(w) })
	})
}

func saysEvery(name string) bool {
	return slices.ContainsFunc(safety.Words(name), func(w string) bool { return w == "all" || w == "every" || w == "each" })
}
