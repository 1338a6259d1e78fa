package flows

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"countersign/flows/decider"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
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
	noWait   bool     // no longer offered
	noScroll bool     // treated as activate
	level    float64  // progress at the last judgement; negative: none
	copies   []string // places struck off with the last press
	before   *surfaces.Screen
}

// plain is a do step: typed wording runs as enter, everything else as a loop.
func (s *step) plain(ctx context.Context) (Outcome, string, error) {
	if slot, ok := typedWording(s.def.Text); ok && !s.saysSecret(s.def.Text) {
		return s.fill(ctx, []Slot{slot})
	}
	text, err := s.words(s.def.Text)
	if err != nil {
		return "", "", err
	}
	return s.do(ctx, text, stepKey(s.def.Text), mostTurns)
}

// do reaches what text says in at most the given turns: look, note the change,
// judge, over?, recover, move (flows.md section 7).
func (s *step) do(ctx context.Context, text, key string, turns int) (Outcome, string, error) {
	l := &loop{text: text, key: key, turns: turns, level: -1}
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
		l.noScroll = l.noScroll || len(changed.Appeared) == 0
	case !changed.Empty():
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
	answers, err := s.ask(ctx, screen, l.text, qs)
	if err != nil {
		return verdict{}, err
	}
	v := verdict{helped: 1}
	c, okC := answers.Calibrated("done", "not_done")
	top, okTop := answers.Top("progress")
	if okC && okTop {
		v.done = decider.Combined(c, top)
	} else if okC {
		v.done = c
	}
	v.progress, _ = answers.Level("progress")
	v.blocked, _ = answers.P("blocked")
	if p, ok := answers.P("helped"); ok && l.acted {
		v.helped = p
	}
	v.move, _, v.moveOK = answers.Chosen("move", qs["move"])
	v.shortcut, v.key, _ = answers.Chosen("shortcut", qs["shortcut"])
	return v, nil
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

// recover clears what is in the way or undoes what did harm; true when that
// cost the turn.
func (s *step) recover(ctx context.Context, l *loop, screen *surfaces.Screen, v verdict) (bool, error) {
	if v.blocked >= barBlocked && !s.ownDialog && s.dismissals < mostDismissals {
		return s.dismiss(ctx, l, screen)
	}
	fell := l.level >= 0 && l.level-v.progress >= barRegression
	if !l.acted || l.pressed == nil || s.ownDialog || s.undos >= mostUndos || !fell && v.helped >= barUnhelpful {
		return false, nil
	}
	s.undos++
	s.loop("undo")
	s.banned[placeOf(l.pressed)] = true
	for _, place := range l.copies {
		delete(s.banned, place)
	}
	s.note("pressing %s did not help; undone", l.pressed.Label())
	l.pressed, l.copies, l.level = nil, nil, -1
	_, err := s.act(ctx, action{op: opPress, text: keyEscape})
	return true, err
}

// dismiss asks once what closes the thing in the way and presses it.
func (s *step) dismiss(ctx context.Context, l *loop, screen *surfaces.Screen) (bool, error) {
	var inLayer, rest []*surfaces.Candidate
	for _, c := range clickable(screen) {
		switch {
		case c.Has(surfaces.Covered) || c.Has(surfaces.Offscreen) || c.Has(surfaces.Disabled) || s.gate(screen, c) != nil:
		case layerOf(c) != "":
			inLayer = append(inLayer, c)
		default:
			rest = append(rest, c)
		}
	}
	pool := slices.Concat(inLayer, rest)
	pool = pool[:min(len(pool), mostOptions-1)]
	options := append(controlOptions(pool, s.req.IncludeValues, numberKey), decider.Option{Key: keyEscape, Text: "press Escape"})
	q := choice(decider.AskDismiss, l.text, "close what is in the way of: "+l.text, "What closes the thing in the way with the smallest consequence?", options)
	answers, err := s.ask(ctx, screen, l.text, questions{"dismiss": q})
	if err != nil {
		return true, err
	}
	key, _, ok := answers.Chosen("dismiss", q)
	if !ok {
		return false, nil
	}
	s.dismissals++
	s.loop("obstacles")
	clear := action{op: opPress, text: keyEscape}
	if i := slices.IndexFunc(options, func(o decider.Option) bool { return o.Key == key }); i < len(pool) {
		clear = action{op: opFor(pool[i]), target: pool[i]}
		l.pressed = pool[i]
		l.before = screen
	}
	_, err = s.act(ctx, clear)
	return true, err
}

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
		return s.simple(ctx, l, screen, surfaces.Scroll)
	case moveWait:
		return s.simple(ctx, l, screen, surfaces.Wait)
	case moveStuck:
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
	s.note("pressing %s", s.mask(c.Label()))
	l.acted, l.before, l.pressed, l.copies = true, screen, c, nil
	reply, err := s.press(ctx, c)
	if err != nil {
		return err
	}
	if !reply.OK {
		s.banned[placeOf(c)] = reply.Code() == fault.NotActionable || reply.Code() == fault.ActionNotSupported
		return nil
	}
	s.learn(l.key, screen, c)
	return nil
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
// offered, and its close control only to a step that asks to close.
func (s *step) ownPool(text string, pool []*surfaces.Candidate) []*surfaces.Candidate {
	if !s.ownDialog {
		return pool
	}
	closing := dismissing.MatchString(text)
	var inside []*surfaces.Candidate
	for _, c := range pool {
		if layerOf(c) != "" && !c.Has(surfaces.Covered) && (closing || !closes(c.Name, dismissWords[1])) {
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

// dismissing is a step whose verb closes and whose object is something in the
// way.
var dismissing = regexp.MustCompile(`(?i)^\W*(?:please\s+)?(dismiss|close|accept|decline|reject|skip)\b.*\b(banner|dialog|dialogue|pop-?up|cookies?|notice|modal|overlay|prompt)\b`)

// dismissed reports whether the last press closed the layer the step was about.
func (s *step) dismissed(l *loop, screen *surfaces.Screen) bool {
	c := l.pressed
	if c == nil || s.last == nil || !s.last.OK || layered(screen) || screen.Surface == surfaces.FrontNone {
		return false
	}
	inLayer := layerOf(c) != "" || l.before != nil && layered(l.before)
	if !inLayer || same(screen, c) != nil {
		return false
	}
	return dismissing.MatchString(l.text) || surfaces.NamedMatch(l.text, c) || named(l.text, c.Name)
}

// named reports whether text holds the whole name as words.
func named(text, name string) bool {
	words := strings.Join(safety.Words(name), " ")
	return words != "" && strings.Contains(" "+strings.Join(safety.Words(text), " ")+" ", " "+words+" ")
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
