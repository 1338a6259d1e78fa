package flows

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// levels of coverage, lowest first.
var coverageLevels = []string{"none of it", "a little", "half", "most", "all of it"}

// holds judges a condition on a screen and gives the estimate (section 6).
func (s *step) holds(ctx context.Context, screen *surfaces.Screen, condition string) (float64, error) {
	d, err := s.decide(ctx, s.build(screen, condition, questions{
		"holds":    noul(decider.AskHolds, condition, fmt.Sprintf("Does the screen show that %q holds now?", condition)),
		"negated":  noul(decider.AskNegated, condition, fmt.Sprintf("Does the screen show that %q does not hold now?", condition)),
		"coverage": score(decider.AskCoverage, condition, fmt.Sprintf("How much of %q does the screen show?", condition), coverageLevels...),
	}), s.votes())
	if err != nil {
		return 0, err
	}
	return s.weighed(ctx, d, judgement{ids: []string{"holds", "negated", "coverage"}, bar: barDone, read: estimate})
}

// estimate combines the three answers: the coverage alone when the middle is
// torn and it is sure, else the mean. What was not answered adds nothing.
func estimate(answers decider.Answers) (float64, bool) {
	c, okC := answers.Calibrated("holds", "negated")
	top, okTop := answers.Top("coverage")
	switch {
	case !okC || !okTop:
		return c, okC
	case math.Abs(c-0.5) <= undecidedMargin && top >= barCoverageTop:
		return top, true
	}
	return decider.Combined(c, top), true
}

// check looks and judges once.
func (s *step) check(ctx context.Context, condition string) (float64, *surfaces.Screen, error) {
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return 0, nil, err
	}
	p, err := s.holds(ctx, screen, condition)
	return p, screen, err
}

func (s *step) verify(ctx context.Context) (Outcome, string, error) {
	condition, err := s.words(s.def.Text)
	if err != nil {
		return "", "", err
	}
	p, _, err := s.check(ctx, condition)
	if err != nil {
		return "", "", err
	}
	s.sure(p)
	if p < barDone {
		return "", "", failed("%q does not hold (%s)", condition, percent(p))
	}
	return OutcomeDone, "it holds", nil
}

// waitFor checks up to ten times, waiting for a change in between.
func (s *step) waitFor(ctx context.Context) (Outcome, string, error) {
	condition, err := s.words(s.def.Text)
	if err != nil {
		return "", "", err
	}
	empties, still, p := 0, 0, 0.0
	print := ""
	for range mostChecks {
		var screen *surfaces.Screen
		p, screen, err = s.check(ctx, condition)
		if err != nil {
			return "", "", err
		}
		s.report.Turns++
		if p >= barDone {
			s.sure(p)
			return OutcomeDone, "it holds", nil
		}
		now := surfaces.Fingerprint(screen)
		switch {
		case p < barStillHolds:
			still = 0
		case now == print:
			still++
		default:
			still = 1
		}
		print = now
		if still == 3 {
			s.sure(p)
			return OutcomeDone, "it holds on a screen that stays the same", nil
		}
		if words := emptyResult(screen); words != "" {
			empties++
			if empties == 2 {
				return "", "", failed("the page reports an empty result: %q", words)
			}
		} else {
			empties = 0
		}
		s.place.AwaitChange(ctx, changeWaitMS)
	}
	return "", "", failed("%q did not hold in %d checks (%s)", condition, mostChecks, percent(p))
}

// emptyWords are how pages report that nothing was found.
var emptyWords = regexp.MustCompile(`(?i)\b(no (?:[\p{L}]+ )?results?|0 results|nothing (?:was )?(?:matched|found)|no (?:[\p{L}]+ ){1,3}found)\b`)

func emptyResult(screen *surfaces.Screen) string {
	for _, line := range screen.Context {
		if m := emptyWords.FindString(line); m != "" {
			return m
		}
	}
	return ""
}

// branch runs one side of an if; its own report ends before the children's.
func (s *step) branch(ctx context.Context) (Outcome, string, error) {
	condition, err := s.words(s.def.Condition)
	if err != nil {
		return "", "", err
	}
	p, _, err := s.check(ctx, condition)
	if err != nil {
		return "", "", err
	}
	s.sure(math.Max(p, 1-p))
	steps, note := s.def.Then, "it holds"
	if p < barDone {
		steps, note = s.def.Else, "it does not hold"
	}
	note += " (" + percent(p) + ")"
	s.finishReport(OutcomeDone, note)
	s.told = true
	err = s.steps(ctx, steps, func(i int) string { return s.path + "." + strconv.Itoa(i+1) })
	return OutcomeDone, note, err
}

// repeat runs its body until the condition holds, at most max times.
func (s *step) repeat(ctx context.Context) (Outcome, string, error) {
	condition, err := s.words(s.def.Condition)
	if err != nil {
		return "", "", err
	}
	rounds := s.def.Max
	if rounds == 0 {
		rounds = defaultRounds
	}
	for round := 0; ; round++ {
		p, _, err := s.check(ctx, condition)
		if err != nil {
			return "", "", err
		}
		if p >= barDone {
			s.sure(p)
			if round == 0 {
				return OutcomeAlreadyDone, "it holds already", nil
			}
			return OutcomeDone, fmt.Sprintf("it holds after %d rounds", round), nil
		}
		if round == rounds {
			return "", "", failed("%q does not hold after %d rounds (%s)", condition, rounds, percent(p))
		}
		s.report.Turns++
		prefix := s.path + "." + strconv.Itoa(round+1) + "."
		if err := s.steps(ctx, s.def.Steps, func(i int) string { return prefix + strconv.Itoa(i+1) }); err != nil {
			return "", "", err
		}
	}
}

// percent writes a probability for a note.
func percent(p float64) string {
	return strings.TrimSpace(strconv.Itoa(int(math.Round(p*100)))) + "%"
}
