package controller

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/facts"
	"countersign/surfaces/fault"
)

// fieldsOf turns the names a flow uses and nobody gave into questions, in
// order of first use.
func fieldsOf(missing []flows.MissingName) []task.Field {
	fields := make([]task.Field, len(missing))
	for i, m := range missing {
		fields[i] = field(m.Name, "step "+stepNumber(m.Step)+" needs ${"+m.Name+"}, which was not supplied")
	}
	return fields
}

func field(name, why string) task.Field {
	return task.Field{Name: name, Why: why, Kind: facts.KindOf(name), Options: []string{}}
}

// stepNumber makes 2 of steps[1].enter: a person counts from one.
func stepNumber(path string) string {
	rest, ok := strings.CutPrefix(path, "steps[")
	if !ok {
		return path
	}
	digits, _, _ := strings.Cut(rest, "]")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return path
	}
	return strconv.Itoa(n + 1)
}

// askInputs pauses for values.
func (t *cell) askInputs(d *draft, fields []task.Field) {
	when := "before starting"
	if d.rec.Resume != nil {
		when = "before going on"
	}
	d.become(task.Status{State: task.NeedsInput, Fields: fields},
		"Waiting for "+plural(int64(len(fields)), "value")+" "+when+".")
	t.ask(d, nil, nil)
}

// answerInputs merges the values and asks again, fails, or goes on. It runs on
// the cell's goroutine.
func (t *cell) answerInputs(req task.ContinueRequest) error {
	given := map[string]string{}
	for name, v := range req.Inputs {
		if strings.TrimSpace(v) != "" {
			given[name] = v
		}
	}
	if len(given) == 0 {
		return nil // the same question again
	}
	before := t.facts
	t.facts = t.facts.Merge(given, t.secretAmong(given, req.Secret)...)
	d := t.draft()
	d.rec.Request.Facts = t.facts.SharedValues()
	secrets := slices.Concat(d.rec.Request.SecretFacts, t.facts.SecretNames())
	slices.Sort(secrets)
	d.rec.Request.SecretFacts = slices.Compact(secrets)
	t.answered(d, task.DecisionApproved, "inputs", "", req)
	t.resumed(d)

	next, err := t.afterInputs(d)
	if err != nil {
		t.facts = before
		return err
	}
	next()
	return nil
}

// afterInputs commits what the values lead to; the function goes on from
// there.
func (t *cell) afterInputs(d *draft) (func(), error) {
	stay := func() {}
	checked := checkFlow(t.rec.Flow, t.facts, t.rec.Request.Constraints.Payment)
	lost := t.lostSecrets()
	switch {
	case len(checked.Errors) > 0:
		bad := invalidFlow(checked.Errors)
		t.fail(d, 0, bad.Error(), bad.Hint, false)
		return t.release, t.commit(d)
	case len(checked.Missing) > 0 && d.rec.Resume == nil:
		t.askInputs(d, fieldsOf(checked.Missing))
		return stay, t.commit(d)
	case len(lost) > 0:
		t.askInputs(d, lost)
		return stay, t.commit(d)
	case d.rec.Resume != nil && d.rec.Resume.Kind == task.ResumeApproval:
		t.askApproval(d, d.rec.Resume)
		return stay, t.commit(d)
	}
	from := at(1)
	if d.rec.Resume != nil {
		from = spotOf(d.rec.Resume)
	}
	d.rec.Resume = goingOn(d.rec.Resume)
	d.become(task.Status{State: task.Running}, "Starting.")
	return func() { t.advance(from) }, t.commit(d)
}

// secretAmong names those given values that the request or the person said are
// secret: a name stays secret however its value comes.
func (t *cell) secretAmong(given map[string]string, marked []string) []string {
	return slices.DeleteFunc(slices.Concat(t.rec.Request.SecretFacts, marked), func(name string) bool { return given[name] == "" })
}

// unknownSecrets names the task's secrets whose values are not known now.
func (t *cell) unknownSecrets() []string {
	return slices.DeleteFunc(slices.Clone(t.rec.Request.SecretFacts), t.facts.Has)
}

// lostSecrets are values a restart forgot and the flow types somewhere. They
// are asked for before a run goes on, since until then its page can be masked by
// place only; a press that was signed needs none.
func (t *cell) lostSecrets() []task.Field {
	var fields []task.Field
	for _, name := range t.unknownSecrets() {
		step := firstUse(t.flow.Steps, name)
		for _, r := range t.rec.Rescues { // what a rescue typed is on the page as well
			var steps []flows.Step
			if step == 0 && json.Unmarshal(r.Steps, &steps) == nil && firstUse(steps, name) > 0 {
				step = r.Step
			}
		}
		if step > 0 {
			fields = append(fields, field(name, "step "+strconv.Itoa(step)+" types ${"+name+"}, and secret values are not kept over a restart"))
		}
	}
	return fields
}

// firstUse is the top-level step that types a name; 0 when none does.
func firstUse(steps []flows.Step, name string) int {
	for i, s := range steps {
		if uses(s, name) {
			return i + 1
		}
	}
	return 0
}

func uses(s flows.Step, name string) bool {
	for _, slot := range s.Slots {
		refs, err := facts.References(slot.Text)
		if err == nil && slices.ContainsFunc(refs, func(r facts.Reference) bool { return r.Name == name }) {
			return true
		}
	}
	inside := func(n flows.Step) bool { return uses(n, name) }
	return slices.ContainsFunc(s.Steps, inside) || slices.ContainsFunc(s.Then, inside) || slices.ContainsFunc(s.Else, inside)
}

// fail ends the task; step 0 blames none.
func (t *cell) fail(d *draft, step int, reason, hint string, recoverable bool) {
	if hint == "" {
		hint = fault.Internal.Hint()
	}
	d.at(t.current(step))
	d.become(task.Status{State: task.Failed, Step: step, Reason: reason, Hint: hint, Recoverable: recoverable}, "Stopped: "+strings.TrimSuffix(reason, ".")+".")
}
