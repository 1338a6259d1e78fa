// Command countersign is a terminal desk at which a person supervises running
// computer tasks and signs under what cannot be taken back. This file plugs the
// packages together and holds no logic of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"countersign/controller"
	"countersign/controller/journal"
	"countersign/controller/model"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/decider"
	"countersign/store"
	"countersign/surfaces"
	"countersign/surfaces/browser"
	"countersign/surfaces/desktop"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
	"countersign/surfaces/workspace"
	"countersign/ui"
	"countersign/ui/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	streams := cli.Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv,
		Terminal: term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd())),
	}
	wiring := cli.Wiring{Version: version(), Open: open, Desk: desk, Probe: probe, Robot: robot.Serve, Bench: bench, Window: window, NoDesktop: noDesktop()}
	code := cli.Execute(ctx, wiring, streams, os.Args[1:])
	stop()
	os.Exit(code)
}

// open puts a controller on the store; the store is closed with it. Browsers
// that an earlier process left and no task holds are ended first.
func open(ctx context.Context, s cli.Settings) (*cli.Opened, error) {
	if err := logTo(s.Paths.Log()); err != nil {
		return nil, err
	}
	models, err := model.Open(roles(s.Models), os.Getenv)
	if err != nil {
		return nil, err
	}
	path := s.Paths.Store
	kept, err := store.Open(path)
	if err != nil {
		return nil, err
	}
	driver := browser.NewDriver(browser.Options{StateDir: path + ".d", Executable: s.Executable, Env: s.Env})
	if s.Fresh {
		kept, err = startOver(ctx, kept, driver)
	}
	if err == nil {
		err = sweep(ctx, kept, driver)
	}
	var c *controller.Controller
	if err == nil {
		c, err = controller.New(ctx, controller.Options{
			Store: around(s, kept), Opener: workspace.Opener{Browser: driver, Desktop: desktop.NewDriver(desktop.Options{Env: s.Env})},
			Runner: flows.NewRunner(deciderOf(models)), Version: version(),
			DecisionModel: models.DecisionModel(), Planner: models.Planner, Rescuer: models.Rescuer, Shaper: models.Shaper,
		})
	}
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	stopCopy := copyJournal(ctx, s.Journal, c)
	return &cli.Opened{Desk: c, Close: func(release bool) error {
		if release {
			c.LeaveNothingOpen()
		}
		defer models.Close()
		err := c.Close()
		stopCopy()
		return errors.Join(err, kept.Close())
	}}, nil
}

// copyJournal copies what tasks store into a folder, if one is configured; the
// function ends that.
func copyJournal(ctx context.Context, folder string, c *controller.Controller) func() {
	if folder == "" {
		return func() {}
	}
	views, _ := c.ListTasks(ctx) // it never fails
	live := make([]task.ID, len(views))
	for i, v := range views {
		live[i] = v.ID
	}
	return journal.Start(ctx, folder, c, live).Close
}

// deciderOf is the embedded one unless a model was configured for it.
func deciderOf(m *model.Models) decider.Decider {
	if m.Decider == nil {
		return decider.NewEmbedded()
	}
	return decider.NewModel(m.Decider)
}

func around(s cli.Settings, kept controller.Store) controller.Store {
	if s.Around == nil {
		return kept
	}
	return s.Around(kept)
}

// roles says which model serves what.
func roles(m cli.Models) model.Roles {
	return model.Roles{
		Planner: (*model.Settings)(m.Planner), Rescuer: (*model.Settings)(m.Rescuer),
		Shaper: (*model.Settings)(m.Shaper), Decider: (*model.Settings)(m.Decider),
	}
}

// logTo sends what libraries say to a file, since the screen is the desk's.
func logTo(path string) error {
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			log.SetOutput(f)
			return nil
		}
	}
	return fault.Wrap(fault.StoreReadOnly, err, "the log "+path+" cannot be written")
}

// startOver ends every browser of the store's tasks and empties it.
func startOver(ctx context.Context, kept *store.Store, driver *browser.Driver) (*store.Store, error) {
	err := driver.Sweep(ctx, nil)
	if err = errors.Join(err, kept.Close()); err == nil {
		err = errors.Join(os.Remove(kept.Path()), os.RemoveAll(kept.Path()+".d"))
	}
	if err != nil {
		return kept, err
	}
	return store.Open(kept.Path())
}

// sweep ends browsers on folders of this store that none of its bindings names.
func sweep(ctx context.Context, kept *store.Store, driver *browser.Driver) error {
	held, err := kept.AllBindings()
	if err != nil {
		return err
	}
	return driver.Sweep(ctx, held)
}

func desk(ctx context.Context, d controller.Desk, o cli.DeskOptions) (cli.DeskEnd, error) {
	end, err := ui.Run(ctx, d, ui.Options{
		StateDir: o.Paths.State, CrashDir: o.Paths.Crash(), Version: version(),
		Attached: o.Holder, Theme: o.Theme, Colours: o.Colours, NoColor: o.NoColor, Mouse: o.Mouse, Bell: o.Bell, Notify: o.Notify, Tmux: o.Tmux, Notice: o.Notice, Tour: o.Tour, Ends: o.Demo,
		Constraints: o.Defaults,
	})
	return cli.DeskEnd{Release: end.CloseBrowsers}, err
}

// bench runs flows outside of tasks, in a browser of their own.
func bench(s cli.Settings, folder string) (func() (surfaces.Place, error), *flows.Runner) {
	driver := browser.NewDriver(browser.Options{
		StateDir: folder, Executable: s.Executable, DownloadDir: filepath.Join(folder, "downloads"),
	})
	opener := workspace.Opener{Browser: driver}
	return func() (surfaces.Place, error) {
		return opener.Open("w-case", surfaces.Needs{Sides: []surfaces.Side{surfaces.Browser}}, nil, nobody{})
	}, flows.NewRunner(decider.NewEmbedded())
}

// window makes a page that is looked at: of the person's browser, or of one of
// our own.
func window(ctx context.Context, s cli.Settings, n cli.WindowNeeds) (cli.Window, error) {
	driver := browser.NewDriver(browser.Options{
		StateDir: n.Folder, Executable: s.Executable, Tree: n.Tree, Width: n.Width, Height: n.Height,
	})
	if n.Person {
		return driver.PersonsTab(ctx, n.Needs, n.Tab)
	}
	return driver.Page(n.Needs)
}

// nobody keeps no binding: what a bench opens ends with it.
type nobody struct{}

func (nobody) Bind(surfaces.Binding) error { return nil }
func (nobody) Unbind(surfaces.Side) error  { return nil }

func probe(ctx context.Context, s cli.Settings) []cli.Finding {
	var out []cli.Finding
	for _, f := range host.Probe(ctx, s.Executable, s.Paths.State) {
		out = append(out, cli.Finding(f))
	}
	for _, f := range model.Probe(ctx, roles(s.Models), os.Getenv) {
		out = append(out, cli.Finding(f))
	}
	return append(out, desktopInput(ctx))
}

// desktopInput asks the process that owns robotgo what it can drive: an X error
// would end it, never the desk.
func desktopInput(ctx context.Context) cli.Finding {
	f := cli.Finding{Name: "desktop input", Repair: "start it in a graphical session, with DISPLAY set"}
	self, err := os.Executable()
	if err != nil {
		f.Detail = err.Error()
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	display, err := robot.Look(ctx, self, nil)
	switch {
	case err != nil:
		f.Detail = fault.Of(err).Message
	case !display.Found:
		f.Detail = display.Reason
	default:
		f.OK, f.Repair, f.Detail = true, "", fmt.Sprintf("%s, %dx%d", display.Name, display.Width, display.Height)
	}
	return f
}

func noDesktop() string {
	if robot.Built {
		return ""
	}
	return "this program was built without its desktop side"
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.1.0-dev"
}
