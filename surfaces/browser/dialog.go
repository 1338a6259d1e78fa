package browser

import (
	"context"

	devpage "github.com/chromedp/cdproto/page"

	"github.com/chromedp/cdproto/cdp"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Refs of the controls of a script dialog.
const (
	refOK     = "dlg:ok"
	refCancel = "dlg:cancel"
	refText   = "dlg:text" // the box of a prompt
)

func behindDialog(command string, d *dialog) *surfaces.Reply {
	r := surfaces.Fail(command, fault.NotActionable, "a script dialog of the page is open")
	r.Error.Hint = "Answer the page's dialog with OK or Cancel, then look again."
	r.Error.Details.Cover = `alert "` + clip(squash(d.message), 60) + `"`
	r.Error.Delivery = surfaces.NotDelivered
	return r
}

// promptScreen is what a script dialog looks like.
func promptScreen(d *dialog) *surfaces.Screen {
	s := &surfaces.Screen{
		Surface: surfaces.FrontAlert, Side: surfaces.Browser, Candidates: []surfaces.Candidate{},
		TextNodes: []surfaces.TextNode{}, Context: []string{}, Unexplored: []string{},
	}
	path := []string{"alertdialog"}
	for _, line := range lines(d.message) {
		s.TextNodes = append(s.TextNodes, surfaces.TextNode{Text: line, Path: path, Order: len(s.TextNodes) + 1})
		if len(s.Context) < maxContext {
			s.Context = append(s.Context, line)
		}
	}
	button := func(ref, name string) {
		s.Candidates = append(s.Candidates, surfaces.Candidate{
			Ref: ref, Role: "button", Name: name,
			Actions: []surfaces.Action{surfaces.CanClick}, Path: path, Order: len(s.TextNodes) + len(s.Candidates) + 1,
		})
	}
	if d.kind == devpage.DialogTypePrompt {
		s.Candidates = append(s.Candidates, surfaces.Candidate{
			Ref: refText, Role: "textbox", Name: clip(squash(d.message), maxName), Value: d.text, InputType: "text",
			Actions: []surfaces.Action{surfaces.CanSetValue, surfaces.CanTypeText}, Path: path, Order: len(s.TextNodes) + 1,
		})
	}
	button(refOK, "OK")
	if d.kind != devpage.DialogTypeAlert {
		button(refCancel, "Cancel")
	}
	return s
}

// write puts text into the box of the open prompt, which OK then answers with.
// Nothing is sent to the browser before that.
func (s *Side) write(ctx context.Context, command, text string) *surfaces.Reply {
	return s.withPrompt(ctx, command, func(_ context.Context, t *tab) *surfaces.Reply {
		open := look(t.events, func() bool {
			if t.events.dialog == nil || t.events.dialog.kind != devpage.DialogTypePrompt {
				return false
			}
			t.events.dialog.text = text
			return true
		})
		if !open {
			return surfaces.Fail(command, fault.StaleRef, "the page's dialog is closed already")
		}
		return surfaces.Succeed(command, surfaces.Data{URL: t.events.where()})
	})
}

// written is what the box of the open prompt holds.
func (s *Side) written(ctx context.Context) (text string, ok bool) {
	r := s.withPrompt(ctx, "read_value", func(_ context.Context, t *tab) *surfaces.Reply {
		d := t.events.prompt()
		if d == nil {
			return surfaces.Fail("read_value", fault.StaleRef, "the page's dialog is closed already")
		}
		text = d.text
		return surfaces.Succeed("read_value", surfaces.Data{})
	})
	return text, r.OK
}

// answerDialog presses a button of the open dialog.
func (s *Side) answerDialog(ctx context.Context, command string, ok bool) *surfaces.Reply {
	return s.withPrompt(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply {
		t.since = t.events.now()
		if err := t.answer(ctx, ok); err != nil {
			return failed(command, err)
		}
		r := t.follow(ctx, command)
		if !s.origins.Admits(t.events.where()) {
			return s.denied(ctx, t, command, surfaces.DeliveryUnknown)
		}
		return r
	})
}

// withPrompt acts on the open dialog; the frame of act would refuse it, so this
// is its own.
func (s *Side) withPrompt(ctx context.Context, command string, do func(context.Context, *tab) *surfaces.Reply) *surfaces.Reply {
	if err := s.take(ctx); err != nil {
		return unsent(failed(command, err))
	}
	defer s.give()
	t, err := s.opened(ctx)
	if err != nil {
		return unsent(failed(command, err))
	}
	ctx, cancel := context.WithTimeout(ctx, s.driver.options.Timeout)
	defer cancel()
	if t.events.prompt() == nil {
		return surfaces.Fail(command, fault.StaleRef, "the page's dialog is closed already")
	}
	if !s.origins.Admits(t.events.where()) {
		return s.denied(ctx, t, command, surfaces.NotDelivered)
	}
	return do(ctx, t)
}

// answer closes the open dialog. It cannot use call, which an open dialog ends.
func (t *tab) answer(ctx context.Context, ok bool) error {
	d := t.events.prompt()
	if d == nil {
		return nil
	}
	p := devpage.HandleJavaScriptDialogParams{Accept: ok}
	if ok {
		p.PromptText = d.text
	}
	if _, err := cdp.Call(ctx, t.session, devpage.HandleJavaScriptDialog, p); err != nil {
		return why(ctx, err)
	}
	if !t.events.until(ctx, func() bool { return t.events.dialog == nil || t.events.dead }) {
		return ctx.Err()
	}
	return nil
}
