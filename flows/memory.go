package flows

import (
	"context"
	"slices"
	"strings"

	"countersign/surfaces"
)

// hintPath is how many ancestors must match for a hint to be the same place.
const hintPath = 2

// stepKey is a step's text as hints remember it: normalised, its variables
// unexpanded.
func stepKey(text string) string { return strings.ToLower(squash(text)) }

// remembered tries the hint of an earlier run: one confirm, no narrowing.
func (s *step) remembered(ctx context.Context, screen *surfaces.Screen, w want, pool []*surfaces.Candidate) (*surfaces.Candidate, error) {
	c := s.hinted(screen, w.key, pool)
	if c == nil {
		return nil, nil
	}
	s.loop("memory")
	answers, err := s.ask(ctx, screen, w.subject, questions{"confirm": s.confirm(w, c)})
	if err != nil {
		return nil, err
	}
	if p, ok := answers.P("confirm"); ok && p >= barAgreed {
		s.grounded(p, answers["confirm"])
		return c, nil
	}
	return nil, nil
}

// hinted finds the control a hint of this step names, the newest hint first.
func (s *step) hinted(screen *surfaces.Screen, key string, pool []*surfaces.Candidate) *surfaces.Candidate {
	if key == "" {
		return nil
	}
	for i := len(s.hints) - 1; i >= 0; i-- {
		h := s.hints[i]
		if h.StepKey != key || h.Origin != screen.Origin || h.Origin == "" && h.App != s.app {
			continue
		}
		for _, c := range pool {
			if c.Role == h.Role && c.Name == h.Name && slices.Equal(lastOf(c.Path, hintPath), lastOf(h.Path, hintPath)) {
				return c
			}
		}
	}
	return nil
}

// learn keeps where a step's control was found. Never a gated control, a
// secret, a value or a ref.
func (s *step) learn(key string, screen *surfaces.Screen, c *surfaces.Candidate) {
	if key == "" || c.Name == "" || s.gate(screen, c) != nil {
		return
	}
	h := Hint{App: s.mask(s.app), Origin: screen.Origin, StepKey: s.mask(key), Role: c.Role, Name: s.mask(c.Name), Path: s.maskAll(c.Path)}
	if screen.Side != surfaces.Browser {
		h.Origin = ""
	}
	if h.Name != c.Name {
		return // its name holds a secret
	}
	for _, have := range s.result.Learned {
		if have.StepKey == h.StepKey && have.Role == h.Role && have.Name == h.Name && slices.Equal(have.Path, h.Path) {
			return
		}
	}
	s.result.Learned = append(s.result.Learned, h)
	s.hints = append(s.hints, h)
}

func lastOf(path []string, n int) []string { return path[max(0, len(path)-n):] }
