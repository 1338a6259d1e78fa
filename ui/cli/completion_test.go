package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompletions: ids come with their state and title, files are of the kind
// that is taken, and values are those there are.
func TestCompletions(t *testing.T) {
	h := newHome(t)
	if got := h.run("run", "--json", "--task", "plan me"); got.code != ExitWaiting {
		t.Fatalf("exit %d\n%s%s", got.code, got.out, got.err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"report", ""}, "t-1\tTYPE plan me\n"},
		{[]string{"cancel", ""}, "t-1\tTYPE plan me\n"},
		{[]string{"report", "t-1", ""}, ":4\n"},
		{[]string{"check", ""}, "json\n:8\n"},
		{[]string{"run", "--surface", ""}, "browser\ndesktop\n"},
		{[]string{"run", "--payment", ""}, "stop_at_payment\nfill_then_approve\n"},
		{[]string{"tasks", ""}, ":4\n"},
	} {
		if got := h.run(append([]string{"__complete"}, tt.args...)...); !strings.HasPrefix(got.out, tt.want) {
			t.Errorf("%q offers\n%swant\n%s", tt.args, got.out, tt.want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if got := h.run("completion", shell); got.code != ExitDone || !strings.Contains(got.out, "countersign") {
			t.Errorf("%s: exit %d", shell, got.code)
		}
	}
	if got := h.run("cancel", "t-1"); got.code != ExitDone {
		t.Errorf("exit %d\n%s", got.code, got.err)
	}
	if got := h.run("__complete", "cancel", ""); strings.Contains(got.out, "t-1") {
		t.Errorf("a task that is over is offered to be ended:\n%s", got.out)
	}
}

// TestManualPages: each command that --help lists has one, with its flags.
func TestManualPages(t *testing.T) {
	h := newHome(t)
	dir := filepath.Join(t.TempDir(), "man1")
	if got := h.run("man", dir); got.code != ExitDone {
		t.Fatalf("exit %d\n%s", got.code, got.err)
	}
	for name, want := range map[string]string{
		"countersign": "Exit codes", "countersign-run": "allow-destructive", "countersign-report": "html", "countersign-check": "secret",
	} {
		page, err := os.ReadFile(filepath.Join(dir, name+".1"))
		if err != nil || !strings.Contains(strings.ReplaceAll(string(page), `\-`, "-"), want) {
			t.Errorf("%s(1) does not say %q: %v", name, want, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "countersign-robot.1")); err == nil {
		t.Error("what no person runs has a page")
	}
	if got := h.run("man"); !strings.Contains(got.out, "SYNOPSIS") {
		t.Errorf("exit %d\n%s", got.code, got.out)
	}
	if got := h.run("man", "a", "b"); got.code != ExitUsage {
		t.Errorf("exit %d, want 2", got.code)
	}
}
