package cli

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/facts"
	"countersign/surfaces/fault"
	"countersign/ui/outline"
)

// planFirst has the flow of a task in plain words written, shows it step by step
// and asks what becomes of it. False: it was discarded, and nothing started.
func (c *command) planFirst(ctx context.Context, d controller.Desk, req *task.StartRequest) (start bool, err error) {
	set, err := facts.New(req.Facts, req.SecretFacts)
	if err != nil {
		return false, err
	}
	c.printf("planning …\n")
	plan, err := d.PlanTask(ctx, task.PlanRequest{
		Task: set.WithNames(req.Task), FactNames: set.Names(), SecretFacts: req.SecretFacts, Surfaces: req.Constraints.Surfaces,
	})
	if err != nil {
		return false, err
	}
	raw, notes := []byte(outline.Pretty(plan.Flow)+"\n"), plan.Notes
	for {
		checked := flows.Check(raw, set.Names(), set.SecretNames(), set.IsCardData, payment(req.Constraints))
		c.showPlan(raw, checked, notes)
		said, err := c.askPlan(ctx, checked.Valid())
		switch {
		case err != nil:
			return false, err
		case said == "y" && checked.Valid():
			req.Flow = raw
			return true, nil
		case said != "e":
			c.printf("discarded: nothing was started\n")
			return false, nil
		}
		edited, err := c.edit(ctx, raw)
		if err != nil {
			c.refuse(err)
			continue
		}
		raw, notes = edited, nil // they speak of the plan as it was written
	}
}

// payment is the mode a flow is checked under.
func payment(con task.Constraints) flows.Payment {
	if con.Payment == "" {
		return flows.StopAtPayment
	}
	return con.Payment
}

// showPlan prints a plan, what it asks for, and what is wrong with it.
func (c *command) showPlan(raw []byte, checked flows.Checked, notes []string) {
	c.printf("\n")
	for _, r := range outline.Rows(raw) {
		c.printf("  %s%-6s %-11s %s\n", strings.Repeat("  ", r.Depth), r.Path, r.Kind, r.Words)
	}
	if vars := outline.Vars(raw); vars != "" {
		c.printf("with  %s\n", vars)
	}
	for _, m := range checked.Missing {
		c.printf("asks for  %s, which step %s needs\n", clean(m.Name), m.Step)
	}
	for _, note := range notes {
		c.printf("note  %s\n", clean(note))
	}
	for _, p := range checked.Errors {
		c.printf("error  %s  %s: %s\n", orWhole(clean(p.Path)), p.Code, clean(p.Message))
	}
}

// askPlan asks what becomes of a plan. What was typed before is dropped.
func (c *command) askPlan(ctx context.Context, valid bool) (string, error) {
	dropTyped(c.io.In)
	if valid {
		c.printf("start it? (y to start, e to edit with $EDITOR, anything else discards)\n")
	} else {
		c.printf("it cannot start like this (e to edit with $EDITOR, anything else discards)\n")
	}
	said, err := readLine(ctx, c.io.In)
	return strings.ToLower(strings.TrimSpace(said)), err
}

// readLine reads one line and not a byte more, so that an editor or the task's
// own questions get what follows. Its goroutine ends with the line, or with the
// process when ctx ends first.
func readLine(ctx context.Context, in io.Reader) (string, error) {
	typed := make(chan string, 1)
	go func() {
		var said []byte
		for b := make([]byte, 1); len(said) < lineLimit; {
			n, err := in.Read(b)
			if err != nil || n == 1 && b[0] == '\n' {
				break
			}
			said = append(said, b[:n]...)
		}
		typed <- string(said)
	}()
	select {
	case said := <-typed:
		return said, ctx.Err()
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// edit opens the person's editor on a flow and gives what they left there.
func (c *command) edit(ctx context.Context, raw []byte) ([]byte, error) {
	editor := c.io.Env("VISUAL")
	if editor == "" {
		editor = c.io.Env("EDITOR")
	}
	if editor == "" {
		return nil, usage("no editor is named").(*fault.Error).WithHint("Set EDITOR, for example EDITOR=nano, and start again.")
	}
	dir, err := os.MkdirTemp("", "countersign-plan-")
	if err != nil {
		return nil, fault.Wrap(fault.InvalidUsage, err, "no folder for the editor can be made")
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "plan.json")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		return nil, fault.Wrap(fault.InvalidUsage, err, "the plan cannot be written for the editor")
	}
	// Through a shell, as other programs do: EDITOR may hold words.
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", editor+` "$1"`, "sh", path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.io.In, c.io.Out, c.io.Err
	if err := cmd.Run(); err != nil {
		return nil, fault.Wrap(fault.InvalidUsage, err, "the editor failed, and the plan is as it was").WithHint("Check EDITOR.")
	}
	return c.readFlow(path)
}

// refuse tells what went wrong with an answer that may be given again.
func (c *command) refuse(err error) {
	f := fault.Of(err)
	c.printf("%s: %s\nhint: %s\n", f.Code, clean(f.Message), clean(f.Hint))
}
