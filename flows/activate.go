package flows

import (
	"context"
	"strings"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// move does what the decider picked. Anything that was not offered is logged
// and the turn is spent.
func (s *step) move(ctx context.Context, l *loop, screen *surfaces.Screen, v verdict) error {
	if !v.moveOK {
		s.note("no offered move was picked")
		return nil
	}
	move := v.move
	if move == moveScroll && l.noScroll || move == moveShortcut && v.key < barShortcut {
		move = moveActivate
	}
	switch move {
	case moveActivate:
		return s.activate(ctx, l, screen, clickable(screen))
	case moveExpand:
		return s.activate(ctx, l, screen, expandable(screen))
	case moveShortcut:
		return s.shortcut(ctx, l, screen, v.shortcut)
	case moveScroll:
		return s.scroll(ctx, l, screen)
	case moveWait:
		return s.simple(ctx, l, screen, surfaces.Wait)
	case moveStuck:
		if l.stuck++; l.stuck <= mostStalls && screen.Side == surfaces.Browser && s.place.AwaitChange(ctx, changeWaitMS) {
			return nil // a page that is still changing may bring it yet
		}
		return failed("stuck: nothing on the screen leads to it%s", s.openControls(screen))
	}
	return nil
}

func (s *step) simple(ctx context.Context, l *loop, screen *surfaces.Screen, op surfaces.Op) error {
	l.acted = l.acted || op == surfaces.Scroll
	l.before, l.pressed, l.copies = screen, nil, nil
	_, err := s.act(ctx, action{op: op})
	return err
}

// scroll goes on until something new shows, by a screen and a half at most: one
// short scroll of a long page reveals nothing.
func (s *step) scroll(ctx context.Context, l *loop, screen *surfaces.Screen) error {
	for n := 0; ; n++ {
		if err := s.simple(ctx, l, screen, surfaces.Scroll); err != nil || n+1 == mostScrolls {
			return err
		}
		now, err := s.look(ctx)
		if err != nil {
			return err
		}
		if d := surfaces.Difference(screen, now); len(d.Appeared) > 0 || s.last == nil || len(s.last.Said) > 0 {
			return nil
		}
	}
}

// activate grounds the step among pool and presses what it finds.
func (s *step) activate(ctx context.Context, l *loop, screen *surfaces.Screen, pool []*surfaces.Candidate) error {
	pool = s.ownPool(l.text, pool)
	c, err := s.ground(ctx, screen, want{subject: l.text, purpose: "click to accomplish: " + l.text, key: l.key, pool: pool})
	if err != nil {
		return err
	}
	if c == nil {
		return s.nothingFits(ctx, l, screen)
	}
	l.unfit = 0
	s.note("pressing %s%s", s.mask(c.Label()), s.mask(s.rather()))
	l.acted, l.before, l.pressed, l.copies = true, screen, c, nil
	reply, err := s.press(ctx, c)
	if err != nil {
		return err
	}
	l.before = s.screen // pressing may have looked again, at what a cover left
	if reply.Code() == fault.StaleRef {
		l.before, l.pressed = nil, nil // it was rendered anew: the next look has its successor
		return nil
	}
	if !reply.OK {
		s.banned[placeOf(c)] = reply.Code() == fault.NotActionable || reply.Code() == fault.ActionNotSupported
		return nil
	}
	l.wait, l.noWait = 0, false // what it started may take its time
	if s.last != nil {
		s.last.Sure = s.belief
		s.chosen = append(s.chosen, s.last)
	}
	s.learn(l.key, screen, c)
	return nil
}

// rather names the runners-up of a press that nothing settled, so that the next
// turn knows what else there was.
func (s *step) rather() string {
	if len(s.frontier) == 0 {
		return ""
	}
	labels := make([]string, len(s.frontier))
	for i, c := range s.frontier {
		labels[i] = c.Label()
	}
	return ", unsure whether not " + strings.Join(labels, " or ")
}

// nothingFits gives the page a moment; an unchanging page that offers nothing
// three times in a row will offer nothing the fourth.
func (s *step) nothingFits(ctx context.Context, l *loop, screen *surfaces.Screen) error {
	l.unfit++
	s.note("nothing clearly fits")
	l.before, l.pressed = nil, nil
	if s.ownDialog && !s.answered && screen.Side == surfaces.Browser {
		s.answered = true
		return s.answerDialog(ctx, l, screen)
	}
	if l.unfit >= mostStalls {
		return failed("nothing on the screen clearly fits %q%s", l.text, s.openControls(screen))
	}
	s.place.AwaitChange(ctx, changeWaitMS)
	return nil
}

// ownPool keeps to the dialog our own press opened: what lies behind is not
// offered, and its close control only to a step that asks to close or names it.
func (s *step) ownPool(text string, pool []*surfaces.Candidate) []*surfaces.Candidate {
	if !s.ownDialog {
		return pool
	}
	closing := dismissing.MatchString(text)
	var inside []*surfaces.Candidate
	for _, c := range pool {
		if layerOf(c) != "" && !c.Has(surfaces.Covered) && (closing || named(text, c.Name) || !closes(c.Name, dismissWords[1])) {
			inside = append(inside, c)
		}
	}
	if len(inside) == 0 {
		return pool
	}
	return inside
}

// openControls names up to eight controls of a dialog the task opened, for a
// failing note.
func (s *step) openControls(screen *surfaces.Screen) string {
	const most = 8
	if !s.ownDialog {
		return ""
	}
	var labels []string
	for _, c := range clickable(screen) {
		if layerOf(c) != "" && c.Name != "" && len(labels) < most {
			labels = append(labels, c.Label())
		}
	}
	if len(labels) == 0 {
		return ""
	}
	return "; the open dialog offers " + strings.Join(labels, ", ")
}

// expandable gives the controls that open.
func expandable(screen *surfaces.Screen) []*surfaces.Candidate {
	var out []*surfaces.Candidate
	for i := range screen.Candidates {
		if c := &screen.Candidates[i]; c.Can(surfaces.CanExpand) {
			out = append(out, c)
		}
	}
	return out
}
