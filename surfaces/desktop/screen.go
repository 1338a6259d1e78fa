package desktop

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces"
)

// Limits of surfaces.md sections 3 and 10.
const (
	maxCandidates = 254
	maxTexts      = 400
	maxName       = 120
	maxText       = 160
	maxContext    = 60
	maxChoices    = 60   // NATIVE_CHOICES, of one combo box
	maxValue      = 2000 // of a value as it is shown; ReadValue gives all of it
	maxPath       = 12
	maxTitle      = 300
)

// drawn is a node that made it into the screen, with what only the program
// itself can say about it.
type drawn struct {
	*node
	word    string // role of the candidate; empty for words
	order   int
	box     surfaces.Bounds
	boxed   bool
	text    string
	value   float64
	valued  bool
	labels  []accessible // what names it
	scrolls bool         // a scroll bar beside it can be moved
	covered string       // label of what lies over its middle
	cell    cell         // of a table's cell
}

// composer makes a Screen of a tree that was walked.
type composer struct {
	*walk
	drawn   []*drawn
	by      map[*node]*drawn
	choices map[*node]int    // of each combo box so far
	cut     []*node          // containers whose rest did not fit
	next    map[*node]string // what stands beside a control that nothing names
	nextTo  map[*node]*node  // and what says so
	rows    map[row][]*drawn // the cells of each row of a table that has no rows of its own
	heads   map[*node]string // the heads of the columns of boxes to tick
}

// collect picks in document order what a Screen shows.
func (c *composer) collect(root *node) {
	c.by = map[*node]*drawn{}
	c.choices = map[*node]int{}
	controls, texts := 0, 0
	full := false
	var visit func(n *node)
	visit = func(n *node) {
		if n.cut {
			c.cut = append(c.cut, n)
		}
		d := c.pick(n)
		switch {
		case d == nil:
		case d.word != "" && controls == maxCandidates:
			full = true
			return
		case d.word == "" && texts == maxTexts:
			return
		default:
			if d.word != "" {
				controls++
			} else {
				texts++
			}
			d.order = len(c.drawn)
			c.drawn = append(c.drawn, d)
			c.by[n] = d
		}
		for i, k := range n.children {
			visit(k)
			if full {
				c.stop(n, k, i)
				return
			}
		}
	}
	visit(root)
}

// stop notes that a container was left at its i-th child k because the screen
// is full. What was begun in k is cut by itself.
func (c *composer) stop(n, k *node, i int) {
	rest := k.index
	if c.by[k] != nil || len(k.children) > 0 {
		rest++
		i++
	}
	if i == len(n.children) && !n.cut {
		return
	}
	if !n.cut {
		c.cut = append(c.cut, n)
	}
	n.cut, n.rest = true, rest
}

// pick says what a node is in a Screen; nil when it only holds others.
func (c *composer) pick(n *node) *drawn {
	m := wordOf(n.role)
	switch m.kind {
	case words:
		if n.above(func(p *node) bool { return swallows(p.role) }) != nil {
			return nil
		}
		return &drawn{node: n}
	case control:
		if word := c.word(n, m.word); word != "" {
			return &drawn{node: n, word: word}
		}
	case part:
	}
	return nil
}

// swallows are the controls whose words are their name and nothing else.
func swallows(r role) bool {
	switch r {
	case rolePushButton, rolePushButtonMenu, roleToggleButton, roleSwitch, roleCheckBox, roleRadioButton, roleLink, roleComboBox,
		roleMenuItem, roleCheckMenuItem, roleRadioMenuItem:
		return true
	default:
		return false
	}
}

// word is the role of a control as a candidate; empty for one that nothing can
// be done with.
func (c *composer) word(n *node, word string) string {
	switch word {
	case "textbox":
		if n.states.has(stMultiLine) {
			return "textarea"
		}
		return word
	case "menuitem":
		combo := comboOf(n)
		if combo == nil {
			return word
		}
		if n.role == roleMenu || c.choices[combo] == maxChoices {
			return ""
		}
		c.choices[combo]++
		return "option"
	case "listitem", "treeitem", "row", "cell":
		if n.ifaces.has(hasAction) || n.states.has(stSelectable) || selects(n.parent) || len(n.children) == 0 {
			return word
		}
		return ""
	case "image":
		if n.ifaces.has(hasAction) {
			return word
		}
		return ""
	case "button":
		if n.ifaces.has(hasAction) || n.role == rolePushButton {
			return word
		}
		return ""
	default:
		return word
	}
}

func selects(n *node) bool { return n != nil && n.ifaces.has(hasSelection) }

// comboOf is the combo box a choice belongs to.
func comboOf(n *node) *node {
	for p, level := n.parent, 0; p != nil && level < 2; p, level = p.parent, level+1 {
		if p.role == roleComboBox {
			return p
		}
	}
	return nil
}

// detail asks everything that only the programs can say, in one sweep.
func (c *composer) detail(ctx context.Context) {
	var questions []*question
	ask := func(to accessible, method string, answer func(*dbus.Call), args ...any) {
		questions = append(questions, &question{to: to, method: method, args: args, answer: answer})
	}
	for _, d := range c.drawn {
		if d.ifaces.has(hasComponent) && d.states.has(shownOnScreen) {
			ask(d.at, atspi+"Component.GetExtents", d.extents, uint32(0)) // 0: screen coordinates
		}
		if d.ifaces.has(hasText) && (private(d.role) || d.role == roleSpinButton || d.role == roleStatic && d.name == "") && d.role != rolePasswordText {
			ask(d.at, atspi+"Text.GetText", func(call *dbus.Call) { _ = call.Store(&d.text) }, int32(0), int32(maxValue))
		}
		if d.ifaces.has(hasValue) && (d.role == roleSlider || d.role == roleSpinButton || d.role == roleDial || d.role == roleProgressBar) {
			ask(d.at, properties+"Get", func(call *dbus.Call) {
				var v dbus.Variant
				_ = call.Store(&v)
				d.value, d.valued = v.Value().(float64)
			}, atspi+"Value", "CurrentValue")
		}
		if d.word != "" && (d.name == "" || d.role == roleComboBox) {
			ask(d.at, atspi+"Accessible.GetRelationSet", d.relations)
		}
		d.askCell(ask)
	}
	c.askAll(ctx, questions)
	c.tables()
}

func (d *drawn) extents(call *dbus.Call) {
	var box struct{ X, Y, W, H int32 }
	if call.Store(&box) != nil || box.X == math.MinInt32 || box.W <= 0 || box.H <= 0 {
		return
	}
	d.box = surfaces.Bounds{X: float64(box.X), Y: float64(box.Y), Width: float64(box.W), Height: float64(box.H)}
	d.boxed = true
}

// relations keeps what a control is labelled by (AtspiRelationType 2).
func (d *drawn) relations(call *dbus.Call) {
	const labelledBy = 2
	var all []struct {
		Kind    uint32
		Targets []accessible
	}
	_ = call.Store(&all)
	for _, r := range all {
		if r.Kind == labelledBy {
			d.labels = append(d.labels, r.Targets...)
		}
	}
}

// hide marks every control whose middle lies under something that is drawn
// later and is no part of it.
func (c *composer) hide() {
	for i, d := range c.drawn {
		if d.word == "" || !d.boxed {
			continue
		}
		x, y := d.box.X+d.box.Width/2, d.box.Y+d.box.Height/2
		for _, over := range c.drawn[i+1:] {
			if over.boxed && within(over.box, x, y) && !under(over.node, d.node) && !under(d.node, over.node) {
				d.covered = c.label(over)
			}
		}
	}
}

func within(b surfaces.Bounds, x, y float64) bool {
	return x >= b.X && x < b.X+b.Width && y >= b.Y && y < b.Y+b.Height
}

func under(n, ancestor *node) bool {
	return n == ancestor || n.above(func(p *node) bool { return p == ancestor }) != nil
}

// candidate makes one control of the Screen.
func (c *composer) candidate(d *drawn, ref string) surfaces.Candidate {
	takes := d.word == "textbox" || d.word == "textarea" || d.word == "spinbutton"
	out := surfaces.Candidate{
		Ref: ref, Role: d.word, Name: c.called(d.node), ChildrenCount: max(0, min(d.count, 1<<20)),
		Bounds: d.box, Path: c.path(d.node), Order: d.order,
		States: stateWords(d.role, d.states, takes),
	}
	if says := tidy(d.description, maxText); says != out.Name {
		out.Description = says
	}
	out.Value, out.InputType = c.holds(d)
	if d.word == "option" && comboOf(d.node).name == d.name && !out.Has(surfaces.Selected) {
		out.States = append(out.States, surfaces.Selected)
	}
	if d.word == "option" { // its list is closed, and it can be chosen all the same
		out.States = slices.DeleteFunc(out.States, func(s string) bool { return s == surfaces.Offscreen })
	}
	if d.covered != "" {
		out.States = append(out.States, surfaces.Covered)
	}
	out.Actions = d.actions()
	return out
}

// holds is what a field holds and the kind of field it is. A password's value is
// never asked for.
func (c *composer) holds(d *drawn) (value, kind string) {
	switch {
	case d.role == rolePasswordText:
		return "", "password"
	case d.role == roleComboBox:
		return tidy(c.choice(d.node), maxValue), "select"
	case d.word == "spinbutton" && d.text != "":
		return clip(d.text, maxValue), "number"
	case d.valued && d.word != "":
		return strconv.FormatFloat(d.value, 'g', -1, 64), "number"
	case d.word == "textbox" || d.word == "textarea":
		return clip(d.text, maxValue), "text"
	default:
		return "", ""
	}
}

// actions are what can really be done with a control, by the interfaces it has.
func (d *drawn) actions() []surfaces.Action {
	var all []surfaces.Action
	add := func(can bool, actions ...surfaces.Action) {
		if can {
			all = append(all, actions...)
		}
	}
	if !d.states.has(stSensitive | stEnabled) {
		return nil
	}
	takesText := d.word == "textbox" || d.word == "textarea" || d.word == "spinbutton"
	add(d.ifaces.has(hasAction) || takesText && d.states.has(stFocusable) || choosable(d.node), surfaces.CanClick)
	add(takesText && d.ifaces.has(hasEditable) && d.states.has(stEditable), surfaces.CanSetValue, surfaces.CanTypeText)
	add(d.word == "slider" && d.ifaces.has(hasValue), surfaces.CanSetValue)
	add(d.states.has(stExpandable), surfaces.CanExpand, surfaces.CanCollapse)
	switch d.role {
	case roleCheckBox, roleToggleButton, roleSwitch, roleCheckMenuItem:
		add(d.ifaces.has(hasAction), surfaces.CanCheck, surfaces.CanUncheck)
	case roleRadioButton, roleRadioMenuItem:
		add(d.ifaces.has(hasAction), surfaces.CanCheck)
	default:
		add(d.cell.ticks, surfaces.CanCheck, surfaces.CanUncheck)
	}
	add(d.scrolls, surfaces.CanScroll)
	return all
}

// choosable reports whether a container can select it.
func choosable(n *node) bool {
	if comboOf(n) != nil {
		return true
	}
	switch n.role {
	case roleListItem, roleIcon, roleTreeItem, roleTableCell, roleTableRow, rolePageTab:
		return selects(n.parent)
	default:
		return false
	}
}

// tidy makes one line of foreign text, of at most n runes. What could command a
// terminal stays in: whoever shows it takes that out.
func tidy(s string, n int) string {
	return clip(strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " "), n)
}

func clip(s string, n int) string {
	s = strings.ToValidUTF8(s, "")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}
