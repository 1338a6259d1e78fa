package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Ellipsis stands where text was cut.
const Ellipsis = "…"

// Width is the number of cells s takes, by grapheme clusters, styles aside.
func Width(s string) int { return ansi.StringWidth(s) }

// Truncate cuts s to at most widthCells cells, the last one an ellipsis when
// anything was cut. Styled text keeps its styles.
func Truncate(s string, widthCells int) string {
	if widthCells <= 0 {
		return ""
	}
	if len(s) <= widthCells { // no cell takes less than a byte
		return s
	}
	return ansi.Truncate(s, widthCells, Ellipsis)
}

// Pad makes s exactly widthCells cells wide: cut, or filled with spaces on the
// right.
func Pad(s string, widthCells int) string {
	s = Truncate(s, widthCells)
	if missing := widthCells - Width(s); missing > 0 {
		return s + strings.Repeat(" ", missing)
	}
	return s
}

// PadLeft is Pad with the spaces on the left.
func PadLeft(s string, widthCells int) string {
	s = Truncate(s, widthCells)
	if missing := widthCells - Width(s); missing > 0 {
		return strings.Repeat(" ", missing) + s
	}
	return s
}

// Wrap breaks plain text into rows of at most widthCells cells, at spaces where
// it can and inside words where it must. Nothing but the spaces at a break is
// lost; an empty text is one empty row.
func Wrap(s string, widthCells int) []string {
	if widthCells <= 0 || Width(s) <= widthCells {
		return []string{s}
	}
	// The hard wrap catches what the soft one lets through: a hyphenated word in
	// a place too narrow for it.
	return strings.Split(ansi.Hardwrap(ansi.Wrap(s, widthCells, ""), widthCells, true), "\n")
}

// Spread puts left and right at the two ends of a row of widthCells cells. The
// right one gives way first.
func Spread(left, right string, widthCells int) string {
	gap := widthCells - Width(left) - Width(right)
	if gap < 1 {
		return Pad(left, widthCells)
	}
	return left + strings.Repeat(" ", gap) + right
}

// Fit makes exactly height rows of widthCells cells out of rows: cut or filled.
func Fit(rows []string, widthCells, height int) []string {
	out := make([]string, height)
	blank := strings.Repeat(" ", max(widthCells, 0))
	for i := range out {
		if i < len(rows) {
			out[i] = Pad(rows[i], widthCells)
		} else {
			out[i] = blank
		}
	}
	return out
}
