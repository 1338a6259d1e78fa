package surfaces

import (
	"context"
	"time"

	"countersign/surfaces/fault"
)

// WaitTime is how long the wait operation pauses (surfaces.md, WAIT_MS).
const WaitTime = 500 * time.Millisecond

// Base gives a surface the verbs few surfaces have. Embed it and implement the
// rest: Observe, Execute, ReadValue, Paste, Press and Launch have no default.
// A surface whose SettleBriefly should call its own Settle sets Settler.
type Base struct {
	Settler interface{ Settle(ctx context.Context) } // nil: settling does nothing
}

// Navigate refuses.
func (Base) Navigate(context.Context, string) *Reply { return unsupported("navigate") }

// Back refuses.
func (Base) Back(context.Context, string) *Reply { return unsupported("back") }

// DismissCover refuses.
func (Base) DismissCover(context.Context, *Candidate) *Reply { return unsupported("dismiss_cover") }

// Settle does nothing.
func (Base) Settle(context.Context) {}

// SettleBriefly settles.
func (b Base) SettleBriefly(ctx context.Context) {
	if b.Settler != nil {
		b.Settler.Settle(ctx)
	}
}

// AwaitChange cannot watch: it pauses like wait, at most ms milliseconds or
// until ctx ends, and says that something may have changed.
func (Base) AwaitChange(ctx context.Context, ms int) bool {
	Pause(ctx, min(WaitTime, time.Duration(ms)*time.Millisecond))
	return true
}

// Pause waits for d, or less when ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

func unsupported(command string) *Reply {
	return Fail(command, fault.ActionNotSupported, "this surface does not know "+command)
}
