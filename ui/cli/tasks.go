package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/surfaces/fault"
	"countersign/ui/text"
)

// historyPage is how many finished tasks `tasks` asks for at a time.
const historyPage = 200

func (c *command) tasksCommand() *cobra.Command {
	var query string
	var limit int
	cmd := &cobra.Command{
		Use: "tasks", Short: "List tasks, live ones first, then history", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withDesk(cmd.Context(), func(ctx context.Context, d controller.Desk) error {
				return c.tasks(ctx, d, query, limit)
			})
		},
	}
	cmd.Flags().StringVar(&query, "query", "", "only history whose title or state holds this `text`")
	cmd.Flags().IntVar(&limit, "limit", historyPage, "history entries at most")
	return cmd
}

func (c *command) tasks(ctx context.Context, d controller.Desk, query string, limit int) error {
	views, err := views(ctx, d, query, limit)
	if err != nil {
		return err
	}
	if c.json {
		for _, v := range views {
			if err := c.printJSON(v); err != nil {
				return err
			}
		}
		return nil
	}
	if len(views) == 0 {
		c.printf("no tasks yet; `countersign demo` shows some, `countersign run FLOW.json` starts one\n")
	}
	for _, v := range views {
		c.printf("%s  %s  %s  %s\n", text.Pad(v.ID.String(), 6), text.Pad(word(v), 10),
			time.UnixMilli(v.StartedAt).Format("2006-01-02 15:04"), clean(v.Title))
		c.printf("        %s\n", clean(v.Summary))
	}
	return nil
}

// views are the live tasks, then those of the history.
func views(ctx context.Context, d controller.Desk, query string, limit int) ([]task.View, error) {
	live, err := d.ListTasks(ctx)
	if err != nil {
		return nil, err
	}
	past, err := d.History(ctx, query, 0, limit)
	if err != nil {
		return nil, err
	}
	return append(live, without(past, live)...), nil
}

// without drops from past what is listed as live already.
func without(past, live []task.View) []task.View {
	seen := map[task.ID]bool{}
	for _, v := range live {
		seen[v.ID] = true
	}
	var out []task.View
	for _, v := range past {
		if !seen[v.ID] {
			out = append(out, v)
		}
	}
	return out
}

// word names a state the way the desk does (desk.md section 2).
func word(v task.View) string {
	switch v.Status.State {
	case task.NeedsApproval:
		return "DECIDE"
	case task.NeedsInput, task.NeedsPlan:
		return "TYPE"
	case task.NeedsHuman:
		return "BY HAND"
	case task.Checkpoint:
		switch {
		case v.Status.Continuable:
			return "DECIDE"
		case v.Paid == task.Paid:
			return "paid"
		case v.Paid == task.NotPaid:
			return "unpaid"
		}
		return "BY HAND"
	case task.Running, task.Done, task.Failed, task.Cancelled:
		return string(v.Status.State)
	default:
		return string(v.Status.State)
	}
}

func (c *command) cancelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cancel ID", Short: "End a task, or release the browser a finished one holds", Args: oneArg("task id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := taskID(args[0])
			if err != nil {
				return err
			}
			return c.withDesk(cmd.Context(), func(ctx context.Context, d controller.Desk) error {
				view, err := d.CancelTask(ctx, id, "")
				if fault.CodeOf(err) == fault.NoSuchTask {
					return c.over(ctx, d, id, err)
				}
				if err != nil {
					return err
				}
				return c.printView(view)
			})
		},
	}
}

// over answers for a task that is history: there is nothing left to end. An
// unknown id keeps the error it had.
func (c *command) over(ctx context.Context, d controller.Desk, id task.ID, unknown error) error {
	report, err := d.TaskReport(ctx, id, false)
	if err != nil {
		return unknown
	}
	return c.printView(report.View)
}

func (c *command) pruneCommand() *cobra.Command {
	var age string
	cmd := &cobra.Command{
		Use: "prune --older-than AGE", Short: "Remove finished tasks and their pictures", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			limit, err := parseAge(age)
			if err != nil {
				return err
			}
			return c.withDesk(cmd.Context(), func(ctx context.Context, d controller.Desk) error {
				ids, err := d.Prune(ctx, limit)
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(map[string]any{"pruned": ids})
				}
				if len(ids) == 1 {
					c.printf("1 task removed\n")
					return nil
				}
				c.printf("%d tasks removed\n", len(ids))
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&age, "older-than", "", "`age` such as 30d or 12h (required)")
	return cmd
}

func (c *command) printView(v task.View) error {
	if c.json {
		return c.printJSON(v)
	}
	c.printf("%s  %s  %s\n", v.ID, word(v), clean(v.Summary))
	return nil
}

// withDesk opens the controller for one call and closes it again, or asks the
// desk that holds the store; browsers of waiting tasks stay open. No task runs in
// it, so it needs no model and no key.
func (c *command) withDesk(ctx context.Context, call func(context.Context, controller.Desk) error) error {
	settings, _, err := c.settings()
	if err != nil {
		return err
	}
	settings.Models = Models{}
	opened, err := c.open(ctx, settings)
	if err != nil {
		return err
	}
	err = call(ctx, opened.Desk)
	if closing := opened.Close(false); err == nil {
		err = closing
	}
	return err
}

func taskID(s string) (task.ID, error) {
	id, err := task.ParseID(s)
	if err != nil {
		return 0, usage(err.Error())
	}
	return id, nil
}
