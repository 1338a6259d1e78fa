package flows

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// filled reports whether this step already filled the box, by where it stands
// and by the text it holds; what cannot be read counts as held.
func (s *step) filled(c *surfaces.Candidate) bool {
	text, ok := s.typed[placeOf(c)]
	return ok && (c.Value == "" || c.InputType == "select" || holdsText(c.Value, text))
}

// freeFields are the editable fields in reading order without those this step
// already filled.
func (s *step) freeFields(screen *surfaces.Screen) []*surfaces.Candidate {
	var fields []*surfaces.Candidate
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if !c.TakesText() && c.InputType != "select" || c.Has(surfaces.Disabled) || c.Has(surfaces.ReadOnly) || s.filled(c) || placeOf(c) == s.readFrom || s.noKinds[c.Role] {
			continue
		}
		if s.ownDialog && layerOf(c) == "" && c.Has(surfaces.Covered) {
			continue
		}
		fields = append(fields, c)
	}
	return fields
}

// match gives each slot its field: remembered ones first, the rest by one
// request, the surest first, one field a slot.
func (s *step) match(ctx context.Context, screen *surfaces.Screen, pending []*slotFill, fields []*surfaces.Candidate) error {
	var rest []*slotFill
	free := slices.Clone(fields)
	for _, f := range pending {
		f.field = s.hinted(screen, f.key, free)
		if f.field == nil {
			rest = append(rest, f)
			continue
		}
		s.loop("memory")
		free = slices.DeleteFunc(free, func(c *surfaces.Candidate) bool { return c == f.field })
	}
	if len(rest) == 0 || len(free) == 0 {
		return nil
	}
	qs := questions{}
	for n, f := range rest {
		for g, group := range slices.Collect(slices.Chunk(free, mostOptions)) {
			qs[slotID(n, g)] = choice(decider.AskSlot, f.name, "type into the field for "+f.name,
				fmt.Sprintf("Which field takes %q?", f.name), controlOptions(group, s.req.IncludeValues, numberKey))
		}
		qs[fmt.Sprintf("asks_%d", n+1)] = noul(decider.AskAsks, f.name, fmt.Sprintf("Does this screen ask for %q?", f.name))
	}
	answers, err := s.ask(ctx, screen, "fill in "+slotNames(rest), qs)
	if err != nil {
		return err
	}
	for n, f := range rest {
		if p, ok := answers.P(fmt.Sprintf("asks_%d", n+1)); ok {
			f.asks, f.asked = p, true
		}
	}
	s.assign(rest, free, answers)
	return nil
}

// slotID is slot_1 for the first twenty fields, slot_1_2 for the next.
func slotID(n, group int) string {
	if group == 0 {
		return fmt.Sprintf("slot_%d", n+1)
	}
	return fmt.Sprintf("slot_%d_%d", n+1, group+1)
}

// assign deals fields to slots greedily, the most confident proposal first;
// what is under the floor is dropped.
func (s *step) assign(fills []*slotFill, fields []*surfaces.Candidate, answers decider.Answers) {
	type proposal struct {
		slot, field int
		p           float64
	}
	var proposals []proposal
	for n := range fills {
		for i := range fields {
			p := answers[slotID(n, i/mostOptions)].Probabilities[numberKey(i%mostOptions)]
			if p >= barSlot {
				proposals = append(proposals, proposal{n, i, p})
			}
		}
	}
	sort.SliceStable(proposals, func(a, b int) bool { return proposals[a].p > proposals[b].p })
	taken := map[int]bool{}
	for _, p := range proposals {
		if f := fills[p.slot]; f.field == nil && !taken[p.field] {
			f.field = fields[p.field]
			taken[p.field] = true
			s.sure(p.p)
		}
	}
}
