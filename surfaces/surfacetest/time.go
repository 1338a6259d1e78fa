package surfacetest

import (
	"context"
	"time"
)

// notify tells who awaits a change; the lock is held.
func (f *Fake) notify() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// later runs change after d; the lock is held.
func (f *Fake) later(d time.Duration, change func(*App)) {
	f.pending++
	time.AfterFunc(d, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.pending--
		change(f.app)
		f.notify()
	})
}

// Settle waits until nothing announced with Later is outstanding, at most a
// second.
func (f *Fake) Settle(ctx context.Context) {
	limit := time.NewTimer(settleTime)
	defer limit.Stop()
	for {
		f.mu.Lock()
		changed, pending := f.changed, f.pending
		f.mu.Unlock()
		if pending == 0 {
			return
		}
		select {
		case <-changed:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// SettleBriefly settles.
func (f *Fake) SettleBriefly(ctx context.Context) { f.Settle(ctx) }

// AwaitChange answers true at the first change, false after ms milliseconds
// without one or when ctx ends.
func (f *Fake) AwaitChange(ctx context.Context, ms int) bool {
	f.mu.Lock()
	changed := f.changed
	f.mu.Unlock()
	limit := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer limit.Stop()
	select {
	case <-changed:
		return true
	case <-limit.C:
		return false
	case <-ctx.Done():
		return false
	}
}
