package text

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Edit is one line being typed: plain text and the place of the cursor in it,
// in runes. It holds foreign text as typed or pasted, on one line; cleaning is
// the caller's when it is shown. The zero value is empty.
type Edit struct {
	runes  []rune
	cursor int
}

// NewEdit starts with a text and the cursor after it.
func NewEdit(s string) Edit {
	r := []rune(oneLine(s))
	return Edit{runes: r, cursor: len(r)}
}

// Value is what stands in the line.
func (e Edit) Value() string { return string(e.runes) }

// Empty reports whether nothing was typed.
func (e Edit) Empty() bool { return len(e.runes) == 0 }

// Len is the number of characters typed.
func (e Edit) Len() int { return len(e.runes) }

// Insert puts s at the cursor. Line breaks become spaces; other control
// characters are dropped.
func (e Edit) Insert(s string) Edit {
	add := []rune(oneLine(s))
	runes := make([]rune, 0, len(e.runes)+len(add))
	runes = append(append(append(runes, e.runes[:e.cursor]...), add...), e.runes[e.cursor:]...)
	return Edit{runes: runes, cursor: e.cursor + len(add)}
}

// Backspace removes the character before the cursor.
func (e Edit) Backspace() Edit { return e.cut(max(e.cursor-1, 0), e.cursor) }

// Delete removes the character at the cursor.
func (e Edit) Delete() Edit { return e.cut(e.cursor, min(e.cursor+1, len(e.runes))) }

// DeleteWord removes the word before the cursor.
func (e Edit) DeleteWord() Edit {
	at := e.cursor
	for at > 0 && e.runes[at-1] == ' ' {
		at--
	}
	for at > 0 && e.runes[at-1] != ' ' {
		at--
	}
	return e.cut(at, e.cursor)
}

// Clear empties the line.
func (e Edit) Clear() Edit { return Edit{} }

// Move shifts the cursor by n characters, staying inside the line.
func (e Edit) Move(n int) Edit {
	e.cursor = min(max(e.cursor+n, 0), len(e.runes))
	return e
}

// Home moves the cursor to the start.
func (e Edit) Home() Edit {
	e.cursor = 0
	return e
}

// AtStart reports whether nothing stands before the cursor.
func (e Edit) AtStart() bool { return e.cursor == 0 }

// AtEnd reports whether nothing stands behind the cursor.
func (e Edit) AtEnd() bool { return e.cursor == len(e.runes) }

// Split parts the line at the cursor, which is then at the start of the second.
func (e Edit) Split() (before, after Edit) {
	return Edit{runes: slices.Clone(e.runes[:e.cursor]), cursor: e.cursor}, Edit{runes: slices.Clone(e.runes[e.cursor:])}
}

// Append puts another line behind this one, the cursor between the two.
func (e Edit) Append(other Edit) Edit {
	return Edit{runes: slices.Concat(e.runes, other.runes), cursor: len(e.runes)}
}

// Wrapped draws the whole line, over as many rows as it takes.
func (e Edit) Wrapped(widthCells int, mark func(string) string) []string {
	whole := e.View(Width(e.Value())*2+1, mark) // nothing is cut
	return strings.Split(ansi.Hardwrap(whole, max(widthCells, 1), true), "\n")
}

// View draws the line in widthCells cells with the cursor shown by mark, which
// gets the character under it. The part around the cursor is shown when the
// line is longer.
func (e Edit) View(widthCells int, mark func(string) string) string {
	before, under, after := string(e.runes[:e.cursor]), " ", ""
	if e.cursor < len(e.runes) {
		under, after = string(e.runes[e.cursor]), string(e.runes[e.cursor+1:])
	}
	before, under, after = Spaced(before), Spaced(under), Spaced(after)
	if under == "" {
		under = " "
	}
	room := max(widthCells-Width(under), 0)
	if w := Width(before); w > room {
		before = ansi.TruncateLeft(before, w-room, "")
	}
	after = ansi.Truncate(after, max(room-Width(before), 0), "")
	return before + mark(under) + after
}

// Spaced is Line without trimming, for text in which spaces count.
func Spaced(foreign string) string { return strings.Join(Clean(foreign), " ") }

func (e Edit) cut(from, to int) Edit {
	runes := append(append(make([]rune, 0, len(e.runes)), e.runes[:from]...), e.runes[to:]...)
	return Edit{runes: runes, cursor: from}
}

func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			return -1
		default:
			return r
		}
	}, s)
}
