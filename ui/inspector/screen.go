package inspector

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/outline"
	"countersign/ui/text"
)

// screenRows draws one look. Lines that the look before did not show are
// marked; before is nil for the first look.
func screenRows(s flows.Seen, before map[string]bool) (rows []row, shown map[string]bool) {
	shown = map[string]bool{}
	add := func(parts ...part) { rows = append(rows, parts) }
	if a := text.Line(s.Address); a != "" {
		add(part{subtle, "  page    "}, part{plain, a})
	}
	if w := text.Line(s.Window); w != "" {
		add(part{subtle, "  window  "}, part{plain, w})
	}
	if s.Surface != "" && s.Surface != "window" {
		add(part{subtle, "  front   "}, part{plain, text.Line(s.Surface)})
	}
	if c := text.Line(s.Changed); c != "" {
		add(part{subtle, "  change  "}, part{accent, c})
	}
	if len(s.Fields) > 0 {
		add()
		for _, f := range s.Fields {
			add(part{subtle, "  " + text.Line(f.Label) + " = "}, part{plain, strconv.Quote(text.Line(f.Value))})
		}
	}
	add()
	for _, foreign := range s.Lines {
		for _, line := range text.Clean(foreign) {
			shown[line] = true
			if before != nil && !before[line] {
				add(part{accent, "+ "}, part{plain, line})
				continue
			}
			add(part{quote, "  " + line})
		}
	}
	return rows, shown
}

// columnWidth bounds a column of records.
const columnWidth = 34

// recordRows draws each variable as a table.
func recordRows(records map[string]task.Rows) []row {
	var rows []row
	names := make([]string, 0, len(records))
	for name := range records {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		if i > 0 {
			rows = append(rows, nil)
		}
		rows = append(rows, table(text.Line(name), records[name])...)
	}
	return rows
}

func table(name string, records task.Rows) []row {
	if len(records) == 1 && len(records[0]) == 1 {
		if value, ok := records[0]["value"]; ok {
			return []row{{{strong, "  " + name}, {subtle, "  "}, {plain, text.Line(value)}}}
		}
	}
	columns := columnsOf(records)
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = text.Width(text.Line(c))
		for _, r := range records {
			widths[i] = max(widths[i], text.Width(text.Line(r[c])))
		}
		widths[i] = min(widths[i], columnWidth)
	}
	rows := []row{{{strong, "  " + name}, {subtle, "  " + strconv.Itoa(len(records)) + " rows"}}}
	head, rule := "  ", "  "
	for i, c := range columns {
		head += text.Pad(text.Line(c), widths[i]) + "  "
		rule += strings.Repeat("─", widths[i]) + "  "
	}
	rows = append(rows, row{{subtle, head}}, row{{faint, rule}})
	for _, r := range records {
		cells := "  "
		for i, c := range columns {
			cells += text.Pad(text.Line(r[c]), widths[i]) + "  "
		}
		rows = append(rows, row{{plain, cells}})
	}
	return rows
}

func columnsOf(records task.Rows) []string {
	seen := map[string]bool{}
	var columns []string
	for _, r := range records {
		for c := range r {
			if !seen[c] {
				seen[c] = true
				columns = append(columns, c)
			}
		}
	}
	slices.Sort(columns)
	return columns
}

// resultRows show the shaped result, above what was saved; a line too long for
// widthCells goes on below itself.
func resultRows(result json.RawMessage, widthCells int) []row {
	if len(result) == 0 {
		return nil
	}
	rows := []row{{{strong, "  result"}}}
	for line := range strings.SplitSeq(outline.Pretty(result), "\n") {
		words := strings.TrimLeft(line, " ")
		indent := repeat(" ", 2+len(line)-len(words))
		for _, part := range text.Wrap(text.Line(words), max(widthCells-len(indent)-4, 20)) {
			rows = append(rows, row{{plain, indent + part}})
			indent = repeat(" ", 4+len(line)-len(words))
		}
	}
	return append(rows, nil)
}
