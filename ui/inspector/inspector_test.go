package inspector

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/theme"
)

func fresh(height int) Model {
	m := New(theme.Plain(), DefaultKeyMap()).SetSize(70, height)
	return m.SetTask(task.View{ID: 1, Title: "t", Status: task.Status{State: task.Running}})
}

func report(step string, o flows.Outcome) task.Entry {
	return task.Entry{Event: task.EventStep, Task: 1, Report: &flows.StepReport{Step: step, Run: 1, Kind: flows.KindDo, Text: "text " + step, Outcome: o}}
}

func paths(m Model) string {
	var out []string
	for _, s := range m.steps.slots {
		out = append(out, s.path)
	}
	return strings.Join(out, " ")
}

func TestStepsStandInTheOrderReached(t *testing.T) {
	tests := []struct {
		name  string
		steps []task.Entry
		want  string
	}{
		{"one by one", []task.Entry{report("1", flows.OutcomeDone), report("2", flows.OutcomeDone)}, "1 2"},
		{"started, inside, ended", []task.Entry{report("1", flows.OutcomeRunning), report("1.1", flows.OutcomeDone), report("1", flows.OutcomeDone)}, "1 1.1"},
		{"ended after what is inside, start not seen", []task.Entry{report("1", flows.OutcomeDone), report("2.1", flows.OutcomeDone), report("2.2.1", flows.OutcomeDone), report("2.2", flows.OutcomeDone), report("2", flows.OutcomeDone)}, "1 2 2.1 2.2 2.2.1"},
		{"a late middle does not undo an end", []task.Entry{report("1", flows.OutcomeDone), report("1", flows.OutcomeRunning)}, "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := fresh(20)
			for _, e := range tt.steps {
				m = m.Apply(e)
			}
			if got := paths(m); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if o := m.steps.slots[0].report.Outcome; o != flows.OutcomeDone {
				t.Errorf("first step is %s, want done", o)
			}
			want := m.steps.rows
			m.steps.rebuild(0)
			if len(want) != len(m.steps.rows) {
				t.Errorf("%d rows kept, %d when made anew", len(want), len(m.steps.rows))
			}
		})
	}
}

func TestReportLoadedAfterEventsLosesNone(t *testing.T) {
	m := fresh(20).Apply(report("3", flows.OutcomeRunning))
	m = m.Load(task.Report{View: task.View{ID: 1}, Steps: []flows.StepReport{*report("1", flows.OutcomeDone).Report, *report("2", flows.OutcomeDone).Report}})
	if got := paths(m); got != "1 2 3" {
		t.Errorf("got %s, want 1 2 3", got)
	}
}

func TestFollowUntilScrolledUp(t *testing.T) {
	m := fresh(8)
	for i := range 30 {
		m = m.Apply(report(fmt.Sprint(i+1), flows.OutcomeDone))
	}
	if top := m.top[Steps]; top != 25 {
		t.Fatalf("top %d, want the end at 25", top)
	}
	m = m.Update(tea.KeyMsg{Type: tea.KeyUp})
	was := m.View()[chrome]
	for i := range 30 {
		m = m.Apply(report(fmt.Sprint(i+31), flows.OutcomeDone))
	}
	m = m.SetSize(70, 10)
	if got := m.View()[chrome]; got != was {
		t.Errorf("what was read moved: %q, was %q", got, was)
	}
	m = m.Update(tea.KeyMsg{Type: tea.KeyEnd})
	if got := m.View()[9]; !strings.Contains(got, "text 60") {
		t.Errorf("the end shows %q, want the last step", got)
	}
}

func TestScreenMarksWhatChanged(t *testing.T) {
	m := fresh(20)
	m.tab = Screen
	m = m.SetScreen(flows.Seen{Address: "http://x", Lines: []string{"one", "two\rREADY"}, Fields: []flows.SeenField{{Label: "To", Value: "${to}"}}})
	m = m.SetScreen(flows.Seen{Address: "http://x", Lines: []string{"one", "three"}})
	shown := strings.Join(m.View(), "\n")
	if !strings.Contains(shown, "+ three") || strings.Contains(shown, "+ one") {
		t.Errorf("only the new line should be marked:\n%s", shown)
	}
}

func TestFlowCursor(t *testing.T) {
	m := fresh(20)
	m.tab = Flow
	m.view.Step = &task.CurrentStep{Index: 2}
	m = m.Load(task.Report{View: task.View{ID: 1}, Flow: []byte(`{"steps":["first",{"repeat_until":{"condition":"it is done","steps":["inner",{"enter":{"a":"1","b":"2"}}],"max":3}},{"if":{"condition":"x","then":["yes"],"else":["no"]}}]}`)})
	shown := strings.Join(m.View(), "\n")
	for _, want := range []string{"✓ 1", "▸ 2", "2.1", "repeat_until it is done", "a: 1 · b: 2", "3.1", "else", "3.e1"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
}

// A task that was ended keeps the marks of what it had done.
func TestFlowMarksStayAfterTheEnd(t *testing.T) {
	for state, mark := range map[task.State]string{task.Cancelled: "–", task.Failed: "✗", task.Checkpoint: "▸"} {
		m := fresh(20)
		m.tab = Flow
		m.view.Step, m.view.Status, m.view.Progress = &task.CurrentStep{Index: 2}, task.Status{State: state}, 1.0/3
		m = m.Load(task.Report{View: task.View{ID: 1}, Flow: []byte(`{"steps":["first","second","third"]}`)})
		shown := strings.Join(m.View(), "\n")
		if !strings.Contains(shown, "✓ 1") || !strings.Contains(shown, mark+" 2") || strings.Contains(shown, "✓ 3") {
			t.Errorf("%s:\n%s", state, shown)
		}
	}
}

func TestRecordsAsATable(t *testing.T) {
	m := fresh(20)
	m.tab = Records
	m = m.Load(task.Report{View: task.View{ID: 1}, Records: map[string]task.Rows{
		"trains": {{"from": "Aarhus", "price": "18 EUR"}, {"from": "København", "price": "9 EUR"}}, "total": {{"value": "27 EUR"}},
	}})
	shown := strings.Join(m.View(), "\n")
	for _, want := range []string{"total  27 EUR", "trains  2 rows", "from       price", "Aarhus     18 EUR", "København  9 EUR"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
}

func TestLogSaysEachEntryOnce(t *testing.T) {
	v := task.View{ID: 1, Summary: "Planning.", Status: task.Status{State: task.Running}}
	entries := []task.Entry{
		{Event: task.EventView, Task: 1, Seq: 1, At: 1000, View: &v},
		{Event: task.EventRescue, Task: 1, Seq: 2, At: 2000, Rescue: &task.RescueNote{Step: 3, Attempt: 1, Limit: 5, Outcome: "continued"}},
		{Event: task.EventDecision, Task: 1, Seq: 3, At: 3000, Decision: &task.DecisionNote{ID: 1, State: task.DecisionDeclined}},
	}
	m := fresh(20)
	m.tab = Log
	for _, e := range entries {
		m = m.Apply(e)
	}
	m = m.Load(task.Report{View: task.View{ID: 1}, Journal: entries, Decisions: []task.Decision{{ID: 1, Question: task.NeedsApproval, State: task.DecisionDeclined, Answer: "decline", Words: "wrong recipient"}}})
	for _, e := range entries {
		m = m.Apply(e)
	}
	shown := strings.Join(m.View(), "\n")
	if m.log.len() != 3 || !strings.Contains(shown, "1 of 5 at step 3") || !strings.Contains(shown, "“wr") {
		t.Errorf("%d rows, want three:\n%s", m.log.len(), shown)
	}
}

// TestWordsThatDecided: an act whose target the decider chose says by what.
func TestWordsThatDecided(t *testing.T) {
	l := newStepList()
	l.add(flows.StepReport{Step: "1", Kind: flows.KindDo, Actions: []flows.ActionNote{{Op: "click", OK: true, Why: "Delete, in the row Smith"}, {Op: "press", OK: true}}})
	var kinds []rowKind
	for _, r := range l.rows {
		kinds = append(kinds, r.kind)
	}
	if want := []rowKind{headRow, actRow, whyRow, actRow}; !slices.Equal(kinds, want) || l.rows[2].text != "found by Delete, in the row Smith" {
		t.Errorf("got rows %v, %q", kinds, l.rows[2].text)
	}
}
