//go:build !linux || nodesktop

package robot

import "countersign/surfaces/fault"

// Built reports whether the desktop side is in this program.
const Built = false

type none struct{}

func newHands(<-chan struct{}) hands { return none{} }

func (none) gone() <-chan struct{} { return nil }

func (none) linger() {}

func (none) do(r Request) Reply {
	const reason = "this program was built without its desktop side"
	if r.Op == Probe {
		return Reply{OK: true, Display: &Display{Reason: reason}}
	}
	return refused(fault.PlatformNotSupported, reason)
}
