package controller

import (
	"context"
	_ "embed"
	"encoding/json"

	"countersign/controller/chat"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

//go:embed members.json
var membersJSON []byte

// Describe implements Operations.
func (c *Controller) Describe(context.Context) (task.Capabilities, error) {
	var members []task.Member
	if err := json.Unmarshal(membersJSON, &members); err != nil {
		return task.Capabilities{}, fault.Wrap(fault.Internal, err, "the description of the operations cannot be read")
	}
	decider := c.opts.Runner.Decider()
	caps := task.Capabilities{
		Version: c.opts.Version, Surfaces: orEmpty(c.opts.Opener.Available()), DeciderConfigured: decider != "",
		StepKinds: flows.Kinds(), Guide: flows.Guide(), Members: members, Examples: examples(),
	}
	if decider != "" {
		caps.DecisionModel = &task.Model{Provider: "countersign", Model: decider}
	}
	if c.opts.DecisionModel != nil {
		caps.DecisionModel = c.opts.DecisionModel
	}
	caps.PlannerConfigured, caps.PlannerModel = named(c.opts.Planner)
	caps.RescueConfigured, caps.RescueModel = named(c.opts.Rescuer)
	caps.OutputConfigured, caps.OutputModel = named(c.opts.Shaper)
	return caps, nil
}

// named says whether a role has a model, and which.
func named(m chat.Model) (bool, *task.Model) {
	if m == nil {
		return false, nil
	}
	name := m.Name()
	return true, &name
}

// examples really decode and start.
func examples() []task.StartRequest {
	return []task.StartRequest{
		{
			Task:        "Find the opening hours of the library",
			Flow:        json.RawMessage(`{"app":"browser","vars":{"hours":""},"steps":[{"browse":"https://library.test/visit"},{"read":{"what":"the opening hours","into":"hours"}}]}`),
			Constraints: task.Constraints{Surfaces: []string{"browser"}, Origins: []string{"https://library.test"}},
		},
		{
			Flow:  json.RawMessage(`{"app":"browser","steps":[{"browse":"https://library.test/join"},{"enter":{"name":"${name}","telephone":"${phone}"}},{"stop_before":"submitting the membership form"}]}`),
			Facts: map[string]string{"name": "Jo Park", "phone": "+45 20 30 40 50"},
		},
	}
}

// health is the state of the parts; store is a code, empty for ok.
func (c *Controller) health(store fault.Code) task.Health {
	h := task.Health{Store: orOK(string(store)), Decider: c.opts.Runner.Decider(), Surfaces: map[string]string{}}
	if h.Decider == "" {
		h.Decider = string(fault.DeciderNotConfigured)
	}
	for _, a := range c.opts.Opener.Available() {
		word := "ok"
		if !a.Available {
			word = string(fault.DesktopNotAvailable)
			if a.Kind == surfaces.Browser {
				word = string(fault.BrowserUnavailable)
			}
		}
		h.Surfaces[string(a.Kind)] = word
	}
	return h
}

func orOK(code string) string {
	if code == "" {
		return "ok"
	}
	return code
}
