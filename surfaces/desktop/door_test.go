package desktop

import (
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
)

// TestADialogInsideAPressIsRead: a program that shows a dialog and waits for it
// before it goes on from a press was deaf to every question until it closed.
func TestADialogInsideAPressIsRead(t *testing.T) {
	s, _ := show(t, "waits", desktoptest.Gallery, "waits")
	tests := []struct{ name, menu, role, control, answer, says string }{
		{name: "a button", role: "button", control: "Ask", answer: "Yes", says: "answered 1"},
		{name: "a menu item", menu: "File", role: "menuitem", control: "Ask there", answer: "No", says: "answered 0"},
		{name: "a choice", role: "option", control: "curious", answer: "Yes", says: "answered 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.menu != "" {
				click(t, s, pick(t, observe(t, s, "waits"), "menuitem", tt.menu))
			}
			click(t, s, pick(t, observe(t, s, "waits"), tt.role, tt.control))
			screen := observe(t, s, "waits")
			if screen.Surface != surfaces.FrontDialog {
				t.Fatalf("in front is %s of %q:\n%s", screen.Surface, screen.Window, lines(screen))
			}
			click(t, s, pick(t, screen, "button", tt.answer))
			awaitLine(t, s, "waits", tt.says)
		})
	}
}
