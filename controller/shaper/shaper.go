// Package shaper has a language model put what a task saved into the shape its
// caller asked for (tasks.md 9.5). What it is told was redacted before; its
// answer is one JSON object that fits the schema, or there is none.
package shaper

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"countersign/controller/chat"
	"countersign/controller/task"
)

// maxValues is how much of the saved values is told, in characters
// (tasks.md 9.5).
const maxValues = 60000

const maxWords = 8000 // characters of the goal and of the instructions

// Request is what a shaper is told. Everything in it is redacted already.
type Request struct {
	Goal         string
	Instructions string
	Schema       Schema
	Values       []Value // in the order they were saved
}

// Value is one saved variable as rows.
type Value struct {
	Name string
	Rows task.Rows
}

// Shape asks the model for the result, with two repairs. The error is a
// *chat.InvalidError when it never fitted, else the model's own. Safe for
// concurrent use.
func Shape(ctx context.Context, m chat.Model, req Request) (json.RawMessage, chat.Usage, error) {
	var result json.RawMessage
	used, err := chat.Converse(ctx, m, turns(req), asItIs, func(object json.RawMessage) []string {
		if wrong := req.Schema.violations(object); len(wrong) > 0 {
			return wrong
		}
		var b bytes.Buffer
		if err := json.Compact(&b, object); err != nil {
			return []string{err.Error()}
		}
		result = b.Bytes()
		return nil
	})
	if err != nil {
		return nil, used, err
	}
	return result, used, nil
}

// asItIs: a shaper was told no value, and there is nobody whose it could guess.
func asItIs(s string) string { return s }

func turns(req Request) []chat.Turn {
	var b strings.Builder
	b.WriteString("What the task was about:\n" + chat.Data("goal", chat.Cut(req.Goal, maxWords)))
	b.WriteString("What the result must be:\n" + chat.Data("instructions", chat.Cut(req.Instructions, maxWords)))
	if len(req.Schema.raw) > 0 {
		b.WriteString("The JSON Schema it must satisfy:\n" + chat.Data("schema", string(req.Schema.raw)))
	} else {
		b.WriteString("Any JSON object will do.\n")
	}
	values, whole := told(req.Values)
	if !whole {
		b.WriteString("The saved values are cut here: there were more than can be shown. Shape what is there.\n")
	}
	b.WriteString("The saved values:\n" + chat.Data("values", values))
	return []chat.Turn{{Role: chat.System, Text: protocol}, {Role: chat.User, Text: b.String()}}
}

// told writes the values row by row, as far as there is room; false when a
// part was left out.
func told(values []Value) (string, bool) {
	var b strings.Builder
	room := maxValues
	for _, v := range values {
		lines := []string{v.Name + ":"}
		for _, row := range v.Rows {
			raw, err := json.Marshal(row)
			if err != nil {
				continue // a map of strings always can be written
			}
			lines = append(lines, string(raw))
		}
		for _, line := range lines {
			n := len([]rune(line)) + 1
			if n > room {
				b.WriteString(string([]rune(line)[:max(room-1, 0)]))
				return b.String(), false
			}
			room -= n
			b.WriteString(line + "\n")
		}
	}
	return b.String(), true
}

const protocol = `You put what a computer task saved into the shape its caller asked for. You answer with exactly one JSON object that satisfies the schema, and nothing else.

` + chat.Rule + ` The instructions say what the result must be, and nothing beyond that.

- You may select, clean, remove duplicates, order, split and restructure what was saved.
- You must not invent: every value in the result comes from the saved values. What is missing is left out, or null where the schema allows null.
- Words such as ‹name› and ${name} stand for details you are not told; copy them as they are.`
