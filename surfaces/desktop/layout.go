package desktop

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"countersign/surfaces"
)

// How a window reads to somebody who looks at it: programs list the children of
// a container in the order they were made in, GTK's grid even backwards, and put
// the words for a field beside it without saying that they belong to it.

// How far words may stand from what they name, in pixels (surfaces.md section
// 10: LABEL_LEFT, ABOVE, RIGHT_OF_CHECK).
const (
	labelLeft  = 200
	labelAbove = 40
	labelRight = 40
	leastName  = 2  // letters of a text that names something
	mostName   = 40 // characters of it: more is a sentence
)

// arrange puts what stands in plain containers into the order it is read in: by
// rows, and from left to right in each.
func (c *composer) arrange(root *node) {
	c.spread(root)
	var order []*drawn
	root.visit(func(n *node) bool {
		if d := c.by[n]; d != nil {
			d.order = len(order)
			order = append(order, d)
		}
		return true
	})
	c.drawn = order
}

// spread sorts the children of every plain container below n and gives the box
// around all that is drawn of n; false when some of it has none.
func (c *composer) spread(n *node) (surfaces.Bounds, bool) {
	var around surfaces.Bounds
	all, some := true, false
	boxes := map[*node]surfaces.Bounds{}
	for _, k := range n.children {
		box, whole := c.spread(k)
		if !whole {
			all = false
		}
		if box == (surfaces.Bounds{}) {
			continue // nothing of it is drawn
		}
		boxes[k] = box
		if some {
			box = union(around, box)
		}
		around, some = box, true
	}
	if all && plain(n.role) {
		byRows(n.children, boxes)
	}
	if d := c.by[n]; d != nil {
		return d.box, d.boxed
	}
	return around, all
}

// plain are the containers whose order says nothing but when a child was made.
func plain(r role) bool {
	return r == roleFiller || r == rolePanel || r == roleForm || r == roleGrouping || r == roleSection
}

// byRows sorts nodes by the rows that their boxes make. A box begins a new row
// where its middle lies below all of the row before.
func byRows(nodes []*node, boxes map[*node]surfaces.Bounds) {
	middle := func(n *node) float64 { return boxes[n].Y + boxes[n].Height/2 }
	slices.SortStableFunc(nodes, func(a, b *node) int { return cmp.Compare(middle(a), middle(b)) })
	left := func(a, b *node) int { return cmp.Compare(boxes[a].X, boxes[b].X) }
	began, bottom := 0, math.Inf(-1)
	for i, n := range nodes {
		if i > began && middle(n) >= bottom {
			slices.SortStableFunc(nodes[began:i], left)
			began, bottom = i, math.Inf(-1)
		}
		bottom = max(bottom, boxes[n].Y+boxes[n].Height)
	}
	slices.SortStableFunc(nodes[began:], left)
}

func union(a, b surfaces.Bounds) surfaces.Bounds {
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return surfaces.Bounds{
		X: x, Y: y,
		Width: max(a.X+a.Width, b.X+b.Width) - x, Height: max(a.Y+a.Height, b.Y+b.Height) - y,
	}
}

// beside names each control that nothing else names by the words next to it:
// left of it or above it, or right of what is ticked.
func (c *composer) beside() {
	c.next = map[*node]string{}
	c.nextTo = map[*node]*node{}
	taken := map[*drawn]bool{}
	for _, d := range c.drawn {
		if !d.boxed || !besideNames(d.word) || c.called(d.node) != "" {
			continue
		}
		var best *drawn
		near := math.Inf(1)
		for _, t := range c.drawn {
			if gap, fits := c.names(t, d); fits && gap < near && !taken[t] {
				best, near = t, gap
			}
		}
		if best != nil {
			taken[best] = true
			c.next[d.node] = strings.TrimRight(c.says(best.node), ": *")
			c.nextTo[d.node] = best.node
		}
	}
}

// besideNames are the controls that have their words beside them.
func besideNames(word string) bool {
	switch word {
	case "textbox", "textarea", "spinbutton", "combobox", "slider", "checkbox", "radio", "switch":
		return true
	default:
		return false
	}
}

// names reports whether the words t stand where they name d, and how far off.
// What stands left of it comes before what stands above.
func (c *composer) names(t, d *drawn) (gap float64, fits bool) {
	if t.word != "" || !t.boxed || !t.states.has(shownOnScreen) || !nameable(c.says(t.node)) {
		return 0, false
	}
	a, b := t.box, d.box
	beside := min(a.Y+a.Height, b.Y+b.Height)-max(a.Y, b.Y) >= min(a.Height, b.Height)/2
	over := min(a.X+a.Width, b.X+b.Width)-max(a.X, b.X) > 0
	right := d.word == "checkbox" || d.word == "radio" || d.word == "switch"
	switch left, after, above := b.X-(a.X+a.Width), a.X-(b.X+b.Width), b.Y-(a.Y+a.Height); {
	case right && beside && after >= 0 && after <= labelRight:
		gap = after
	case !right && beside && left >= 0 && left <= labelLeft:
		gap = left
	case !right && over && above >= 0 && above <= labelAbove:
		gap = labelLeft + above
	default:
		return 0, false
	}
	return gap, !c.between(a, b, d)
}

// between reports whether another control stands in the way from words to d.
func (c *composer) between(words, box surfaces.Bounds, d *drawn) bool {
	way := union(words, box)
	return slices.ContainsFunc(c.drawn, func(o *drawn) bool {
		return o != d && o.word != "" && o.boxed && within(way, o.box.X+o.box.Width/2, o.box.Y+o.box.Height/2) &&
			!under(o.node, d.node) && !under(d.node, o.node)
	})
}

// nameable reports whether a text can name a field: more than a sign, less than
// a sentence, and no mere word between two fields.
func nameable(text string) bool {
	if utf8.RuneCountInString(text) > mostName {
		return false
	}
	switch strings.ToLower(text) {
	case "or", "and", "oder", "und", "o", "y":
		return false
	}
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= leastName
}
