package controllertest

import (
	"context"
	"strconv"
	"sync"

	"countersign/controller"
	"countersign/flows"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Runner is a controller.Runner without a screen. It walks the steps of a flow
// and finishes each, except those a test says otherwise of by their words; its
// guards stop, or press, as the real ones do. Scripts, while there are any,
// replace whole runs.
type Runner struct {
	mu       sync.Mutex // guards the rest
	scripts  []Script
	fails    map[string][]flows.Result
	guards   map[string]flows.Evidence
	refused  map[string]bool
	saves    map[string][2]string
	cost     map[string][2]int
	before   map[string]func(context.Context)
	requests []flows.Request
	presses  []flows.Evidence
	name     string
}

// Script carries out one run.
type Script func(ctx context.Context, place *Place, req flows.Request) flows.Result

var _ controller.Runner = (*Runner)(nil)

// NewRunner makes a runner whose steps all succeed.
func NewRunner() *Runner {
	return &Runner{
		fails: map[string][]flows.Result{}, guards: map[string]flows.Evidence{}, refused: map[string]bool{},
		saves: map[string][2]string{}, cost: map[string][2]int{}, before: map[string]func(context.Context){}, name: "fake",
	}
}

// Next appends scripts for the next runs.
func (n *Runner) Next(scripts ...Script) {
	n.locked(func() { n.scripts = append(n.scripts, scripts...) })
}

// Fail makes the step with these words fail, once for each result.
func (n *Runner) Fail(text string, results ...flows.Result) {
	n.locked(func() { n.fails[text] = append(n.fails[text], results...) })
}

// Before calls f when the step with these words starts.
func (n *Runner) Before(text string, f func(context.Context)) {
	n.locked(func() { n.before[text] = f })
}

// Guard says what the guard with this phrase finds.
func (n *Runner) Guard(phrase string, e flows.Evidence) { n.locked(func() { n.guards[phrase] = e }) }

// Save makes the step with these words save a variable.
func (n *Runner) Save(text, name, value string) {
	n.locked(func() { n.saves[text] = [2]string{name, value} })
}

// Cost says what the step with these words spends.
func (n *Runner) Cost(text string, actions, calls int) {
	n.locked(func() { n.cost[text] = [2]int{actions, calls} })
}

// SetDecider names the decider; empty is none.
func (n *Runner) SetDecider(name string) { n.locked(func() { n.name = name }) }

// Requests gives every run's request so far.
func (n *Runner) Requests() []flows.Request {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]flows.Request(nil), n.requests...)
}

// Presses gives the evidence of every guard pressed so far.
func (n *Runner) Presses() []flows.Evidence {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]flows.Evidence(nil), n.presses...)
}

// Decider implements controller.Runner.
func (n *Runner) Decider() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.name
}

// Run implements controller.Runner.
func (n *Runner) Run(ctx context.Context, place surfaces.Surface, req flows.Request) flows.Result {
	var script Script
	n.locked(func() {
		n.requests = append(n.requests, req)
		if len(n.scripts) > 0 {
			script, n.scripts = n.scripts[0], n.scripts[1:]
		}
	})
	p := place.(*Place)
	if err := p.Touch(); err != nil {
		return flows.Result{Stop: flows.StepFailed, Failed: strconv.Itoa(max(req.FirstStep, 1)), Code: fault.CodeOf(err), Reason: err.Error()}
	}
	if script != nil {
		return script(ctx, p, req)
	}
	return n.walk(ctx, req)
}

// Evidence implements controller.Runner.
func (n *Runner) Evidence(_ context.Context, _ surfaces.Surface, req flows.Request, path string) (*flows.Evidence, *flows.Seen, error) {
	seen := &flows.Seen{Side: surfaces.Browser, Lines: []string{}, Fields: []flows.SeenField{}}
	if len(req.Flow.Steps) == 0 {
		return nil, seen, fault.New(fault.ElementNotFound, "no such guard")
	}
	e := n.evidence(req, path, req.Flow.Steps[0].Text)
	return &e, seen, nil
}

func (n *Runner) locked(f func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f()
}

// walk does the steps one after the other.
func (n *Runner) walk(ctx context.Context, req flows.Request) flows.Result {
	res := flows.Result{Stop: flows.Completed, Vars: map[string]string{}}
	for i, s := range req.Flow.Steps {
		path := strconv.Itoa(req.Number(i))
		res.StandIn = 0
		if i < req.Guidance {
			res.StandIn = i + 1
		}
		if len(req.Flow.Steps) == 1 && req.Approved != nil {
			path = req.Approved.Step
		}
		select {
		case <-req.StopAtBoundary:
			res.Stop, res.Failed = flows.Halted, path
			return res
		default:
		}
		if ctx.Err() != nil {
			res.Stop, res.Failed = flows.Cancelled, path
			return res
		}
		if !n.step(ctx, req, path, s, &res) {
			return res
		}
	}
	return res
}

// step does one step; false ends the run.
func (n *Runner) step(ctx context.Context, req flows.Request, path string, s flows.Step, res *flows.Result) bool {
	text := Words(s)
	rep := flows.StepReport{Step: path, StandIn: res.StandIn, Kind: s.Kind, Text: text, Side: surfaces.Browser, App: req.Flow.App, Outcome: flows.OutcomeRunning}
	n.report(req, rep)
	var before func(context.Context)
	var fail *flows.Result
	var cost [2]int
	n.locked(func() {
		before, cost = n.before[text], n.cost[text]
		if queue := n.fails[text]; len(queue) > 0 {
			fail, n.fails[text] = &queue[0], queue[1:]
		}
	})
	if before != nil {
		before(ctx)
	}
	res.Actions += cost[0]
	res.Calls += cost[1]
	rep.DeciderCalls = cost[1]
	rep.Actions = make([]flows.ActionNote, cost[0])
	if ctx.Err() != nil {
		res.Stop, res.Failed = flows.Cancelled, path
		return false
	}
	if fail != nil {
		n.fail(res, *fail, path)
	} else if s.Kind == flows.KindStopBefore && !safety.SignInOnly(s.Text) {
		n.guard(req, path, s.Text, res)
	}
	n.locked(func() {
		if saved, ok := n.saves[text]; ok && res.Stop == flows.Completed {
			res.Vars[saved[0]] = saved[1]
			res.Saved = append(res.Saved, saved[0])
		}
	})
	rep.Outcome, rep.Note = flows.OutcomeDone, res.Reason
	switch {
	case res.Stop == flows.Stopped:
		rep.Outcome = flows.OutcomeGated
	case res.Stop != flows.Completed:
		rep.Outcome = flows.OutcomeFailed
	}
	n.report(req, rep)
	return res.Stop == flows.Completed
}

func (n *Runner) fail(res *flows.Result, f flows.Result, path string) {
	res.Stop, res.Reason, res.Code, res.Refused, res.RefusedFor = f.Stop, f.Reason, f.Code, f.Refused, f.RefusedFor
	res.Failed = path
	if f.Failed != "" {
		res.Failed = f.Failed
	}
	if res.Stop == "" {
		res.Stop = flows.StepFailed
	}
}

// guard stops in front of its control, or presses it with permission.
func (n *Runner) guard(req flows.Request, path, phrase string, res *flows.Result) {
	e := n.evidence(req, path, phrase)
	pays := safety.Classify(phrase) == safety.Payment || safety.Classify(e.Control.Name) == safety.Payment
	allowed := !e.Blind() && (req.AllowDestructive && !pays || req.Approved != nil && (!pays || req.PaymentApproved))
	if req.Approved != nil && req.Approved.Digest() != e.Digest() {
		allowed, res.Differs = false, req.Approved.Differs(&e)
	}
	if !allowed {
		res.Stop, res.Failed, res.Pending = flows.Stopped, path, &e
		return
	}
	if req.AroundPress != nil {
		sent, err := req.AroundPress(e)
		if err != nil {
			res.Stop, res.Failed, res.Code, res.Reason = flows.StepFailed, path, fault.CodeOf(err), err.Error()
			return
		}
		defer sent(true)
	}
	n.locked(func() { n.presses = append(n.presses, e) })
	res.Pressed = true
}

func (n *Runner) evidence(req flows.Request, path, phrase string) flows.Evidence {
	n.mu.Lock()
	defer n.mu.Unlock()
	e, ok := n.guards[phrase]
	if !ok {
		e = flows.Evidence{Control: flows.EvidenceControl{Role: "button", Name: "Send"}, Class: safety.ActOf(phrase, "Send")}
	}
	e.Task, e.Step, e.Phrase, e.Side = req.Task, path, phrase, surfaces.Browser
	return e
}

func (n *Runner) report(req flows.Request, rep flows.StepReport) {
	if req.Observer != nil {
		req.Observer.Step(rep)
	}
}

// Words are a step's own words as the fake runner knows them.
func Words(s flows.Step) string {
	switch s.Kind {
	case flows.KindEnter:
		if len(s.Slots) > 0 {
			return s.Slots[0].Name
		}
		return ""
	case flows.KindChoose, flows.KindRead, flows.KindExtract:
		return s.What
	case flows.KindPick:
		return s.From
	case flows.KindRepeatUntil, flows.KindIf:
		return s.Condition
	case flows.KindOpen, flows.KindBrowse, flows.KindDo, flows.KindVerify, flows.KindWaitFor, flows.KindStopBefore:
		return s.Text
	default:
		return s.Text
	}
}
