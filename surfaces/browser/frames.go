package browser

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/origin"
)

// Limits of reading what frames of other origins show.
const (
	maxFrames     = 20
	maxFrameDepth = 3
	frameShare    = 0.2 // FRAME_FALLBACK_SHARE
)

// inner is a frame of another origin: the same script runs in it, in its own
// process where it has one, and what it finds is moved to its place.
type inner struct {
	*tab           // asks in the frame's document; its events are the page's
	number  int    // F of seen:F.N
	parent  *inner // nil: the page itself
	hole    hole   // its place in its parent, of the latest reading
	seen    int    // the reading that saw it last
	address string
}

// in gives the document that asks are put to: the page's, or a frame's.
func (t *tab) in(parent *inner) *tab {
	if parent == nil {
		return t
	}
	return parent.tab
}

// numbers of a ref are packed: the frame's above, the control's below.
const frameBits = 32

func pack(frame, n int) int { return frame<<frameBits | n }

func unpack(ref int) (frame, n int) { return ref >> frameBits, ref & (1<<frameBits - 1) }

// readFrames adds to a screen what the given holes of one document show. It
// reports whether one of weight could not be read.
func (t *tab) readFrames(ctx context.Context, parent *inner, holes []hole, screen *surfaces.Screen, depth int) (unread bool) {
	for _, h := range holes {
		if !sized(h.X, h.Y, h.W, h.H) || h.Ref <= 0 {
			continue
		}
		if depth >= maxFrameDepth || t.framesRead >= maxFrames {
			return unread
		}
		t.framesRead++
		if err := t.readFrame(ctx, parent, h, screen, depth); err != nil {
			unread = unread || h.Share >= frameShare && h.Front
		}
	}
	return unread
}

func (t *tab) readFrame(ctx context.Context, parent *inner, h hole, screen *surfaces.Screen, depth int) error {
	in, err := t.frame(ctx, parent, h)
	if err != nil {
		return err
	}
	got, err := t.readInner(ctx, in, 0)
	if err != nil {
		return err
	}
	in.add(got, screen)
	if t.readFrames(ctx, in, got.holes(), screen, depth+1) {
		return errors.New("a frame within it cannot be read")
	}
	return nil
}

// readInner reads one frame, or the part of it under a root.
func (t *tab) readInner(ctx context.Context, in *inner, root int) (sighting, error) {
	var got sighting
	args := map[string]any{"floor": t.floor, "root": root, "width": in.hole.W, "height": in.hole.H}
	if err := in.askHere(ctx, "read", args, &got, &in.address); err != nil {
		return got, unreadable(err)
	}
	if got.Stale {
		return got, refuse(fault.StaleRef, "the part to be read is gone")
	}
	if got.Last > t.floor && got.Last < 1<<frameBits {
		t.floor = got.Last
	}
	return got, nil
}

// add puts what a frame shows at the end of a screen.
func (in *inner) add(got sighting, screen *surfaces.Screen) {
	x, y, around := in.place()
	base := 0
	for _, c := range screen.Candidates {
		base = max(base, c.Order)
	}
	for _, w := range screen.TextNodes {
		base = max(base, w.Order)
	}
	own := accept(got)
	for _, c := range own.Candidates {
		if len(screen.Candidates) == maxControls {
			break
		}
		n, _ := number(c.Ref)
		c.Ref = refPrefix + strconv.Itoa(in.number) + "." + strconv.Itoa(n)
		c.Bounds.X, c.Bounds.Y = c.Bounds.X+x, c.Bounds.Y+y
		c.Path, c.Order = path(slices.Concat(around, c.Path)), base+c.Order
		if c.Form != "" {
			c.Form = strconv.Itoa(in.number) + "." + c.Form // no form of another document
		}
		c.Origin, c.Address = origin.Of(in.address), clip(in.address, maxAddress)
		in.hide(&c)
		screen.Candidates = append(screen.Candidates, c)
	}
	for _, w := range own.TextNodes {
		if len(screen.TextNodes) < maxTexts {
			w.Path, w.Order = path(slices.Concat(around, w.Path)), base+w.Order
			screen.TextNodes = append(screen.TextNodes, w)
		}
	}
	for _, line := range own.Context {
		if len(screen.Context) < maxContext && !slices.Contains(screen.Context, line) {
			screen.Context = append(screen.Context, line)
		}
	}
}

// place gives where a frame's content begins in the window, and the path to it.
func (in *inner) place() (x, y float64, around []string) {
	for p := in; p != nil; p = p.parent {
		x, y = x+p.hole.X, y+p.hole.Y
		part := slices.Clone(p.hole.parts)
		if host := strings.TrimPrefix(strings.TrimPrefix(origin.Of(p.address), "https://"), "http://"); host != "" && len(part) > 0 {
			part[len(part)-1] += " of " + host
		}
		around = slices.Concat(part, around)
	}
	return x, y, around
}

// hide says of a frame's control what only the page around it knows.
func (in *inner) hide(c *surfaces.Candidate) {
	if c.Has(surfaces.Offscreen) || c.Has(surfaces.Covered) {
		return
	}
	left, top, right, bottom := 0.0, 0.0, in.page.width, in.page.height
	x, y := c.Bounds.X+c.Bounds.Width/2, c.Bounds.Y+c.Bounds.Height/2
	if x < left || y < top || x >= right || y >= bottom {
		c.States = append(c.States, surfaces.Offscreen)
		return
	}
	for p := in; p != nil; p = p.parent {
		if !p.hole.Front && p.hole.Share > 0 {
			c.States = append(c.States, surfaces.Covered)
			return
		}
	}
}

// frame finds the document that a hole shows, and remembers it by its number.
func (t *tab) frame(ctx context.Context, parent *inner, h hole) (*inner, error) {
	id, err := t.in(parent).frameAt(ctx, h.Ref)
	if err != nil {
		return nil, err
	}
	for _, in := range t.frames {
		if in.frameID == id {
			if in.parent, in.seen = parent, t.readings; h.W > 0 { // without a size it is no reading that asks
				in.hole = h
			}
			return in, nil
		}
	}
	doc := &tab{
		session: t.in(parent).session, browser: t.browser, events: t.events, worlds: t.in(parent).worlds, frameID: id, anywhere: true,
		admits: t.admits, close: func() {}, page: t,
	}
	own, err := t.ownProcess(ctx, id)
	if err != nil {
		return nil, err
	}
	if own {
		if err := t.attachFrame(ctx, doc); err != nil {
			return nil, err
		}
	}
	t.framesMade++
	in := &inner{tab: doc, number: t.framesMade, parent: parent, hole: h, seen: t.readings}
	t.frames = append(t.frames, in)
	return in, nil
}

// frameAt asks which frame an element of a document shows.
func (t *tab) frameAt(ctx context.Context, ref int) (cdp.FrameID, error) {
	arg, err := json.Marshal(ref)
	if err != nil {
		return "", err
	}
	yes := true
	r, err := call(ctx, t, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "(n) => globalThis.desk.marked(n)", UniqueContextID: t.world, Silent: &yes,
		Arguments: []*runtime.CallArgument{{Value: jsonv2.Value(arg)}},
	})
	if err != nil {
		return "", err
	}
	if r.ExceptionDetails != nil || r.Result.ObjectID == "" {
		return "", errStale
	}
	defer func() {
		_, _ = call(ctx, t, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: r.Result.ObjectID}) // it goes with its document anyway
	}()
	n, err := call(ctx, t, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: r.Result.ObjectID})
	if err != nil {
		return "", err
	}
	if n.Node.FrameID == "" {
		return "", errStale
	}
	return n.Node.FrameID, nil
}

// ownProcess reports whether a frame runs in a process of its own, where it is a
// target of its own.
func (t *tab) ownProcess(ctx context.Context, id cdp.FrameID) (bool, error) {
	all, err := cdp.Call(ctx, t.browser, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(all.TargetInfos, func(i *target.Info) bool { return i.Type == "iframe" && string(i.TargetID) == string(id) }), nil
}

// attachFrame connects to a frame in a process of its own. What it tells of its
// worlds is kept apart from the page's.
func (t *tab) attachFrame(ctx context.Context, doc *tab) error {
	doc.worlds = newEvents()
	fctx, cancel := chromedp.NewContext(t.life, chromedp.WithTargetID(target.ID(doc.frameID)), chromedp.WithDetachOnCancel(),
		chromedp.WithListener(doc.worlds.heard))
	stop := context.AfterFunc(ctx, cancel)
	err := chromedp.Do(fctx)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		cancel()
		return err
	}
	doc.session, doc.close = chromedp.FromContext(fctx).Target, cancel
	return nil
}

// forget lets the frames go that the latest reading did not see.
func (t *tab) forgetFrames() {
	t.frames = slices.DeleteFunc(t.frames, func(in *inner) bool {
		if in.seen == t.readings {
			return false
		}
		in.close()
		return true
	})
}

// numbered gives the frame a packed ref speaks of; STALE_REF when it is gone.
func (t *tab) numbered(frame int) (*inner, error) {
	for _, in := range t.frames {
		if in.number == frame {
			return in, nil
		}
	}
	return nil, staleRef()
}

// staleRef answers a ref of what is not there any more.
func staleRef() error { return refuse(fault.StaleRef, "it is not the one of the reading any more") }

// mayAct refuses what would press or type in a frame whose own address is outside
// the list. Its reading is another matter: it was fetched by a page on the list,
// as pictures are, and the person sees it too.
func (t *tab) mayAct(in *inner) error {
	if t.admits(in.address) {
		return nil
	}
	site := origin.Of(in.address)
	if site == "" || site == "null" {
		return refuse(fault.PolicyDenied, "the frame has no site of its own, and none that this task may use")
	}
	r := surfaces.Fail("", fault.PolicyDenied, "the frame is of "+site+", which is outside the sites this task may use")
	r.Error.Hint = "Add " + site + " to constraints.origins if the task may act in this frame."
	return &surfaces.Refusal{Failure: r.Error}
}

// toKeys makes the document ready that keys go to: the page's, or that of the
// frame which has the focus, if the task may act there.
func (t *tab) toKeys(ctx context.Context) error {
	var in *inner
	for range maxFrameDepth + 1 {
		var focus struct {
			Frame int `json:"frame"`
		}
		var at string
		if err := t.in(in).askHere(ctx, "focused", nil, &focus, &at); err != nil {
			return err
		}
		if in != nil {
			in.address = at
		}
		if focus.Frame <= 0 {
			if in != nil {
				if err := t.mayAct(in); err != nil {
					return err
				}
			}
			return t.in(in).askHere(ctx, "keepHere", nil, nil, &at)
		}
		var err error
		if in, err = t.frame(ctx, in, hole{Ref: focus.Frame}); err != nil {
			return err
		}
	}
	return refuse(fault.NotActionable, "the focus is in a frame too deep within others")
}

// askFrame runs a verb in a frame. A press is aimed there, then through every
// document around it, each of which must show the frame at that point.
func (t *tab) askFrame(ctx context.Context, in *inner, verb string, args map[string]any, out any) error {
	if verb != "state" && verb != "value" { // these only look
		if err := t.mayAct(in); err != nil {
			return err
		}
	}
	var at string
	if err := in.askHere(ctx, verb, args, out, &at); err != nil {
		if look(t.events, func() bool { return t.events.dead }) || ctx.Err() != nil || errors.Is(err, errDialog) || errors.Is(err, errLeaving) {
			return err
		}
		return staleRef() // the frame went away, not the page
	}
	v, aimed := out.(*verdict)
	if !aimed {
		return nil
	}
	switch verb {
	case "aim", "guard":
		return t.lift(ctx, in, verb == "guard", v)
	case "guarded":
		return t.liftGuards(ctx, in, v)
	}
	return nil
}

func (t *tab) lift(ctx context.Context, in *inner, guard bool, v *verdict) error {
	for p := in; p != nil && v.OK; p = p.parent {
		var around verdict
		args := map[string]any{"ref": p.hole.Ref, "x": v.X, "y": v.Y, "guard": guard}
		var at string
		if err := t.in(p.parent).askHere(ctx, "through", args, &around, &at); err != nil {
			return err
		}
		v.OK, v.Why, v.X, v.Y, v.Cover, v.Empty = around.OK, around.Why, around.X, around.Y, around.Cover, around.Empty
	}
	return nil
}

func (t *tab) liftGuards(ctx context.Context, in *inner, v *verdict) error {
	for p := in; p != nil; p = p.parent {
		var around verdict
		var at string
		if err := t.in(p.parent).askHere(ctx, "guarded", nil, &around, &at); err != nil {
			return err
		}
		if around.Blocked != "" {
			v.Blocked = around.Blocked
		}
	}
	return nil
}
