package workspace

import (
	"context"

	"countersign/surfaces"
)

// visibleValueChars cuts what a field holds (surfaces.md, VISIBLE_VALUE_CHARS).
const visibleValueChars = 80

// VisibleText reads what was last observed or opened again and gives its
// context lines, each control's label, and for a field that holds something
// label = "value". Empty when nothing was, or when it cannot be read now. The
// active side stays as it is. Values are not masked: that is the caller's.
func (w *Workspace) VisibleText(ctx context.Context) []string {
	w.mu.Lock()
	app := w.lastApp
	w.mu.Unlock()
	if app == "" {
		return nil
	}
	m := w.side(SideFor(app))
	if m == nil {
		return nil
	}
	screen, _ := m.Observe(ctx, app, "", surfaces.Full)
	if screen == nil {
		return nil
	}
	lines := append([]string(nil), screen.Context...)
	for i := range screen.Candidates {
		lines = append(lines, visible(&screen.Candidates[i]))
	}
	return lines
}

func visible(c *surfaces.Candidate) string {
	if c.Value == "" {
		return c.Label()
	}
	value := []rune(c.Value)
	if len(value) > visibleValueChars {
		value = value[:visibleValueChars]
	}
	return c.Label() + ` = "` + string(value) + `"`
}
