package cli

import (
	"strings"
	"testing"
)

func TestCasePrintsWhatWasSeenAskedAndDone(t *testing.T) {
	needBrowser(t)
	h := newHome(t)
	const good = "../../flows/testdata/cases/sticky-header.json"
	got := h.run("case", good, "--only", "under the header")
	if got.code != ExitDone {
		t.Fatalf("exit %d, want 0\n%s%s", got.code, got.out, got.err)
	}
	for _, part := range []string{`| button "Open order 12"`, "? target", `! click button "Open order 12" ok`, "= done in", "logged opened 12", "completed in"} {
		if !strings.Contains(got.out, part) {
			t.Errorf("no %q in\n%s", part, got.out)
		}
	}
	page := h.file("own.html", "<!doctype html><title>Own</title><button>Go</button>")
	own := h.file("own.json", `{"topic": "a page beside its cases", "page": "own.html", "cases": [
		{"name": "wrong", "steps": [{"verify": "the button Go is showing"}], "want": {"outcome": "failed"}}]}`)
	if got := h.run("case", own); got.code != ExitFailed || !strings.Contains(got.out, "WRONG: completed, wanted failed") {
		t.Errorf("%s: exit %d\n%s%s", page, got.code, got.out, got.err)
	}
}

func TestCaseRefusesWhatIsNone(t *testing.T) {
	h := newHome(t)
	bad := h.file("bad.json", `{"topic": "x", "page": "none.html", "cases": [{"name": "a", "steps": ["b"], "want": {"colour": "red"}}]}`)
	for _, args := range [][]string{{"case"}, {"case", "no-such-file.json"}, {"case", bad}} {
		if got := h.run(args...); got.code != ExitUsage || !strings.Contains(got.err, "hint:") {
			t.Errorf("%v: exit %d, want 2: %s", args, got.code, got.err)
		}
	}
}
