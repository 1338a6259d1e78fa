package inspector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"countersign/controller/task"
	"countersign/ui/text"
)

// flowRow is one step of the flow as given.
type flowRow struct {
	top   int // number of the top-level step it belongs to
	depth int
	path  string
	kind  string
	words string
}

// flowRows reads a flow as far as it can be read: what cannot is shown as it
// stands, since checking a flow is not this package's work.
func flowRows(raw json.RawMessage) []flowRow {
	var flow struct {
		Steps []json.RawMessage `json:"steps"`
	}
	if json.Unmarshal(raw, &flow) != nil {
		return nil
	}
	return stepRows(nil, flow.Steps, "", 0)
}

func stepRows(rows []flowRow, steps []json.RawMessage, prefix string, level int) []flowRow {
	for i, raw := range steps {
		path := fmt.Sprintf("%s%d", prefix, i+1)
		top := i + 1
		if level > 0 {
			top = rows[len(rows)-1].top
		}
		rows = append(rows, flowRow{top: top, depth: level, path: path})
		at := len(rows) - 1
		var words string
		if json.Unmarshal(raw, &words) == nil {
			rows[at].kind, rows[at].words = "do", text.Line(words)
			continue
		}
		kind, value := onlyKey(raw)
		rows[at].kind = text.Line(kind)
		var nested struct {
			Condition string            `json:"condition"`
			Steps     []json.RawMessage `json:"steps"`
			Then      []json.RawMessage `json:"then"`
			Else      []json.RawMessage `json:"else"`
		}
		if (kind == "if" || kind == "repeat_until") && json.Unmarshal(value, &nested) == nil {
			rows[at].words = text.Line(nested.Condition)
			rows = stepRows(rows, slices.Concat(nested.Steps, nested.Then), path+".", level+1)
			if len(nested.Else) > 0 {
				rows = append(rows, flowRow{top: top, depth: level, kind: "else"})
				rows = stepRows(rows, nested.Else, path+".e", level+1)
			}
			continue
		}
		rows[at].words = text.Line(wordsOf(value))
	}
	return rows
}

// onlyKey gives the first key of a step and its value; a step has one.
func onlyKey(raw json.RawMessage) (string, json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return "?", raw
	}
	t, err := d.Token()
	k, ok := t.(string)
	if err != nil || !ok {
		return "?", raw
	}
	var value json.RawMessage
	if d.Decode(&value) != nil {
		return k, raw
	}
	return k, value
}

// wordsOf spells a step's value: a string as it is, pairs as name: value.
func wordsOf(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	d := json.NewDecoder(bytes.NewReader(value))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return string(value)
	}
	var parts []string
	for d.More() {
		k, err := d.Token()
		var v json.RawMessage
		if err != nil || d.Decode(&v) != nil {
			return string(value)
		}
		var s string
		if json.Unmarshal(v, &s) != nil {
			s = string(v)
		}
		parts = append(parts, fmt.Sprintf("%v: %s", k, s))
	}
	return strings.Join(parts, " · ")
}

func (m *Model) flowRow(r flowRow) string {
	at := 0
	if m.view.Step != nil {
		at = m.view.Step.Index
	}
	mark, words := "  ", plain
	switch {
	case at == r.top && m.view.Progress < 1:
		if r.depth == 0 {
			mark, words = m.hereMark(), strong
		}
	case at > r.top || m.view.Progress >= 1:
		mark, words = m.style(good, "✓ "), subtle
		if r.depth > 0 {
			mark = "  "
		}
	}
	return " " + mark + m.style(subtle, text.Pad(r.path, numberWidth)) + strings.Repeat("  ", r.depth) +
		m.style(subtle, text.Pad(r.kind, 12)) + " " + m.style(words, r.words)
}

// hereMark marks the step a task is in, or the one it ended in.
func (m *Model) hereMark() string {
	switch m.view.Status.State {
	case task.Failed:
		return m.style(danger, "✗ ")
	case task.Cancelled:
		return m.style(subtle, "– ")
	case task.Running, task.NeedsInput, task.NeedsApproval, task.NeedsHuman, task.NeedsPlan, task.Checkpoint, task.Done:
		return m.style(accent, "▸ ")
	default:
		return "  "
	}
}
