package browser

import (
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// A page is raised wherever it has gone: a person signs in on pages the task
// itself may not touch.
func TestBringForward(t *testing.T) {
	s := tabOf(t, surfaces.Needs{Origins: []string{"http://127.0.0.1:1"}}, Options{})
	var _ surfaces.Forwarder = s
	must(t, s.Launch(t.Context(), "browser"))
	show(t, "Another tab, in front")
	if err := s.BringForward(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := script(t, s, "document.visibilityState"); got != "visible" {
		t.Errorf("the page is %s", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if code := fault.CodeOf(s.BringForward(t.Context())); code != fault.NoSuchSession {
		t.Errorf("after it was closed: %s, want %s", code, fault.NoSuchSession)
	}
}
