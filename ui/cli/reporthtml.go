package cli

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"os"
	"strings"
	"time"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// reportPage is one page that needs nothing from elsewhere: it runs no script,
// and asks the browser to load nothing but the pictures in it.
//
//go:embed report.html
var reportPage string

// htmlReport is what the page shows. Foreign text in it is cleaned, and escaped
// by the template.
type htmlReport struct {
	ID, Word, Title, Summary, Hint, Started, Spent string

	Task      string
	Steps     []htmlStep
	Rescues   []string
	Result    string
	Records   []htmlTable
	Decisions []htmlDecision
	Pictures  []htmlPicture // those that belong to no decision
	Version   string
}

type htmlStep struct {
	Path, Outcome, Text, Note, Took string
	Indent                          int
	Acts                            []string
}

type htmlTable struct {
	Name string
	Head []string
	Rows [][]string
}

type htmlDecision struct {
	Asked, Line string
	Facts       [][2]string
	Words       []string
	Picture     *htmlPicture
}

// htmlPicture is a picture with the control in question outlined.
type htmlPicture struct {
	Data          template.URL
	Width, Height int
	X, Y, W, H    float64 // of the control; no width where there is none
}

// writeHTML writes a report as one page, for the person alone to read.
func (c *command) writeHTML(ctx context.Context, d controller.Desk, r task.Report, file string) error {
	page, err := template.New("report").Parse(reportPage)
	if err != nil {
		return fault.Wrap(fault.Internal, err, "the report's page cannot be made")
	}
	var out bytes.Buffer
	if err := page.Execute(&out, c.htmlReport(ctx, d, r)); err != nil {
		return fault.Wrap(fault.Internal, err, "the report's page cannot be made")
	}
	if file == "-" {
		_, err := c.io.Out.Write(out.Bytes())
		return err
	}
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		return fault.Wrap(fault.InvalidUsage, err, "the report "+file+" cannot be written").WithHint("Name a file in a folder that can be written.")
	}
	c.printf("%s\n", file)
	return nil
}

func (c *command) htmlReport(ctx context.Context, d controller.Desk, r task.Report) htmlReport {
	v := r.View
	out := htmlReport{
		ID: v.ID.String(), Word: word(v), Title: clean(v.Title), Summary: clean(v.Summary), Hint: clean(v.Status.Hint),
		Started: time.UnixMilli(v.StartedAt).Format("2006-01-02 15:04:05"), Task: clean(r.Request.Task), Result: clean(string(v.Status.Result)),
		Spent:   fmt.Sprintf("%s at work, %d actions, %d decider calls", time.Duration(r.Spent.ElapsedMS)*time.Millisecond, r.Spent.Actions, r.Spent.ModelCalls),
		Version: c.wiring.Version,
	}
	for _, s := range r.Steps {
		out.Steps = append(out.Steps, htmlStepOf(s))
	}
	for i, rescue := range r.Rescues {
		out.Rescues = append(out.Rescues, fmt.Sprintf("Rescue %d at step %d: %s (%s)", i+1, rescue.Step, clean(rescue.Reason), clean(rescue.Outcome)))
	}
	for _, name := range sortedKeys(r.Records) {
		out.Records = append(out.Records, htmlTableOf(name, r.Records[name]))
	}
	shown := map[string]bool{}
	for _, dec := range r.Decisions {
		h := htmlDecision{Asked: clock(dec.AskedAt), Line: decisionLine(dec)}
		if e := dec.Evidence; e != nil {
			h.Facts, h.Words = factsOf(e)
			h.Picture = picture(ctx, d, r.Artifacts, e.Picture)
			if h.Picture != nil {
				h.Picture.X, h.Picture.Y, h.Picture.W, h.Picture.H = e.Box.X, e.Box.Y, e.Box.Width, e.Box.Height
				shown[e.Picture] = true
			}
		}
		out.Decisions = append(out.Decisions, h)
	}
	for _, a := range r.Artifacts {
		if p := picture(ctx, d, r.Artifacts, a.SHA256); p != nil && !shown[a.SHA256] {
			out.Pictures = append(out.Pictures, *p)
		}
	}
	return out
}

func htmlStepOf(s flows.StepReport) htmlStep {
	h := htmlStep{
		Path: s.Step, Outcome: string(s.Outcome), Text: clean(string(s.Kind) + " " + s.Text), Note: clean(s.Note),
		Took: (time.Duration(s.ElapsedMS) * time.Millisecond).String(), Indent: strings.Count(s.Step, "."),
	}
	for _, a := range s.Actions {
		line := a.Op
		if a.Target != nil {
			line += " " + clean((&surfaces.Candidate{Role: a.Target.Role, Name: a.Target.Name}).Label())
		}
		if !a.OK {
			line += "  " + string(a.Code)
		}
		if a.Change != "" {
			line += "  → " + clean(a.Change)
		}
		h.Acts = append(h.Acts, line)
	}
	return h
}

// htmlTableOf has a column for each name that any row has.
func htmlTableOf(name string, rows task.Rows) htmlTable {
	names := map[string]bool{}
	for _, row := range rows {
		for k := range row {
			names[k] = true
		}
	}
	out := htmlTable{Name: clean(name)}
	columns := sortedKeys(names)
	for _, k := range columns {
		out.Head = append(out.Head, clean(k))
	}
	for _, row := range rows {
		cells := make([]string, len(columns))
		for i, k := range columns {
			cells[i] = clean(row[k])
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// factsOf are what was measured of the act, and the words of the page.
func factsOf(e *flows.Evidence) (facts [][2]string, words []string) {
	add := func(label, value string) {
		if value = clean(value); value != "" {
			facts = append(facts, [2]string{label, value})
		}
	}
	add("origin", e.Origin)
	add("address", e.Address)
	add("goes to", e.Destination)
	add("control", e.Control.String())
	add("amount", strings.TrimSpace(e.Amount+" "+e.Currency))
	add("payee", e.Payee)
	add("guard", e.Phrase)
	for _, f := range e.Form {
		add("typed", f.Name+" = "+f.Value)
	}
	for _, w := range e.Words {
		words = append(words, clean(w))
	}
	return facts, words
}

// picture reads a kept picture; nil for one that is kept no more.
func picture(ctx context.Context, d controller.Desk, all []task.Artifact, sha256 string) *htmlPicture {
	for _, a := range all {
		if a.SHA256 != sha256 || sha256 == "" {
			continue
		}
		png, err := d.Picture(ctx, sha256)
		if err != nil {
			return nil
		}
		data := template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png)) //nolint:gosec // it is our own encoding
		return &htmlPicture{Data: data, Width: a.Width, Height: a.Height}
	}
	return nil
}
