package flows

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"countersign/flows/decider"
	"countersign/flows/facts"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// run is the state of one run. Only the goroutine of Run touches it.
type run struct {
	place   surfaces.Surface
	decider decider.Decider
	req     Request

	facts    *facts.Set        // every value with a name, for expanding and masking
	declared map[string]string // names that may be blank: flow variables, collected values
	saved    map[string]string // written by this run's own steps
	order    []string          // names of saved, oldest first

	at       int // index of the top-level step
	app      string
	launched bool
	guards   []string // the flow's own guard phrases, expanded
	hints    []Hint   // Request.Memory and what this run learned
	history  []string
	pageKind string

	screen     *surfaces.Screen // the last readable look
	unreadable int              // looks in a row
	ownDialog  bool             // a dialog our own press opened is in front (7.5)
	searched   bool             // the last action typed into a search box
	awaiting   *ActionNote      // the action whose change the next look tells

	actionsLeft int
	callsLeft   int
	late        []*election // decided, with framings still running
	permitted   bool        // the approval, or the payment approval, is still unspent

	reports []*StepReport
	result  Result
}

// step is the state of one step while it runs.
type step struct {
	*run
	path   string
	def    Step
	report *StepReport

	started    time.Time
	began      *surfaces.Screen // its first look
	from       int              // lines of history before it
	told       bool             // its report has ended before its children began
	dismissals int
	undos      int
	answered   bool // the dialog the task opened was asked about

	last     *decider.LastAction
	chosen   []*decider.LastAction // the presses of activate's own choice
	typed    map[string]string     // by place: what a box was filled with
	readFrom string                // place of the field whose text is typed into another
	banned   map[string]bool       // by place: pressing it changed nothing, or it was undone
	presses  map[string]int        // by place or key
	noKinds  map[string]bool       // roles that turned out to take no text
	belief   float64               // in the control grounded last
	because  string                // by what it was found, until it is acted on
	frontier []*surfaces.Candidate // the runners-up where nothing settled it

	covers []string // what lay over refused targets, for the failing note
	file   string   // what the last act began to download
	files  []string // what the step's acts began to download, for its note
}

// ended is why a run stops inside a step. It travels as an error from where it
// happened to Run.
type ended struct {
	stop       Stop
	path       string // innermost step, set where it ends
	code       fault.Code
	note       string
	hint       string    // the fault's own; empty for a judgement
	evidence   *Evidence // gated or refused
	refusedFor string
	differs    []Difference
}

func (e *ended) Error() string { return e.note }

// failed ends the step with a sentence.
func failed(format string, args ...any) error {
	return &ended{stop: StepFailed, note: fmt.Sprintf(format, args...)}
}

// failedWith ends the step with the code and the first line of an error.
func failedWith(err error) error {
	f := fault.Of(err)
	return &ended{stop: StepFailed, code: f.Code, note: codeNote(f.Code, f.Message), hint: f.Hint}
}

// codeNote is "CODE: first line", the message cut to 200 characters.
func codeNote(code fault.Code, message string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	return string(code) + ": " + cut(line, mostNoteMessage)
}

// cut shortens text to at most n characters.
func cut(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n])
}

// squash trims text and collapses its white space.
func squash(text string) string { return strings.Join(strings.Fields(text), " ") }

func newRun(place surfaces.Surface, d decider.Decider, req Request) *run {
	r := &run{place: place, decider: d, req: req, saved: map[string]string{}, declared: map[string]string{}}
	low := map[string]string{}
	for _, values := range []map[string]string{req.Flow.Vars, req.Collected} {
		for name, value := range values {
			r.declared[name] = value
			if !req.Facts.Has(name) {
				low[name] = value
			}
		}
	}
	r.facts = req.Facts.Merge(low)
	r.req.IncludeValues = req.IncludeValues && !r.blind()
	r.hints = append(r.hints, req.Memory...)
	r.actionsLeft = limit(req.MaxActions, defaultActions, capActions)
	r.callsLeft = limit(req.MaxModelCalls, defaultCalls, capCalls)
	r.permitted = req.Approved != nil || req.PaymentApproved
	r.ownDialog = req.DialogLeftOpen
	r.app, _ = r.words(req.Flow.App)
	for _, phrase := range guardPhrases(req.Flow.Steps) {
		said, _ := r.words(phrase)
		r.guards = append(r.guards, said)
	}
	return r
}

// limit clamps a wish: zero is the default, less is none, more is the cap.
func limit(wish, byDefault, highest int) int {
	switch {
	case wish < 0:
		return 0
	case wish == 0:
		return byDefault
	}
	return min(wish, highest)
}

// guardPhrases lists the words of every guard at any depth.
func guardPhrases(steps []Step) []string {
	var phrases []string
	for _, s := range steps {
		if s.Kind == KindStopBefore {
			phrases = append(phrases, s.Text)
		}
		for _, inner := range [][]Step{s.Steps, s.Then, s.Else} {
			phrases = append(phrases, guardPhrases(inner)...)
		}
	}
	return phrases
}

// shared gives the value a name expands to outside typed text: never a
// secret's. The run's own saved values win, then what the caller gave.
func (r *run) shared(name string) (string, bool) {
	if v, ok := r.saved[name]; ok {
		return v, true
	}
	if r.facts.IsSecret(name) {
		return "", false
	}
	if v, ok := r.facts.Shared(name); ok {
		return v, true
	}
	v, ok := r.declared[name]
	return v, ok
}

// words expands shared values in a step's text. A secret stays ${name}; a name
// nothing supplies is an error that names it. The text is for acting on: it is
// masked where it leaves the run, not here, for a port may hold the digits of a
// code.
func (r *run) words(text string) (string, error) {
	refs, err := facts.References(text)
	if err != nil {
		return text, failed("%q holds a broken reference", r.mask(text))
	}
	for _, ref := range refs {
		if _, ok := r.shared(ref.Name); !ok && !r.facts.IsSecret(ref.Name) {
			return text, failed("it needs ${%s}, which was not supplied", ref.Name)
		}
	}
	return facts.Expand(text, r.shared), nil
}

// mask removes every secret value from text that leaves the run; while one is
// not known, everything that could be a card's.
func (r *run) mask(text string) string {
	text = r.facts.Mask(text)
	if r.blind() {
		text = facts.HideCards(text)
	}
	return text
}

// blind reports whether a secret of the task is not known now, so that its value
// cannot be told from any other text (tasks.md 10.9).
func (r *run) blind() bool { return len(r.req.Unknown) > 0 }

// held masks what a field of a screen holds. While a secret is not known, a field
// it stood in before reads as it did then, whatever it holds; so does a password,
// which no side reads.
func (r *run) held(screen *surfaces.Screen, c *surfaces.Candidate, label, value string) string {
	if blank := strings.TrimSpace(value) == ""; r.blind() && !blank || blank && c.InputType == "password" {
		place := surfaces.FieldOf(screen, c)
		for _, f := range slices.Concat(r.req.SecretFields, r.result.SecretFields) {
			if f.Equal(place) {
				return cmp.Or(f.Shows, withheld)
			}
		}
	}
	return r.maskField(label, value)
}

// withheld stands for a value that is secret and no fact's.
const withheld = "${secret}"

// noteSecret keeps where a secret stands and how that reads masked, never what: a
// page may repeat it in the field's own name.
func (r *run) noteSecret(screen *surfaces.Screen, c *surfaces.Candidate, text string) {
	place := surfaces.FieldOf(screen, c)
	told := append([]string{place.Name}, place.Path...)
	if slices.ContainsFunc(told, func(text string) bool { return r.mask(text) != text }) {
		return
	}
	if place.Shows = r.mask(text); !strings.Contains(place.Shows, "${") {
		place.Shows = ""
	}
	known := &r.result.SecretFields
	if i := slices.IndexFunc(*known, place.Equal); i >= 0 {
		(*known)[i] = place
		return
	}
	*known = append(*known, place)
}

// maskField masks what a field holds. A value that is secret by the field's name
// or by its form is withheld although no fact holds it: after a restart a page
// may still hold what was typed, or what was given again may differ from it.
func (r *run) maskField(label, value string) string {
	masked := r.mask(value)
	if masked != value || strings.TrimSpace(value) == "" || !facts.Sensitive(label) && !facts.CardNumber(value) {
		return masked
	}
	for _, shared := range r.facts.SharedValues() {
		if shared == value {
			return value
		}
	}
	return withheld
}

// maskAddress masks a web address, where a value may stand escaped: in a part of
// the path, or as the value of a query's name. What holds none stays as it is.
func (r *run) maskAddress(address string) string {
	path, query, asked := strings.Cut(address, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil && r.mask(plain) != plain {
			parts[i] = r.mask(plain)
		}
	}
	out := r.mask(strings.Join(parts, "/"))
	if !asked {
		return out
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(value)
		if err != nil {
			plain = value
		}
		if masked := r.maskField(name, plain); masked != plain {
			pairs[i] = r.mask(name) + "=" + masked
		}
	}
	return out + "?" + r.mask(strings.Join(pairs, "&"))
}

// save keeps a value a step wrote. Page text that is secret by its name or its
// form joins the secrets instead of the visible values.
func (r *run) save(name, value string) {
	if facts.Sensitive(name) || facts.CardNumber(value) {
		r.facts = r.facts.Merge(map[string]string{name: value}, name)
		return
	}
	if _, again := r.saved[name]; !again {
		r.order = append(r.order, name)
	}
	r.saved[name] = value
}

// note adds a line to the history the decider is shown.
func (r *run) note(format string, args ...any) {
	r.history = append(r.history, fmt.Sprintf(format, args...))
}

// sure lowers the step's confidence to a decision's.
func (s *step) sure(p float64) {
	s.report.Confidence = min(s.report.Confidence, p)
}

// loop records that a loop of section 13.9 contributed to the step.
func (s *step) loop(name string) {
	for _, have := range s.report.Loops {
		if have == name {
			return
		}
	}
	s.report.Loops = append(s.report.Loops, name)
}

// sideOf says which side an app's name goes to (surfaces.md section 6).
func sideOf(app string) surfaces.Side {
	name := strings.ToLower(strings.TrimSpace(app))
	if name == string(surfaces.Browser) {
		return surfaces.Browser
	}
	for _, prefix := range []string{"browser:", "http://", "https://"} {
		if strings.HasPrefix(name, prefix) {
			return surfaces.Browser
		}
	}
	return surfaces.Desktop
}
