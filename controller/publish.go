package controller

import (
	"slices"
	"time"
	"unicode/utf8"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

const maxTitle = 80 // characters; tasks.md 1.2

// draft is a transition being prepared: what the task becomes, and what is
// stored with it. Slices of the record are replaced, never appended to in
// place: a draft that is not committed must leave nothing behind.
type draft struct {
	rec       task.Record
	entries   []task.Entry
	decisions []task.Decision
	press     *task.Press
	dropped   []task.Artifact // pictures the record no longer names
	show      bool            // the view is published with it
}

// draft starts a transition from the last one, with everything that waits to
// be stored.
func (t *cell) draft() *draft {
	return &draft{
		rec: t.rec, entries: slices.Clone(t.backlog.entries),
		decisions: slices.Clone(t.backlog.decisions), press: t.backlog.press,
	}
}

// become sets the state and its one sentence, and has the view published.
func (d *draft) become(s task.Status, summary string) {
	v := &d.rec.View
	if v.Status.State != s.State {
		v.SinceAt = max(nowMS(), v.StartedAt) // a clock may have been set back
		d.rec.ShownAt = v.SinceAt
	}
	v.Status, v.Summary = s, summary
	if s.State == task.Done {
		v.Progress = 1
	}
	if s.IsFinal() && d.rec.EndedAt == 0 {
		d.rec.EndedAt = nowMS()
	}
	d.show = true
}

// at sets the step the view speaks of; 0 is none.
func (d *draft) at(step *task.CurrentStep) { d.rec.View.Step = step }

func (d *draft) note(e task.Entry) { d.entries = append(d.entries, e) }

// commit stores a transition in one transaction and only then lets it be seen.
// When the store refuses, the task is as it was before, and health says why.
func (t *cell) commit(d *draft) error {
	d.rec.Spent = t.spent()
	d.rec.Holding = t.holding()
	if d.show {
		t.dress(&d.rec)
		view := d.rec.View
		d.note(task.Entry{Event: task.EventView, View: &view})
	}
	t.number(d)
	err := t.c.opts.Store.Commit(task.Change{Record: d.rec, Entries: d.entries, Decisions: d.decisions, Press: d.press})
	t.c.hub.storeHealth(err)
	if err != nil {
		return fault.Of(err)
	}
	t.keep(d)
	t.backlog, t.flush = backlog{}, nil
	if d.show {
		t.shown.put(d.rec.View, d.rec.Seq)
	}
	t.c.hub.stored(t.id, d.rec.Seq, d.entries)
	for i := range d.dropped {
		t.c.dropPicture(&d.dropped[i])
	}
	return nil
}

// keep takes a transition over as the present state.
func (t *cell) keep(d *draft) {
	t.rec = d.rec
	for _, dec := range d.decisions {
		if dec.State == task.DecisionAsked || t.open != nil && t.open.ID == dec.ID {
			t.open = &dec
		}
	}
	t.watchDeadline()
	if d.press == nil {
		return
	}
	i := slices.IndexFunc(t.presses, func(p task.Press) bool { return p.Seq == d.press.Seq })
	if i < 0 {
		t.presses = append(t.presses, *d.press)
		return
	}
	t.presses[i] = *d.press
}

// showUnstored is what remains when the store refuses and the task can still
// not go on as it was: it is shown, unnumbered, and everything it would have
// stored waits for the next transition that succeeds. A restart comes to the
// same state by itself, so nothing is promised that is not kept.
func (t *cell) showUnstored(d *draft) {
	stored := t.rec.Seq
	d.rec.Spent = t.spent()
	d.rec.Holding = t.holding()
	d.show = true
	t.dress(&d.rec)
	t.keep(d)
	t.rec.Seq = stored
	t.backlog, t.flush = backlog{entries: d.entries, decisions: d.decisions, press: d.press}, nil
	view := t.rec.View
	_, seq, _ := t.shown.get()
	t.shown.put(view, seq)
	t.c.hub.loose(task.Entry{Event: task.EventView, Task: t.id, At: nowMS(), View: &view})
}

// dress is the one door views leave by: everything in them is redacted here
// and what follows from the state is worked out.
func (t *cell) dress(rec *task.Record) {
	v := &rec.View
	v.ID = rec.ID
	v.Revision = rec.Revision + 1
	rec.Revision = v.Revision
	v.Next = task.Next(v.Status, rec.Holding)
	v.Left = left(rec.Request.Budget, rec.Spent, rec.Rescued)
	v.Summary = t.facts.Redact(v.Summary)
	v.Title = cut(t.facts.Redact(v.Title), maxTitle)
	v.Status = t.redactStatus(v.Status)
	if v.Step != nil {
		step := *v.Step
		step.Intent = t.facts.Redact(step.Intent)
		v.Step = &step
	}
}

func (t *cell) redactStatus(s task.Status) task.Status {
	s.Action = t.facts.Redact(s.Action)
	s.Target = t.facts.Redact(s.Target)
	s.Reason = t.facts.Redact(s.Reason)
	s.Location = t.facts.Redact(s.Location)
	s.Summary = t.facts.Redact(s.Summary)
	s.Answer = t.facts.Redact(s.Answer)
	s.Hint = t.facts.Redact(s.Hint)
	s.Result = mapStrings(s.Result, t.facts.Redact)
	if s.Records == nil {
		return s
	}
	records := make(map[string]task.Rows, len(s.Records))
	for name, rows := range s.Records {
		records[name] = mapRows(rows, t.facts.Redact)
	}
	s.Records = records
	return s
}

// redactReport cleans a step report for the store and the desk.
func (t *cell) redactReport(r flows.StepReport) flows.StepReport {
	r.Text, r.Note, r.App, r.Why = t.facts.Redact(r.Text), t.facts.Redact(r.Note), t.facts.Redact(r.App), t.facts.Redact(r.Why)
	actions := make([]flows.ActionNote, len(r.Actions))
	for i, a := range r.Actions {
		a.Change, a.Why = t.facts.Redact(a.Change), t.facts.Redact(a.Why)
		if a.Target != nil {
			target := *a.Target
			target.Name = t.facts.Redact(target.Name)
			a.Target = &target
		}
		actions[i] = a
	}
	r.Actions = actions
	if r.Loops == nil {
		r.Loops = []string{}
	}
	return r
}

// number gives entries the numbers after the last stored one.
func (t *cell) number(d *draft) {
	at := nowMS()
	d.rec.Seq = t.rec.Seq
	for i := range d.entries {
		e := &d.entries[i]
		d.rec.Seq++
		e.Task, e.Seq, e.ElapsedMS = t.id, d.rec.Seq, d.rec.Spent.ElapsedMS
		if e.At == 0 {
			e.At = at
		}
	}
}

func mapRows(rows task.Rows, f func(string) string) task.Rows {
	out := make(task.Rows, len(rows))
	for i, row := range rows {
		out[i] = make(map[string]string, len(row))
		for k, v := range row {
			out[i][k] = f(v)
		}
	}
	return out
}

// cut shortens to n characters, the last of them an ellipsis.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

func nowMS() int64 { return time.Now().UnixMilli() }
