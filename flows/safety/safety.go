// Package safety classifies labels, finds payment evidence on a screen, and
// recognises walls only a person can pass. Plain code and word tables, no
// model, no I/O: the same input always gives the same answer. It decides
// nothing about a run; flows and controller do.
package safety

// Class says what pressing a label commits to (tasks.md 8.1).
type Class int

// Classes; payment is tested first. An empty label is irreversible.
const (
	Unclassified Class = iota
	Reversible
	Irreversible
	Payment
)

func (c Class) String() string {
	switch c {
	case Reversible:
		return "reversible"
	case Irreversible:
		return "irreversible"
	case Payment:
		return "payment"
	case Unclassified:
		return "unclassified"
	default:
		return "unclassified"
	}
}

// Act is the kind of a guarded act: the title of its card (desk.md section 3).
type Act string

// The fixed list of acts.
const (
	ActPay     Act = "pay"
	ActSend    Act = "send"
	ActDelete  Act = "delete"
	ActPublish Act = "publish"
	ActConfirm Act = "confirm"
	ActOther   Act = "other"
)
