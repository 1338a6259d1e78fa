package controller

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

const (
	maxTasks = 32 // tasks.md 10.1

	awaitDefault = 30 * time.Second // tasks.md 2.4
	awaitLongest = 60 * time.Second

	boundaryPatience = 10 * time.Second // tasks.md 4.8: closing stops tasks within it
	releasePatience  = 10 * time.Second // a browser that will not close is left to the next start
)

// Controller is the one owner of all live tasks. Each task is a cell with a
// goroutine of its own; the controller only finds, admits and ends them. Safe
// for concurrent use.
type Controller struct {
	opts Options
	hub  *hub

	life context.Context // the controller's own life: New to Close
	end  context.CancelFunc
	work sync.WaitGroup // every goroutine the controller started

	// admission serialises starts, so that two of them cannot take one slot. It
	// is held across the store; nothing but a start waits for it.
	admission sync.Mutex

	mu            sync.Mutex // guards the rest
	cells         map[task.ID]*cell
	closed        bool
	releaseOnExit bool
}

var _ Desk = (*Controller)(nil)

// New loads every live task and begins to own it: what ran is a checkpoint
// now, what waited still waits, and nothing goes on by itself. Ctx bounds the
// loading only. An error is the store's, and then nothing is left running.
func New(ctx context.Context, opts Options) (*Controller, error) {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	c := &Controller{opts: opts, life: life, end: end, cells: map[task.ID]*cell{}}
	c.hub = newHub(opts.Store, c.health(""))
	if err := c.load(ctx); err != nil {
		_ = c.Close() // the reason to report is the store's
		return nil, err
	}
	return c, nil
}

// LeaveNothingOpen makes Close give every side back instead of leaving it for
// the next start.
func (c *Controller) LeaveNothingOpen() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.releaseOnExit = true
}

// Close stops running tasks at their next step boundary, after 10 s at once,
// disconnects from every side without closing it, and returns when every
// goroutine is gone. The store stays open. Idempotent.
func (c *Controller) Close() error {
	c.mu.Lock()
	first := !c.closed
	c.closed = true
	release := c.releaseOnExit
	c.mu.Unlock()
	if first {
		ctx, cancel := context.WithTimeout(c.life, 2*boundaryPatience)
		defer cancel()
		c.halt(ctx, false)
		for _, t := range c.live() {
			t.leave(release)
		}
	}
	c.work.Wait()
	c.end()
	return nil
}

// AwaitTask implements Operations.
func (c *Controller) AwaitTask(ctx context.Context, id task.ID, timeout time.Duration) (task.View, error) {
	t, err := c.cell(id)
	if err != nil {
		return task.View{}, err
	}
	if timeout <= 0 {
		timeout = awaitDefault
	}
	return t.await(ctx, min(timeout, awaitLongest))
}

// ListTasks implements Operations.
func (c *Controller) ListTasks(context.Context) ([]task.View, error) {
	views := []task.View{}
	for _, t := range slices.Backward(c.live()) {
		views = append(views, t.view())
	}
	return views, nil
}

// cell finds a live task.
func (c *Controller) cell(id task.ID) (*cell, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.cells[id]
	if !ok {
		return nil, fault.Newf(fault.NoSuchTask, "no task %s", id)
	}
	return t, nil
}

// live gives the cells in the order their tasks started.
func (c *Controller) live() []*cell {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(maps.Values(c.cells), func(a, b *cell) int { return cmp.Compare(a.id, b.id) })
}

// own lets a cell be found and starts its goroutine, which ends with
// cell.leave.
func (c *Controller) own(t *cell) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errClosed()
	}
	c.cells[t.id] = t
	c.work.Go(t.loop)
	return nil
}

// forget takes a cell out of the live ones.
func (c *Controller) forget(id task.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.cells, id)
}

func (c *Controller) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

func errClosed() error {
	return fault.New(fault.Internal, "the desk is closing").WithHint("Start the desk again.")
}
