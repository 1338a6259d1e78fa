// Package surfaces holds the words every surface shares: what can be looked at
// and acted on, what a look returns, what an act replies, and how two looks are
// compared. It performs no I/O and knows no concrete surface.
package surfaces

import (
	"context"
	"encoding/json"
)

// Side names one half of a workspace.
type Side string

// The two sides. A third, for files and processes, may join later.
const (
	Browser Side = "browser"
	Desktop Side = "desktop"
)

// Depth says how much an Observe reads.
type Depth int

// Full reads everything within the limits; Skeleton reads shallowly and lists
// the containers it cut as Screen.Unexplored.
const (
	Full Depth = iota + 1
	Skeleton
)

// Op is one of the closed list of operations a target can be given.
type Op string

// The closed list (surfaces.md section 1). Wait pauses 500 ms; Drill and Widen
// touch nothing and answer which root the next Observe should use; Done and
// Blocked touch nothing.
const (
	Click    Op = "click"
	TypeText Op = "type_text"
	Check    Op = "check"
	Uncheck  Op = "uncheck"
	Expand   Op = "expand"
	Collapse Op = "collapse"
	Scroll   Op = "scroll"
	Wait     Op = "wait"
	Drill    Op = "drill"
	Widen    Op = "widen"
	Done     Op = "done"
	Blocked  Op = "blocked"
)

// UsesPointer reports whether a visible pointer would be moved first.
func (op Op) UsesPointer() bool {
	switch op {
	case Click, Expand, Collapse, Check, Uncheck:
		return true
	default:
		return false
	}
}

// Surface is something that can be looked at and acted on.
//
// Every verb blocks, honours ctx, and may be called from several goroutines;
// calls on one browser session or one desktop are serialized. A failure of the
// world is a Reply with a code, never a Go error and never a panic.
type Surface interface {
	// Observe reads app, or the part under ref root; exactly one result is
	// non-nil.
	Observe(ctx context.Context, app, root string, depth Depth) (*Screen, *Reply)
	// Execute does one operation on a target of the latest reading. Target may
	// be nil for type_text (the focused field), scroll and wait.
	Execute(ctx context.Context, op Op, target *Candidate, text string) *Reply
	// ReadValue gives what a field holds now; false when the platform will not
	// say, and always for a password.
	ReadValue(ctx context.Context, target *Candidate) (string, bool)
	// Paste puts text into a field that ignores a plain set.
	Paste(ctx context.Context, app string, target *Candidate, text string) *Reply
	// Press sends one key or chord in logical spelling: cmd+a, return, escape.
	Press(ctx context.Context, app, combo string) *Reply
	// Launch starts an app or brings it forward.
	Launch(ctx context.Context, app string) *Reply
	// Navigate loads an address.
	Navigate(ctx context.Context, url string) *Reply
	// Back goes one step back in history.
	Back(ctx context.Context, app string) *Reply
	// DismissCover taps a bare backdrop that hides target.
	DismissCover(ctx context.Context, target *Candidate) *Reply
	// Settle gives the app time to react after an act.
	Settle(ctx context.Context)
	// SettleBriefly is Settle after something that fetches nothing.
	SettleBriefly(ctx context.Context)
	// AwaitChange waits up to ms milliseconds for the app to change by itself;
	// true means it changed or may have.
	AwaitChange(ctx context.Context, ms int) bool
}

// Place is a live workspace as its task holds it: one Surface joined from the
// sides the task was given, and the means to give them back.
type Place interface {
	Surface
	Photographer
	// VisibleText re-reads what was last observed and returns its lines; empty
	// when nothing was observed or it cannot be read now. Changes no state.
	VisibleText(ctx context.Context) []string
	// Active is the side an unnamed call goes to.
	Active() Side
	// Holding reports whether any side is open.
	Holding() bool
	// Lost delivers a side at most once when what it lived in has died. Never
	// closed; never blocks the side.
	Lost() <-chan Side
	// Reach tells a person how to get at the browser: its DevTools address,
	// whether it is headed, and the page it shows. Zero when none is open.
	Reach() Reach
	// Release gives the sides back: a launched browser is closed, an attached
	// one only disconnected. Idempotent.
	Release(ctx context.Context) error
	// Close only disconnects: bindings stay good for a later Connect.
	Close() error
}

// Reach is how a person gets to a task's browser.
type Reach struct {
	Endpoint string `json:"endpoint,omitempty"` // DevTools address
	Address  string `json:"address,omitempty"`  // page it shows
	Headed   bool   `json:"headed"`
}

// Forwarder is an ability of a Place, and of what it is made of: it brings the
// window of its browser to the front of the person's screen. BROWSER_UNAVAILABLE
// when there is none. It may start or find the browser again, so ask Holding
// before.
type Forwarder interface {
	BringForward(ctx context.Context) error
}

// Binding is the smallest JSON with which a side's driver finds the same live
// resource again. Opaque to all but its driver; never holds a credential.
type Binding struct {
	Side   Side            `json:"side"`
	Driver string          `json:"driver"`
	Data   json.RawMessage `json:"data"`
}

// Keeper stores the bindings of one workspace. Bind replaces the side's former
// binding and returns only after it is on disk; a side is opened only when Bind
// returned nil. It may block on disk; called from the opening goroutine.
type Keeper interface {
	Bind(Binding) error
	Unbind(Side) error
}

// Needs is what a task asks of its workspace (tasks.md section 7). A side not
// listed is not built, so it cannot be reached; an empty list is every
// available side.
type Needs struct {
	Sides      []Side
	Origins    []string // entries of tasks.md 7.1; empty: any page
	Endpoint   string   // attach to a running Chrome; excludes the next two
	Executable string   // absolute path
	Profile    string   // absolute folder, kept; empty: a fresh temporary one
	Headed     bool
}

// Availability says whether a side can be had, and why not.
type Availability struct {
	Kind      Side   `json:"kind"`
	Available bool   `json:"available"`
	Reason    string `json:"reason,omitempty"`
	Hint      string `json:"hint,omitempty"` // the command or setting that repairs it
}
