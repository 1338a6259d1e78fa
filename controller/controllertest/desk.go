package controllertest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Desk is a controller.Desk without a controller. Views are put into it and
// become numbered events; every answer is recorded and changes nothing by
// itself unless a hook says what happens then. Safe for concurrent use.
type Desk struct {
	// Hooks decide what a call answers; nil ones record and give the present
	// view. Set them before the desk is used. They run without the lock, so
	// they may call Put and Emit.
	OnPlan     func(context.Context, task.PlanRequest) (task.Plan, error)
	OnStart    func(task.StartRequest) (task.View, error)
	OnContinue func(task.ContinueRequest) (task.View, error)
	OnCancel   func(id task.ID, answer string) (task.View, error)
	OnLook     func(id task.ID) (task.Look, error)
	OnHalt     func(now bool) ([]task.View, error)

	mu       sync.Mutex // guards all below
	caps     task.Capabilities
	views    map[task.ID]task.View
	reports  map[task.ID]task.Report
	looks    map[task.ID]task.Look
	pictures map[string][]byte
	seqs     map[task.ID]uint64
	log      []task.Entry
	changed  chan struct{} // closed and replaced with every new event
	plans    []task.PlanRequest
	starts   []task.StartRequest
	answers  []task.ContinueRequest
	cancels  []Cancel
	looked   []task.ID
	forwards []task.ID
	halts    []bool
	calls    int
}

// Cancel is one recorded CancelTask.
type Cancel struct {
	ID     task.ID
	Answer string
}

var _ controller.Desk = (*Desk)(nil)

// NewDesk makes a desk that already holds the views.
func NewDesk(views ...task.View) *Desk {
	d := &Desk{
		views: map[task.ID]task.View{}, reports: map[task.ID]task.Report{}, looks: map[task.ID]task.Look{},
		pictures: map[string][]byte{}, seqs: map[task.ID]uint64{}, changed: make(chan struct{}),
	}
	for _, v := range views {
		d.Put(v)
	}
	return d
}

// Put replaces a task's view and sends it as a stored event.
func (d *Desk) Put(v task.View) {
	d.Emit(task.Entry{Event: task.EventView, Task: v.ID, At: v.SinceAt, View: &v})
}

// Emit sends an event. Stored kinds are numbered here; a view becomes the
// task's present one.
func (d *Desk) Emit(e task.Entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if stored(e) {
		d.seqs[e.Task]++
		e.Seq = d.seqs[e.Task]
	}
	if e.View != nil {
		d.views[e.Task] = *e.View
	}
	if e.Event == task.EventGone {
		delete(d.views, e.Task)
	}
	d.log = append(d.log, e)
	close(d.changed)
	d.changed = make(chan struct{})
}

// SetCapabilities, SetReport, SetLook and SetPicture say what the reading calls
// answer.
func (d *Desk) SetCapabilities(c task.Capabilities) { d.locked(func() { d.caps = c }) }

// SetReport says what TaskReport answers; its view is always the present one.
func (d *Desk) SetReport(id task.ID, r task.Report) { d.locked(func() { d.reports[id] = r }) }

// SetLook says what Look answers.
func (d *Desk) SetLook(id task.ID, l task.Look) { d.locked(func() { d.looks[id] = l }) }

// SetPicture keeps a picture.
func (d *Desk) SetPicture(sha256 string, b []byte) { d.locked(func() { d.pictures[sha256] = b }) }

// Plans gives every PlanTask so far.
func (d *Desk) Plans() []task.PlanRequest { return snapshot(d, &d.plans) }

// Starts gives every StartTask so far.
func (d *Desk) Starts() []task.StartRequest { return snapshot(d, &d.starts) }

// Answers gives every ContinueTask so far.
func (d *Desk) Answers() []task.ContinueRequest { return snapshot(d, &d.answers) }

// Cancels gives every CancelTask so far.
func (d *Desk) Cancels() []Cancel { return snapshot(d, &d.cancels) }

// Looked gives the task of every Look so far.
func (d *Desk) Looked() []task.ID { return snapshot(d, &d.looked) }

// Forwards gives the task of every BringForward so far.
func (d *Desk) Forwards() []task.ID { return snapshot(d, &d.forwards) }

// Halts gives the argument of every Halt so far.
func (d *Desk) Halts() []bool { return snapshot(d, &d.halts) }

// Calls counts every call made, so that a test can show that none was.
func (d *Desk) Calls() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls
}

// Describe implements controller.Operations.
func (d *Desk) Describe(context.Context) (task.Capabilities, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	return d.caps, nil
}

// PlanTask records the request; without a hook it answers PLANNER_NOT_CONFIGURED.
func (d *Desk) PlanTask(ctx context.Context, req task.PlanRequest) (task.Plan, error) {
	d.locked(func() { d.calls++; d.plans = append(d.plans, req) })
	if d.OnPlan != nil {
		return d.OnPlan(ctx, req)
	}
	return task.Plan{}, fault.New(fault.PlannerNotConfigured, "no planner is configured")
}

// StartTask records the request and, without a hook, starts a running task.
func (d *Desk) StartTask(_ context.Context, req task.StartRequest) (task.View, error) {
	d.mu.Lock()
	d.calls++
	d.starts = append(d.starts, req)
	id := task.ID(1)
	for have := range d.views {
		id = max(id, have+1)
	}
	d.mu.Unlock()
	if d.OnStart != nil {
		return d.OnStart(req)
	}
	status := task.Status{State: task.Running}
	v := task.View{ID: id, Status: status, Title: req.Task, Summary: "Starting.", Revision: 1, Next: task.Next(status, false)}
	d.Put(v)
	return v, nil
}

// AwaitTask returns at the next event of the task, or at once when it does not run.
func (d *Desk) AwaitTask(ctx context.Context, id task.ID, timeout time.Duration) (task.View, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	d.mu.Lock()
	d.calls++
	before, ok := d.views[id]
	d.mu.Unlock()
	for {
		d.mu.Lock()
		v, still := d.views[id]
		changed := d.changed
		d.mu.Unlock()
		if !ok || !still {
			return task.View{}, noTask(id)
		}
		if v.Status.State != task.Running || v.Revision != before.Revision {
			return v, nil
		}
		select {
		case <-changed:
		case <-timer.C:
			return v, nil
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
}

// ContinueTask records the answer.
func (d *Desk) ContinueTask(_ context.Context, req task.ContinueRequest) (task.View, error) {
	d.locked(func() { d.calls++; d.answers = append(d.answers, req) })
	if d.OnContinue != nil {
		return d.OnContinue(req)
	}
	return d.view(req.ID)
}

// CancelTask records the answer.
func (d *Desk) CancelTask(_ context.Context, id task.ID, answer string) (task.View, error) {
	d.locked(func() { d.calls++; d.cancels = append(d.cancels, Cancel{id, answer}) })
	if d.OnCancel != nil {
		return d.OnCancel(id, answer)
	}
	return d.view(id)
}

// TaskReport gives the report set before, with the present view and the stored
// events as its journal when it has none.
func (d *Desk) TaskReport(_ context.Context, id task.ID, _ bool) (task.Report, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	r, known := d.reports[id]
	if v, live := d.views[id]; live {
		r.View, known = v, true
	}
	if !known {
		return task.Report{}, noTask(id)
	}
	if r.Journal == nil {
		r.Journal = d.stored(id, 0)
	}
	return r, nil
}

// ListTasks gives the views, newest first.
func (d *Desk) ListTasks(context.Context) ([]task.View, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	return d.newestFirst(), nil
}

// Watch streams events like the controller does.
func (d *Desk) Watch(ctx context.Context, from map[task.ID]uint64) controller.Stream {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	s := &stream{desk: d, ctx: ctx, pos: len(d.log)}
	for _, id := range slices.Sorted(maps.Keys(d.views)) {
		if after, ok := from[id]; ok {
			s.ready = append(s.ready, d.stored(id, after)...)
			continue
		}
		all := d.stored(id, 0)
		for i, e := range slices.Backward(all) {
			if e.View != nil {
				s.ready = append(s.ready, all[i:]...)
				break
			}
		}
	}
	return s
}

// Look records the call and gives what SetLook said.
func (d *Desk) Look(_ context.Context, id task.ID) (task.Look, error) {
	d.locked(func() { d.calls++; d.looked = append(d.looked, id) })
	if d.OnLook != nil {
		return d.OnLook(id)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.views[id]; !ok {
		return task.Look{}, noTask(id)
	}
	l, ok := d.looks[id]
	if !ok {
		l.Wall = task.WallCannotTell
	}
	return l, nil
}

// BringForward records the call and says where SetLook puts the browser.
func (d *Desk) BringForward(_ context.Context, id task.ID) (surfaces.Reach, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	d.forwards = append(d.forwards, id)
	if _, ok := d.views[id]; !ok {
		return surfaces.Reach{}, noTask(id)
	}
	l := d.looks[id]
	return surfaces.Reach{Endpoint: l.Endpoint, Address: l.Address, Headed: l.Headed}, nil
}

// Picture gives a kept picture.
func (d *Desk) Picture(_ context.Context, sha256 string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	b, ok := d.pictures[sha256]
	if !ok {
		return nil, fault.New(fault.NoSuchOutput, "no such picture")
	}
	return slices.Clone(b), nil
}

// Halt records the call and, without a hook, interrupts what runs.
func (d *Desk) Halt(_ context.Context, now bool) ([]task.View, error) {
	d.mu.Lock()
	d.calls++
	d.halts = append(d.halts, now)
	views := d.newestFirst()
	d.mu.Unlock()
	if d.OnHalt != nil {
		return d.OnHalt(now)
	}
	halted := []task.View{}
	for _, v := range views {
		if v.Status.State != task.Running {
			continue
		}
		v.Status = task.Status{State: task.Checkpoint, Kind: task.CheckpointInterrupted, Reason: "interrupted", Continuable: true}
		v.Next = task.Next(v.Status, true)
		v.Revision++
		d.Put(v)
		halted = append(halted, v)
	}
	return halted, nil
}

// History gives final views whose title or state holds query, newest first.
func (d *Desk) History(_ context.Context, query string, before task.ID, limit int) ([]task.View, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	found := []task.View{}
	for _, v := range d.newestFirst() {
		matches := strings.Contains(strings.ToLower(v.Title+" "+string(v.Status.State)), strings.ToLower(query))
		if v.Status.IsFinal() && matches && (before == 0 || v.ID < before) && (limit <= 0 || len(found) < limit) {
			found = append(found, v)
		}
	}
	return found, nil
}

// Prune removes nothing.
func (d *Desk) Prune(context.Context, time.Duration) ([]task.ID, error) {
	d.locked(func() { d.calls++ })
	return []task.ID{}, nil
}

func (d *Desk) locked(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

func (d *Desk) view(id task.ID) (task.View, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	v, ok := d.views[id]
	if !ok {
		return task.View{}, noTask(id)
	}
	return v, nil
}

// newestFirst needs the lock.
func (d *Desk) newestFirst() []task.View {
	return slices.SortedFunc(maps.Values(d.views), func(a, b task.View) int { return cmp.Compare(b.ID, a.ID) })
}

// stored needs the lock.
func (d *Desk) stored(id task.ID, after uint64) []task.Entry {
	var out []task.Entry
	for _, e := range d.log {
		if e.Task == id && e.Seq > after {
			out = append(out, e)
		}
	}
	return out
}

func snapshot[T any](d *Desk, from *[]T) []T {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(*from)
}

func noTask(id task.ID) error { return fault.Newf(fault.NoSuchTask, "no task %s", id) }

// stored reports whether an event is kept and numbered (tasks.md 10.10).
func stored(e task.Entry) bool {
	switch e.Event {
	case task.EventScreen, task.EventGone, task.EventHealth:
		return false
	case task.EventStep:
		return e.Report == nil || e.Report.Outcome != "running"
	case task.EventView, task.EventPlan, task.EventRescue, task.EventResume, task.EventDecision, task.EventPicture:
		return true
	default:
		return false
	}
}

// maxBatch is the most events one Next gives (controller.Stream).
const maxBatch = 256

type stream struct {
	desk  *Desk
	ctx   context.Context // the watch's own life
	pos   int             // next place in the desk's log
	ready []task.Entry
}

func (s *stream) Next(ctx context.Context) ([]task.Entry, error) {
	for {
		s.desk.mu.Lock()
		s.ready = append(s.ready, s.desk.log[s.pos:]...)
		s.pos = len(s.desk.log)
		changed := s.desk.changed
		s.desk.mu.Unlock()
		if n := min(len(s.ready), maxBatch); n > 0 {
			batch := slices.Clone(s.ready[:n])
			s.ready = s.ready[n:]
			return batch, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.ctx.Done():
			return nil, s.ctx.Err()
		}
	}
}
