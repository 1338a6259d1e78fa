package safety

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"countersign/flows/parse"
	"countersign/surfaces"
)

// The wordings of tasks.md 8.4.
var (
	cardFields = phrases("card number", "cvv", "cvc", "expiry date", "expiration date", "card expiry", "name on card", "cardholder", "upi id")

	// expiries are those that a document has too.
	expiries = phrases("expiry date", "expiration date")

	documents = []string{"passport", "visa", "licence", "license", "document", "documents"}

	// strongWords count in text beside a field. "Credit card" is not among
	// them: an advert must not trigger it.
	strongWords = phrases("card number", "cvv", "cvc")

	payingPaths = []string{"payment", "payments", "billing", "checkout", "pay"}
)

// nearNodes is how far from a field strong words may stand, in nodes of
// document order (tasks.md 8.4).
const nearNodes = 5

// PaymentEvidence looks for a sign that a screen takes a payment (tasks.md
// 8.4): a card field, strong card words beside a field, a payment-like path
// together with a control that pays, or a program's dialog that asks to pay an
// amount. The reason is in plain words, and quotes the page. Nil shows nothing.
func PaymentEvidence(s *surfaces.Screen) (reason string, found bool) {
	if s == nil {
		return "", false
	}
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if takesInput(c) && cardField(c) {
			return "the page has a card field" + quoted(c.Name), true
		}
	}
	if word, field, ok := strongWordsNear(s); ok {
		return fmt.Sprintf("%q stands beside the field%s", word, quoted(field.Name)), true
	}
	if asks, ok := askedToPay(s); ok {
		return fmt.Sprintf("the dialog says %q", asks), true
	}
	path, ok := payingPath(s.Address)
	if !ok {
		return "", false
	}
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if !blank(c.Name) && Classify(c.Name) == Payment && !takesInput(c) {
			return fmt.Sprintf("the page %s has the control%s", path, quoted(c.Name)), true
		}
	}
	return "", false
}

// askedToPay finds the words of a dialog of the desktop that ask to pay.
func askedToPay(s *surfaces.Screen) (words string, found bool) {
	for _, t := range s.TextNodes {
		if !t.Field && AsksToPay(s, t.Text) {
			return strings.TrimSpace(t.Text), true
		}
	}
	return "", false
}

// AsksToPay reports whether words of a screen are those of a program's dialog
// that name an amount and the act of paying it. A program has no address that
// could tell, and its button may say no more than OK.
func AsksToPay(s *surfaces.Screen, words string) bool {
	if s.Side != surfaces.Desktop || s.Surface != surfaces.FrontDialog && s.Surface != surfaces.FrontAlert {
		return false
	}
	price, ok := parse.PriceOf(words)
	return ok && price.Currency != "" && Classify(words) == Payment
}

// takesInput reports whether a control may take input: it says so, or says
// nothing about itself at all.
func takesInput(c *surfaces.Candidate) bool {
	if c.Role == "" && len(c.Actions) == 0 {
		return true
	}
	switch c.Role {
	case "textbox", "searchbox", "combobox", "textarea", "spinbutton":
		return true
	case "button", "link", "checkbox", "radio", "switch", "tab", "option", "menuitem":
		return false
	default:
		return c.TakesText() || c.InputType != ""
	}
}

func cardField(c *surfaces.Candidate) bool {
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(c.Autocomplete)), "cc-") {
		return true
	}
	if cardLabel(c.Name) {
		return true
	}
	return slices.ContainsFunc(c.Hints, cardLabel)
}

func cardLabel(label string) bool {
	words := Words(label)
	for _, p := range cardFields {
		if p.in(words) < 0 {
			continue
		}
		if anyIn(words, expiries) && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(documents, w) }) {
			continue
		}
		return true
	}
	return false
}

// strongWordsNear finds strong words in text within nearNodes of a field.
func strongWordsNear(s *surfaces.Screen) (word string, field *surfaces.Candidate, found bool) {
	type node struct {
		order int
		field *surfaces.Candidate
		word  string
	}
	nodes := make([]node, 0, len(s.Candidates)+len(s.TextNodes))
	for i := range s.Candidates {
		c := &s.Candidates[i]
		n := node{order: c.Order}
		if takesInput(c) {
			n.field = c
		}
		nodes = append(nodes, n)
	}
	for _, t := range s.TextNodes {
		n := node{order: t.Order}
		if !t.Field {
			n.word = strongWord(t.Text)
		}
		nodes = append(nodes, n)
	}
	slices.SortStableFunc(nodes, func(a, b node) int { return a.order - b.order })
	for i, n := range nodes {
		if n.word == "" {
			continue
		}
		for _, near := range nodes[max(0, i-nearNodes):min(len(nodes), i+nearNodes+1)] {
			if near.field != nil {
				return n.word, near.field, true
			}
		}
	}
	return "", nil, false
}

func strongWord(text string) string {
	words := Words(text)
	for _, p := range strongWords {
		if p.in(words) >= 0 {
			return join(p)
		}
	}
	return ""
}

// payingPath reports whether an address has a payment-like word in its path, or
// in the path a single-page site keeps behind #.
func payingPath(address string) (path string, found bool) {
	u, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	fragment, _, _ := strings.Cut(u.Fragment, "?")
	for _, path := range []string{u.Path, fragment} {
		if slices.ContainsFunc(Words(path), func(w string) bool { return slices.Contains(payingPaths, w) }) {
			return path, true
		}
	}
	return "", false
}

func quoted(name string) string {
	if blank(name) {
		return ""
	}
	return fmt.Sprintf(" %q", strings.TrimSpace(name))
}
