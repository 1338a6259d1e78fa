package flows

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"countersign/flows/decider"
	"countersign/flows/safety"
	"countersign/surfaces"
)

// placeBox marks a slot that names a place, whose text counts only once a row
// of its list is taken.
var placeBox = regexp.MustCompile(`(?i)\b(pick-?up|drop(?:-?off)?|from|to|origin|destination|address|city|town|airport|station|place|location|where)\b`)

// searchWords mark a box or slot that searches.
var searchWords = regexp.MustCompile(`(?i)\b(search|find|query|keywords?)\b`)

// suggestions commits a row that a delivered text brought up (flows.md 9.4).
// The text stays as typed unless an equal row is there or the decider picks
// one. A secret's text is neither asked about nor completed.
func (s *step) suggestions(ctx context.Context, f *slotFill, field *surfaces.Candidate, text string, before *surfaces.Screen) error {
	screen, err := s.lookReadable(ctx)
	if err != nil || f.secret != "" {
		return err
	}
	isPlace := placeBox.MatchString(f.name) || placeBox.MatchString(field.Name)
	rows := s.newRows(before, screen, field, text, isPlace)
	waits := 2
	if !isPlace || field.InputType == "email" || field.Autocomplete != "" && field.Autocomplete != "off" {
		waits = 0 // a box the browser itself completes opens no list of the page's
	}
	for wait := 0; len(rows) == 0 && wait < waits; wait++ {
		changed := s.place.AwaitChange(ctx, changeWaitMS)
		if screen, err = s.lookReadable(ctx); err != nil {
			return err
		}
		rows = s.newRows(before, screen, field, text, isPlace)
		if !changed {
			break
		}
	}
	if f.ends != "" {
		if rows = startingEnding(rows, text, f.ends); len(rows) != 1 {
			return failed("%d suggestions start with %q and end with %q", len(rows), text, f.ends)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	row := exactly(rows, text)
	if f.ends != "" {
		row = rows[0]
	}
	searching := !isPlace && (field.Role == "searchbox" || searchWords.MatchString(f.name) || searchWords.MatchString(field.Name))
	if searching && row == nil {
		row = sameSearch(rows, text)
		if row == nil {
			return nil
		}
	}
	if row == nil {
		if row, err = s.chooseRow(ctx, screen, f, text, rows); err != nil || row == nil {
			return err
		}
	}
	reply, err := s.act(ctx, action{op: surfaces.Click, target: row})
	if err != nil {
		return err
	}
	if !reply.OK {
		s.note("the suggestion could not be pressed")
	}
	_, err = s.lookReadable(ctx)
	return err
}

// startingEnding are the rows that start and end as asked, whatever the case.
func startingEnding(rows []*surfaces.Candidate, start, end string) []*surfaces.Candidate {
	return slices.DeleteFunc(slices.Clone(rows), func(c *surfaces.Candidate) bool {
		name := strings.ToLower(squash(c.Name))
		return !strings.HasPrefix(name, strings.ToLower(start)) || !strings.HasSuffix(name, strings.ToLower(end))
	})
}

// rowRoles are the roles of a list that opens under a box.
var rowRoles = []string{"option", "menuitem", "listitem", "row", "gridcell"}

// newRows are the rows that appeared since typing: first those that hold the
// text, and when none mentions it those of a list's own roles. A label that
// runs several rows together belongs to a panel.
func (s *step) newRows(before, now *surfaces.Screen, field *surfaces.Candidate, text string, isPlace bool) []*surfaces.Candidate {
	old := map[string]bool{}
	for i := range before.Candidates {
		old[placeOf(&before.Candidates[i])] = true
	}
	var holding, listed []*surfaces.Candidate
	for i := range now.Candidates {
		c := &now.Candidates[i]
		if c.Ref == field.Ref || c.TakesText() || !pressable(c) || c.Name == "" || s.gate(now, c) != nil || strings.Contains(c.Name, "\n") {
			continue
		}
		fresh := !old[placeOf(c)]
		isRow := slices.Contains(rowRoles, c.Role)
		switch {
		case fresh && mentions(c.Name, text), isPlace && isRow && mentions(c.Name, text):
			holding = append(holding, c)
		case fresh && isRow && !ownRow.MatchString(c.Name):
			listed = append(listed, c)
		}
	}
	holding = withoutPanels(holding)
	if len(holding) > 0 {
		return holding[:min(len(holding), mostSuggestions)]
	}
	return listed[:min(len(listed), mostSuggestions)]
}

// ownRow marks rows of the box's own, which are no suggestion.
var ownRow = regexp.MustCompile(`(?i)\b(use )?(my|current) location\b|^loading\b|^searching\b`)

func mentions(name, text string) bool {
	return strings.Contains(strings.ToLower(squash(name)), strings.ToLower(squash(text)))
}

// withoutPanels drops a label that holds two or more of the others whole.
func withoutPanels(rows []*surfaces.Candidate) []*surfaces.Candidate {
	var out []*surfaces.Candidate
	for _, c := range rows {
		inside := 0
		for _, other := range rows {
			if other != c && len(other.Name) < len(c.Name) && strings.Contains(c.Name, other.Name) {
				inside++
			}
		}
		if inside < 2 {
			out = append(out, c)
		}
	}
	return out
}

// sameSearch finds the row that searches for the text as typed: the text after
// words such as "show all results for".
func sameSearch(rows []*surfaces.Candidate, text string) *surfaces.Candidate {
	want := strings.Join(safety.Words(text), " ")
	for _, c := range rows {
		words := strings.Join(safety.Words(c.Name), " ")
		lead, ok := strings.CutSuffix(words, " "+want)
		if ok && strings.HasSuffix(lead, " for") {
			return c
		}
	}
	return nil
}

// chooseRow asks which row completes the text; below the floor the text stays.
func (s *step) chooseRow(ctx context.Context, screen *surfaces.Screen, f *slotFill, text string, rows []*surfaces.Candidate) (*surfaces.Candidate, error) {
	q := choice(decider.AskSuggestion, text, f.name, "Which row is "+text+" for "+f.name+"?", controlOptions(rows, s.req.IncludeValues, numberKey))
	answers, err := s.ask(ctx, screen, "fill in "+f.name, questions{"suggestion": q})
	if err != nil {
		return nil, err
	}
	i, p, ok := pickedAt(answers, "suggestion", q)
	if !ok || p < barSuggestion {
		return nil, nil
	}
	s.sure(p)
	return rows[i], nil
}
