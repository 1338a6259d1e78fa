package flows

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// read saves one piece of text that shows: names, values, texts, sixty to a
// question, page after page.
func (s *step) read(ctx context.Context) (Outcome, string, error) {
	what, err := s.words(s.def.What)
	if err != nil {
		return "", "", err
	}
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return "", "", err
	}
	for page := range slices.Chunk(s.pieces(screen), mostPieces) {
		q := choice(decider.AskSource, what, "", fmt.Sprintf("Which piece of text is %q?", what), numbered(page))
		answers, err := s.ask(ctx, screen, "read "+what, questions{"source": q})
		if err != nil {
			return "", "", err
		}
		if i, p, ok := pickedAt(answers, "source", q); ok && p >= barRead {
			s.sure(p)
			text := strings.TrimSpace(page[i])
			if onlyNames(text, what) {
				text = s.behind(screen, text)
			}
			s.save(s.def.Into, cut(valueOf(text, what), mostSavedText))
			return OutcomeDone, "read " + s.def.Into, nil
		}
	}
	return "", "", failed("nothing on the screen is %q", what)
}

// behind is the text after a label, the label itself where nothing comes after.
func (s *step) behind(screen *surfaces.Screen, label string) string {
	texts := s.inOrder(screen)
	for i := slices.Index(texts, label) + 1; i < len(texts); i++ {
		if texts[i] != label {
			return texts[i]
		}
	}
	return label
}

// pieces are the readable texts of a screen in document order, each once.
func (s *step) pieces(screen *surfaces.Screen) []string {
	var out []string
	seen := map[string]bool{}
	for _, text := range append(s.inOrder(screen), screen.Context...) {
		if text = squash(text); text != "" && !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// inOrder are the readable texts of a screen in document order. A control whose
// name and value differ gives two.
func (s *step) inOrder(screen *surfaces.Screen) []string {
	type piece struct {
		order int
		text  string
	}
	var all []piece
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		all = append(all, piece{c.Order, c.Name})
		if s.req.IncludeValues {
			all = append(all, piece{c.Order, c.Value})
		}
	}
	for _, t := range screen.TextNodes {
		if !t.Field || s.req.IncludeValues {
			all = append(all, piece{t.Order, t.Text})
		}
	}
	slices.SortStableFunc(all, func(a, b piece) int { return a.order - b.order })
	out := make([]string, 0, len(all))
	for _, p := range all {
		if text := squash(p.text); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// extract saves the rows of a list that shows, as a JSON array of objects.
func (s *step) extract(ctx context.Context) (Outcome, string, error) {
	what, err := s.words(s.def.What)
	if err != nil {
		return "", "", err
	}
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return "", "", err
	}
	lists := listsOf(screen, s.req.IncludeValues)
	if len(lists) == 0 {
		return "", "", failed("no list is showing for %q", what)
	}
	cards, err := s.whichList(ctx, screen, what, lists)
	if err != nil {
		return "", "", err
	}
	rows := make([]map[string]string, 0, len(cards))
	for _, c := range cards[:min(len(cards), mostRows)] {
		rows = append(rows, c.record())
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return "", "", err
	}
	s.save(s.def.Into, string(text))
	return OutcomeDone, fmt.Sprintf("extracted %d rows into %s", len(rows), s.def.Into), nil
}
