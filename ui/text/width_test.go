package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWidth(t *testing.T) {
	tests := []struct {
		name, got, want string
	}{
		{"cut", Truncate("notebook", 5), "note…"},
		{"cut wide", Truncate("東京駅", 4), "東…"},
		{"no room", Truncate("x", 0), ""},
		{"pad", Pad("ab", 4), "ab  "},
		{"pad wide", Pad("東", 4), "東  "},
		{"pad left", PadLeft("7", 3), "  7"},
		{"spread", Spread("a", "b", 5), "a   b"},
		{"spread gives up the right", Spread("abcd", "xyz", 6), "abcd  "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestWrapLosesNothing(t *testing.T) {
	for _, s := range []string{"a b c", strings.Repeat("x", 50), "one two three four five six", "東京東京東京東京 東京", "https://site.test/a-b-c/d?e=f-g"} {
		for _, w := range []int{1, 2, 7, 12} {
			rows := Wrap(s, w)
			for _, row := range rows {
				if Width(row) > max(w, 2) {
					t.Errorf("Wrap(%q, %d): row %q is %d wide", s, w, row, Width(row))
				}
			}
			got := strings.ReplaceAll(strings.Join(rows, ""), " ", "")
			if diff := cmp.Diff(strings.ReplaceAll(s, " ", ""), got); diff != "" {
				t.Errorf("Wrap(%q, %d) lost text:\n%s", s, w, diff)
			}
		}
	}
}

func TestEdit(t *testing.T) {
	e := NewEdit("ab").Move(-1).Insert("x\ny\x1b").Backspace().Move(9).Insert("!").Move(-1).Delete()
	if got, want := e.Value(), "ax b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := NewEdit("one two ").DeleteWord().Value(); got != "one " {
		t.Errorf("DeleteWord left %q", got)
	}
	mark := func(s string) string { return "[" + s + "]" }
	if got, want := NewEdit("abcdef").View(4, mark), "def[ ]"; got != want {
		t.Errorf("View = %q, want %q", got, want)
	}
}
