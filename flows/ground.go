package flows

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// want is what grounding looks for: a purpose, and the controls that may serve.
type want struct {
	subject string // the step's own words
	purpose string // "click to accomplish: …"
	key     string // step key for hints; empty: no memory
	pool    []*surfaces.Candidate
	floor   float64 // accept a target at this bar; 0 means barAct
}

// ground turns a purpose into exactly one control, or nil when nothing clearly
// fits (flows.md section 8).
func (s *step) ground(ctx context.Context, screen *surfaces.Screen, w want) (*surfaces.Candidate, error) {
	pool := s.offered(w.pool, saysPlace.MatchString(w.subject))
	if len(pool) == 0 {
		return nil, nil
	}
	if w.floor == 0 {
		w.floor = barAct
	}
	s.belief, s.because, s.frontier = 0, "", nil
	c, err := s.remembered(ctx, screen, w, pool)
	if c != nil || err != nil {
		return c, err
	}
	near, all, err := s.narrow(ctx, screen, w, pool)
	if err != nil {
		return nil, err
	}
	c, err = s.target(ctx, screen, w, near)
	if c != nil || err != nil || len(near) == len(all) {
		return c, err
	}
	return s.target(ctx, screen, w, all)
}

// saysPlace finds the place of a thing among others: "the third text box".
var saysPlace = regexp.MustCompile(`(?i)\b(?:\d+(?:st|nd|rd|th)|last|` + strings.Join(nthWords, "|") + `)\b`)

// offered drops what cannot be pressed and, where nothing counts them, what
// repeats, and orders in view, off screen, covered, keeping page order inside
// each.
func (s *step) offered(pool []*surfaces.Candidate, counted bool) []*surfaces.Candidate {
	var tiers [3][]*surfaces.Candidate
	seen := map[string]bool{}
	for _, c := range pool {
		if c.Has(surfaces.Disabled) || (c.Bounds.Width == 0) != (c.Bounds.Height == 0) || s.struckOff(c) {
			continue
		}
		same := fmt.Sprint(surfaces.Describe(c, true))
		if seen[same] && !counted {
			continue
		}
		seen[same] = true
		tier := 0
		switch {
		case c.Has(surfaces.Covered):
			tier = 2
		case c.Has(surfaces.Offscreen):
			tier = 1
		}
		tiers[tier] = append(tiers[tier], c)
	}
	return slices.Concat(tiers[0], tiers[1], tiers[2])
}

// struckOff reports whether the step may not press c any more.
func (s *step) struckOff(c *surfaces.Candidate) bool {
	place := placeOf(c)
	return s.banned[place] || s.presses[place] >= mostSamePresses || s.noKinds[c.Role]
}

// narrow cuts a pool of more than 20 down by region and by a knockout, in one
// request. It gives the winners of the chosen region, and all winners.
func (s *step) narrow(ctx context.Context, screen *surfaces.Screen, w want, pool []*surfaces.Candidate) (near, all []*surfaces.Candidate, err error) {
	if len(pool) <= mostOptions {
		return pool, pool, nil
	}
	s.loop("narrowing")
	regions := regionsOf(pool)
	qs := questions{}
	var groups [][]*surfaces.Candidate
	var names []string
	for _, region := range regions {
		names = append(names, region.describe())
		for group := range slices.Chunk(region.members, mostOptions) {
			id := fmt.Sprintf("group_%d", len(groups)+1)
			qs[id] = choice(decider.AskGroup, w.subject, w.purpose, "Which of these controls serves best to "+w.purpose+"?",
				controlOptions(group, s.req.IncludeValues, numberKey))
			groups = append(groups, group)
		}
	}
	if len(regions) > 1 {
		qs["region"] = choice(decider.AskRegion, w.subject, w.purpose, "In which part of the screen is the control to "+w.purpose+"?", numbered(names))
	}
	answers, err := s.ask(ctx, screen, w.subject, qs)
	if err != nil {
		return nil, nil, err
	}
	inRegion := map[*surfaces.Candidate]bool{}
	if i, _, ok := pickedAt(answers, "region", qs["region"]); ok {
		for _, c := range regions[i].members {
			inRegion[c] = true
		}
	}
	for n, group := range groups {
		id := fmt.Sprintf("group_%d", n+1)
		i, _, ok := pickedAt(answers, id, qs[id])
		if !ok {
			continue
		}
		all = append(all, group[i])
		if inRegion[group[i]] {
			near = append(near, group[i])
		}
	}
	if len(all) > mostOptions && len(all) < len(pool) {
		return s.narrow(ctx, screen, w, all)
	}
	if len(near) == 0 {
		near = all
	}
	return near, all, nil
}

// region is a part of the screen with its controls.
type region struct {
	name    string
	members []*surfaces.Candidate
}

// describe gives the count and six examples.
func (g region) describe() string {
	var examples []string
	for _, c := range g.members[:min(len(g.members), 6)] {
		examples = append(examples, c.Label())
	}
	return fmt.Sprintf("%s: %d controls, such as %s", g.name, len(g.members), strings.Join(examples, ", "))
}

// regionsOf cuts a pool along the outermost containers; what is beyond 20
// regions joins the last.
func regionsOf(pool []*surfaces.Candidate) []region {
	depth := 1
	cut := regionsAt(pool, depth)
	for len(cut) == 1 && depth < 4 {
		depth++
		cut = regionsAt(pool, depth)
	}
	if len(cut) <= mostOptions {
		return cut
	}
	last := region{name: "elsewhere"}
	for _, g := range cut[mostOptions-1:] {
		last.members = append(last.members, g.members...)
	}
	return append(cut[:mostOptions-1], last)
}

func regionsAt(pool []*surfaces.Candidate, depth int) []region {
	var out []region
	at := map[string]int{}
	for _, c := range pool {
		name := strings.Join(c.Path[:min(depth, len(c.Path))], " › ")
		if name == "" {
			name = "page"
		}
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, region{name: name})
		}
		out[i].members = append(out[i].members, c)
	}
	return out
}

// target asks for the one control and accepts, asks again, or gives up by the
// plain bars; where it pays to deliberate, by the evidence.
func (s *step) target(ctx context.Context, screen *surfaces.Screen, w want, left []*surfaces.Candidate) (*surfaces.Candidate, error) {
	if len(left) == 0 {
		return nil, nil
	}
	left = left[:min(len(left), mostOptions)]
	q := choice(decider.AskTarget, w.subject, w.purpose, "Which control should be used to "+w.purpose+"?", controlOptions(left, s.req.IncludeValues, numberKey))
	d, err := s.decide(ctx, s.build(screen, w.subject, questions{"target": q}), s.votes())
	if err != nil {
		return nil, err
	}
	if s.deliberates() {
		return s.deliberated(ctx, screen, w, left, d)
	}
	i, p, ok := pickedAt(d.answers, "target", q)
	if !ok {
		return nil, nil
	}
	c := left[i]
	if p >= w.bar(c) {
		s.grounded(p, d.answers["target"])
		return c, nil
	}
	return s.again(ctx, screen, w, left, c)
}

// bar is what a target has to reach to be used at once: less where the purpose
// names it, but never for a guard.
func (w want) bar(c *surfaces.Candidate) float64 {
	if w.floor == barAct && surfaces.NamedMatch(w.purpose, c) {
		return barNamed
	}
	return w.floor
}

// grounded keeps how sure the step is of the control it found, and by what.
func (s *step) grounded(p float64, by decider.Answer) {
	s.belief, s.because = p, reasons(by)
	s.sure(p)
}

// reasons are the words of an answer for a report; each once.
func reasons(a decider.Answer) string {
	var words []string
	for _, w := range a.Why {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return cut(strings.Join(words, ", "), mostReasons)
}

// again asks once more in reversed order, and confirms the first pick.
func (s *step) again(ctx context.Context, screen *surfaces.Screen, w want, left []*surfaces.Candidate, c *surfaces.Candidate) (*surfaces.Candidate, error) {
	s.loop("corroboration")
	reversed := slices.Clone(left)
	slices.Reverse(reversed)
	q := choice(decider.AskAgain, w.subject, w.purpose, "Which control should be used to "+w.purpose+"?", controlOptions(reversed, s.req.IncludeValues, letterKey))
	answers, err := s.ask(ctx, screen, w.subject, questions{"again": q, "confirm": s.confirm(w, c)})
	if err != nil {
		return nil, err
	}
	sure, _ := answers.P("confirm")
	i, _, ok := pickedAt(answers, "again", q)
	if sure >= barCorroborated || ok && reversed[i] == c && sure >= barAgreed {
		s.grounded(sure, answers["confirm"])
		return c, nil
	}
	return nil, nil
}

// confirm asks whether one control is the one meant.
func (s *step) confirm(w want, c *surfaces.Candidate) decider.Question {
	q := noul(decider.AskConfirm, w.subject, fmt.Sprintf("Is %s the control to %s?", c.Label(), w.purpose))
	q.Purpose = w.purpose
	q.Options = []decider.Option{controlOption("1", c, s.req.IncludeValues)}
	return q
}

// clickable gives the controls of a screen that can be pressed.
func clickable(screen *surfaces.Screen) []*surfaces.Candidate {
	var out []*surfaces.Candidate
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if c.Can(surfaces.CanClick) || c.Can(surfaces.CanCheck) || c.Can(surfaces.CanUncheck) || c.Can(surfaces.CanExpand) {
			out = append(out, c)
		}
	}
	return out
}
