package browser

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	devpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// tab is one live page and the connection to it. Its methods are called by one
// verb at a time.
type tab struct {
	session *chromedp.Target
	browser *chromedp.Browser
	events  *events
	admits  func(address string) bool // the sites the task may use
	world   string                    // unique id of our world in the present document; empty: not made yet
	made    int                       // worlds made, for their names
	floor   int                       // the highest mark ever given: no number is used twice
	since   moment                    // when the last act began
	hasty   bool                      // the last act typed into a box that suggests
	saves   bool                      // the last act pressed a link that saves a file
	close   func()                    // disconnects, and waits until its goroutines are gone

	life          context.Context // of the connection: frames are connected to within it
	worlds        *events         // tells of the worlds in this document
	frameID       cdp.FrameID     // of a frame of the page; empty: the page itself
	anywhere      bool            // its document may be of any origin
	page          *tab            // that a frame is of
	width, height float64         // of the window, as the latest reading saw it
	readings      int             // made so far
	frames        []*inner        // of other origins, that the latest reading saw
	framesMade    int
	framesRead    int // in this reading
	denoised      surfaces.Denoised
	asked         int // the frame that was asked last by a ref, 0 for the page
}

// call sends one command to the page, bounded as events.scope says. While one
// page takes the place of another the browser refuses commands without running
// them; such a one is sent again.
func call[P, R any](ctx context.Context, t *tab, command cdp.Command[P, R], params P) (R, error) {
	ctx, done := t.events.scope(ctx)
	defer done()
	for left := 100; ; left-- {
		r, err := cdp.Call(ctx, t.session, command, params)
		if left == 0 || !betweenPages(err) || pause(ctx, 20*time.Millisecond) != nil {
			return r, why(ctx, err)
		}
	}
}

// why prefers the cause of a cut-off call to the bare cancellation.
func why(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); errors.Is(cause, errDialog) || errors.Is(cause, errGone) || errors.Is(cause, errLeaving) {
		return cause
	}
	if ctx.Err() == context.DeadlineExceeded {
		return ctx.Err()
	}
	return err
}

// answer is what every verb of our scripts returns. A page's words can be many,
// so they are decoded at once into what Out points to.
type answer struct {
	Href  string `json:"href"`
	Moved bool   `json:"moved"`
	Out   any    `json:"out"`
}

// tries bounds how often a verb that did not run, as its document was just
// replaced, is sent to the next one.
const tries = 5

// ask runs one verb of our scripts in the page and decodes its answer into out.
// A verb that found its document replaced is asked again of the next one, where
// a ref of the former matches nothing.
func (t *tab) ask(ctx context.Context, verb string, args, out any) error {
	var at string
	return t.askAt(ctx, verb, args, out, &at)
}

// askAt is ask that also tells the address of the document that answered: the
// page's, when it was one of its frames.
func (t *tab) askAt(ctx context.Context, verb string, args, out any, at *string) error {
	if given, ok := args.(map[string]any); ok {
		if ref, ok := given["ref"].(int); ok && ref < 0 {
			n, err := t.ofTree(ctx, ref)
			if err != nil {
				return err
			}
			own := maps.Clone(given)
			own["ref"], args = n, own
		}
	}
	in, own, err := t.addressed(verb, args)
	if err != nil {
		return err
	}
	if in != nil {
		*at = t.events.where()
		return t.askFrame(ctx, in, verb, own, out)
	}
	return t.askHere(ctx, verb, args, out, at)
}

// addressed tells the frame that a verb is meant for, nil for the page itself,
// with the arguments as that frame knows them. What follows on an aim or a focus
// goes where that one went.
func (t *tab) addressed(verb string, args any) (*inner, map[string]any, error) {
	given, _ := args.(map[string]any)
	ref, named := given["ref"].(int)
	frame, n := unpack(ref)
	switch {
	case named:
		t.asked = frame
	case verb != "guarded" && verb != "set":
		return nil, nil, nil
	}
	if t.asked == 0 {
		return nil, nil, nil
	}
	in, err := t.numbered(t.asked)
	if err != nil {
		return nil, nil, err
	}
	own := maps.Clone(given)
	if named {
		own["ref"] = n
	}
	return in, own, nil
}

func (t *tab) askHere(ctx context.Context, verb string, args, out any, at *string) error {
	var err error
	for range tries {
		a := answer{Out: out}
		err = t.askOnce(ctx, verb, args, &a)
		if err == nil && !a.Moved {
			*at = a.Href
			return nil
		}
		if err == nil {
			err = errStale
		}
		if !worldGone(err) {
			return err
		}
		t.world = ""
		if e := pause(ctx, 20*time.Millisecond); e != nil {
			return why(ctx, e)
		}
	}
	return err
}

func (t *tab) askOnce(ctx context.Context, verb string, args any, a *answer) error {
	if err := t.listed(); err != nil {
		return err
	}
	if err := t.enter(ctx); err != nil {
		return err
	}
	var values []*runtime.CallArgument
	for _, v := range []any{verb, t.expected(), args} {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		values = append(values, &runtime.CallArgument{Value: jsonv2.Value(b)})
	}
	yes := true
	r, err := call(ctx, t, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "(verb, origin, args) => globalThis.desk.run(verb, origin, args)",
		UniqueContextID:     t.world, Arguments: values, ReturnByValue: &yes, AwaitPromise: &yes, Silent: &yes,
	})
	if err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return &chromedp.ExceptionError{ExceptionDetails: r.ExceptionDetails}
	}
	var text string
	if err := json.Unmarshal(r.Result.Value, &text); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), a)
}

// listed refuses to go on when the page has left the task's sites meanwhile: it
// is asked before every call that acts on the page or reads it.
func (t *tab) listed() error {
	if t.admits(t.events.where()) {
		return nil
	}
	return refuse(fault.PolicyDenied, "the page left the sites this task may use")
}

// enter makes our world in the present document, once per document.
func (t *tab) enter(ctx context.Context) error {
	if t.entered() {
		return nil
	}
	frame := t.frameID
	if frame == "" {
		frame = look(t.events, func() cdp.FrameID { return t.events.frame })
	}
	t.made++
	w, err := call(ctx, t, devpage.CreateIsolatedWorld, devpage.CreateIsolatedWorldParams{FrameID: frame, WorldName: worldName + strconv.Itoa(t.made)})
	if err != nil {
		return err
	}
	id := look(t.worlds, func() string { return t.worlds.worlds[w.ExecutionContextID] })
	if id == "" {
		return errStale
	}
	source, err := scripts()
	if err != nil {
		return err
	}
	yes := true
	r, err := call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{
		Expression: source, UniqueContextID: id, ReturnByValue: &yes, Silent: &yes,
	})
	if err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return &chromedp.ExceptionError{ExceptionDetails: r.ExceptionDetails}
	}
	t.world = id
	return nil
}

// entered reports whether our world in this document is still there.
func (t *tab) entered() bool {
	return t.world != "" && look(t.worlds, func() bool {
		for _, id := range t.worlds.worlds {
			if id == t.world {
				return true
			}
		}
		return false
	})
}

// anyOrigin is told to a page that has no origin of its own. Not an empty text,
// which the protocol's encoder leaves out.
const anyOrigin = "any"

// expected is the origin our script must find itself on.
func (t *tab) expected() string {
	if o := originOf(t.events.where()); o != "" && !t.anywhere {
		return o
	}
	return anyOrigin
}

// originOf gives the origin of a web page as location.origin spells it, empty
// for every other page. The address is the browser's own, normalised already.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	host := u.Host
	for scheme, port := range map[string]string{"http": ":80", "https": ":443"} {
		if u.Scheme == scheme {
			host = strings.TrimSuffix(host, port)
		}
	}
	return u.Scheme + "://" + host
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
