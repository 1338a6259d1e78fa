package desktop

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/workspace"
)

// driverName is the name in a binding.
const driverName = "atspi"

// DefaultTimeout bounds one verb.
const DefaultTimeout = 30 * time.Second

// Options are what every side of a driver shares.
type Options struct {
	Executable string        // runs robot.Serve under robot.Subcommand; empty: this very program
	Env        []string      // the desktop to drive, as exec.Cmd wants it; nil: the one we are in
	PID        int           // whose terminal is out of reach; zero: our own
	Timeout    time.Duration // of one verb; zero: DefaultTimeout
}

// Driver makes sides of the one desktop there is. Their verbs are serialized
// among each other. Safe for concurrent use.
type Driver struct {
	options Options
	env     environment
	turn    chan struct{} // holds the one verb that runs on this desktop
	hold    *hold         // of those that act on it
}

var _ workspace.Driver = (*Driver)(nil)

// NewDriver makes a driver; it starts nothing.
func NewDriver(o Options) *Driver {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.PID == 0 {
		o.PID = os.Getpid()
	}
	return &Driver{options: o, env: o.Env, turn: make(chan struct{}, 1), hold: newHold()}
}

// binding is which desktop a side was on; there is nothing of ours in it to be
// found again.
type binding struct {
	Display string `json:"display"`
}

// Side makes a side that connects with its first verb. With a binding of another
// display that verb is NO_SUCH_SESSION, once: nothing the task worked on is here.
// A side made afterwards has none, and takes the desktop there is.
func (d *Driver) Side(_ string, needs surfaces.Needs, bound *surfaces.Binding, keep surfaces.Keeper) (workspace.Member, error) {
	s := d.side(needs, keep)
	if bound == nil {
		return s, nil
	}
	var b binding
	if err := json.Unmarshal(bound.Data, &b); err != nil || bound.Driver != driverName {
		return nil, fault.Newf(fault.Internal, "a binding of driver %q is not the desktop's", bound.Driver)
	}
	if b.Display != d.env.get("DISPLAY") {
		s.elsewhere = b.Display
	}
	return s, nil
}

func (d *Driver) side(needs surfaces.Needs, keep surfaces.Keeper) *Side {
	return &Side{driver: d, headed: needs.Headed, keep: keep, lost: make(chan struct{}, 1), launched: map[string]string{}}
}

func (d *Driver) bindingOf() (surfaces.Binding, error) {
	raw, err := json.Marshal(binding{Display: d.env.get("DISPLAY")})
	return surfaces.Binding{Side: surfaces.Desktop, Driver: driverName, Data: raw}, err
}

// Destroy does nothing: windows and programs are the person's, and outlive the
// task.
func (d *Driver) Destroy(_ context.Context, b surfaces.Binding) error {
	if b.Side != surfaces.Desktop || b.Driver != driverName {
		return fault.Newf(fault.Internal, "a binding of driver %q is not the desktop's", b.Driver)
	}
	return nil
}

// Available says whether there is a desktop, without touching it.
func (d *Driver) Available() surfaces.Availability {
	reason, hint := d.env.absence()
	return surfaces.Availability{Kind: surfaces.Desktop, Available: reason == "", Reason: reason, Hint: hint}
}

// own is looked up each time: a person may attach another terminal meanwhile.
func (d *Driver) own() own { return ownOf(d.options.PID, d.env) }

func (d *Driver) executable() (string, error) {
	if d.options.Executable != "" {
		return d.options.Executable, nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", fault.Wrap(fault.PlatformNotSupported, err, "this program cannot find itself to start its desktop process")
	}
	return path, nil
}
