package cli

import (
	"bytes"
	"errors"
	"testing"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
)

// lines gives what plain mode says of a batch of events.
func linesOf(only task.ID, batch ...task.Entry) string {
	var out bytes.Buffer
	p := newPlain(&command{io: Streams{Out: &out}}, controllertest.NewDesk())
	p.only = only
	p.hear(batch)
	return out.String()
}

func viewOf(revision uint64, summary string, s task.Status) task.Entry {
	return task.Entry{Event: task.EventView, Task: 1, View: &task.View{ID: 1, Revision: revision, Summary: summary, Status: s}}
}

func TestLinesOfARescueAndAResult(t *testing.T) {
	running := task.Status{State: task.Running}
	done := task.Status{State: task.Done, Result: []byte(`{"n":2}`)}
	standIn := flows.StepReport{Step: "3", Run: 2, StandIn: 1, Kind: flows.KindDo, Text: "press it", Outcome: flows.OutcomeDone, Note: "accomplished"}
	batch := []task.Entry{
		viewOf(1, "Starting.", running),
		viewOf(2, "Step 3 of 5: press that.", running),
		viewOf(3, "Rescue 1 of 5: it is called \u202eelse here.", running),
		viewOf(4, "Rescue 1 of 5: it is called \u202eelse here.", running),
		{Event: task.EventStep, Task: 1, Report: &standIn},
		viewOf(5, "Step 4 of 5: wait.", running),
		viewOf(6, "Finished all 5 steps.", done),
		viewOf(7, "Finished all 5 steps.", done),
	}
	const want = `running  Starting.
Rescue 1 of 5: it is called else here.⌫1
↳ 3    done         do press it  accomplished
result  {"n":2}
done  Finished all 5 steps.
`
	if got := linesOf(1, batch...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := linesOf(0, batch[2]); got != "t-1  Rescue 1 of 5: it is called else here.⌫1\nt-1  running  Rescue 1 of 5: it is called else here.⌫1\n" {
		t.Errorf("beside others: %q", got)
	}
}

// Leaving the desk in lines asks once whether browsers stay open, where a task
// is under way.
func TestD19QuittingInLinesAsksOnce(t *testing.T) {
	waiting := task.View{ID: 1, Status: task.Status{State: task.NeedsHuman}, Next: []string{task.OpContinue}}
	for _, tt := range []struct {
		name    string
		views   map[task.ID]task.View
		ending  bool
		typed   []string
		release bool
	}{
		{"nothing under way", nil, false, []string{"/quit"}, false},
		{"what ended asks nothing", map[task.ID]task.View{1: {ID: 1, Status: task.Status{State: task.Done}}}, false, []string{"/quit"}, false},
		{"the default keeps them", map[task.ID]task.View{1: waiting}, false, []string{"/quit", "/quit"}, false},
		{"asked to close them", map[task.ID]task.View{1: {ID: 1, Status: task.Status{State: task.Running}}}, false, []string{"/quit", "/quit close"}, true},
		{"the demo ends all", map[task.ID]task.View{1: waiting}, true, []string{"/quit"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			p := newPlain(&command{io: Streams{Out: &out}}, controllertest.NewDesk())
			p.endless = !tt.ending
			for id, v := range tt.views {
				p.views[id] = v
			}
			for i, said := range tt.typed {
				err := p.typed(t.Context(), line{text: said})
				if left := errors.Is(err, errLeft); left != (i == len(tt.typed)-1) {
					t.Fatalf("%s: left %v\n%s", said, left, out.String())
				}
			}
			if asked := bytes.Contains(out.Bytes(), []byte("/quit again")); asked != (len(tt.typed) > 1) || p.release != tt.release {
				t.Errorf("asked %v, close %v; want close %v", asked, p.release, tt.release)
			}
		})
	}
}
