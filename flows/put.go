package flows

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// deliverAll fills the assigned fields in screen order and commits what each
// one suggests. A field that is gone meanwhile waits for the next round.
func (s *step) deliverAll(ctx context.Context, pending []*slotFill) (filled int, err error) {
	var ready []*slotFill
	for _, f := range pending {
		if f.field != nil {
			ready = append(ready, f)
		}
	}
	sort.SliceStable(ready, func(i, j int) bool { return ready[i].field.Order < ready[j].field.Order })
	for _, f := range ready {
		field := same(s.screen, f.field)
		f.field = field
		if field == nil {
			continue
		}
		if err := s.put(ctx, f, field); err != nil {
			var end *ended
			if errors.As(err, &end) && end.code == fault.NotATextField {
				f.field = nil
				continue
			}
			return filled, err
		}
		filled++
	}
	return filled, nil
}

// put fills one field, once.
func (s *step) put(ctx context.Context, f *slotFill, field *surfaces.Candidate) error {
	if field.InputType == "select" {
		return s.setChoice(ctx, f, field)
	}
	before := s.screen
	text := inLayout(field, f.text)
	if f.secret != "" && text != f.text {
		s.facts = s.facts.WithForm(f.secret, text)
	}
	if f.secret != "" {
		s.noteSecret(s.screen, field, text)
	}
	got, err := s.deliver(ctx, field, text)
	if covered(err) {
		if again, clearing := s.uncover(ctx, field); clearing != nil || again == nil {
			return errors.Join(clearing, err)
		} else if got, err = s.deliver(ctx, again, text); err == nil {
			field, f.field = again, again
		}
	}
	if err != nil {
		return err
	}
	f.done, f.path = true, got.path
	s.note("entered %s (%s)", f.name, got.path)
	s.learn(f.key, before, field)
	return s.suggestions(ctx, f, field, text, before)
}

// covered reports a field that could not be reached for what lies over it.
func covered(err error) bool {
	var end *ended
	return errors.As(err, &end) && end.code == fault.NotActionable
}

// setChoice sets a dropdown of the page's own by pressing its option; an option
// for a secret is matched here and never put in a question.
func (s *step) setChoice(ctx context.Context, f *slotFill, field *surfaces.Candidate) error {
	var options []*surfaces.Candidate
	box := fmt.Sprintf("listbox %q", field.Name)
	for i := range s.screen.Candidates {
		c := &s.screen.Candidates[i]
		if c.Role == "option" && len(c.Path) > 0 && (c.Path[len(c.Path)-1] == box || strings.HasPrefix(c.Path[len(c.Path)-1], box)) {
			options = append(options, c)
		}
	}
	c := exactly(options, f.text)
	if c == nil && f.secret == "" {
		var err error
		if c, err = s.ground(ctx, s.screen, want{subject: f.text, purpose: "choose " + f.text + " for " + f.name, pool: options}); err != nil {
			return err
		}
	}
	if c == nil {
		return failed("%s offers nothing like what %q wants", field.Label(), f.name)
	}
	if f.secret != "" {
		s.noteSecret(s.screen, field, f.text)
	}
	s.typed[placeOf(field)] = f.text
	if !c.Has(surfaces.Selected) {
		reply, err := s.act(ctx, action{op: surfaces.Click, target: c})
		if err != nil {
			return err
		}
		if !reply.OK {
			return failedWith(reply.Err())
		}
	}
	f.done, f.path = true, "choice"
	s.learn(f.key, s.screen, field)
	_, err := s.lookReadable(ctx)
	return err
}

// exactly finds the one control whose name is the text, ignoring case and
// white space.
func exactly(cs []*surfaces.Candidate, text string) *surfaces.Candidate {
	for _, c := range cs {
		if strings.EqualFold(squash(c.Name), squash(text)) {
			return c
		}
	}
	return nil
}
