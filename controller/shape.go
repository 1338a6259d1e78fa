package controller

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"countersign/controller/chat"
	"countersign/controller/shaper"
	"countersign/controller/task"
	"countersign/surfaces/fault"
)

const shapingNow = "Shaping the result."

// checkOutput is step 4 of tasks.md 2.3.
func (c *Controller) checkOutput(out *task.Output) error {
	if out == nil {
		return nil
	}
	if c.opts.Shaper == nil {
		return fault.New(fault.OutputUnavailable, "an output was asked for and no shaper is configured")
	}
	_, err := shaper.Compile(out.Schema)
	return err
}

// shapes reports whether the flow is through and its result is still to be
// shaped: what a task asks for it never ends without.
func (t *cell) shapes(index int) bool {
	return t.rec.Request.Output != nil && len(t.rec.Flow) > 0 && index > t.steps()
}

// shape has the shaper put the saved values into the shape asked for. The flow
// is through.
func (t *cell) shape() {
	model, out := t.c.opts.Shaper, t.rec.Request.Output
	schema, err := shaper.Compile(out.Schema)
	if model == nil { // it was there when the task was accepted
		err = fault.New(fault.OutputUnavailable, "no shaper is configured any more")
	}
	d := t.draft()
	t.finished(d, t.steps())
	d.at(nil)
	if err != nil {
		f := fault.Of(err)
		t.fail(d, 0, f.Error(), f.Hint, true)
		t.settleFor(d, t.end(d))
		return
	}
	d.become(task.Status{State: task.Running}, shapingNow)
	if !t.settleFor(d, t.commit(d)) {
		return
	}
	req := shaper.Request{
		Goal: t.facts.Redact(t.goal()), Instructions: t.facts.Redact(out.Instructions), Schema: schema, Values: t.valuesTold(),
	}
	t.think(shaping, 0, func(ctx context.Context) func() {
		result, _, err := shaper.Shape(ctx, model, req)
		return func() { t.shaped(result, err) }
	})
}

// valuesTold are the saved values as rows, redacted, in the order they were
// saved.
func (t *cell) valuesTold() []shaper.Value {
	records := t.records()
	var values []shaper.Value
	for _, v := range t.rec.Values {
		if rows, ok := records[v.Name]; ok {
			values = append(values, shaper.Value{Name: v.Name, Rows: mapRows(rows, t.facts.Redact)})
		}
	}
	return values
}

// shaped ends the task with its result, or fails it; the records stay in the
// report either way.
func (t *cell) shaped(result json.RawMessage, err error) {
	if err == nil {
		t.done(result)
		return
	}
	d := t.draft()
	reason, hint, again := "the result could not be shaped: "+err.Error(), "Start it again, or leave output out; the saved records are in the report.", true
	var invalid *chat.InvalidError
	if errors.As(err, &invalid) {
		reason, hint, again = "the result never fitted what was asked for: "+err.Error(), "Simplify output.schema or its instructions; the saved records are in the report.", false
	}
	t.fail(d, 0, cut(t.facts.Redact(reason), maxWhy), hint, again)
	t.settleFor(d, t.end(d))
}

// mapStrings changes every text of a JSON value, keys included, and leaves the
// rest as it is written.
func mapStrings(raw json.RawMessage, f func(string) string) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil // never of what was checked to be JSON
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(mapped(value, f)); err != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

func mapped(value any, f func(string) string) any {
	switch v := value.(type) {
	case string:
		return f(v)
	case []any:
		for i := range v {
			v[i] = mapped(v[i], f)
		}
		return v
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[f(key)] = mapped(item, f)
		}
		return out
	default:
		return v
	}
}
