package cli

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/demosite"
	"countersign/surfaces/fault"
)

type demoFlags struct {
	sites  bool
	listen string
	flows  string
}

func (c *command) demoCommand() *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Five tasks on local sites in a real browser",
		Long: "demo starts our own small sites on this machine and sits you at a desk with five tasks on them:\n" +
			"one waits for a phone number, one for a signature, one for a person at a captcha, one stops in\n" +
			"front of a payment, one finishes with records. It uses a store of its own and leaves nothing\n" +
			"running when it ends.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.demo(cmd.Context(), f) },
	}
	cmd.Flags().BoolVar(&f.sites, "sites", false, "only serve the sites, until interrupted")
	cmd.Flags().StringVar(&f.listen, "listen", "", "`127.0.0.1:PORT`: first of the sites' ports (default: free ones)")
	cmd.Flags().StringVar(&f.flows, "flows", "", "write the demo's flows into this `folder`")
	return cmd
}

func (c *command) demo(ctx context.Context, f demoFlags) error {
	if err := loopback(f.listen); err != nil {
		return err
	}
	sites, err := demosite.Start(ctx, demosite.Options{Listen: f.listen})
	if err != nil {
		return err
	}
	defer func() { _ = sites.Close() }()
	if f.flows != "" {
		if err := writeFlows(f.flows, sites); err != nil {
			return err
		}
	}
	if f.sites {
		return c.serve(ctx, sites)
	}
	if f.flows != "" && !c.io.Terminal {
		return nil
	}
	return c.demoDesk(ctx, sites)
}

// loopback refuses to serve the demo's sites anywhere but on this machine.
func loopback(listen string) error {
	if listen == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return usage("--listen takes 127.0.0.1:PORT: the demo's sites are for this machine only")
	}
	return nil
}

func (c *command) serve(ctx context.Context, sites *demosite.Sites) error {
	err := c.printJSON(map[string]any{"sites": sites.Addresses(), "counts": sites.CountsAddress()})
	if err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

func writeFlows(dir string, sites *demosite.Sites) error {
	err := os.MkdirAll(dir, 0o755)
	for _, name := range demosite.FlowNames() {
		if err != nil {
			break
		}
		var raw []byte
		if raw, err = demosite.Flow(name, sites.Addresses()); err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".json"), raw, 0o644)
		}
	}
	if err != nil {
		return fault.Wrap(fault.InvalidUsage, err, "the flows cannot be written to "+dir).
			WithHint("Give a folder that can be written.")
	}
	return nil
}

// demoDesk runs the five tasks on a store of the demo's own.
func (c *command) demoDesk(ctx context.Context, sites *demosite.Sites) error {
	if _, err := os.Stat(c.storePath); c.storePath != "" && !errors.Is(err, fs.ErrNotExist) {
		return usage("there is a file at " + c.storePath + ", and the demo empties the store it uses").(*fault.Error).
			WithHint("Leave --store out, or name a file that does not exist yet.")
	}
	if !c.io.Terminal {
		return usage("the demo needs a terminal").(*fault.Error).
			WithHint("Use `countersign demo --sites` to serve its sites to scripts.")
	}
	settings, config, err := c.settings()
	if err != nil {
		return err
	}
	if c.storePath == "" {
		settings.Paths.Store = filepath.Join(settings.Paths.State, "demo", "desk.db")
	}
	settings.Fresh = true
	opened, err := c.wiring.Open(ctx, settings)
	if err != nil {
		return err
	}
	c.share(ctx, opened, settings)
	err = c.demoTasks(ctx, opened.Desk, sites, settings, config)
	if ending := endAll(ctx, opened.Desk); err == nil {
		err = ending
	}
	if closing := opened.Close(true); err == nil {
		err = closing
	}
	return err
}

func (c *command) demoTasks(ctx context.Context, d controller.Desk, sites *demosite.Sites, s Settings, config Config) error {
	requests, err := demosite.Requests(sites.Addresses())
	if err != nil {
		return err
	}
	for _, r := range requests {
		_, err := d.StartTask(ctx, task.StartRequest{
			Task: r.Task, Flow: r.Flow, Facts: r.Facts,
			Constraints: task.Constraints{Origins: r.Origins, Payment: flows.Payment(r.Payment), Headed: s.Headed},
		})
		if err != nil {
			return err
		}
	}
	o := c.deskOptions(s, config)
	o.Demo = true
	o.Notice = "Five tasks on local sites. Space goes to the longest wait; ? lists the keys."
	if c.plainly() {
		return newPlain(c, d).all(ctx, "Five tasks run on local sites.", true)
	}
	_, err = c.sit(ctx, d, o)
	return err
}

// endAll cancels whatever still lives, so that a demo leaves nothing running.
func endAll(ctx context.Context, d controller.Desk) error {
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	views, err := d.ListTasks(ending)
	for _, v := range views {
		if _, cancelling := d.CancelTask(ending, v.ID, ""); err == nil {
			err = cancelling
		}
	}
	return err
}
