package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"countersign/flows"
	"countersign/flows/facts"
	"countersign/surfaces/fault"
)

// flowLimit bounds a flow file: far above 200 steps of the longest texts.
const flowLimit = 4 << 20

func (c *command) checkCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "check FLOW.json|-",
		Short: "List a flow's errors with their paths",
		Long: "check lists what is wrong with a flow and what would be asked for, and starts nothing. It takes the\n" +
			"facts of run, so that secret ones can be told from the rest; a secret's value is never asked for.",
		Args: oneArg("flow file"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.check(cmd.Context(), args[0], f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.payment, "payment", string(flows.StopAtPayment), "payment `mode` it will run under")
	fl.StringArrayVar(&f.facts, "fact", nil, "a fact as `NAME=VALUE`; may be repeated")
	fl.StringArrayVar(&f.secrets, "secret", nil, "a secret fact: `NAME`, NAME=@FILE or NAME=env:VAR; may be repeated")
	return cmd
}

func (c *command) check(ctx context.Context, path string, f runFlags) error {
	raw, err := c.readFlow(path)
	if err != nil {
		return err
	}
	var asked []string // secrets whose value run would ask for
	f.secrets = slices.DeleteFunc(f.secrets, func(arg string) bool {
		name := strings.TrimSpace(arg)
		if name == "" || strings.Contains(name, "=") {
			return false
		}
		asked = append(asked, name)
		return true
	})
	values, secrets, err := c.facts(ctx, f)
	if err != nil {
		return err
	}
	set, err := facts.New(values, secrets)
	if err != nil {
		return err
	}
	card := func(name string) bool { return set.IsCardData(name) || facts.CardName(name) }
	checked := flows.Check(raw, slices.Concat(set.Names(), asked), slices.Concat(set.SecretNames(), asked), card, flows.Payment(f.payment))
	if c.json {
		if err := c.printJSON(checkedJSON(raw, checked)); err != nil {
			return err
		}
	} else {
		c.printChecked(path, raw, checked)
	}
	if !checked.Valid() {
		return exitError{ExitUsage}
	}
	return nil
}

// problem is one of a flow's, and where in its file.
type problem struct {
	flows.Problem
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // in bytes, from 1
}

// located finds problems in the flow's text.
func located(raw []byte, all []flows.Problem) []problem {
	out := make([]problem, len(all))
	for i, p := range all {
		line, column := flows.Locate(raw, p.Path)
		out[i] = problem{p, line, column}
	}
	return out
}

// printChecked writes each problem as compilers do (GNU Coding Standards,
// "Formatting Error Messages"), so that editors jump to it.
func (c *command) printChecked(path string, raw []byte, checked flows.Checked) {
	for _, p := range located(raw, checked.Errors) {
		c.printf("%s:%d:%d: error: %s  %s: %s\n", path, p.Line, p.Column, orWhole(p.Path), p.Code, clean(p.Message))
	}
	for _, p := range located(raw, checked.Warnings) {
		c.printf("%s:%d:%d: warning: %s  %s: %s\n", path, p.Line, p.Column, orWhole(p.Path), p.Code, clean(p.Message))
	}
	for _, m := range checked.Missing {
		c.printf("missing  ${%s} is asked for when the flow starts (step %s)\n", m.Name, m.Step)
	}
	if checked.Valid() {
		c.printf("%s: %d steps, no errors\n", path, checked.Steps)
		return
	}
	if len(checked.Errors) == 1 {
		c.printf("%s: 1 error\n", path)
		return
	}
	c.printf("%s: %d errors\n", path, len(checked.Errors))
}

func orWhole(path string) string {
	if path == "" {
		return "(flow)"
	}
	return path
}

type jsonChecked struct {
	Valid    bool      `json:"valid"`
	Errors   []problem `json:"errors"`
	Warnings []problem `json:"warnings"`
	Missing  []string  `json:"missing"`
	Steps    int       `json:"steps"`
}

func checkedJSON(raw []byte, checked flows.Checked) jsonChecked {
	out := jsonChecked{
		Valid: checked.Valid(), Errors: located(raw, checked.Errors), Warnings: located(raw, checked.Warnings),
		Missing: []string{}, Steps: checked.Steps,
	}
	for _, m := range checked.Missing {
		out.Missing = append(out.Missing, m.Name)
	}
	return out
}

// readFlow reads a flow file, or standard input for "-".
func (c *command) readFlow(path string) ([]byte, error) {
	in := io.Reader(c.io.In)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, fault.Wrap(fault.InvalidUsage, err, "the flow "+path+" cannot be read").
				WithHint("Check the path; `countersign guide` shows how a flow is written.")
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, flowLimit+1))
	if err != nil {
		return nil, fault.Wrap(fault.InvalidUsage, err, "the flow "+path+" cannot be read")
	}
	if len(raw) > flowLimit {
		return nil, fault.Newf(fault.InvalidFlow, "the flow is larger than %d MiB", flowLimit>>20)
	}
	return raw, nil
}

func (c *command) guideCommand() *cobra.Command {
	return &cobra.Command{
		Use: "guide", Short: "How to write a flow", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				return c.printJSON(map[string]string{"guide": flows.Guide()})
			}
			c.printf("%s", flows.Guide())
			return nil
		},
	}
}

// printJSON writes v as one line.
func (c *command) printJSON(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fault.Wrap(fault.Internal, err, "the answer cannot be written as JSON")
	}
	_, err = c.io.Out.Write(append(b, '\n'))
	return err
}
