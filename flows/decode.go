package flows

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Decode reads a flow from raw JSON. Bad input is never a decode failure: every
// problem of its shape comes back with its path, and the flow holds what could
// be read (a step that could not is left with no Kind). Whether a readable flow
// may run is Check's to say.
func Decode(raw []byte) (Flow, []Problem) {
	w := &walker{}
	w.flow(raw)
	sortProblems(w.problems)
	return w.out, w.problems
}

// walker goes through the JSON of a flow once. It collects the flow, the
// problems of its shape, and every text with the place it stands in.
type walker struct {
	out      Flow
	problems []Problem
	said     []saying
	steps    int // seen so far, nested ones included
}

// standing says what a text is for, and so who reads it and what may stand in
// it.
type standing int

const (
	saysName      standing = iota // app, open: an application's name
	saysAddress                   // browse
	saysAct                       // do
	saysWanted                    // what, option, from, by: read by the decider
	saysCondition                 // verify, wait_for, and the condition of if and repeat_until
	saysGuard                     // stop_before
	saysSlot                      // an enter slot's name
	saysTyped                     // what an enter slot types
	saysInto                      // the variable a value is saved as
)

// saying is one text of a flow: in steps[2].enter["phone"], of step 3.
type saying struct {
	path string
	step string // number of the step as reports write it: "3", "4.1"; empty for the app
	kind Kind
	as   standing
	part string // field of the step, for kinds that have several
	text string
}

func (w *walker) add(path, code, format string, args ...any) {
	w.problems = append(w.problems, Problem{Path: path, Code: code, Message: fmt.Sprintf(format, args...)})
}

func (w *walker) flow(raw []byte) {
	if len(raw) > MaxFlowBytes {
		w.add("", TooLarge, "a flow is at most %d KiB of JSON; this one has %d", MaxFlowBytes>>10, len(raw)>>10)
		return
	}
	root, err := parseTree(raw)
	switch {
	case errors.Is(err, errTooNested):
		w.add("", TooDeep, "the JSON is nested more than %d levels deep", maxJSONDepth)
		return
	case err != nil:
		w.add("", NotJSON, "this is not JSON: %v", err)
		return
	case root.sort != jsonObject:
		w.add("", WrongType, "a flow is an object with app and steps, not %s", root.sort)
		return
	}
	fields := w.fields("", root, []string{"app", "steps"}, []string{"vars"})
	if t, ok := fields["app"]; ok {
		w.out.App = w.text("app", t)
		w.say(saying{path: "app", as: saysName, text: w.out.App})
	}
	if t, ok := fields["vars"]; ok {
		w.vars(t)
	}
	if t, ok := fields["steps"]; ok {
		if t.sort == jsonArray && len(t.items) == 0 {
			w.add("steps", EmptyFlow, "a flow needs at least one step")
		}
		w.out.Steps = w.list("steps", "", 0, t)
	}
	if w.steps > MaxSteps {
		w.add("steps", TooManySteps, "a flow has at most %d steps, nested ones included; this one has %d", MaxSteps, w.steps)
	}
}

func (w *walker) vars(t jsonTree) {
	if t.sort != jsonObject {
		w.add("vars", WrongType, "vars is an object of names and texts, not %s", t.sort)
		return
	}
	w.out.Vars = make(map[string]string, len(t.items))
	for i, name := range t.keys {
		if item := t.items[i]; item.sort != jsonString {
			w.add(keyed("vars", name), WrongType, "the value of a variable is a string, not %s", item.sort)
			continue
		}
		if _, twice := w.out.Vars[name]; twice {
			w.add(keyed("vars", name), UnknownField, "this variable is given twice")
		}
		w.out.Vars[name] = t.items[i].text
	}
}

// list reads the steps at path; number is the number of the step they stand in,
// nesting how many if and repeat_until stand around them.
func (w *walker) list(path, number string, nesting int, t jsonTree) []Step {
	switch {
	case t.sort != jsonArray:
		w.add(path, WrongType, "steps are a list, not %s", t.sort)
		return nil
	case nesting > MaxNesting && len(t.items) > 0:
		w.add(path, TooDeep, "steps nest at most %d deep", MaxNesting)
		w.steps += countSteps(t)
		return nil
	case len(t.items) == 0:
		return nil
	}
	steps := make([]Step, 0, min(len(t.items), MaxSteps))
	for i, item := range t.items {
		w.steps++
		if w.steps > MaxSteps { // refused as a whole: only count on
			w.steps += countNested(item)
			continue
		}
		at := strconv.Itoa(i + 1)
		if number != "" {
			at = number + "." + at
		}
		steps = append(steps, w.step(fmt.Sprintf("%s[%d]", path, i), at, nesting, item))
	}
	return steps
}

func (w *walker) step(path, number string, nesting int, t jsonTree) Step {
	if t.sort == jsonString {
		s := Step{Kind: KindDo, Text: w.text(path, t)}
		w.say(saying{path: path, step: number, kind: KindDo, as: saysAct, text: s.Text})
		return s
	}
	if t.sort != jsonObject {
		w.add(path, WrongType, "a step is a string or an object, not %s", t.sort)
		return Step{}
	}
	if len(t.keys) != 1 {
		w.add(path, StepNotOneKey, "a step has exactly one key, its kind; this one has %s", keyCount(t.keys))
		return Step{}
	}
	kind := Kind(t.keys[0])
	if !slices.Contains(Kinds(), kind) {
		w.add(path, UnknownStepKind, "%q is no kind of step%s; the kinds are %s", excerpt(t.keys[0]), meant(t.keys[0], kindNames()), strings.Join(kindNames(), ", "))
		return Step{}
	}
	s := stepAt{walker: w, path: path + "." + string(kind), number: number, nesting: nesting, kind: kind}
	return s.read(t.items[0])
}

// fields gives the items of an object by key, and complains about keys that are
// missing, unknown or given twice. A null is as good as absent.
func (w *walker) fields(path string, t jsonTree, required, optional []string) map[string]jsonTree {
	got := make(map[string]jsonTree, len(t.items))
	known := slices.Concat(required, optional)
	for i, key := range t.keys {
		at := joined(path, key)
		switch _, twice := got[key]; {
		case !slices.Contains(known, key):
			w.add(at, UnknownField, "%q is no field here%s; the fields are %s", excerpt(key), meant(key, known), strings.Join(known, ", "))
		case twice:
			w.add(at, UnknownField, "%s is given twice", key)
		case t.items[i].sort != jsonNull:
			got[key] = t.items[i]
		}
	}
	for _, key := range required {
		if _, ok := got[key]; !ok {
			w.add(joined(path, key), MissingField, "%s is missing", key)
		}
	}
	return got
}

// text reads a string that must say something.
func (w *walker) text(path string, t jsonTree) string {
	switch {
	case t.sort != jsonString:
		w.add(path, WrongType, "this is a string, not %s", t.sort)
	case strings.TrimSpace(t.text) == "":
		w.add(path, EmptyStep, "this must not be blank")
	}
	return t.text
}

func (w *walker) say(s saying) {
	if strings.TrimSpace(s.text) != "" {
		w.said = append(w.said, s)
	}
}

var intoName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// keyed names a member by a key a person chose: vars["travel date"].
func keyed(path, key string) string { return path + "[" + strconv.Quote(excerpt(key)) + "]" }

func joined(path, key string) string {
	key = excerpt(key)
	if path == "" {
		return key
	}
	return path + "." + key
}

func meant(word string, offered []string) string {
	if near := nearest(word, offered); near != "" {
		return fmt.Sprintf(" (did you mean %s?)", near)
	}
	return ""
}

func keyCount(keys []string) string {
	if len(keys) == 0 {
		return "none"
	}
	shown := make([]string, 0, 4)
	for _, k := range keys[:min(len(keys), 4)] {
		shown = append(shown, excerpt(k))
	}
	if len(keys) > 4 {
		shown = append(shown, "…")
	}
	return strconv.Itoa(len(keys)) + ": " + strings.Join(shown, ", ")
}

func kindNames() []string {
	kinds := Kinds()
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k)
	}
	return out
}

// countSteps counts a list of steps and those nested in it.
func countSteps(t jsonTree) int {
	if t.sort != jsonArray {
		return 0
	}
	n := len(t.items)
	for _, item := range t.items {
		n += countNested(item)
	}
	return n
}

func countNested(step jsonTree) int {
	if step.sort != jsonObject || len(step.keys) != 1 || step.items[0].sort != jsonObject {
		return 0
	}
	n, body := 0, step.items[0]
	for i, key := range body.keys {
		if key == "steps" || key == "then" || key == "else" {
			n += countSteps(body.items[i])
		}
	}
	return n
}
