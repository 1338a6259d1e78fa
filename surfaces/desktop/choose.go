package desktop

import (
	"context"

	"countersign/surfaces/fault"
)

// chosen has the container of a row select it, and no other beside it, as a press
// does.
func (h *handle) chosen(ctx context.Context, b *bus) error {
	if !h.states.has(stSelected) { // programs refuse what is so already
		if err := h.add(ctx, b); err != nil {
			return err
		}
	}
	n, err := h.selected(ctx, b)
	if err != nil || n < 2 {
		return err
	}
	if _, err := b.order(ctx, h.parent.at, atspi+"Selection.ClearSelection"); err != nil {
		return err
	}
	return h.add(ctx, b)
}

// add has the container of a row select it. A table counts its cells and selects
// rows.
func (h *handle) add(ctx context.Context, b *bus) error {
	if h.role != roleTableCell {
		return choose(ctx, b, h.parent.at, h.index)
	}
	var row int32
	if err := b.ask(ctx, h.parent.at, atspi+"Table.GetRowAtIndex", []any{int32(h.index)}, &row); err != nil {
		return err
	}
	return choice(ctx, b, h.parent.at, atspi+"Table.AddRowSelection", row)
}

// selected is how many rows the container of one has selected.
func (h *handle) selected(ctx context.Context, b *bus) (int, error) {
	if h.role == roleTableCell {
		var rows []int32
		err := b.ask(ctx, h.parent.at, atspi+"Table.GetSelectedRows", nil, &rows)
		return len(rows), err
	}
	v, err := b.get(ctx, h.parent.at, "Selection", "NSelectedChildren")
	n, _ := v.(int32)
	return int(n), err
}

// choose has a container select one of its children.
func choose(ctx context.Context, b *bus, at accessible, index int) error {
	return choice(ctx, b, at, atspi+"Selection.SelectChild", int32(index))
}

// choice has a container select by an index of its own kind.
func choice(ctx context.Context, b *bus, at accessible, method string, index int32) error {
	done, err := b.order(ctx, at, method, index)
	if err != nil {
		return err
	}
	if !done {
		return refuse(fault.NotActionable, "it cannot be chosen")
	}
	return nil
}
