package flows

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"countersign/flows/decider"
	"countersign/flows/facts"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Runner carries out runs. It keeps nothing between them and is safe for
// concurrent use.
type Runner struct{ decider decider.Decider }

// NewRunner makes a runner on a decider; with nil every run fails with
// DECIDER_NOT_CONFIGURED.
func NewRunner(d decider.Decider) *Runner { return &Runner{decider: d} }

// Decider names what answers questions; empty when none is configured.
func (n *Runner) Decider() string {
	if n.decider == nil {
		return ""
	}
	return n.decider.Name()
}

// Run carries out req on place until the flow ends, stops or fails, or ctx
// ends; the partial result comes back in every case. Blocks; the observer and
// the press hook are called on this goroutine.
func (n *Runner) Run(ctx context.Context, place surfaces.Surface, req Request) Result {
	ctx, cancel := context.WithCancel(ctx)
	r := newRun(place, n.decider, req)
	defer r.close(cancel)
	if len(req.Flow.Steps) == 0 {
		r.result.Stop = Invalid
		r.result.Errors = []Problem{{Path: "steps", Code: "EMPTY_FLOW", Message: "a flow needs at least one step"}}
		return r.finish(nil)
	}
	for i, def := range req.Flow.Steps {
		r.at = i
		if err := r.one(ctx, def, r.topPath(req.Number(i))); err != nil {
			return r.finish(err)
		}
	}
	return r.finish(nil)
}

// topPath is the report path of a top-level step. A guard run alone to carry
// out a signature keeps the path it was signed under, which may be nested.
func (r *run) topPath(number int) string {
	path := strconv.Itoa(number)
	alone := len(r.req.Flow.Steps) == 1 && r.req.Flow.Steps[0].Kind == KindStopBefore
	if alone && r.req.Approved != nil && strings.HasPrefix(r.req.Approved.Step, path+".") {
		return r.req.Approved.Step
	}
	return path
}

// steps runs steps in order; path names the i-th.
func (r *run) steps(ctx context.Context, steps []Step, path func(i int) string) error {
	for i, def := range steps {
		if err := r.one(ctx, def, path(i)); err != nil {
			return err
		}
	}
	return nil
}

// one runs one step with its report: started, and ended however it ends.
func (r *run) one(ctx context.Context, def Step, path string) error {
	if err := r.boundary(ctx, path); err != nil {
		return err
	}
	s := r.step(def, path)
	r.reports = append(r.reports, s.report)
	s.started = time.Now()
	r.observeStep(s.report)

	outcome, note, err := s.carry(ctx)
	if s.told { // an if: its children have reports of their own
		return err
	}
	var end *ended
	if err != nil {
		end = s.asEnd(ctx, err)
		outcome, note = OutcomeFailed, end.note
		if end.stop == Stopped {
			outcome = OutcomeGated
		}
	}
	s.finishReport(outcome, note)
	if end == nil {
		return nil
	}
	return end
}

// step is a step that is about to begin, with its report.
func (r *run) step(def Step, path string) *step {
	return &step{
		run: r, path: path, def: def, from: len(r.history), typed: map[string]string{}, banned: map[string]bool{},
		presses: map[string]int{}, noKinds: map[string]bool{},
		report: &StepReport{
			Step: path, StandIn: r.req.standIn(r.at), Kind: def.Kind, Text: r.said(def), App: r.mask(r.app), Side: sideOf(r.app),
			Outcome: OutcomeRunning, Actions: []ActionNote{}, Loops: []string{}, Confidence: 1,
		},
	}
}

// boundary stops between two steps when asked to.
func (r *run) boundary(ctx context.Context, path string) error {
	if ctx.Err() != nil {
		return &ended{stop: Cancelled, path: path, note: "the run was cancelled"}
	}
	select {
	case <-r.req.StopAtBoundary: // a nil channel never is
		return &ended{stop: Halted, path: path, note: "the run was halted before this step"}
	default:
		return nil
	}
}

// carry launches the flow's app before the first step, then does the step.
func (s *step) carry(ctx context.Context) (Outcome, string, error) {
	if s.decider == nil {
		return "", "", failedWith(fault.New(fault.DeciderNotConfigured, "no decider is configured"))
	}
	if !s.launched {
		s.launched = true
		if err := s.launchFirst(ctx); err != nil {
			return "", "", err
		}
	}
	switch s.def.Kind {
	case KindOpen:
		return s.open(ctx)
	case KindBrowse:
		return s.browse(ctx)
	case KindDo:
		return s.plain(ctx)
	case KindEnter:
		return s.enter(ctx)
	case KindChoose:
		return s.choose(ctx)
	case KindRead:
		return s.read(ctx)
	case KindExtract:
		return s.extract(ctx)
	case KindPick:
		return s.pick(ctx)
	case KindVerify:
		return s.verify(ctx)
	case KindWaitFor:
		return s.waitFor(ctx)
	case KindStopBefore:
		return s.guard(ctx)
	case KindRepeatUntil:
		return s.repeat(ctx)
	case KindIf:
		return s.branch(ctx)
	default:
		return "", "", failed("%q is no kind of step", s.def.Kind)
	}
}

// asEnd makes any error the end of this step, and names the innermost step it
// happened in.
func (s *step) asEnd(ctx context.Context, err error) *ended {
	var end *ended
	if !errors.As(err, &end) {
		errors.As(failedWith(err), &end)
	}
	if ctx.Err() != nil && end.stop == StepFailed {
		end = &ended{stop: Cancelled, note: "the run was cancelled"}
	}
	if end.path == "" {
		end.path = s.path
		if end.stop == StepFailed && len(s.covers) > 0 {
			end.note += "; in the way: " + strings.Join(s.covers, ", ")
		}
	}
	return end
}

func (s *step) finishReport(outcome Outcome, note string) {
	s.settleChange(nil)
	if len(s.files) > 0 {
		note += "; downloaded " + strings.Join(s.files, ", ")
	}
	s.report.Outcome = outcome
	s.report.Note = s.mask(note)
	s.report.ElapsedMS = time.Since(s.started).Milliseconds()
	s.note("step %s (%s): %s, %s", s.path, s.report.Text, outcome, s.report.Note)
	s.observeStep(s.report)
}

// finish builds the result; err is how the run ended, nil when it completed.
func (r *run) finish(err error) Result {
	out := &r.result
	out.StandIn = r.req.standIn(r.at)
	var end *ended
	switch {
	case errors.As(err, &end):
		out.Stop, out.Failed, out.Code, out.Reason, out.Hint = end.stop, end.path, end.code, r.mask(end.note), r.mask(end.hint)
		switch {
		case end.stop == Stopped:
			out.Pending, out.Differs = end.evidence, end.differs
		case end.evidence != nil:
			out.Refused, out.RefusedFor = end.evidence, end.refusedFor
		}
	case out.Stop == "":
		out.Stop = Completed
	}
	out.Steps = make([]StepReport, len(r.reports))
	for i, rep := range r.reports {
		out.Steps[i] = *rep
	}
	out.Vars = map[string]string{}
	for name := range r.declared {
		if v, ok := r.shared(name); ok {
			out.Vars[name] = r.mask(v)
		}
	}
	for name, v := range r.saved {
		out.Vars[name] = r.mask(v)
	}
	out.Saved = r.order
	out.DialogLeftOpen, out.Facts = r.ownDialog, r.facts
	return *out
}

// observeStep hands a copy of the report over.
func (r *run) observeStep(rep *StepReport) {
	if r.req.Observer == nil {
		return
	}
	told := *rep
	told.Actions = append([]ActionNote{}, rep.Actions...)
	told.Loops = append([]string{}, rep.Loops...)
	r.req.Observer.Step(told)
}

// said is a step as a person would say it: its shared values filled in, what is
// not known yet and secrets as ${name}.
func (r *run) said(def Step) string {
	return r.mask(cut(facts.Expand(stepWords(def), r.shared), mostSaid))
}

// mostSaid is how many characters of a step's words a report keeps.
const mostSaid = 300

// stepWords is a step's words, its references unexpanded.
func stepWords(def Step) string {
	switch {
	case def.Kind == KindEnter:
		names := make([]string, len(def.Slots))
		for i, slot := range def.Slots {
			names[i] = slot.Name
		}
		return "fill in " + strings.Join(names, ", ")
	case def.Kind == KindChoose:
		return "choose " + def.Option + " for " + def.What
	case def.Kind == KindPick:
		return "from " + def.From + " by " + def.By
	case def.What != "":
		return def.What
	case def.Condition != "":
		return def.Condition
	}
	return def.Text
}
