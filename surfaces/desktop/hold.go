package desktop

import (
	"context"
	"sync"
	"time"
)

// menuWithin is how long a side that opened a menu has the desktop to itself
// for its next act: an open menu has the keyboard and the pointer, and goes with
// the first window or menu of anybody else.
const menuWithin = 15 * time.Second

// hold lets one side of a desktop act at a time. The zero value is not ready.
type hold struct {
	mu      sync.Mutex // guards the rest; held for no call out
	by      *Side      // nil: nobody
	acting  bool       // else it only may, until then
	until   time.Time
	changed chan struct{} // closed and replaced with every leave
}

func newHold() *hold { return &hold{changed: make(chan struct{})} }

// enter waits until s may act.
func (h *hold) enter(ctx context.Context, s *Side) error {
	for {
		h.mu.Lock()
		left := time.Until(h.until)
		if h.by == nil || !h.acting && (h.by == s || left <= 0) {
			h.by, h.acting = s, true
			h.mu.Unlock()
			return nil
		}
		changed, acting := h.changed, h.acting
		h.mu.Unlock()
		wait := ctx
		cancel := func() {}
		if !acting {
			wait, cancel = context.WithTimeout(ctx, left)
		}
		select {
		case <-changed:
		case <-wait.Done():
		}
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// leave ends an act of s; with a menu open it keeps others away for a while.
func (h *hold) leave(s *Side, menu bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.by != s {
		return
	}
	h.acting = false
	h.until = time.Now().Add(menuWithin)
	if !menu {
		h.by = nil
	}
	close(h.changed)
	h.changed = make(chan struct{})
}
