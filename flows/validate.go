package flows

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"countersign/flows/facts"
	"countersign/flows/safety"
)

// Checked is what Check found. Any error means the flow must not run.
type Checked struct {
	Flow     Flow
	Errors   []Problem
	Warnings []Problem     // help for the author; they block nothing
	Missing  []MissingName // in order of first use; asked for, never an error
	Steps    int           // nested ones included
}

// Valid reports whether the flow may run once nothing is missing.
func (c Checked) Valid() bool { return len(c.Errors) == 0 }

// MissingName is a ${name} that nothing supplies.
type MissingName struct {
	Name string
	Step string // number of the step that uses it first, "2" or "4.1"; empty for the app
}

// Check decides whether a flow may run (flows.md section 3). It is the one
// checker for authors, starts, answers and replacement steps. Known are the
// names of the facts, secrets those among them that are secret; card says which
// names are card data, nil going by the name alone. It must be asked again
// whenever a fact is added, for a name that was missing may turn out secret.
func Check(raw []byte, known []string, secrets []string, card func(name string) bool, payment Payment) Checked {
	w := &walker{}
	w.flow(raw)
	c := newChecker(w, known, secrets, card, payment)
	c.all()
	return c.result()
}

// checker judges every text of a flow by the place it stands in.
type checker struct {
	*walker
	payment  Payment
	facts    map[string]bool
	secret   map[string]bool
	saved    map[string]bool // by read, extract or pick
	picked   map[string]bool // by pick
	names    map[string]bool // facts, variables and saved names, lower-cased
	card     func(name string) bool
	warnings []Problem
	missing  []MissingName
	asked    map[string]bool
}

func newChecker(w *walker, known, secrets []string, card func(string) bool, payment Payment) *checker {
	c := &checker{
		walker: w, payment: payment, facts: set(known), secret: set(secrets), saved: map[string]bool{},
		picked: map[string]bool{}, names: map[string]bool{}, asked: map[string]bool{}, card: card,
	}
	if card == nil {
		c.card = facts.CardName
	}
	for _, s := range w.said {
		if s.as == saysInto {
			c.saved[s.text] = true
			c.picked[s.text] = c.picked[s.text] || s.kind == KindPick
			c.secret[s.text] = c.secret[s.text] || facts.Sensitive(s.text) // a code read off a page
		}
	}
	for name, value := range w.out.Vars {
		// A flow's own variable is secret as a fact is: by its name or its form.
		if strings.TrimSpace(value) != "" && (facts.Sensitive(name) || facts.CardNumber(value)) {
			c.secret[name] = true
		}
	}
	for _, group := range []map[string]bool{c.facts, c.saved} {
		for name := range group {
			c.names[strings.ToLower(name)] = true
		}
	}
	for name := range w.out.Vars {
		c.names[strings.ToLower(name)] = true
	}
	return c
}

func (c *checker) all() {
	for _, s := range c.said {
		refs, err := facts.References(s.text)
		for _, problem := range apart(err) {
			c.add(s.path, BadReference, "%v", problem)
		}
		if s.as == saysInto {
			c.into(s)
			continue
		}
		for _, ref := range refs {
			c.reference(s, ref.Name)
		}
		c.words(s, refs)
		c.advise(s)
	}
	c.variables()
	c.adviseFlow()
}

func (c *checker) result() Checked {
	sortProblems(c.problems)
	sortProblems(c.warnings)
	return Checked{Flow: c.out, Errors: c.problems, Warnings: c.warnings, Missing: c.missing, Steps: c.steps}
}

func (c *checker) into(s saying) {
	if c.facts[s.text] {
		c.add(s.path, BadInto, "%s is already the name of a fact; save under another name", s.text)
	}
}

// reference judges one ${name}.
func (c *checker) reference(s saying, name string) {
	c.ask(s, name)
	switch {
	case c.secret[name] && s.as == saysSlot:
		c.add(s.path, SecretInSlotName, "the secret ${%s} must not stand in a field's name; name the field in plain words", name)
	case c.secret[name] && s.as != saysTyped:
		c.add(s.path, SecretOutsideEnter, "the secret ${%s} may only be what an enter step types", name)
	case s.as == saysTyped && c.payment != FillThenApprove && c.isCard(name):
		c.add(s.path, CardDataNotAllowed, "${%s} is card data; %s types none (a person pays in the open browser)", name, StopAtPayment)
	case s.as == saysCondition && c.picked[name]:
		c.add(s.path, PickVarInCondition, "${%s} is set by a pick; name what is visible instead: a pick that finds nothing already fails", name)
	}
}

func (c *checker) isCard(name string) bool {
	return c.card(name) || facts.CardNumber(c.out.Vars[name])
}

// ask notes a name that nothing supplies.
func (c *checker) ask(s saying, name string) {
	_, declared := c.out.Vars[name]
	if c.facts[name] || declared || c.saved[name] || c.asked[name] {
		return
	}
	c.asked[name] = true
	c.missing = append(c.missing, MissingName{Name: name, Step: s.step})
}

// words judges the text itself.
func (c *checker) words(s saying, refs []facts.Reference) {
	switch s.as {
	case saysAddress:
		c.address(s, refs)
	case saysTyped:
		c.literalCard(s)
	case saysAct:
		c.literalCard(s)
		c.bare(s, refs)
	case saysWanted, saysCondition:
		c.bare(s, refs)
	case saysGuard:
		c.bare(s, refs)
		c.guard(s)
	case saysName, saysSlot, saysInto:
		// A field's name is a label, not a sentence: "first_name" may well be
		// both the label and the fact.
	}
}

// address judges what browse loads. References are stood in for by a word; one
// at the very start may be the whole address, which the run checks again.
func (c *checker) address(s saying, refs []facts.Reference) {
	text := strings.TrimSpace(s.text)
	if len(refs) > 0 && strings.HasPrefix(text, "${") {
		return
	}
	plain := facts.Expand(text, func(string) (string, bool) { return "x", true })
	if _, ok := Address(plain); !ok {
		c.add(s.path, BadAddress, "%q is no web address; browse takes http, https or a bare host such as rail.example", excerpt(text))
	}
}

// literalCard refuses a card number written into the flow itself, whatever the
// payment mode: a flow is stored and shown, and a card may be neither.
func (c *checker) literalCard(s saying) {
	if holdsCardNumber(s.text) {
		c.add(s.path, CardDataNotAllowed, "this holds a card number; a card may only be given as a secret fact")
	}
}

// variables judges the flow's own values, which are stored with it.
func (c *checker) variables() {
	for name, value := range c.out.Vars {
		switch {
		case holdsCardNumber(value):
			c.add(keyed("vars", name), CardDataNotAllowed, "this holds a card number; a card may only be given as a secret fact")
		case c.secret[name] && strings.TrimSpace(value) != "":
			c.warn(keyed("vars", name), SecretInFlow, "%s is secret but stands in the flow, which is stored; give it as a secret fact", excerpt(name))
		}
	}
}

func (c *checker) guard(s saying) {
	switch safety.GuardOf(s.text) {
	case safety.Harmless:
		c.add(s.path, GuardDoesNotGuard, "%q names nothing that commits; name the act itself, such as \"paying for the ticket\" or \"sending the letter\"", excerpt(s.text))
	case safety.SignIn:
		c.warn(s.path, SignInGuard, "signing in is no act to guard: this step ends at once, and a login wall asks for a person anyway")
	case safety.Unsure:
		c.warn(s.path, UnsureGuard, "whether %q commits to anything is not known; name the act that cannot be taken back", excerpt(s.text))
	case safety.Guards, safety.NoGuard:
	}
}

// bare looks for the name of a variable written without ${}.
func (c *checker) bare(s saying, refs []facts.Reference) {
	said := map[string]bool{}
	at := 0
	for _, ref := range append(slices.Clone(refs), facts.Reference{Start: len(s.text)}) {
		for _, token := range identifiers(s.text[at:ref.Start]) {
			if c.names[strings.ToLower(token)] && !said[token] {
				said[token] = true
				c.add(s.path, BareIdentifier, "%s is the name of a variable; write ${%s}", token, c.spelling(token))
			}
		}
		at = ref.End
	}
}

// spelling is the name as it was declared.
func (c *checker) spelling(token string) string {
	for _, names := range []map[string]bool{c.facts, c.saved} {
		for name := range names {
			if strings.EqualFold(name, token) {
				return name
			}
		}
	}
	for name := range maps.Keys(c.out.Vars) {
		if strings.EqualFold(name, token) {
			return name
		}
	}
	return token
}

func (c *checker) warn(path, code, format string, args ...any) {
	w := walker{}
	w.add(path, code, format, args...)
	c.warnings = append(c.warnings, w.problems...)
}

func set(names []string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}

// apart takes a joined error apart.
func apart(err error) []error {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		return joined.Unwrap()
	}
	return []error{err}
}
