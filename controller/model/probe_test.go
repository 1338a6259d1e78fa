package model

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/controller/controllertest/modeltest"
)

// verdict is what a server answers that holds its model to the schema.
func verdict() modeltest.Reply {
	return modeltest.Reply{Tokens: []modeltest.Token{{Text: `{"verdict":"yes"}`, Probability: 1}}}
}

func TestProbeSaysWhatItFound(t *testing.T) {
	cases := []struct {
		name           string
		arrange        func(*modeltest.Server)
		ok             bool
		detail, repair string
	}{
		{
			"everything", func(s *modeltest.Server) { s.RequireKey(secret) }, true,
			"reachable, key accepted, JSON schema, log probabilities", "",
		},
		{"no logprobs", func(s *modeltest.Server) { s.Refuse("logprobs") }, true, "JSON schema, no log probabilities", "llama.cpp or vLLM"},
		{"no schema", func(s *modeltest.Server) { s.Refuse("json_schema") }, true, "no JSON schema, log probabilities", "llama.cpp or vLLM"},
		{"schema ignored", func(s *modeltest.Server) { s.Script(modeltest.Text("Yes.")) }, true, "no JSON schema, no log probabilities", "llama.cpp or vLLM"},
		{"key refused", func(s *modeltest.Server) { s.RequireKey("another") }, false, "refused the key", "api_key_env"},
		{"unknown model", func(s *modeltest.Server) {
			s.Script(modeltest.Fail(http.StatusNotFound, "", "no model"))
		}, false, `the model "m"`, "/v1"},
		{"not there", (*modeltest.Server).Close, false, "cannot be reached", "Start the server"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := modeltest.Start(t)
			s.Answer(func(r modeltest.Request) modeltest.Reply {
				if strings.Contains(string(r.Body), "json_schema") {
					return verdict()
				}
				return modeltest.Reply{Tokens: []modeltest.Token{{Text: `{"answer":"yes"}`, Probability: 1}}}
			})
			c.arrange(s)
			m := Settings{BaseURL: s.URL(), Model: "m", APIKeyEnv: "KEY"}
			found := Probe(t.Context(), Roles{&m, &m, &m, &m}, func(string) string { return secret })
			if len(found) != 1 || found[0].Name != "planner, rescuer, shaper, decider model" {
				t.Fatalf("got %+v, want one finding for one model", found)
			}
			f := found[0]
			if f.OK != c.ok || !strings.Contains(f.Detail, c.detail) || !strings.Contains(f.Repair, c.repair) || c.repair == "" && f.Repair != "" {
				t.Errorf("got %+v, want %t %q %q", f, c.ok, c.detail, c.repair)
			}
			if text := fmt.Sprint(found); strings.Contains(text, secret) || strings.Contains(text, secret[:telling]) {
				t.Errorf("the key stands in %s", text)
			}
		})
	}
}

func TestProbeTriesEachModelOnce(t *testing.T) {
	s := modeltest.Start(t)
	s.Answer(func(modeltest.Request) modeltest.Reply { return verdict() })
	wide := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(wide, []byte(secret), 0o644); err != nil {
		t.Fatal(err)
	}
	big, small := Settings{BaseURL: s.URL(), Model: "big"}, Settings{BaseURL: s.URL(), Model: "small", APIKeyFile: wide}
	found := Probe(t.Context(), Roles{Planner: &big, Rescuer: &big, Decider: &small}, func(string) string { return "" })
	if len(found) != 2 || len(s.Requests()) != 1 {
		t.Fatalf("%+v after %d requests", found, len(s.Requests()))
	}
	if f := found[0]; !f.OK || f.Name != "planner, rescuer model" || f.Repair != "" || !strings.Contains(f.Detail, "no key needed") {
		t.Errorf("got %+v", f)
	}
	if f := found[1]; f.OK || f.Repair != "chmod 600 "+wide {
		t.Errorf("got %+v, want the command that repairs it", f)
	}
}
