package statusbar

import (
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"

	"countersign/controller/task"
	"countersign/ui/theme"
)

func TestTheRowNeverOverflowsAndKeepsTheWaits(t *testing.T) {
	s := State{
		Counts: map[theme.Wait]int{theme.Decide: 1, theme.ByHand: 12}, Left: &task.Left{Actions: &[2]int{9, 60}},
		Health: task.Health{Store: "ok", Decider: "embedded", Surfaces: map[string]string{"browser": "ok"}},
		Keys:   []key.Binding{key.NewBinding(key.WithKeys("?"), key.WithHelp("?", "help")), key.NewBinding(key.WithKeys("q"), key.WithHelp("q", "quit"))},
	}
	for width := 40; width < 160; width += 7 {
		for _, s.Attached = range []int{0, 4242} {
			row := New(theme.Plain()).SetSize(width).View(s)
			if ansi.StringWidth(row) != width || !strings.Contains(row, "1 DECIDE") || !strings.Contains(row, "12 BY HAND") {
				t.Errorf("%d cells: %q", width, row)
			}
		}
	}
	s.Attached = 0
	s.Notice = "something the person should know"
	if row := New(theme.Plain()).SetSize(100).View(s); !strings.Contains(row, s.Notice) || !strings.Contains(row, "1 DECIDE") {
		t.Errorf("a notice hides the waits, or is not shown: %q", row)
	}
	s.Notice, s.Health.Store = "", "STORE_FULL"
	if row := New(theme.Plain()).SetSize(100).View(s); !strings.Contains(row, "STORE_FULL") {
		t.Errorf("the store's trouble is not told: %q", row)
	}
	s.Attached = 4242
	if row := New(theme.Plain()).SetSize(80).View(s); !strings.Contains(row, "attached to the desk of process 4242") {
		t.Errorf("whose desk it is is not told: %q", row)
	}
}

// However long it is and however narrow the row, a notice is told: it was once
// dropped as a whole when it did not fit.
func TestALongNoticeIsCutAndNotDropped(t *testing.T) {
	counts := map[theme.Wait]int{theme.Decide: 1, theme.Type: 1, theme.ByHand: 2}
	for width := 60; width <= 130; width++ {
		row := New(theme.Plain()).SetSize(width).View(State{Counts: counts, Notice: "told " + strings.Repeat("and told ", 20)})
		if !strings.Contains(row, "told and told") || ansi.StringWidth(row) != width {
			t.Errorf("%d cells: %q", width, row)
		}
	}
}
