package composer

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/form"
	"countersign/ui/outline"
)

// sampleFlow is what a new flow starts from.
const sampleFlow = `{
  "app": "browser",
  "vars": { "site": "http://127.0.0.1:8100" },
  "steps": [
    { "browse": "${site}" },
    { "enter": { "search bikes and parts": "cargo bike" } },
    "press \"Search\"",
    { "wait_for": "a list of results is showing" },
    { "extract": { "what": "the list of results", "into": "found" } }
  ]
}`

// titleMark begins the line in which the task is named.
const titleMark = "# Task:"

// untitled is the name of a task whose flow names none.
const untitled = "A flow written at the desk"

// headed puts the task's name above its flow, as comment.
func headed(title, flow string) string {
	if title == "" {
		title = untitled
	}
	return titleMark + " " + title + "\n" + flow + "\n"
}

// Written takes what an editor left: lines that begin with # are comment, one of
// which names the task. Here says that there is no editor, so that the text is
// opened at the desk.
func (m Model) Written(written string, here bool, err error) (Model, Wish) {
	if err != nil {
		return m.failed(err, m.stage), Wish{}
	}
	title := untitled
	var flow []string
	for line := range strings.SplitSeq(strings.ReplaceAll(written, "\r\n", "\n"), "\n") {
		if named, ok := strings.CutPrefix(line, titleMark); ok && strings.TrimSpace(named) != "" {
			title = strings.TrimSpace(named)
		}
		if !strings.HasPrefix(line, "#") {
			flow = append(flow, line)
		}
	}
	m = m.ofOwn(title, json.RawMessage(strings.TrimSpace(strings.Join(flow, "\n"))))
	if here {
		m = m.openText()
	}
	return m, Wish{Verb: Check, Start: m.request()}
}

// Again takes the flow and the values of an earlier task. Secret values are
// asked for anew: nobody kept them.
func (m Model) Again(title string, flow json.RawMessage, req task.StartRequest) (Model, Wish) {
	m = m.ofOwn(title, json.RawMessage(outline.Pretty(flow)))
	m.kept = maps.Clone(req.Facts)
	if m.kept == nil {
		m.kept = map[string]string{}
	}
	m.kept[originsField] = strings.Join(req.Constraints.Origins, " ")
	m.hide = req.SecretFacts
	m.approve = req.Constraints.Payment == flows.FillThenApprove
	return m, Wish{Verb: Check, Start: m.request()}
}

func (m Model) ofOwn(title string, flow json.RawMessage) Model {
	m.plan = plan{nr: m.plan.nr, task: title, own: true}
	m.raw, m.stage, m.notice, m.top = flow, planned, "", 0
	m.form, m.keptFor, m.checked = form.Model{}, "", Checked{}
	return m
}

// secret says which names are typed without echo.
func (m Model) secret(name string) bool {
	return m.sensitive != nil && m.sensitive(name) || slices.Contains(m.hide, name)
}
