package browser

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
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

// control is one control as the script tells of it. Nothing of it is believed
// before accept has seen it.
type control struct {
	Ref          int      `json:"ref"`
	Role         string   `json:"role"`
	Name         string   `json:"name"`
	Description  string   `json:"description"`
	Value        string   `json:"value"`
	States       []string `json:"states"`
	Actions      []string `json:"actions"`
	Children     int      `json:"children"`
	X            float64  `json:"x"`
	Y            float64  `json:"y"`
	W            float64  `json:"w"`
	H            float64  `json:"h"`
	Path         []string `json:"path"`
	Order        int      `json:"order"`
	Form         string   `json:"form"`
	Autocomplete string   `json:"autocomplete"`
	Type         string   `json:"type"`
	Destination  string   `json:"destination"`
	Hints        []string `json:"hints"`
}

type words struct {
	Text   string   `json:"text"`
	Path   []string `json:"path"`
	Order  int      `json:"order"`
	Field  bool     `json:"field"`
	Column string   `json:"column"`
}

// sighting is one answer of the script.
type sighting struct {
	Stale    bool              `json:"stale"`
	Title    string            `json:"title"`
	Viewport []float64         `json:"viewport"`
	Surface  string            `json:"surface"`
	Controls []control         `json:"controls"`
	Texts    []words           `json:"texts"`
	Context  []string          `json:"context"`
	Frames   []hole            `json:"frames"`
	Shut     bool              `json:"shut"` // something in front tells nothing
	Denoised surfaces.Denoised `json:"denoised"`
	Last     int               `json:"last"`
}

// hole is a frame of another origin: what it shows is read inside it.
type hole struct {
	Ref   int      `json:"ref"`
	X     float64  `json:"x"` // of its content, in the window
	Y     float64  `json:"y"`
	W     float64  `json:"w"`
	H     float64  `json:"h"`
	Share float64  `json:"share"` // of the window
	Front bool     `json:"front"`
	Path  []string `json:"path"`
}

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
		failing = t.readFrames(ctx, nil, got.Frames, screen, 0) || got.Shut
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

// accept makes a screen of an answer, keeping nothing that is out of bounds.
func accept(s sighting) *surfaces.Screen {
	screen := &surfaces.Screen{
		Window: clip(squash(s.Title), 300), Surface: surfaces.FrontWindow, Side: surfaces.Browser,
		Candidates: []surfaces.Candidate{}, TextNodes: []surfaces.TextNode{}, Context: []string{}, Unexplored: []string{},
	}
	if s.Surface == surfaces.FrontSheet || s.Surface == surfaces.FrontAlert {
		screen.Surface = s.Surface
	}
	seen := map[int]bool{}
	for _, c := range s.Controls {
		if len(screen.Candidates) == maxControls {
			break
		}
		if c.Ref <= 0 || seen[c.Ref] || !roles(c.Role) || !sized(c.X, c.Y, c.W, c.H) {
			continue
		}
		seen[c.Ref] = true
		screen.Candidates = append(screen.Candidates, candidate(c))
	}
	for _, w := range s.Texts {
		if text := clip(squash(w.Text), maxText); text != "" && len(screen.TextNodes) < maxTexts {
			screen.TextNodes = append(screen.TextNodes, surfaces.TextNode{Text: text, Path: path(w.Path), Order: w.Order, Field: w.Field, Column: clip(squash(w.Column), maxName)})
		}
	}
	for _, line := range s.Context {
		line = clip(squash(line), maxText)
		if line != "" && len(screen.Context) < maxContext && !slices.Contains(screen.Context, line) {
			screen.Context = append(screen.Context, line)
		}
	}
	return screen
}

func candidate(c control) surfaces.Candidate {
	out := surfaces.Candidate{
		Ref: refPrefix + strconv.Itoa(c.Ref), Role: c.Role, Name: clip(squash(c.Name), maxName), Description: clip(squash(c.Description), maxText),
		ChildrenCount: max(0, min(c.Children, 1<<20)),
		Bounds:        surfaces.Bounds{X: c.X, Y: c.Y, Width: c.W, Height: c.H},
		Path:          path(c.Path), Order: c.Order, Form: clip(c.Form, maxName), Autocomplete: clip(c.Autocomplete, maxName),
		InputType: clip(c.Type, 40), Destination: clip(c.Destination, maxAddress),
	}
	if c.Type != "password" {
		out.Value = clip(c.Value, maxValue)
	}
	for _, st := range c.States {
		if known := states(st); known && !slices.Contains(out.States, st) {
			out.States = append(out.States, st)
		}
	}
	if len(c.Actions) == 0 { // a press alone goes without saying
		out.Actions = []surfaces.Action{surfaces.CanClick}
	}
	for _, a := range c.Actions {
		if act := surfaces.Action(a); actions(act) && !slices.Contains(out.Actions, act) {
			out.Actions = append(out.Actions, act)
		}
	}
	for _, h := range c.Hints {
		if h = clip(squash(h), maxText); h != "" && len(out.Hints) < 4 {
			out.Hints = append(out.Hints, h)
		}
	}
	return out
}

func roles(r string) bool {
	switch r {
	case "button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "option", "treeitem", "slider", "gridcell", "listitem",
		"row", "cell", "textbox", "searchbox", "combobox", "textarea", "spinbutton", "image":
		return true
	default:
		return false
	}
}

func states(s string) bool {
	switch s {
	case surfaces.Focused, surfaces.Selected, surfaces.Checked, surfaces.Expanded, surfaces.Collapsed, surfaces.ReadOnly,
		surfaces.Required, surfaces.Offscreen, surfaces.Covered:
		return true
	default:
		return false
	}
}

func actions(a surfaces.Action) bool {
	switch a {
	case surfaces.CanClick, surfaces.CanSetValue, surfaces.CanTypeText, surfaces.CanExpand, surfaces.CanCollapse, surfaces.CanCheck,
		surfaces.CanUncheck, surfaces.CanScroll:
		return true
	default:
		return false
	}
}

func path(parts []string) []string {
	var out []string
	for _, p := range parts {
		if p = clip(squash(p), maxName); p != "" && len(out) < maxPath {
			out = append(out, p)
		}
	}
	return out
}

func sized(numbers ...float64) bool {
	for _, n := range numbers {
		if math.IsNaN(n) || math.IsInf(n, 0) || math.Abs(n) > 1e7 {
			return false
		}
	}
	return true
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
