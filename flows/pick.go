package flows

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"countersign/flows/decider"
	"countersign/flows/parse"
	"countersign/flows/safety"
	"countersign/surfaces"
)

// pick takes the one card of a list that fits best, saves what it says, and
// presses its primary control through the gate.
func (s *step) pick(ctx context.Context) (Outcome, string, error) {
	from, err := s.words(s.def.From)
	if err != nil {
		return "", "", err
	}
	by, err := s.words(s.def.By)
	if err != nil {
		return "", "", err
	}
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return "", "", err
	}
	lists := listsOf(screen, s.req.IncludeValues)
	lists = slices.DeleteFunc(lists, func(list []card) bool {
		return !slices.ContainsFunc(list, func(c card) bool { return c.primary() != nil })
	})
	if len(lists) == 0 {
		return "", "", failed("no list of cards is showing for %q; to take one of several option buttons use choose", from)
	}
	winner, err := s.winner(ctx, screen, from, by, lists)
	if err != nil {
		return "", "", err
	}
	if winner == nil {
		return "", "", failed("nothing in %q fits %q", from, by)
	}
	s.save(s.def.Into, cut(winner.text(), mostPickedText))
	c := winner.primary()
	if c == nil {
		return "", "", failed("the card picked has nothing to press")
	}
	reply, err := s.press(ctx, c)
	if err != nil {
		return "", "", err
	}
	if !reply.OK {
		return "", "", failedWith(reply.Err())
	}
	return OutcomeDone, "picked " + cut(winner.text(), collectedSize), nil
}

// winner finds the card: ranked exactly where the criterion can be read off the
// cards, judged by the decider otherwise.
func (s *step) winner(ctx context.Context, screen *surfaces.Screen, from, by string, lists [][]card) (*card, error) {
	criterion, exact := parse.CriterionOf(by)
	if !exact {
		list, err := s.whichList(ctx, screen, from, lists)
		if err != nil {
			return nil, err
		}
		return s.judged(ctx, screen, from, by, list)
	}
	list, order, err := s.ranked(ctx, screen, from, criterion, lists)
	if err != nil {
		return nil, err
	}
	if order != nil {
		c, err := s.firstBelonging(ctx, screen, from, criterion.Condition, list, order)
		if c != nil || err != nil {
			return c, err
		}
	}
	return s.judged(ctx, screen, from, by, list)
}

// ranked gives the list that has the measure and its order, best first; no
// order when nothing can be read.
func (s *step) ranked(ctx context.Context, screen *surfaces.Screen, from string, c parse.Criterion, lists [][]card) ([]card, []int, error) {
	if measured(c.Kind) {
		for _, list := range lists {
			if order, ok := parse.Rank(c, records(list)); ok {
				return list, order, nil
			}
		}
	}
	list, err := s.whichList(ctx, screen, from, lists)
	if err != nil || measured(c.Kind) {
		return list, nil, err
	}
	if order, ok := parse.Rank(c, records(list)); ok {
		return list, order, nil
	}
	return list, nil, nil
}

// measured reports whether a criterion reads a price, a time, stops or a
// duration, so that only a list showing one can be meant.
func measured(k parse.CriterionKind) bool {
	return slices.Contains(measuredKinds[:], k)
}

var measuredKinds = [...]parse.CriterionKind{parse.LowestPrice, parse.HighestPrice, parse.Earliest, parse.Latest, parse.FewestStops, parse.Shortest}

func records(list []card) []map[string]string {
	rows := make([]map[string]string, len(list))
	for i, c := range list {
		rows[i] = c.record()
	}
	return rows
}

// firstBelonging asks of the first ranked cards at once whether they belong to
// what is picked from, and takes the first that does.
func (s *step) firstBelonging(ctx context.Context, screen *surfaces.Screen, from, condition string, list []card, order []int) (*card, error) {
	order = order[:min(len(order), mostRanked)]
	qs := questions{}
	for n, i := range order {
		q := noul(decider.AskBelongs, from, fmt.Sprintf("Is this card one of %q: %s?", strings.TrimSpace(from+" "+condition), list[i].text()))
		q.Purpose = condition
		q.Options = []decider.Option{{Key: "1", Text: list[i].text()}}
		qs[fmt.Sprintf("belongs_%d", n+1)] = q
	}
	answers, err := s.ask(ctx, screen, "pick from "+from, qs)
	if err != nil {
		return nil, err
	}
	for n, i := range order {
		if p, ok := answers.P(fmt.Sprintf("belongs_%d", n+1)); ok && p >= barRead {
			s.sure(p)
			return &list[i], nil
		}
	}
	return nil, nil
}

// judged asks which card fits, in groups of twenty with a knockout.
func (s *step) judged(ctx context.Context, screen *surfaces.Screen, from, by string, list []card) (*card, error) {
	list = list[:min(len(list), mostCards)]
	if len(list) > mostOptions {
		s.loop("narrowing")
		qs := questions{}
		groups := slices.Collect(slices.Chunk(list, mostOptions))
		for g, group := range groups {
			qs[fmt.Sprintf("record_%d", g+1)] = recordQuestion(from, by, group)
		}
		answers, err := s.ask(ctx, screen, "pick from "+from, qs)
		if err != nil {
			return nil, err
		}
		list = nil
		for g, group := range groups {
			id := fmt.Sprintf("record_%d", g+1)
			if i, _, ok := pickedAt(answers, id, qs[id]); ok {
				list = append(list, group[i])
			}
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	q := recordQuestion(from, by, list)
	answers, err := s.ask(ctx, screen, "pick from "+from, questions{"record": q})
	if err != nil {
		return nil, err
	}
	i, p, ok := pickedAt(answers, "record", q)
	if !ok || p < barRead {
		return nil, nil
	}
	s.sure(p)
	return &list[i], nil
}

func recordQuestion(from, by string, list []card) decider.Question {
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = c.text()
	}
	return choice(decider.AskRecord, by, from, fmt.Sprintf("Which of these, from %q, is %q?", from, by), numbered(texts))
}

// openWords mark a card's primary control.
var openWords = []string{"select", "book", "choose", "view", "details", "continue", "reserve", "deal", "see"}

// primary is the control that opens a card: one named for opening, else a named
// link, else the first.
func (c card) primary() *surfaces.Candidate {
	var link, first *surfaces.Candidate
	for _, control := range c.controls {
		if !pressable(control) || control.TakesText() {
			continue
		}
		words := safety.Words(control.Name)
		if slices.ContainsFunc(openWords, func(w string) bool { return slices.Contains(words, w) }) {
			return control
		}
		if link == nil && control.Role == "link" && strings.TrimSpace(control.Name) != "" {
			link = control
		}
		if first == nil {
			first = control
		}
	}
	if link != nil {
		return link
	}
	return first
}
