package flows

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"countersign/flows/decider"
	"countersign/flows/safety"
	"countersign/surfaces"
)

// recover clears what is in the way or undoes what did harm; true when that
// cost the turn.
func (s *step) recover(ctx context.Context, l *loop, screen *surfaces.Screen, v verdict) (bool, error) {
	if s.dismissals < mostDismissals && (v.blocked >= barBlocked && !s.ownDialog || away(l.text, screen)) {
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

// away reports a step that wants a layer gone and does not say how: whatever
// closes it with the smallest consequence serves.
func away(text string, screen *surfaces.Screen) bool {
	return goingAway.MatchString(text) && dismissing.MatchString(text) && slices.ContainsFunc(clickable(screen), func(c *surfaces.Candidate) bool {
		return layerOf(c) != "" && !c.Has(surfaces.Covered)
	})
}

var goingAway = regexp.MustCompile(`(?i)^\W*(?:please\s+)?(dismiss|close|skip)\b`)

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
	if dismissing.MatchString(l.text) {
		return l.before == nil || about(l.text, l.before, layerOf(c))
	}
	return surfaces.NamedMatch(l.text, c) || named(l.text, c.Name)
}

// layerWords say that something is a layer and not which one.
var layerWords = []string{
	"dismiss", "close", "accept", "decline", "reject", "skip", "banner", "dialog", "dialogue", "pop", "up", "popup",
	"notice", "modal", "overlay", "prompt", "the", "a", "an", "any", "all", "please", "it", "that", "this", "and",
}

// about reports whether a layer of the screen before is the one a step speaks
// of: "the cookie notice" is not out of the way because a newsletter went.
func about(text string, before *surfaces.Screen, layer string) bool {
	said := slices.DeleteFunc(safety.Words(text), func(w string) bool { return slices.Contains(layerWords, w) })
	if len(said) == 0 || layer == "" {
		return true
	}
	var shown []string
	for _, n := range nodesOf(before, false) {
		if strings.HasPrefix(strings.Join(n.path, "›")+"›", layer+"›") {
			shown = append(shown, safety.Words(strings.Join(n.texts, " ")+" "+strings.Join(n.path, " "))...)
		}
	}
	return slices.ContainsFunc(said, func(w string) bool {
		stem := strings.TrimSuffix(w, "s")
		return slices.ContainsFunc(shown, func(have string) bool { return strings.HasPrefix(have, stem) })
	})
}

// named reports whether text holds the whole name as words.
func named(text, name string) bool {
	words := strings.Join(safety.Words(name), " ")
	return words != "" && strings.Contains(" "+strings.Join(safety.Words(text), " ")+" ", " "+words+" ")
}
