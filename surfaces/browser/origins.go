package browser

import (
	"context"
	"strings"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/origin"
)

// leaveWithin bounds the way off a refused page, also when the verb's own time
// is over.
const leaveWithin = 5 * time.Second

// denied leaves a page outside the list and says so.
func (s *Side) denied(ctx context.Context, t *tab, command string, delivery surfaces.Delivery) *surfaces.Reply {
	where := origin.Of(t.events.where())
	err := s.leave(ctx, t)
	if where == "" || where == "null" {
		where = "this page"
	}
	r := surfaces.Fail(command, fault.PolicyDenied, where+" is outside the sites this task may use")
	r.Error.Delivery, r.Error.Cause = delivery, err
	r.Error.Details.LeftPage = err == nil
	return r
}

// leave goes back to the page before when that is on the list, else to a blank
// one. The context's cancellation does not keep us on a refused page.
func (s *Side) leave(ctx context.Context, t *tab) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveWithin)
	defer cancel()
	if d := t.events.prompt(); d != nil {
		if err := t.answer(ctx, false); err != nil {
			return err
		}
	}
	h, err := t.history(ctx)
	if err == nil && h.CurrentIndex > 0 && int(h.CurrentIndex) < len(h.Entries) {
		before := h.Entries[h.CurrentIndex-1]
		if s.origins.Admits(before.URL) {
			if t.toEntry(ctx, before.ID) == nil && s.origins.Admits(t.events.where()) {
				return nil
			}
		}
	}
	_, err = t.open(ctx, "about:blank")
	if err == nil && !s.origins.Admits(t.events.where()) {
		err = refuse(fault.PolicyDenied, "the page came back")
	}
	return err
}

// address makes of what a caller wrote the address that is opened: a bare host
// means https; only web pages can be opened.
func address(raw string) (string, *surfaces.Failure) {
	raw = strings.TrimSpace(raw)
	scheme, _, found := strings.Cut(raw, ":")
	lower := strings.ToLower(scheme)
	switch {
	case raw == "":
		return "", surfaces.Fail("", fault.InvalidArgs, "no address was given").Error
	case found && (lower == "http" || lower == "https"):
		return raw, nil
	case strings.HasPrefix(raw, "//"):
		return "https:" + raw, nil
	case found && !strings.ContainsAny(scheme, "./[") && !digits(raw[len(scheme)+1:]):
		return "", surfaces.Fail("", fault.InvalidArgs, "only http and https pages can be opened, not "+lower+":").Error
	default:
		return "https://" + raw, nil
	}
}

// digits reports whether a colon is followed by a port: localhost:8080.
func digits(rest string) bool { return rest != "" && rest[0] >= '0' && rest[0] <= '9' }
