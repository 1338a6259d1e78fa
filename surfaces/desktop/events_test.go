package desktop

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestEventsOfOthers: a program beside the one that was read, a clock for one,
// does not hold up the end of its reaction.
func TestEventsOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &events{changed: make(chan struct{})}
		e.follow("read")
		e.mark()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		defer func() {
			cancel()
			<-ended
		}()
		go func() { // ends with ctx
			defer close(ended)
			for ctx.Err() == nil {
				e.tell("clock")
				time.Sleep(10 * time.Millisecond)
			}
		}()
		first, cancelFirst := context.WithTimeout(ctx, time.Second)
		defer cancelFirst()
		if e.await(first, true) {
			t.Error("what the clock tells counts as a sign of the program")
		}
		if !e.await(ctx, false) {
			t.Error("what the clock tells counts for nobody")
		}
		e.tell("read")
		if !e.await(ctx, true) {
			t.Error("what the program tells does not count")
		}
		began := time.Now()
		e.quiet(ctx, began, 80*time.Millisecond)
		if took := time.Since(began); took != 80*time.Millisecond {
			t.Errorf("it was quiet after %v, want 80ms", took)
		}
	})
}
