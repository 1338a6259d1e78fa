package controller

import (
	"context"
	"sync"
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/facts"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// inboxSize lets a run report a burst of steps without waiting for each to be
// committed.
const inboxSize = 64

// flushAfter is how long an ended step may wait for a transaction to share
// (tasks.md 10.9).
const flushAfter = 50 * time.Millisecond

// cell is one live task. Its goroutine owns every field under "owned"; all
// others send it functions, or read the shown view.
//
//	callers ──► inbox ──► loop ──► commit ──► store, then shown and events
//	run goroutine ──► inbox     (steps, presses, the end)
type cell struct {
	c      *Controller
	id     task.ID
	inbox  chan func()
	quit   chan bool     // leave: true gives the sides back
	gone   chan struct{} // closed when loop has returned
	shown  shown
	looks  looks
	leaves sync.Once

	// owned
	rec      task.Record // as last stored, or as last shown when the store fails
	facts    *facts.Set
	flow     flows.Flow // decoded rec.Flow
	open     *task.Decision
	presses  []task.Press
	place    surfaces.Place
	app      string   // last application a step named
	run      *run     // nil while none is under way
	thought  *thought // nil while no language model is asked; never beside a run
	backlog  backlog
	refusal  error            // the store's, while a run is stopped for it
	flush    <-chan time.Time // set while ended steps wait to be stored
	deadline <-chan time.Time // set while an approval can expire
}

// backlog is what happened and is not stored yet.
type backlog struct {
	entries   []task.Entry
	decisions []task.Decision
	press     *task.Press
}

func newCell(c *Controller, rec task.Record, set *facts.Set) *cell {
	t := &cell{
		c: c, id: rec.ID, rec: rec, facts: set, inbox: make(chan func(), inboxSize),
		quit: make(chan bool, 1), gone: make(chan struct{}),
	}
	t.shown.changed = make(chan struct{})
	t.shown.view, t.shown.seq = rec.View, rec.Seq // a view is the last entry of its transition
	t.looks.parent, t.looks.now = c.life, newBatch(c.life)
	return t
}

// loop runs until leave, and then until the run it started has ended.
func (t *cell) loop() {
	defer close(t.gone)
	for {
		select {
		case f := <-t.inbox:
			f()
		case side := <-t.lost():
			t.sideGone(side)
		case <-t.flush:
			t.flushSteps()
		case <-t.deadline:
			t.expire()
		case release := <-t.quit:
			t.windUp(release)
			return
		}
	}
}

// windUp ends a run still under way, stores what it left, and lets go of the
// place.
func (t *cell) windUp(release bool) {
	if t.run != nil {
		t.stopRun(stopHalted)
	} else {
		t.haltRun(true)
	}
	for t.run != nil {
		f := <-t.inbox
		f()
	}
	t.flushSteps()
	t.looks.end()
	if t.place == nil {
		return
	}
	if release {
		t.release()
		return
	}
	_ = t.place.Close() // only disconnects; the next start finds it or says it is lost
}

// leave ends the cell's goroutine; it does not wait.
func (t *cell) leave(release bool) {
	t.leaves.Do(func() { t.quit <- release })
}

// post hands f to the cell's goroutine; false when that has ended.
func (t *cell) post(f func()) bool {
	select {
	case t.inbox <- f:
		return true
	case <-t.gone:
		return false
	}
}

// call runs f on the cell's goroutine and waits for it, or for ctx: then f may
// still run.
func (t *cell) call(ctx context.Context, f func() error) error {
	answer := make(chan error, 1) // the cell never waits for a caller
	if !t.post(func() { answer <- f() }) {
		return fault.Newf(fault.NoSuchTask, "no task %s", t.id)
	}
	select {
	case err := <-answer:
		return err
	case <-t.gone:
		select {
		case err := <-answer:
			return err
		default:
			return errClosed()
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lost is the place's own signal, nil (never) without one.
func (t *cell) lost() <-chan surfaces.Side {
	if t.place == nil {
		return nil
	}
	return t.place.Lost()
}

// status is short for the state as last stored.
func (t *cell) status() task.Status { return t.rec.View.Status }

// shown is the published view: replaced whole, and everyone who waits is woken.
type shown struct {
	mu      sync.Mutex // guards the rest
	view    task.View
	seq     uint64 // number of the view's own entry
	changed chan struct{}
}

func (s *shown) put(v task.View, seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.view, s.seq = v, seq
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *shown) get() (task.View, uint64, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view, s.seq, s.changed
}

func (t *cell) view() task.View {
	v, _, _ := t.shown.get()
	return v
}

// await returns at once when the task does not run, else at the next
// publication or when timeout has passed.
func (t *cell) await(ctx context.Context, timeout time.Duration) (task.View, error) {
	v, _, changed := t.shown.get()
	if v.Status.State != task.Running {
		return v, nil
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	case <-ctx.Done():
		return task.View{}, ctx.Err()
	}
	return t.view(), nil
}
