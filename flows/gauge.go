package flows

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"countersign/flows/safety"
	"countersign/surfaces"
)

// mostSteps is how often the plus or the minus of one counter is pressed.
const mostSteps = 50

// setting is a number that something is set to, "set the number of guests to 6",
// or that is added to what it shows: "add 3 soups to the order".
type setting struct {
	of   string // what, as written
	to   string // the number, or a reference to it
	adds bool
}

var (
	setAmount  = regexp.MustCompile(`(?is)^(?:please\s+)?(?:set|change|adjust|put|drag|move|raise|lower|increase|decrease|reduce)\s+(?:the\s+)?(.+?)\s+to\s+([-−]?\d+|\$\{[^}]*\})(?:\s+(?:with|using|by|via)\s+[^,;]*)?[.\s]*$`)
	pickAmount = regexp.MustCompile(`(?is)^(?:please\s+)?(?:select|choose|pick|set|enter)\s+(?:the\s+(?:number|value)\s+)?([-−]?\d+|\$\{[^}]*\})\s+(?:with|on|in|using)\s+(?:the\s+)?(.*\b(?:slider|spinner|stepper|counter)s?)[.\s]*$`)
	addAmount  = regexp.MustCompile(`(?is)^(?:please\s+)?(?:add|order|put|buy|take)\s+(\d+|\$\{[^}]*\})\s+(?:x\s+|more\s+|of\s+)?(?:the\s+)?(.+?)(?:\s+(?:in\s*to|to|in)\s+(?:the|your|my)\s+(?:order|cart|basket|bag|trolley|list))?[.\s]*$`)
)

// settingIn reads a clause that sets something to a number.
func settingIn(part string) *setting {
	if m := setAmount.FindStringSubmatch(part); m != nil {
		return &setting{of: m[1], to: m[2]}
	}
	if m := pickAmount.FindStringSubmatch(part); m != nil {
		return &setting{of: m[2], to: m[1]}
	}
	if m := addAmount.FindStringSubmatch(part); m != nil && !leadsToBox.MatchString(m[2]) {
		return &setting{of: m[2], to: m[1], adds: true}
	}
	return nil
}

// gauge shows a number that can be changed: a field, or a minus and a plus with
// the number beside them.
type gauge struct {
	field       *surfaces.Candidate // nil for a counter
	minus, plus *surfaces.Candidate
	shows       int
	label       string // all that names it
}

// setTo brings what the clause names to its number. found is false where no one
// thing on the screen is meant.
func (s *step) setTo(ctx context.Context, a *setting) (found bool, outcome Outcome, note string, err error) {
	of, err := s.words(a.of)
	if err != nil {
		return false, "", "", err
	}
	said, err := s.words(a.to)
	if err != nil {
		return false, "", "", err
	}
	want, ok := wholeNumber(said)
	if !ok {
		return false, "", "", nil
	}
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return false, "", "", err
	}
	g := gaugeOf(screen, of)
	if g != nil && a.adds {
		want += g.shows
	}
	switch {
	case g == nil && a.adds && want > 1 && !offersNumber(screen, said):
		return true, "", "", failed("nothing here plainly counts %s, so %d of them cannot be added at once", of, want)
	case g == nil:
		return false, "", "", nil
	case g.shows == want:
		return true, OutcomeAlreadyDone, fmt.Sprintf("%s is %d already", of, want), nil
	case g.field != nil:
		if _, err := s.deliver(ctx, g.field, strconv.Itoa(want)); err != nil {
			return true, "", "", err
		}
	default:
		if err := s.count(ctx, g, of, want); err != nil {
			return true, "", "", err
		}
	}
	return true, OutcomeDone, fmt.Sprintf("set %s to %d", of, want), nil
}

// offersNumber reports a control that has a number in its name: "3 apples".
func offersNumber(screen *surfaces.Screen, number string) bool {
	return slices.ContainsFunc(screen.Candidates, func(c surfaces.Candidate) bool { return slices.Contains(safety.Words(c.Name), number) })
}

// count presses the plus or the minus until the number shows. Each press has to
// bring it nearer.
func (s *step) count(ctx context.Context, g *gauge, of string, want int) error {
	for range mostSteps {
		button := g.plus
		if g.shows > want {
			button = g.minus
		}
		s.report.Turns++
		if err := s.mustPress(ctx, button); err != nil {
			return err
		}
		now, err := s.moved(ctx, g)
		if err != nil {
			return err
		}
		switch {
		case now == nil:
			return failed("%s does not show any more after pressing %s", of, button.Label())
		case howFar(now.shows, want) >= howFar(g.shows, want):
			return failed("pressing %s leaves %s at %d, %d was wanted", button.Label(), of, now.shows, want)
		case now.shows == want:
			return nil
		}
		g = now
	}
	return failed("%s stands at %d after %d presses, %d was wanted", of, g.shows, mostSteps, want)
}

// moved reads a counter again, a moment later where it has not moved yet.
func (s *step) moved(ctx context.Context, was *gauge) (*gauge, error) {
	var now *gauge
	for try := range 2 {
		if try > 0 {
			s.place.AwaitChange(ctx, changeWaitMS)
		}
		screen, err := s.lookReadable(ctx)
		if err != nil {
			return nil, err
		}
		now = nil
		for _, g := range counters(screen) {
			if same(screen, was.plus) == g.plus && same(screen, was.minus) == g.minus {
				now = &g
				break
			}
		}
		if now != nil && now.shows != was.shows {
			break
		}
	}
	return now, nil
}

func howFar(a, b int) int { return max(a-b, b-a) }

// wholeNumber reads a text that is a number and no more.
func wholeNumber(text string) (int, bool) {
	n, err := strconv.Atoi(strings.NewReplacer("−", "-", "–", "-").Replace(strings.TrimSpace(text)))
	return n, err == nil
}

// gaugeOf is the one gauge that of names; one named by its kind alone has to be
// the only one of its kind.
func gaugeOf(screen *surfaces.Screen, of string) *gauge {
	var kinds, names []string
	for _, w := range safety.Words(of) {
		switch w = singular(w); {
		case gaugeKinds[w] != "":
			kinds = append(kinds, gaugeKinds[w])
		case !gaugeWords[w]:
			names = append(names, w)
		}
	}
	all := gauges(screen)
	all = slices.DeleteFunc(all, func(g gauge) bool {
		return slices.ContainsFunc(kinds, func(kind string) bool { return !g.is(kind) })
	})
	if len(names) > 0 {
		all = slices.DeleteFunc(all, func(g gauge) bool { return !g.named(names) })
	}
	if len(all) != 1 {
		return nil
	}
	return &all[0]
}

// Words for a gauge of a kind, and words that name none.
var (
	gaugeKinds = map[string]string{"slider": "slider", "spinner": "counter", "stepper": "counter", "counter": "counter"}
	gaugeWords = map[string]bool{
		"number": true, "value": true, "amount": true, "count": true, "of": true, "the": true, "a": true,
		"bar": true, "handle": true, "range": true, "box": true, "field": true, "to": true, "for": true, "from": true,
	}
)

func (g gauge) is(kind string) bool {
	slides := g.field != nil && (g.field.Role == "slider" || g.field.InputType == "range")
	return (kind == "slider") == slides
}

// named reports a gauge whose label has all of some words.
func (g gauge) named(words []string) bool {
	var have []string
	for _, w := range safety.Words(g.label) {
		have = append(have, singular(w))
	}
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) })
}

func singular(w string) string {
	if len(w) > 3 && !strings.HasSuffix(w, "ss") {
		return strings.TrimSuffix(w, "s")
	}
	return w
}

// gauges finds what shows a number that can be changed.
func gauges(screen *surfaces.Screen) []gauge {
	all := counters(screen)
	around := besides(screen)
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if c.Has(surfaces.Disabled) || c.Has(surfaces.ReadOnly) || !c.Can(surfaces.CanSetValue) {
			continue
		}
		n, ok := wholeNumber(c.Value)
		boxed := slices.ContainsFunc(all, func(g gauge) bool { return g.field == c })
		if ok && !boxed && (c.Role == "slider" || c.Role == "spinbutton" || c.InputType == "range" || c.InputType == "number") {
			all = append(all, gauge{field: c, shows: n, label: labelOf(c, around[i])})
		}
	}
	return all
}

func labelOf(c *surfaces.Candidate, beside besideText) string {
	own := c.Name + " " + c.Description
	if strings.TrimSpace(c.Name) == "" {
		own += " " + beside.near + " " + beside.under
	}
	return own + " " + strings.Join(c.Path[max(len(c.Path)-1, 0):], " ")
}

var (
	plusName  = regexp.MustCompile(`(?i)^(?:[+＋▲△⏶↑]|plus|more|up|increase|increment|add)$|^(?:increase|increment|plus|add(?: one)?)\b`)
	minusName = regexp.MustCompile(`(?i)^(?:[-−–—－▼▽⏷↓]|minus|less|fewer|down|decrease|decrement|remove|subtract)$|^(?:decrease|decrement|minus|remove(?: one)?|subtract)\b`)
)

// counters finds each minus and plus with nothing to press between them but the
// number's own field, and the number between or right beside them.
func counters(screen *surfaces.Screen) []gauge {
	var out []gauge
	around := besides(screen)
	for i := 0; i < len(screen.Candidates); i++ {
		first := &screen.Candidates[i]
		up := pressable(first) && !first.TakesText() && plusName.MatchString(strings.TrimSpace(first.Name))
		down := pressable(first) && !first.TakesText() && minusName.MatchString(strings.TrimSpace(first.Name))
		if up == down {
			continue
		}
		for j := i + 1; j < len(screen.Candidates) && j <= i+2; j++ {
			second := &screen.Candidates[j]
			if second.TakesText() && j == i+1 {
				continue
			}
			g := gauge{minus: first, plus: second}
			other := plusName
			if up {
				g.minus, g.plus, other = second, first, minusName
			}
			ofOne := cardPath(first.Path) == cardPath(second.Path) // the plus of one row and the minus of the next are none
			if ofOne && pressable(second) && other.MatchString(strings.TrimSpace(second.Name)) && g.reads(screen, i, j) {
				g.label = strings.Join([]string{around[i].near, around[i].under, first.Name, second.Name, strings.Join(first.Path[max(len(first.Path)-1, 0):], " "), g.label}, " ")
				out = append(out, g)
				i = j
			}
			break
		}
	}
	return out
}

// reads finds the number of a counter whose buttons are the candidates i and j:
// in a field between or right before or after them, or as the one number between
// them, before or after.
func (g *gauge) reads(screen *surfaces.Screen, i, j int) bool {
	for _, k := range []int{i + 1, i - 1, j + 1} {
		if k < 0 || k >= len(screen.Candidates) || k == j || !screen.Candidates[k].TakesText() {
			continue
		}
		c := &screen.Candidates[k]
		if n, ok := wholeNumber(c.Value); ok {
			g.shows, g.label = n, c.Name+" "+c.Description
			if !c.Has(surfaces.ReadOnly) && !c.Has(surfaces.Disabled) && c.Can(surfaces.CanSetValue) {
				g.field = c
			}
			return true
		}
	}
	from, to := screen.Candidates[i].Order, screen.Candidates[j].Order
	before, after := 0, int(^uint(0)>>1)
	if i > 0 {
		before = screen.Candidates[i-1].Order
	}
	if j+1 < len(screen.Candidates) {
		after = screen.Candidates[j+1].Order
	}
	for _, part := range [][2]int{{from, to}, {before, from}, {to, after}} {
		var numbers []int
		for _, t := range screen.TextNodes {
			if n, ok := wholeNumber(t.Text); ok && t.Order > part[0] && t.Order < part[1] {
				numbers = append(numbers, n)
			}
		}
		if len(numbers) > 0 {
			g.shows = numbers[0]
			return len(numbers) == 1
		}
	}
	return false
}
