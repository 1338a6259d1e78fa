package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestA128DrillLosesNothing is the short form of what a release is held to: no
// acknowledged transition is lost by kill -9, no press is doubled or unsigned,
// and every task comes to its end.
func TestA128DrillLosesNothing(t *testing.T) {
	needBrowser(t)
	h := newHome(t)
	t.Setenv("TMPDIR", h.dir)
	got := h.runWithin(5*patience, "drill", "--flow", "mail", "--kills", "5", "--seed", "1", "--json")
	if got.code != ExitDone {
		t.Fatalf("exit %d, want 0\n%s%s", got.code, got.out, got.err)
	}
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	last := json.NewDecoder(strings.NewReader(lines[len(lines)-1]))
	last.DisallowUnknownFields()
	var sum struct{ Kills, Lost, Doubled, Unsigned, Stuck int }
	if err := last.Decode(&sum); err != nil {
		t.Fatalf("the last line is %q: %v", lines[len(lines)-1], err)
	}
	if sum.Kills == 0 || sum.Kills > 5 || sum.Lost+sum.Doubled+sum.Unsigned+sum.Stuck != 0 {
		t.Errorf("%+v, want some kills, at most 5, and nothing found", sum)
	}
	if left := browsersBelow(h.dir); len(left) > 0 {
		t.Errorf("%d browser processes are left", len(left))
	}
	entries, err := os.ReadDir(h.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "countersign-drill") {
			t.Errorf("%s is left", e.Name())
		}
	}
}

func TestDrillUse(t *testing.T) {
	h := newHome(t)
	for _, args := range [][]string{{"drill", "--kills", "0"}, {"drill", "mail"}, {"drill", "--flow", "rail"}, {"drill-desk"}} {
		if got := h.run(args...); got.code != ExitUsage || !strings.Contains(got.err, "INVALID_USAGE") {
			t.Errorf("%v: exit %d, stderr %q; want 2 and INVALID_USAGE", args, got.code, got.err)
		}
	}
	if got := h.run("help"); strings.Contains(got.out, "drill-desk") || !strings.Contains(got.out, "drill ") {
		t.Errorf("help should show drill and hide what it starts:\n%s", got.out)
	}
}
