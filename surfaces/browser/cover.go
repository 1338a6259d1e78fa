package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// layerGone is how long a layer that was pressed has to go (surfaces.md,
// LAYER_GONE_MS).
const layerGone = 150 * time.Millisecond

// beside is where a layer can be pressed without pressing anything else.
type beside struct {
	verdict
	Layer string `json:"layer"`
}

// DismissCover presses the empty layer that hides a control, at a point where
// nothing that can be pressed lies beneath it, the way a menu is closed by a
// click beside it (surfaces.md 8.3). NOT_ACTIONABLE for a cover that shows
// something, that leaves no such point, or that stays.
func (s *Side) DismissCover(ctx context.Context, target *surfaces.Candidate) *surfaces.Reply {
	const command = "dismiss_cover"
	if target == nil {
		return surfaces.Fail(command, fault.InvalidArgs, "dismiss_cover needs the control that is covered")
	}
	n, ok := number(target.Ref)
	if !ok {
		return surfaces.Fail(command, fault.StaleRef, describe(target)+" is of another reading")
	}
	what := describe(target)
	return s.act(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply {
		t.begin(ctx)
		var b beside
		if err := t.ask(ctx, "beside", map[string]any{"ref": n}, &b); err != nil {
			return unsent(failed(command, err))
		}
		switch {
		case b.OK && b.Layer == "":
			return surfaces.Succeed(command, surfaces.Data{URL: t.events.where()})
		case !b.OK || !sized(b.X, b.Y):
			return b.reply(command, what)
		}
		if r := t.tap(ctx, command, b.X, b.Y); !r.OK {
			return r
		}
		r := t.follow(ctx, command)
		if r.OK && !t.uncovered(ctx, n) {
			return covered(command, what, b.Layer, true)
		}
		r.Data.Dismissed = &b.Layer
		return r
	})
}

// tap presses at a point of the window.
func (t *tab) tap(ctx context.Context, command string, x, y float64) *surfaces.Reply {
	here, done := t.events.here(ctx)
	defer done()
	for _, kind := range []input.DispatchMouseEventType{
		input.DispatchMouseEventTypeMouseMoved, input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased,
	} {
		if err := t.mouse(here, kind, x, y); err != nil && !t.over(err) {
			return failed(command, err)
		}
	}
	return surfaces.Succeed(command, surfaces.Data{})
}

// uncovered waits until nothing lies over a control, or it is gone.
func (t *tab) uncovered(ctx context.Context, ref int) bool {
	until := time.Now().Add(layerGone)
	for {
		var v verdict
		if err := t.ask(ctx, "aim", map[string]any{"ref": ref}, &v); err != nil || v.Why != "covered" {
			return true
		}
		if time.Now().After(until) || pause(ctx, 20*time.Millisecond) != nil {
			return false
		}
	}
}
