package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"countersign/ui/uitest"
)

// checkFrame wants exactly the terminal's rows, none wider than it.
func checkFrame(t *testing.T, name string, b bench, size uitest.Size) {
	t.Helper()
	rows := strings.Split(b.Model.View(), "\n")
	if len(rows) != size.Height {
		t.Errorf("%s at %dx%d: %d rows", name, size.Width, size.Height, len(rows))
	}
	for i, row := range rows {
		if w := ansi.StringWidth(row); w != size.Width {
			t.Errorf("%s at %dx%d: row %d is %d cells wide: %q", name, size.Width, size.Height, i, w, ansi.Strip(row))
		}
	}
}
