package browser

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// focused is what our script says of a field it gave the focus.
type focused struct {
	verdict
	Kind     string `json:"kind"` // type: as typed input; set: by its value
	Suggests bool   `json:"suggests"`
	Empty    bool   `json:"empty"`
}

// fill replaces what a field holds. Without a target it is the focused field.
func (s *Side) fill(ctx context.Context, command string, target *surfaces.Candidate, text string) *surfaces.Reply {
	return s.enter(ctx, command, target, text, true)
}

// Paste puts text into a field as typed input; the system's clipboard is never
// touched. A field that offers to be set is replaced, else the caret stays.
func (s *Side) Paste(ctx context.Context, _ string, target *surfaces.Candidate, text string) *surfaces.Reply {
	return s.enter(ctx, "paste", target, text, target == nil || target.Can(surfaces.CanSetValue))
}

func (s *Side) enter(ctx context.Context, command string, target *surfaces.Candidate, text string, all bool) *surfaces.Reply {
	what, ref := "what has the focus", 0
	if target != nil && target.Ref == refText {
		return s.write(ctx, command, text)
	}
	if target != nil {
		n, ok := number(target.Ref)
		if !ok {
			return surfaces.Fail(command, fault.StaleRef, describe(target)+" is of another reading")
		}
		what, ref = describe(target), n
	}
	return s.act(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply {
		t.begin(ctx)
		var f focused
		if err := t.ask(ctx, "focus", map[string]any{"ref": ref, "all": all}, &f); err != nil {
			return unsent(failed(command, err))
		}
		if f.Why != "" {
			return f.reply(command, what)
		}
		t.hasty = f.Suggests
		if t.moved() {
			return surfaces.Fail(command, fault.StaleRef, what+" is gone: the page was replaced")
		}
		if err := t.put(ctx, f, text, all); err != nil && !t.over(err) {
			return failed(command, err)
		}
		return t.follow(ctx, command)
	})
}

// moved reports whether the document that was asked is not the one keys go to
// any more: what is typed must not end up on another page.
func (t *tab) moved() bool {
	return look(t.events, func() bool { return t.events.pending != "" || t.events.loader != t.since.loader })
}

// put types into the focused field. The text stands in no error.
func (t *tab) put(ctx context.Context, f focused, text string, all bool) error {
	if f.Kind == "set" {
		var v verdict
		if err := t.ask(ctx, "set", map[string]any{"text": text}, &v); err != nil {
			return err
		}
		if v.Why != "" {
			return refuse(fault.NotATextField, "the focus moved to what takes no text")
		}
		if !v.OK {
			return refuse(fault.TextNotDelivered, "the field did not take the text as it was given")
		}
		return nil
	}
	if err := t.listed(); err != nil {
		return err
	}
	if text != "" {
		if _, err := call(ctx, t, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
			return err
		}
		return t.byKeys(ctx, f, text, all)
	}
	if !all || f.Empty {
		return nil
	}
	return t.key(ctx, chord{key: key("delete")})
}

// mostKeys bounds the text that is typed key by key.
const mostKeys = 200

// byKeys types key by key into a field that threw an insertion away, as one that
// listens to keys alone does. A field that took anything is left as it is.
func (t *tab) byKeys(ctx context.Context, f focused, text string, all bool) error {
	if len(text) > mostKeys || strings.ContainsAny(text, "\r\n\t") {
		return nil // a line break would send the form, a tab leave the field
	}
	var untouched bool
	if err := t.ask(ctx, "untouched", nil, &untouched); err != nil || !untouched {
		return err
	}
	if all && !f.Empty {
		if err := t.key(ctx, chord{key: key("delete")}); err != nil {
			return err
		}
	}
	for _, r := range text {
		k := kb.Keys[r]
		if k == nil {
			k = &kb.Key{Key: string(r), Text: string(r), Unmodified: string(r)}
		}
		if err := t.key(ctx, chord{key: k}); err != nil {
			return err
		}
	}
	return nil
}

// ReadValue gives what a field holds now; never a password.
func (s *Side) ReadValue(ctx context.Context, target *surfaces.Candidate) (string, bool) {
	if target == nil {
		return "", false
	}
	if target.Ref == refText {
		return s.written(ctx)
	}
	n, ok := number(target.Ref)
	if !ok {
		return "", false
	}
	var v struct {
		OK    bool   `json:"ok"`
		Value string `json:"value"`
	}
	r := s.act(ctx, "read_value", func(ctx context.Context, t *tab) *surfaces.Reply {
		var at string
		if err := t.askAt(ctx, "value", map[string]any{"ref": n}, &v, &at); err != nil {
			return unsent(failed("read_value", err))
		}
		if !s.origins.Admits(at) {
			return surfaces.Fail("read_value", fault.PolicyDenied, "the page left the sites this task may use")
		}
		return surfaces.Succeed("read_value", surfaces.Data{})
	})
	if !r.OK || !v.OK {
		return "", false
	}
	return v.Value, true
}
