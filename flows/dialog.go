package flows

import (
	"context"
	"regexp"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// commitsDialog marks the controls that never answer a dialog the task opened
// (tasks.md 8.3).
var commitsDialog = regexp.MustCompile(`(?i)\b(yes|ok|okay|confirm|pay|book|buy|send|delete)\b`)

// answerDialog asks once which of the non-committing controls of a dialog the
// task opened answers it, and presses that; it is not remembered (7.5).
func (s *step) answerDialog(ctx context.Context, l *loop, screen *surfaces.Screen) error {
	var pool []*surfaces.Candidate
	for _, c := range s.offered(s.ownPool(l.text, clickable(screen)), false) {
		if layerOf(c) != "" && !c.Has(surfaces.Covered) && !c.TakesText() && !commitsDialog.MatchString(c.Name) && s.gate(screen, c) == nil {
			pool = append(pool, c)
		}
	}
	pool = pool[:min(len(pool), mostOptions)]
	if len(pool) == 0 {
		s.leaveDialog(l, screen)
		return nil
	}
	q := choice(decider.AskDismiss, l.text, "answer the dialog so that this can go on: "+l.text,
		"Which control answers the open dialog?", controlOptions(pool, s.req.IncludeValues, numberKey))
	answers, err := s.ask(ctx, screen, l.text, questions{"dismiss": q})
	if err != nil {
		return err
	}
	i, p, ok := pickedAt(answers, "dismiss", q)
	if !ok || p < barAgreed {
		s.leaveDialog(l, screen)
		return nil
	}
	s.sure(p)
	l.acted, l.before, l.pressed = true, screen, pool[i]
	_, err = s.press(ctx, pool[i])
	return err
}

// leaveDialog takes a dialog that does not serve the step for an ordinary
// overlay, when the step names a control that lies behind it.
func (s *step) leaveDialog(l *loop, screen *surfaces.Screen) {
	for _, c := range clickable(screen) {
		if layerOf(c) == "" && named(l.text, c.Name) {
			s.ownDialog = false
			s.note("the dialog serves nothing here; %s lies behind it", c.Label())
			return
		}
	}
}
