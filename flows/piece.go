package flows

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// piece is one text that a read may save, with what tells it from others: the
// row or card it stands in, and the heading of its column.
type piece struct {
	text, where, column string
}

// mostRowText is how much of its row is told with a piece, in characters.
const mostRowText = 200

// pieces are the readable texts of a screen in document order. A text counts
// anew in another row or column, a control's name once.
func (s *step) pieces(screen *surfaces.Screen) []piece {
	var out []piece
	seen := map[piece]bool{}
	add := func(p, as piece) {
		if p.text = squash(p.text); p.text != "" && !seen[as] {
			seen[as] = true
			out = append(out, p)
		}
	}
	all := s.readables(screen)
	rows := rowTexts(all)
	head := ""
	for _, r := range all {
		p := piece{r.text, rows[cardPath(r.path)], r.column}
		if label, labelled := lineLabel(r); labelled && p.where == "" && head != "" {
			p.where, p.column = head, label
		} else if !r.control {
			head = squash(r.text)
		}
		if r.control {
			add(p, piece{text: r.text})
			continue
		}
		add(p, p)
	}
	for _, line := range screen.Context {
		if !slices.ContainsFunc(out, func(p piece) bool { return p.text == squash(line) }) {
			add(piece{text: line}, piece{text: line})
		}
	}
	return out
}

var labelledLine = regexp.MustCompile(`^([\p{L}][^:]{0,39}):\s+\S`)

// lineLabel is the label of a line that says what it is: "Phone: 997-2950". Such
// lines are told with the line above them that says no such thing: whose phone.
func lineLabel(r readable) (string, bool) {
	m := labelledLine.FindStringSubmatch(squash(r.text))
	if m == nil || r.control || r.column != "" {
		return "", false
	}
	return m[1], true
}

// rowTexts joins what each row or card says, by its path.
func rowTexts(all []readable) map[string]string {
	rows := map[string]string{}
	for _, r := range all {
		if row := cardPath(r.path); row != "" && len(rows[row]) < mostRowText {
			rows[row] = strings.TrimSpace(rows[row] + " " + squash(r.text))
		}
	}
	for row, text := range rows {
		rows[row] = cut(text, mostRowText)
	}
	return rows
}

// readable is one text of a screen.
type readable struct {
	text, column string
	path         []string
	order        int
	control      bool
}

// readables are the readable texts of a screen in document order. A control whose
// name and value differ gives two.
func (s *step) readables(screen *surfaces.Screen) []readable {
	var all []readable
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		all = append(all, readable{text: c.Name, path: c.Path, order: c.Order, control: true})
		if s.req.IncludeValues {
			all = append(all, readable{text: c.Value, path: c.Path, order: c.Order, control: true})
		}
	}
	for _, t := range screen.TextNodes {
		if !t.Field || s.req.IncludeValues {
			all = append(all, readable{text: t.Text, column: t.Column, path: t.Path, order: t.Order})
		}
	}
	slices.SortStableFunc(all, func(a, b readable) int { return a.order - b.order })
	return slices.DeleteFunc(all, func(r readable) bool { return squash(r.text) == "" })
}

// pieceOptions offers pieces, numbered from 1.
func pieceOptions(pieces []piece) []decider.Option {
	options := make([]decider.Option, len(pieces))
	for i, p := range pieces {
		options[i] = decider.Option{Key: strconv.Itoa(i + 1), Text: p.text}
		if p.where != "" || p.column != "" {
			options[i].Description = &surfaces.Description{Where: p.where, Says: p.column}
		}
	}
	return options
}
