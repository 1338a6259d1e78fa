package flows

import (
	"context"
	"fmt"
	"regexp"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// verdict is one judgement.
type verdict struct {
	done     float64 // estimate
	progress float64 // 0 to 1
	blocked  float64
	helped   float64 // 1 when not asked
	move     string
	moveOK   bool
	shortcut string
	key      float64 // probability of the shortcut
}

var progressLevels = []string{"unrelated", "opened the way", "under way", "nearly there", "fully there"}

// judge asks where the step stands and what to do next.
func (s *step) judge(ctx context.Context, l *loop, screen *surfaces.Screen) (verdict, error) {
	qs := questions{
		"done":     noul(decider.AskDone, l.text, fmt.Sprintf("Does the screen show that %q is accomplished?", l.text)),
		"not_done": noul(decider.AskNotDone, l.text, fmt.Sprintf("Is %q still not accomplished?", l.text)),
		"progress": score(decider.AskProgress, l.text, fmt.Sprintf("How far is %q?", l.text), progressLevels...),
		"blocked":  noul(decider.AskBlocked, l.text, fmt.Sprintf("Does something in front have to go before %q can be done?", l.text)),
		"move":     choice(decider.AskMove, l.text, "", fmt.Sprintf("What is the next move towards %q?", l.text), fixed(s.moves(l)...)),
	}
	keys := shortcutsOf(screen.Side)
	qs["shortcut"] = choice(decider.AskShortcut, l.text, "", fmt.Sprintf("Which key serves %q?", l.text), fixed(keys...))
	if l.acted {
		qs["helped"] = noul(decider.AskHelped, l.text, fmt.Sprintf("Did the last action help %q?", l.text))
	}
	d, err := s.decide(ctx, s.build(screen, l.text, qs), s.votes())
	if err != nil {
		return verdict{}, err
	}
	v := verdict{helped: 1}
	if v.done, err = s.judgedDone(ctx, l, d); err != nil {
		return verdict{}, err
	}
	answers := d.answers
	s.report.Why = reasons(answers["done"])
	v.progress, _ = answers.Level("progress")
	v.blocked, _ = answers.P("blocked")
	if p, ok := answers.P("helped"); ok && l.acted {
		v.helped = p
	}
	v.move, _, v.moveOK = answers.Chosen("move", qs["move"])
	v.shortcut, v.key, _ = answers.Chosen("shortcut", qs["shortcut"])
	return v, nil
}

// judgedDone is the estimate that the step is accomplished. A close call is
// looked at further unless it could not end the step anyway.
func (s *step) judgedDone(ctx context.Context, l *loop, d *decision) (float64, error) {
	j := judgement{ids: []string{"done", "not_done", "progress"}, bar: barDone, read: completion}
	if !l.acted {
		j.bar = barAlreadyDone
		if creates.MatchString(l.text) {
			p, _ := j.read(d.answers)
			return p, nil
		}
	}
	return s.weighed(ctx, d, j)
}

// completion combines what was answered of whether a step is accomplished.
func completion(answers decider.Answers) (float64, bool) {
	c, okC := answers.Calibrated("done", "not_done")
	top, okTop := answers.Top("progress")
	if okC && okTop {
		return decider.Combined(c, top), true
	}
	return c, okC
}

// moves lists what is offered in this turn.
func (s *step) moves(l *loop) []string {
	offered := []string{moveActivate, moveExpand, moveScroll, moveShortcut}
	if !l.noWait {
		offered = append(offered, moveWait)
	}
	return append(offered, moveFinished, moveStuck)
}

// The moves of flows.md 7.6.
const (
	moveActivate = "activate"
	moveExpand   = "expand"
	moveScroll   = "scroll"
	moveShortcut = "shortcut"
	moveWait     = "wait"
	moveFinished = "finished"
	moveStuck    = "stuck"
)

// over says whether the step ends here; a `finished` it overrules becomes
// another move.
func (s *step) over(l *loop, v *verdict) (Outcome, string) {
	creating := creates.MatchString(l.text)
	finished := v.moveOK && v.move == moveFinished
	if !l.acted {
		if v.done >= barAlreadyDone && !creating {
			s.sure(v.done)
			return OutcomeAlreadyDone, "the screen already shows it (" + percent(v.done) + ")"
		}
		if finished {
			v.move = moveActivate
			if creating && v.key >= barShortcut {
				v.move = moveShortcut
			}
		}
		return "", ""
	}
	if v.done >= barDone || finished && v.done >= barLeansDone {
		s.sure(v.done)
		return OutcomeDone, "accomplished (" + percent(v.done) + ")"
	}
	if finished {
		v.move = moveActivate
	}
	return "", ""
}

// creates marks wording under which what is already there is somebody else's.
var creates = regexp.MustCompile(`(?i)\b(new|create[sd]?|creating)\b`)
