package decider

import (
	"context"
	"sync"

	"countersign/surfaces/fault"
)

// Embedded answers from words alone: no model, no network. The same request
// always gets the same answer, whatever came before, and whatever the order or
// the spelling of its options' keys. Its zero value is ready; it holds no more
// than what texts it read reduce to, and is safe for concurrent use.
type Embedded struct{ lexers sync.Pool }

// NewEmbedded gives the decider that is always there.
func NewEmbedded() *Embedded { return &Embedded{} }

// Framings is false: other words of ours change nothing it reads.
func (*Embedded) Framings() bool { return false }

// Name is "embedded".
func (*Embedded) Name() string { return "embedded" }

// Evaluate answers every question it knows; an unknown Ask gets no answer.
func (e *Embedded) Evaluate(ctx context.Context, req Request) (Answers, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault.Wrap(fault.DeciderTimeout, err, "the question was withdrawn")
	}
	l, ok := e.lexers.Get().(*lexer)
	if !ok || l.full() {
		l = newLexer(len(req.State.Controls))
	}
	defer e.lexers.Put(l)
	r := l.read(req.State)
	out := make(Answers, len(req.Questions))
	for id, q := range req.Questions {
		if a, ok := r.answer(q, req.Questions); ok {
			out[id] = a
		}
	}
	return out, nil
}

func (r *reading) answer(q Question, all map[string]Question) (Answer, bool) {
	switch q.Ask {
	case AskDone:
		v := r.done(q.Subject)
		return yes(v.p, v.why...), true
	case AskNotDone:
		v := r.done(q.Subject)
		return yes(1-v.p, v.why...), true
	case AskProgress:
		return r.progress(q), true
	case AskBlocked:
		return r.blocked(q), true
	case AskHelped:
		return r.helped(q), true
	case AskMove:
		return r.move(q), true
	case AskShortcut:
		return r.shortcut(q), true
	case AskPageKind:
		return r.pageKind(q), true
	case AskDismiss:
		return r.dismiss(q), true
	case AskConfirm:
		return r.confirm(q), true
	case AskIs:
		return r.is(q), true
	case AskOnlyNear:
		a := r.is(q)
		return yes(1-a.P, a.Why...), true
	case AskRegion:
		return r.region(q), true
	case AskGroup, AskTarget, AskAgain, AskDuel:
		return r.target(q), true
	default:
		return r.answerMore(q, all)
	}
}

func (r *reading) answerMore(q Question, all map[string]Question) (Answer, bool) {
	switch q.Ask {
	case AskSlot:
		return r.slot(q), true
	case AskAsks:
		return r.asks(q), true
	case AskError:
		return r.flagged(q), true
	case AskOpens:
		return r.opens(q), true
	case AskSuggestion:
		return r.suggestion(q), true
	case AskHolds:
		v := r.holds(q.Subject)
		return yes(v.p, v.why...), true
	case AskNegated:
		v := r.holds(q.Subject)
		return yes(1-v.p, v.why...), true
	case AskCoverage:
		return r.coverage(q), true
	case AskHappened:
		v := r.happened(q.Subject)
		return yes(v.p, v.why...), true
	case AskSource:
		return r.source(q), true
	case AskList:
		return r.list(q), true
	case AskRecord:
		return r.record(q), true
	case AskBelongs:
		return r.belongs(q, all), true
	case AskReflects:
		return r.reflects(q), true
	case AskStrays:
		return r.strays(q), true
	default:
		return Answer{}, false
	}
}
