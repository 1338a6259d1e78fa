package decision

import (
	"strings"

	"countersign/ui/text"
)

// Role says how a row of a card is drawn.
type Role int

// The roles.
const (
	Fact    Role = iota + 1 // measured by us, on its own labelled row
	Differ                  // a fact to be noticed: a signed field that is now another, another site
	Heading                 // our own words above the two columns of what differs
	Quote                   // words that are not ours
	Note                    // our own words
	Warn                    // our own words, to be noticed
)

// Row is one row of a card. Label is ours; Text is cleaned, and so is Now: what
// a Heading or Differ says of the present, beside Text, which says what was.
type Row struct {
	Role  Role
	Label string
	Text  string
	Now   string
}

// amountLabel heads the one fact that stands out.
const amountLabel = "amount"

// Widths of a card, in cells.
const (
	labelWidth  = 13 // the label column, its gap included
	quoteIndent = 4
	columnGap   = 4
	columnsFrom = 64 // beside the label: below, what differs stands one above the other
)

// Rows wraps the card's body to widthCells cells; nothing is cut. The label
// column is kept free on continued rows.
func (c Card) Rows(widthCells int) []Row {
	var out []Row
	rows := c.laid(widthCells-labelWidth >= columnsFrom)
	column := columnOf(rows, (widthCells-labelWidth-columnGap)/2)
	for _, r := range rows {
		for i, line := range r.wrap(widthCells, column) {
			row := Row{Role: r.Role, Label: r.Label, Text: line}
			if i > 0 {
				row.Label = ""
			}
			out = append(out, row)
		}
	}
	return out
}

// Lines is the card for the line mode: title, body and question, one string
// each, nothing cut.
func (c Card) Lines() []string {
	out := []string{c.title + "  " + c.id.String()}
	for _, r := range c.laid(false) {
		out = append(out, r.String())
	}
	return out
}

// laid gives the rows with two columns where there is room for them, else with
// what is now below what was, each headed in its own row.
func (c Card) laid(columns bool) []Row {
	if columns {
		return c.rows
	}
	var out []Row
	var heads Row
	for _, r := range c.rows {
		switch {
		case r.Now == "":
			out = append(out, r)
		case r.Role == Heading:
			heads = r
		default:
			width := max(text.Width(heads.Text), text.Width(heads.Now))
			out = append(out,
				Row{Role: r.Role, Label: r.Label, Text: text.Pad(heads.Text, width) + " " + r.Text},
				Row{Role: r.Role, Text: text.Pad(heads.Now, width) + " " + r.Now})
		}
	}
	return out
}

// columnOf is the width of the left one of two columns: what it holds, so that
// the eye has no far way to the right one, but at most half.
func columnOf(rows []Row, half int) int {
	column := 0
	for _, r := range rows {
		if r.Now != "" {
			column = max(column, text.Width(r.Text))
		}
	}
	return min(column, half)
}

// wrap is the row's text in lines that leave room for its label or indent.
// Column is the width of the left one of two columns.
func (r Row) wrap(widthCells, column int) []string {
	switch r.Role {
	case Fact, Differ, Heading:
		widthCells -= labelWidth
	case Quote:
		widthCells -= quoteIndent
	case Note, Warn:
	}
	widthCells = max(widthCells, 10)
	if r.Now == "" {
		return text.Wrap(r.Text, widthCells)
	}
	was, now := text.Wrap(r.Text, column), text.Wrap(r.Now, widthCells-column-columnGap)
	out := make([]string, max(len(was), len(now)))
	for i := range out {
		left, right := "", ""
		if i < len(was) {
			left = was[i]
		}
		if i < len(now) {
			right = now[i]
		}
		out[i] = text.Pad(left, column+columnGap) + right
	}
	return out
}

// String lays a row out in plain text: the label in its column, a quote
// indented.
func (r Row) String() string {
	switch r.Role {
	case Fact, Differ:
		return text.Pad(r.Label, labelWidth-1) + " " + r.Text
	case Heading:
		return strings.Repeat(" ", labelWidth) + r.Text
	case Quote:
		return strings.Repeat(" ", quoteIndent) + r.Text
	case Note, Warn:
		return r.Text
	default:
		return r.Text
	}
}
