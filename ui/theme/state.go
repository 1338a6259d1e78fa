package theme

import (
	"slices"

	"countersign/controller/task"
)

// Wait is the way a task needs a person (desk.md section 2).
type Wait int

// The three waits, in the order the status line counts them.
const (
	NoWait Wait = iota
	Decide
	Type
	ByHand
)

// Waits lists the three in that order.
func Waits() []Wait { return []Wait{Decide, Type, ByHand} }

func (w Wait) String() string {
	switch w {
	case Decide:
		return "DECIDE"
	case Type:
		return "TYPE"
	case ByHand:
		return "BY HAND"
	case NoWait:
		return ""
	default:
		return ""
	}
}

// Glyph is the wait's one-cell sign.
func (w Wait) Glyph() string {
	switch w {
	case Decide:
		return "◆"
	case Type:
		return "▣"
	case ByHand:
		return "▲"
	case NoWait:
		return " "
	default:
		return " "
	}
}

// WaitOf says how a task needs a person now. A payment checkpoint waits as long
// as it holds its browser and nobody has said whether they paid.
func WaitOf(v task.View) Wait {
	switch v.Status.State {
	case task.NeedsApproval:
		return Decide
	case task.NeedsInput, task.NeedsPlan:
		return Type
	case task.NeedsHuman:
		return ByHand
	case task.Checkpoint:
		if v.Status.Continuable {
			return Decide
		}
		if v.Paid == "" && slices.Contains(v.Next, task.OpCancel) {
			return ByHand
		}
		return NoWait
	case task.Running, task.Done, task.Failed, task.Cancelled:
		return NoWait
	default:
		return NoWait
	}
}

// StateGlyph and StateWord name what a task is in, wait or not.
func StateGlyph(v task.View) string {
	if w := WaitOf(v); w != NoWait {
		return w.Glyph()
	}
	switch v.Status.State {
	case task.Running:
		return "●"
	case task.Done:
		return "✓"
	case task.Failed:
		return "✗"
	case task.Cancelled:
		return "–"
	case task.Checkpoint:
		if v.Paid == task.Paid {
			return "✓"
		}
		return "■"
	case task.NeedsInput, task.NeedsApproval, task.NeedsHuman, task.NeedsPlan:
		return " "
	default:
		return "?"
	}
}

// StateWord is at most seven cells wide.
func StateWord(v task.View) string {
	if w := WaitOf(v); w != NoWait {
		return w.String()
	}
	switch v.Status.State {
	case task.Running:
		return "running"
	case task.Done:
		return "done"
	case task.Failed:
		return "failed"
	case task.Cancelled:
		return "ended"
	case task.Checkpoint:
		switch v.Paid {
		case task.Paid:
			return "paid"
		case task.NotPaid:
			return "unpaid"
		}
		return "stopped"
	case task.NeedsInput, task.NeedsApproval, task.NeedsHuman, task.NeedsPlan:
		return "waits"
	default:
		return "unknown"
	}
}
