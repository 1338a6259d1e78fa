package cli

import (
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"countersign/ui/cli/drill"
)

// drillKills is how many kills a drill without --kills makes: every kind on
// every flow, in about two minutes.
const drillKills = 60

func (c *command) drillCommand() *cobra.Command {
	var kills int
	var seed uint64
	var flows []string
	cmd := &cobra.Command{
		Use:   "drill",
		Short: "Kill a desk over and over, and count what that cost",
		Long: "drill runs the demo's payment, letter and membership in a desk of its own, kills that desk with\n" +
			"SIGKILL after and before its writes, around its presses and at random instants, starts it again,\n" +
			"answers what it asks, and counts from the side of the sites: acknowledged transitions that were\n" +
			"lost, presses that were doubled, presses nobody signed, tasks that are stuck. All four must be 0.\n" +
			"Stores, sites and browsers are the drill's own and gone afterwards, except where something was found.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("seed") {
				seed = uint64(rand.Uint32())
			}
			return c.drill(cmd.Context(), kills, seed, flows)
		},
	}
	cmd.Flags().IntVar(&kills, "kills", drillKills, "how many `kills`, at most; 500 is the long form")
	cmd.Flags().StringArrayVar(&flows, "flow", nil, "only this `flow`: shop-pay, mail or library; may be repeated")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "repeat the random instants of an earlier `seed`")
	return cmd
}

// drillDeskCommand is the desk that is killed; started by drill alone.
func (c *command) drillDeskCommand() *cobra.Command {
	return &cobra.Command{
		Use: drill.ChildCommand, Hidden: true, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return drill.Serve(cmd.Context(), c.io.In, c.io.Out, c.openDrill)
		},
	}
}

func (c *command) openDrill(ctx context.Context, f drill.Folder) (*drill.Opened, error) {
	opened, err := c.wiring.Open(ctx, Settings{
		Paths: Paths{State: f.State, Store: f.Store}, Executable: f.Executable, Around: f.Around,
	})
	if err != nil {
		return nil, err
	}
	return &drill.Opened{Desk: opened.Desk, Close: func() error { return opened.Close(true) }}, nil
}

func (c *command) drill(ctx context.Context, kills int, seed uint64, flows []string) error {
	if kills < 1 {
		return usage("--kills takes a number from 1 up")
	}
	for _, f := range flows {
		if !slices.Contains(drill.Flows(), f) {
			return usage("--flow takes one of " + strings.Join(drill.Flows(), ", "))
		}
	}
	settings, _, err := c.settings()
	if err != nil {
		return err
	}
	o := drill.Options{Kills: kills, Seed: seed, Flows: flows, Executable: settings.Executable}
	if !c.json {
		c.printf("seed %d\n", seed)
		shown := 0
		o.Told = func(n int) {
			if n/10 > shown/10 {
				shown = n
				c.printf("%d of %d kills\n", n, kills)
			}
		}
	}
	sum, err := drill.Run(ctx, o)
	if !c.json && sum.Kills > 0 {
		c.drillTable(sum)
	}
	c.drillFound(sum)
	if err != nil {
		return err
	}
	if c.json {
		if err := c.printJSON(sum); err != nil {
			return err
		}
	}
	if !sum.Clean() {
		return exitError{ExitFailed}
	}
	return nil
}

func drillRow(w io.Writer, r drill.Row) {
	fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", r.Flow, r.Kind, r.Trials, r.Kills, r.Done, r.Failed,
		r.Lost, r.Doubled, r.Unsigned, r.Stuck)
}

func (c *command) drillTable(sum drill.Summary) {
	w := tabwriter.NewWriter(c.io.Out, 0, 0, 2, ' ', 0)
	fprintf(w, "\nflow\tkilled\ttrials\tkills\tdone\tfailed\tlost\tdoubled\tunsigned\tstuck\n")
	total := drill.Row{Flow: "all", Verdict: sum.Verdict}
	for _, r := range sum.Rows {
		drillRow(w, r)
		total.Trials, total.Kills = total.Trials+r.Trials, total.Kills+r.Kills
		total.Done, total.Failed = total.Done+r.Done, total.Failed+r.Failed
	}
	drillRow(w, total)
	_ = w.Flush() // as with every line for a person
	c.printf("in %s\n", sum.Took.Round(time.Second))
	for _, f := range sum.Failed {
		c.printf("failed: %s\n", clean(f))
	}
}

// drillFound says where to look; on the error stream, so that --json keeps to
// its line.
func (c *command) drillFound(sum drill.Summary) {
	for _, f := range sum.Found {
		fprintf(c.io.Err, "%s, killed %s; kept in %s\n", f.Flow, f.Kind, f.Folder)
		for _, n := range f.Notes {
			fprintf(c.io.Err, "  %s\n", clean(n))
		}
	}
}
