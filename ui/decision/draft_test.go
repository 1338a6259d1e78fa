package decision

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/ui/theme"
)

// What was typed for one question is in no other: only its draft holds it, and
// that goes with the question.
func TestTypedValuesStayWithTheirQuestion(t *testing.T) {
	values := asked(task.Status{State: task.NeedsInput, Fields: []task.Field{{Name: "pin"}}})
	m := New(theme.Plain(), DefaultKeyMap(), nil).SetSize(80, 24, start).SetFocused(true, DefaultKeyMap().Enter).Show(values, start)
	m.guarded = false
	m, _ = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("7")}, start)
	if !m.drafting() {
		t.Fatal("nothing was typed")
	}
	m = m.Show(askedToSend(), start)
	if m.drafting() || m.form.Len() != 0 || len(m.drafts) != 1 {
		t.Errorf("drafting %v, %d fields, %d drafts beside the values", m.drafting(), m.form.Len(), len(m.drafts))
	}
	m = m.Show(values, start)
	if !m.drafting() || len(m.drafts) != 0 {
		t.Errorf("drafting %v, %d drafts back at the values", m.drafting(), len(m.drafts))
	}
	m = m.Show(askedToSend(), start).Forget(values.View.ID)
	if len(m.drafts) != 0 {
		t.Error("a draft outlives its question")
	}
}
