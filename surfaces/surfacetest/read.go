package surfacetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/origin"
)

// Refs of an open script dialog (surfaces.md 8.2).
const (
	alertOK     = "dlg:ok"
	alertCancel = "dlg:cancel"
)

// maxContext is the context's limit in lines (surfaces.md section 3).
const maxContext = 60

// Observe reads the page with new refs.
func (f *Fake) Observe(ctx context.Context, app, root string, _ surfaces.Depth) (*surfaces.Screen, *surfaces.Reply) {
	if r := f.begin(ctx, "observe"); r != nil {
		return nil, r
	}
	defer f.mu.Unlock()
	if f.side == surfaces.Desktop && app != "" && app != f.app.address {
		if _, ok := f.pages[app]; !ok {
			return nil, surfaces.Fail("observe", fault.AppNotFound, fmt.Sprintf("no application %q", app))
		}
		f.app.load(app)
	}
	under, known := f.roots[root]
	if root != "" && !known {
		under, known = f.labelOf(root)
		if !known {
			return nil, surfaces.Fail("observe", fault.StaleRef, "that part is of an earlier reading")
		}
	}
	return f.read(app, under), nil
}

// labelOf is the label of an element of the latest reading.
func (f *Fake) labelOf(ref string) (string, bool) {
	e, known := f.refs[ref]
	if !known {
		return "", false
	}
	return label(e), true
}

func (f *Fake) read(app, under string) *surfaces.Screen {
	f.reading++
	f.readings++
	f.refs, f.roots = map[string]*Element{}, map[string]string{}
	s := &surfaces.Screen{App: app, Window: f.app.page.Title, Surface: f.app.front(), Side: f.side}
	if app == "" {
		s.App = string(f.side)
	}
	s.Origin = s.App + " · " + s.Window
	if f.side == surfaces.Browser {
		s.Address, s.Origin = f.app.address, origin.Of(f.app.address)
	}
	if f.app.alert != nil {
		readAlert(s, f.app.alert)
		return s
	}
	for order, e := range f.inOrder() {
		if !f.shown(s, e, under) {
			continue
		}
		if e.Role == "" {
			addText(s, e, order)
			continue
		}
		s.Candidates = append(s.Candidates, f.candidate(e, order))
	}
	return s
}

// inOrder is document order: the page, then what lies over it.
func (f *Fake) inOrder() []*Element {
	all := slices.Clone(f.app.page.Elements)
	for _, l := range f.app.layers {
		all = append(all, l.Elements...)
	}
	return all
}

// shown decides whether e belongs into a reading, and lists what is cut.
func (f *Fake) shown(s *surfaces.Screen, e *Element, under string) bool {
	if under != "" {
		return slices.Contains(e.Path, under)
	}
	for _, cut := range f.app.page.Cut {
		if slices.Contains(e.Path, cut) {
			ref := fmt.Sprintf("r%d:cut:%s", f.reading, cut)
			if _, listed := f.roots[ref]; !listed {
				f.roots[ref] = cut
				s.Unexplored = append(s.Unexplored, ref)
			}
			return false
		}
	}
	return true
}

func (f *Fake) candidate(e *Element, order int) surfaces.Candidate {
	ref := fmt.Sprintf("r%d:%d", f.reading, order)
	f.refs[ref] = e
	c := surfaces.Candidate{
		Ref: ref, Role: e.Role, Name: e.Name, Description: e.Description, Value: e.Value,
		States: slices.Clone(e.States), Actions: e.actions(), Path: slices.Clone(e.Path), Order: order,
		Form: e.Form, Autocomplete: e.Complete, Hints: slices.Clone(e.Hints), InputType: e.InputType,
		Bounds: surfaces.Bounds{X: 10, Y: float64(30 * order), Width: 200, Height: 24},
	}
	if e.Frame != "" {
		c.Origin, c.Address = origin.Of(e.Frame), e.Frame
	}
	if to := cmp.Or(e.Destination, e.Href); to != "" {
		c.Destination, _, _ = strings.Cut(f.app.resolve(to), "#")
	}
	if e.InputType == "password" {
		c.Value = ""
	}
	if f.app.focus == e {
		c.States = append(c.States, surfaces.Focused)
	}
	if _, covered := f.app.cover(e); covered {
		c.States = append(c.States, surfaces.Covered)
	}
	return c
}

func addText(s *surfaces.Screen, e *Element, order int) {
	s.TextNodes = append(s.TextNodes, surfaces.TextNode{Text: e.Name, Path: slices.Clone(e.Path), Order: order, Field: e.Private})
	if !e.Private && len(s.Context) < maxContext && !slices.Contains(s.Context, e.Name) {
		s.Context = append(s.Context, e.Name)
	}
}

func readAlert(s *surfaces.Screen, a *alert) {
	s.Context = strings.Split(a.text, "\n")
	click := []surfaces.Action{surfaces.CanClick}
	s.Candidates = []surfaces.Candidate{
		{Ref: alertOK, Role: "button", Name: "OK", Actions: click},
		{Ref: alertCancel, Role: "button", Name: "Cancel", Actions: click, Order: 1},
	}
}

// build makes the page of an address: exactly it, or it without fragment and
// query; one nobody serves says so with status 404.
func (f *Fake) build(address string) *Page {
	short, _, _ := strings.Cut(address, "#")
	path, _, _ := strings.Cut(short, "?")
	for _, key := range []string{address, short, path, strings.TrimSuffix(path, "/")} {
		if build := f.pages[key]; build != nil {
			p := build()
			if p.Status == 0 {
				p.Status = 200
			}
			return p
		}
	}
	if address == "about:blank" || address == "" {
		return &Page{}
	}
	return &Page{Title: "Not found", Status: 404, Elements: []*Element{Text("Nothing is here.")}}
}
