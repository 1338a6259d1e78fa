package cli

import (
	"context"
	"io"
	"os"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
)

// Wiring is what main plugs in: the parts the command line uses and must not
// know how to build.
type Wiring struct {
	Version string
	// Open opens the store and starts a controller on it; faults with a STORE_
	// code when it cannot.
	Open func(ctx context.Context, s Settings) (*Opened, error)
	// Desk runs the full-screen desk until the person quits.
	Desk func(ctx context.Context, d controller.Desk, o DeskOptions) (DeskEnd, error)
	// Probe looks for what the desk needs on this machine and starts nothing
	// that outlives the call.
	Probe func(ctx context.Context, s Settings) []Finding
	// Window makes a page to be looked at; nothing of it is kept.
	Window func(ctx context.Context, s Settings, n WindowNeeds) (Window, error)
	// NoDesktop says why this program has no desktop side; empty when it has one.
	NoDesktop string
	// Robot serves the desktop input process over its standard streams.
	Robot func(in io.Reader, out io.Writer) error
	// Bench gives what runs flows outside of tasks, with the embedded decider:
	// a workspace whose browser keeps everything below folder, and a runner.
	Bench func(s Settings, folder string) (open func() (surfaces.Place, error), r *flows.Runner)
}

// Settings are configuration and flags, joined.
type Settings struct {
	Paths      Paths
	Executable string // of the browser; empty: found in PATH
	Profile    string // default profile folder; empty: a fresh one per task
	Endpoint   string // default endpoint to attach to
	Headed     bool
	Journal    string // folder of journal copies; empty: none
	Models     Models
	Env        []string // of the desktop to drive, and of browsers; nil: ours
	Fresh      bool     // clear what an earlier run on this store left, then start empty
	// Around is put around the store the controller writes to; nil: nothing.
	Around func(controller.Store) controller.Store
}

// Models are the language models by what they are for; nil: not configured.
type Models struct{ Planner, Rescuer, Shaper, Decider *Model }

// Opened is a running controller and the way to end it.
type Opened struct {
	Desk controller.Desk
	// Holder is the process whose desk this is; 0 is our own. Another's takes no
	// answer from here, and goes on after Close.
	Holder int
	// Unshared says why other terminals cannot attach; empty when they can.
	Unshared string
	// Close stops running tasks at their next step boundary, within 10 s. With
	// release the browsers of waiting tasks are closed, else they stay open for
	// the next start.
	Close func(release bool) error
}

// DeskOptions are what the full-screen desk is told.
type DeskOptions struct {
	Paths    Paths
	Theme    string
	Colours  map[string]string // of the person's own, by role
	NoColor  bool
	Bell     bool
	Notify   bool
	Tmux     bool // the terminal is reached through tmux
	Mouse    bool
	Notice   string // one line shown at the start; the demo's greeting
	Tour     bool   // walk over the desk first
	Demo     bool   // quitting ends everything and asks nothing
	Version  string
	Holder   int              // the process whose desk is shown; 0: our own
	Defaults task.Constraints // of tasks started at the desk: the browser settings
}

// DeskEnd is how the desk was left.
type DeskEnd struct {
	Release bool // close the browsers of waiting tasks
}

// Finding is one line of doctor.
type Finding struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Repair string `json:"repair,omitempty"` // the command that repairs it
}

// Streams are where a command reads and writes.
type Streams struct {
	In  *os.File
	Out io.Writer
	Err io.Writer
	// Terminal reports whether a person can be asked: In and Out are terminals.
	Terminal bool
	Env      func(string) string
}
