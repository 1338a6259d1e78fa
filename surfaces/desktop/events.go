package desktop

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

// listened are the events programs are asked for (at-spi2-core,
// xml/Event.xml): what changes a reading. Programs send nothing that nobody
// asked for, and GTK has no cache before.
func listened() []string {
	return []string{
		"object:children-changed", "object:state-changed", "object:text-changed", "object:selection-changed",
		"object:property-change:accessible-name", "object:property-change:accessible-value",
		"object:visible-data-changed", "window:activate", "window:create", "window:destroy",
	}
}

// tally counts what was told.
type tally struct {
	count  int
	marked int // count at the latest reading
	last   time.Time
}

func (t *tally) tell() {
	t.count++
	t.last = time.Now()
}

// events counts what programs tell of their changes.
type events struct {
	mu      sync.Mutex    // guards all below
	all     tally         // of every program
	read    tally         // of the one read last
	program string        // that one, as the bus knows it; empty: none yet
	changed chan struct{} // closed and replaced with every event
}

// listen asks for the events and counts them until the connection ends.
func (b *bus) listen(ctx context.Context) (*events, error) {
	e := &events{changed: make(chan struct{})}
	signals := make(chan *dbus.Signal, 64) // the connection keeps what does not fit, in order
	b.Signal(signals)
	for _, iface := range []string{"Object", "Window"} {
		if err := b.AddMatchSignalContext(ctx, dbus.WithMatchInterface(atspi+"Event."+iface)); err != nil {
			return nil, err
		}
	}
	var questions []*question
	registry := accessible{registryName, registryPath}
	for _, name := range listened() {
		questions = append(questions, &question{to: registry, method: atspi + "Registry.RegisterEvent", args: []any{name}, answer: func(*dbus.Call) {}})
	}
	b.askAll(ctx, questions)
	for _, q := range questions {
		if q.err != nil {
			return nil, q.err
		}
	}
	go e.run(signals) // ends when the connection closes the channel
	return e, nil
}

func (e *events) run(signals <-chan *dbus.Signal) {
	for s := range signals {
		if strings.HasPrefix(s.Name, atspi+"Event.") {
			e.tell(s.Sender)
		}
	}
}

func (e *events) tell(program string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all.tell()
	if e.program == "" || program == e.program {
		e.read.tell()
	}
	close(e.changed)
	e.changed = make(chan struct{})
}

// mark notes that what is told from here on may not be in the latest reading.
func (e *events) mark() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all.marked, e.read.marked = e.all.count, e.read.count
}

// follow notes which program is read from here on.
func (e *events) follow(program string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if program != e.program {
		e.program, e.read = program, tally{}
	}
}

// now gives what was told until now, by the program read last or by all, and
// what is closed when there is more.
func (e *events) now(ofRead bool) (tally, <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if ofRead {
		return e.read, e.changed
	}
	return e.all, e.changed
}

// await waits until something was told since the latest reading, by the program
// that was read or by any; false when ctx ends first.
func (e *events) await(ctx context.Context, ofRead bool) bool {
	for {
		t, changed := e.now(ofRead)
		if t.count > t.marked {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// quiet waits until the program read last has told nothing for calm, counted from since at the
// earliest; ctx bounds it.
func (e *events) quiet(ctx context.Context, since time.Time, calm time.Duration) {
	for {
		t, changed := e.now(true)
		last := t.last
		if last.Before(since) {
			last = since
		}
		left := calm - time.Since(last)
		if left <= 0 {
			return
		}
		timer := time.NewTimer(left)
		select {
		case <-changed:
			timer.Stop()
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}
