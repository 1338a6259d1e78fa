package workspace_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/surfaces"
)

func TestSF25VisibleText(t *testing.T) {
	w, _, _, _ := both()
	w.Navigate(t.Context(), "https://shop.test/")
	want := []string{"Welcome", `textbox "Address" = "` + strings.Repeat("ä", 80) + `"`, `button "Buy"`, `textbox "Note"`}
	if diff := cmp.Diff(want, w.VisibleText(t.Context())); diff != "" {
		t.Errorf("visible text (-want +got):\n%s", diff)
	}
}

func TestSF26VisibleTextOfNothing(t *testing.T) {
	w, desktop, _, _ := both()
	if got := w.VisibleText(t.Context()); len(got) != 0 {
		t.Errorf("before anything was observed: %q", got)
	}
	w.Launch(t.Context(), "Files")
	desktop.Die()
	if got := w.VisibleText(t.Context()); len(got) != 0 {
		t.Errorf("of a closed app: %q", got)
	}
}

func TestSF27VisibleTextKeepsTheRouting(t *testing.T) {
	w, _, _, log := both()
	w.Navigate(t.Context(), "https://shop.test/")
	w.Launch(t.Context(), "Files")
	before := w.Active()
	w.VisibleText(t.Context())
	w.Execute(t.Context(), surfaces.Scroll, nil, "")
	if w.Active() != before || last(log) != "desktop execute" {
		t.Errorf("active %s, the act reached %q", w.Active(), last(log))
	}
}
