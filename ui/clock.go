package ui

import "time"

// Clock is where the desk's time comes from. Only commands and the program's
// filter read it, never Update or View.
type Clock interface {
	Now() time.Time
	// After is time.After.
	After(d time.Duration) <-chan time.Time
}

// systemClock is the machine's.
type systemClock struct{}

func (systemClock) Now() time.Time                         { return time.Now() }
func (systemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
