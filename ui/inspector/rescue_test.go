package inspector

import (
	"slices"
	"strings"
	"testing"

	"countersign/controller/task"
	"countersign/flows"
)

// standIn is the i-th step that a rescue wrote in place of step 3.
func standIn(i int, words string, o flows.Outcome) task.Entry {
	e := report("3", o)
	e.Report.Run, e.Report.StandIn, e.Report.Text = 2, i, words
	return e
}

// A rescue's steps share the number of the failed one: each has a row of its
// own, marked, and the failed one stays.
func TestStepsOfARescueAreMarked(t *testing.T) {
	m := fresh(20)
	for _, e := range []task.Entry{
		report("3", flows.OutcomeFailed), standIn(1, "close the notice", flows.OutcomeRunning), standIn(1, "close the notice", flows.OutcomeDone),
		standIn(2, "press it", flows.OutcomeDone),
	} {
		m = m.Apply(e)
	}
	m = m.Load(task.Report{View: task.View{ID: 1}, Steps: []flows.StepReport{
		*report("3", flows.OutcomeFailed).Report, *standIn(1, "close the notice", flows.OutcomeDone).Report, *standIn(2, "press it", flows.OutcomeDone).Report,
	}})
	got := rowsOf(m)
	want := []string{"✗ 3 do text 3 0.0s", "── run 2 ──", "✓ 3 ↳ rescue do close the notice 0.0s", "✓ 3 ↳ rescue do press it 0.0s"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// The shaped result stands above what was saved, whole at every width.
func TestResultStandsAboveTheRecords(t *testing.T) {
	const long = "prices for one adult in the second class, without a seat and without a bicycle"
	m := fresh(20)
	m.tab = Records
	v := task.View{ID: 1, Status: task.Status{State: task.Done, Result: []byte(`{"cheapest":"10:30","note":"` + long + `"}`)}}
	m = m.Load(task.Report{View: v, Records: map[string]task.Rows{"total": {{"value": "27 EUR"}}}})
	for _, width := range []int{70, 40} {
		m = m.SetSize(width, 20)
		shown := strings.Join(m.View(), "\n")
		at := strings.Index(shown, "result")
		if at < 0 || at > strings.Index(shown, "total  27 EUR") || !strings.Contains(shown, `"cheapest": "10:30"`) {
			t.Errorf("%d cells:\n%s", width, shown)
		}
		if whole := strings.Join(strings.Fields(shown), " "); !strings.Contains(whole, long) {
			t.Errorf("%d cells: the note was cut:\n%s", width, shown)
		}
	}
}

func TestResultIsCleaned(t *testing.T) {
	for _, r := range resultRows([]byte(`{"a":"x\u202ey\u001b[2J"}`), 60) {
		for _, p := range r {
			if strings.ContainsAny(p.text, "\x1b\u202e") {
				t.Errorf("got through: %q", p.text)
			}
		}
	}
}

// Why a rescue was made stands under the step it was for, whether it came as an
// event or lies in the journal, and once.
func TestRescueShowsItsReason(t *testing.T) {
	rescue := task.Entry{Event: task.EventRescue, Task: 1, Rescue: &task.RescueNote{Step: 3, Attempt: 1, Limit: 5, Outcome: "guided", Steps: 1, Reason: "a notice is in front\x1b[2J"}}
	gaveUp := task.Entry{Event: task.EventRescue, Task: 1, Rescue: &task.RescueNote{Step: 3, Attempt: 2, Limit: 5, Outcome: "gave_up", Reason: "nothing fits"}}
	journal := []task.Entry{report("3", flows.OutcomeFailed), rescue, standIn(1, "close the notice", flows.OutcomeFailed), gaveUp}
	want := []string{
		"✗ 3 do text 3 0.0s", "↳ rescue 1 of 5: a notice is in front⌫4", "── run 2 ──", "✗ 3 ↳ rescue do close the notice 0.0s", "↳ rescue 2 of 5, gave up: nothing fits",
	}
	loaded := task.Report{View: task.View{ID: 1}, Journal: journal, Steps: []flows.StepReport{*journal[0].Report, *journal[2].Report}}
	live := fresh(20)
	for _, e := range journal {
		live = live.Apply(e)
	}
	for name, m := range map[string]Model{
		"events": live, "journal": fresh(20).Load(loaded), "both": live.Load(loaded), "journal, then an event again": fresh(20).Load(loaded).Apply(gaveUp),
	} {
		if got := rowsOf(m); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s", name, strings.Join(got, "\n"))
		}
	}
}

// rowsOf is the body's rows that say something, their white space squeezed.
func rowsOf(m Model) []string {
	var rows []string
	for _, row := range m.View()[chrome:] {
		if row = strings.Join(strings.Fields(row), " "); row != "" {
			rows = append(rows, row)
		}
	}
	return rows
}
