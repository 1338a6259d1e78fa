package desktop

import (
	"context"
	"errors"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// refuse is a failure that came before anything was sent.
func refuse(code fault.Code, message string) error {
	f := surfaces.Fail("", code, message).Error
	f.Delivery = surfaces.NotDelivered
	return &surfaces.Refusal{Failure: f}
}

// failed turns an error of a bus, of the desktop process or of ours into the
// reply of surfaces.md 2.1. The words of the bus stay in the cause.
func failed(command string, err error) *surfaces.Reply {
	if told := surfaces.Told(command, err); told != nil {
		return told
	}
	code, message := codeOf(err)
	r := surfaces.Fail(command, code, message)
	r.Error.Cause = err
	return r
}

func codeOf(err error) (fault.Code, string) {
	var answer dbus.Error
	switch {
	case errors.As(err, &answer) && answer.Name == noReply:
		return fault.Timeout, "the program ended before it answered"
	case absent(err):
		return fault.StaleRef, "that control is gone"
	case errors.Is(err, errUnanswered), errors.Is(err, context.DeadlineExceeded):
		return fault.Timeout, "the program does not answer"
	case errors.Is(err, context.Canceled):
		return fault.Timeout, "it was cancelled before it was done"
	default:
		return fault.PageError, "the program rejected it"
	}
}

// unsent says that a failure came before anything reached a program.
func unsent(r *surfaces.Reply) *surfaces.Reply {
	if r.Error != nil {
		r.Error.Delivery = surfaces.NotDelivered
	}
	return r
}
