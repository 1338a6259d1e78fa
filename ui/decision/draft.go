package decision

import (
	"maps"

	"countersign/controller/task"
	"countersign/ui/form"
	"countersign/ui/text"
)

// question is what a draft belongs to: the same task asking something else is
// another question.
type question struct {
	id     task.ID
	kind   Kind
	asked  int64
	digest string
}

func (c Card) question() question { return question{c.id, c.kind, c.asked, c.digest} }

// draft is what was typed for a question and not given. In memory only: it may
// hold a secret.
type draft struct {
	form form.Model
	line text.Edit
}

// keep puts by what was typed, for when the person comes back. A line that as it
// stands says yes is not kept: Enter alone would give it.
func (m Model) keep() Model {
	if m.sent || !m.drafting() {
		return m.Forget(m.card.id)
	}
	d := draft{m.form, m.input}
	if a, _ := m.card.Answer(m.input.Value(), 0); a.Verb != NoVerb && (a.Continue.Approve == nil || *a.Continue.Approve) {
		d.line = text.Edit{}
	}
	drafts := maps.Clone(m.Forget(m.card.id).drafts)
	if drafts == nil {
		drafts = map[question]draft{}
	}
	drafts[m.card.question()] = d
	m.drafts = drafts
	return m
}

// restore brings back what was typed for the question that is shown.
func (m Model) restore() Model {
	if d, ok := m.drafts[m.card.question()]; ok {
		m.input = d.line
		if m.card.kind == Values {
			m.form = d.form
		}
	}
	return m.Forget(m.card.id)
}

// Forget drops what was typed for a task that asks nothing any more.
func (m Model) Forget(id task.ID) Model {
	for q := range m.drafts {
		if q.id != id {
			continue
		}
		m.drafts = maps.Clone(m.drafts)
		maps.DeleteFunc(m.drafts, func(q question, _ draft) bool { return q.id == id })
		return m
	}
	return m
}

// drafting reports whether something was typed and not given.
func (m Model) drafting() bool {
	if !m.input.Empty() {
		return true
	}
	for _, v := range m.form.Values() {
		if v != "" {
			return true
		}
	}
	return false
}
