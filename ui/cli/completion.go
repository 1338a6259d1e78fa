package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
)

// completions says what the shell offers behind each command and flag. What it
// cannot find out it does not say: a completion shows no errors.
func (c *command) completions(root *cobra.Command) {
	flow := func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
	}
	offered := map[string]cobra.CompletionFunc{
		"run": flow, "check": flow, "case": flow,
		"report": c.offerTasks(everyTask), "explain": c.offerTasks(everyTask), "cancel": c.offerTasks(endable),
	}

	values := map[string][]cobra.Completion{
		"surface": {string(surfaces.Browser), string(surfaces.Desktop)},
		"payment": {string(flows.StopAtPayment), string(flows.FillThenApprove)},
	}
	for _, cmd := range root.Commands() {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
		if offer := offered[cmd.Name()]; offer != nil {
			cmd.ValidArgsFunction = offer
		}
		for flag, some := range values {
			if cmd.Flags().Lookup(flag) != nil {
				_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(some, cobra.ShellCompDirectiveNoFileComp)) // it is there, and offered once
			}
		}
	}
}

func everyTask(task.View) bool { return true }

// endable reports a task that cancel does something to.
func endable(v task.View) bool { return slices.Contains(v.Next, task.OpCancel) }

// offerTasks offers the ids of tasks, each with its state and title.
func (c *command) offerTasks(fits func(task.View) bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []cobra.Completion
		err := c.withDesk(cmd.Context(), func(ctx context.Context, d controller.Desk) error {
			views, err := views(ctx, d, "", historyPage)
			for _, v := range views {
				if fits(v) {
					out = append(out, cobra.CompletionWithDesc(v.ID.String(), word(v)+" "+clean(v.Title)))
				}
			}
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}
