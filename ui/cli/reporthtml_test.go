package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// pictures is a desk that keeps one picture.
type pictures struct{ controller.Desk }

func (pictures) Picture(_ context.Context, sha256 string) ([]byte, error) {
	if sha256 != "kept" {
		return nil, fault.New(fault.NoSuchOutput, "no such picture")
	}
	return []byte("\x89PNG"), nil
}

// TestReportPageIsSelfContained: what pages and people wrote is text in it and
// nothing else, and it loads nothing.
func TestReportPageIsSelfContained(t *testing.T) {
	const hostile = "<script>alert(1)</script><img src=http://127.0.0.1/x onerror=alert(2)>\u202e\x1b[2J\" onload=\"x"
	r := task.Report{
		View:    task.View{ID: task.ID(1), Title: hostile, Summary: hostile},
		Request: task.StartRequest{Task: hostile},
		Steps: []flows.StepReport{{
			Step: "1.1", Kind: "do", Text: hostile, Outcome: "failed", Note: hostile,
			Actions: []flows.ActionNote{{Op: "click", Target: &surfaces.Target{Role: "button", Name: hostile}, Change: hostile}},
		}},
		Records: map[string]task.Rows{hostile: {{hostile: hostile}, {"b": "2"}}},
		Decisions: []task.Decision{{Evidence: &flows.Evidence{
			Origin: hostile, Address: "javascript:alert(1)", Control: flows.EvidenceControl{Role: "button", Name: hostile},
			Words: []string{hostile}, Picture: "kept", Box: surfaces.Bounds{X: 1, Y: 2, Width: 30, Height: 4},
		}, Words: hostile}},
		Artifacts: []task.Artifact{{SHA256: "kept", Width: 90, Height: 60}, {SHA256: "gone"}},
	}
	file := t.TempDir() + "/report.html"
	var said bytes.Buffer
	c := &command{io: Streams{Out: &said}}
	if err := c.writeHTML(t.Context(), pictures{}, r, file); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
	if bytes.ContainsAny(page, "\x1b\u202e") {
		t.Error("what is not text went into the page")
	}
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		for _, a := range n.Attr {
			loads := a.Key == "src" || a.Key == "href"
			if strings.HasPrefix(a.Key, "on") || loads && !strings.HasPrefix(a.Val, "data:image/png;base64,") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
	}
	for element, want := range map[string]int{"script": 0, "img": 0, "link": 0, "image": 1, "rect": 1, "th": 2} {
		if count[element] != want {
			t.Errorf("%d <%s>, want %d", count[element], element, want)
		}
	}
	if !bytes.Contains(page, []byte("default-src &#39;none&#39;")) && !bytes.Contains(page, []byte("default-src 'none'")) {
		t.Error("the browser is not told to load nothing")
	}
}
