// Package fault is the one error type of the desk: a stable code that programs
// branch on, a sentence for the person, and a hint with the next move. It
// imports nothing of ours, so every package may use it. It must not print,
// log, or decide what a failure means; it only carries it.
package fault

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Error is a failure with a code. Its text is "CODE: message"; the hint and the
// wrapped cause are separate, so that a raw protocol or database error never
// reaches the screen by itself.
type Error struct {
	Code    Code
	Message string // one sentence, lower case, no full stop, never a secret
	Hint    string // one sentence: the next move; never empty once built by New or Wrap
	Cause   error  // may be nil; for logs, never shown
}

// New makes a fault with the code's own hint.
func New(code Code, message string) *Error {
	return &Error{Code: code, Message: message, Hint: code.Hint()}
}

// Newf is New with a formatted message.
func Newf(code Code, format string, args ...any) *Error {
	return New(code, fmt.Sprintf(format, args...))
}

// Wrap makes a fault around a cause. The cause is kept for errors.Is and logs.
func Wrap(code Code, cause error, message string) *Error {
	e := New(code, message)
	e.Cause = cause
	return e
}

// WithHint returns a copy whose hint is the given one.
func (e *Error) WithHint(hint string) *Error {
	c := *e
	c.Hint = hint
	return &c
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap gives the cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is a fault of the same code, so that
// errors.Is(err, fault.New(code, "")) works through wrapping.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Recoverable reports whether the same call, put right, can succeed
// (tasks.md 2.9).
func (e *Error) Recoverable() bool { return e.Code.Recoverable() }

// MarshalJSON writes the error object of the operation envelope (tasks.md 2.0).
func (e *Error) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Code        Code   `json:"code"`
		Message     string `json:"message"`
		Hint        string `json:"hint"`
		Recoverable bool   `json:"recoverable"`
	}{e.Code, e.Message, e.Hint, e.Recoverable()})
}

// CodeOf returns the code of the first fault in err's chain, Internal for any
// other error, and the empty code for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// Of returns err as a fault: itself when it is one already, else Internal
// around it. Nil stays nil.
func Of(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Wrap(Internal, err, err.Error())
}
