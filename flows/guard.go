package flows

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"countersign/flows/decider"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// mostAfterChecks is how often a guard looks for what its press brought.
const mostAfterChecks = 3

// guard stops before an act that cannot be taken back, or, with permission,
// performs it once (tasks.md 4.2, 4.3).
func (s *step) guard(ctx context.Context) (Outcome, string, error) {
	phrase, err := s.words(s.def.Text)
	if err != nil {
		return "", "", err
	}
	if safety.SignInOnly(phrase) {
		return OutcomeAlreadyDone, "signing in is nothing to stop before", nil
	}
	screen, c, err := s.guarded(ctx, phrase)
	if err != nil {
		return "", "", err
	}
	found := s.evidence(screen, c, phrase)
	if !s.mayPress(screen, c, phrase) {
		return "", "", s.stop(&found, nil)
	}
	if s.req.Approved == nil { // whoever signed has looked at this very control
		if err := s.vouched(ctx, screen, c, phrase); err != nil {
			return "", "", err
		}
	}
	if c.Has(surfaces.Covered) {
		if again, err := s.uncover(ctx, c); err != nil {
			return "", "", err
		} else if again != nil {
			c = again
		}
	}
	return s.pressOnce(ctx, c, phrase)
}

// guarded looks and grounds the guard's control, once more when the page was
// still coming up.
func (s *step) guarded(ctx context.Context, phrase string) (*surfaces.Screen, *surfaces.Candidate, error) {
	for try := range 2 {
		screen, err := s.lookReadable(ctx)
		if err != nil {
			return nil, nil, err
		}
		c, err := s.ground(ctx, screen, want{subject: phrase, purpose: "perform: " + phrase, pool: clickable(screen), floor: barGuard})
		if err != nil {
			return nil, nil, err
		}
		if c != nil {
			return screen, c, nil
		}
		if try == 0 {
			s.place.AwaitChange(ctx, changeWaitMS)
		}
	}
	return nil, nil, failed("no control for %q was found", phrase)
}

// mayPress reports whether this guard has permission for what it found. A
// control without a name never has: nobody can say what was signed.
func (s *step) mayPress(screen *surfaces.Screen, c *surfaces.Candidate, phrase string) bool {
	if !visible(c.Name) {
		return false
	}
	if paysHere(screen, c, phrase) {
		return s.req.PaymentApproved && s.permitted && (s.req.Approved != nil || s.req.AllowDestructive)
	}
	if s.req.Approved != nil {
		return s.permitted // a signature is for one press, whatever else is allowed
	}
	return s.req.AllowDestructive
}

// paysHere reports whether a stop counts as payment: by the label, the phrase,
// or what the screen shows.
func paysHere(screen *surfaces.Screen, c *surfaces.Candidate, phrase string) bool {
	_, evidence := safety.PaymentEvidence(screen)
	return evidence || c.Name != "" && safety.Classify(c.Name) == safety.Payment || safety.Classify(phrase) == safety.Payment
}

// stop ends the run at this guard with what it found.
func (s *step) stop(e *Evidence, differs []Difference) error {
	note := "stopped before " + e.Phrase + " (" + e.Control.Name + ")"
	switch {
	case e.Blind():
		note = "stopped before " + e.Phrase + ": its control has no name"
	case len(differs) > 0:
		note = "what was signed has changed: " + differs[0].Field
	}
	return &ended{stop: Stopped, note: note, evidence: e, differs: differs}
}

// pressOnce looks once more, holds what it sees against what was signed, and
// presses. The press is never retried.
func (s *step) pressOnce(ctx context.Context, c *surfaces.Candidate, phrase string) (Outcome, string, error) {
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return "", "", err
	}
	now, alone := find(screen, c)
	if now == nil || !alone {
		return "", "", failed("%s is no longer there, or no longer the only one", c.Label())
	}
	e := s.evidence(screen, now, phrase)
	if signed := s.req.Approved; signed != nil && signed.Digest() != e.Digest() {
		return "", "", s.stop(&e, signed.Differs(&e))
	}
	if e.Blind() || !s.mayPress(screen, now, phrase) {
		return "", "", s.stop(&e, nil)
	}
	if s.req.Approved != nil || paysHere(screen, now, phrase) {
		s.permitted = false // for one press only
	}
	reply, err := s.act(ctx, action{op: surfaces.Click, target: now, guard: &e})
	if err != nil {
		return "", "", err
	}
	if !reply.OK {
		if cover := reply.Error.Details.Cover; cover != "" {
			s.covers = append(s.covers, s.mask(cover))
		}
		return "", "", failedWith(reply.Err())
	}
	return s.afterPress(ctx, phrase)
}

// afterPress requires that the act has happened, giving a slow page time.
func (s *step) afterPress(ctx context.Context, phrase string) (Outcome, string, error) {
	p := 0.0
	for try := range mostAfterChecks {
		screen, err := s.lookReadable(ctx)
		if wentAway(err) {
			return OutcomeDone, "pressed, and its window has gone with that", nil
		}
		if err != nil {
			return "", "", err
		}
		answers, err := s.ask(ctx, screen, phrase+" has happened", questions{
			"holds": noul(decider.AskHappened, phrase, "Does the screen show that this has happened: "+strconv.Quote(phrase)+"?"),
		})
		if err != nil {
			return "", "", err
		}
		p, _ = answers.P("holds")
		if p >= barDone {
			s.sure(p)
			return OutcomeDone, "pressed, and it has happened (" + percent(p) + ")", nil
		}
		if try+1 < mostAfterChecks {
			s.place.AwaitChange(ctx, changeWaitMS)
		}
	}
	return "", "", failed("it was pressed, but the screen does not show that %s has happened (%s)", phrase, percent(p))
}

// wentAway reports that a program shows no window any more: a dialog that was all
// of it has been answered, and there is nothing left to say so.
func wentAway(err error) bool {
	var end *ended
	return errors.As(err, &end) && end.code == fault.AppNotFound
}

// Evidence re-reads place and says what the evidence of the guard at path would
// be now. It presses nothing. The look comes back even when the control cannot
// be found.
func (n *Runner) Evidence(ctx context.Context, place surfaces.Surface, req Request, path string) (*Evidence, *Seen, error) {
	def, ok := guardAt(req.Flow.Steps, path, max(req.FirstStep, 1))
	if !ok {
		return nil, nil, fault.Newf(fault.InvalidRequest, "step %s is no guard", path)
	}
	if n.decider == nil {
		return nil, nil, fault.New(fault.DeciderNotConfigured, "no decider is configured")
	}
	req.Observer, req.AroundPress = nil, nil
	ctx, cancel := context.WithCancel(ctx)
	r := newRun(place, n.decider, req)
	defer r.close(cancel)
	s := &step{
		run: r, path: path, def: def, report: &StepReport{Confidence: 1}, typed: map[string]string{}, banned: map[string]bool{}, presses: map[string]int{},
		noKinds: map[string]bool{},
	}
	phrase, err := s.words(def.Text)
	if err != nil {
		return nil, nil, fault.New(fault.InvalidRequest, r.mask(err.Error()))
	}
	screen, c, err := s.guarded(ctx, phrase)
	var seen *Seen
	if s.screen != nil {
		look := s.seen(s.screen, "")
		seen = &look
	}
	if err != nil {
		return nil, seen, asFault(err, r.mask)
	}
	e := s.evidence(screen, c, phrase)
	return &e, seen, nil
}

// asFault is the error of a step at the package's border.
func asFault(err error, mask func(string) string) error {
	var end *ended
	if !errors.As(err, &end) {
		return fault.Of(err)
	}
	code := end.code
	if code == "" {
		code = fault.ElementNotFound
	}
	return fault.New(code, mask(strings.TrimPrefix(end.note, string(code)+": ")))
}

// guardAt finds the guard a report path names. The branches of an if share
// their numbers; the one that holds a guard is meant.
func guardAt(steps []Step, path string, first int) (Step, bool) {
	parts := strings.Split(path, ".")
	number, err := strconv.Atoi(parts[0])
	if len(steps) == 1 && steps[0].Kind == KindStopBefore {
		return steps[0], number == first
	}
	i := number - first
	if err != nil || i < 0 || i >= len(steps) {
		return Step{}, false
	}
	return guardBelow(steps[i], parts[1:])
}

func guardBelow(def Step, rest []string) (Step, bool) {
	if len(rest) == 0 {
		return def, def.Kind == KindStopBefore
	}
	branches := [][]Step{def.Then, def.Else}
	if def.Kind == KindRepeatUntil {
		branches, rest = [][]Step{def.Steps}, rest[1:] // the round
	}
	if len(rest) == 0 {
		return Step{}, false
	}
	number, err := strconv.Atoi(rest[0])
	if err != nil {
		return Step{}, false
	}
	branches = slices.DeleteFunc(branches, func(b []Step) bool { return number < 1 || number > len(b) })
	for _, b := range branches {
		if found, ok := guardBelow(b[number-1], rest[1:]); ok {
			return found, true
		}
	}
	return Step{}, false
}
