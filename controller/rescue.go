package controller

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"countersign/controller/rescuer"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/facts"
)

// rescuePatience is how long a rescuer may think (tasks.md 9.1).
const rescuePatience = 120 * time.Second

// Outcomes of a rescue, and of the call behind it (tasks.md 9.4, 10.6).
const (
	rescueRunning   = "running"
	rescueRecovered = "recovered"
	rescueFailed    = "failed_again"
	rescueGaveUp    = "gave_up"

	callGuided  = "guided"
	callGaveUp  = "gave_up"
	callError   = "error"
	callTimeout = "timeout"
)

// failure is why a step failed, as the task would say it without a rescue.
type failure struct{ reason, hint string }

// mayRescue reports whether a failed step goes to the rescuer (tasks.md 9.3).
// What excludes it earlier, a wall or a lost side, was ruled out. A guard whose
// press was sent is not retried in any form: whoever writes steps for it would
// have it pressed again.
func (t *cell) mayRescue(res flows.Result, e ending) bool {
	rest, limited := t.timeLeft()
	return t.c.opts.Rescuer != nil && !nested(res.Failed) && t.rec.Rescued < rescues(t.rec.Request.Budget) &&
		e.at.index >= 1 && e.at.index <= t.steps() && len(t.flowFrom(e.again)) == len(t.flowFrom(e.at)) && !(limited && rest <= 0)
}

// askRescuer has the rescuer think about a failed step; the task goes on
// running.
func (t *cell) askRescuer(d *draft, r *run, f failure, res flows.Result, e ending) error {
	d.rec.Rescued++
	d.rec.Resume = t.resume(task.ResumeRetry, e.at)
	d.at(t.currentAt(e.at))
	limit := rescues(t.rec.Request.Budget)
	d.become(task.Status{State: task.Running}, "Step "+plain(e.at.index)+" failed; asking the rescuer ("+plain(d.rec.Rescued)+" of "+plain(limit)+").")
	if err := t.commit(d); err != nil {
		return err
	}
	model, b := t.c.opts.Rescuer, t.briefing(r, f, res, e)
	note := task.RescueNote{Step: e.at.index, Attempt: t.rec.Rescued, Limit: limit, Model: nameOf(model)}
	patience, byBudget := rescuePatience, false
	if rest, limited := t.timeLeft(); limited && rest < patience {
		patience, byBudget = rest, true
	}
	t.think(rescuing, patience, func(ctx context.Context) func() {
		began := time.Now()
		advice, used, err := rescuer.Ask(ctx, model, b)
		note.WallMS, note.Calls, note.SentBytes = time.Since(began).Milliseconds(), used.Calls, used.SentBytes
		switch {
		case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
			note.Outcome = callTimeout
		case err != nil:
			note.Outcome = callError
		case advice.Action == rescuer.GiveUp:
			note.Outcome = callGaveUp
		default:
			note.Outcome, note.Steps, note.Covers = callGuided, len(advice.Steps), advice.Covers
		}
		return func() {
			if note.Outcome == callGuided {
				t.guided(b, advice, note, f, e.at)
				return
			}
			t.gaveUp(advice.Reason, err, note, f, byBudget)
		}
	})
	return nil
}

// briefing is what the rescuer is told: what it may see, redacted where it is
// rendered, and what its answer is held against.
func (t *cell) briefing(r *run, f failure, res flows.Result, e ending) rescuer.Briefing {
	running := t.flowFrom(r.leg.at)
	vars := map[string]string{}
	for name, value := range t.flow.Vars {
		vars[name] = value
	}
	for _, v := range t.rec.Values {
		vars[v.Name] = ""
	}
	for name := range saved(t.flow.Steps, map[string]bool{}) {
		if _, ok := vars[name]; !ok {
			vars[name] = ""
		}
	}
	con, screen := t.rec.Request.Constraints, e.lines
	mask := t.facts.Mask
	if len(t.unknownSecrets()) > 0 { // what fields hold is withheld then, and what could be a card's
		screen = slices.Clone(screen)
		for i, line := range screen {
			screen[i], _, _ = strings.Cut(line, ` = "`)
		}
		mask = func(s string) string { return facts.HideCards(t.facts.Mask(s)) }
	}
	return rescuer.Briefing{
		Goal: t.goal(), Rules: t.brief().Rules, Flow: flows.Flow{App: t.lastApp(), Vars: vars, Steps: running},
		Failed: len(running) - len(t.flowFrom(e.at)), Failure: cmp.Or(res.Reason, f.reason), Reports: res.Steps, Earlier: t.rec.Rescues,
		Values: t.rec.Values, Screen: screen, Names: t.facts.Names(), Secrets: t.facts.SecretNames(), Card: t.facts.IsCardData,
		Payment: payment(con), Mask: t.facts.Mask, Clean: func(s string) string { return t.facts.Redact(mask(s)) },
	}
}

// saved collects the names that steps save under.
func saved(steps []flows.Step, into map[string]bool) map[string]bool {
	for _, s := range steps {
		if s.Into != "" {
			into[s.Into] = true
		}
		saved(slices.Concat(s.Steps, s.Then, s.Else), into)
	}
	return into
}

// gaveUp fails the task with the step's own reason: no help came.
func (t *cell) gaveUp(said string, err error, note task.RescueNote, f failure, byBudget bool) {
	why := said
	if err != nil {
		why = err.Error()
	}
	if note.Outcome == callTimeout {
		why = "no answer came within " + plural(note.WallMS/1000, "second")
	}
	why = cut(t.facts.Redact(why), maxWhy)
	note.Reason = why
	d := t.draft()
	d.rec.Resume = nil
	t.record(d, task.Rescue{Step: note.Step, Failure: f.reason, Reason: why, Steps: json.RawMessage("[]"), Outcome: rescueGaveUp})
	d.note(task.Entry{Event: task.EventRescue, Rescue: &note})
	if note.Outcome == callTimeout && byBudget {
		reason, hint := outOf("millisecond", *t.rec.Request.Budget.MaxElapsedMS, "max_elapsed_ms")
		t.fail(d, note.Step, reason, hint, false)
	} else {
		t.fail(d, note.Step, f.reason, "The rescuer did not help: "+strings.TrimSuffix(why, ".")+". "+f.hint, true)
	}
	t.settleFor(d, t.end(d))
}

// guided runs what the rescuer wrote in place of the failed step, then the rest
// of the flow unchanged.
func (t *cell) guided(b rescuer.Briefing, a rescuer.Advice, note task.RescueNote, f failure, failed spot) {
	to := failed.from(2 + a.Covers)
	if len(a.Steps) > 0 {
		guidance := spot{index: failed.index, steps: slices.Concat(a.Steps, to.steps), next: to.index, own: len(a.Steps)}
		if len(to.steps) > 0 {
			guidance.next = to.next
		}
		to = guidance
	} else {
		to.own = 0
	}
	steps, err := json.Marshal(a.Steps)
	if err != nil || a.Steps == nil {
		steps = json.RawMessage("[]") // steps that were read can be written
	}
	note.Reason = t.facts.Redact(a.Reason)
	d := t.draft()
	d.rec.Resume = t.resume(task.ResumeRetry, to)
	t.record(d, task.Rescue{
		Step: note.Step, Failure: f.reason, Reason: note.Reason, Steps: mapStrings(steps, b.Clean), Covers: a.Covers, Outcome: rescueRunning,
	})
	d.note(task.Entry{Event: task.EventRescue, Rescue: &note})
	d.become(task.Status{State: task.Running}, "Rescue "+plain(note.Attempt)+" of "+plain(note.Limit)+": "+strings.TrimSuffix(a.Reason, ".")+".")
	if !t.settleFor(d, t.commit(d)) {
		return
	}
	t.advance(to)
}

func (t *cell) record(d *draft, r task.Rescue) {
	d.rec.Rescues = append(slices.Clone(d.rec.Rescues), r)
}

// judged closes the rescue under way with its outcome.
func (d *draft) judged(outcome string) {
	last := len(d.rec.Rescues) - 1
	if last < 0 || d.rec.Rescues[last].Outcome != rescueRunning {
		return
	}
	d.rec.Rescues = slices.Clone(d.rec.Rescues)
	d.rec.Rescues[last].Outcome = outcome
}

// rescueGoesOn: once a step is reached that the latest rescue did not write, all
// of its own have ended well. A skip has none, so its run has only to start.
func (t *cell) rescueGoesOn(d *draft, r *run, standIn int) {
	if standIn == 0 || standIn > r.leg.at.own {
		d.judged(rescueRecovered)
	}
}

// rescueEnded judges the latest rescue by how its run ended. A run that was
// interrupted, lost its side or waits for a person in the middle has not ended.
func (t *cell) rescueEnded(d *draft, r *run, res flows.Result) {
	own := r.leg.at.own
	mine := res.StandIn > 0 && res.StandIn <= own
	switch res.Stop {
	case flows.Completed:
		if !r.leg.alone || r.leg.then.own == 0 {
			d.judged(rescueRecovered)
		}
	case flows.Stopped:
		if !mine || res.StandIn == own {
			d.judged(rescueRecovered)
		}
	case flows.StepFailed, flows.OutOfAction, flows.OutOfCalls, flows.Invalid:
		switch {
		case mine && !r.lostSide(res) && r.why == stopNone:
			d.judged(rescueFailed)
		case !mine:
			d.judged(rescueRecovered)
		}
	case flows.Cancelled, flows.Halted:
		switch {
		case !mine:
			d.judged(rescueRecovered)
		case res.Stop == flows.Cancelled && r.why == stopNone: // its time was used up
			d.judged(rescueFailed)
		}
	}
}

// duringRescue is what a view says beside the words of a rescue's step.
func (t *cell) duringRescue(standIn int) string {
	if standIn == 0 {
		return ""
	}
	return " (rescue " + plain(t.rec.Rescued) + ")"
}
