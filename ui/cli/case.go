package cli

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"countersign/surfaces/fault"
	"countersign/ui/cli/corpus"
)

func (c *command) caseCommand() *cobra.Command {
	var only string
	cmd := &cobra.Command{
		Use:   "case FILE...",
		Short: "Run the cases of a page, and print what was seen, asked and done",
		Long: "case runs flows on a page that comes with them, with the embedded decider alone, in a browser of its\n" +
			"own. It prints the screen of every look, every question with its answer and the words that decided,\n" +
			"every act, and at the end what differs from what the case wants. The files lie in\n" +
			"flows/testdata/cases of the source; ui/cli/corpus describes them.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("case takes files of cases")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.cases(cmd.Context(), args, only) },
	}
	cmd.Flags().StringVar(&only, "only", "", "run only cases with this `text` in their name")
	return cmd
}

func (c *command) cases(ctx context.Context, files []string, only string) (err error) {
	settings, _, err := c.settings()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "countersign-case-")
	if err != nil {
		return fault.Wrap(fault.StoreReadOnly, err, "no folder can be made for the browser").
			WithHint("Let TMPDIR name a folder that can be written.")
	}
	b := &corpus.Bench{}
	b.Open, b.Runner = c.wiring.Bench(settings, folder)
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		if closed := b.Close(closing); err == nil {
			err = closed
		}
		_ = os.RemoveAll(folder) // temporary anyway
	}()
	passed := true
	for _, path := range files {
		f, err := corpus.Read(path)
		if err != nil {
			return err
		}
		ok, err := c.casesOf(ctx, b, f, only)
		if err != nil {
			return err
		}
		passed = passed && ok
	}
	if !passed {
		return exitError{ExitFailed}
	}
	return nil
}

func (c *command) casesOf(ctx context.Context, b *corpus.Bench, f *corpus.File, only string) (bool, error) {
	passed := true
	for _, one := range f.Cases {
		if !strings.Contains(one.Name, only) {
			continue
		}
		c.printf("%s: %s (%s)\n", clean(f.Name), clean(one.Name), clean(f.Topic))
		did, err := b.Run(ctx, f, one, &corpus.Teller{Out: c.io.Out})
		if err != nil {
			return false, err
		}
		c.printf("\n%s in %s, %s a step\n", did.Outcome, did.Took.Round(time.Millisecond), did.PerStep())
		for _, l := range did.Log {
			c.printf("  logged %s\n", clean(l))
		}
		for _, w := range did.Wrong {
			c.printf("  WRONG: %s\n", clean(w))
		}
		passed = passed && len(did.Wrong) == 0
	}
	return passed, nil
}
