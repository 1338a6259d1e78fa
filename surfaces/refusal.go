package surfaces

import (
	"errors"

	"countersign/surfaces/fault"
)

// Refusal is an answer of a side's own on its way up as an error: it is told as
// it is.
type Refusal struct{ Failure *Failure }

func (r *Refusal) Error() string { return string(r.Failure.Code) + ": " + r.Failure.Message }

// Told is the reply to a command for an error that already says what happened,
// a Refusal or a fault; nil for any other, which is for the side to read.
func Told(command string, err error) *Reply {
	var own *Refusal
	if errors.As(err, &own) {
		return &Reply{Command: command, Error: own.Failure}
	}
	var known *fault.Error
	if errors.As(err, &known) {
		r := Fail(command, known.Code, known.Message)
		r.Error.Hint, r.Error.Cause = known.Hint, known.Cause
		return r
	}
	return nil
}
