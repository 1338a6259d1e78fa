package text

import (
	"slices"
	"strings"
)

// Area is a text of several lines being typed: an Edit a line, and the line the
// cursor is in. A value; the zero value is empty. It holds foreign text as typed
// or pasted; cleaning happens when it is shown.
type Area struct {
	lines []Edit // none: one empty line
	at    int
	top   int // first line shown
}

// NewArea starts with a text and the cursor at its beginning.
func NewArea(s string) Area {
	var a Area
	for line := range strings.SplitSeq(s, "\n") {
		a.lines = append(a.lines, NewEdit(line).Home())
	}
	return a
}

// Value is what stands there.
func (a Area) Value() string {
	lines := make([]string, len(a.lines))
	for i, l := range a.lines {
		lines[i] = l.Value()
	}
	return strings.Join(lines, "\n")
}

// Line is the line the cursor is in.
func (a Area) Line() Edit {
	if len(a.lines) == 0 {
		return Edit{}
	}
	return a.lines[a.at]
}

// SetLine replaces that line.
func (a Area) SetLine(e Edit) Area {
	a.lines = slices.Clone(a.lines)
	if len(a.lines) == 0 {
		a.lines = []Edit{{}}
	}
	a.lines[a.at] = e
	return a
}

// Insert puts a text at the cursor, line breaks and all.
func (a Area) Insert(s string) Area {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	first, rest, more := strings.Cut(s, "\n")
	a = a.SetLine(a.Line().Insert(first))
	for more {
		first, rest, more = strings.Cut(rest, "\n")
		a = a.Break()
		a = a.SetLine(a.Line().Insert(first))
	}
	return a
}

// Break ends the line at the cursor.
func (a Area) Break() Area {
	before, after := a.Line().Split()
	a = a.SetLine(before)
	a.lines = slices.Insert(a.lines, a.at+1, after)
	a.at++
	return a
}

// Backspace removes the character before the cursor, or the break before the line.
func (a Area) Backspace() Area {
	if a.Line().AtStart() {
		return a.join(a.at - 1)
	}
	return a.SetLine(a.Line().Backspace())
}

// Delete removes the character at the cursor, or the break after the line.
func (a Area) Delete() Area {
	if a.Line().AtEnd() {
		return a.join(a.at)
	}
	return a.SetLine(a.Line().Delete())
}

// join makes one line of that one and the next; the cursor stays between them.
func (a Area) join(first int) Area {
	if first < 0 || first+1 >= len(a.lines) {
		return a
	}
	a.lines = slices.Clone(a.lines)
	a.lines[first] = a.lines[first].Append(a.lines[first+1])
	a.lines = slices.Delete(a.lines, first+1, first+2)
	a.at = first
	return a
}

// Move shifts the cursor by n lines, staying at its column where it can.
func (a Area) Move(n int) Area {
	to := min(max(a.at+n, 0), max(len(a.lines)-1, 0))
	if to == a.at {
		return a
	}
	column := a.Line().cursor
	a.at = to
	return a.SetLine(a.Line().Home().Move(column))
}

// SetHeight scrolls so that the cursor's line is among the height shown.
func (a Area) SetHeight(height int) Area {
	a.top = min(a.top, a.at)
	a.top = max(a.top, a.at-max(height, 1)+1)
	return a
}

// View draws height rows of widthCells cells with the cursor shown by mark.
func (a Area) View(widthCells, height int, mark, style func(string) string) []string {
	rows := make([]string, 0, height)
	for i := a.top; i < len(a.lines) && len(rows) < height; i++ {
		if i == a.at {
			rows = append(rows, a.lines[i].View(widthCells, mark))
			continue
		}
		rows = append(rows, style(Truncate(Spaced(a.lines[i].Value()), widthCells)))
	}
	if len(rows) == 0 && height > 0 {
		rows = append(rows, Edit{}.View(widthCells, mark))
	}
	return rows
}
