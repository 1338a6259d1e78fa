package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"

	"countersign/controller/chat"
	"countersign/surfaces/fault"
)

// probePatience bounds the look at one model.
const probePatience = 10 * time.Second

// Finding is what `countersign doctor` says about one model.
type Finding struct {
	Name   string
	OK     bool
	Detail string // what was found, one line
	Repair string // what repairs it; empty when nothing needs to be
}

// Probe tries each model that is configured with one small request, at most
// 10 s each. Nothing it says holds a key.
func Probe(ctx context.Context, r Roles, env func(string) string) []Finding {
	var out []Finding
	for _, g := range groups(r) {
		f := Finding{Name: strings.Join(g.roles, ", ") + " model"}
		c, err := newClient(g.settings, env)
		if err != nil {
			f.Detail, f.Repair = fault.Of(err).Message, fault.Of(err).Hint
		} else {
			c.probe(ctx, &f, r.Decider != nil && *r.Decider == g.settings)
		}
		out = append(out, f)
	}
	return out
}

// group is the roles that one model serves.
type group struct {
	roles    []string
	settings Settings
}

func groups(r Roles) []group {
	var out []group
next:
	for _, role := range []struct {
		name     string
		settings *Settings
	}{{"planner", r.Planner}, {"rescuer", r.Rescuer}, {"shaper", r.Shaper}, {"decider", r.Decider}} {
		if role.settings == nil {
			continue
		}
		for i := range out {
			if out[i].settings == *role.settings {
				out[i].roles = append(out[i].roles, role.name)
				continue next
			}
		}
		out = append(out, group{[]string{role.name}, *role.settings})
	}
	return out
}

// probe asks for something that only a server which holds its model to a schema
// answers with: nothing in the words asks for JSON of that shape.
func (c *client) probe(ctx context.Context, f *Finding, decides bool) {
	defer c.transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	got, failed := c.once(ctx, request{
		turns:       []chat.Turn{{Role: chat.User, Text: "Is water wet? Answer in JSON."}},
		schema:      json.RawMessage(`{"type":"object","properties":{"verdict":{"type":"string","enum":["yes","no"]}},"required":["verdict"],"additionalProperties":false}`),
		temperature: openai.Float(0), brief: true, likely: true,
	}, 0)
	if failed != nil {
		f.Detail, f.Repair = failed.fault.Message, failed.fault.Hint
		return
	}
	f.OK = true
	found := []string{"reachable", "no key needed"}
	if !c.key.none() {
		found[1] = "key accepted"
	}
	schema, likely := fits(got.text.String()), len(got.tokens) > 0
	found = append(found, has(schema, "JSON schema"), has(likely, "log probabilities"))
	if c.plain {
		found = append(found, "not encrypted on its way")
	}
	f.Detail = fmt.Sprintf("%s: %s", c, strings.Join(found, ", "))
	if decides && !(schema && likely) {
		f.Repair = "decisions are better with both: serve the decider with llama.cpp or vLLM, in [model.decider]"
	}
}

func has(yes bool, what string) string {
	if yes {
		return what
	}
	return "no " + what
}

func fits(text string) bool {
	var answer map[string]string
	err := json.Unmarshal([]byte(text), &answer)
	return err == nil && len(answer) == 1 && (answer["verdict"] == "yes" || answer["verdict"] == "no")
}
