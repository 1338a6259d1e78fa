package flows

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// finalist is a control still in question, with its points: its share in the
// ballots, then in its pairings.
type finalist struct {
	control *surfaces.Candidate
	points  float64
}

// deliberated decides by the evidence whether the target asked for is the one:
// at once, not at all, or by the ladder (flows.md 13.2, 13.3). left are the
// options of the Choice in order.
func (s *step) deliberated(ctx context.Context, screen *surfaces.Screen, w want, left []*surfaces.Candidate, d *decision) (*surfaces.Candidate, error) {
	q := d.request.Questions["target"]
	sorted := func() (lead, call, float64) {
		l, floor := d.leadOf("target"), w.floor
		if i, _, ok := pickedAt(d.answers, "target", q); ok {
			floor = w.bar(left[i])
		}
		return l, l.gate(floor), floor
	}
	l, verdict, _ := sorted()
	if verdict == torn {
		s.loop("escalation")
		if err := s.widen(ctx, d, "target"); err != nil {
			return nil, err
		}
	}
	l, verdict, floor := sorted()
	if verdict == abstained {
		return nil, nil
	}
	ranked := ranking(d.answers["target"], q, left)
	if len(ranked) == 0 {
		return nil, nil
	}
	won := verdict == accepted
	if !won {
		var err error
		if won, err = s.contest(ctx, screen, w, ranked); err != nil {
			return nil, err
		}
	}
	if !won && w.floor == barGuard && l.p < floor {
		return nil, nil // what cannot be taken back is found or it is not
	}
	s.grounded(l.p, d.answers["target"])
	if !won {
		for _, f := range ranked[1:] {
			s.frontier = append(s.frontier, f.control)
		}
	}
	return ranked[0].control, nil
}

// ranking lists the controls that are still in question, the likeliest first.
func ranking(a decider.Answer, q decider.Question, left []*surfaces.Candidate) []finalist {
	var out []finalist
	for i, o := range q.Options {
		if p := a.Probabilities[o.Key]; p >= finalistFloor {
			out = append(out, finalist{left[i], p})
		}
	}
	byPoints(out)
	return out[:min(len(out), mostFinalists)]
}

func byPoints(fs []finalist) {
	slices.SortStableFunc(fs, func(a, b finalist) int { return cmp.Compare(b.points, a.points) })
}

// contest has the finalists meet, and at deep contrasts the two ahead when none
// came out on top. It leaves them ranked by what that brought and reports
// whether the first has won.
func (s *step) contest(ctx context.Context, screen *surfaces.Screen, w want, ranked []finalist) (bool, error) {
	if len(ranked) < 2 {
		return false, nil
	}
	won, err := s.duel(ctx, screen, w, ranked)
	if won || err != nil || !s.deep() {
		return won, err
	}
	return s.contrast(ctx, screen, w, ranked)
}

// duel asks for every pair in both orders; a champion has at least DUEL_WIN of
// every pairing.
func (s *step) duel(ctx context.Context, screen *surfaces.Screen, w want, ranked []finalist) (bool, error) {
	s.loop("duel")
	qs := questions{}
	for i := range ranked {
		for j := range ranked {
			if i != j {
				pair := []*surfaces.Candidate{ranked[i].control, ranked[j].control}
				qs[fmt.Sprintf("duel_%d_%d", i, j)] = choice(decider.AskDuel, w.subject, w.purpose, "Which of these two should be used to "+w.purpose+"?",
					controlOptions(pair, s.req.IncludeValues, numberKey))
			}
		}
	}
	answers, err := s.askMore(ctx, screen, w.subject, qs, s.votes())
	if answers == nil || err != nil {
		return false, err
	}
	least := make([]float64, len(ranked))
	for i := range ranked {
		least[i] = 1
		ranked[i].points = 0
		for j := range ranked {
			if i != j {
				p := pairing(answers, i, j)
				least[i] = min(least[i], p)
				ranked[i].points += p
			}
		}
	}
	champion := slices.IndexFunc(least, func(p float64) bool { return p >= duelWin-rounding })
	if champion < 0 {
		byPoints(ranked)
		return false, nil
	}
	first := ranked[champion]
	copy(ranked[1:champion+1], ranked[:champion])
	ranked[0] = first
	return true, nil
}

// pairing is the share of i in its meetings with j: first in one, second in the
// other. What was not answered was won by nobody.
func pairing(answers decider.Answers, i, j int) float64 {
	first := answers[fmt.Sprintf("duel_%d_%d", i, j)].Probabilities[numberKey(0)]
	second := answers[fmt.Sprintf("duel_%d_%d", j, i)].Probabilities[numberKey(1)]
	return (first + second) / 2
}

// contrast asks of the two ahead whether each is the one meant, and whether it
// is only near it.
func (s *step) contrast(ctx context.Context, screen *surfaces.Screen, w want, ranked []finalist) (bool, error) {
	s.loop("contrast")
	qs := questions{}
	for i := range 2 {
		s.isAlone(qs, w, i, ranked[i].control)
	}
	answers, err := s.askMore(ctx, screen, w.subject, qs, s.votes())
	if answers == nil || err != nil {
		return false, err
	}
	first, _ := answers.Calibrated("is_0", "only_near_0")
	second, _ := answers.Calibrated("is_1", "only_near_1")
	if second > first {
		ranked[0], ranked[1] = ranked[1], ranked[0]
		first, second = second, first
	}
	return first >= contrastAccept-rounding && first-second >= contrastLead-rounding, nil
}

// isAlone adds the two questions that hold one control against what is meant.
func (s *step) isAlone(qs questions, w want, n int, c *surfaces.Candidate) {
	is := noul(decider.AskIs, w.subject, fmt.Sprintf("Is %s the control to %s, and no other?", c.Label(), w.purpose))
	near := noul(decider.AskOnlyNear, w.subject, fmt.Sprintf("Is %s only near it: like the control to %s or beside it, and not the one?", c.Label(), w.purpose))
	for _, q := range []*decider.Question{&is, &near} {
		q.Purpose = w.purpose
		q.Options = []decider.Option{controlOption(numberKey(0), c, s.req.IncludeValues)}
	}
	qs[fmt.Sprintf("is_%d", n)], qs[fmt.Sprintf("only_near_%d", n)] = is, near
}

// vouched refuses, at deep, a guard's press of a control that was found with
// less than IRREVERSIBLE_FLOOR, unless it reaches that when vouched for once in
// all framings.
func (s *step) vouched(ctx context.Context, screen *surfaces.Screen, c *surfaces.Candidate, phrase string) error {
	if !s.deep() || s.belief >= barIrreversible-rounding {
		return nil
	}
	s.loop("contrast")
	qs := questions{}
	s.isAlone(qs, want{subject: phrase, purpose: "perform: " + phrase}, 0, c)
	answers, err := s.askMore(ctx, screen, phrase, qs, capVotes)
	if err != nil {
		return err
	}
	p, _ := answers.Calibrated("is_0", "only_near_0")
	if p < barIrreversible-rounding {
		return failed("too unsure to press %s for good (%s)", c.Label(), percent(max(p, s.belief)))
	}
	s.belief = p
	return nil
}
