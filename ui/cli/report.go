package cli

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/text"
)

func (c *command) reportCommand() *cobra.Command {
	var page string
	var asked bool
	cmd := &cobra.Command{
		Use: "report ID", Short: "Everything one task did", Args: oneArg("task id"),
		Long: "report writes all that is kept of a task: its steps and acts, what it read, what was asked and answered.\n" +
			"With --html it is one page with the pictures in it, which loads nothing and runs nothing. With --decisions it is\n" +
			"every question as it stood before the person, and what became of it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := taskID(args[0])
			if err != nil {
				return err
			}
			if asked && page != "" {
				return usage("--decisions and --html are two forms of one report; ask for one")
			}
			if c.json && page != "" {
				return usage("--json and --html are two forms of one report; ask for one")
			}
			return c.withDesk(cmd.Context(), func(ctx context.Context, d controller.Desk) error {
				report, err := d.TaskReport(ctx, id, true)
				if err != nil {
					return err
				}
				switch {
				case c.json && asked:
					return c.printJSON(report.Decisions)
				case asked:
					c.printDecisions(report)
					return nil
				case c.json:
					return c.printJSON(report)
				case page != "":
					return c.writeHTML(ctx, d, report, page)
				}
				c.printReport(report)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asked, "decisions", false, "every question as it was shown, and its answer")
	cmd.Flags().StringVar(&page, "html", "", "write it as one page to this `file`; - is standard output")
	return cmd
}

func (c *command) printReport(r task.Report) {
	v := r.View
	c.printf("%s  %s  %s\n%s\n", v.ID, word(v), clean(v.Title), clean(v.Summary))
	if v.Status.State == task.Failed {
		c.printf("hint: %s\n", clean(v.Status.Hint))
	}
	c.printf("started %s, %s at work, %d actions, %d decider calls\n", clock(v.StartedAt),
		time.Duration(r.Spent.ElapsedMS)*time.Millisecond, r.Spent.Actions, r.Spent.ModelCalls)
	if len(r.Steps) > 0 {
		c.printf("\nSteps\n")
	}
	for _, s := range r.Steps {
		c.printf("%s\n", stepLine(s))
	}
	for i, rescue := range r.Rescues {
		c.printf("\nRescue %d at step %d: %s  (%s)\n  %s\n", i+1, rescue.Step, clean(rescue.Reason), clean(rescue.Outcome), clean(string(rescue.Steps)))
	}
	if len(v.Status.Result) > 0 {
		c.printf("\nResult\n  %s\n", clean(string(v.Status.Result)))
	}
	for _, name := range sortedKeys(r.Records) {
		c.printf("\n%s\n", clean(name))
		for _, row := range r.Records[name] {
			c.printf("  %s\n", rowLine(row))
		}
	}
	if len(r.Decisions) > 0 {
		c.printf("\nDecisions\n")
	}
	for _, d := range r.Decisions {
		c.printf("  %s  %s\n", clock(d.AskedAt), decisionLine(d))
	}
}

// stepLine is one step of a run as one line: path, outcome, words, note.
func stepLine(s flows.StepReport) string {
	indent := strings.Repeat("  ", strings.Count(s.Step, "."))
	if s.StandIn > 0 {
		indent += "↳ " // a rescue wrote it in place of the step it is numbered as
	}
	line := fmt.Sprintf("%s%s %s %s", indent, text.Pad(s.Step, 4), text.Pad(string(s.Outcome), 12), clean(string(s.Kind)+" "+s.Text))
	if s.Note != "" {
		line += "  " + clean(s.Note)
	}
	return line
}

func rowLine(row map[string]string) string {
	if v, ok := row["value"]; ok && len(row) == 1 {
		return clean(v)
	}
	var parts []string
	for _, k := range sortedKeys(row) {
		parts = append(parts, clean(k)+": "+clean(row[k]))
	}
	return strings.Join(parts, "  ")
}

func decisionLine(d task.Decision) string {
	line := fmt.Sprintf("%s %s", d.Question, d.State)
	if d.Evidence != nil {
		line += "  " + clean(string(d.Evidence.Class)+" "+d.Evidence.Control.String()+" at "+d.Evidence.Origin)
		if d.Evidence.LeavesSite() {
			line += "  going to " + clean(d.Evidence.Destination)
		}
	}
	if d.Answer != "" {
		line += "  answer: " + clean(d.Answer)
	}
	if d.Words != "" {
		line += "  (" + clean(d.Words) + ")"
	}
	if d.Who != "" {
		line += "  by " + clean(d.Who)
	}
	return line
}

func clock(ms int64) string { return time.UnixMilli(ms).Format("15:04:05") }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// clean makes foreign text one safe line.
func clean(s string) string { return text.Line(s) }
