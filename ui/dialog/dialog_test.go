package dialog

import (
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/ui/theme"
)

func TestTopDialogTakesTheKeys(t *testing.T) {
	s := New(theme.Plain()).SetSize(60, 20).Push(Dialog{Name: "below", Title: "Below"}).Push(Dialog{
		Name: "top", Title: "Top", Options: []Option{{Keys: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "yes")), Choice: "yes"}},
	})
	if shown := strings.Join(s.View(), "\n"); !strings.Contains(shown, "Top") || !strings.Contains(shown, "enter yes") {
		t.Errorf("the top dialog is not shown:\n%s", shown)
	}
	s, choice := s.Update(tea.KeyMsg{Type: tea.KeyEnter})
	if choice != "yes" || s.Name() != "below" {
		t.Errorf("chose %q, now on %q", choice, s.Name())
	}
	if s, choice = s.Update(tea.KeyMsg{Type: tea.KeyEsc}); choice != Closed || s.Open() {
		t.Errorf("esc gave %q, open %v", choice, s.Open())
	}
}

func TestLongDialogScrolls(t *testing.T) {
	body := make([]string, 40)
	for i := range body {
		body[i] = "row " + string(rune('A'+i%26))
	}
	body[39] = "the last"
	s := New(theme.Plain()).SetSize(40, 12).Push(Dialog{Body: body})
	for range 50 {
		s, _ = s.Update(tea.KeyMsg{Type: tea.KeyDown})
	}
	if rows := s.View(); len(rows) != 12 || !strings.Contains(strings.Join(rows, "\n"), "the last") {
		t.Errorf("the end cannot be reached:\n%s", strings.Join(rows, "\n"))
	}
}
