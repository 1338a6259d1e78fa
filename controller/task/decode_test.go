package task

import (
	"encoding/json"
	"strings"
	"testing"

	"countersign/flows"
	"countersign/surfaces/fault"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeStart(t *testing.T) {
	actions, yes := 90, true
	raw := `{"task":"Order two notebooks","flow":{"app":"browser","steps":["a"]},"facts":{"city":"Aarhus"},"secret_facts":["city"],
		"constraints":{"payment":"fill_then_approve","surfaces":["browser"],"origins":["https://.paperloft.test"],"headed":true},
		"budget":{"max_actions":90,"max_elapsed_ms":null},"memory":[{"app":"browser","step_key":"a","role":"button","name":"b","path":[]}],
		"trace":true,"output":{"instructions":"three","schema":{"type":"object"}}}`
	got, err := DecodeStart([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	want := StartRequest{
		Task: "Order two notebooks", Flow: json.RawMessage(`{"app":"browser","steps":["a"]}`),
		Facts: map[string]string{"city": "Aarhus"}, SecretFacts: []string{"city"},
		Constraints: Constraints{Payment: flows.FillThenApprove, Surfaces: []string{"browser"}, Origins: []string{"https://.paperloft.test"}, Headed: yes},
		Budget:      Budget{MaxActions: &actions},
		Memory:      []flows.Hint{{App: "browser", StepKey: "a", Role: "button", Name: "b", Path: []string{}}},
		Trace:       true, Output: &Output{Instructions: "three", Schema: json.RawMessage(`{"type":"object"}`)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err := DecodeStart([]byte(`{"task":"x","flow":null,"output":null}`)); err != nil || got.Flow != nil || got.Output != nil {
		t.Errorf("null is not absent: %+v %v", got, err)
	}
	// A flow's own keys are not the request's.
	if _, err := DecodeStart([]byte(`{"flow":{"any":{"thing":[1]}}}`)); err != nil {
		t.Errorf("a flow was looked into: %v", err)
	}
}

func TestDecodeStartRefuses(t *testing.T) {
	for _, row := range []struct{ name, raw, names string }{
		{"unknown key", `{"tusk":"x"}`, "tusk"},
		{"key in another case", `{"Task":"x"}`, "Task"},
		{"unknown key in constraints", `{"constraints":{"origin":["x"]}}`, "constraints.origin"},
		{"unknown key in budget", `{"budget":{"actions":1}}`, "budget.actions"},
		{"unknown key in output", `{"output":{"instructions":"x","style":"y"}}`, "output.style"},
		{"unknown key in memory", `{"memory":[{"ref":"x"}]}`, "memory[0].ref"},
		{"a screenshot", `{"screenshot":true}`, "screenshot"},
		{"key twice", `{"task":"x","task":"y"}`, "task is given twice"},
		{"fact twice", `{"facts":{"a":"1","a":"2"}}`, "facts.a is given twice"},
		{"task is a number", `{"task":1}`, "task"},
		{"a fact is a number", `{"facts":{"n":1}}`, "facts"},
		{"trace is a string", `{"trace":"yes"}`, "trace"},
		{"headed is a string", `{"constraints":{"headed":"yes"}}`, "constraints.headed"},
		{"votes is a fraction", `{"budget":{"votes":1.5}}`, "budget.votes"},
		{"facts is a list", `{"facts":[]}`, "facts"},
		{"secret_facts is an object", `{"secret_facts":{}}`, "secret_facts"},
		{"constraints is a list", `{"constraints":[]}`, "constraints"},
		{"no instructions", `{"output":{"schema":{}}}`, "output.instructions"},
		{"something follows", `{"task":"x"} {}`, "follows"},
		{"rubbish follows", `{"task":"x"}]`, "follows"},
		{"cut short", `{"task":"x"`, "early"},
		{"a list", `[]`, "no JSON object"},
		{"nothing", ` `, "no JSON object"},
		{"no JSON", `{task:1}`, "cannot be read"},
		{"too large", `{"task":"` + strings.Repeat("x", MaxRequestBytes) + `"}`, "larger"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := DecodeStart([]byte(row.raw))
			if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(err.Error(), row.names) {
				t.Errorf("got %+v %v, want INVALID_REQUEST naming %q", got, err, row.names)
			}
		})
	}
}

func TestDecodeContinue(t *testing.T) {
	yes := true
	got, err := DecodeContinue([]byte(`{"id":"t-2","inputs":{"phone":"+45"},"approve":true,"digest":"9c","answer":"ok"}`))
	want := ContinueRequest{ID: 2, Inputs: map[string]string{"phone": "+45"}, Approve: &yes, Digest: "9c", Answer: "ok"}
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("got %+v %v, want %+v", got, err, want)
	}
	if got, err := DecodeContinue([]byte(`{"id":"t-2"}`)); err != nil || got.Approve != nil {
		t.Errorf("absent approve: %+v %v", got, err)
	}
	for raw, names := range map[string]string{
		`{"inputs":{}}`:                 "id",
		`{"id":"2"}`:                    "no task id",
		`{"id":2}`:                      "id",
		`{"id":"t-2","approve":"yes"}`:  "approve",
		`{"id":"t-2","ShownMS":5}`:      "ShownMS",
		`{"id":"t-2","shown_ms":5}`:     "shown_ms",
		`{"id":"t-2","inputs":{"a":1}}`: "inputs",
		`{"id":"t-2","aprove":true}`:    "aprove",
		`{"id":"t-2"} x`:                "follows",
	} {
		got, err := DecodeContinue([]byte(raw))
		if fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(err.Error(), names) {
			t.Errorf("%s: got %+v %v, want INVALID_REQUEST naming %q", raw, got, err, names)
		}
	}
}

func FuzzDecodeRequests(f *testing.F) {
	for _, seed := range []string{`{"task":"x","flow":[],"budget":{"votes":7}}`, `{"id":"t-1","approve":false}`, `{"facts":{"a":"b"}}`, `{`, `{"memory":[{}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, err := DecodeContinue(raw); err != nil && fault.CodeOf(err) != fault.InvalidRequest {
			t.Error(err)
		}
		req, err := DecodeStart(raw)
		if err != nil {
			if fault.CodeOf(err) != fault.InvalidRequest {
				t.Error(err)
			}
			return
		}
		out, err := json.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeStart(out); err != nil && len(out) <= MaxRequestBytes {
			t.Errorf("%s is read, but %s is not: %v", raw, out, err)
		}
	})
}
