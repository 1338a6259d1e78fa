package controller

import (
	"context"
	"strings"
	"sync"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/facts"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// findWall looks for a wall only a person can pass, and gives the visible text, after a top-level step has
// failed and nothing else explains it (tasks.md 4.5). On the run's goroutine.
func findWall(ctx context.Context, place surfaces.Place, res flows.Result) (string, []string) {
	if res.Stop != flows.StepFailed || nested(res.Failed) || ctx.Err() != nil ||
		res.Code == fault.BrowserUnavailable || res.Code == fault.NoSuchSession {
		return "", nil
	}
	lines := place.VisibleText(ctx)
	sign, found := safety.FindWall(lines)
	if !found {
		return "", lines
	}
	return sign.Reason, lines
}

// needHuman pauses for a wall; the failed step runs again afterwards.
func (t *cell) needHuman(d *draft, e ending) {
	d.rec.Resume = t.resume(task.ResumeRetry, e.again)
	d.at(t.currentAt(e.at))
	d.become(task.Status{State: task.NeedsHuman, Reason: e.wall}, "A person must "+e.wall+".")
	t.ask(d, nil, nil)
}

// goOn resumes after a wall or a checkpoint.
func (t *cell) goOn(req task.ContinueRequest, answer string) error {
	d := t.draft()
	t.answered(d, task.DecisionApproved, answer, req.Answer, req)
	t.resumed(d)
	from := at(d.rec.Cursor + 1)
	if d.rec.Resume != nil {
		from = spotOf(d.rec.Resume)
	}
	lost := t.status().Kind == task.CheckpointSideLost
	d.rec.Resume = goingOn(d.rec.Resume)
	d.become(task.Status{State: task.Running}, "Going on.")
	if err := t.commit(d); err != nil {
		return err
	}
	t.advanceOn(from, lost)
	return nil
}

// looks keeps quiet looks and runs apart: a look reads the surface, which
// would make the references of a run's own reading stale.
type looks struct {
	mu     sync.Mutex // guards the rest
	parent context.Context
	now    *batch
}

// batch is the looks that began since the last run.
type batch struct {
	ctx    context.Context // ends when a run starts
	cancel context.CancelFunc
	open   int
	quiet  chan struct{} // closed once cancelled and empty
}

func newBatch(parent context.Context) *batch {
	b := &batch{quiet: make(chan struct{})}
	b.ctx, b.cancel = context.WithCancel(parent)
	return b
}

// begin gives a look its context, and what to call when it is over.
func (l *looks) begin(ctx context.Context) (context.Context, func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.now
	b.open++
	look, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(b.ctx, cancel)
	return look, func() {
		stop()
		cancel()
		l.mu.Lock()
		defer l.mu.Unlock()
		b.open--
		if b.ctx.Err() != nil && b.open == 0 {
			close(b.quiet)
		}
	}
}

// end cancels the looks under way; the channel closes when they are gone.
func (l *looks) end() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.now
	b.cancel()
	if b.open == 0 {
		close(b.quiet)
	}
	l.now = newBatch(l.parent)
	return b.quiet
}

// Look implements Desk.
func (c *Controller) Look(ctx context.Context, id task.ID) (task.Look, error) {
	t, err := c.cell(id)
	if err != nil {
		return task.Look{}, err
	}
	var q *quietLook
	if err := t.call(ctx, func() error {
		q, err = t.prepareLook(ctx)
		return err
	}); err != nil {
		return task.Look{}, err
	}
	defer q.done()
	return q.read(), nil
}

// quietLook is all one look needs, taken from the cell before it starts.
type quietLook struct {
	t      *cell
	ctx    context.Context // ends with the caller's, or when a run starts
	done   func()
	place  surfaces.Place
	app    string
	set    *facts.Set
	req    flows.Request
	resume *task.Resume // of an open approval or unknown outcome
	blind  bool         // a forgotten secret could be on the screen: what fields hold is withheld
	typing bool         // a person fills in a payment there: what fields hold is theirs
}

func (t *cell) prepareLook(ctx context.Context) (*quietLook, error) {
	if t.run != nil || t.status().State == task.Running {
		return nil, fault.New(fault.NotWaiting, "the task is running")
	}
	q := &quietLook{
		t: t, app: t.lastApp(), set: t.facts, blind: len(t.unknownSecrets()) > 0,
		typing: t.status().Kind == task.CheckpointPayment,
	}
	if t.holding() {
		if err := t.openPlace(); err != nil {
			return nil, err
		}
		q.place = t.place
	}
	if r := t.rec.Resume; r != nil && r.Evidence != nil {
		copied := *r
		q.resume = &copied
		q.req = t.request(&run{leg: leg{at: spotOf(r), alone: true, signed: r.Evidence}, ctx: ctx, boundary: make(chan struct{})})
		q.req.AroundPress, q.req.Observer = nil, nil
	}
	q.ctx, q.done = t.looks.begin(ctx)
	return q, nil
}

// read looks without pressing anything and without touching the task.
func (q *quietLook) read() task.Look {
	look := task.Look{Wall: task.WallCannotTell}
	if q.place == nil {
		return look
	}
	lines := q.place.VisibleText(q.ctx)
	if len(lines) == 0 { // nothing was observed yet, after a restart
		if _, failure := q.place.Observe(q.ctx, q.app, "", surfaces.Full); failure == nil {
			lines = q.place.VisibleText(q.ctx)
		}
	}
	reach := q.place.Reach() // after a restart only the reading has found it again
	look.Endpoint, look.Address, look.Headed = reach.Endpoint, q.mask(reach.Address), reach.Headed
	if len(lines) > 0 {
		look.Wall = task.WallGone
		if _, found := safety.FindWall(lines); found {
			look.Wall = task.WallStillThere
		}
	}
	look.Screen = q.screen(lines, reach)
	if q.resume == nil {
		return look
	}
	now, seen, err := q.t.c.opts.Runner.Evidence(q.ctx, q.place, q.req, q.resume.Guard)
	if err != nil {
		if q.ctx.Err() == nil {
			look.Missed = fault.Of(err).Error()
		}
		return look
	}
	look.Evidence, look.Differs = now, q.resume.Evidence.Differs(now)
	if seen != nil {
		look.Screen = seen
	}
	return look
}

func (q *quietLook) mask(text string) string {
	text = q.set.Mask(text)
	if q.blind {
		text = facts.HideCards(text)
	}
	return text
}

// screen makes what VisibleText gave presentable; secrets are masked.
func (q *quietLook) screen(lines []string, reach surfaces.Reach) *flows.Seen {
	if len(lines) == 0 {
		return nil
	}
	seen := &flows.Seen{Side: q.place.Active(), Address: q.mask(reach.Address), Lines: []string{}, Fields: []flows.SeenField{}}
	for _, line := range lines {
		line = q.mask(line)
		if label, value, ok := strings.Cut(line, ` = "`); ok {
			if q.typing || q.blind {
				line, value = label, ""
			}
			seen.Fields = append(seen.Fields, flows.SeenField{Label: label, Value: strings.TrimSuffix(value, `"`)})
		}
		seen.Lines = append(seen.Lines, line)
	}
	return seen
}
