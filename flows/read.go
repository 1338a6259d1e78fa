package flows

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// read saves one piece of text that shows.
func (s *step) read(ctx context.Context) (Outcome, string, error) {
	what, err := s.words(s.def.What)
	if err != nil {
		return "", "", err
	}
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return "", "", err
	}
	text, found, err := s.pieceOf(ctx, screen, what)
	if err != nil {
		return "", "", err
	}
	if !found {
		return "", "", failed("nothing on the screen is %q", what)
	}
	s.save(s.def.Into, cut(text, mostSavedText))
	return OutcomeDone, "read " + s.def.Into, nil
}

// pieceOf is the piece of text that words ask for: names, values, texts, sixty to
// a question.
func (s *step) pieceOf(ctx context.Context, screen *surfaces.Screen, what string) (text string, found bool, err error) {
	for page := range slices.Chunk(s.pieces(screen), mostPieces) {
		q := choice(decider.AskSource, what, "", fmt.Sprintf("Which piece of text is %q?", what), pieceOptions(page))
		answers, err := s.ask(ctx, screen, "read "+what, questions{"source": q})
		if err != nil {
			return "", false, err
		}
		if i, p, ok := pickedAt(answers, "source", q); ok && p >= barRead {
			s.sure(p)
			text := page[i].text
			if onlyNames(text, what) {
				text = s.behind(screen, text)
			}
			return valueOf(text, what), true, nil
		}
	}
	return "", false, nil
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
