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

// trip is a journey that a sentence asks for: "book the cheapest flight from
// Athens to Madrid on 24 December 2026".
type trip struct {
	verb, what string
	slots      []Slot // from, to, and the days
}

var (
	tripText   = regexp.MustCompile(`(?is)^(?:please\s+)?(book|reserve|find|search(?:\s+for)?|look\s+for|show)\s+(?:me\s+)?(.+?)\s+from:?\s+(.+?)\s+to:?\s+(.+?)[.\s]*$`)
	tripDay    = regexp.MustCompile(`(?is)^(.+?),?\s+(?:on|for|departing(?:\s+on)?|leaving(?:\s+on)?):?\s+(.+?)$`)
	tripReturn = regexp.MustCompile(`(?is)^(.+?),?\s+(?:and\s+)?(?:return(?:ing)?|coming\s+back|back)\s+(?:on\s+)?(.+?)$`)
	tripTaker  = []string{"book", "reserve"}
)

// tripIn reads a sentence that is about a journey and no more.
func tripIn(text string) *trip {
	m := tripText.FindStringSubmatch(text)
	if m == nil || strings.Contains(text, "${") {
		return nil
	}
	t := &trip{verb: strings.ToLower(m[1]), what: m[2], slots: []Slot{{Name: "from", Text: bare(m[3])}}}
	to, day, back := m[4], "", ""
	if r := tripReturn.FindStringSubmatch(to); r != nil {
		to, back = r[1], bare(r[2])
	}
	if d := tripDay.FindStringSubmatch(to); d != nil {
		to, day = d[1], bare(d[2])
	}
	t.slots = append(t.slots, Slot{Name: "to", Text: bare(to)})
	for _, d := range []Slot{{Name: "departure date", Text: day}, {Name: "return date", Text: back}} {
		switch {
		case d.Text == "":
		case !isDate(d.Text):
			return nil
		default:
			t.slots = append(t.slots, d)
		}
	}
	if slices.ContainsFunc(t.slots, func(s Slot) bool { return goesOn.MatchString(s.Text) }) {
		return nil
	}
	return t
}

// planned is what a journey takes on this screen: the form is filled in and sent
// where it asks where from and where to, and of what it finds one is taken.
func (s *step) planned(ctx context.Context, c clause) ([]clause, error) {
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return nil, err
	}
	asks := func(words ...string) bool {
		return slices.ContainsFunc(s.freeFields(screen), func(f *surfaces.Candidate) bool {
			return slices.ContainsFunc(safety.Words(f.Name), func(w string) bool { return slices.Contains(words, w) })
		})
	}
	if !asks("from", "origin", "departure", "leaving", "start") || !asks("to", "destination", "arrival", "going") {
		return []clause{{text: c.text}}, nil
	}
	out := []clause{{text: c.text, slots: c.trip.slots}}
	if send := searchButton(screen); send != nil {
		out = append(out, clause{text: fmt.Sprintf("press %q", send.Name)})
	}
	if slices.Contains(tripTaker, c.trip.verb) {
		out = append(out, clause{text: c.trip.verb + " " + c.trip.what})
	}
	return out, nil
}

// searchButton is the one button that sends a form off to find something.
func searchButton(screen *surfaces.Screen) *surfaces.Candidate {
	var found []*surfaces.Candidate
	for _, c := range clickable(screen) {
		says := safety.Words(c.Name)
		if c.Role == "button" && slices.ContainsFunc([]string{"search", "find", "show"}, func(w string) bool { return slices.Contains(says, w) }) {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}
