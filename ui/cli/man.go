package cli

import (
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"countersign/surfaces/fault"
)

// manCommand writes the manual pages, one a command, from what --help says.
func (c *command) manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "man [FOLDER]", Short: "The manual page, or all of them into a folder",
		Example: "  countersign man | man -l -\n  countersign man ~/.local/share/man/man1",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("man takes one folder at most")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			now := time.Now()
			header := &doc.GenManHeader{Section: "1", Source: "countersign " + c.wiring.Version, Manual: "countersign", Date: &now}
			root.DisableAutoGenTag = true
			if len(args) == 0 {
				return doc.GenMan(root, header, c.io.Out)
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fault.Wrap(fault.InvalidUsage, err, "the folder "+args[0]+" cannot be made").WithHint("Name a folder that can be written.")
			}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fault.Wrap(fault.InvalidUsage, err, "the manual pages cannot be written").WithHint("Name a folder that can be written.")
			}
			return nil
		},
	}
}
