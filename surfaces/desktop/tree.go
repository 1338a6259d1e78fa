package desktop

import (
	"cmp"
	"context"
	"slices"

	"github.com/godbus/dbus/v5"
)

// Limits of a walk (surfaces.md section 10 and 9.1).
const (
	fullDepth     = 10 // containers deep; what only holds others in place does not count
	skeletonDepth = 4
	mostLevels    = 60   // of anything: no program is nested so deep, a broken one may be
	mostNodes     = 6000 // of one reading
	mostChildren  = 400  // read of a container that makes its children on demand
)

// node is one object of a program's tree, as one reading found it.
type node struct {
	at          accessible
	parent      *node
	children    []*node
	role        role
	name        string
	description string
	states      states
	ifaces      ifaces
	count       int  // children it says it has; negative: it does not say
	index       int  // among its parent's children, as it says
	from        int  // its first child that was to be read
	cut         bool // not all of its children from there on were read
	rest        int  // if so, the first that was not
}

// item is one entry of the cache (org.a11y.atspi.Cache.GetItems).
type item struct {
	At, App, Parent accessible
	Index, Count    int32
	Ifaces          []string
	Name            string
	Role            uint32
	Description     string
	States          []uint32
}

// cache is all a program tells of its objects at once. An empty one is as good,
// only slower.
type cache struct {
	nodes    map[dbus.ObjectPath]*node
	children map[dbus.ObjectPath][]*node
}

// sweep reads a program's cache. One that has none gives an empty cache: GTK
// has it only once somebody listens to its events, Qt and others never do.
func (b *bus) sweep(ctx context.Context, program string) cache {
	var items []item
	c := cache{nodes: map[dbus.ObjectPath]*node{}, children: map[dbus.ObjectPath][]*node{}}
	if b.ask(ctx, accessible{program, cachePath}, atspi+"Cache.GetItems", nil, &items) != nil {
		return c
	}
	for _, i := range items {
		n := &node{
			at: i.At, role: role(i.Role), name: i.Name, description: i.Description,
			states: statesOf(i.States), ifaces: ifacesOf(i.Ifaces), count: int(i.Count), index: int(i.Index),
		}
		c.nodes[i.At.Path] = n
		if i.Parent.Path != i.At.Path {
			c.children[i.Parent.Path] = append(c.children[i.Parent.Path], n)
		}
	}
	return c
}

// whole gives the children of n when the cache has all of them in their order.
func (c cache) whole(n *node) ([]*node, bool) {
	kids := c.children[n.at.Path]
	if len(kids) == 0 {
		return nil, n.count == 0
	}
	if n.count >= 0 && n.count != len(kids) {
		return nil, false
	}
	slices.SortFunc(kids, func(a, b *node) int { return cmp.Compare(a.index, b.index) })
	for i, k := range kids {
		if k.index != i {
			return nil, false
		}
	}
	return kids, true
}

// walk reads the tree below root, a level at a time, so that each level costs
// one or two ways there and back however wide it is. What is not visible is left
// out, and what lies too deep is a container that was cut.
type walk struct {
	*bus
	cache cache
	known map[dbus.ObjectPath]*node // all that was read
	depth int
}

// closed reports a menu that is not open: its items exist, and are not shown.
// Those of a combo box are its choices, and are read.
func (w *walk) closed(n *node) bool {
	if n.role != roleMenu || n.parent != nil && n.parent.role == roleComboBox {
		return false
	}
	kids := w.cache.children[n.at.Path]
	return len(kids) > 0 && !slices.ContainsFunc(kids, func(k *node) bool { return k.states.has(stShowing) })
}

// below reads what is under n.
func (w *walk) below(ctx context.Context, root *node) {
	if w.known == nil {
		w.known = map[dbus.ObjectPath]*node{}
	}
	w.known[root.at.Path] = root
	depth := map[*node]int{root: 0}
	level := []*node{root}
	for range mostLevels {
		open := level[:0:0]
		for _, n := range level {
			if n != root && depth[n] >= w.depth && n.count != 0 {
				n.cut, n.rest = true, n.from
				continue
			}
			open = append(open, n)
		}
		w.descend(ctx, open)
		level = nil
		for _, n := range open {
			under := depth[n]
			if container(n.role) != "" {
				under++
			}
			for _, k := range n.children {
				depth[k] = under
				level = append(level, k)
			}
		}
		if len(level) == 0 || ctx.Err() != nil {
			return
		}
	}
}

// descend gives every node of a level its children.
func (w *walk) descend(ctx context.Context, level []*node) {
	kids := make([][]accessible, len(level))
	var questions []*question
	for i, n := range level {
		if n.count == 0 || w.closed(n) {
			continue
		}
		if whole, ok := w.cache.whole(n); ok {
			for _, k := range whole {
				kids[i] = append(kids[i], k.at)
			}
			continue
		}
		questions = append(questions, &question{
			to: n.at, method: atspi + "Accessible.GetChildren",
			answer: func(c *dbus.Call) { _ = c.Store(&kids[i]) }, // an answer of another shape is no child
		})
	}
	w.askAll(ctx, questions)
	for i, n := range level {
		w.adopt(n, kids[i])
	}
	w.describe(ctx, level)
	for _, n := range level {
		n.children = slices.DeleteFunc(n.children, func(k *node) bool { return !k.shown(n) })
	}
}

// shown reports whether a person could get to see the node: by scrolling at
// most, not by opening something. Choices of a combo box are always told.
func (n *node) shown(parent *node) bool {
	if n.states.has(stDefunct) || n.role == roleSeparator {
		return false
	}
	if parent.role == roleComboBox || parent.role == roleMenu && parent.parent != nil && parent.parent.role == roleComboBox {
		return true
	}
	if parent.role == roleMenu || parent.role == rolePopupMenu || n.role == roleMenu {
		return n.states.has(shownOnScreen)
	}
	return n.states.has(stVisible)
}

// adopt makes nodes of a container's children, each once in a reading.
func (w *walk) adopt(n *node, kids []accessible) {
	if n.from > 0 {
		kids = kids[min(n.from, len(kids)):]
	}
	most := mostNodes - len(w.known)
	if n.states.has(stManages) {
		most = min(most, mostChildren)
	}
	if len(kids) > most {
		kids, n.cut, n.rest = kids[:max(most, 0)], true, n.from+max(most, 0)
	}
	for i, at := range kids {
		if at.null() || w.known[at.Path] != nil {
			continue
		}
		k := w.cache.nodes[at.Path]
		if k == nil {
			k = &node{at: at, count: -1, role: roleUnread}
		}
		k.parent, k.index = n, n.from+i
		w.known[at.Path] = k
		n.children = append(n.children, k)
	}
}

// roleUnread marks a node that the cache did not have and that is still to be
// asked about.
const roleUnread role = 1 << 30

// describe asks the children of a level that the cache did not have what they
// are.
func (w *walk) describe(ctx context.Context, level []*node) {
	var questions []*question
	for _, n := range level {
		for _, k := range n.children {
			if k.role == roleUnread {
				questions = append(questions, k.questions()...)
			}
		}
	}
	w.askAll(ctx, questions)
}

// questions ask a node all the cache would have told.
func (n *node) questions() []*question {
	n.role = 0
	on := func(method string, answer func(*dbus.Call), args ...any) *question {
		return &question{to: n.at, method: method, args: args, answer: answer}
	}
	return []*question{
		on(atspi+"Accessible.GetRole", func(c *dbus.Call) { _ = c.Store((*uint32)(&n.role)) }),
		on(atspi+"Accessible.GetState", func(c *dbus.Call) {
			var s []uint32
			_ = c.Store(&s)
			n.states = statesOf(s)
		}),
		on(atspi+"Accessible.GetInterfaces", func(c *dbus.Call) {
			var names []string
			_ = c.Store(&names)
			n.ifaces = ifacesOf(names)
		}),
		on(properties+"GetAll", func(c *dbus.Call) {
			var all map[string]dbus.Variant
			_ = c.Store(&all)
			n.name, _ = all["Name"].Value().(string)
			n.description, _ = all["Description"].Value().(string)
			if count, ok := all["ChildCount"].Value().(int32); ok {
				n.count = int(count)
			}
		}, atspi+"Accessible"),
	}
}

// visit goes through the tree in document order; false from see skips what is
// below.
func (n *node) visit(see func(*node) bool) {
	if !see(n) {
		return
	}
	for _, k := range n.children {
		k.visit(see)
	}
}

// above is the nearest ancestor that fits; nil when none does.
func (n *node) above(fits func(*node) bool) *node {
	for p := n.parent; p != nil; p = p.parent {
		if fits(p) {
			return p
		}
	}
	return nil
}
