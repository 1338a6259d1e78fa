package ui

import (
	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/facts"
	"countersign/surfaces/fault"
	"countersign/ui/composer"
)

// sensitive is the rule of the facts package for names typed without echo.
func sensitive(name string) bool { return facts.Sensitive(name) }

// checkFlow is the check every flow passes, wherever it comes from. It judges
// names and values and keeps neither.
func checkFlow(req task.StartRequest) composer.Checked {
	set, err := facts.New(req.Facts, req.SecretFacts)
	if err != nil {
		f := fault.Of(err)
		return composer.Checked{Errors: []flows.Problem{{Code: string(f.Code), Message: f.Message}}}
	}
	c := flows.Check(req.Flow, set.Names(), set.SecretNames(), set.IsCardData, req.Constraints.Payment)
	out := composer.Checked{Steps: c.Steps, Errors: c.Errors, Warnings: c.Warnings}
	for _, m := range c.Missing {
		out.Missing = append(out.Missing, composer.Missing{Name: m.Name, Step: m.Step, Kind: facts.KindOf(m.Name)})
	}
	return out
}
