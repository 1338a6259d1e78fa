package controller

import (
	"context"
	"time"
)

// thinking is what a language model does for a task.
type thinking int

const (
	planning thinking = iota
	rescuing
	shaping
)

// thought is one conversation with a language model. While there is one the
// task is running and no run is under way. Only the cell's goroutine touches
// it.
type thought struct {
	what    thinking
	cancel  context.CancelFunc
	started time.Time
}

// think lets work go on on a goroutine of its own, which ends when the model's
// call does; what it returns is done on the cell's, unless the thought was
// stopped meanwhile. No limit is 0.
func (t *cell) think(what thinking, limit time.Duration, work func(context.Context) func()) {
	ctx, cancel := context.WithCancel(t.c.life)
	if limit > 0 {
		ctx, cancel = context.WithTimeout(t.c.life, limit)
	}
	th := &thought{what: what, cancel: cancel, started: time.Now()}
	t.thought = th
	t.c.work.Go(func() {
		then := work(ctx)
		cancel()
		t.post(func() {
			if t.thought != th {
				return
			}
			t.stopThinking()
			then()
		})
	})
}

// stopThinking ends the thought under way, if there is one, and charges it.
func (t *cell) stopThinking() {
	if t.thought == nil {
		return
	}
	t.rec.Spent.ElapsedMS += t.thought.charge()
	t.thought.cancel()
	t.thought = nil
}

// charge is the working time a thought has used, in ms: only a rescue's counts
// (tasks.md 6).
func (th *thought) charge() int64 {
	if th == nil || th.what != rescuing {
		return 0
	}
	return time.Since(th.started).Milliseconds()
}
