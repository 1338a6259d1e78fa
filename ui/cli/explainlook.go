package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"countersign/flows"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// liveFlags say which page a sentence is to be explained on.
type liveFlags struct {
	look string
	lookFlags
}

func (f *liveFlags) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.look, "look", "", "open the page at this `address` and say what a sentence chooses there")
	f.lookFlags.bind(cmd)
}

// live reports that a page is asked, not a task.
func (f *liveFlags) live() bool { return f.look != "" || f.endpoint != "" }

// explainOn says what a sentence chooses on a page, by the embedded decider.
// Nothing is pressed.
func (c *command) explainOn(ctx context.Context, f liveFlags, sentence string) error {
	var at []string
	if f.look != "" {
		at = append(at, f.look)
	}
	return c.looking(ctx, at, f.lookFlags, func(s Settings, folder string, w Window) error {
		screen, r := w.Observe(ctx, "", "", surfaces.Full)
		if r != nil {
			return r.Err()
		}
		_, runner := c.wiring.Bench(s, folder)
		found, err := runner.Find(ctx, screen, sentence)
		if err != nil {
			return err
		}
		return c.tellFound(screen, sentence, found)
	})
}

func (c *command) tellFound(screen *surfaces.Screen, sentence string, found flows.Found) error {
	if c.json {
		if err := c.printJSON(foundJSON(screen, sentence, found)); err != nil {
			return err
		}
	} else {
		c.printf("%s\n%s\n%s\n", clean(screen.Window), clean(screen.Address), clean(sentence))
		for _, l := range findings(found) {
			c.printf("  %s\n", clean(l))
		}
	}
	if found.Control == nil {
		return exitError{ExitFailed}
	}
	return nil
}

// findings tells what was found and by which words, whether a guard has to press
// it, and what else it may have been.
func findings(found flows.Found) []string {
	var lines []string
	switch {
	case found.Note != "":
		lines = append(lines, found.Note)
	case found.Control == nil:
		lines = append(lines, "nothing clearly fits: quote what is written on the control, or say where it stands")
	default:
		line := fmt.Sprintf("%s (%.0f%% sure)", placed(found.Control), 100*found.Sure)
		if found.Why != "" {
			line += ", found by " + found.Why
		}
		lines = append(lines, line)
	}
	if found.Refused != "" {
		lines = append(lines, "only a stop_before may press it: "+found.Refused)
	}
	for _, n := range found.Near {
		lines = append(lines, fmt.Sprintf("rather not %s (%.0f%%)", placed(n.Control), 100*n.P))
	}
	return lines
}

// placed is a control with where it stands and the ref that look prints.
func placed(k *surfaces.Candidate) string {
	out := k.Label() + " " + k.Ref
	if len(k.Path) > 0 {
		out += " in " + strings.Join(k.Path, " › ")
	}
	return out
}

// liveExplanation is an answer as --json gives it.
type liveExplanation struct {
	Address    string   `json:"address"`
	Sentence   string   `json:"sentence"`
	Control    *choice  `json:"control"` // null: nothing clearly fits
	Confidence float64  `json:"confidence"`
	Why        string   `json:"why"`
	GuardOnly  string   `json:"guard_only,omitempty"` // by which rule
	Note       string   `json:"note,omitempty"`
	Near       []nearly `json:"near"`
}

type choice struct {
	surfaces.Target
	Path []string `json:"path"`
}

type nearly struct {
	choice
	Confidence float64 `json:"confidence"`
}

func foundJSON(screen *surfaces.Screen, sentence string, found flows.Found) liveExplanation {
	out := liveExplanation{
		Address: screen.Address, Sentence: sentence, Confidence: found.Sure, Why: found.Why, GuardOnly: found.Refused,
		Note: found.Note, Near: []nearly{},
	}
	if k := found.Control; k != nil {
		chosen := choiceOf(k)
		out.Control = &chosen
	}
	for _, n := range found.Near {
		out.Near = append(out.Near, nearly{choiceOf(n.Control), n.P})
	}
	return out
}

func choiceOf(k *surfaces.Candidate) choice {
	return choice{surfaces.Target{Ref: k.Ref, Role: k.Role, Name: k.Name}, append([]string{}, k.Path...)}
}

// check refuses what is no sentence for a page.
func (f *liveFlags) check(args []string) error {
	if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
		return fault.New(fault.InvalidUsage, "explain takes one sentence for a page").
			WithHint(`Put it in quotes: countersign explain --look URL 'press "Add to cart"'.`)
	}
	return nil
}
