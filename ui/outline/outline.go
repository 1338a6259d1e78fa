// Package outline lays a flow out for a person: step by step to read, and as
// text to edit. It checks nothing.
package outline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"countersign/ui/text"
)

// Row is one step of a flow as given, cleaned: its words can be shown.
type Row struct {
	Top   int // number of the top-level step it belongs to
	Depth int
	Path  string
	Kind  string
	Words string
}

// Rows reads a flow as far as it can be read: what cannot is shown as it stands,
// since checking a flow is not this package's work.
func Rows(raw json.RawMessage) []Row {
	var flow struct {
		Steps []json.RawMessage `json:"steps"`
	}
	if json.Unmarshal(raw, &flow) != nil {
		return nil
	}
	return stepRows(nil, flow.Steps, "", 0)
}

// Vars names the flow's own values, such as the site it goes to; empty when it
// has none.
func Vars(raw json.RawMessage) string {
	var flow struct {
		Vars json.RawMessage `json:"vars"`
	}
	if json.Unmarshal(raw, &flow) != nil || len(flow.Vars) == 0 || string(flow.Vars) == "{}" {
		return ""
	}
	return text.Line(wordsOf(flow.Vars))
}

func stepRows(rows []Row, steps []json.RawMessage, prefix string, level int) []Row {
	for i, raw := range steps {
		path := fmt.Sprintf("%s%d", prefix, i+1)
		top := i + 1
		if level > 0 {
			top = rows[len(rows)-1].Top
		}
		rows = append(rows, Row{Top: top, Depth: level, Path: path})
		at := len(rows) - 1
		var words string
		if json.Unmarshal(raw, &words) == nil {
			rows[at].Kind, rows[at].Words = "do", text.Line(words)
			continue
		}
		kind, value := onlyKey(raw)
		rows[at].Kind = text.Line(kind)
		var nested struct {
			Condition string            `json:"condition"`
			Steps     []json.RawMessage `json:"steps"`
			Then      []json.RawMessage `json:"then"`
			Else      []json.RawMessage `json:"else"`
		}
		if (kind == "if" || kind == "repeat_until") && json.Unmarshal(value, &nested) == nil {
			rows[at].Words = text.Line(nested.Condition)
			rows = stepRows(rows, slices.Concat(nested.Steps, nested.Then), path+".", level+1)
			if len(nested.Else) > 0 {
				rows = append(rows, Row{Top: top, Depth: level, Kind: "else"})
				rows = stepRows(rows, nested.Else, path+".e", level+1)
			}
			continue
		}
		rows[at].Words = text.Line(wordsOf(value))
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
