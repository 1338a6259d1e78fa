package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"countersign/surfaces/demodesk"
	"countersign/surfaces/demosite"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

// demoDesktop runs the three tasks that cross between pages and programs.
func (c *command) demoDesktop(ctx context.Context, sites *demosite.Sites, headed bool) (err error) {
	settings, config, err := c.demoSettings()
	if err != nil {
		return err
	}
	if reason := c.wiring.NoDesktop; reason != "" {
		return fault.New(fault.DesktopNotAvailable, reason).WithHint("Build it with the headers of X installed: `make setup build`.")
	}
	note, err := c.note(settings)
	if err != nil {
		return err
	}
	requests, err := demosite.Crossings(sites.Addresses(), note)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fault.Wrap(fault.PlatformNotSupported, err, "this program cannot find itself to clear up after a kill")
	}
	desk, err := demodesk.Start(ctx, demodesk.Options{Headed: headed, Warden: self})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, desk.Close()) }()
	settings.Env = desk.Env
	where := "on a display of their own"
	if headed {
		where = "on your display"
	}
	return c.demoRun(ctx, settings, config, demoShow{
		requests: requests, headed: headed,
		greeting: "Three tasks between pages and programs, " + where + ".",
		plain:    "Three tasks run between pages and programs, " + where + ".",
	})
}

// note is the file that a task saves; one of an earlier demo is removed, so that
// nothing is to be overwritten.
func (c *command) note(s Settings) (string, error) {
	file := filepath.Join(s.Paths.State, "demo", "booking.txt")
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = os.RemoveAll(file)
	}
	if err != nil {
		return "", fault.Wrap(fault.StoreReadOnly, err, "the demo cannot write "+file)
	}
	return file, nil
}

// wardenCommand is the process that clears up after a killed demo; started by it,
// never by a person.
func (c *command) wardenCommand() *cobra.Command {
	return &cobra.Command{
		Use: host.WardenSubcommand, Hidden: true, Args: oneArg("folder"),
		RunE: func(_ *cobra.Command, args []string) error { return host.Watch(c.io.In, args[0]) },
	}
}
