package desktop

import (
	"context"
	"strconv"
	"strings"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
)

// GTK's tables hold cells and no rows: which row and column one is in only the
// table knows.

// cell is where a cell stands in its table.
type cell struct {
	known  bool
	row    int32
	column int32
	ticks  bool // it is a box to tick
}

// askCell asks where a cell is, and of one that nothing names what can be done
// with it.
func (d *drawn) askCell(ask func(to accessible, method string, answer func(*dbus.Call), args ...any)) {
	if d.role != roleTableCell || d.parent == nil || !d.parent.ifaces.has(hasTable) {
		return
	}
	index := int32(d.index)
	ask(d.parent.at, atspi+"Table.GetRowAtIndex", func(call *dbus.Call) { d.cell.known = call.Store(&d.cell.row) == nil && d.cell.row >= 0 }, index)
	if d.name != "" || !d.ifaces.has(hasAction) {
		return
	}
	ask(d.parent.at, atspi+"Table.GetColumnAtIndex", func(call *dbus.Call) { _ = call.Store(&d.cell.column) }, index)
	ask(d.at, atspi+"Action.GetActions", func(call *dbus.Call) {
		var actions []struct{ Name, Description, Key string }
		_ = call.Store(&actions)
		for _, a := range actions {
			d.cell.ticks = d.cell.ticks || strings.EqualFold(a.Name, "toggle")
		}
	})
}

// row is one row of a table.
type row struct {
	table *node
	row   int32
}

// tables notes which cells share a row, and makes those that are boxes to tick
// what they are, named by the head of their column.
func (c *composer) tables() {
	c.rows = map[row][]*drawn{}
	c.heads = map[*node]string{}
	for _, d := range c.drawn {
		if d.cell.known {
			at := row{d.parent, d.cell.row}
			c.rows[at] = append(c.rows[at], d)
		}
		if !d.cell.ticks {
			continue
		}
		d.word = "checkbox"
		column := int32(0)
		for _, k := range d.parent.children {
			if k.role != roleTableColumnHeader && k.role != roleColumnHeader {
				continue
			}
			if column == d.cell.column {
				c.heads[d.node] = tidy(k.name, maxName)
			}
			column++
		}
	}
}

// tick has a box in a table change over. GTK's own action for it does nothing but
// say that it did: it takes the focus and the key for it, or the pointer where
// that may be used, which some dialogs need (Zenity's lists).
func (s *Side) tick(ctx context.Context, l *link, h *handle) error {
	was := h.ticked()
	if s.headed {
		if err := s.point(ctx, l, h); err != nil {
			return err
		}
		return h.changes(ctx, l, func() bool { return h.ticked() != was })
	}
	window, err := s.forward(ctx, l, s.reading.program)
	if err != nil {
		return err
	}
	var done bool
	if err := l.bus.ask(ctx, h.at, atspi+"Component.GrabFocus", nil, &done); err != nil {
		return err
	}
	if err := h.live(ctx, l.bus); err != nil {
		return err
	}
	if !h.states.has(stFocused) {
		return refuse(fault.NotActionable, h.label()+" does not take the focus")
	}
	if _, f := s.send(ctx, l, robot.Request{Op: robot.Key, Keys: []string{"space"}, Window: window}); f != nil {
		return &surfaces.Refusal{Failure: f}
	}
	return h.changes(ctx, l, func() bool { return h.ticked() != was })
}

// rowPart is the label of the row that a cell shares with others, as a part of
// its path: named by the words in it, and counted in its table. Empty for the
// only cell of a row.
func (c *composer) rowPart(n *node) string {
	d := c.by[n]
	if d == nil || !d.cell.known {
		return ""
	}
	cells := c.rows[row{n.parent, d.cell.row}]
	if len(cells) < 2 {
		return ""
	}
	var names []string
	for _, k := range cells {
		names = append(names, k.name)
	}
	return numberedLabel("row", tidy(strings.Join(names, " "), maxName), int(d.cell.row)+1)
}

// numberedLabel is the label of a part that is counted among others of its kind.
func numberedLabel(word, name string, k int) string {
	return (&surfaces.Candidate{Role: word, Name: name}).Label() + " #" + strconv.Itoa(k)
}
