package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const peoplePage = `<!doctype html><title>People</title><main><table><tr><th>Name<th>What<tr><td>Ann Smith<td><button>Edit</button> <button>Delete</button>
<tr><td>Bob Jones<td><button>Edit</button> <button>Delete</button></table><button>Invite someone</button></main>`

func TestExplainOnAPage(t *testing.T) {
	needBrowser(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(peoplePage))
	}))
	t.Cleanup(server.Close)
	h := newHome(t)
	for _, tt := range []struct {
		name, sentence string
		code           int
		want           []string
	}{
		{"a control by its row", "press Edit in the row of Bob Jones", ExitDone, []string{`button "Edit" seen:`, "Bob Jones", "found by", "% sure)"}},
		{"one that only a guard presses", "press the second Delete", ExitDone, []string{`button "Delete"`, "number 2 of 2", "only a stop_before may press it"}},
		{"nothing, and what came near", "press Edit", ExitFailed, []string{"nothing clearly fits", `rather not button "Edit"`}},
		{"a sentence that types", `enter "Ann" in Name`, ExitFailed, []string{"it types"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := h.run("explain", "--look", server.URL, tt.sentence)
			for _, part := range tt.want {
				if !strings.Contains(got.out, part) {
					t.Errorf("no %q", part)
				}
			}
			if got.code != tt.code || t.Failed() {
				t.Errorf("exit %d, want %d\n%s%s", got.code, tt.code, got.out, got.err)
			}
		})
	}
	t.Run("as JSON", func(t *testing.T) {
		got := h.run("explain", "--json", "--look", server.URL, "invite a person")
		var is struct {
			Sentence, Why string
			Confidence    float64
			Control       *struct{ Ref, Role, Name string }
		}
		if err := json.Unmarshal([]byte(got.out), &is); err != nil || got.code != ExitDone {
			t.Fatalf("exit %d, %v\n%s%s", got.code, err, got.out, got.err)
		}
		if is.Control == nil || is.Control.Name != "Invite someone" || is.Control.Ref == "" || is.Confidence < 0.5 || is.Why == "" || is.Sentence != "invite a person" {
			t.Errorf("got %s", got.out)
		}
	})
}

func TestExplainRefusesWrongUse(t *testing.T) {
	h := newHome(t)
	for _, args := range [][]string{
		{"--look", "http://127.0.0.1:1"},
		{"--look", "http://127.0.0.1:1", " "},
		{"--look", "http://127.0.0.1:1", "press", "Save"},
		{"--endpoint", "nowhere", "press Save"},
		{"--look", "http://127.0.0.1:1", "--tab", "x", "press Save"},
		{"--tab", "x", "t-1"},
		{},
	} {
		if got := h.run(append([]string{"explain"}, args...)...); got.code != ExitUsage || !strings.Contains(got.err, "INVALID_USAGE: ") || !strings.Contains(got.err, "hint:") {
			t.Errorf("%v: exit %d %s", args, got.code, got.err)
		}
	}
	if got := h.run("explain", "--endpoint", "http://127.0.0.1:1", "press Save"); got.code != ExitFailed || !strings.Contains(got.err, "BROWSER_UNAVAILABLE") {
		t.Errorf("exit %d %s", got.code, got.err)
	}
}
