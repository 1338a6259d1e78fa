package controller

import (
	"countersign/controller/task"
	"countersign/flows"
)

const operator = "operator"

// ask opens the decision of a pause. An earlier one that is still open is
// void: only one question stands at a time.
func (t *cell) ask(d *draft, evidence *flows.Evidence, differs []flows.Difference) {
	t.voidOpen(d)
	d.rec.Decisions++
	dec := task.Decision{
		ID: d.rec.Decisions, Task: t.id, Question: d.rec.View.Status.State, Evidence: evidence,
		Differs: differs, State: task.DecisionAsked, AskedAt: nowMS(),
	}
	if evidence != nil {
		dec.Digest = evidence.Digest()
	}
	d.rec.ShownAt = dec.AskedAt
	d.decide(dec)
}

// decide writes a decision and its note, which never holds its words.
func (d *draft) decide(dec task.Decision) {
	d.decisions = append(d.decisions, dec)
	d.note(task.Entry{Event: task.EventDecision, Decision: &task.DecisionNote{ID: dec.ID, State: dec.State, Digest: dec.Digest}})
}

// maxShown bounds the lines a decision keeps; the longest card, of sixty fields,
// has about a hundred.
const maxShown = 400

// answered closes the open decision with the operator's answer. Said is in the
// person's own words; req tells what stood before them.
func (t *cell) answered(d *draft, state task.DecisionState, answer, said string, req task.ContinueRequest) {
	if t.open == nil || t.open.State != task.DecisionAsked {
		return
	}
	dec := *t.open
	dec.State, dec.Answer, dec.Words = state, answer, t.facts.Redact(said)
	dec.Who, dec.ShownMS, dec.AnsweredAt = operator, req.ShownMS, nowMS()
	for _, line := range req.Shown[:min(len(req.Shown), maxShown)] {
		dec.Shown = append(dec.Shown, t.facts.Mask(line))
	}
	d.decide(dec)
}

// voidOpen takes the open question back, or an approval that was given and not
// spent: nobody can answer or use it any more.
func (t *cell) voidOpen(d *draft) {
	if t.open == nil || t.open.State != task.DecisionAsked && (t.open.State != task.DecisionApproved || t.open.Evidence == nil) {
		return
	}
	for _, dec := range d.decisions {
		if dec.ID == t.open.ID {
			return // closed in this very transition
		}
	}
	dec := *t.open
	dec.State, dec.AnsweredAt = task.DecisionVoid, nowMS()
	d.decide(dec)
}

// resumed notes how long the pause stood.
func (t *cell) resumed(d *draft) {
	waited := nowMS() - t.rec.ShownAt
	d.note(task.Entry{Event: task.EventResume, Resume: &task.ResumeNote{State: t.status().State, WaitedMS: max(waited, 0)}})
}
