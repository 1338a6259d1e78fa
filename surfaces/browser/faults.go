package browser

import (
	"context"
	"errors"
	"strings"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/chromedp"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// What can end a call into a page before its answer.
var (
	errDialog  = errors.New("a script dialog opened")
	errGone    = errors.New("the page or its browser is gone")
	errLeaving = errors.New("the page is being replaced")
	errStale   = errors.New("the world of the reading is gone")
)

func refuse(code fault.Code, message string) error {
	return &surfaces.Refusal{Failure: surfaces.Fail("", code, message).Error}
}

// failed turns an error of the protocol, of the connection or of a script into
// the reply of surfaces.md 2.1. The words of the protocol stay in the cause.
func failed(command string, err error) *surfaces.Reply {
	if told := surfaces.Told(command, err); told != nil {
		return told
	}
	code, message := codeOf(err)
	r := surfaces.Fail(command, code, message)
	r.Error.Cause = err
	if code == fault.NoSuchSession {
		r.Error.Delivery = surfaces.DeliveryUnknown // it died while the call ran
	}
	return r
}

func codeOf(err error) (fault.Code, string) {
	var protocol *cdproto.Error
	var thrown *chromedp.ExceptionError
	switch {
	case errors.Is(err, errDialog):
		return fault.NotActionable, "a script dialog is open"
	case errors.Is(err, errGone), errors.Is(err, chromedp.ErrTargetDetached):
		return fault.NoSuchSession, "the browser or its page is gone"
	case errors.Is(err, context.DeadlineExceeded):
		return fault.Timeout, "the page did not answer in time"
	case lost(err):
		return fault.NoSuchSession, "the browser or its page is gone"
	case errors.Is(err, context.Canceled):
		return fault.Timeout, "it was cancelled before it was done"
	case errors.As(err, &thrown):
		return fault.PageError, "a script failed on the page"
	case errors.As(err, &protocol):
		if strings.Contains(protocol.Message, "Session with given id not found") {
			return fault.NoSuchSession, "the browser or its page is gone"
		}
		return fault.PageError, "the browser rejected it"
	default:
		return fault.Internal, "the browser answered something unexpected"
	}
}

// lost recognises a dropped connection, which chromedp words together with the
// cancellation it causes.
func lost(err error) bool { return strings.Contains(err.Error(), "lost the connection to the browser") }

// worldGone reports whether a call failed because the document it was meant for
// was replaced, so that it did not run.
func worldGone(err error) bool {
	if errors.Is(err, errStale) {
		return true
	}
	var protocol *cdproto.Error
	if !errors.As(err, &protocol) {
		return false
	}
	for _, words := range []string{
		"uniqueContextId not found", "Cannot find context", "No frame for given id", "No frame with given id",
		"Cannot find default execution context", "Could not create isolated world",
	} {
		if strings.Contains(protocol.Message, words) {
			return true
		}
	}
	return false
}

// betweenPages reports the refusal of a command while no page is active.
func betweenPages(err error) bool {
	var protocol *cdproto.Error
	return errors.As(err, &protocol) && protocol.Message == "Not attached to an active page"
}

// replaced reports whether a call was cut off by the page being replaced; it
// may have run.
func replaced(err error) bool {
	var protocol *cdproto.Error
	return errors.As(err, &protocol) && (strings.Contains(protocol.Message, "Inspected target navigated") ||
		strings.Contains(protocol.Message, "Execution context was destroyed") || strings.Contains(protocol.Message, "Promise was collected"))
}
