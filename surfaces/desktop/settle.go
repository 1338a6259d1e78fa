package desktop

import (
	"context"
	"time"
)

// Waits of surfaces.md 9.2: a fixed pause is what there is without events, and
// with them the most that is waited for a first sign.
const (
	firstSign = 300 * time.Millisecond
	calm      = 80 * time.Millisecond // nothing told for so long is an end of the reaction
	settleCap = time.Second           // a program that never stops telling is not waited for
)

// Settle lets the program last read react: until it tells of nothing more, or for
// as long as a first sign is worth waiting for. What others tell of, a clock for
// one, does not count.
func (s *Side) Settle(ctx context.Context) {
	l := s.open()
	if l == nil {
		return
	}
	began := time.Now()
	first, cancel := context.WithTimeout(ctx, firstSign)
	defer cancel()
	if !l.events.await(first, true) {
		return
	}
	all, cancelAll := context.WithTimeout(ctx, settleCap)
	defer cancelAll()
	l.events.quiet(all, began, calm)
}

// SettleBriefly settles.
func (s *Side) SettleBriefly(ctx context.Context) { s.Settle(ctx) }

// AwaitChange waits until a program tells of a change that the latest reading
// may not have; false after ms milliseconds without one, or when ctx ends.
func (s *Side) AwaitChange(ctx context.Context, ms int) bool {
	l := s.open()
	if l == nil {
		return s.Base.AwaitChange(ctx, ms)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(max(ms, 0))*time.Millisecond)
	defer cancel()
	return l.events.await(ctx, false)
}

// open gives the connections when there are any; waits need no turn, they send
// nothing.
func (s *Side) open() *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil
	}
	return s.link
}
