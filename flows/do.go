package flows

import (
	"context"

	"countersign/surfaces"
)

// loop is one pass of look, judge, act for one purpose.
type loop struct {
	text  string // what is to be reached, expanded
	key   string // step key for hints
	turns int

	acted    bool // something was done in this loop
	pressed  *surfaces.Candidate
	wait     int      // idle waits in a row
	stalls   int      // turns in a row that changed nothing
	unfit    int      // turns in a row in which nothing fitted
	stuck    int      // turns in which nothing seemed to lead on
	noWait   bool     // no longer offered
	noScroll bool     // treated as activate
	level    float64  // progress at the last judgement; negative: none
	copies   []string // places struck off with the last press
	before   *surfaces.Screen
}

// do reaches what text says in at most the given turns: look, note the change,
// judge, over?, recover, move (flows.md section 7).
func (s *step) do(ctx context.Context, text, key string, turns int) (Outcome, string, error) {
	l := &loop{text: text, key: key, turns: turns, level: -1}
	s.chosen = nil
	for range turns {
		screen, err := s.look(ctx)
		if err != nil {
			return "", "", err
		}
		s.report.Turns++
		outcome, note, err := s.turn(ctx, l, screen)
		if outcome != "" || err != nil {
			return outcome, note, err
		}
	}
	screen, err := s.look(ctx)
	if err != nil {
		return "", "", err
	}
	if s.dismissed(l, screen) {
		return OutcomeDone, "it is out of the way", nil
	}
	v, err := s.judge(ctx, l, screen)
	if err != nil {
		return "", "", err
	}
	if v.done >= barDone {
		s.sure(v.done)
		return OutcomeDone, "accomplished (" + percent(v.done) + ")", nil
	}
	return "", "", failed("still not accomplished after %d turns (%s)%s", turns, percent(v.done), s.openControls(screen))
}

// turn is one cycle; an empty outcome means go on.
func (s *step) turn(ctx context.Context, l *loop, screen *surfaces.Screen) (Outcome, string, error) {
	if s.dismissed(l, screen) {
		return OutcomeDone, "it is out of the way", nil
	}
	s.weigh(l, screen)
	if l.stalls >= mostStalls {
		return s.stalled(ctx, l, screen)
	}
	v, err := s.judge(ctx, l, screen)
	if err != nil {
		return "", "", err
	}
	if outcome, note := s.over(l, &v); outcome != "" {
		return outcome, note, nil
	}
	spent, err := s.recover(ctx, l, screen, v)
	if spent || err != nil {
		return "", "", err
	}
	l.level = v.progress
	return "", "", s.move(ctx, l, screen, v)
}

// weigh learns from what the last act of this loop changed.
func (s *step) weigh(l *loop, screen *surfaces.Screen) {
	if l.before == nil || screen.Surface == surfaces.FrontNone || s.last == nil {
		return
	}
	changed := surfaces.Difference(l.before, screen)
	l.before = nil
	op := surfaces.Op(s.last.Op)
	switch {
	case op == surfaces.Scroll:
		l.noScroll = l.noScroll || len(changed.Appeared) == 0 && len(s.last.Said) == 0
	case !changed.Empty() || s.file != "":
		s.strikeCopies(l, screen)
	case op == surfaces.Wait:
		l.wait++
		l.noWait = l.noWait || l.wait >= mostIdleWaits
		s.note("the page has finished loading")
		return
	default:
		l.stalls++
		l.wait = 0
		if l.pressed != nil {
			s.banned[placeOf(l.pressed)] = true
			s.note("pressing %s changed nothing", l.pressed.Label())
		}
		return
	}
	l.stalls, l.wait = 0, 0
}

// stalled asks once whether the screen already shows the result.
func (s *step) stalled(ctx context.Context, l *loop, screen *surfaces.Screen) (Outcome, string, error) {
	s.loop("completion")
	p, err := s.holds(ctx, screen, l.text)
	if err != nil {
		return "", "", err
	}
	if p >= barDone {
		s.sure(p)
		return OutcomeAlreadyDone, "the screen already shows it (" + percent(p) + ")", nil
	}
	return "", "", failed("three actions in a row changed nothing%s", s.openControls(screen))
}
