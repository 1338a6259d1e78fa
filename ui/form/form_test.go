package form

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/ui/theme"
)

func typeIn(f Model, s string) Model {
	for _, r := range s {
		f, _ = f.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	return f
}

var enter = tea.KeyMsg{Type: tea.KeyEnter}

func TestEveryFieldMustHoldSomething(t *testing.T) {
	f := New([]task.Field{{Name: "a"}, {Name: "b"}}, nil)
	f = typeIn(f, "1")
	f, done := f.Update(enter)
	if done {
		t.Fatal("done with a field empty")
	}
	f, done = f.Update(enter)
	if done {
		t.Fatal("done with the last field empty")
	}
	if _, done = typeIn(f, "2").Update(enter); !done {
		t.Error("not done with both given")
	}
}

func TestWrongKindIsToldOnceAndTaken(t *testing.T) {
	f := typeIn(New([]task.Field{{Name: "phone", Kind: "phone"}}, nil), "none")
	f, done := f.Update(enter)
	if done || !strings.Contains(strings.Join(f.Rows(theme.Plain(), 80, true), "\n"), "usually has digits") {
		t.Fatal("a phone without digits was not told")
	}
	if _, done = f.Update(enter); !done {
		t.Error("refused twice")
	}
}

func TestSecretIsShownAsItsLength(t *testing.T) {
	f := New([]task.Field{{Name: "pin"}, {Name: "note"}}, func(name string) bool { return name == "pin" })
	f = typeIn(f, "1234")
	here := strings.Join(f.Rows(theme.Plain(), 80, true), "\n")
	f, _ = f.Update(enter)
	after := strings.Join(f.Rows(theme.Plain(), 80, true), "\n")
	if strings.Contains(here+after, "1234") || strings.Contains(here, "4 characters") || !strings.Contains(after, "4 characters") {
		t.Errorf("while typed:\n%s\nafter:\n%s", here, after)
	}
	if f.Values()["pin"] != "1234" || len(f.Secrets()) != 1 {
		t.Errorf("values %v, secrets %v", f.Values(), f.Secrets())
	}
}

func TestKindNotice(t *testing.T) {
	tests := []struct{ kind, value, want string }{
		{"phone", "+45 20", ""},
		{"phone", "none", "digits"},
		{"email", "a@b", ""},
		{"email", "ab", "@"},
		{"date", "tomorrow", "digits"},
		{"number", "two", "digits"},
		{"text", "anything", ""},
		{"phone", "  ", ""},
	}
	for _, tt := range tests {
		got := KindNotice(tt.kind, tt.value)
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("KindNotice(%s, %s) = %q, want %q", tt.kind, tt.value, got, tt.want)
		}
	}
}
