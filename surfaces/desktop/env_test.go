package desktop

import "testing"

func TestAbsence(t *testing.T) {
	needInput(t)
	for _, tt := range []struct {
		name   string
		env    environment
		absent bool
	}{
		{"X11", environment{"DISPLAY=:0"}, false},
		{"SF-87 Wayland without X", environment{"WAYLAND_DISPLAY=wayland-0"}, false},
		{"neither", environment{"HOME=/nowhere"}, true},
		{"the last word counts", environment{"DISPLAY=:0", "DISPLAY="}, true},
	} {
		reason, hint := tt.env.absence()
		if (reason != "") != tt.absent || (hint != "") != tt.absent {
			t.Errorf("%s: reason %q, hint %q", tt.name, reason, hint)
		}
	}
}
