package controller_test

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"countersign/controller/task"
)

// stage is a state, or a kind of checkpoint: what the table of tasks.md 1.7
// speaks of.
type stage string

const (
	interrupted    = stage(task.CheckpointInterrupted)
	outcomeUnknown = stage(task.CheckpointOutcomeUnknown)
	sideLost       = stage(task.CheckpointSideLost)
	paymentStop    = stage(task.CheckpointPayment)
)

func stageOf(s task.Status) stage {
	if s.State == task.Checkpoint {
		return stage(s.Kind)
	}
	return stage(s.State)
}

// moves is that table, written a second time and finer than the program's own:
// it knows the kinds of checkpoints.
func moves() map[stage][]stage {
	const (
		running, input, approval = stage(task.Running), stage(task.NeedsInput), stage(task.NeedsApproval)
		human, plan              = stage(task.NeedsHuman), stage(task.NeedsPlan)
		done, failed, cancelled  = stage(task.Done), stage(task.Failed), stage(task.Cancelled)
	)
	return map[stage][]stage{
		"":             {running, input, plan},
		running:        {running, input, approval, human, interrupted, outcomeUnknown, sideLost, paymentStop, done, failed, cancelled},
		input:          {running, input, failed, cancelled},
		approval:       {running, input, sideLost, cancelled},
		human:          {running, sideLost, cancelled},
		plan:           {cancelled},
		interrupted:    {running, sideLost, cancelled},
		sideLost:       {running, cancelled},
		outcomeUnknown: {running, outcomeUnknown, cancelled},
		paymentStop:    {paymentStop}, // released, or said to be paid
		done:           {},
		failed:         {},
		cancelled:      {},
	}
}

// fates is what may become of a decision.
func fates() map[task.DecisionState][]task.DecisionState {
	return map[task.DecisionState][]task.DecisionState{
		"":                    {task.DecisionAsked},
		task.DecisionAsked:    {task.DecisionApproved, task.DecisionDeclined, task.DecisionVoid, task.DecisionExpired},
		task.DecisionApproved: {task.DecisionSpent, task.DecisionVoid},
	}
}

// ledger reads every task's journal and holds it to the tables.
type ledger struct {
	t *testing.T

	mu    sync.Mutex // guards the rest
	tasks map[task.ID]*account
	moves map[stage][]stage
	fates map[task.DecisionState][]task.DecisionState
	taken map[[2]stage]int // how often each move was made
}

type account struct {
	seq       uint64
	view      task.View
	decisions map[uint64]task.DecisionState
}

func newLedger(t *testing.T) *ledger {
	return &ledger{t: t, tasks: map[task.ID]*account{}, moves: moves(), fates: fates(), taken: map[[2]stage]int{}}
}

// read takes entries in the order they come; what is not stored has no number
// and is left alone.
func (l *ledger) read(entries []task.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range entries {
		if e.Seq > 0 {
			l.entry(e)
		}
	}
}

// last is the number a task was read up to.
func (l *ledger) last(id task.ID) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if a := l.tasks[id]; a != nil {
		return a.seq
	}
	return 0
}

func (l *ledger) entry(e task.Entry) {
	a := l.tasks[e.Task]
	if a == nil {
		a = &account{decisions: map[uint64]task.DecisionState{}}
		l.tasks[e.Task] = a
	}
	if e.Seq != a.seq+1 {
		l.t.Errorf("%s: entry %d follows %d", e.Task, e.Seq, a.seq)
	}
	a.seq = e.Seq
	if d := e.Decision; d != nil {
		if was := a.decisions[d.ID]; !slices.Contains(l.fates[was], d.State) {
			l.t.Errorf("%s: decision %d became %s after %q", e.Task, d.ID, d.State, was)
		}
		a.decisions[d.ID] = d.State
	}
	if e.View != nil {
		l.view(a, *e.View)
	}
}

func (l *ledger) view(a *account, v task.View) {
	if v.Revision != a.view.Revision+1 {
		l.t.Errorf("%s: revision %d follows %d", v.ID, v.Revision, a.view.Revision)
	}
	from, to := stageOf(a.view.Status), stageOf(v.Status)
	if !slices.Contains(l.moves[from], to) {
		l.t.Errorf("%s: %q became %q (%s)", v.ID, from, to, v.Summary)
	}
	if a.view.Status.IsFinal() && frozen(l.t, a.view) != frozen(l.t, v) {
		l.t.Errorf("%s: a final view changed:\n%s\n%s", v.ID, frozen(l.t, a.view), frozen(l.t, v))
	}
	if v.Progress < a.view.Progress {
		l.t.Errorf("%s: progress fell from %v to %v", v.ID, a.view.Progress, v.Progress)
	}
	l.taken[[2]stage{from, to}]++
	a.view = v
}

// frozen is what of a final view may never change.
func frozen(t *testing.T, v task.View) string {
	t.Helper()
	v.Revision, v.Next, v.Paid = 0, nil, ""
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
