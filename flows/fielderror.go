package flows

import (
	"context"
	"fmt"
	"strings"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// checkErrors asks whether a filled field is flagged, enters that slot once
// more, and fails when it still is.
func (s *step) checkErrors(ctx context.Context, fills []*slotFill) error {
	for {
		screen, err := s.lookReadable(ctx)
		if err != nil {
			return err
		}
		flagged, err := s.flagged(ctx, screen, fills)
		if err != nil || len(flagged) == 0 {
			return err
		}
		var still []string
		for _, f := range flagged {
			if f.retyped {
				still = append(still, f.name)
			}
		}
		if len(still) > 0 {
			return failed("the page does not accept %s", strings.Join(still, ", "))
		}
		for _, f := range flagged {
			f.retyped = true
			if field := same(s.screen, f.field); field != nil {
				if err := s.put(ctx, f, field); err != nil {
					return err
				}
			}
		}
	}
}

// flagged asks error_n for every filled slot in one request.
func (s *step) flagged(ctx context.Context, screen *surfaces.Screen, fills []*slotFill) ([]*slotFill, error) {
	qs := questions{}
	for n, f := range fills {
		if !f.done || f.field == nil {
			continue
		}
		q := noul(decider.AskError, f.name, fmt.Sprintf("Does the screen say that what was entered for %q is wrong?", f.name))
		if field := same(screen, f.field); field != nil {
			q.Options = []decider.Option{controlOption("1", field, false)}
		}
		qs[fmt.Sprintf("error_%d", n)] = q
	}
	if len(qs) == 0 {
		return nil, nil
	}
	answers, err := s.ask(ctx, screen, "fill in "+slotNames(fills), qs)
	if err != nil {
		return nil, err
	}
	var out []*slotFill
	for n, f := range fills {
		if p, ok := answers.P(fmt.Sprintf("error_%d", n)); ok && p >= barFieldError {
			out = append(out, f)
		}
	}
	return out, nil
}

// leftOver fails when a slot that the screen asks for has no field, or when
// nothing was asked for at all.
func (s *step) leftOver(fills []*slotFill) error {
	var wanted, skipped []string
	for _, f := range fills {
		switch {
		case f.done:
		case f.asked && f.asks < barNotAsked:
			skipped = append(skipped, f.name)
		default:
			wanted = append(wanted, f.name)
		}
	}
	if len(wanted) > 0 {
		return failed("no field was found for %s", strings.Join(wanted, ", "))
	}
	if len(skipped) == len(fills) {
		return failed("nothing here asks for %s", strings.Join(skipped, ", "))
	}
	for _, name := range skipped {
		s.note("%s is not asked for", name)
	}
	return nil
}
