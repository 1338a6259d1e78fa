package browser

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/runtime"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/origin"
)

// Limits of surfaces.md 7.13 and section 10; the script keeps them, and what it
// answers is held to them again.
const (
	maxControls = 800
	maxTexts    = 400
	maxName     = 120
	maxText     = 160
	maxContext  = 60
	maxValue    = 2000 // of a value as it is shown; ReadValue gives all of it
	maxPath     = 12
	maxAddress  = 4096
	maxHints    = 20000
)

// Observe reads the page, or the part under a root of an earlier reading. Depth
// makes no difference: a page is read whole within its limits.
func (s *Side) Observe(ctx context.Context, app, root string, _ surfaces.Depth) (*surfaces.Screen, *surfaces.Reply) {
	const command = "observe"
	var screen *surfaces.Screen
	if app = strings.TrimSpace(app); app == "" {
		app = string(surfaces.Browser)
	}
	r := s.act(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply {
		got, err := s.read(ctx, t, root)
		if err != nil {
			return unsent(failed(command, err))
		}
		screen = got
		return surfaces.Succeed(command, surfaces.Data{})
	})
	if r.OK {
		screen.App = app
		return screen, nil
	}
	if d := s.prompt(); d != nil && r.Code() == fault.NotActionable {
		screen = promptScreen(d.dialog)
		screen.App, screen.Address, screen.Origin = app, d.address, origin.Of(d.address)
		return screen, nil
	}
	return nil, r
}

// asked is an open script dialog and the page it belongs to.
type asked struct {
	*dialog
	address string
}

func (s *Side) prompt() *asked {
	s.mu.Lock()
	t := s.tab
	s.mu.Unlock()
	if t == nil {
		return nil
	}
	d, at := t.events.prompt(), t.events.where()
	if d == nil || !s.origins.Admits(at) {
		return nil
	}
	return &asked{d, at}
}

func (s *Side) read(ctx context.Context, t *tab, root string) (*surfaces.Screen, error) {
	ref := 0
	if root != "" {
		n, ok := number(root)
		if !ok {
			return nil, refuse(fault.StaleRef, "the part to be read is of another reading")
		}
		ref = n
	}
	screen, at, err := s.readAt(ctx, t, ref)
	if err != nil {
		return nil, err
	}
	// The address came with the reading, out of the very document that was read.
	if !s.origins.Admits(at) || !s.origins.Admits(t.events.where()) {
		return nil, refuse(fault.PolicyDenied, "the page left the sites this task may use while it was read")
	}
	screen.Address, screen.Origin = clip(at, maxAddress), origin.Of(at)
	return screen, nil
}

// readAt reads the page, or the part under a packed ref, and tells its address.
func (s *Side) readAt(ctx context.Context, t *tab, ref int) (*surfaces.Screen, string, error) {
	frame, n := 0, ref
	if ref > 0 {
		frame, n = unpack(ref)
	}
	if frame > 0 {
		return t.readPart(ctx, frame, n)
	}
	if ref < 0 {
		var err error
		if n, err = t.ofTree(ctx, ref); err != nil {
			return nil, "", err
		}
	}
	var got sighting
	var at string
	err := t.askAt(ctx, "read", map[string]any{"floor": t.floor, "root": n, "pressed": t.pressed(ctx)}, &got, &at)
	if err = unreadable(err); err != nil && failed("", err).Code() != fault.PageError {
		return nil, at, err
	}
	if got.Stale {
		return nil, at, refuse(fault.StaleRef, "the part to be read is gone")
	}
	t.saw(got)
	failing := err != nil || s.driver.options.Tree
	var screen *surfaces.Screen
	if !failing {
		screen = accept(got)
		failing = t.readFrames(ctx, nil, got.holes(), screen, 0) || got.Shut
	}
	t.forgetFrames()
	if !failing || ref != 0 {
		return screen, at, err
	}
	look(t.events, func() bool { t.denoised = surfaces.Denoised{}; return true })
	if at == "" {
		at = t.events.where()
	}
	screen, err = t.readTree(ctx, got.Title)
	return screen, at, err
}

// saw notes what a reading tells beside its screen.
func (t *tab) saw(got sighting) {
	t.readings++
	t.framesRead = 0
	look(t.events, func() bool {
		t.denoised = got.Denoised
		if len(got.Viewport) == 2 && sized(got.Viewport...) {
			t.width, t.height = got.Viewport[0], got.Viewport[1]
		}
		return true
	})
	if got.Last > t.floor && got.Last < 1<<frameBits {
		t.floor = got.Last
	}
}

// readPart reads the part of a frame under one of its own refs.
func (t *tab) readPart(ctx context.Context, frame, n int) (*surfaces.Screen, string, error) {
	in, err := t.numbered(frame)
	if err != nil {
		return nil, "", err
	}
	got, err := t.readInner(ctx, in, n)
	if err != nil {
		return nil, "", err
	}
	screen := accept(sighting{Title: got.Title})
	in.add(got, screen)
	return screen, t.events.where(), nil
}

// hintTime bounds the look into the page's own world, where a page can keep us.
const hintTime = time.Second

// pressed asks the page's own world for elements with a framework's press
// handler. Whatever it answers is a hint; no answer is none.
func (t *tab) pressed(ctx context.Context) []int {
	if t.listed() != nil {
		return nil
	}
	yes := true
	r, err := call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: pressScript, ReturnByValue: &yes, Silent: &yes, Timeout: runtime.TimeDelta(hintTime.Milliseconds())})
	if err != nil || r.ExceptionDetails != nil {
		return nil
	}
	var places []int
	if json.Unmarshal(r.Result.Value, &places) != nil || len(places) > maxHints {
		return nil
	}
	return places
}

// unreadable tells an answer of the wrong shape from a failed call.
func unreadable(err error) error {
	var shape *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	if errors.As(err, &shape) || errors.As(err, &syntax) {
		return refuse(fault.PageError, "the page cannot be read")
	}
	return err
}

const refPrefix = "seen:"

// number reads a ref of a reading, seen:N or seen:F.N for a control N of a frame
// F, as pack packs it.
func number(ref string) (int, bool) {
	if strings.HasPrefix(ref, treePrefix) {
		return treeRef(ref)
	}
	rest, ok := strings.CutPrefix(ref, refPrefix)
	if !ok {
		return 0, false
	}
	frame := 0
	if f, n, inFrame := strings.Cut(rest, "."); inFrame {
		var err error
		if frame, err = strconv.Atoi(f); err != nil || frame <= 0 || frame >= 1<<20 {
			return 0, false
		}
		rest = n
	}
	n, err := strconv.Atoi(rest)
	return pack(frame, n), err == nil && n > 0 && n < 1<<frameBits
}

func squash(s string) string { return strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ") }

// clip cuts at a rune, to at most n bytes of UTF-16 as the script counts them,
// which is never more than n runes.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}

func lines(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = clip(squash(line), maxText); line != "" && len(out) < maxTexts {
			out = append(out, line)
		}
	}
	return out
}

// Denoised tells what the latest reading left out: zero before the first one and
// after one of the accessibility tree.
func (s *Side) Denoised() surfaces.Denoised {
	s.mu.Lock()
	t := s.tab
	s.mu.Unlock()
	if t == nil {
		return surfaces.Denoised{}
	}
	return look(t.events, func() surfaces.Denoised { return t.denoised })
}

// Viewport gives the size of the window in CSS pixels as the latest reading saw
// it; zero before the first one.
func (s *Side) Viewport() (width, height float64) {
	s.mu.Lock()
	t := s.tab
	s.mu.Unlock()
	if t == nil {
		return 0, 0
	}
	look(t.events, func() bool { width, height = t.width, t.height; return true })
	return width, height
}
