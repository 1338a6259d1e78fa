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
	sites   bool
	listen  string
	flows   string
	desktop bool
	headed  bool
	tour    bool
}

func (c *command) demoCommand() *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Five tasks on local sites in a real browser",
		Long: "demo starts our own small sites on this machine and sits you at a desk with five tasks on them:\n" +
			"one waits for a phone number, one for a signature, one for a person at a captcha, one stops in\n" +
			"front of a payment, one finishes with records. It uses a store of its own and leaves nothing\n" +
			"running when it ends.\n\n" +
			"With --desktop three tasks cross between pages and programs instead: one writes a booking reference\n" +
			"down in a text editor and saves it, one works a fare out in a calculator, one fills a program's\n" +
			"form. They do it on a display of their own, without a screen; with --headed, on yours.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.demo(cmd.Context(), f) },
	}
	cmd.Flags().BoolVar(&f.sites, "sites", false, "only serve the sites, until interrupted")
	cmd.Flags().StringVar(&f.listen, "listen", "", "`127.0.0.1:PORT`: first of the sites' ports (default: free ones)")
	cmd.Flags().BoolVar(&f.desktop, "desktop", false, "three tasks between pages and programs")
	cmd.Flags().BoolVar(&f.headed, "headed", false, "with --desktop: on your own display, the browser too")
	cmd.Flags().BoolVar(&f.tour, "tour", false, "walk over the desk first; any key ends that")
	cmd.Flags().StringVar(&f.flows, "flows", "", "write the demo's flows into this `folder`")
	return cmd
}

func (c *command) demo(ctx context.Context, f demoFlags) error {
	if f.headed && !f.desktop {
		return usage("--headed goes with --desktop").(*fault.Error).
			WithHint("The other demo shows its browsers with `headed = true` under [browser] in the configuration.")
	}
	if f.tour && (f.sites || f.desktop || c.plainly()) {
		return usage("--tour walks over the full desk with its five tasks, and goes with no other form of the demo").(*fault.Error).
			WithHint("In lines, `countersign demo --plain` tells each wait as it comes.")
	}
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
	if f.desktop {
		return c.demoDesktop(ctx, sites, f.headed)
	}
	return c.demoDesk(ctx, sites, f.tour)
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
func (c *command) demoDesk(ctx context.Context, sites *demosite.Sites, tour bool) error {
	settings, config, err := c.demoSettings()
	if err != nil {
		return err
	}
	requests, err := demosite.Requests(sites.Addresses())
	if err != nil {
		return err
	}
	show := demoShow{requests: requests, headed: settings.Headed, tour: tour, greeting: "Five tasks on local sites.", plain: "Five tasks run on local sites."}
	return c.demoRun(ctx, settings, config, show)
}

// demoSettings are those of a demo: it needs a person, and a store of its own.
func (c *command) demoSettings() (Settings, Config, error) {
	if _, err := os.Stat(c.storePath); c.storePath != "" && !errors.Is(err, fs.ErrNotExist) {
		return Settings{}, Config{}, usage("there is a file at " + c.storePath + ", and the demo empties the store it uses").(*fault.Error).
			WithHint("Leave --store out, or name a file that does not exist yet.")
	}
	if !c.io.Terminal {
		return Settings{}, Config{}, usage("the demo needs a terminal").(*fault.Error).
			WithHint("Use `countersign demo --sites` to serve its sites to scripts.")
	}
	settings, config, err := c.settings()
	if c.storePath == "" {
		settings.Paths.Store = filepath.Join(settings.Paths.State, "demo", "desk.db")
	}
	settings.Fresh = true
	return settings, config, err
}

// demoShow is what a demo shows.
type demoShow struct {
	requests []demosite.Request
	headed   bool
	tour     bool
	greeting string // begins the line above the desk
	plain    string // the same for lines
}

// demoRun sits the person at a desk with the tasks, and ends them with it.
func (c *command) demoRun(ctx context.Context, settings Settings, config Config, show demoShow) error {
	opened, err := c.wiring.Open(ctx, settings)
	if err != nil {
		return err
	}
	c.share(ctx, opened, settings)
	err = c.demoTasks(ctx, opened.Desk, settings, config, show)
	if ending := endAll(ctx, opened.Desk); err == nil {
		err = ending
	}
	if closing := opened.Close(true); err == nil {
		err = closing
	}
	return err
}

func (c *command) demoTasks(ctx context.Context, d controller.Desk, s Settings, config Config, show demoShow) error {
	for _, r := range show.requests {
		_, err := d.StartTask(ctx, task.StartRequest{
			Task: r.Task, Flow: r.Flow, Facts: r.Facts,
			Constraints: task.Constraints{Surfaces: r.Sides, Origins: r.Origins, Payment: flows.Payment(r.Payment), Headed: show.headed},
		})
		if err != nil {
			return err
		}
	}
	o := c.deskOptions(s, config)
	o.Demo, o.Tour = true, show.tour
	o.Notice = show.greeting + " Space goes to the longest wait; ? lists the keys."
	if c.plainly() {
		_, err := newPlain(c, d).all(ctx, show.plain, true)
		return err
	}
	_, err := c.sit(ctx, d, o)
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
