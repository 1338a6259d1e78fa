package flows

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"countersign/flows/decider"
	"countersign/flows/facts"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// slotFill is one slot of an enter step on its way.
type slotFill struct {
	name    string // what the decider is told: expanded, secrets as ${name}
	key     string // for hints
	text    string // what is typed; may be a secret
	secret  string // name of the secret fact in text, empty for none
	field   *surfaces.Candidate
	asks    float64
	asked   bool
	done    bool
	path    string
	retyped bool
}

func (s *step) enter(ctx context.Context) (Outcome, string, error) { return s.fill(ctx, s.def.Slots) }

// fill runs the rounds of flows.md 9.1: match, deliver in screen order, commit
// suggestions, then the check for field errors.
func (s *step) fill(ctx context.Context, slots []Slot) (Outcome, string, error) {
	fills, err := s.slotFills(slots)
	if err != nil {
		return "", "", err
	}
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

// tolerate lets a step go on after a helping loop came to nothing; budgets,
// refusals and codes still end it.
func tolerate(err error) error {
	var end *ended
	if errors.As(err, &end) && end.stop == StepFailed && end.code == "" && end.evidence == nil {
		return nil
	}
	return err
}

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
		if !c.TakesText() && c.InputType != "select" || c.Has(surfaces.Disabled) || c.Has(surfaces.ReadOnly) || s.filled(c) || s.noKinds[c.Role] {
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
