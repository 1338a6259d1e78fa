package inspector

import (
	"encoding/json"
	"strconv"
	"strings"

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
