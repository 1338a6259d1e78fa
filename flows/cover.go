package flows

import (
	"context"
	"strings"

	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// mustPress presses what the step cannot go on without.
func (s *step) mustPress(ctx context.Context, c *surfaces.Candidate) error {
	reply, err := s.press(ctx, c)
	if err == nil && !reply.OK {
		err = failedWith(reply.Err())
	}
	return err
}

// press clicks the control grounding chose. A cover is cleared and the very
// same control tried again; nothing newly exposed is pressed.
func (s *step) press(ctx context.Context, c *surfaces.Candidate) (*surfaces.Reply, error) {
	s.presses[placeOf(c)]++
	reply, err := s.act(ctx, action{op: opFor(c), target: c})
	if err != nil || reply.Code() != fault.NotActionable || s.ownDialog {
		return reply, err
	}
	cover := reply.Error.Details.Cover
	if cover == "" && !reply.Error.Details.EmptyLayer {
		return reply, nil // nothing lies over it that could be dismissed
	}
	if cover != "" {
		s.covers = append(s.covers, s.mask(cover))
		s.note("%s is covered by %s", c.Label(), s.mask(cover))
	}
	again, err := s.uncover(ctx, c)
	switch {
	case err != nil:
		return reply, err
	case again != nil:
		if reply, err = s.act(ctx, action{op: opFor(again), target: again}); err != nil || reply.Code() != fault.NotActionable {
			return reply, err
		}
	default: // the step has dismissed enough by other means
		again = same(s.screen, c)
	}
	if again == nil || !reply.Error.Details.EmptyLayer {
		return reply, nil
	}
	return s.beside(ctx, again, reply)
}

// beside taps the empty layer over c where nothing lies beneath, and presses c
// again; refused is the reply when that comes to nothing.
func (s *step) beside(ctx context.Context, again *surfaces.Candidate, refused *surfaces.Reply) (*surfaces.Reply, error) {
	tapped, err := s.act(ctx, action{op: opDismissCover, target: again})
	if err != nil || !tapped.OK {
		return refused, err
	}
	screen, err := s.look(ctx)
	if err != nil {
		return nil, err
	}
	if again = same(screen, again); again == nil {
		return refused, nil
	}
	return s.act(ctx, action{op: opFor(again), target: again})
}

// opFor is the operation that presses a control.
func opFor(c *surfaces.Candidate) surfaces.Op {
	switch {
	case c.Role != "checkbox" && c.Role != "switch" || !c.Can(surfaces.CanCheck) && !c.Can(surfaces.CanUncheck):
	case c.Has(surfaces.Checked) && c.Can(surfaces.CanUncheck):
		return surfaces.Uncheck
	case !c.Has(surfaces.Checked) && c.Can(surfaces.CanCheck):
		return surfaces.Check
	}
	if !c.Can(surfaces.CanClick) && c.Can(surfaces.CanExpand) {
		return surfaces.Expand
	}
	return surfaces.Click
}

// uncover clears what lies over c, once: the least committal control of a front
// layer, else Escape. It gives c as the next look shows it, nil when it is gone
// or the step has dismissed enough.
func (s *step) uncover(ctx context.Context, c *surfaces.Candidate) (*surfaces.Candidate, error) {
	if s.dismissals >= mostDismissals {
		return nil, nil
	}
	s.dismissals++
	s.loop("obstacles")
	screen, err := s.look(ctx) // what lies over it may have come after the last look
	if err != nil {
		return nil, err
	}
	clear := action{op: opPress, text: keyEscape}
	if x := s.leastCommittal(screen, c); x != nil {
		clear = action{op: opFor(x), target: x}
	}
	if _, err := s.act(ctx, clear); err != nil {
		return nil, err
	}
	s.last = nil // our own housekeeping: it opened and helped nothing
	screen, err = s.look(ctx)
	if err != nil {
		return nil, err
	}
	return same(screen, c), nil
}

// dismissWords rank what closes a layer, least committal first.
var dismissWords = [...][]string{
	{"reject", "decline", "refuse", "essential", "necessary", "no thanks", "not now", "later", "skip"},
	{"close", "dismiss", "cancel", "×", "✕", "x"},
	{"got it", "ok", "okay", "understood"},
	{"accept", "agree", "allow"},
}

// leastCommittal finds the control of a front layer that closes it with the
// smallest consequence; never in the layer target stands in, never a gated one.
func (s *step) leastCommittal(screen *surfaces.Screen, target *surfaces.Candidate) *surfaces.Candidate {
	own := layerOf(target)
	for _, words := range dismissWords {
		for i := range screen.Candidates {
			c := &screen.Candidates[i]
			layer := layerOf(c)
			if layer == "" || layer == own || c.Has(surfaces.Covered) || c.Has(surfaces.Disabled) || !pressable(c) {
				continue
			}
			if closes(c.Name, words) && s.gate(screen, c) == nil {
				return c
			}
		}
	}
	return nil
}

func closes(name string, words []string) bool {
	said := " " + strings.Join(safety.Words(name), " ") + " "
	for _, w := range words {
		if strings.Contains(said, " "+w+" ") || strings.TrimSpace(strings.ToLower(name)) == w {
			return true
		}
	}
	return false
}

// layerOf names the layer a control stands in: the path up to the innermost
// dialog or popover; empty for the page itself.
func layerOf(c *surfaces.Candidate) string {
	for i := len(c.Path) - 1; i >= 0; i-- {
		kind, _, _ := strings.Cut(c.Path[i], " ")
		switch kind {
		case "dialog", "alertdialog", "popover", "alert", "sheet":
			return strings.Join(c.Path[:i+1], "›")
		}
	}
	return ""
}

func pressable(c *surfaces.Candidate) bool {
	return c.Can(surfaces.CanClick) || c.Can(surfaces.CanExpand)
}
