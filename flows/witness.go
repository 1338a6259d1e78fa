package flows

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"countersign/flows/parse"
	"countersign/flows/safety"
	"countersign/surfaces"
)

// evidence is what a signature covers, from the very reading in which c was
// found. Masked throughout (tasks.md 4.9).
func (s *step) evidence(screen *surfaces.Screen, c *surfaces.Candidate, phrase string) Evidence {
	amount, currency := amountOf(screen, c)
	site, address := screen.Site(c)
	class := safety.ActOf(phrase, c.Name)
	if paysHere(screen, c, phrase) {
		class = safety.ActPay // a card form makes "Confirm" a payment
	}
	return Evidence{
		Task: s.req.Task, Step: s.path, Side: screen.Side, Origin: s.mask(site), Address: s.mask(address),
		Control:     EvidenceControl{Role: c.Role, Name: s.mask(c.Name), Path: s.maskAll(c.Path)},
		Destination: s.maskAddress(c.Destination),
		Phrase:      s.mask(phrase), Class: class, Amount: amount, Currency: currency,
		Payee: s.mask(s.payeeOf(screen)), Form: s.formOf(screen, c), Words: s.maskAll(nearWords(screen, c)),
		Box: c.Bounds, AskedAt: time.Now().UnixMilli(),
	}
}

// amountOf reads the price in the control's name, else the only price in lines
// that say total, amount due or to pay, or that ask for it in a dialog. Several, or one without a currency, are
// unread.
func amountOf(screen *surfaces.Screen, c *surfaces.Candidate) (amount, currency string) {
	if p, ok := parse.PriceOf(c.Name); ok && p.Currency != "" {
		return p.Text, p.Currency
	}
	lines := textLines(screen)
	found := map[parse.Price]bool{}
	for i, line := range lines {
		if !saysTotal(line) && !safety.AsksToPay(screen, line) {
			continue
		}
		p, ok := parse.PriceOf(line)
		if (!ok || p.Currency == "") && i+1 < len(lines) {
			p, ok = aloneIn(lines[i+1])
		}
		if ok && p.Currency != "" {
			found[p] = true
		}
	}
	if len(found) != 1 {
		return "", ""
	}
	for p := range found {
		amount, currency = p.Text, p.Currency
	}
	return amount, currency
}

// aloneIn reads a line that is a price and little else: the cell beside
// "Total".
func aloneIn(line string) (parse.Price, bool) {
	const short = 20
	if len([]rune(line)) > short {
		return parse.Price{}, false
	}
	return parse.PriceOf(line)
}

func saysTotal(line string) bool {
	said := " " + strings.Join(safety.Words(line), " ") + " "
	for _, words := range []string{" total ", " amount due ", " to pay "} {
		if strings.Contains(said, words) {
			return true
		}
	}
	return false
}

// textLines are the visible texts of a screen in document order, without what
// fields hold.
func textLines(screen *surfaces.Screen) []string {
	if len(screen.TextNodes) == 0 {
		return screen.Context
	}
	nodes := slices.Clone(screen.TextNodes)
	sort.SliceStable(nodes, func(i, j int) bool { return nodes[i].Order < nodes[j].Order })
	var lines []string
	for _, t := range nodes {
		if !t.Field && strings.TrimSpace(t.Text) != "" {
			lines = append(lines, squash(t.Text))
		}
	}
	return lines
}

// payeeLabels are how screens name who is paid.
var payeeLabels = []string{"payee", "recipient", "beneficiary", "pay to", "merchant"}

// payeeOf reads the field or line labelled as who is paid.
func (s *step) payeeOf(screen *surfaces.Screen) string {
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if isField(c) && strings.TrimSpace(c.Value) != "" && labelledPayee(c.Name) {
			return s.held(screen, c, c.Name, squash(c.Value))
		}
	}
	lines := textLines(screen)
	for i, line := range lines {
		label, value, colon := strings.Cut(line, ":")
		if !colon {
			label = line
		}
		if !slices.Contains(payeeLabels, strings.Join(safety.Words(label), " ")) {
			continue
		}
		if value = squash(value); value == "" && i+1 < len(lines) {
			value = lines[i+1]
		}
		return value
	}
	return ""
}

func labelledPayee(name string) bool {
	said := " " + strings.Join(safety.Words(name), " ") + " "
	return slices.ContainsFunc(payeeLabels, func(l string) bool { return strings.Contains(said, " "+l+" ") })
}

// formOf lists the fields of the control's form, without one those of the
// screen; a secret's value as ${name}.
func (s *step) formOf(screen *surfaces.Screen, c *surfaces.Candidate) []EvidenceField {
	fields := []EvidenceField{}
	for i := range screen.Candidates {
		f := &screen.Candidates[i]
		if c.Form != "" && f.Form != c.Form || len(fields) == mostFormFields {
			continue
		}
		value, ok := heldBy(f)
		if !ok {
			continue
		}
		name := f.Name
		if name == "" {
			name = f.Role
		}
		shown := s.held(screen, f, name, value)
		if s.facts.Mask(value) != value {
			s.noteSecret(screen, f, value)
		}
		fields = append(fields, EvidenceField{Name: s.mask(name), Value: shown})
	}
	return fields
}

// heldBy gives what a form field holds; false for what is none.
func heldBy(c *surfaces.Candidate) (string, bool) {
	switch c.Role {
	case "checkbox", "radio", "switch":
		return "checked: " + strconv.FormatBool(c.Has(surfaces.Checked) || c.Has(surfaces.Selected)), true
	}
	return c.Value, isField(c)
}

// nearWords are the lines of the screen nearest the control, in document order.
func nearWords(screen *surfaces.Screen, c *surfaces.Candidate) []string {
	if len(screen.TextNodes) == 0 {
		return append([]string{}, screen.Context[:min(len(screen.Context), mostNearWords)]...)
	}
	nodes := slices.DeleteFunc(slices.Clone(screen.TextNodes), func(t surfaces.TextNode) bool {
		return t.Field || strings.TrimSpace(t.Text) == ""
	})
	distance := func(t surfaces.TextNode) int { return max(t.Order-c.Order, c.Order-t.Order) }
	sort.SliceStable(nodes, func(i, j int) bool { return distance(nodes[i]) < distance(nodes[j]) })
	nodes = nodes[:min(len(nodes), mostNearWords)]
	sort.SliceStable(nodes, func(i, j int) bool { return nodes[i].Order < nodes[j].Order })
	lines := make([]string, len(nodes))
	for i, t := range nodes {
		lines[i] = squash(t.Text)
	}
	return lines
}
