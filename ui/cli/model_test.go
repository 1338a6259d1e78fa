package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/controller/controllertest/modeltest"
)

const modelKey = "sk-proj-9fA2kLq7Zx31vTnB8wYcE5uHdR0sJmPo"

// configure writes the home's configuration.
func (h *home) configure(text string) {
	h.t.Helper()
	dir := filepath.Join(h.dir, "config", "countersign")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// modelFinding is what doctor says about the model.
func modelFinding(t *testing.T, out string) Finding {
	t.Helper()
	var said struct{ Findings []Finding }
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for _, f := range said.Findings {
		if strings.HasSuffix(f.Name, " model") {
			return f
		}
	}
	t.Fatalf("no model among %+v", said.Findings)
	return Finding{}
}

func TestDoctorTriesTheModel(t *testing.T) {
	h, s := newHome(t), modeltest.Start(t)
	s.RequireKey(modelKey)
	s.Answer(func(modeltest.Request) modeltest.Reply {
		return modeltest.Reply{Tokens: []modeltest.Token{{Text: `{"verdict":"yes"}`, Probability: 1}}}
	})
	key := h.file("key", modelKey+"\n")
	// No browser is started: it is not what is tried here.
	h.configure("[browser]\nexecutable = \"/none\"\n[model]\nbase_url = \"" + s.URL() + "\"\nmodel = \"m\"\napi_key_file = \"" + key + "\"\n")

	good := h.run("doctor", "--json")
	if f := modelFinding(t, good.out); good.code != ExitDone || !f.OK || f.Name != "planner, rescuer, shaper model" ||
		!strings.Contains(f.Detail, "key accepted, JSON schema, log probabilities") {
		t.Errorf("exit %d, %+v", good.code, f)
	}
	lines := h.run("doctor")
	if !strings.Contains(lines.out, "ok       planner, rescuer, shaper model") {
		t.Errorf("got\n%s", lines.out)
	}

	s.RequireKey("another")
	refused := h.run("doctor", "--json")
	if f := modelFinding(t, refused.out); f.OK || !strings.Contains(f.Detail, "refused the key") || f.Repair == "" {
		t.Errorf("got %+v", f)
	}
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	wide := h.run("doctor", "--json")
	if f := modelFinding(t, wide.out); f.OK || f.Repair != "chmod 600 "+key {
		t.Errorf("got %+v", f)
	}
	tasks := h.run("tasks")
	if tasks.code != ExitDone {
		t.Errorf("a list needs no key: exit %d, %s", tasks.code, tasks.err)
	}
	run := h.run("run", h.file("f.json", `{"app":"browser","steps":[{"browse":"http://127.0.0.1:1/"}]}`), "--json")
	if run.code != ExitUsage || !strings.Contains(run.err, "INVALID_CONFIG") || !strings.Contains(run.err, "hint: chmod 600 "+key) {
		t.Errorf("exit %d, %s", run.code, run.err)
	}
	for _, e := range []ended{good, lines, refused, wide, tasks, run} {
		if strings.Contains(e.out+e.err, modelKey) || strings.Contains(e.out+e.err, modelKey[:12]) {
			t.Errorf("the key was printed:\n%s%s", e.out, e.err)
		}
	}
	assertNowhere(t, h, modelKey)
}
