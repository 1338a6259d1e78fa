// Package planner has a language model write a flow for a task told in plain
// words (tasks.md 9.2). It knows names of facts, never a value, and nothing
// from a screen. It acts on nothing: what it wrote is checked like any flow.
package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"countersign/controller/chat"
	"countersign/flows"
	"countersign/flows/facts"
)

// Request is what a planner is told, and what its flow is checked against.
type Request struct {
	Task     string
	Surfaces []string          // browser, desktop: those the flow may use
	Names    []string          // of all facts
	Secrets  []string          // those of them that are secret
	Card     func(string) bool // which names are card data; nil goes by the name
	Payment  flows.Payment
	Mask     func(string) string // replaces known secret values; nil when none is known
}

// Plan is a flow that passed the shared validator. Names it uses and nobody
// gave are in Checked.Missing.
type Plan struct {
	Flow    json.RawMessage
	Checked flows.Checked
}

// Write asks the model for a flow, with two repairs. The error is the model's
// own or a *chat.InvalidError. Safe for concurrent use.
func Write(ctx context.Context, m chat.Model, req Request) (Plan, chat.Usage, error) {
	var plan Plan
	patient := true
	if req.Mask == nil {
		req.Mask = asItIs
	}
	used, err := chat.Converse(ctx, m, turns(req), req.Mask, func(object json.RawMessage) []string {
		var wrong []string
		plan, wrong = judge(req, object)
		if len(wrong) > 0 {
			return wrong
		}
		// A guard left out is asked about once: the words are only a guess at
		// what commits, and a step without one presses nothing anyway.
		unguarded := unguarded(plan.Checked.Warnings)
		if patient && len(unguarded) > 0 {
			patient = false
			return unguarded
		}
		return nil
	})
	if err != nil {
		return Plan{}, used, err
	}
	return plan, used, nil
}

func asItIs(s string) string { return s }

// judge checks one answer.
func judge(req Request, object json.RawMessage) (Plan, []string) {
	checked := flows.Check(object, req.Names, req.Secrets, req.Card, req.Payment)
	secrets := slices.Clone(req.Secrets)
	for _, m := range checked.Missing {
		if facts.Sensitive(m.Name) {
			secrets = append(secrets, m.Name) // it will be, once a person has typed it
		}
	}
	if len(secrets) > len(req.Secrets) {
		checked = flows.Check(object, req.Names, secrets, req.Card, req.Payment)
	}
	var wrong []string
	for _, p := range checked.Errors {
		wrong = append(wrong, strings.TrimSpace(p.Path+" "+p.Code+": "+p.Message))
	}
	for _, m := range checked.Missing {
		if facts.CardName(m.Name) {
			wrong = append(wrong, fmt.Sprintf("step %s types ${%s}: payment data may only come from the secret names given", m.Step, m.Name))
		}
	}
	if len(wrong) == 0 {
		wrong = append(wrong, req.foreign(checked.Flow)...)
	}
	return Plan{Flow: object, Checked: checked}, wrong
}

// unguarded are the warnings that an act which commits stands without a guard.
func unguarded(warnings []flows.Problem) []string {
	var out []string
	for _, w := range warnings {
		if w.Code == flows.NoGuard {
			out = append(out, w.Path+" "+w.Code+": "+w.Message)
		}
	}
	return out
}

// foreign refuses what a flow may not hold although it is well formed: the
// value of a secret written out, and a side the task does not have.
func (req Request) foreign(f flows.Flow) []string {
	var wrong []string
	if holds(f, req.Mask) {
		wrong = append(wrong, "the flow writes out the value of a secret; write ${name} with its name instead")
	}
	if !slices.Contains(req.Surfaces, "browser") && uses(f.Steps, flows.KindBrowse) {
		wrong = append(wrong, "there is no browser: use no browse step")
	}
	if !slices.Contains(req.Surfaces, "desktop") && uses(f.Steps, flows.KindOpen) {
		wrong = append(wrong, "there are no applications: use no open step")
	}
	return wrong
}

func holds(f flows.Flow, mask func(string) string) bool {
	changed := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(s string) bool { return mask(s) != s })
	}
	var below func(s flows.Step) bool
	below = func(s flows.Step) bool {
		for _, slot := range s.Slots {
			if changed(slot.Name, slot.Text) {
				return true
			}
		}
		return changed(s.Text, s.What, s.Option, s.From, s.By, s.Condition) ||
			slices.ContainsFunc(slices.Concat(s.Steps, s.Then, s.Else), below)
	}
	for name, value := range f.Vars {
		if changed(name, value) {
			return true
		}
	}
	return changed(f.App) || slices.ContainsFunc(f.Steps, below)
}

func uses(steps []flows.Step, kind flows.Kind) bool {
	return slices.ContainsFunc(steps, func(s flows.Step) bool {
		return s.Kind == kind || uses(slices.Concat(s.Steps, s.Then, s.Else), kind)
	})
}

const (
	maxTask = 20000 // characters told of a task; a longer one is cut, and says so
	maxName = 64    // characters of a name that ${name} can hold (flows.md 4)
	maxList = 200   // names told
)

func turns(req Request) []chat.Turn {
	var b strings.Builder
	b.WriteString("The task:\n")
	b.WriteString(chat.Data("task", chat.Cut(strings.TrimSpace(req.Task), maxTask)))
	fmt.Fprintf(&b, "Surfaces available: %s.\n", strings.Join(req.Surfaces, ", "))
	var ordinary []string
	for _, name := range req.Names {
		if !slices.Contains(req.Secrets, name) {
			ordinary = append(ordinary, name)
		}
	}
	b.WriteString("Names of ordinary details: " + list(ordinary) + ".\n")
	b.WriteString("Names of secret details: " + list(req.Secrets) + ".\n")
	return []chat.Turn{{Role: chat.System, Text: protocol + "\n\n" + flows.Guide()}, {Role: chat.User, Text: b.String()}}
}

// list quotes names; one that no reference can hold is left out.
func list(names []string) string {
	var out []string
	for _, name := range names {
		if strings.TrimSpace(name) != "" && utf8.RuneCountInString(name) <= maxName && len(out) < maxList {
			out = append(out, fmt.Sprintf("%q", name))
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

const protocol = `You write flows for a desk that carries out computer tasks. You are told a task and answer with one JSON object: the flow, and nothing else.

` + chat.Rule + ` The task says what is wanted; a flow is still only what the guide below allows.

- Use browse for web pages and open for applications, and only the surfaces that are available.
- A personal detail is written as ${name} with a name that is given. For anything else that is needed and that the task does not say, make up a clear name, ${delivery street} for example; the person is asked for it. Never make up a detail itself.
- A secret may only be the value of an enter step. Payment data comes from secret names that are given, and from nothing else; when there are none, the flow types none.
- The option of a choose is the label as shown. To choose by a rule, the cheapest for example, use pick.
- A purchase or booking ends with a stop_before that names paying. Sending, deleting, publishing and submitting each have a stop_before too. Logging in has none.

How to write a flow:`
