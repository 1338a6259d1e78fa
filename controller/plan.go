package controller

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"countersign/controller/chat"
	"countersign/controller/planner"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/facts"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

const maxWhy = 400 // characters of a model's failure in a reason or a hint

// PlanTask implements Operations. It ends with ctx or with the controller.
func (c *Controller) PlanTask(ctx context.Context, req task.PlanRequest) (task.Plan, error) {
	ask, err := c.planRequest(req)
	if err != nil {
		return task.Plan{}, err
	}
	if c.opts.Planner == nil {
		return task.Plan{}, fault.New(fault.PlannerNotConfigured, "no planner is configured")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.life, cancel)()
	plan, _, err := planner.Write(ctx, c.opts.Planner, ask)
	if err != nil {
		return task.Plan{}, planFailed(err)
	}
	out := task.Plan{Flow: plan.Flow, Questions: fieldsOf(plan.Checked.Missing), Notes: notes(plan.Checked)}
	if ask.Payment == flows.FillThenApprove {
		out.Notes = append(out.Notes, "Card data was named, so it may type it: starting it needs payment fill_then_approve and named sites.")
	}
	return out, nil
}

// planRequest checks what PlanTask is given.
func (c *Controller) planRequest(req task.PlanRequest) (planner.Request, error) {
	if strings.TrimSpace(req.Task) == "" {
		return planner.Request{}, fault.New(fault.InvalidRequest, "planning needs a task")
	}
	if err := checkSurfaces("surfaces", req.Surfaces); err != nil {
		return planner.Request{}, err
	}
	out := planner.Request{Task: req.Task, Surfaces: c.usable(req.Surfaces), Names: req.FactNames, Payment: flows.StopAtPayment}
	for _, name := range req.FactNames {
		if strings.TrimSpace(name) == "" {
			return planner.Request{}, fault.New(fault.InvalidRequest, "fact_names holds an empty name")
		}
		if facts.Sensitive(name) || slices.Contains(req.SecretFacts, name) {
			out.Secrets = append(out.Secrets, name)
		}
		if facts.CardName(name) {
			out.Payment = flows.FillThenApprove
		}
	}
	for _, name := range req.SecretFacts {
		if !slices.Contains(req.FactNames, name) {
			return planner.Request{}, fault.Newf(fault.UnknownSecret, "secret_facts names %q, which is no fact", name)
		}
	}
	return out, nil
}

// usable are the surfaces a flow may use: the ones asked for, else every one
// there is.
func (c *Controller) usable(asked []string) []string {
	if len(asked) > 0 {
		return asked
	}
	var sides []string
	for _, a := range c.opts.Opener.Available() {
		if a.Available {
			sides = append(sides, string(a.Kind))
		}
	}
	if len(sides) == 0 {
		return []string{string(surfaces.Browser)} // whoever runs it will be told what is missing
	}
	return sides
}

// planFailed hints at other words only when the words were read: what kept the
// model from being asked has a next move of its own.
func planFailed(cause error) *fault.Error {
	var invalid *chat.InvalidError
	if errors.As(cause, &invalid) {
		return fault.Wrap(fault.PlanFailed, cause, cut("the planner gave "+cause.Error(), maxWhy))
	}
	f := fault.Wrap(fault.PlanFailed, cause, cut("the planner could not be asked: "+cause.Error(), maxWhy))
	var why *fault.Error
	if errors.As(cause, &why) && why.Hint != "" {
		return f.WithHint(why.Hint)
	}
	return f
}

// notes say where a planned flow ends, and what its author could look at.
func notes(checked flows.Checked) []string {
	steps := checked.Flow.Steps
	last := steps[len(steps)-1]
	out := []string{}
	switch {
	case last.Kind == flows.KindStopBefore && flows.EndsInGuard(steps) && safety.Classify(last.Text) == safety.Payment:
		out = append(out, "It ends in front of a payment: "+last.Text+".")
	case last.Kind == flows.KindStopBefore && flows.EndsInGuard(steps):
		out = append(out, "It ends in front of what cannot be taken back: "+last.Text+".")
	case slices.ContainsFunc(steps, flows.Step.HoldsGuard):
		out = append(out, "It stops in front of what cannot be taken back, but not at its end.")
	default:
		out = append(out, "It ends in front of nothing that is paid or cannot be taken back.")
	}
	for _, w := range checked.Warnings {
		out = append(out, strings.TrimSpace(w.Path+" "+w.Message))
	}
	return out
}

// plan has the planner write the task's flow; nothing is open meanwhile. The
// task is running and has no flow.
func (t *cell) plan() {
	model := t.c.opts.Planner
	d := t.draft()
	if model == nil { // it was there when the task was accepted
		f := fault.New(fault.PlannerNotConfigured, "no planner is configured any more")
		t.fail(d, 0, f.Error(), f.Hint, true)
		t.settleFor(d, t.end(d))
		return
	}
	if t.rec.View.Summary != planningNow {
		d.become(task.Status{State: task.Running}, planningNow)
		if !t.settleFor(d, t.commit(d)) {
			return
		}
	}
	con := t.rec.Request.Constraints
	req := planner.Request{
		Task: t.facts.WithNames(t.rec.Request.Task), Surfaces: t.c.usable(con.Surfaces), Names: t.facts.Names(),
		Secrets: t.facts.SecretNames(), Card: t.facts.IsCardData, Payment: payment(con), Mask: t.facts.Mask,
	}
	for _, name := range t.rec.Request.SecretFacts { // a restart forgot their values, not their names
		if !t.facts.Has(name) {
			req.Names, req.Secrets = append(req.Names, name), append(req.Secrets, name)
		}
	}
	t.think(planning, 0, func(ctx context.Context) func() {
		began := time.Now()
		plan, used, err := planner.Write(ctx, model, req)
		note := task.PlanNote{WallMS: time.Since(began).Milliseconds(), Calls: used.Calls, SentBytes: used.SentBytes, Model: nameOf(model)}
		return func() { t.planned(plan, note, err) }
	})
}

const planningNow = "Planning."

// planned takes what the planner answered: the flow runs, its questions are
// asked first, or the task has failed.
func (t *cell) planned(plan planner.Plan, note task.PlanNote, err error) {
	d := t.draft()
	if err != nil {
		f := planFailed(err)
		note.Error = t.facts.Redact(f.Message)
		d.note(task.Entry{Event: task.EventPlan, Plan: &note})
		t.fail(d, 0, f.Error(), f.Hint, true)
		t.settleFor(d, t.end(d))
		return
	}
	missing := plan.Checked.Missing
	note.OK, note.Steps, note.Questions = true, plan.Checked.Steps, len(missing)
	d.note(task.Entry{Event: task.EventPlan, Plan: &note})
	d.rec.Flow = plan.Flow
	if len(missing) > 0 {
		t.askInputs(d, fieldsOf(missing))
	} else {
		d.become(task.Status{State: task.Running}, "Starting.")
	}
	if !t.settleFor(d, t.commit(d)) {
		return
	}
	t.flow = plan.Checked.Flow
	t.advance(at(1))
}

// nameOf is a model as the journal names it.
func nameOf(m chat.Model) string { return m.Name().Provider + "/" + m.Name().Model }
