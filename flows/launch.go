package flows

import (
	"context"
	"strings"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// serverError is the first HTTP status that says the site itself failed; its
// page is then no page to go on with.
const serverError = 500

// launchFirst starts the flow's app before its first step.
func (s *step) launchFirst(ctx context.Context) error {
	app, err := s.words(s.req.Flow.App)
	if err != nil || strings.TrimSpace(app) == "" {
		return err
	}
	return s.launch(ctx, app)
}

// launch starts an app or brings it forward, and makes it the current one.
func (s *step) launch(ctx context.Context, app string) error {
	reply, err := s.act(ctx, action{op: opLaunch, text: app})
	if err != nil {
		return err
	}
	if !reply.OK {
		return failedWith(reply.Err())
	}
	s.app = app
	return nil
}

// open launches an app and waits until its window can be read.
func (s *step) open(ctx context.Context) (Outcome, string, error) {
	app, err := s.words(s.def.Text)
	if err != nil {
		return "", "", err
	}
	if err := s.launch(ctx, app); err != nil {
		return "", "", err
	}
	s.report.App, s.report.Side = s.mask(app), sideOf(app)
	for range openLooks {
		s.unreadable = 0 // a window that is only coming up is no failure
		screen, err := s.look(ctx)
		if err != nil {
			return "", "", err
		}
		if screen.Surface != surfaces.FrontNone {
			return OutcomeDone, "it is open", nil
		}
		s.place.AwaitChange(ctx, openPauseMS)
	}
	return "", "", failed("no window of %s could be read", app)
}

// browse loads an address; the browser becomes the current app once it did.
func (s *step) browse(ctx context.Context) (Outcome, string, error) {
	text, err := s.words(s.def.Text)
	if err != nil {
		return "", "", err
	}
	address, ok := Address(text)
	if !ok {
		return "", "", failed("BAD_ADDRESS: %q is no web address", text)
	}
	reply, err := s.act(ctx, action{op: opNavigate, text: address})
	if err != nil {
		return "", "", err
	}
	if !reply.OK {
		return "", "", failedWith(reply.Err())
	}
	s.app = string(surfaces.Browser)
	s.ownDialog = false
	s.report.App, s.report.Side = s.app, surfaces.Browser
	screen, err := s.lookReadable(ctx)
	if err != nil {
		return "", "", err
	}
	if status := reply.Data.Status; status >= serverError {
		return "", "", failedWith(fault.Newf(fault.PageError, "the site answered %d", status))
	}
	if reply.Data.Loading {
		return OutcomeDone, "showing " + screen.Window + ", which is still loading", nil
	}
	return OutcomeDone, "showing " + screen.Window, nil
}
