package desktop

import (
	"slices"
	"strconv"
	"strings"

	"countersign/surfaces"
)

// How a control is called, and the parts of the window that it stands in.

// label is a candidate's or a text's label, as others are told of it.
func (c *composer) label(d *drawn) string {
	if d.word == "" {
		return strconv.Quote(c.says(d.node))
	}
	return (&surfaces.Candidate{Role: d.word, Name: c.called(d.node)}).Label()
}

// called is the name of a node (surfaces.md 9.1): its own, then what it is
// labelled by, then its description, then the head of its column, then the text
// in it, then what stands beside it.
func (c *composer) called(n *node) string {
	if title := c.titled(n); title != "" {
		return title
	}
	if head := c.heads[n]; head != "" {
		return head
	}
	if !private(n.role) && n.role != roleComboBox {
		if text := tidy(inner(n), maxName); text != "" {
			return text
		}
	}
	return c.next[n]
}

// titled is what a node says that it is called.
func (c *composer) titled(n *node) string {
	d := c.by[n]
	if n.role == roleComboBox && n.name == c.choice(n) {
		return c.labelled(d) // what it calls itself is what it holds
	}
	if n.role == roleComboBox {
		if by := c.labelled(d); by != "" {
			return by
		}
	}
	if own := tidy(n.name, maxName); own != "" {
		return own
	}
	if by := c.labelled(d); by != "" {
		return by
	}
	return tidy(n.description, maxName)
}

func (c *composer) labelled(d *drawn) string {
	if d == nil {
		return ""
	}
	var parts []string
	for _, l := range d.labels {
		if n := c.known[l.Path]; n != nil {
			parts = append(parts, c.says(n))
		}
	}
	return tidy(strings.TrimRight(strings.Join(parts, " "), ": "), maxName)
}

// says is what a node of words says.
func (c *composer) says(n *node) string {
	if d := c.by[n]; d != nil && n.name == "" && d.text != "" {
		return tidy(d.text, maxText)
	}
	return tidy(n.name, maxText)
}

// inner is the text in a node, in order.
func inner(n *node) string {
	var parts []string
	for _, k := range n.children {
		k.visit(func(k *node) bool {
			if wordOf(k.role).kind != part && !private(k.role) && k.name != "" {
				parts = append(parts, k.name)
				return false
			}
			return true
		})
	}
	return strings.Join(parts, " ")
}

// mostTold is how many words tell a control from others: a row may have many.
const mostTold = 12

// told are the nodes whose names say which control this is: the other cells of
// its row, and for one without a name of its own what it is called by. They say
// something else where a program uses it for another thing.
func (c *composer) told(d *drawn) []*node {
	var all []*node
	add := func(n *node) {
		if n != nil && n != d.node && n.name != "" && len(all) < mostTold {
			all = append(all, n)
		}
	}
	if d.cell.known {
		for _, k := range c.rows[row{d.parent, d.cell.row}] {
			add(k.node)
		}
	}
	if tidy(d.name, maxName) != "" || private(d.role) && len(d.labels) == 0 && c.nextTo[d.node] == nil {
		return all
	}
	for _, l := range d.labels {
		add(c.known[l.Path])
	}
	if !private(d.role) && d.role != roleComboBox {
		for _, k := range d.children {
			k.visit(func(k *node) bool {
				words := wordOf(k.role).kind != part && !private(k.role) && k.name != ""
				if words {
					add(k)
				}
				return !words
			})
		}
	}
	add(c.nextTo[d.node])
	return all
}

// choice is what a combo box holds: GTK gives it as its name.
func (c *composer) choice(n *node) string {
	held := ""
	n.visit(func(k *node) bool {
		if comboOf(k) == n && k.name == n.name {
			held = k.name
		}
		return true
	})
	return held
}

// path are the labels of the containers around a node, outermost first.
func (c *composer) path(n *node) []string {
	var parts []string
	if row := c.rowPart(n); row != "" {
		parts = append(parts, row)
	}
	for p := n.parent; p != nil; p = p.parent {
		if label := c.part(p); label != "" {
			parts = append(parts, label)
		}
	}
	if len(parts) > maxPath {
		parts = parts[:maxPath]
	}
	slices.Reverse(parts)
	return parts
}

// part is the label of a container in a path; empty when it leaves no trace.
func (c *composer) part(n *node) string {
	word := container(n.role)
	if d := c.by[n]; d != nil {
		word = d.word
	}
	if n.role == roleComboBox {
		word = "listbox"
	}
	if word == "" || word == "window" || n.role == roleMenu && comboOf(n) != nil {
		return ""
	}
	// The words in a list are its rows, not its name.
	listed := word == "list" || word == "table" || word == "tree"
	name := tidy(n.name, maxName)
	if d := c.by[n]; d != nil {
		name = c.called(n)
	} else if !listed {
		name = c.titled(n)
	}
	if name == "" && (word == "group" || word == "region" || word == "form" || word == "document" || word == "listbox") {
		return ""
	}
	label := (&surfaces.Candidate{Role: word, Name: name}).Label()
	switch {
	case numbered(word):
		return numberedLabel(word, name, c.ordinal(n, word))
	case name == "" && listed:
		if k := c.ordinal(n, word); k > 1 {
			return label + " " + strconv.Itoa(k)
		}
	}
	return label
}

// ordinal counts a node among its siblings of the same word, from one.
func (c *composer) ordinal(n *node, word string) int {
	k := 1
	if n.parent == nil {
		return k
	}
	for _, s := range n.parent.children {
		if s == n {
			break
		}
		if wordOf(s.role).word == word {
			k++
		}
	}
	return k
}
