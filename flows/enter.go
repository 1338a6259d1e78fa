package flows

import (
	"context"
	"errors"
	"strings"

	"countersign/flows/facts"
	"countersign/surfaces"
)

// slotFill is one slot of an enter step on its way.
type slotFill struct {
	name    string // what the decider is told: expanded, secrets as ${name}
	key     string // for hints
	text    string // what is typed; may be a secret
	ends    string // how the suggestion ends that is taken; text is its start
	secret  string // name of the secret fact in text, empty for none
	field   *surfaces.Candidate
	asks    float64
	asked   bool
	done    bool
	path    string
	retyped bool
}

func (s *step) enter(ctx context.Context) (Outcome, string, error) { return s.fill(ctx, s.def.Slots) }

func (s *step) fill(ctx context.Context, slots []Slot) (Outcome, string, error) {
	fills, err := s.slotFills(slots)
	if err != nil {
		return "", "", err
	}
	return s.fillAll(ctx, fills)
}

// fillAll runs the rounds of flows.md 9.1: match, deliver in screen order, commit
// suggestions, then the check for field errors.
func (s *step) fillAll(ctx context.Context, fills []*slotFill) (Outcome, string, error) {
	shown := false
	for range mostRounds {
		pending := unfilled(fills)
		if len(pending) == 0 {
			break
		}
		s.report.Turns++
		screen, err := s.lookReadable(ctx)
		if err != nil {
			return "", "", err
		}
		if err := s.round(ctx, screen, pending, &shown); err != nil {
			return "", "", err
		}
	}
	if err := s.leftOver(fills); err != nil {
		return "", "", err
	}
	if err := s.checkErrors(ctx, fills); err != nil {
		return "", "", err
	}
	return OutcomeDone, fillNote(fills), nil
}

// slotFills expands names and texts. Only here are secrets looked up.
func (s *step) slotFills(slots []Slot) ([]*slotFill, error) {
	fills := make([]*slotFill, 0, len(slots))
	for _, slot := range slots {
		name, err := s.words(slot.Name)
		if err != nil {
			return nil, err
		}
		f := &slotFill{name: name, key: stepKey(slot.Name)}
		refs, err := facts.References(slot.Text)
		if err != nil {
			return nil, failed("the text for %q holds a broken reference", name)
		}
		for _, ref := range refs {
			if _, ok := s.value(ref.Name); !ok {
				return nil, failed("%q needs ${%s}, which was not supplied", name, ref.Name)
			}
			if s.facts.IsSecret(ref.Name) {
				f.secret = ref.Name
			}
			if s.payment() == StopAtPayment && s.facts.IsCardData(ref.Name) {
				return nil, failed("CARD_DATA_NOT_ALLOWED: card details are not typed under stop_at_payment")
			}
		}
		f.text = facts.Expand(slot.Text, s.value)
		if strings.TrimSpace(f.text) == "" {
			return nil, failed("the text for %q is empty", name)
		}
		fills = append(fills, f)
	}
	return fills, nil
}

// value is the lookup of typed text: shared values, and secrets, which go from
// here to the field and nowhere else.
func (s *step) value(name string) (string, bool) {
	if v, ok := s.shared(name); ok {
		return v, true
	}
	return s.facts.Reveal(name)
}

func unfilled(fills []*slotFill) []*slotFill {
	var out []*slotFill
	for _, f := range fills {
		if !f.done {
			out = append(out, f)
		}
	}
	return out
}

// round matches what is pending to the fields of one screen and fills them;
// slots without a field are opened, picked, or left for the next round.
func (s *step) round(ctx context.Context, screen *surfaces.Screen, pending []*slotFill, shown *bool) error {
	fields := s.freeFields(screen)
	if len(fields) > 0 {
		if err := s.match(ctx, screen, pending, fields); err != nil {
			return err
		}
		leaveToCalendar(screen, pending)
		if filled, err := s.deliverAll(ctx, pending); filled > 0 || err != nil {
			return err
		}
	}
	for _, f := range pending {
		if f.asked && f.asks < barNotAsked && len(fields) > 0 {
			continue
		}
		if done, err := s.pickSlot(ctx, screen, f); done || err != nil {
			return err
		}
		if opened, err := s.openSlot(ctx, screen, f); opened || err != nil {
			return err
		}
	}
	if len(fields) > 0 || *shown {
		return nil
	}
	*shown = true
	names := make([]string, len(pending))
	for i, f := range pending {
		names[i] = f.name
	}
	_, _, err := s.do(ctx, "show the fields for "+strings.Join(names, ", "), "", mostRevealTurns)
	return tolerate(err)
}

// leaveToCalendar takes a date from a drop-down while a calendar shows: it is
// the calendar's own, of months or years.
func leaveToCalendar(screen *surfaces.Screen, pending []*slotFill) {
	for _, f := range pending {
		if _, isDate := dayOf(f.text); isDate && f.field != nil && f.field.InputType == "select" && calendarShows(screen) {
			f.field = nil
		}
	}
}

// tolerate lets a step go on after a helping loop came to nothing; budgets,
// refusals and codes still end it.
func tolerate(err error) error {
	var end *ended
	if errors.As(err, &end) && end.stop == StepFailed && end.code == "" && end.evidence == nil {
		return nil
	}
	return err
}

func slotNames(fills []*slotFill) string {
	names := make([]string, len(fills))
	for i, f := range fills {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// fillNote says what was filled and what was not asked for, never a text.
func fillNote(fills []*slotFill) string {
	var filled, skipped []string
	for _, f := range fills {
		if f.done {
			filled = append(filled, f.name+" ("+f.path+")")
		} else {
			skipped = append(skipped, f.name)
		}
	}
	note := "filled " + strings.Join(filled, ", ")
	if len(skipped) > 0 {
		note += "; not asked for: " + strings.Join(skipped, ", ")
	}
	return note
}
