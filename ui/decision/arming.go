package decision

import "time"

// How long a card must stand before it can be answered (desk.md section 3).
const (
	// MinimumShown must pass after the card appeared or changed.
	MinimumShown = time.Second
	// QuietFor must pass without any key.
	QuietFor = 300 * time.Millisecond
)

// Arming decides when an answer may count: after MinimumShown, QuietFor without
// a key, and the card's last line on the screen. It keeps no clock; every
// method takes the time. Once ready it stays so until it is disarmed. The zero
// value never becomes ready.
type Arming struct {
	shown time.Time // when the card first appeared
	since time.Time // when it appeared or was last disarmed
	key   time.Time // last key while not ready
	seen  bool      // the last line has been on screen since then
	ready bool
}

// NewArming starts when a card appears.
func NewArming(now time.Time) Arming { return Arming{shown: now, since: now, key: now.Add(-QuietFor)} }

// Key notes a key that came while the card was not ready; it is dropped by the
// caller.
func (a Arming) Key(now time.Time) Arming {
	if !a.ready {
		a.key = now
	}
	return a
}

// Seen notes that the card's last line is on the screen.
func (a Arming) Seen() Arming {
	a.seen = true
	return a
}

// Disarm takes READY back: a resize, new evidence, focus lost, or the return
// from a suspend. The last line must be seen again.
func (a Arming) Disarm(now time.Time) Arming {
	a.since, a.seen, a.ready = now, false, false
	return a
}

// Tick makes the card ready when its time has come. Only a tick does: a key can
// never find the card ready before READY could be seen.
func (a Arming) Tick(now time.Time) Arming {
	if !a.shown.IsZero() && a.seen && a.Wait(now) == 0 {
		a.ready = true
	}
	return a
}

// Ready reports whether answers count.
func (a Arming) Ready() bool { return a.ready }

// Wait is how long the next Tick is away at least, if no key comes.
func (a Arming) Wait(now time.Time) time.Duration {
	left := max(a.since.Add(MinimumShown).Sub(now), a.key.Add(QuietFor).Sub(now), 0)
	return left
}

// ShownMS is how long the question has stood on the screen.
func (a Arming) ShownMS(now time.Time) int64 {
	if a.shown.IsZero() {
		return 0
	}
	return max(now.Sub(a.shown).Milliseconds(), 0)
}
