// Package composer starts work: a flow file is chosen or its path typed, or a
// task is told in plain words and a planner writes its flow, which is shown and
// can be edited. Facts are typed one by one, and the flow is checked before it
// starts, each error shown at its step. It reads no file, asks no planner and
// starts nothing: what is wanted is handed back, and what came of it is handed
// in.
package composer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
	"countersign/ui/form"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// Checked is what the check of a flow says, in the words the composer needs.
type Checked struct {
	Steps    int
	Errors   []flows.Problem
	Warnings []flows.Problem
	Missing  []Missing
}

// Missing is a name the flow uses and nobody gave, the step that needs it first,
// and the kind of value its name speaks of.
type Missing struct{ Name, Step, Kind string }

// Verb says what the composer wants done.
type Verb int

// The verbs.
const (
	Nothing      Verb = iota
	Read              // read Wish.Path, then hand it to Loaded
	Complete          // find what Wish.Path can become, then hand it to Completed
	Plan              // have Wish.Plan planned, then hand it to Planned with Wish.Nr
	StopPlanning      // end that
	Check             // check Wish.Start.Flow with the names given, then hand it to Checked
	Start             // StartTask
	Write             // open Wish.Text in an editor, then hand what is left to Written
	Close
)

// Wish is what a key led to.
type Wish struct {
	Verb  Verb
	Path  string
	Plan  task.PlanRequest
	Text  string
	Nr    int // of the planning
	Start task.StartRequest
}

type stage int

const (
	choosing stage = iota
	reading
	planning
	planned
	editing
	filling
	faulty
	starting
)

// Model is the composer. A value.
type Model struct {
	theme     theme.Theme
	keys      KeyMap
	sensitive func(string) bool

	stage    stage
	files    []string
	matches  []string // what matched could become
	matched  string   // the path they belong to
	at       int
	path     text.Edit // of a flow file, or a task in plain words
	planner  Planner
	plan     plan
	kept     map[string]string // what was typed for the flow at keptFor, given back when it is read again
	keptFor  string
	hide     []string // names that were secret when the flow ran before
	raw      json.RawMessage
	checked  Checked
	form     form.Model
	approve  bool // fill_then_approve
	notice   string
	top      int
	replaces task.ID

	width, height int
}

// New makes a composer. Sensitive says which names are typed without echo.
func New(th theme.Theme, keys KeyMap, sensitive func(string) bool) Model {
	return Model{theme: th, keys: keys, sensitive: sensitive}
}

// Open starts anew; replaces is the task this one takes the place of, or 0.
func (m Model) Open(replaces task.ID) Model {
	fresh := New(m.theme, m.keys, m.sensitive)
	fresh.width, fresh.height, fresh.replaces, fresh.planner = m.width, m.height, replaces, m.planner
	fresh.plan.nr = m.plan.nr
	return fresh
}

// Replaces is the task to be cancelled once this one started; 0 for none.
func (m Model) Replaces() task.ID { return m.replaces }

// Path is that of the flow file; empty for a task in plain words.
func (m Model) Path() string {
	if typed := m.typed(); !inWords(typed) {
		return typed
	}
	return ""
}

func (m Model) typed() string { return strings.TrimSpace(m.path.Value()) }

// SetFiles offers flow files, the last used first.
func (m Model) SetFiles(files []string) Model {
	m.files = files
	m.at = min(m.at, max(len(files)-1, 0))
	return m
}

// SetSize gives the room in cells.
func (m Model) SetSize(width, height int) Model {
	m.width, m.height = width, height
	return m
}

// Loaded takes a file's bytes, or why they cannot be had.
func (m Model) Loaded(raw []byte, err error) (Model, Wish) {
	if err != nil {
		return m.failed(err, choosing), Wish{}
	}
	if typed := m.form.Values(); len(typed) > 0 && m.keptFor == m.Path() {
		m.kept = typed
	} else if m.keptFor != m.Path() {
		m.kept = nil
	}
	m.raw, m.form, m.keptFor, m.plan = raw, form.Model{}, m.Path(), plan{nr: m.plan.nr}
	return m, Wish{Verb: Check, Start: m.request()}
}

// SetChecked takes what the check says: errors are shown at their steps, and
// without any the facts are asked for, or the task starts when they were given.
// What it says of a flow that was changed since is dropped.
func (m Model) SetChecked(flow json.RawMessage, c Checked) (Model, Wish) {
	if !bytes.Equal(flow, m.raw) {
		return m, Wish{}
	}
	m.checked = c
	if (m.stage == planned || m.stage == editing) && !m.plan.ready {
		return m, Wish{}
	}
	filled, kept := m.stage == starting, m.stage == editing
	m.top, m.notice, m.plan.ready = 0, "", false
	if len(c.Errors) > 0 && m.ofPlan() {
		if !kept {
			m = m.backToPlan().openText()
		}
		m.notice = "correct it first"
		return m, Wish{}
	}
	if len(c.Errors) > 0 {
		m.stage = faulty
		return m, Wish{}
	}
	if filled {
		return m, Wish{Verb: Start, Start: m.request()}
	}
	m.stage = filling
	fields := make([]task.Field, 0, len(c.Missing))
	for _, miss := range c.Missing {
		fields = append(fields, task.Field{Name: miss.Name, Why: "for step " + miss.Step, Kind: miss.Kind})
	}
	m.form = form.New(fields, m.secret)
	m.form = m.form.Add(form.Field{Name: originsField, Why: "sites it may visit, as https://shop.test; empty: any", Optional: true}, "")
	m.form = m.form.Fill(m.kept)
	return m, Wish{}
}

// originsField is a field of the composer's own beside the facts.
const originsField = "sites"

// Failed tells why the task did not start.
func (m Model) Failed(err error) Model { return m.failed(err, filling) }

func (m Model) failed(err error, back stage) Model {
	f := fault.Of(err)
	m.notice, m.stage = text.Line(f.Error()+" · "+f.Hint), back
	return m
}

// Update takes a key.
func (m Model) Update(msg tea.KeyMsg) (Model, Wish) {
	switch m.stage {
	case choosing:
		return m.choose(msg)
	case planning:
		return m.await(msg)
	case planned:
		return m.review(msg)
	case editing:
		return m.edit(msg)
	case filling:
		return m.fill(msg)
	case faulty:
		return m.correct(msg)
	case reading, starting:
		if key.Matches(msg, m.keys.Leave) {
			return m, Wish{Verb: Close}
		}
	}
	return m, Wish{}
}

func (m Model) choose(msg tea.KeyMsg) (Model, Wish) {
	switch {
	case key.Matches(msg, m.keys.Leave):
		return m, Wish{Verb: Close}
	case key.Matches(msg, m.keys.Up):
		m.at = max(m.at-1, 0)
	case key.Matches(msg, m.keys.Down):
		m.at = min(m.at+1, max(len(m.offered())-1, 0))
	case key.Matches(msg, m.keys.Complete):
		return m.complete()
	case key.Matches(msg, m.keys.Editor):
		return m, Wish{Verb: Write, Text: headed("", sampleFlow)}
	case key.Matches(msg, m.keys.Enter):
		if inWords(m.typed()) {
			return m.ask()
		}
		path := m.Path()
		if path == "" && m.at < len(m.files) {
			path = m.files[m.at]
		}
		if path == "" {
			m.notice = "type the path of a flow file"
			if !m.planner.Missing {
				m.notice += ", or what is to be done"
			}
			return m, Wish{}
		}
		m.path, m.stage, m.notice = text.NewEdit(path), reading, ""
		return m, Wish{Verb: Read, Path: path}
	default:
		m.path, m.notice = form.Typed(m.path, msg), ""
	}
	return m, Wish{}
}

// offered is the list shown: what the path typed could become once that was
// asked for, else the files known.
func (m Model) offered() []string {
	if m.Path() != "" && m.matched == m.Path() {
		return m.matches
	}
	return m.files
}

// complete takes the file marked when it is one of a list that fits what was
// typed; else it asks what that could become.
func (m Model) complete() (Model, Wish) {
	if m.Path() != "" && (m.matched != m.Path() || len(m.matches) == 0) {
		return m, Wish{Verb: Complete, Path: m.Path()}
	}
	if list := m.offered(); m.at < len(list) {
		m.path, m.at = text.NewEdit(list[m.at]), 0
	}
	return m, Wish{}
}

// Completed takes what a path could become: folders, ending in a slash, and
// flow files. As much as all have in common is typed. An answer that comes
// after the path was changed is dropped.
func (m Model) Completed(path string, matches []string) Model {
	if m.stage != choosing || path != m.Path() {
		return m
	}
	if len(matches) == 0 {
		m.notice = "no folder and no .json file begins like that"
		return m
	}
	common := matches[0]
	for _, match := range matches[1:] {
		for !strings.HasPrefix(match, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	m.path, m.notice, m.at = text.NewEdit(common), "", 0
	if len(matches) > 1 {
		m.matches, m.matched = matches, m.Path()
	}
	return m
}

func (m Model) fill(msg tea.KeyMsg) (Model, Wish) {
	switch {
	case key.Matches(msg, m.keys.Leave):
		m.stage, m.notice = choosing, ""
		if m.ofPlan() {
			m = m.backToPlan()
		}
		return m, Wish{}
	case key.Matches(msg, m.keys.Payment):
		m.approve = !m.approve
		return m, Wish{}
	}
	var done bool
	m.form, done = m.form.Update(msg)
	if !done {
		return m, Wish{}
	}
	m.stage = starting
	return m, Wish{Verb: Check, Start: m.request()}
}

func (m Model) correct(msg tea.KeyMsg) (Model, Wish) {
	switch {
	case key.Matches(msg, m.keys.Leave):
		m.stage = choosing
	case key.Matches(msg, m.keys.Up):
		m.top = max(m.top-1, 0)
	case key.Matches(msg, m.keys.Down):
		m.top++
	case key.Matches(msg, m.keys.Enter):
		m.stage = reading
		return m, Wish{Verb: Read, Path: m.path.Value()}
	}
	return m, Wish{}
}

// request is what would be started now.
func (m Model) request() task.StartRequest {
	purpose := task.PurposeOf(m.Path())
	if m.ofPlan() {
		purpose = m.plan.task
	}
	req := task.StartRequest{Task: purpose, Flow: m.raw, Facts: m.form.Values(), SecretFacts: m.form.Secrets()}
	req.Constraints.Origins = strings.Fields(strings.ReplaceAll(req.Facts[originsField], ",", " "))
	delete(req.Facts, originsField)
	maps.DeleteFunc(req.Facts, func(_, value string) bool { return strings.TrimSpace(value) == "" })
	req.SecretFacts = slices.DeleteFunc(req.SecretFacts, func(name string) bool { return req.Facts[name] == "" })
	if m.approve {
		req.Constraints.Payment = flows.FillThenApprove
	}
	return req
}

// View draws the composer over the whole room.
func (m Model) View() []string {
	rows := []string{" " + m.theme.Brand.Render("NEW TASK") + m.theme.Subtle.Render("  "+m.origin()), ""}
	switch m.stage {
	case choosing, reading:
		rows = append(rows, m.chooser()...)
	case planning:
		rows = append(rows, m.waiting()...)
	case planned:
		rows = append(rows, m.outlined()...)
	case editing:
		rows = append(rows, m.edited()...)
	case filling, starting:
		rows = append(rows, m.filler()...)
	case faulty:
		rows = append(rows, m.faults()...)
	}
	if m.notice != "" {
		rows = append(rows, "")
		for _, line := range text.Wrap(m.notice, max(m.width-4, 10)) {
			rows = append(rows, "  "+m.theme.Warn.Render(line))
		}
	}
	return text.Fit(rows, m.width, m.height)
}

func (m Model) cursor(s string) string { return m.theme.Cursor.Render(s) }

func (m Model) chooser() []string {
	if inWords(m.typed()) {
		return m.told()
	}
	rows := []string{"  " + m.theme.Subtle.Render("path  ") + m.theme.Accent.Render("› ") + m.path.View(max(m.width-12, 10), m.cursor), ""}
	if m.stage == reading {
		return append(rows, "  "+m.theme.Subtle.Render("reading and checking …"))
	}
	files := m.offered()
	if len(files) == 0 {
		return append(rows, "  "+m.theme.Subtle.Render("No flow file lies here. `countersign guide` shows how to write one."))
	}
	room := max(m.height-6, 1)
	top := max(m.at-room+1, 0)
	for i := top; i < min(top+room, len(files)); i++ {
		name := text.Truncate(text.Line(files[i]), max(m.width-6, 4))
		if i == m.at {
			rows = append(rows, "  "+m.theme.Accent.Render("▸ ")+m.theme.Strong.Render(name))
			continue
		}
		rows = append(rows, "    "+m.theme.Text.Render(name))
	}
	return rows
}

func (m Model) filler() []string {
	name := text.Line(m.typed())
	rows := []string{"  " + m.theme.Strong.Render(text.Truncate(name, max(m.width-20, 8))) + m.theme.Subtle.Render(fmt.Sprintf("   %d steps", m.checked.Steps)), ""}
	for _, p := range m.checked.Warnings {
		rows = append(rows, m.problem(p, false)...)
	}
	if len(m.checked.Warnings) > 0 {
		rows = append(rows, "")
	}
	rows = append(rows, m.form.Rows(m.theme, m.width, m.stage == filling)...)
	pay := "stops in front of any payment"
	if m.approve {
		pay = "fills in payment details and asks you to sign"
	}
	rows = append(rows, "", "  "+m.theme.Subtle.Render(text.Pad("payment", 12))+" "+m.theme.Text.Render(pay)+m.theme.Subtle.Render("   ")+m.theme.Key.Render("ctrl+p"))
	if m.stage == starting {
		rows = append(rows, "", "  "+m.theme.Subtle.Render("starting …"))
	}
	return rows
}

func (m Model) faults() []string {
	n := len(m.checked.Errors)
	word := "errors"
	if n == 1 {
		word = "error"
	}
	rows := []string{"  " + m.theme.Danger.Render(fmt.Sprintf("%d %s", n, word)) + m.theme.Subtle.Render(" in "+text.Line(m.path.Value())), ""}
	var list []string
	for _, p := range m.checked.Errors {
		list = append(list, m.problem(p, true)...)
	}
	room := max(m.height-8, 3)
	top := min(m.top, max(len(list)-room, 0))
	rows = append(rows, list[top:min(top+room, len(list))]...)
	return append(rows, "", "  "+m.theme.Key.Render("enter")+m.theme.Subtle.Render(" read it again once corrected"))
}

// problem is one error or warning at its step.
func (m Model) problem(p flows.Problem, wrong bool) []string {
	at := text.Line(p.Path)
	if at == "" {
		at = "flow"
	}
	st := m.theme.Warn
	if wrong {
		st = m.theme.Danger
	}
	rows := []string{"  " + m.theme.Strong.Render(at) + "  " + st.Render(text.Line(p.Code))}
	for _, line := range text.Wrap(text.Line(p.Message), max(m.width-8, 10)) {
		rows = append(rows, "      "+m.theme.Text.Render(line))
	}
	return rows
}
