package flows

import (
	"testing"

	"countersign/surfaces"

	"github.com/google/go-cmp/cmp"
)

// TestCardTexts: what stands in an unnamed item is told with its controls, and
// what was typed into one is not.
func TestCardTexts(t *testing.T) {
	second := []string{"main", `list "Todos"`, "listitem #2"}
	screen := &surfaces.Screen{
		TextNodes: []surfaces.TextNode{
			{Text: "todos", Path: []string{"main"}},
			{Text: "Buy milk", Path: second},
			{Text: "two litres", Path: append(second[:3:3], "group")},
			{Text: "typed", Path: second, Field: true},
			{Text: "Call the plumber", Path: []string{"main", `list "Todos"`, "listitem #3"}},
		},
		Candidates: []surfaces.Candidate{{Role: "link", Name: "Details", Path: second}, {Role: "button", Name: "Delete", Path: second}},
	}
	got := cardTexts(screen)
	want := map[string]string{
		cardPath(second): "Buy milk two litres Details",
		cardPath([]string{"main", `list "Todos"`, "listitem #3"}): "Call the plumber",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if key := cardPath([]string{"main", `list "Todos"`}); key != "" {
		t.Errorf("a list is no card: %q", key)
	}
}
