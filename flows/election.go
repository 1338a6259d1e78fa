package flows

import (
	"context"
	"time"

	"countersign/flows/decider"
)

// election is one round of questions out at the decider. Its goroutines only
// evaluate and send; everything else happens where it is held.
type election struct {
	decider decider.Decider
	path    string // the step that asked, for the record
	parts   []*part
	replies chan reply // holds every copy of every vote: nobody waits to send
	open    int        // replies still to come
	copies  int        // second copies in flight
}

// part is a request within the limit of bytes, and its votes.
type part struct {
	owner   int // which of the requests asked it is a part of
	request decider.Request
	votes   []*vote
}

// vote is one part in one framing.
type vote struct {
	part    *part
	request decider.Request
	back    func(decider.Answers) decider.Answers
	cancel  context.CancelFunc

	flying  int // copies in flight
	copied  bool
	in      bool // answered or failed for good
	answers decider.Answers
	err     error
}

// reply is what one copy of a vote brought.
type reply struct {
	of      *vote
	copy    bool
	answers decider.Answers
	err     error
}

func newElection(d decider.Decider, path string) *election { return &election{decider: d, path: path} }

// hold asks every part in the framings from, from+1, … at once and returns when
// each part is decided. What is still open then has its replies taken in later:
// see run.latecomers. A decider that gains nothing from framings computes, so
// it is asked in turn and never twice.
func (e *election) hold(ctx context.Context, from, framings int) {
	e.replies = make(chan reply, 2*framings*len(e.parts))
	for _, p := range e.parts {
		for n := range framings {
			v := &vote{part: p}
			v.request, v.back = frame(p.request, from+n)
			p.votes = append(p.votes, v)
		}
	}
	if !e.decider.Framings() {
		for _, p := range e.parts {
			v := p.votes[0]
			v.in = true
			if v.answers, v.err = e.decider.Evaluate(ctx, v.request); v.err == nil {
				v.answers = v.back(v.answers)
			}
		}
		return
	}
	for v := range e.votes {
		var own context.Context
		own, v.cancel = context.WithCancel(ctx)
		e.send(own, v, false)
	}
	e.await(ctx)
}

// await takes replies in until every part is decided, and sends second copies
// of what is slow.
func (e *election) await(ctx context.Context) {
	started := time.Now()
	slow := time.NewTimer(hedgeAfter)
	defer slow.Stop()
	for !e.decided() {
		select {
		case got := <-e.replies:
			e.count(got)
		case <-slow.C:
			slow.Reset(hedgeAfterLarge - hedgeAfter) // then once more for the large ones, and on
		}
		if waited := time.Since(started); waited >= hedgeAfter {
			e.hedge(ctx, waited)
		}
	}
}

// votes goes over all votes, part by part.
func (e *election) votes(yield func(*vote) bool) {
	for _, p := range e.parts {
		for _, v := range p.votes {
			if !yield(v) {
				return
			}
		}
	}
}

// send has one copy of a vote evaluated. The goroutine ends with its reply,
// which fits into the channel.
func (e *election) send(ctx context.Context, v *vote, second bool) {
	e.open++
	v.flying++
	go func() {
		answers, err := e.decider.Evaluate(ctx, v.request)
		e.replies <- reply{v, second, answers, err}
	}()
}

// count takes one reply in: the first answer of a vote is its answer and ends
// the other copy; an error is, once no copy is left to wait for. It reports
// whether the reply settled its vote.
func (e *election) count(got reply) bool {
	v := got.of
	e.open--
	v.flying--
	if got.copy {
		e.copies--
	}
	if v.in || got.err != nil && v.flying > 0 {
		return false
	}
	v.in = true
	v.err = got.err
	if got.err == nil {
		v.answers = v.back(got.answers)
	}
	v.cancel()
	return true
}

// hedge sends a second copy of what is still running after so long, few at a
// time. A copy is the same vote once more and no further call.
func (e *election) hedge(ctx context.Context, waited time.Duration) {
	for v := range e.votes {
		if e.copies >= hedgeCopies {
			return
		}
		if v.in || v.copied || waited < hedgeAfterLarge && size(v.part.request) >= hedgeLarge {
			continue
		}
		v.copied = true
		e.copies++
		first := v.cancel
		own, second := context.WithCancel(ctx)
		v.cancel = func() { first(); second() }
		e.send(own, v, true)
	}
}

func (e *election) decided() bool {
	for _, p := range e.parts {
		if !p.decided() {
			return false
		}
	}
	return true
}

// decided reports whether a part needs no further vote: all are in, or enough
// are and agree so well that the rest cannot matter (flows.md 5.7).
func (p *part) decided() bool {
	var in []decider.Answers
	open := 0
	for _, v := range p.votes {
		switch {
		case !v.in:
			open++
		case v.err == nil:
			in = append(in, v.answers)
		}
	}
	if open == 0 {
		return true
	}
	return len(p.votes) >= quorumVotes && len(in) >= len(p.votes)-quorumLeft && settled(p.request.Questions, in)
}

// ballots joins the parts' votes again: for each request its answers by
// framing. A request none of whose votes of some part was answered fails.
func (e *election) ballots(requests int) ([][]decider.Answers, error) {
	out := make([][]decider.Answers, requests)
	for _, p := range e.parts {
		if out[p.owner] == nil {
			out[p.owner] = make([]decider.Answers, len(p.votes))
		}
		answered := false
		var first error
		for n, v := range p.votes {
			if !v.in || v.err != nil {
				if first == nil {
					first = v.err
				}
				continue
			}
			answered = true
			ballot := out[p.owner][n]
			if ballot == nil {
				ballot = decider.Answers{}
				out[p.owner][n] = ballot
			}
			for id, a := range v.answers {
				ballot[id] = a
			}
		}
		if !answered {
			return nil, first
		}
	}
	return out, nil
}
