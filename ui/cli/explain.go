package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
)

func (c *command) explainCommand() *cobra.Command {
	var f liveFlags
	cmd := &cobra.Command{
		Use: "explain ID [STEP] | --look URL SENTENCE", Short: "By which words a task's controls were found and its steps judged",
		Long: "explain prints, for every step of a task or for one (3, or 4.2.1), what was pressed, the words of the\n" +
			"sentence and of the screen by which the decider chose it, how sure it was, and by what it held the\n" +
			"step for done. What is chosen without the decider, and what a language model chose, has no words.\n" +
			"With --look, or --endpoint as in look, it asks a page instead: what a do step of this sentence would\n" +
			"press there, by which words of the embedded decider, and what else it may have been. Nothing is pressed;\n" +
			"it exits with 1 where nothing clearly fits.",
		Example: "  countersign explain t-3 4\n  countersign explain --look http://127.0.0.1:8100 'press \"Search\"'",
		Args: func(_ *cobra.Command, args []string) error {
			if f.live() {
				return f.check(args)
			}
			if f.tab != "" || f.viewport != "" || len(f.origins) > 0 || f.headed || f.tree {
				return usage("explain opens a page only with --look or --endpoint")
			}
			if len(args) == 0 || len(args) > 2 {
				return usage("explain takes a task id and, if you like, a step")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.live() {
				return c.explainOn(cmd.Context(), f, args[0])
			}
			id, err := taskID(args[0])
			if err != nil {
				return err
			}
			only := ""
			if len(args) > 1 {
				only = args[1]
			}
			return c.withDesk(cmd.Context(), func(ctx context.Context, d controller.Desk) error {
				report, err := d.TaskReport(ctx, id, true)
				if err != nil {
					return err
				}
				return c.explain(report, only)
			})
		},
	}
	f.bind(cmd)
	return cmd
}

// explain prints the reasons of the steps at and under a path, of all where it
// is empty.
func (c *command) explain(r task.Report, only string) error {
	var steps []flows.StepReport
	for _, s := range r.Steps {
		if only == "" || s.Step == only || strings.HasPrefix(s.Step, only+".") {
			steps = append(steps, s)
		}
	}
	if len(steps) == 0 && only != "" {
		return usage(fmt.Sprintf("task %s reached no step %s", r.View.ID, only))
	}
	if c.json {
		return c.printJSON(explained(steps))
	}
	for _, s := range steps {
		c.printf("%s\n", stepLine(s))
		for _, l := range reasonsOf(s) {
			c.printf("       %s\n", l)
		}
	}
	return nil
}

// reasonsOf are the lines under a step: each act with the words that chose its
// target, and what the step was judged by.
func reasonsOf(s flows.StepReport) []string {
	var lines []string
	for _, a := range s.Actions {
		line := a.Op
		if a.Target != nil {
			line += " " + a.Target.Role + " " + fmt.Sprintf("%q", a.Target.Name)
		}
		if a.Why != "" {
			line += ", found by " + a.Why
		}
		lines = append(lines, clean(line))
	}
	if s.Why != "" {
		lines = append(lines, clean(fmt.Sprintf("judged by %s (%.0f%% sure)", s.Why, 100*s.Confidence)))
	}
	return lines
}

// explanation is a step as --json gives it.
type explanation struct {
	Step       string             `json:"step"`
	Text       string             `json:"text"`
	Outcome    flows.Outcome      `json:"outcome"`
	Confidence float64            `json:"confidence"`
	Why        string             `json:"why"`
	Actions    []flows.ActionNote `json:"actions"`
}

func explained(steps []flows.StepReport) []explanation {
	out := make([]explanation, 0, len(steps))
	for _, s := range steps {
		out = append(out, explanation{s.Step, s.Text, s.Outcome, s.Confidence, s.Why, s.Actions})
	}
	return out
}
