package browser

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
	"countersign/surfaces/origin"
	"countersign/surfaces/workspace"
)

// Defaults and limits of surfaces.md section 10.
const (
	MaxSessions    = 8
	DefaultTimeout = 30 * time.Second
	viewportWidth  = 1280
	viewportHeight = 800
	endGrace       = 3 * time.Second // a browser that was asked to stop writes its profile
)

// Mode says how settling decides that a page has reacted.
type Mode int

// Prompt follows signs of an effect; Steady waits for an idle network.
const (
	Prompt Mode = iota
	Steady
)

// Options are what every browser of a driver shares.
type Options struct {
	StateDir    string        // temporary profile folders lie below it
	Executable  string        // empty: the first Chromium in PATH
	Env         []string      // of a browser we start, as exec.Cmd wants it; nil: ours
	Timeout     time.Duration // of one verb; zero: DefaultTimeout
	Mode        Mode
	Width       int    // of the window of a browser we start, in CSS pixels; zero: 1280
	Height      int    // likewise; zero: 800
	Tree        bool   // read pages from the accessibility tree alone
	UserAgent   string // empty: the browser's own
	DownloadDir string // empty: downloads are refused and only named
	MaxSessions int    // zero: MaxSessions
}

// Driver makes browser sides, at most MaxSessions of them open at once. Safe for
// concurrent use.
type Driver struct {
	options Options

	mu   sync.Mutex
	made int                     // sides made, for their ids
	open map[*Side]string        // open sides and the profile folder each holds
	lost map[host.Process]string // browsers whose loss was reported, and their last page
}

var _ workspace.Driver = (*Driver)(nil)

// NewDriver makes a driver; it starts nothing.
func NewDriver(o Options) *Driver {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxSessions <= 0 {
		o.MaxSessions = MaxSessions
	}
	if o.Width <= 0 || o.Height <= 0 {
		o.Width, o.Height = viewportWidth, viewportHeight
	}
	return &Driver{options: o, open: map[*Side]string{}, lost: map[host.Process]string{}}
}

// Side makes a browser side that opens with the first verb that needs a page. A
// binding whose browser died makes that verb NO_SUCH_SESSION once; a side made
// from it after that starts a new browser on the same folder, at the last page.
// INVALID_REQUEST for needs that contradict themselves or name no executable.
func (d *Driver) Side(id string, needs surfaces.Needs, b *surfaces.Binding, keep surfaces.Keeper) (workspace.Member, error) {
	return d.side(id, needs, b, keep)
}

func (d *Driver) side(id string, needs surfaces.Needs, b *surfaces.Binding, keep surfaces.Keeper) (*Side, error) {
	if err := check(needs); err != nil {
		return nil, err
	}
	list, err := origin.Parse(needs.Origins)
	if err != nil {
		return nil, err
	}
	s := &Side{id: id, driver: d, needs: needs, origins: list, keep: keep, turn: make(chan struct{}, 1), lost: make(chan struct{}, 1)}
	if b != nil {
		bound, err := decode(*b)
		if err != nil {
			return nil, err
		}
		s.bound = &bound
	}
	return s, nil
}

func check(n surfaces.Needs) error {
	if n.Endpoint != "" && (n.Executable != "" || n.Profile != "") {
		return fault.New(fault.InvalidRequest, "browser_endpoint goes with neither browser_executable nor browser_profile")
	}
	if n.Profile != "" && !filepath.IsAbs(n.Profile) {
		return fault.Newf(fault.InvalidRequest, "browser_profile %s is no absolute folder", n.Profile)
	}
	if n.Executable == "" {
		return nil
	}
	if _, err := host.FindChromium(n.Executable); err != nil || !filepath.IsAbs(n.Executable) {
		return fault.Newf(fault.InvalidRequest, "browser_executable %s is no absolute path of an executable file", n.Executable)
	}
	return nil
}

// Available says whether a browser could be started, without starting one.
func (d *Driver) Available() surfaces.Availability {
	a := surfaces.Availability{Kind: surfaces.Browser, Available: true}
	if _, err := host.FindChromium(d.options.Executable); err != nil {
		f := fault.Of(err)
		a.Available, a.Reason, a.Hint = false, f.Message, f.Hint
	}
	return a
}

// Destroy ends the browser a binding still refers to and removes its temporary
// folder; of a browser we attached to it closes only our own tab.
func (d *Driver) Destroy(ctx context.Context, sb surfaces.Binding) error {
	b, err := decode(sb)
	if err != nil {
		return err
	}
	return d.destroy(ctx, b)
}

func (d *Driver) destroy(ctx context.Context, b binding) error {
	switch {
	case b.attached() && b.OwnTab:
		return closeTab(ctx, b)
	case b.attached():
		return nil
	}
	p := b.Process
	if !p.Alive() && b.Temporary {
		p, _ = host.HolderOf(b.Profile) // started, and the second part never written
	}
	if err := p.End(ctx, endGrace); err != nil {
		return fault.Wrap(fault.Internal, err, "the browser would not end")
	}
	if !b.Temporary {
		return nil
	}
	if err := host.RemoveProfile(ctx, b.Profile); err != nil {
		return fault.Wrap(fault.Internal, err, "the browser's temporary folder could not be removed").
			WithHint("Remove the folder below the state folder by hand.")
	}
	return nil
}

// Sweep ends browsers on temporary folders of ours that none of the bindings
// names, and removes those folders: what a crash left. Call it once at start,
// before any side is made.
func (d *Driver) Sweep(ctx context.Context, held []surfaces.Binding) error {
	folders, err := host.Profiles(d.root())
	if err != nil {
		return fault.Wrap(fault.Internal, err, "the folder of the browsers' profiles cannot be read")
	}
	named := map[string]bool{}
	for _, sb := range held {
		if b, err := decode(sb); err == nil {
			named[b.Profile] = true
		}
	}
	for _, folder := range folders {
		if named[folder] {
			continue
		}
		if err := d.destroy(ctx, binding{Profile: folder, Temporary: true}); err != nil {
			return err
		}
	}
	return nil
}

// Sessions lists the open browser sessions, sorted by id.
func (d *Driver) Sessions() []Session {
	d.mu.Lock()
	sides := slices.Collect(maps.Keys(d.open))
	d.mu.Unlock()
	var all []Session
	for _, s := range sides {
		if session, open := s.Session(); open {
			all = append(all, session)
		}
	}
	slices.SortFunc(all, func(a, b Session) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID)) // s-2 before s-10
	})
	return all
}

func (d *Driver) root() string { return filepath.Join(d.options.StateDir, "browsers") }

// admit gives a side one of the slots, and the profile folder to itself.
func (d *Driver) admit(s *Side, profile string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.open[s]; !ok && len(d.open) >= d.options.MaxSessions {
		return fault.Newf(fault.LimitExceeded, "%d browser sessions are open already", len(d.open))
	}
	for other, folder := range d.open {
		if other != s && profile != "" && folder == profile {
			return inUse(profile)
		}
	}
	if s.session == "" {
		d.made++
		s.session = fmt.Sprintf("s-%d", d.made)
	}
	d.open[s] = profile
	return nil
}

func inUse(profile string) error {
	return fault.Newf(fault.BrowserUnavailable, "another browser runs on the profile folder %s", profile).
		WithHint("Cancel the task that still holds this profile folder, or close the browser that uses it.")
}

// dismiss takes the slot back; calling it again does nothing.
func (d *Driver) dismiss(s *Side) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, s)
}

// remember notes that the loss of a browser was reported; forget asks for it.
func (d *Driver) remember(p host.Process, address string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lost[p] = address
}

func (d *Driver) forget(p host.Process) (address string, reported bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	address, reported = d.lost[p]
	delete(d.lost, p)
	return address, reported
}
