package flows

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// plain is a do step: what its sentence types runs as enter, everything else as
// a loop, one after the other as it is written.
func (s *step) plain(ctx context.Context) (Outcome, string, error) {
	clauses := clausesOf(s.def.Text)
	if s.saysSecret(s.def.Text) {
		clauses = []clause{{text: s.def.Text}}
	}
	done := make([]string, 0, len(clauses))
	outcome := OutcomeAlreadyDone
	for _, c := range clauses {
		got, note, err := s.clause(ctx, c)
		if err != nil {
			return "", "", err
		}
		if got == OutcomeDone {
			outcome = OutcomeDone
		}
		done = append(done, note)
	}
	return outcome, strings.Join(done, "; "), nil
}

// clause does one part of a sentence.
func (s *step) clause(ctx context.Context, c clause) (Outcome, string, error) {
	switch {
	case c.pressesOnly():
		return s.reach(ctx, c.text)
	case c.what != "":
		outcome, note, err := s.chooseFor(ctx, c.what, c.option)
		if err != nil && c.loose && tolerate(err) == nil {
			return s.reach(ctx, c.text)
		}
		return outcome, note, err
	case c.every:
		return s.fillEvery(ctx, c.slots[0])
	}
	typed := len(s.typed)
	outcome, note, err := s.fill(ctx, c.slots)
	if err != nil && c.loose && len(s.typed) == typed && tolerate(err) == nil {
		return s.reach(ctx, c.text)
	}
	return outcome, note, err
}

// reach gets to what a text says without typing.
func (s *step) reach(ctx context.Context, text string) (Outcome, string, error) {
	said, err := s.words(text)
	if err != nil {
		return "", "", err
	}
	return s.do(ctx, said, stepKey(text), mostTurns)
}

// fillEvery types one text into every field that shows.
func (s *step) fillEvery(ctx context.Context, slot Slot) (Outcome, string, error) {
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
		f.field, f.name, f.key = field, field.Name, ""
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
