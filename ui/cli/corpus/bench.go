package corpus

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"countersign/flows"
	"countersign/flows/facts"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// runTimeout bounds one case on a machine that does a lot else.
const runTimeout = 3 * time.Minute

// Bench carries out cases one after the other on one browser page, which is
// opened anew only when a case left it in a state no other can start from. Not
// safe for concurrent use.
type Bench struct {
	Runner *flows.Runner
	// Open opens a workspace with a browser; called when one is needed.
	Open func() (surfaces.Place, error)

	place surfaces.Place
}

// Did is what came of a case.
type Did struct {
	Result  flows.Result
	Outcome string // as in Want
	Log     []string
	Shown   []string // visible text at the end
	Took    time.Duration
	Wrong   []string // what differs from what was wanted; empty: it passed
}

// Steps is how many steps were reached, the one that opens the page left out.
func (d *Did) Steps() int { return max(len(d.Result.Steps)-1, 0) }

// PerStep is the mean time of a step, the one that opens the page left out.
func (d *Did) PerStep() time.Duration {
	if d.Steps() == 0 {
		return 0
	}
	var ms int64
	for _, s := range d.Result.Steps[1:] {
		ms += s.ElapsedMS
	}
	return time.Duration(ms) * time.Millisecond / time.Duration(d.Steps())
}

// Close gives the browser back.
func (b *Bench) Close(ctx context.Context) error {
	if b.place == nil {
		return nil
	}
	place := b.place
	b.place = nil
	return place.Release(ctx)
}

// Run carries out one case. Observer hears of it, nil for nobody. The error is
// of the machine or of a file that is no flow; a case that came out wrong says
// so in what is returned.
func (b *Bench) Run(ctx context.Context, f *File, c Case, observer flows.Observer) (*Did, error) {
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	s, err := serve(f)
	if err != nil {
		return nil, err
	}
	defer s.close()
	req, problems, err := request(s, c)
	if err != nil {
		return nil, err
	}
	if b.place == nil {
		if b.place, err = b.Open(); err != nil {
			return nil, err
		}
	}
	req.Observer, req.Trace = observer, observer != nil
	did := &Did{Result: flows.Result{Stop: flows.Invalid, Errors: problems}}
	began := time.Now()
	if len(problems) == 0 {
		did.Result = b.carry(ctx, req, c.Sign)
	}
	did.Took = time.Since(began)
	did.Shown = b.place.VisibleText(ctx)
	did.Outcome = outcome(did)
	wanted := 0
	if c.Want.Log != nil {
		wanted = len(*c.Want.Log)
	}
	did.Log = s.logged(wanted)
	did.judge(c.Want)
	return did, b.leave(ctx, s)
}

// carry runs the flow, and goes on behind a guard when its evidence is signed.
func (b *Bench) carry(ctx context.Context, req flows.Request, sign bool) flows.Result {
	r := b.Runner.Run(ctx, b.place, req)
	if !sign || r.Stop != flows.Stopped {
		return r
	}
	first, _, _ := strings.Cut(r.Failed, ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return r
	}
	req.Flow.Steps, req.FirstStep = req.Flow.Steps[n-1:], n
	req.Approved, req.PaymentApproved = r.Pending, true
	after := b.Runner.Run(ctx, b.place, req)
	after.Steps = append(r.Steps, after.Steps...)
	return after
}

// leave makes the page ready for the next case.
func (b *Bench) leave(ctx context.Context, s *site) error {
	if b.place.Navigate(ctx, s.here+"/blank").OK {
		return nil
	}
	return b.Close(ctx)
}

// raw is the flow as its author would have written it.
func (s *site) raw(c Case) ([]byte, error) {
	open, err := json.Marshal(map[string]string{"browse": s.here + "/" + s.file.Page})
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "the address of the page")
	}
	flow := map[string]any{"app": "browser", "steps": append([]json.RawMessage{open}, c.Steps...)}
	if c.Vars != nil {
		flow["vars"] = c.Vars
	}
	raw, err := json.Marshal(flow)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidUsage, err, "the steps of "+c.Name)
	}
	return []byte(s.filled(string(raw))), nil
}

// request is the run of a case, and what the checker holds against its flow.
func request(s *site, c Case) (flows.Request, []flows.Problem, error) {
	raw, err := s.raw(c)
	if err != nil {
		return flows.Request{}, nil, err
	}
	set, err := facts.New(c.Facts, c.Secrets)
	if err != nil {
		return flows.Request{}, nil, err
	}
	card := func(name string) bool { return set.IsCardData(name) || facts.CardName(name) }
	payment := cmp.Or(c.Payment, flows.StopAtPayment)
	checked := flows.Check(raw, set.Names(), set.SecretNames(), card, payment)
	return flows.Request{
		Flow: checked.Flow, Facts: set, IncludeValues: true, MaxActions: 120, MaxModelCalls: 6000, Payment: payment,
		AllowDestructive: c.AllowDestructive, Task: "t-1",
	}, checked.Errors, nil
}

// outcome says in one word how the run ended.
func outcome(d *Did) string {
	r := &d.Result
	switch r.Stop {
	case flows.Completed:
		return "completed"
	case flows.Stopped:
		return "gated"
	case flows.StepFailed:
		if _, wall := safety.FindWall(d.Shown); wall && r.Refused == nil {
			return "person"
		}
		if r.Refused != nil {
			return "refused"
		}
		return "failed"
	default:
		return string(r.Stop)
	}
}
