package browser

import (
	"context"
	"math"
	"time"

	"github.com/chromedp/cdproto/input"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// press is one press on one control.
type press struct {
	tab     *tab
	command string
	ref     int
	what    string // the control in words, for messages
	role    string
}

// verdict is what our script says about a control before anything is pressed.
type verdict struct {
	OK        bool    `json:"ok"`
	Why       string  `json:"why"` // stale, disabled, gone, outside, covered, no text
	Option    bool    `json:"option"`
	Card      bool    `json:"card"`
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
	On        bool    `json:"on"`      // checked or selected
	Exposes   bool    `json:"exposes"` // it says itself whether it is
	Checkable bool    `json:"checkable"`
	Gone      bool    `json:"gone"`
	Cover     string  `json:"cover"`
	Empty     bool    `json:"empty"`
	Saves     bool    `json:"saves"` // a link that saves a file
	Landed    bool    `json:"landed"`
	Lost      bool    `json:"lost"` // it was rendered anew between the two halves of the press
	Blocked   string  `json:"blocked"`
}

// reply is the refusal a verdict means; nothing was pressed.
func (v verdict) reply(command, what string) *surfaces.Reply {
	switch v.Why {
	case "stale":
		return surfaces.Fail(command, fault.StaleRef, what+" is not the one of the reading any more")
	case "disabled":
		return unsent(surfaces.Fail(command, fault.NotActionable, what+" is disabled"))
	case "covered":
		return covered(command, what, clip(squash(v.Cover), maxName), v.Empty)
	case "no text":
		return surfaces.Fail(command, fault.NotATextField, what+" takes no text")
	default:
		return unsent(surfaces.Fail(command, fault.NotActionable, what+" is not shown on the page"))
	}
}

func covered(command, what, cover string, empty bool) *surfaces.Reply {
	message := what + " is under something else"
	if cover != "" {
		message = what + " is under " + cover
	}
	r := unsent(surfaces.Fail(command, fault.NotActionable, message))
	r.Error.Details = surfaces.Details{Cover: cover, EmptyLayer: empty}
	return r
}

// click presses the control once, and a second time where a tab, radio or option
// ignored the first.
func (p *press) click(ctx context.Context) *surfaces.Reply {
	t := p.tab
	t.begin(ctx)
	v, r := p.aim(ctx)
	if r != nil {
		return r
	}
	if v.Option {
		return p.choose(ctx)
	}
	if r := p.send(ctx, v); !r.OK {
		return r
	}
	t.saves = v.Saves
	r = t.follow(ctx, p.command)
	if r.OK && !v.On && v.Exposes && (p.role == "tab" || p.role == "radio" || p.role == "option") {
		return p.again(ctx, r)
	}
	return r
}

// aim finds where a press would land on the control. A covered one is tried once
// more from the middle of the window, with the pointer out of the way.
func (p *press) aim(ctx context.Context) (verdict, *surfaces.Reply) {
	var v verdict
	args := map[string]any{"ref": p.ref}
	if err := p.tab.ask(ctx, "aim", args, &v); err != nil {
		return v, unsent(failed(p.command, err))
	}
	if v.Why == "covered" {
		args["again"] = true
		err := p.tab.mouse(ctx, input.DispatchMouseEventTypeMouseMoved, 0, 0)
		if err == nil {
			err = p.tab.ask(ctx, "aim", args, &v)
		}
		if err != nil {
			return v, unsent(failed(p.command, err))
		}
	}
	if v.OK && !sized(v.X, v.Y) {
		v.OK, v.Why = false, "outside"
	}
	if !v.OK && !v.Option {
		return v, v.reply(p.command, p.what)
	}
	return v, nil
}

// send moves the pointer to the control and presses. The last look before the
// press also sets a guard in the page that keeps it from everything else.
func (p *press) send(ctx context.Context, v verdict) *surfaces.Reply {
	t := p.tab
	for range 2 { // once more where the hover moved it
		if err := t.mouse(ctx, input.DispatchMouseEventTypeMouseMoved, v.X, v.Y); err != nil {
			return unsent(failed(p.command, err))
		}
		var now verdict
		if err := t.ask(ctx, "guard", map[string]any{"ref": p.ref}, &now); err != nil {
			return unsent(failed(p.command, err))
		}
		if !now.OK || !sized(now.X, now.Y) {
			return now.reply(p.command, p.what)
		}
		still := math.Abs(now.X-v.X) <= 1 && math.Abs(now.Y-v.Y) <= 1
		v = now
		if still {
			break
		}
	}
	world := t.world
	here, done := t.events.here(ctx)
	err := t.mouse(here, input.DispatchMouseEventTypeMousePressed, v.X, v.Y)
	if err == nil {
		err = t.mouse(here, input.DispatchMouseEventTypeMouseReleased, v.X, v.Y)
	}
	done()
	if err != nil && !t.over(err) {
		return failed(p.command, err)
	}
	return p.landed(ctx, err, world)
}

// landed asks the guard where the press went. A page that is gone, or stopped by
// its own dialog, was pressed.
func (p *press) landed(ctx context.Context, pressed error, world string) *surfaces.Reply {
	if pressed != nil {
		return surfaces.Succeed(p.command, surfaces.Data{})
	}
	v := verdict{Landed: true}
	here, done := p.tab.events.here(ctx)
	err := p.tab.ask(here, "guarded", nil, &v)
	done()
	switch {
	case err != nil && p.tab.over(err), p.tab.world != world:
		return surfaces.Succeed(p.command, surfaces.Data{})
	case err != nil:
		return failed(p.command, err)
	case v.Blocked != "":
		return covered(p.command, p.what, clip(squash(v.Blocked), maxName), false)
	case v.Lost:
		r := surfaces.Fail(p.command, fault.StaleRef, p.what+" was rendered anew while it was pressed")
		r.Error.Delivery = surfaces.DeliveryUncertain
		return r
	case !v.Landed:
		r := surfaces.Fail(p.command, fault.NotActionable, p.what+" did not receive the press")
		r.Error.Delivery = surfaces.DeliveryUncertain
		return r
	}
	return surfaces.Succeed(p.command, surfaces.Data{})
}

// secondLook is how long a control has to show that it was chosen.
const secondLook = 150 * time.Millisecond

// again presses a control once more by its own click, when it is still there and
// did not become chosen. Never a checkbox or switch: they toggle.
func (p *press) again(ctx context.Context, first *surfaces.Reply) *surfaces.Reply {
	t := p.tab
	commits := look(t.events, func() int { return t.events.commits })
	if v, ok := p.becomes(ctx, true, secondLook); ok || v.Gone || t.events.prompt() != nil ||
		look(t.events, func() int { return t.events.commits }) != commits {
		return first
	}
	if err := t.ask(ctx, "clickSelf", map[string]any{"ref": p.ref}, nil); err != nil && !t.over(err) {
		return failed(p.command, err)
	}
	return t.follow(ctx, p.command)
}

// becomes waits until the control is in the wanted state.
func (p *press) becomes(ctx context.Context, on bool, within time.Duration) (verdict, bool) {
	until := time.Now().Add(within)
	for {
		var v verdict
		if err := p.tab.ask(ctx, "state", map[string]any{"ref": p.ref}, &v); err != nil || v.Gone {
			return verdict{Gone: true}, false
		}
		if v.On == on {
			return v, true
		}
		if time.Now().After(until) || pause(ctx, 20*time.Millisecond) != nil {
			return v, false
		}
	}
}

// choose makes a native choice; no menu is opened.
func (p *press) choose(ctx context.Context) *surfaces.Reply {
	t := p.tab
	var v verdict
	if err := t.ask(ctx, "choose", map[string]any{"ref": p.ref}, &v); err != nil && !t.over(err) {
		return failed(p.command, err)
	} else if err != nil {
		return t.follow(ctx, p.command)
	}
	if v.Why != "" {
		return v.reply(p.command, p.what)
	}
	if !v.OK {
		r := surfaces.Fail(p.command, fault.PageError, p.what+" was chosen and the page took it back")
		r.Error.Delivery = surfaces.DeliveredUnverified
		return r
	}
	return t.follow(ctx, p.command)
}

// tickWithin is how long a checkbox has to show its new state.
const tickWithin = 500 * time.Millisecond

// tick reaches the wanted state of a checkbox, radio or switch; there already,
// nothing is pressed.
func (p *press) tick(ctx context.Context, on bool) *surfaces.Reply {
	t := p.tab
	t.begin(ctx)
	var v verdict
	if err := t.ask(ctx, "state", map[string]any{"ref": p.ref}, &v); err != nil {
		return unsent(failed(p.command, err))
	}
	switch {
	case v.Gone:
		return surfaces.Fail(p.command, fault.StaleRef, p.what+" is not the one of the reading any more")
	case !v.Checkable:
		return surfaces.Fail(p.command, fault.InvalidArgs, p.what+" cannot be ticked")
	case v.On == on:
		return surfaces.Succeed(p.command, surfaces.Data{URL: t.events.where()})
	}
	v, r := p.aim(ctx)
	if r != nil {
		return r
	}
	if r := p.send(ctx, v); !r.OK {
		return r
	}
	r = t.follow(ctx, p.command)
	if !r.OK || t.events.prompt() != nil {
		return r
	}
	if after, ok := p.becomes(ctx, on, tickWithin); !ok && !after.Gone {
		r := surfaces.Fail(p.command, fault.PageError, p.what+" was pressed and stayed as it was")
		r.Error.Delivery = surfaces.DeliveredUnverified
		return r
	}
	return r
}

// fold presses what opens or closes, unless it says it is there already.
func (p *press) fold(ctx context.Context, c *surfaces.Candidate, open bool) *surfaces.Reply {
	if open && c.Has(surfaces.Expanded) || !open && c.Has(surfaces.Collapsed) {
		return surfaces.Succeed(p.command, surfaces.Data{URL: p.tab.events.where()})
	}
	return p.click(ctx)
}

// mouse sends one trusted pointer event.
func (t *tab) mouse(ctx context.Context, kind input.DispatchMouseEventType, x, y float64) error {
	p := input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		p.Button, p.ClickCount = input.MouseButtonLeft, 1
	}
	if kind == input.DispatchMouseEventTypeMousePressed {
		p.Buttons = 1
	}
	if err := t.listed(); err != nil {
		return err
	}
	_, err := call(ctx, t, input.DispatchMouseEvent, p)
	return err
}
