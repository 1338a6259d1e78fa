package ui

import (
	"countersign/controller/task"
	"countersign/flows/facts"
	"countersign/ui/composer"
)

// sensitive is the rule of the facts package for names typed without echo.
func sensitive(name string) bool { return facts.Sensitive(name) }

// checkFlow is the check every flow passes, wherever it comes from.
func checkFlow(req task.StartRequest) composer.Checked {
	return composer.Checked{Steps: stepsOf(req.Flow)}
}
