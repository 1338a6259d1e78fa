package browser

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
	Text  string   `json:"text"`
	Path  []string `json:"path"`
	Order int      `json:"order"`
	Field bool     `json:"field"`
}

// sighting is one answer of the script.
type sighting struct {
	Stale    bool      `json:"stale"`
	Title    string    `json:"title"`
	Surface  string    `json:"surface"`
	Controls []control `json:"controls"`
	Texts    []words   `json:"texts"`
	Context  []string  `json:"context"`
	Last     int       `json:"last"`
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
	args := map[string]any{"floor": t.floor, "root": 0}
	if root != "" {
		n, ok := number(root)
		if !ok {
			return nil, refuse(fault.StaleRef, "the part to be read is of another reading")
		}
		args["root"] = n
	}
	var raw json.RawMessage
	var at string
	if err := t.askAt(ctx, "read", args, &raw, &at); err != nil {
		return nil, err
	}
	// The address came with the reading, out of the very document that was read.
	if !s.origins.Admits(at) || !s.origins.Admits(t.events.where()) {
		return nil, refuse(fault.PolicyDenied, "the page left the sites this task may use while it was read")
	}
	var sight sighting
	if err := json.Unmarshal(raw, &sight); err != nil {
		return nil, refuse(fault.PageError, "the page cannot be read")
	}
	if sight.Stale {
		return nil, refuse(fault.StaleRef, "the part to be read is gone")
	}
	if sight.Last > t.floor && sight.Last < 1<<40 {
		t.floor = sight.Last
	}
	screen := accept(sight)
	screen.Address, screen.Origin = clip(at, maxAddress), origin.Of(at)
	return screen, nil
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
			screen.TextNodes = append(screen.TextNodes, surfaces.TextNode{Text: text, Path: path(w.Path), Order: w.Order, Field: w.Field})
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

// number reads a ref of a reading.
func number(ref string) (int, bool) {
	rest, ok := strings.CutPrefix(ref, refPrefix)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(rest)
	return n, err == nil && n > 0
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
