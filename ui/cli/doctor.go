package cli

import (
	"context"

	"github.com/spf13/cobra"

	"countersign/ui/text"
)

func (c *command) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "What is here, what is missing, and the command that repairs it", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.doctor(cmd.Context()) },
	}
}

func (c *command) doctor(ctx context.Context) error {
	settings, _, err := c.settings()
	if err != nil {
		return err
	}
	findings := c.wiring.Probe(ctx, settings)
	if c.json {
		return c.printJSON(map[string]any{"version": c.wiring.Version, "findings": findings, "paths": map[string]string{
			"config": settings.Paths.Config, "state": settings.Paths.State, "store": settings.Paths.Store,
			"socket": settings.Paths.Socket(), "log": settings.Paths.Log(), "crash": settings.Paths.Crash(),
		}})
	}
	c.printf("countersign %s\n\n", c.wiring.Version)
	width := 0
	for _, f := range findings {
		width = max(width, text.Width(f.Name))
	}
	for _, f := range findings {
		mark := "ok     "
		if !f.OK {
			mark = "missing"
		}
		c.printf("%s  %s  %s\n", mark, text.Pad(f.Name, width), clean(f.Detail))
		if f.Repair != "" {
			c.printf("         repair: %s\n", f.Repair)
		}
	}
	c.printf("\n%s\n", settings.Paths)
	return nil
}
