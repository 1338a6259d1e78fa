package controller

import (
	"context"
	"encoding/json"
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

// records turns what was saved into rows: an extract one per row it found,
// anything else one row with the key value. A flow's own variable left as it
// was declared is input and no record.
func (t *cell) records() map[string]task.Rows { return recordsOf(t.flow, t.rec.Values) }

func recordsOf(flow flows.Flow, values []task.Value) map[string]task.Rows {
	records := map[string]task.Rows{}
	extracts := extracted(flow.Steps, map[string]bool{})
	for _, v := range values {
		if declared, ok := flow.Vars[v.Name]; ok && declared == v.Text {
			continue
		}
		records[v.Name] = rowsOf(v, extracts[v.Name])
	}
	return records
}

func rowsOf(v task.Value, extract bool) task.Rows {
	if extract {
		var rows task.Rows
		if json.Unmarshal([]byte(v.Text), &rows) == nil {
			return rows
		}
	}
	return task.Rows{{"value": v.Text}}
}

// extracted collects the names extract steps save into.
func extracted(steps []flows.Step, into map[string]bool) map[string]bool {
	for _, s := range steps {
		if s.Kind == flows.KindExtract {
			into[s.Into] = true
		}
		extracted(s.Steps, into)
		extracted(s.Then, into)
		extracted(s.Else, into)
	}
	return into
}

// answerText is the sentence of a finished task, with what it saved.
func (t *cell) answerText() string {
	text := "Finished all " + plural(int64(t.steps()), "step") + "."
	extracts := extracted(t.flow.Steps, map[string]bool{})
	for _, v := range t.rec.Values {
		if declared, ok := t.flow.Vars[v.Name]; ok && declared == v.Text {
			continue
		}
		value := v.Text
		if rows := rowsOf(v, extracts[v.Name]); extracts[v.Name] {
			value = plural(int64(len(rows)), "row")
		}
		text += " " + v.Name + ": " + value
	}
	return text
}

// TaskReport implements Operations. It is read from the store alone, so it is
// the same for a live task and for history.
func (c *Controller) TaskReport(_ context.Context, id task.ID, trace bool) (task.Report, error) {
	rec, err := c.opts.Store.Record(id)
	if err != nil {
		return task.Report{}, fault.Of(err)
	}
	r := task.Report{
		View: rec.View, Request: rec.Request, Flow: rec.Flow, Steps: []flows.StepReport{}, Spent: rec.Spent,
		Artifacts: orEmpty(rec.Pictures), Learned: orEmpty(rec.Learned), Trace: []flows.Exchange{}, Rescues: orEmpty(rec.Rescues),
	}
	if trace {
		r.Trace = orEmpty(rec.Trace)
	}
	if t, err := c.cell(id); err == nil && t.view().Revision > rec.View.Revision {
		r.View = t.view() // shown, but the store refused it
	}
	if r.View.Status.State == task.Done {
		r.View.Status.Records = map[string]task.Rows{}
	}
	flow, _ := flows.Decode(rec.Flow)
	r.Records = recordsOf(flow, rec.Values)
	if r.Decisions, err = c.opts.Store.Decisions(id); err != nil {
		return task.Report{}, fault.Of(err)
	}
	if r.Journal, err = c.opts.Store.Entries(id, 0, 0); err != nil {
		return task.Report{}, fault.Of(err)
	}
	r.Decisions, r.Journal = orEmpty(r.Decisions), orEmpty(r.Journal)
	for _, e := range r.Journal {
		if e.Report != nil {
			r.Steps = append(r.Steps, *e.Report)
		}
	}
	r.Approval = openApproval(rec)
	return r, nil
}

// openApproval is what is asked to be signed, or may have happened.
func openApproval(rec task.Record) *task.Approval {
	s := rec.View.Status
	open := s.State == task.NeedsApproval || s.State == task.Checkpoint && s.Kind == task.CheckpointOutcomeUnknown
	if !open || rec.Resume == nil || rec.Resume.Evidence == nil {
		return nil
	}
	return &task.Approval{Evidence: *rec.Resume.Evidence, Digest: rec.Resume.Evidence.Digest(), Differs: rec.Resume.Differs}
}

// History implements Desk.
func (c *Controller) History(_ context.Context, query string, before task.ID, limit int) ([]task.View, error) {
	records, err := c.opts.Store.History(query, before, limit)
	if err != nil {
		return nil, fault.Of(err)
	}
	views := make([]task.View, len(records))
	for i, rec := range records {
		views[i] = rec.View
	}
	return views, nil
}

// Prune implements Desk.
func (c *Controller) Prune(_ context.Context, age time.Duration) ([]task.ID, error) {
	ids, err := c.opts.Store.Prune(time.Now().Add(-age).UnixMilli())
	if err != nil {
		return nil, fault.Of(err)
	}
	for _, id := range ids {
		c.hub.gone(id, true)
	}
	return orEmpty(ids), nil
}

// Picture implements Desk.
func (c *Controller) Picture(_ context.Context, sha256 string) ([]byte, error) {
	png, err := c.opts.Store.Picture(sha256)
	if err != nil {
		return nil, fault.Of(err)
	}
	return png, nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
