package browser

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	devpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp/kb"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// scrollBy is how far a scroll goes (surfaces.md, SCROLL_PX).
const scrollBy = 300

// Execute does one operation on a control of the latest reading.
func (s *Side) Execute(ctx context.Context, op surfaces.Op, target *surfaces.Candidate, text string) *surfaces.Reply {
	command := string(op)
	switch op {
	case surfaces.Done, surfaces.Blocked:
		return surfaces.Succeed(command, surfaces.Data{})
	case surfaces.Drill:
		if target == nil {
			return surfaces.Fail(command, fault.InvalidArgs, "drill needs a part to look into")
		}
		return surfaces.Succeed(command, surfaces.Data{Root: target.Ref})
	case surfaces.Widen:
		return surfaces.Succeed(command, surfaces.Data{})
	case surfaces.Wait:
		surfaces.Pause(ctx, surfaces.WaitTime)
		return surfaces.Succeed(command, surfaces.Data{})
	case surfaces.Click, surfaces.Expand, surfaces.Collapse, surfaces.Check, surfaces.Uncheck:
		return s.point(ctx, command, op, target)
	case surfaces.TypeText:
		return s.fill(ctx, command, target, text)
	case surfaces.Scroll:
		return s.scroll(ctx, command, target, text)
	default:
		return surfaces.Fail(command, fault.InvalidArgs, "this operation is unknown")
	}
}

// point does the operations of a pointer.
func (s *Side) point(ctx context.Context, command string, op surfaces.Op, target *surfaces.Candidate) *surfaces.Reply {
	if target == nil {
		return surfaces.Fail(command, fault.InvalidArgs, command+" needs a control")
	}
	if target.Ref == refOK || target.Ref == refCancel {
		if op != surfaces.Click {
			return surfaces.Fail(command, fault.InvalidArgs, "a button of a dialog can only be clicked")
		}
		return s.answerDialog(ctx, command, target.Ref == refOK)
	}
	n, ok := number(target.Ref)
	if !ok {
		return surfaces.Fail(command, fault.StaleRef, describe(target)+" is of another reading")
	}
	return s.act(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply {
		p := &press{tab: t, command: command, ref: n, what: describe(target), role: target.Role}
		switch op {
		case surfaces.Check, surfaces.Uncheck:
			return p.tick(ctx, op == surfaces.Check)
		case surfaces.Expand, surfaces.Collapse:
			return p.fold(ctx, target, op == surfaces.Expand)
		default:
			return p.click(ctx)
		}
	})
}

// describe names a control in a message: foreign text, so quoted.
func describe(c *surfaces.Candidate) string {
	if c.Name == "" {
		return c.Role
	}
	return c.Role + " " + strconv.Quote(c.Name)
}

func (s *Side) scroll(ctx context.Context, command string, target *surfaces.Candidate, text string) *surfaces.Reply {
	by := scrollBy
	switch text = strings.ToLower(strings.TrimSpace(text)); text {
	case "", "down":
	case "up":
		by = -scrollBy
	default:
		n, err := strconv.Atoi(text)
		if err != nil {
			return surfaces.Fail(command, fault.InvalidArgs, "scroll takes up, down or a number of pixels")
		}
		by = n
	}
	args := map[string]any{"by": by, "ref": 0}
	if target != nil {
		n, ok := number(target.Ref)
		if !ok {
			return surfaces.Fail(command, fault.StaleRef, describe(target)+" is of another reading")
		}
		args["ref"] = n
	}
	return s.act(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply {
		t.begin(ctx)
		var out verdict
		if err := t.ask(ctx, "scroll", args, &out); err != nil {
			return failed(command, err)
		}
		if out.Why != "" {
			return out.reply(command, "what was to be scrolled")
		}
		return surfaces.Succeed(command, surfaces.Data{URL: t.events.where()})
	})
}

// Press sends one key or chord to what has the focus.
func (s *Side) Press(ctx context.Context, _ string, combo string) *surfaces.Reply {
	const command = "press"
	c, ok := readChord(combo)
	if !ok {
		return surfaces.Fail(command, fault.InvalidArgs, "this key has no spelling in a browser")
	}
	return s.act(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply {
		if c.back {
			return s.back(ctx, t, command)
		}
		t.begin(ctx)
		if err := t.toKeys(ctx); err != nil {
			return unsent(failed(command, err))
		}
		if err := t.key(ctx, c); err != nil && !t.over(err) {
			return failed(command, err)
		}
		return t.follow(ctx, command)
	})
}

// key presses and releases one chord. Both halves are sent even when a script
// dialog stops the page between them.
func (t *tab) key(ctx context.Context, c chord) error {
	if err := t.listed(); err != nil {
		return err
	}
	p := input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeRawKeyDown, Key: c.key.Key, Code: c.key.Code, WindowsVirtualKeyCode: c.key.Windows,
		Modifiers: int64(c.modifiers),
	}
	if c.key.Shift {
		p.Modifiers |= int64(kb.ModifierShift)
	}
	if c.key.Text != "" && c.modifiers&^kb.ModifierShift == 0 {
		p.Type, p.Text, p.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, c.key.Text, c.key.Unmodified
	}
	if _, err := call(ctx, t, input.DispatchKeyEvent, p); err != nil {
		return err
	}
	p.Type, p.Text, p.UnmodifiedText = input.DispatchKeyEventTypeKeyUp, "", ""
	_, err := call(ctx, t, input.DispatchKeyEvent, p)
	return err
}

// over reports whether an act was cut off by what it caused: a dialog it opened
// or the page it replaced. Then it did land.
func (t *tab) over(err error) bool {
	return errors.Is(err, errDialog) || errors.Is(err, errLeaving) || replaced(err) || worldGone(err)
}

// startWait is how long a page that asked for a navigation may take to start it.
const startWait = time.Second

// follow waits for a navigation an act started to commit, so that the reply
// knows where the page is, and brings a same-site window into this tab.
func (t *tab) follow(ctx context.Context, command string) *surfaces.Reply {
	yes := true
	// Answered in the order of the page's own work, so that what the act started
	// is known when it returns.
	here, done := t.events.here(ctx)
	_, err := call(here, t, runtime.Evaluate, runtime.EvaluateParams{Expression: "0", ReturnByValue: &yes, Silent: &yes})
	done()
	if err != nil && !t.over(err) {
		return failed(command, err)
	}
	if r := t.arrive(ctx, command); r != nil {
		return r
	}
	if err := t.adopt(ctx); err != nil {
		return failed(command, err)
	}
	if r := t.arrive(ctx, command); r != nil {
		return r
	}
	t.awaitFile(ctx)
	data := surfaces.Data{URL: t.events.where()}
	data.Download = look(t.events, func() string {
		if n := len(t.events.files); n > t.since.files {
			return t.events.files[n-1]
		}
		return ""
	})
	return surfaces.Succeed(command, data)
}

// fileWait is how long the name of a download may come after the navigation that
// turned out to be one; a busy machine takes more than a second to tell it.
const fileWait = 3 * time.Second

// awaitFile waits for that name when a navigation showed no page, and after a
// link that saves a file.
func (t *tab) awaitFile(ctx context.Context) {
	e, m := t.events, t.since
	if look(e, func() bool { return !t.saves && e.failed == m.failed || e.commits > m.commits }) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, fileWait)
	defer cancel()
	e.until(ctx, func() bool { return len(e.files) > m.files || e.dead || e.dialog != nil })
}

// arrive waits until no navigation is under way; nil when there is none.
func (t *tab) arrive(ctx context.Context, command string) *surfaces.Reply {
	e := t.events
	short, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	e.until(short, func() bool { return !e.asked || e.pending != "" || e.dead || e.dialog != nil })
	look(e, func() bool { e.asked = false; return false })
	if !e.until(ctx, func() bool { return e.pending == "" || e.dead || e.dialog != nil }) {
		t.stopLoading(ctx)
		return failed(command, ctx.Err())
	}
	if look(e, func() bool { return e.dead }) {
		return failed(command, errGone)
	}
	return nil
}

// adopt closes a window a script opened for a page of this site and opens that
// page here. Another site's window is left alone, unread.
func (t *tab) adopt(ctx context.Context) error {
	to := look(t.events, func() string { return t.events.opened })
	if to == "" || originOf(to) == "" || originOf(to) != originOf(t.events.where()) {
		return nil
	}
	look(t.events, func() bool { t.events.opened = ""; return true })
	all, err := cdp.Call(ctx, t.browser, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return err
	}
	for _, i := range all.TargetInfos {
		if i.Type == "page" && i.OpenerID == t.session.TargetID {
			_, _ = cdp.Call(ctx, t.browser, target.CloseTarget, target.CloseTargetParams{TargetID: i.TargetID}) // it may close itself
		}
	}
	_, err = call(ctx, t, devpage.Navigate, devpage.NavigateParams{URL: to})
	return err
}

// Launch opens the browser, and an address when the app is one.
func (s *Side) Launch(ctx context.Context, app string) *surfaces.Reply {
	const command = "launch"
	app = strings.TrimSpace(app)
	if lower := strings.ToLower(app); strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		r := s.Navigate(ctx, app)
		r.Command = command
		return r
	}
	return s.act(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply {
		if t.events.where() != emptyPage { // which has nothing to react with
			t.begin(ctx)
		}
		if _, err := call(ctx, t, devpage.BringToFront, cdp.Empty{}); err != nil {
			return failed(command, err)
		}
		return surfaces.Succeed(command, surfaces.Data{URL: t.events.where()})
	})
}
