package ui

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller"
	"countersign/controller/task"
)

// Bounds of the feed (desk.md section 6).
const (
	// frameEvery is the least time between frames that only events ask for.
	frameEvery = 100 * time.Millisecond
	// maxBacklog is how many events are held for the next frame. More stay in
	// the stream, which never waits for us.
	maxBacklog = 4096
)

// feed brings the controller's events in: one goroutine reads the stream, and
// wait, re-armed once per message, hands over what has come, at most ten times
// a second. Start it once; it ends with its context, and Close waits for that.
type feed struct {
	clock Clock
	done  chan struct{}
	more  chan struct{} // holds one token when something is in the backlog
	room  chan struct{} // holds one token when the backlog was emptied

	mu      sync.Mutex // guards backlog and err
	backlog []task.Entry
	err     error
}

// newFeed starts reading; ctx ends it.
func newFeed(ctx context.Context, stream controller.Stream, clock Clock, caught func(any)) *feed {
	f := &feed{clock: clock, done: make(chan struct{}), more: make(chan struct{}, 1), room: make(chan struct{}, 1)}
	go f.read(ctx, stream, caught) // ends with ctx; Close waits for it
	return f
}

func (f *feed) read(ctx context.Context, stream controller.Stream, caught func(any)) {
	defer close(f.done)
	defer func() {
		if v := recover(); v != nil {
			caught(v)
		}
	}()
	for {
		entries, err := stream.Next(ctx)
		n := f.put(entries, err)
		signal(f.more)
		if err != nil {
			return
		}
		for n >= maxBacklog {
			select {
			case <-f.room:
				n = 0
			case <-ctx.Done():
				return
			}
		}
	}
}

func (f *feed) put(entries []task.Entry, err error) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.backlog = append(f.backlog, entries...)
	if err != nil {
		f.err = err
	}
	return len(f.backlog)
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// wait returns the command that gives the next eventsMsg. Events are taken when
// a frame may be drawn, so that a burst is one message.
func (f *feed) wait(ctx context.Context, pause bool) tea.Cmd {
	return func() tea.Msg {
		if pause {
			select {
			case <-f.clock.After(frameEvery):
			case <-ctx.Done():
				return nil
			}
		}
		select {
		case <-f.more:
		case <-ctx.Done():
			return nil
		}
		f.mu.Lock()
		entries, err := f.backlog, f.err
		f.backlog = nil
		f.mu.Unlock()
		signal(f.room)
		return eventsMsg{entries: entries, at: f.clock.Now(), err: err}
	}
}

// Close waits for the reading goroutine; its context must have ended.
func (f *feed) Close() { <-f.done }
