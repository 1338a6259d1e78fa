package controller

import (
	"context"
	"maps"
	"slices"
	"sync"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// maxBatch is the most events one Next gives (Stream).
const maxBatch = 256

// looseKey names one latest-state event: a newer one replaces it.
type looseKey struct {
	task task.ID
	kind task.EventKind
}

// hub tells watchers that there is something to read. It queues no stored
// event for anyone: a watcher keeps the number it has read up to, per task, and
// reads on in the store. So none is waited for, and none can miss one.
type hub struct {
	store Records

	mu       sync.Mutex // guards the rest
	watchers map[*watcher]bool
	health   task.Health
}

func newHub(store Records, health task.Health) *hub {
	return &hub{store: store, watchers: map[*watcher]bool{}, health: health}
}

// stored says that entries up to seq are in the store.
func (h *hub) stored(id task.ID, seq uint64, entries []task.Entry) {
	if len(entries) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.watchers {
		w.head[id] = seq
		for _, e := range entries {
			w.supersede(e)
		}
		w.signal()
	}
}

// loose sends a latest-state event.
func (h *hub) loose(e task.Entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.watchers {
		w.push(e)
	}
}

// gone says that a task is no longer live, or no longer kept at all.
func (h *hub) gone(id task.ID, pruned bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.watchers {
		if pruned {
			delete(w.head, id)
			delete(w.read, id)
		}
		w.push(task.Entry{Event: task.EventGone, Task: id, At: nowMS()})
	}
}

// storeHealth notes how the last write went, and says so when that changed.
func (h *hub) storeHealth(err error) {
	word := "ok"
	if err != nil {
		word = string(fault.CodeOf(err))
	}
	h.mu.Lock()
	changed := h.health.Store != word
	h.health.Store = word
	health := h.health
	h.mu.Unlock()
	if changed {
		h.loose(task.Entry{Event: task.EventHealth, At: nowMS(), Health: &health})
	}
}

func (h *hub) drop(w *watcher) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.watchers, w)
}

// watcher is one Stream. Its maps are guarded by the hub's mutex.
type watcher struct {
	hub  *hub
	ctx  context.Context // the watch's own life
	wake chan struct{}   // capacity 1: one signal stands for any number

	head   map[task.ID]uint64 // last number in the store
	read   map[task.ID]uint64 // last number given out
	latest map[looseKey]task.Entry
	order  []looseKey // of latest, oldest first
}

// Watch implements Desk.
func (c *Controller) Watch(ctx context.Context, from map[task.ID]uint64) Stream {
	w := &watcher{
		hub: c.hub, ctx: ctx, wake: make(chan struct{}, 1), latest: map[looseKey]task.Entry{},
		head: map[task.ID]uint64{}, read: maps.Clone(from),
	}
	if w.read == nil {
		w.read = map[task.ID]uint64{}
	}
	h := c.hub
	h.mu.Lock()
	health := h.health
	w.push(task.Entry{Event: task.EventHealth, At: nowMS(), Health: &health})
	h.watchers[w] = true
	h.mu.Unlock()
	for _, t := range c.live() {
		_, seq, _ := t.shown.get()
		w.start(t.id, seq)
		w.reach(t.id) // steps told since that view
	}
	for id := range from {
		w.reach(id)
	}
	context.AfterFunc(ctx, func() { h.drop(w) })
	return w
}

// start begins a live task no number was given for with its present view.
func (w *watcher) start(id task.ID, seq uint64) {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	if _, given := w.read[id]; !given && seq > 0 {
		w.read[id] = seq - 1
	}
	w.head[id] = max(w.head[id], seq)
	w.signal()
}

// reach looks up how far a task's entries go in the store: live or history.
func (w *watcher) reach(id task.ID) {
	rec, err := w.hub.store.Record(id)
	if err != nil {
		return // pruned: there is nothing to read on
	}
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	w.head[id] = max(w.head[id], rec.Seq)
	w.signal()
}

// push keeps a latest-state event; needs the hub's lock.
func (w *watcher) push(e task.Entry) {
	key := looseKey{e.Task, e.Event}
	if _, have := w.latest[key]; have {
		w.order = slices.DeleteFunc(w.order, func(k looseKey) bool { return k == key })
	}
	w.latest[key] = e
	w.order = append(w.order, key)
	w.signal()
}

// supersede drops latest-state events an entry has overtaken: the running
// report of a step that ended, a view that could not be stored.
func (w *watcher) supersede(e task.Entry) {
	key := looseKey{e.Task, e.Event}
	old, have := w.latest[key]
	if !have || e.Event == task.EventStep && old.Report.Step != e.Report.Step {
		return
	}
	delete(w.latest, key)
	w.order = slices.DeleteFunc(w.order, func(k looseKey) bool { return k == key })
}

func (w *watcher) signal() {
	select {
	case w.wake <- struct{}{}:
	default: // one is pending already
	}
}

// Next implements Stream.
func (w *watcher) Next(ctx context.Context) ([]task.Entry, error) {
	for {
		if batch := w.ready(); len(batch) > 0 {
			return batch, nil
		}
		select {
		case <-w.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-w.ctx.Done():
			return nil, w.ctx.Err()
		}
	}
}

// ready reads what is there: stored entries first, then the latest states, so
// that no step is seen running before the one ahead of it ended.
func (w *watcher) ready() []task.Entry {
	var batch []task.Entry
	for id, gap := range w.behind() {
		entries, err := w.hub.store.Entries(id, gap.after, min(int(gap.head-gap.after), maxBatch-len(batch)))
		if err != nil || len(entries) == 0 {
			continue // health says how the store is; the next event tries again
		}
		w.advance(id, entries[len(entries)-1].Seq)
		batch = append(batch, entries...)
		if len(batch) >= maxBatch {
			w.signal() // there may be more
			return batch
		}
	}
	return append(batch, w.takeLatest(maxBatch-len(batch))...)
}

// gap is what a watcher has not been given of one task: the numbers after
// after, up to head. What the store holds past head is not published yet.
type gap struct{ after, head uint64 }

func (w *watcher) behind() map[task.ID]gap {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	behind := map[task.ID]gap{}
	for id, head := range w.head {
		if w.read[id] < head {
			behind[id] = gap{w.read[id], head}
		}
	}
	return behind
}

func (w *watcher) advance(id task.ID, seq uint64) {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	w.read[id] = seq
}

func (w *watcher) takeLatest(n int) []task.Entry {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	n = min(n, len(w.order))
	out := make([]task.Entry, 0, n)
	for _, key := range w.order[:n] {
		out = append(out, w.latest[key])
		delete(w.latest, key)
	}
	w.order = slices.Clone(w.order[n:])
	if len(w.order) > 0 {
		w.signal()
	}
	return out
}
