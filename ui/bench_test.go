package ui

import (
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/theme"
	"countersign/ui/uitest"
)

// loaded is a desk of 32 running tasks, the selected one with so many reports.
func loaded(b *testing.B, reports int) tea.Model {
	b.Helper()
	now := time.Now()
	m := build(b.Context(), nil, Options{}, theme.New(theme.Options{Profile: termenv.TrueColor}), nil)
	m.now = now
	var next tea.Model = m
	var entries []task.Entry
	for id := range task.ID(32) {
		v := task.View{ID: id + 1, Title: "Watch the price list", Status: task.Status{State: task.Running}, Summary: "Step 2 of 5: read the list.", Revision: 1, SinceAt: now.UnixMilli()}
		entries = append(entries, task.Entry{Event: task.EventView, Task: v.ID, View: &v})
	}
	next, _ = next.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	next, _ = next.Update(eventsMsg{entries: entries, at: now})
	root := next.(Model)
	id := root.inspector.Task()
	steps := make([]flows.StepReport, reports)
	for i := range steps {
		steps[i] = flows.StepReport{
			Step: fmt.Sprint(i + 1), Run: 1, Kind: flows.KindDo, Text: "press the next page", Outcome: flows.OutcomeDone, ElapsedMS: 1200,
			Actions: []flows.ActionNote{{Op: "click", OK: true, Change: "12 new lines"}},
		}
	}
	v, _ := root.board.Task(id)
	next, _ = next.Update(reportMsg{id: id, report: task.Report{View: v, Steps: steps}, at: now})
	return next
}

// A frame with 32 tasks costs the same however many reports there are, and is
// under 4 ms with 10,000.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprintf("reports=%d", n), func(b *testing.B) {
			m := loaded(b, n)
			for b.Loop() {
				_ = m.View()
			}
		})
	}
}

// From a key to its frame, with events of all tasks between the keys.
func BenchmarkKeyToFrame(b *testing.B) {
	m := loaded(b, 10_000)
	var entries []task.Entry
	for id := range task.ID(32) {
		for range 5 { // what 50 reports a second make in a tenth
			entries = append(entries, task.Entry{Event: task.EventStep, Task: id + 1, Report: &flows.StepReport{Step: "1", Outcome: flows.OutcomeRunning}})
		}
	}
	keys := []tea.Msg{uitest.Key("j"), uitest.Key("k")}
	i := 0
	for b.Loop() {
		m, _ = m.Update(eventsMsg{entries: entries, at: time.Now()})
		m, _ = m.Update(stampedMsg{time.Now(), keys[i%2]})
		_ = m.View()
		i++
	}
}
