package flows

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"countersign/flows/decider"
	"countersign/flows/safety"
	"countersign/surfaces"
)

const (
	mostExtraWords = 12 // a label may hold beside the option's words
	mostTypedTries = 4  // of typing an option into a widget
	revealTurns    = 3  // of the do that reveals an option
)

// choosing is one choose step on its way.
type choosing struct {
	what, option string
	key          string
	typed        []retype // fields it changed, to be put back when it fails
	tries        int
}

type retype struct {
	field *surfaces.Candidate
	text  string
}

// choose takes one named option of a widget (flows.md section 6).
func (s *step) choose(ctx context.Context) (Outcome, string, error) {
	return s.chooseFor(ctx, s.def.What, s.def.Option)
}

// chooseFor takes the option of what, both as written.
func (s *step) chooseFor(ctx context.Context, writtenWhat, writtenOption string) (Outcome, string, error) {
	what, err := s.words(writtenWhat)
	if err != nil {
		return "", "", err
	}
	option, err := s.words(writtenOption)
	if err != nil {
		return "", "", err
	}
	ch := &choosing{what: what, option: option, key: stepKey(writtenWhat + " " + writtenOption)}
	outcome, err := s.take(ctx, ch)
	if err != nil {
		s.putBack(ctx, ch)
		return "", "", err
	}
	if outcome == OutcomeAlreadyDone {
		return outcome, fmt.Sprintf("%q is chosen already", option), nil
	}
	if err := s.reflect(ctx, ch); err != nil {
		s.putBack(ctx, ch)
		return "", "", err
	}
	return OutcomeDone, fmt.Sprintf("chose %q", option), nil
}

// take presses the option, revealing it first when it does not show.
func (s *step) take(ctx context.Context, ch *choosing) (Outcome, error) {
	for try := 0; ; try++ {
		screen, err := s.lookReadable(ctx)
		if err != nil {
			return "", err
		}
		s.report.Turns++
		c, err := s.optionOn(ctx, screen, ch)
		if err != nil {
			return "", err
		}
		if c != nil {
			return s.takeOption(ctx, screen, ch, c)
		}
		if field := ownInput(screen, ch.what); field != nil {
			_, err := s.deliver(ctx, field, inLayout(field, ch.option))
			return OutcomeDone, err
		}
		if d, ok := dayOf(ch.option); ok && calendarShows(screen) {
			return OutcomeDone, s.pageTo(ctx, d)
		}
		if try > 0 {
			if done, err := s.typeOption(ctx, screen, ch); done || err != nil {
				return OutcomeDone, err
			}
		}
		if try >= mostTypedTries {
			return "", failed("%q was not found for %q", ch.option, ch.what)
		}
		if try == 0 {
			err = s.reveal(ctx, screen, ch)
		}
		if err != nil {
			return "", err
		}
	}
}

// ownInput is an input of the browser's own that what names and that is set to a
// value rather than typed into or chosen from.
func ownInput(screen *surfaces.Screen, what string) *surfaces.Candidate {
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		switch c.InputType {
		case "date", "month", "time", "datetime-local", "range", "color":
			if c.TakesText() && !c.Has(surfaces.Disabled) && !c.Has(surfaces.Covered) && holdsWords(c.Name, what) {
				return c
			}
		}
	}
	return nil
}

func (s *step) takeOption(ctx context.Context, screen *surfaces.Screen, ch *choosing, c *surfaces.Candidate) (Outcome, error) {
	if c.Has(surfaces.Selected) || c.Has(surfaces.Checked) {
		return OutcomeAlreadyDone, nil
	}
	reply, err := s.press(ctx, c)
	if err != nil {
		return "", err
	}
	if !reply.OK {
		return "", failedWith(reply.Err())
	}
	s.learn(ch.key, screen, c)
	_, err = s.lookReadable(ctx)
	return OutcomeDone, err
}

// optionOn grounds the option among the controls whose label holds its words,
// preferring the part of the screen that what names.
func (s *step) optionOn(ctx context.Context, screen *surfaces.Screen, ch *choosing) (*surfaces.Candidate, error) {
	var pool []*surfaces.Candidate
	for _, c := range s.ownPool(ch.option, clickable(screen)) {
		if holdsWords(c.Name, ch.option) && !c.TakesText() && s.gate(screen, c) == nil {
			pool = append(pool, c)
		}
	}
	if inside := s.within(pool, ch.what); len(inside) > 0 {
		pool = inside
	}
	if len(pool) == 0 {
		return nil, nil
	}
	purpose := fmt.Sprintf("choose %q for %s", ch.option, ch.what)
	c, err := s.ground(ctx, screen, want{subject: ch.option, purpose: purpose, key: ch.key, pool: pool})
	if c != nil || err != nil {
		return c, err
	}
	if equal := equals(pool, ch.option); len(equal) == 1 {
		return equal[0], nil
	}
	return nil, nil
}

// equals gives the controls named exactly like the option.
func equals(pool []*surfaces.Candidate, option string) []*surfaces.Candidate {
	return slices.DeleteFunc(slices.Clone(pool), func(c *surfaces.Candidate) bool {
		return !strings.EqualFold(squash(c.Name), squash(option))
	})
}

// within gives the controls whose place or description names what.
func (s *step) within(pool []*surfaces.Candidate, what string) []*surfaces.Candidate {
	want := safety.Words(what)
	var out []*surfaces.Candidate
	for _, c := range pool {
		around := safety.Words(strings.Join(c.Path, " ") + " " + c.Description)
		hits := 0
		for _, w := range want {
			if slices.Contains(around, w) {
				hits++
			}
		}
		if len(want) > 0 && hits*2 >= len(want) && hits > 0 {
			out = append(out, c)
		}
	}
	return out
}

// holdsWords reports whether a label holds the option's words in order with at
// most twelve others.
func holdsWords(label, option string) bool {
	have, want := safety.Words(label), safety.Words(option)
	if len(want) == 0 {
		return strings.TrimSpace(label) != "" && strings.EqualFold(squash(label), squash(option))
	}
	at := 0
	for _, w := range have {
		if at < len(want) && w == want[at] {
			at++
		}
	}
	return at == len(want) && len(have)-len(want) <= mostExtraWords
}

// reveal opens what hides the option: a control named like what, else a short
// do.
func (s *step) reveal(ctx context.Context, screen *surfaces.Screen, ch *choosing) error {
	f := &slotFill{name: ch.what}
	if opened, err := s.openSlot(ctx, screen, f); opened || err != nil {
		return err
	}
	_, _, err := s.do(ctx, "open the choices of "+ch.what, "", revealTurns)
	return tolerate(err)
}

// typeOption types the option into the box that took focus, or the widget's own
// search box, and presses the row that is the option.
func (s *step) typeOption(ctx context.Context, screen *surfaces.Screen, ch *choosing) (bool, error) {
	field := s.widgetBox(screen, ch.what)
	if field == nil || ch.tries >= mostTypedTries {
		return false, nil
	}
	ch.tries++
	old, _ := s.place.ReadValue(ctx, field)
	before := s.screen
	if _, err := s.deliver(ctx, field, ch.option); err != nil {
		return false, tolerate(err)
	}
	if !slices.ContainsFunc(ch.typed, func(r retype) bool { return placeOf(r.field) == placeOf(field) }) {
		ch.typed = append(ch.typed, retype{field, old})
	}
	now, err := s.lookReadable(ctx)
	if err != nil {
		return false, err
	}
	rows := s.newRows(before, now, field, ch.option, true)
	row := exactly(rows, ch.option)
	if row == nil && len(rows) > 0 {
		if row, err = s.chooseRow(ctx, now, &slotFill{name: ch.what}, ch.option, rows); err != nil {
			return false, err
		}
	}
	if row == nil {
		return false, nil
	}
	reply, err := s.act(ctx, action{op: surfaces.Click, target: row})
	if err != nil || !reply.OK {
		return false, err
	}
	_, err = s.lookReadable(ctx)
	return true, err
}

// widgetBox is the text field that has the focus, else one that what names.
func (s *step) widgetBox(screen *surfaces.Screen, what string) *surfaces.Candidate {
	var named *surfaces.Candidate
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if !c.TakesText() || c.Has(surfaces.Disabled) || c.Has(surfaces.ReadOnly) || c.InputType == "password" {
			continue
		}
		if c.Has(surfaces.Focused) {
			return c
		}
		if named == nil && (holdsWords(c.Name, what) || holdsWords(what, c.Name) && c.Name != "") {
			named = c
		}
	}
	return named
}

// putBack retypes every field a failing choose changed to its earlier text.
func (s *step) putBack(ctx context.Context, ch *choosing) {
	for _, r := range ch.typed {
		if s.screen == nil || ctx.Err() != nil {
			return
		}
		if field := same(s.screen, r.field); field != nil {
			if _, err := s.deliver(ctx, field, r.text); err != nil {
				s.note("%s could not be put back", field.Label())
			}
		}
	}
}

// reflect checks that the screen shows the choice, after a press only; once
// more after one repair.
func (s *step) reflect(ctx context.Context, ch *choosing) error {
	for round := range 2 {
		p, err := s.reflects(ctx, ch)
		if err != nil {
			return err
		}
		if p >= barReflects {
			s.sure(p)
			return nil
		}
		s.note("the screen does not show %q chosen for %s (%s)", ch.option, ch.what, percent(p))
		if round == 1 {
			return failed("the screen does not show %q chosen for %q (%s)", ch.option, ch.what, percent(p))
		}
		s.loop("validation")
		repair := fmt.Sprintf("make the screen show %q chosen for %s and undo anything not asked for", ch.option, ch.what)
		if _, _, err := s.do(ctx, repair, "", mostRevealTurns); tolerate(err) != nil {
			return err
		}
	}
	return nil
}

// reflects gives the estimate that the choice shows; 1 when nothing answers, 0
// without a question when a sibling is plainly selected instead.
func (s *step) reflects(ctx context.Context, ch *choosing) (float64, error) {
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return 0, err
	}
	if siblingSelected(screen, ch.option) {
		return 0, nil
	}
	yes := noul(decider.AskReflects, ch.option, fmt.Sprintf("Does the screen show %q chosen for %s?", ch.option, ch.what))
	no := noul(decider.AskStrays, ch.option, fmt.Sprintf("Does the screen show something other than %q chosen for %s?", ch.option, ch.what))
	yes.Purpose, no.Purpose = ch.what, ch.what
	answers, err := s.ask(ctx, screen, ch.option+" for "+ch.what, questions{"reflects": yes, "strays": no})
	if err != nil {
		return 0, err
	}
	if p, ok := answers.Calibrated("reflects", "strays"); ok {
		return p, nil
	}
	return 1, nil
}

// siblingSelected reports whether a tab, radio or option named exactly like the
// option is unselected while another of its kind and place is selected.
func siblingSelected(screen *surfaces.Screen, option string) bool {
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if !selectable(c.Role) || !strings.EqualFold(squash(c.Name), squash(option)) || chosen(c) {
			continue
		}
		for j := range screen.Candidates {
			other := &screen.Candidates[j]
			if i != j && other.Role == c.Role && slices.Equal(other.Path, c.Path) && chosen(other) {
				return true
			}
		}
	}
	return false
}

func selectable(role string) bool { return role == "tab" || role == "radio" || role == "option" }

func chosen(c *surfaces.Candidate) bool { return c.Has(surfaces.Selected) || c.Has(surfaces.Checked) }
