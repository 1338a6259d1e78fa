package rescuer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"countersign/controller/chat"
	"countersign/flows"
)

// answer is an answer as it was written: its steps are still to be checked.
type answer struct {
	Advice
	raw json.RawMessage // the list of steps
}

// decode reads the three fields and the steps of an answer strictly: a key
// spelled wrongly would silently mean its default.
func decode(object json.RawMessage) (answer, []string) {
	var w struct {
		Action Action          `json:"action"`
		Reason string          `json:"reason"`
		Steps  json.RawMessage `json:"steps"`
		Covers int             `json:"covers"`
	}
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return answer{}, []string{wrong.Field + " must not be " + wrong.Value}
		}
		return answer{}, []string{strings.TrimPrefix(err.Error(), "json: ") + "; the keys are action, reason, steps and covers"}
	}
	reason := strings.Join(strings.Fields(w.Reason), " ")
	a := answer{Advice: Advice{Action: w.Action, Reason: chat.Cut(reason, maxReason), Covers: w.Covers}, raw: w.Steps}
	if string(a.raw) == "null" {
		a.raw = nil
	}
	if reason == "" {
		return a, []string{"reason is missing: one sentence for a person"}
	}
	return a, nil
}

// judge is the table of tasks.md 9.4.
func judge(b Briefing, a answer) (answer, []string) {
	failed := b.Flow.Steps[b.Failed]
	left := len(b.Flow.Steps) - b.Failed - 1
	switch a.Action {
	case GiveUp:
		a.Covers, a.Steps = 0, nil
		return a, nil
	case Retry, Skip:
	default:
		return a, []string{fmt.Sprintf("action is retry, skip or give_up, not %.40q", a.Action)}
	}
	if a.Covers < 0 || a.Covers > left {
		return a, []string{fmt.Sprintf("covers is from 0 to %d: that many steps follow the failed one", left)}
	}
	if a.Action == Skip {
		return a, skips(b, a, failed, left)
	}
	wrong := b.check(&a, failed)
	if len(wrong) == 0 {
		a.Covers = cutDown(b, a.Steps, a.Covers)
	}
	return a, wrong
}

func skips(b Briefing, a answer, failed flows.Step, left int) []string {
	var wrong []string
	if a.raw != nil && string(a.raw) != "[]" {
		wrong = append(wrong, "a skip has no steps; to run some use retry")
	}
	if failed.HoldsGuard() {
		wrong = append(wrong, "the failed step holds a stop_before, which is never skipped")
	}
	if slices.ContainsFunc(b.Flow.Steps[b.Failed+1:b.Failed+1+a.Covers], flows.Step.HoldsGuard) {
		wrong = append(wrong, "covers "+flows.GuardDropped+": a covered step holds a stop_before, which is never skipped")
	}
	if a.Covers == left {
		wrong = append(wrong, "after this skip nothing would be left to run")
	}
	return wrong
}

// check judges the steps of a retry together with what follows them, and reads
// them.
func (b Briefing) check(a *answer, failed flows.Step) []string {
	var list []json.RawMessage
	if err := json.Unmarshal(a.raw, &list); err != nil {
		return []string{"steps is a list of 1 to 6 steps"}
	}
	if len(list) == 0 || len(list) > maxSteps {
		return []string{fmt.Sprintf("steps has 1 to %d steps, not %d", maxSteps, len(list))}
	}
	checked := flows.CheckReplacement(flows.Replacement{Flow: b.Flow, Failed: b.Failed, Steps: a.raw, Covers: a.Covers}, b.Names, b.Secrets, b.Card, b.Payment)
	var wrong []string
	for _, p := range checked.Errors {
		wrong = append(wrong, strings.TrimSpace(p.Path+" "+p.Code+": "+p.Message))
	}
	for _, m := range checked.Missing {
		wrong = append(wrong, fmt.Sprintf("step %s: the name ${%s} is new; use only the names listed", m.Step, m.Name))
	}
	if len(wrong) > 0 {
		return wrong
	}
	a.Steps = checked.Flow.Steps[:len(list)]
	if last := a.Steps[len(a.Steps)-1]; failed.HoldsGuard() && !flows.EndsInGuard(a.Steps) && !same(last, failed) {
		wrong = append(wrong, "the failed step holds a stop_before, so the steps must end in one, or in the failed step itself")
	}
	return append(wrong, b.foreign(a.Steps)...)
}

// foreign refuses texts that would be typed or looked for as they stand and are
// none: the stand-in for a value, or a secret written out.
func (b Briefing) foreign(steps []flows.Step) []string {
	var wrong []string
	see := func(text string) string {
		for _, name := range b.Names {
			if strings.Contains(text, "‹"+name+"›") {
				wrong = append(wrong, "write ${"+name+"} instead of ‹"+name+"›")
			}
		}
		if b.Mask(text) != text {
			wrong = append(wrong, "a step writes out the value of a secret; write ${name} with its name instead")
		}
		return text
	}
	for _, s := range steps {
		cleaned(s, see)
	}
	return wrong
}

// cutDown limits covers when the steps end in the failed one again: then only
// those following steps are dropped that the earlier steps do, counted from the
// failed step on.
func cutDown(b Briefing, steps []flows.Step, covers int) int {
	last := steps[len(steps)-1]
	if !same(last, b.Flow.Steps[b.Failed]) {
		return covers
	}
	earlier := steps[:len(steps)-1]
	for i, next := range b.Flow.Steps[b.Failed+1 : b.Failed+1+covers] {
		if !slices.ContainsFunc(earlier, func(s flows.Step) bool { return does(s, next) }) {
			return i
		}
	}
	return covers
}

// same reports whether two steps are one: equal, or plain steps whose words are.
func same(a, b flows.Step) bool {
	if a.Kind == flows.KindDo && b.Kind == flows.KindDo {
		return squash(a.Text) == squash(b.Text)
	}
	return reflect.DeepEqual(a, b)
}

// does reports whether a step does another: it is the same, or both enter the
// same field.
func does(a, other flows.Step) bool {
	if same(a, other) {
		return true
	}
	return slices.ContainsFunc(a.Slots, func(x flows.Slot) bool {
		return slices.ContainsFunc(other.Slots, func(y flows.Slot) bool { return squash(x.Name) == squash(y.Name) })
	})
}
