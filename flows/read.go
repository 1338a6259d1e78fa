package flows

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

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
		q := choice(decider.AskSource, what, "", fmt.Sprintf("Which piece of text is %q?", what), pieceOptions(page))
		answers, err := s.ask(ctx, screen, "read "+what, questions{"source": q})
		if err != nil {
			return "", "", err
		}
		if i, p, ok := pickedAt(answers, "source", q); ok && p >= barRead {
			s.sure(p)
			text := page[i].text
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
	texts := s.readables(screen)
	at := slices.IndexFunc(texts, func(r readable) bool { return squash(r.text) == label })
	for _, r := range texts[at+1:] {
		if text := squash(r.text); text != label {
			return text
		}
	}
	return label
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
