package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

// plain is the desk in lines: the same questions and the same arming as the
// full screen, without redraw (desk.md section 5). One goroutine owns it.
type plain struct {
	*command
	desk    controller.Desk
	holder  int     // the process whose desk this is; 0: our own. Another's is not answered here
	wait    bool    // for what is answered there
	only    task.ID // 0: every task
	endless bool    // stays when nothing runs or waits
	views   map[task.ID]task.View
	asked   *asking
	leaving bool               // /quit was said with tasks under way: once more leaves
	release bool               // and their browsers are closed
	later   map[task.ID]uint64 // put off at this revision
}

// errLeft ends the loop because the person left; what waits keeps waiting.
var errLeft = errors.New("left")

func newPlain(c *command, d controller.Desk) *plain {
	return &plain{command: c, desk: d, views: map[task.ID]task.View{}, later: map[task.ID]uint64{}}
}

// one follows a single task to its end and returns the command's exit code.
func (p *plain) one(ctx context.Context, started task.View) (int, error) {
	id := started.ID
	p.only = id
	err := p.loop(ctx, map[task.ID]uint64{id: 0})
	j := job{Opened: &Opened{Desk: p.desk, Holder: p.holder}, view: started}
	if last, seen := p.views[id]; seen {
		j.view = last
	}
	switch {
	case ctx.Err() != nil:
		return p.interrupted(ctx, j, ctx.Err())
	case err != nil && !errors.Is(err, errLeft):
		return p.parted(j, err)
	}
	report, err := p.desk.TaskReport(ctx, id, false)
	if err != nil {
		return p.parted(j, err)
	}
	p.printOutcome(report)
	return exitCode(report), nil
}

// all is the desk in lines; with ending it is over once nothing runs or waits,
// and leaving it asks nothing. Release reports whether the person wants the
// browsers of what waits closed.
func (p *plain) all(ctx context.Context, notice string, ending bool) (release bool, err error) {
	p.endless = !ending
	if notice != "" {
		p.printf("%s\n", notice)
	}
	if p.holder != 0 {
		p.printf("Attached to %s: it shows everything and is answered there.\n", process(p.holder))
	}
	p.printf("%s\n", plainHelp)
	err = p.loop(ctx, nil)
	if errors.Is(err, errLeft) || ctx.Err() != nil {
		return p.release, nil
	}
	return p.release, err
}

func (p *plain) loop(ctx context.Context, from map[task.ID]uint64) error {
	watching, stop := context.WithCancel(ctx)
	defer stop()
	events := p.events(watching, from)
	var lines <-chan line
	if p.io.Terminal {
		lines = readLines(p.io.In)
	}
	for {
		if err := p.askNext(ctx); err != nil {
			return err
		}
		if p.over() {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case heard := <-events:
			if heard.err != nil {
				return heard.err
			}
			p.hear(heard.batch)
		case l, open := <-lines:
			if !open {
				return errLeft
			}
			if err := p.typed(ctx, l); err != nil {
				return err
			}
		case <-p.asked.timer():
			p.asked.tick(p)
		}
	}
}

// heard is what one reading of the stream gave: events, or its end.
type heard struct {
	batch []task.Entry
	err   error
}

// events reads the stream on its own goroutine, which ends with the stream or
// with ctx.
func (p *plain) events(ctx context.Context, from map[task.ID]uint64) <-chan heard {
	stream := p.desk.Watch(ctx, from)
	out := make(chan heard)
	go func() {
		for {
			batch, err := stream.Next(ctx)
			select {
			case out <- heard{batch, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}

// hear prints what happened; a question whose task moved on is withdrawn.
func (p *plain) hear(batch []task.Entry) {
	for _, e := range batch {
		if p.only != 0 && e.Task != p.only {
			continue
		}
		switch {
		case e.View != nil:
			p.sawView(*e.View)
		case e.Report != nil && e.Report.Outcome != flows.OutcomeRunning:
			p.say(e.Task, stepLine(*e.Report))
		case e.Event == task.EventGone:
			delete(p.views, e.Task)
		case e.Health != nil && e.Health.Store != "ok":
			p.printf("! the store answers %s\n", clean(e.Health.Store))
		}
	}
}

func (p *plain) sawView(v task.View) {
	before, known := p.views[v.ID]
	if known && v.Revision < before.Revision {
		return
	}
	p.views[v.ID] = v
	if strings.HasPrefix(v.Summary, "Rescue ") && v.Summary != before.Summary {
		p.say(v.ID, clean(v.Summary))
	}
	if len(v.Status.Result) > 0 && len(before.Status.Result) == 0 {
		p.say(v.ID, "result  "+clean(string(v.Status.Result)))
	}
	if !known || before.Status.State != v.Status.State || before.Status.Digest != v.Status.Digest {
		p.say(v.ID, fmt.Sprintf("%s  %s", word(v), clean(v.Summary)))
	}
	if p.asked != nil && p.asked.task == v.ID && p.asked.moved(v) {
		p.drop()
		p.say(v.ID, "the question is gone")
	}
}

// say prints a line of a task, named where several are shown.
func (p *plain) say(id task.ID, s string) {
	if p.only != 0 {
		p.printf("%s\n", s)
		return
	}
	p.printf("%s  %s\n", id, s)
}

// over reports whether nothing is left to follow.
func (p *plain) over() bool {
	if p.endless || len(p.views) == 0 || p.asked != nil {
		return false
	}
	for _, v := range p.views {
		if v.Status.State == task.Running || waits(v) && (p.asks() || p.holder != 0 && p.wait) {
			return false
		}
	}
	return true
}

// asks reports whether questions are put and answered here.
func (p *plain) asks() bool { return p.io.Terminal && p.holder == 0 }

// waits reports whether a person can still do something for the task.
func waits(v task.View) bool {
	return v.Status.Waits() && (slices.Contains(v.Next, task.OpContinue) || slices.Contains(v.Next, task.OpCancel))
}

// oldest is the task that has waited longest and was not put off.
func (p *plain) oldest() (task.View, bool) {
	var found task.View
	for _, v := range p.views {
		if !waits(v) || p.later[v.ID] == v.Revision {
			continue
		}
		if found.ID == 0 || v.SinceAt < found.SinceAt || v.SinceAt == found.SinceAt && v.ID < found.ID {
			found = v
		}
	}
	return found, found.ID != 0
}

const plainHelp = "Commands: /list, /go t-1, /later, /cancel, /start FLOW.json, /quit, /help."

// typed takes one line: a command, or the answer to what is asked.
func (p *plain) typed(ctx context.Context, l line) error {
	if rest, ok := strings.CutPrefix(strings.TrimSpace(l.text), "/"); ok && !p.asked.secret() {
		return p.order(ctx, strings.Fields(rest))
	}
	if p.asked == nil {
		if strings.TrimSpace(l.text) != "" && p.holder != 0 {
			p.refused(fault.Newf(fault.AnswerAtTheDesk, "answered only at %s", process(p.holder)))
			return nil
		}
		if strings.TrimSpace(l.text) != "" {
			p.printf("nothing is asked now. %s\n", plainHelp)
		}
		return nil
	}
	return p.answer(ctx, l)
}

func (p *plain) order(ctx context.Context, words []string) error {
	if len(words) == 0 {
		words = []string{"help"}
	}
	switch words[0] {
	case "quit":
		return p.quit(words[1:])
	case "list":
		p.list()
	case "later":
		if p.asked != nil {
			p.later[p.asked.task] = p.views[p.asked.task].Revision
			p.drop()
		}
	case "go":
		p.goTo(words[1:])
	case "cancel":
		return p.cancelTask(ctx, words[1:])
	case "start":
		p.start(ctx, words[1:])
	default:
		p.printf("%s\n", plainHelp)
	}
	return nil
}

// quit leaves at once where leaving touches no task; else it asks once whether
// the browsers stay open.
func (p *plain) quit(words []string) error {
	p.release = slices.Equal(words, []string{"close"})
	left := p.only != 0 || !p.endless || p.holder != 0 || p.leaving || p.release
	for _, v := range p.views {
		if !left && (v.Status.State == task.Running || waits(v)) {
			p.leaving = true
			p.printf("Nothing is answered by leaving. What runs stops at its next step; what waits is asked again at the next start.\n" +
				"/quit again leaves and keeps their browsers open until then; /quit close closes them.\n")
			return nil
		}
	}
	return errLeft
}

// list prints the tasks, waiting ones first, oldest wait first.
func (p *plain) list() {
	views := make([]task.View, 0, len(p.views))
	for _, v := range p.views {
		views = append(views, v)
	}
	slices.SortFunc(views, func(a, b task.View) int {
		if waits(a) != waits(b) {
			if waits(a) {
				return -1
			}
			return 1
		}
		return int(a.ID) - int(b.ID)
	})
	for _, v := range views {
		p.printf("%s  %s  %s\n", v.ID, word(v), clean(v.Title+": "+v.Summary))
	}
}

// named is the task a command means: the one given, else the one that asks.
func (p *plain) named(words []string) (task.ID, bool) {
	if len(words) == 0 {
		if p.asked != nil {
			return p.asked.task, true
		}
		return p.only, p.only != 0
	}
	id, err := task.ParseID(words[0])
	if _, known := p.views[id]; err != nil || !known {
		p.printf("no task %s here; /list names them\n", clean(words[0]))
		return 0, false
	}
	return id, true
}

func (p *plain) goTo(words []string) {
	id, ok := p.named(words)
	if !ok {
		return
	}
	if !waits(p.views[id]) {
		p.printf("%s waits for nothing\n", id)
		return
	}
	for other, v := range p.views {
		if other != id {
			p.later[other] = v.Revision
		}
	}
	delete(p.later, id)
	p.drop()
}

func (p *plain) cancelTask(ctx context.Context, words []string) error {
	id, ok := p.named(words)
	if !ok {
		return nil
	}
	view, err := p.desk.CancelTask(ctx, id, "")
	if err != nil {
		p.refused(err)
		return nil
	}
	p.drop()
	p.sawView(view)
	return nil
}

// start runs a flow file beside the tasks that are there.
func (p *plain) start(ctx context.Context, words []string) {
	if len(words) != 1 || p.only != 0 {
		p.printf("/start takes one flow file\n")
		return
	}
	raw, err := p.readFlow(words[0])
	if err == nil {
		err = isJSON(raw)
	}
	if err == nil {
		settings, _, failing := p.settings()
		req := task.StartRequest{Task: task.PurposeOf(words[0]), Flow: raw}
		req.Constraints.Headed = settings.Headed
		browserDefaults(&req.Constraints, settings)
		if err = failing; err == nil {
			_, err = p.desk.StartTask(ctx, req)
		}
	}
	if err != nil {
		p.refused(err)
	}
}

func (p *plain) printOutcome(r task.Report) {
	v := r.View
	if p.views[v.ID].Revision != v.Revision { // else it was the last thing said
		p.printf("%s  %s\n", word(v), clean(v.Summary))
	}
	if v.Status.State == task.Failed {
		p.printf("reason: %s\nhint: %s\n", clean(v.Status.Reason), clean(v.Status.Hint))
	}
	for _, name := range sortedKeys(r.Records) {
		p.printf("%s\n", clean(name))
		for _, row := range r.Records[name] {
			p.printf("  %s\n", rowLine(row))
		}
	}
	if exitCode(r) == ExitWaiting && p.holder != 0 {
		p.printf("%s waits at %s; answer it there, or `countersign cancel %s` to end it\n", v.ID, process(p.holder), v.ID)
		return
	}
	if exitCode(r) == ExitWaiting {
		p.printf("%s waits in the store; open the desk to answer, or `countersign cancel %s` to end it\n", v.ID, v.ID)
	}
}

// timeShown is how long an answerable question stood there.
func timeShown(since time.Time) int64 { return time.Since(since).Milliseconds() }
