package board

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"countersign/controller/task"
	"countersign/ui/theme"
)

var now = time.Date(2026, 3, 4, 9, 30, 0, 0, time.UTC)

func view(id task.ID, state task.State, since int64) task.View {
	return task.View{ID: id, Title: "task", Status: task.Status{State: state}, SinceAt: since, Revision: 1}
}

func order(m Model) string {
	var ids []string
	for _, v := range m.Views() {
		ids = append(ids, v.ID.String())
	}
	return strings.Join(ids, " ")
}

func sample() Model {
	m := New(theme.Plain(), DefaultKeyMap()).SetSize(50, 20).SetNow(now)
	return m.Set(view(1, task.Done, 5), view(2, task.Running, 4), view(3, task.NeedsInput, 3), view(4, task.NeedsApproval, 2), view(5, task.Running, 1), view(6, task.Failed, 0))
}

func TestOrder(t *testing.T) {
	if got, want := order(sample()), "t-4 t-3 t-2 t-5 t-6 t-1"; got != want {
		t.Errorf("order %s, want %s: waits oldest first, then running, then ended newest first", got, want)
	}
}

func TestOrderIsStillWhileAKeyIsHeld(t *testing.T) {
	m := sample().Update(tea.KeyMsg{Type: tea.KeyDown})
	before, at := order(m), m.selected
	woken := view(2, task.NeedsHuman, 1)
	woken.Revision = 2
	m = m.Set(woken)
	if got := order(m); got != before {
		t.Errorf("the order changed under the cursor: %s, was %s", got, before)
	}
	m = m.SetNow(now.Add(time.Second))
	if got, want := order(m), "t-2 t-4 t-3 t-5 t-6 t-1"; got != want || m.selected != at {
		t.Errorf("order %s, cursor on %s; want %s and the cursor still on %s", got, m.selected, want, at)
	}
}

func TestOlderViewIsIgnored(t *testing.T) {
	m := sample()
	late := view(2, task.Done, 1)
	late.Revision = 0
	if v, _ := m.Set(late).Task(2); v.Status.State != task.Running {
		t.Errorf("a late view of revision 0 replaced revision 1")
	}
}

func TestRemoveMovesTheCursorToANeighbour(t *testing.T) {
	m := sample().Select(3).Remove(3)
	if m.selected != 2 || m.Len() != 5 {
		t.Errorf("cursor on %s of %d tasks, want t-2 of 5", m.selected, m.Len())
	}
	for _, v := range m.Views() {
		m = m.Remove(v.ID)
	}
	if _, ok := m.Selected(); ok {
		t.Error("something is selected on an empty board")
	}
}

func TestOldestWaitGoesRound(t *testing.T) {
	m := sample()
	first, _ := m.OldestWait(0)
	second, _ := m.OldestWait(first)
	third, _ := m.OldestWait(second)
	if first != 4 || second != 3 || third != 4 {
		t.Errorf("%s %s %s, want t-4 t-3 t-4", first, second, third)
	}
}

func TestForeignTextIsCleaned(t *testing.T) {
	v := view(1, task.Running, 0)
	v.Title, v.Summary = "a\x1b[2Jb", "c\rd"
	m := New(theme.Plain(), DefaultKeyMap()).SetSize(50, 10).Set(v)
	if shown := strings.Join(m.View(), "\n"); strings.ContainsAny(shown, "\x1b\r") {
		t.Errorf("drawn as %q", shown)
	}
}

func TestOnlyVisibleTasksAreDrawn(t *testing.T) {
	m := New(theme.Plain(), DefaultKeyMap()).SetSize(50, 9)
	for id := range task.ID(32) {
		m = m.Set(view(id+1, task.Running, 0))
	}
	rows := m.Update(tea.KeyMsg{Type: tea.KeyEnd}).View()
	if len(rows) != 9 || !strings.Contains(strings.Join(rows, "\n"), "t-32") {
		t.Errorf("%d rows, the selected task not among them:\n%s", len(rows), strings.Join(rows, "\n"))
	}
	for _, r := range rows {
		if ansi.StringWidth(r) != 50 {
			t.Errorf("row %q is %d wide", r, ansi.StringWidth(r))
		}
	}
}

func TestLow(t *testing.T) {
	tests := []struct {
		left task.Left
		want string
	}{
		{task.Left{Actions: &[2]int{12, 60}}, ""},
		{task.Left{Actions: &[2]int{11, 60}}, "11 acts left"},
		{task.Left{ElapsedMS: &[2]int64{30_000, 600_000}}, "30s left"},
		{task.Left{ModelCalls: &[2]int{1, 3000}}, "1 calls left"},
		{task.Left{}, ""},
	}
	for _, tt := range tests {
		if got := Low(tt.left); got != tt.want {
			t.Errorf("Low = %q, want %q", got, tt.want)
		}
	}
}

func TestSortAndFilter(t *testing.T) {
	m := sample()
	m = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("s")})
	if got, want := order(m), "t-6 t-5 t-4 t-3 t-2 t-1"; got != want {
		t.Errorf("newest first: %s, want %s", got, want)
	}
	for _, r := range "/RUNN" {
		m = m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	if len(m.views) != 2 || m.Len() != 6 || m.Counts()[theme.Decide] != 1 {
		t.Errorf("%d of %d shown, %v waits; want 2 of 6 and every wait counted", len(m.views), m.Len(), m.Counts())
	}
	// What is kept back still hears of its changes and can still go.
	changed := view(4, task.Done, 9)
	changed.Revision = 2
	m = m.Set(changed).Remove(3)
	if v, _ := m.Task(4); v.Status.State != task.Done || m.Len() != 5 {
		t.Errorf("t-4 is %s, %d tasks", v.Status.State, m.Len())
	}
	m = m.Update(tea.KeyMsg{Type: tea.KeyEsc})
	if got, want := order(m), "t-6 t-5 t-4 t-2 t-1"; got != want {
		t.Errorf("without a filter %s, want %s", got, want)
	}
}
