package controller

import (
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

// Defaults and limits of tasks.md section 6.
const (
	defaultActions    = 120
	defaultModelCalls = 6000
	defaultVotes      = 7
	defaultRescues    = 5

	runActions    = 120 // most a single run ever gets
	runModelCalls = 10000
	mostVotes     = 9
	mostRescues   = 5
)

func orDefault(v *int, otherwise int) int {
	if v == nil {
		return otherwise
	}
	return *v
}

func votes(b task.Budget) int { return min(max(orDefault(b.Votes, defaultVotes), 1), mostVotes) }

func rescues(b task.Budget) int {
	return min(max(orDefault(b.MaxRescues, defaultRescues), 0), mostRescues)
}

func strategy(b task.Budget) string {
	if b.Strategy == "" {
		return "narrow"
	}
	return b.Strategy
}

func deliberation(b task.Budget) string {
	if b.Deliberation == "" {
		return "deep"
	}
	return b.Deliberation
}

// left is what a view shows of each budget.
func left(b task.Budget, s task.Spent, rescued int) task.Left {
	pair := func(limit, used int) *[2]int { return &[2]int{max(limit-used, 0), limit} }
	l := task.Left{
		Actions:    pair(orDefault(b.MaxActions, defaultActions), s.Actions),
		ModelCalls: pair(orDefault(b.MaxModelCalls, defaultModelCalls), s.ModelCalls),
		Rescues:    pair(rescues(b), rescued),
	}
	if b.MaxElapsedMS != nil {
		l.ElapsedMS = &[2]int64{max(*b.MaxElapsedMS-s.ElapsedMS, 0), *b.MaxElapsedMS}
	}
	return l
}

// runLimit is what one run gets of what is left; the runtime reads 0 as its
// own default, so nothing left is -1.
func runLimit(limit, used, most int) int {
	if limit-used <= 0 {
		return -1
	}
	return min(limit-used, most)
}

// spent is the ledger up to now: what ended runs used, and what the present
// one has reported so far, so that a crash charges it.
func (t *cell) spent() task.Spent {
	if t.run == nil {
		s := t.rec.Spent
		s.ElapsedMS += t.thought.charge()
		return s
	}
	s := t.run.before
	s.Actions += t.run.actions
	s.ModelCalls += t.run.calls
	s.ElapsedMS += time.Since(t.run.started).Milliseconds()
	return s
}

// timeLeft is the working time a run may take; false when there is no limit.
func (t *cell) timeLeft() (time.Duration, bool) {
	limit := t.rec.Request.Budget.MaxElapsedMS
	if limit == nil {
		return 0, false
	}
	return time.Duration(max(*limit-t.rec.Spent.ElapsedMS, 0)) * time.Millisecond, true
}

// count adds what a step that has ended used. A step with nested ones repeats
// what they report, so only the others count.
func (r *run) count(rep flows.StepReport) {
	if rep.Kind == flows.KindIf || rep.Kind == flows.KindRepeatUntil {
		return
	}
	r.actions += len(rep.Actions)
	r.calls += rep.DeciderCalls
}

// outOf is the failure of a budget used up.
func outOf(what string, limit int64, field string) (reason, hint string) {
	return "all " + plural(limit, what) + " are used", "Raise budget." + field + " or split the task."
}

// checkBudget refuses numbers below zero and words outside the lists.
func checkBudget(b task.Budget) error {
	for name, v := range map[string]*int{"max_actions": b.MaxActions, "max_model_calls": b.MaxModelCalls, "votes": b.Votes, "max_rescues": b.MaxRescues} {
		if v != nil && *v < 0 {
			return fault.Newf(fault.InvalidRequest, "budget.%s is negative", name)
		}
	}
	if b.MaxElapsedMS != nil && *b.MaxElapsedMS < 0 {
		return fault.New(fault.InvalidRequest, "budget.max_elapsed_ms is negative")
	}
	switch b.Strategy {
	case "", "narrow", "wide":
	default:
		return fault.New(fault.InvalidRequest, "budget.strategy is narrow or wide")
	}
	switch b.Deliberation {
	case "", "off", "standard", "deep":
		return nil
	default:
		return fault.New(fault.InvalidRequest, "budget.deliberation is off, standard or deep")
	}
}
