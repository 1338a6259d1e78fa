package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domsnapshot"
	"github.com/chromedp/cdproto/runtime"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// treePrefix starts a ref of a reading of the accessibility tree: ax:G:N is node
// N, good only while reading G is the latest.
const treePrefix = "ax:"

// treeRef reads such a ref. It is packed as a negative number, which no ref of a
// sight reading is.
func treeRef(ref string) (int, bool) {
	g, n, ok := strings.Cut(strings.TrimPrefix(ref, treePrefix), ":")
	reading, err := strconv.Atoi(g)
	node, err2 := strconv.Atoi(n)
	if !ok || err != nil || err2 != nil || reading <= 0 || reading >= 1<<20 || node <= 0 || node >= 1<<frameBits {
		return 0, false
	}
	return -pack(reading, node), true
}

// ofTree finds the element a tree ref speaks of and marks it as a sight reading
// would, so that everything is done to it in the same way.
func (t *tab) ofTree(ctx context.Context, ref int) (int, error) {
	reading, node := unpack(-ref)
	if reading != t.readings {
		return 0, staleRef()
	}
	if err := t.enter(ctx); err != nil {
		return 0, err
	}
	world := look(t.worlds, func() runtime.ExecutionContextID {
		for n, id := range t.worlds.worlds {
			if id == t.world {
				return n
			}
		}
		return 0
	})
	got, err := call(ctx, t, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: cdp.BackendNodeID(node), ExecutionContextID: world})
	if err != nil {
		return 0, staleRef()
	}
	yes := true
	r, err := call(ctx, t, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function() { return globalThis.desk.adopt(this); }", ObjectID: got.Object.ObjectID, ReturnByValue: &yes, Silent: &yes,
	})
	if err != nil {
		return 0, err
	}
	var n int
	if r.ExceptionDetails != nil || json.Unmarshal(r.Result.Value, &n) != nil || n <= 0 {
		return 0, staleRef()
	}
	return n, nil
}

// shown is what the browser lays out for one node.
type shown struct {
	bounds surfaces.Bounds
	tag    string
	secret bool
	kind   string // of an input
}

// forest is a reading of the accessibility tree under way.
type forest struct {
	nodes   map[accessibility.NodeID]*accessibility.Node
	shown   map[cdp.BackendNodeID]shown
	screen  *surfaces.Screen
	reading int
	width   float64
	height  float64
	order   int
	unnamed map[string]int
}

// place is where in the tree the walk is.
type place struct {
	path    []string
	counts  map[string]int
	control bool
	field   bool
	secret  bool
	deep    int
}

// readTree reads the page from the accessibility tree alone: for what no script
// can look into. It is slower by far than the sight, and knows nothing of covers.
func (t *tab) readTree(ctx context.Context, title string) (*surfaces.Screen, error) {
	all, err := call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		return nil, err
	}
	snapshot, err := call(ctx, t, domsnapshot.CaptureSnapshot, domsnapshot.CaptureSnapshotParams{ComputedStyles: []string{}})
	if err != nil {
		return nil, err
	}
	f := &forest{
		nodes: map[accessibility.NodeID]*accessibility.Node{}, shown: shownOf(&snapshot), reading: t.readings,
		width: t.width, height: t.height, unnamed: map[string]int{},
		screen: &surfaces.Screen{
			Window: clip(squash(title), 300), Surface: surfaces.FrontWindow, Side: surfaces.Browser,
			Candidates: []surfaces.Candidate{}, TextNodes: []surfaces.TextNode{}, Context: []string{}, Unexplored: []string{},
		},
	}
	for _, n := range all.Nodes {
		f.nodes[n.NodeID] = n
	}
	if len(all.Nodes) == 0 {
		return nil, refuse(fault.PageError, "the page cannot be read")
	}
	f.walk(all.Nodes[0], place{counts: map[string]int{}})
	return f.screen, nil
}

// shownOf tells where nodes are drawn. Only the page's own document is told: a
// frame's boxes are its own.
func shownOf(s *domsnapshot.CaptureSnapshotResult) map[cdp.BackendNodeID]shown {
	out := map[cdp.BackendNodeID]shown{}
	if len(s.Documents) == 0 || s.Documents[0].Nodes == nil || s.Documents[0].Layout == nil {
		return out
	}
	d := s.Documents[0]
	text := func(i int64) string {
		if i < 0 || int(i) >= len(s.Strings) {
			return ""
		}
		return s.Strings[i]
	}
	for i, at := range d.Layout.NodeIndex {
		if at < 0 || int(at) >= len(d.Nodes.BackendNodeID) || i >= len(d.Layout.Bounds) || len(d.Layout.Bounds[i]) != 4 {
			continue
		}
		b := d.Layout.Bounds[i]
		if !sized(b...) {
			continue
		}
		node := shown{bounds: surfaces.Bounds{X: b[0] - d.ScrollOffsetX, Y: b[1] - d.ScrollOffsetY, Width: b[2], Height: b[3]}}
		if int(at) < len(d.Nodes.NodeName) {
			node.tag = strings.ToLower(text(int64(d.Nodes.NodeName[at])))
		}
		if int(at) < len(d.Nodes.Attributes) {
			node.kind = attribute(d.Nodes.Attributes[at], "type", text)
		}
		node.secret = strings.EqualFold(node.kind, "password")
		out[d.Nodes.BackendNodeID[at]] = node
	}
	return out
}

func attribute(pairs domsnapshot.ArrayOfStrings, name string, text func(int64) string) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if text(pairs[i]) == name {
			return text(pairs[i+1])
		}
	}
	return ""
}

// maxTreeDepth is far above any page a person uses.
const maxTreeDepth = 400

func (f *forest) walk(n *accessibility.Node, at place) {
	at.deep++
	if at.deep > maxTreeDepth {
		return
	}
	role := word(n.Role)
	drawn := f.shown[n.BackendDOMNodeID]
	switch {
	case n.Ignored:
	case role == "StaticText":
		f.text(n, drawn, at)
		return
	case role == "InlineTextBox":
		return
	default:
		if part := f.part(n, role, drawn, at.counts); part != "" {
			at.path, at.counts = slices.Concat(at.path, []string{part}), map[string]int{}
		}
		if f.control(n, role, drawn, at) {
			at.control = true
		}
		at.secret = at.secret || drawn.secret
		at.field = at.field || property(n, accessibility.PropertyNameEditable) != ""
	}
	for _, id := range n.ChildIDs {
		if child := f.nodes[id]; child != nil {
			f.walk(child, at)
		}
	}
}

func (f *forest) text(n *accessibility.Node, drawn shown, at place) {
	said := clip(squash(word(n.Name)), maxText)
	b := drawn.bounds
	if said == "" || at.control && !at.field || at.secret || b.Y+b.Height < -f.height || b.Y > 2*f.height || len(f.screen.TextNodes) == maxTexts {
		return
	}
	f.order++
	f.screen.TextNodes = append(f.screen.TextNodes, surfaces.TextNode{Text: said, Path: path(at.path), Order: f.order, Field: at.field})
	if !at.field && len(f.screen.Context) < maxContext && !slices.Contains(f.screen.Context, said) {
		f.screen.Context = append(f.screen.Context, said)
	}
}

// control adds a candidate when a node is one.
func (f *forest) control(n *accessibility.Node, role string, drawn shown, at place) bool {
	writable := property(n, accessibility.PropertyNameEditable) != "" && property(n, accessibility.PropertyNameReadonly) != "true"
	role = treeRole(role, drawn, writable)
	if role == "" || n.BackendDOMNodeID <= 0 || drawn.bounds.Width < 1 || drawn.bounds.Height < 1 ||
		property(n, accessibility.PropertyNameDisabled) == "true" || len(f.screen.Candidates) == maxControls {
		return false
	}
	f.order++
	c := surfaces.Candidate{
		Ref: fmt.Sprintf("%s%d:%d", treePrefix, f.reading, n.BackendDOMNodeID), Role: role, Name: clip(squash(word(n.Name)), maxName),
		Description: clip(squash(word(n.Description)), maxText), Bounds: drawn.bounds, Path: path(at.path), Order: f.order,
		InputType: clip(drawn.kind, 40), ChildrenCount: len(n.ChildIDs),
	}
	if c.Name == "" && !writable {
		c.Name = clip(squash(f.words(n, 0)), maxName)
	}
	if writable && !drawn.secret || role == "combobox" {
		c.Value = clip(word(n.Value), maxValue)
	}
	c.States = f.states(n, role, drawn)
	c.Actions = treeActions(&c, writable)
	f.screen.Candidates = append(f.screen.Candidates, c)
	return true
}

// words is the text nested in a node.
func (f *forest) words(n *accessibility.Node, deep int) string {
	if deep > maxTreeDepth {
		return ""
	}
	if word(n.Role) == "StaticText" {
		return word(n.Name)
	}
	var parts []string
	for _, id := range n.ChildIDs {
		if child := f.nodes[id]; child != nil {
			parts = append(parts, f.words(child, deep+1))
		}
	}
	return strings.Join(parts, " ")
}

// treeRole is the role a node of the tree has in a screen, "" for none.
func treeRole(role string, drawn shown, writable bool) string {
	switch role {
	case "button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "option", "treeitem", "slider", "gridcell":
		return role
	case "menuitemcheckbox":
		return "checkbox"
	case "menuitemradio":
		return "radio"
	case "DisclosureTriangle", "PopUpButton", "ToggleButton":
		return "button"
	case "textbox", "searchbox", "spinbutton", "combobox":
		switch {
		case drawn.tag == "select":
			return "combobox"
		case !writable:
			return "button"
		case drawn.tag == "textarea":
			return "textarea"
		}
		return role
	default:
		return ""
	}
}

func (f *forest) states(n *accessibility.Node, role string, drawn shown) []string {
	var out []string
	for _, p := range []struct {
		name  accessibility.PropertyName
		is    string
		state string
	}{
		{accessibility.PropertyNameFocused, "true", surfaces.Focused},
		{accessibility.PropertyNameSelected, "true", surfaces.Selected},
		{accessibility.PropertyNameChecked, "true", surfaces.Checked},
		{accessibility.PropertyNamePressed, "true", surfaces.Selected},
		{accessibility.PropertyNameExpanded, "true", surfaces.Expanded},
		{accessibility.PropertyNameExpanded, "false", surfaces.Collapsed},
		{accessibility.PropertyNameRequired, "true", surfaces.Required},
	} {
		if property(n, p.name) == p.is && !slices.Contains(out, p.state) {
			out = append(out, p.state)
		}
	}
	if property(n, accessibility.PropertyNameReadonly) == "true" && role == "textbox" {
		out = append(out, surfaces.ReadOnly)
	}
	x, y := drawn.bounds.X+drawn.bounds.Width/2, drawn.bounds.Y+drawn.bounds.Height/2
	if x < 0 || y < 0 || x >= f.width || y >= f.height {
		out = append(out, surfaces.Offscreen)
	}
	return out
}

func treeActions(c *surfaces.Candidate, writable bool) []surfaces.Action {
	switch c.Role {
	case "checkbox", "switch":
		return []surfaces.Action{surfaces.CanClick, surfaces.CanCheck, surfaces.CanUncheck}
	case "radio":
		return []surfaces.Action{surfaces.CanClick, surfaces.CanCheck}
	}
	out := []surfaces.Action{surfaces.CanClick}
	if writable {
		out = append(out, surfaces.CanSetValue, surfaces.CanTypeText)
	}
	if c.Has(surfaces.Collapsed) {
		out = append(out, surfaces.CanExpand)
	}
	if c.Has(surfaces.Expanded) {
		out = append(out, surfaces.CanCollapse)
	}
	return out
}

// part is the part of a path a node stands for, as the sight labels it.
func (f *forest) part(n *accessibility.Node, role string, drawn shown, counts map[string]int) string {
	name := clip(squash(word(n.Name)), 60)
	labelled := role
	if name != "" {
		labelled = role + ` "` + name + `"`
	}
	switch role {
	case "dialog", "alertdialog":
		b := drawn.bounds
		if b.X <= f.width/2 && b.Y <= f.height/2 && b.X+b.Width >= f.width/2 && b.Y+b.Height >= f.height/2 {
			f.screen.Surface = surfaces.FrontSheet
			if role == "alertdialog" {
				f.screen.Surface = surfaces.FrontAlert
			}
		}
		return labelled
	case "navigation", "main", "banner", "contentinfo", "complementary", "search":
		return labelled
	case "listitem", "row", "article", "group":
		counts[role]++
		return labelled + " #" + strconv.Itoa(counts[role])
	case "region", "form", "toolbar", "tabpanel":
		if name != "" {
			return labelled
		}
	case "list", "listbox", "menu", "menubar", "tablist", "tree", "grid", "treegrid", "table", "radiogroup", "feed":
		if name != "" {
			return labelled
		}
		f.unnamed[role]++
		if f.unnamed[role] > 1 {
			return role + " " + strconv.Itoa(f.unnamed[role])
		}
		return role
	}
	return ""
}

// word is the text of a value of the tree, "" for none.
func word(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var said any
	if json.Unmarshal(v.Value, &said) != nil || said == nil {
		return ""
	}
	return fmt.Sprint(said)
}

func property(n *accessibility.Node, name accessibility.PropertyName) string {
	for _, p := range n.Properties {
		if p.Name == name {
			return word(p.Value)
		}
	}
	return ""
}
