package flows

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"countersign/flows/safety"
)

// EndsInGuard reports whether steps end in front of a guard whatever happens:
// the last is a stop_before, or an if whose two branches both end in one. A
// repeat_until never counts, for its body may run zero times; neither does a
// guard about signing in alone, for it gates nothing.
func EndsInGuard(steps []Step) bool {
	if len(steps) == 0 {
		return false
	}
	last := steps[len(steps)-1]
	if last.Kind == KindIf {
		return EndsInGuard(last.Then) && EndsInGuard(last.Else)
	}
	return last.Kind == KindStopBefore && !safety.SignInOnly(last.Text)
}

// HoldsGuard reports whether a step is a guard or holds one at any depth.
func (s Step) HoldsGuard() bool {
	return s.Kind == KindStopBefore || slices.ContainsFunc(slices.Concat(s.Steps, s.Then, s.Else), Step.HoldsGuard)
}

// Replacement is what stands in for a failed top-level step of a flow.
type Replacement struct {
	Flow   Flow            // as it was running
	Failed int             // index of the failed step, from 0
	Steps  json.RawMessage // a list of steps as written
	Covers int             // how many steps after the failed one need no run of their own
}

// CheckReplacement checks replacement steps together with the untouched rest of
// their flow (flows.md 3.3, tasks.md 9.4). Beside the errors of Check:
// NO_GUARD_AT_END when the failed step is a guard and the steps do not end in
// one, GUARD_DROPPED when a covered step holds a guard. The result's Flow is
// what would run. A name in Missing is a new one, which the rescuer may not
// invent; that, and how many steps it may write, is the caller's to judge.
func CheckReplacement(r Replacement, known []string, secrets []string, card func(name string) bool, payment Payment) Checked {
	steps, problems := decodeSteps(r.Steps, true)
	rest := r.Failed + 1 + r.Covers
	switch {
	case len(problems) > 0:
		return Checked{Errors: problems}
	case r.Failed < 0 || r.Failed >= len(r.Flow.Steps) || r.Covers < 0 || rest > len(r.Flow.Steps):
		return Checked{Errors: []Problem{{Code: WrongType, Message: "covers goes past the end of the flow"}}}
	}
	combined := Flow{App: r.Flow.App, Vars: declared(r.Flow), Steps: slices.Concat(steps, r.Flow.Steps[rest:])}
	raw, err := json.Marshal(combined)
	if err != nil {
		return Checked{Errors: []Problem{{Code: WrongType, Message: err.Error()}}}
	}
	checked := Check(raw, known, secrets, card, payment)
	checked.Flow.Vars = r.Flow.Vars
	failed := r.Flow.Steps[r.Failed]
	repeated := len(steps) > 0 && reflect.DeepEqual(steps[len(steps)-1], failed) // a guard about signing in gates nothing, and may be tried again
	if failed.Kind == KindStopBefore && !EndsInGuard(steps) && !repeated {
		checked.Errors = append(checked.Errors, Problem{
			Path: "steps", Code: NoGuardAtEnd,
			Message: "the failed step is a guard, so its replacement must end in one: a stop_before, or an if with one at the end of both branches",
		})
	}
	if slices.ContainsFunc(r.Flow.Steps[r.Failed+1:rest], Step.HoldsGuard) {
		checked.Errors = append(checked.Errors, Problem{Path: "covers", Code: GuardDropped, Message: "a covered step holds a guard; a guard is never skipped"})
	}
	return checked
}

// declared are a flow's variables, with the names its steps save: an earlier
// step that is not run again may have set them.
func declared(f Flow) map[string]string {
	vars := maps.Clone(f.Vars)
	if vars == nil {
		vars = map[string]string{}
	}
	var note func(steps []Step)
	note = func(steps []Step) {
		for _, s := range steps {
			if _, ok := vars[s.Into]; !ok && s.Into != "" {
				vars[s.Into] = ""
			}
			note(s.Steps)
			note(s.Then)
			note(s.Else)
		}
	}
	note(f.Steps)
	return vars
}
