package flows

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"countersign/flows/decider"
	"countersign/flows/parse"
	"countersign/surfaces"
)

// card is one item of a list: what it says, in document order, and what can be
// pressed on it.
type card struct {
	fields   []string
	controls []*surfaces.Candidate
}

// text is everything a card says.
func (c card) text() string { return strings.Join(c.fields, " · ") }

// record is a card as a row object: the first field that reads as a price, a
// time, a duration or a number of stops under that name, the rest as text,
// text_2 and on.
func (c card) record() map[string]string {
	row := map[string]string{}
	texts := 0
	for _, f := range c.fields {
		name := ""
		for _, m := range measures {
			if _, taken := row[m.name]; !taken && m.reads(f) {
				name = m.name
				break
			}
		}
		if name == "" {
			texts++
			name = "text"
			if texts > 1 {
				name = fmt.Sprintf("text_%d", texts)
			}
		}
		row[name] = f
	}
	return row
}

var measures = [...]struct {
	name  string
	reads func(string) bool
}{
	{"price", func(s string) bool { p, ok := parse.PriceOf(s); return ok && p.Currency != "" }},
	{"time", func(s string) bool { _, ok := parse.ClockOf(s); return ok }},
	{"duration", func(s string) bool { _, ok := parse.DurationOf(s); return ok }},
	{"stops", func(s string) bool { _, ok := parse.StopsOf(s); return ok }},
}

// node is anything a screen shows, as lists are found in.
type node struct {
	path    []string
	order   int
	texts   []string
	control *surfaces.Candidate
}

func nodesOf(screen *surfaces.Screen, values bool) []node {
	var nodes []node
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		n := node{path: c.Path, order: c.Order, control: c, texts: []string{c.Name}}
		if d := surfaces.Describe(c, false).Says; d != "" && d != "an icon" {
			n.texts = append(n.texts, d)
		}
		if values {
			n.texts = append(n.texts, c.Value)
		}
		nodes = append(nodes, n)
	}
	for _, t := range screen.TextNodes {
		if !t.Field || values {
			nodes = append(nodes, node{path: t.Path, order: t.Order, texts: []string{t.Text}})
		}
	}
	sort.SliceStable(nodes, func(i, j int) bool { return nodes[i].order < nodes[j].order })
	return nodes
}

// add puts what a node says into the card, each text once.
func (c *card) add(n node) {
	for _, text := range n.texts {
		if text = squash(text); text != "" && !slices.Contains(c.fields, text) {
			c.fields = append(c.fields, text)
		}
	}
	if n.control != nil {
		c.controls = append(c.controls, n.control)
	}
}

// listsOf finds the lists of a screen, the longest first (flows.md section 10).
func listsOf(screen *surfaces.Screen, values bool) [][]card {
	nodes := nodesOf(screen, values)
	lists := byOrdinal(nodes)
	if len(lists) == 0 {
		lists = byFlatRun(nodes)
	}
	lists = append(lists, byLink(nodes, lists)...)
	lists = slices.DeleteFunc(lists, tiny)
	lists = withoutSplitLines(lists)
	sort.SliceStable(lists, func(i, j int) bool { return len(lists[i]) > len(lists[j]) })
	return lists
}

var numberedPart = regexp.MustCompile(`^([a-z]+)(?: ".*")? #\d+$`)

// family is the same-role ordinal containers under one ancestor path.
type family struct {
	prefix string
	depth  int
	order  []string
	cards  map[string]*card
}

// byOrdinal finds two or more same-role ordinal containers under one ancestor.
// Of nested families the one with more containers stays, on equal counts the
// deeper.
func byOrdinal(nodes []node) [][]card {
	families := map[string]*family{}
	var order []*family
	for _, n := range nodes {
		for i, part := range n.path {
			m := numberedPart.FindStringSubmatch(part)
			if m == nil {
				continue
			}
			prefix := strings.Join(n.path[:i], "›")
			key := prefix + "›" + m[1]
			f := families[key]
			if f == nil {
				f = &family{prefix: prefix, depth: i, cards: map[string]*card{}}
				families[key] = f
				order = append(order, f)
			}
			id := prefix + "›" + part
			if f.cards[id] == nil {
				f.cards[id] = &card{}
				f.order = append(f.order, id)
			}
			f.cards[id].add(n)
		}
	}
	order = slices.DeleteFunc(order, func(f *family) bool { return len(f.order) < 2 })
	sort.SliceStable(order, func(i, j int) bool {
		if len(order[i].order) != len(order[j].order) {
			return len(order[i].order) > len(order[j].order)
		}
		return order[i].depth > order[j].depth
	})
	var kept []*family
	var lists [][]card
	for _, f := range order {
		if slices.ContainsFunc(kept, func(k *family) bool { return k.holds(f) || f.holds(k) }) {
			continue
		}
		kept = append(kept, f)
		cards := make([]card, 0, len(f.order))
		for _, id := range f.order {
			cards = append(cards, *f.cards[id])
		}
		lists = append(lists, cards)
	}
	return lists
}

// holds reports whether other's containers stand inside one of f's.
func (f *family) holds(other *family) bool {
	return slices.ContainsFunc(f.order, func(id string) bool {
		return other.prefix == id || strings.HasPrefix(other.prefix, id+"›")
	})
}

// byFlatRun finds runs of three or more same-role leaf siblings.
func byFlatRun(nodes []node) [][]card {
	var lists [][]card
	var run []card
	last := ""
	flush := func() {
		if len(run) >= 3 {
			lists = append(lists, run)
		}
		run = nil
	}
	for _, n := range nodes {
		key := ""
		if n.control != nil && flatRoles[n.control.Role] {
			key = n.control.Role + "|" + strings.Join(n.path, "›")
		}
		if key != last || key == "" {
			flush()
		}
		last = key
		if key != "" {
			var c card
			c.add(n)
			run = append(run, c)
		}
	}
	flush()
	return lists
}

var flatRoles = map[string]bool{"listitem": true, "row": true, "treeitem": true, "cell": true, "option": true}

// byLink finds three or more links, options, radios or buttons under one
// parent, each showing at least 20 characters with a word.
func byLink(nodes []node, have [][]card) [][]card {
	const leastChars, leastCards = 20, 3
	inside := map[*surfaces.Candidate]bool{}
	for _, list := range have {
		for _, c := range list {
			for _, control := range c.controls {
				inside[control] = true
			}
		}
	}
	var order []string
	groups := map[string][]card{}
	for _, n := range nodes {
		if n.control == nil || inside[n.control] || !slices.Contains([]string{"link", "option", "radio", "button"}, n.control.Role) {
			continue
		}
		var c card
		c.add(n)
		if len([]rune(c.text())) < leastChars || !hasWord(c.text()) {
			continue
		}
		key := n.control.Role + "|" + strings.Join(n.path, "›")
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], c)
	}
	var lists [][]card
	for _, key := range order {
		if len(groups[key]) >= leastCards {
			lists = append(lists, groups[key])
		}
	}
	return lists
}

func hasWord(text string) bool {
	letters := 0
	for _, r := range text {
		if !unicode.IsLetter(r) {
			letters = 0
			continue
		}
		if letters++; letters >= 3 {
			return true
		}
	}
	return false
}

// tiny reports a list of dots, chips or page numbers: every field shows at most
// three letters or digits.
func tiny(list []card) bool {
	const most = 3
	for _, c := range list {
		for _, f := range c.fields {
			n := 0
			for _, r := range f {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					n++
				}
			}
			if n > most {
				return false
			}
		}
	}
	return true
}

// withoutSplitLines drops a list of one-line items that are the lines of
// another list's fewer cards.
func withoutSplitLines(lists [][]card) [][]card {
	return slices.DeleteFunc(slices.Clone(lists), func(list []card) bool {
		if slices.ContainsFunc(list, func(c card) bool { return len(c.fields) > 1 }) {
			return false
		}
		return slices.ContainsFunc(lists, func(other []card) bool {
			if len(other) >= len(list) {
				return false
			}
			return !slices.ContainsFunc(list, func(c card) bool { return !saidBy(other, c.text()) })
		})
	})
}

func saidBy(list []card, text string) bool {
	return slices.ContainsFunc(list, func(c card) bool { return slices.Contains(c.fields, text) })
}

// whichList asks which of several lists is meant; the longest when nothing
// stands out.
func (s *step) whichList(ctx context.Context, screen *surfaces.Screen, what string, lists [][]card) ([]card, error) {
	if len(lists) == 1 {
		return lists[0], nil
	}
	lists = lists[:min(len(lists), mostLists)]
	texts := make([]string, len(lists))
	for i, list := range lists {
		texts[i] = fmt.Sprintf("%d items", len(list))
		for _, c := range list[:min(len(list), 3)] {
			texts[i] += "; " + cut(c.text(), collectedSize)
		}
	}
	q := choice(decider.AskList, what, "", fmt.Sprintf("Which list is %q?", what), numbered(texts))
	answers, err := s.ask(ctx, screen, what, questions{"list": q})
	if err != nil {
		return nil, err
	}
	best, second := 0, -1
	probability := func(i int) float64 { return answers["list"].Probabilities[numberKey(i)] }
	for i := 1; i < len(lists); i++ {
		switch {
		case probability(i) > probability(best):
			best, second = i, best
		case second < 0 || probability(i) > probability(second):
			second = i
		}
	}
	p := probability(best)
	if p >= barRead || p >= barListLean && (second < 0 || p >= listLeanLead*probability(second)) {
		s.sure(p)
		return lists[best], nil
	}
	return lists[0], nil
}
