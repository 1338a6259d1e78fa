package flows

import (
	"context"
	"slices"
	"strings"

	"countersign/flows/safety"
	"countersign/surfaces"
)

const mostOpened = 20 // tabs, sections or branches that one search opens

// openUntil opens one thing after the other, tabs, sections or the branches of a
// tree, until what text names shows, and presses that. The name in quotes has to
// show as it is written.
func (s *step) openUntil(ctx context.Context, opens, text string) (Outcome, string, error) {
	said, err := s.words(text)
	if err != nil {
		return "", "", err
	}
	q := quotes.FindString(said)
	if q == "" {
		return s.reach(ctx, text)
	}
	name := strings.Trim(q, `"“”`)
	opened := map[string]bool{}
	for range mostOpened {
		screen, err := s.look(ctx)
		if err != nil {
			return "", "", err
		}
		if exactly(clickable(screen), name) != nil {
			return s.reach(ctx, text)
		}
		next := unopened(screen, opens, opened)
		if next == nil {
			break
		}
		opened[placeOf(next)] = true
		s.report.Turns++
		if _, err := s.press(ctx, next); err != nil {
			return "", "", err
		}
	}
	return "", "", failed("%q was not found in the %s", name, opens)
}

// foldedMarks stand before what is folded, where nothing else tells it.
const foldedMarks = "▸▹▶►⊞"

// unopened is the first control that opens one of what is gone through and was
// not pressed yet: a tab, something folded, or what is called by its word.
func unopened(screen *surfaces.Screen, opens string, opened map[string]bool) *surfaces.Candidate {
	words := safety.Words(opens)
	for _, c := range clickable(screen) {
		if opened[placeOf(c)] || c.Has(surfaces.Expanded) || c.Has(surfaces.Selected) || c.Has(surfaces.Disabled) || c.TakesText() {
			continue
		}
		called := slices.ContainsFunc(safety.Words(c.Name), func(w string) bool {
			return slices.ContainsFunc(words, func(o string) bool { return w == o || w+"s" == o })
		})
		if c.Role == "tab" || c.Has(surfaces.Collapsed) || c.Can(surfaces.CanExpand) || called || strings.ContainsAny(c.Name, foldedMarks) {
			return c
		}
	}
	return nil
}
