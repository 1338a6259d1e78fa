package flows

import (
	"context"
	"regexp"
	"slices"
	"sort"
	"strings"

	"countersign/flows/decider"
	"countersign/flows/safety"
	"countersign/surfaces"
)

// mostOpeners is how many controls are asked about for one slot.
const mostOpeners = 4

// openSlot presses the link or button that may reveal a slot's field, when the
// decider agrees (flows.md 9.5).
func (s *step) openSlot(ctx context.Context, screen *surfaces.Screen, f *slotFill) (bool, error) {
	for _, o := range s.openers(screen, f.name) {
		c := o.control
		q := noul(decider.AskOpens, f.name, "Does pressing "+c.Label()+" show the field for "+f.name+"?")
		asked := *c
		asked.Description = strings.TrimSpace(o.label + " " + c.Description)
		q.Options = []decider.Option{controlOption("1", &asked, s.req.IncludeValues)}
		answers, err := s.ask(ctx, screen, "fill in "+f.name, questions{"opens_1": q})
		if err != nil {
			return false, err
		}
		if p, ok := answers.P("opens_1"); !ok || p < barOpener {
			continue
		}
		reply, err := s.press(ctx, c)
		if err != nil {
			return false, err
		}
		return reply.OK, nil
	}
	return false, nil
}

// notSlotWords say nothing about which slot a control opens.
var notSlotWords = []string{"field", "input", "button", "link", "form", "list", "enter", "your", "with", "this"}

// opener is a control that may show a slot's field, with the label before it.
type opener struct {
	control *surfaces.Candidate
	label   string
	score   int
}

// openers ranks the links and buttons that hold a word of the slot's name: in
// view first, then more of its words, then its first word.
func (s *step) openers(screen *surfaces.Screen, slot string) []opener {
	var words []string
	for _, w := range safety.Words(slot) {
		if len([]rune(w)) >= 4 && !slices.Contains(notSlotWords, w) {
			words = append(words, w)
		}
	}
	var found []opener
	around := besides(screen)
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if !mayOpen(c) || s.struckOff(c) || s.gate(screen, c) != nil || s.presses[placeOf(c)] > 0 {
			continue
		}
		name := safety.Words(c.Name + " " + c.Description + " " + around[i].label)
		score := 0
		for n, w := range words {
			if !slices.Contains(name, w) {
				continue
			}
			score += 10
			if n == 0 {
				score++
			}
		}
		if score == 0 {
			continue
		}
		if !c.Has(surfaces.Offscreen) {
			score += 1000
		}
		found = append(found, opener{c, around[i].label, score})
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].score > found[j].score })
	return found[:min(len(found), mostOpeners)]
}

// mayOpen reports whether a press may show a field: a button, a link, a closed
// list, or a box that is no box to type in and shows a picker; never what sends
// off what was filled in.
func mayOpen(c *surfaces.Candidate) bool {
	switch c.Role {
	case "button", "link", "combobox":
		return pressable(c) && !finishes.MatchString(c.Name)
	default:
		return pressable(c) && c.Has(surfaces.ReadOnly)
	}
}

var finishes = regexp.MustCompile(`(?i)^\W*(save|apply|submit|book|order|confirm|continue|done|ok|send|next)\b`)

// pickSlot chooses a slot that is picked rather than typed: a day of a calendar
// that shows, or an option named exactly like its text. A secret is matched
// here alone.
func (s *step) pickSlot(ctx context.Context, screen *surfaces.Screen, f *slotFill) (bool, error) {
	if day, ok := dayOf(f.text); ok && calendarShows(screen) {
		if err := s.pageTo(ctx, day); err != nil {
			return false, err
		}
		f.done, f.path = true, "calendar"
		return true, nil
	}
	var options []*surfaces.Candidate
	for _, c := range clickable(screen) {
		if slices.Contains([]string{"option", "radio", "menuitem"}, c.Role) && !c.Has(surfaces.Covered) && s.gate(screen, c) == nil {
			options = append(options, c)
		}
	}
	c := exactly(options, f.text)
	if c == nil || !strings.Contains(strings.ToLower(strings.Join(c.Path, " ")), strings.ToLower(f.name)) && c.Role != "option" {
		return false, nil
	}
	if !c.Has(surfaces.Selected) && !c.Has(surfaces.Checked) {
		reply, err := s.press(ctx, c)
		if err != nil || !reply.OK {
			return false, err
		}
	}
	f.done, f.path = true, "choice"
	return true, nil
}
