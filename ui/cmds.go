package ui

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/ui/composer"
	"countersign/ui/decision"
)

// callTimeout bounds a call of the controller: a command cannot be cancelled
// from outside. Look may have to wait for a slow page.
const callTimeout = 20 * time.Second

// commands builds every command of the desk. A command captures values, never
// the model; a panic in one becomes a message, so that the terminal is always
// put right.
type commands struct {
	ctx   context.Context // the desk's own life
	desk  controller.Desk
	clock Clock
	opts  Options
	out   io.Writer // the terminal, for the bell and the clipboard
	// profile is what the terminal can draw of a picture.
	profile termenv.Profile
}

// guard runs work on the command's goroutine and turns a panic into a message.
func guard(work func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = crashMsg{newCrash(v)}
			}
		}()
		return work()
	}
}

// call is guard for a call of the controller.
func (c commands) call(work func(ctx context.Context) tea.Msg) tea.Cmd {
	return guard(func() tea.Msg {
		ctx, cancel := context.WithTimeout(c.ctx, callTimeout)
		defer cancel()
		return work(ctx)
	})
}

// after gives a message once d has passed, nothing when the desk ends first.
func (c commands) after(d time.Duration, msg func(at time.Time) tea.Msg) tea.Cmd {
	return guard(func() tea.Msg {
		select {
		case <-c.clock.After(d):
			return msg(c.clock.Now())
		case <-c.ctx.Done():
			return nil
		}
	})
}

func (c commands) second() tea.Cmd {
	return c.after(time.Second, func(at time.Time) tea.Msg { return secondMsg{at} })
}

func (c commands) arm(d time.Duration) tea.Cmd {
	return c.after(d, func(at time.Time) tea.Msg { return armMsg{at} })
}

func (c commands) describe() tea.Cmd {
	return c.call(func(ctx context.Context) tea.Msg {
		caps, err := c.desk.Describe(ctx)
		if err != nil {
			return nil // only the status line misses a word
		}
		m := describedMsg{surfaces: caps.Surfaces, planner: composer.Planner{Missing: !caps.PlannerConfigured}}
		if caps.PlannerModel != nil {
			m.planner.Name = caps.PlannerModel.Model
		}
		if caps.DecisionModel != nil {
			m.decider = caps.DecisionModel.Model
		}
		return m
	})
}

// plan has a task planned; stop ends that. It takes as long as the model does.
func (c commands) plan(nr int, req task.PlanRequest) (cmd tea.Cmd, stop context.CancelFunc) {
	ctx, stop := context.WithCancel(c.ctx)
	return guard(func() tea.Msg {
		defer stop()
		p, err := c.desk.PlanTask(ctx, req)
		return plannedMsg{nr: nr, plan: p, err: err}
	}), stop
}

func (c commands) report(id task.ID) tea.Cmd {
	return c.call(func(ctx context.Context) tea.Msg {
		r, err := c.desk.TaskReport(ctx, id, false)
		return reportMsg{id: id, report: r, err: err, at: c.clock.Now()}
	})
}

func (c commands) look(id task.ID, done bool) tea.Cmd {
	return c.call(func(ctx context.Context) tea.Msg {
		l, err := c.desk.Look(ctx, id)
		return lookMsg{id: id, look: l, err: err, done: done, at: c.clock.Now()}
	})
}

// answer carries an answer out.
func (c commands) answer(a decision.Answer) tea.Cmd {
	switch a.Verb {
	case decision.Continue:
		return c.call(func(ctx context.Context) tea.Msg {
			v, err := c.desk.ContinueTask(ctx, a.Continue)
			return answeredMsg{id: a.Task, view: v, err: err, said: a.Said, at: c.clock.Now()}
		})
	case decision.Cancel:
		return c.cancel(a.Task, a.Words, a.Said)
	case decision.LookThen:
		return c.look(a.Task, true)
	case decision.NoVerb, decision.Compose, decision.Forward:
		return nil
	default:
		return nil
	}
}

func (c commands) cancel(id task.ID, words, said string) tea.Cmd {
	return c.call(func(ctx context.Context) tea.Msg {
		v, err := c.desk.CancelTask(ctx, id, words)
		return answeredMsg{id: id, view: v, err: err, said: said, at: c.clock.Now()}
	})
}

func (c commands) forward(id task.ID) tea.Cmd {
	return c.call(func(ctx context.Context) tea.Msg {
		reach, err := c.desk.BringForward(ctx, id)
		return forwardedMsg{id: id, reach: reach, err: err, at: c.clock.Now()}
	})
}

func (c commands) halt() tea.Cmd {
	return c.call(func(ctx context.Context) tea.Msg {
		views, err := c.desk.Halt(ctx, true)
		return haltedMsg{views: views, err: err, at: c.clock.Now()}
	})
}

func (c commands) start(req task.StartRequest, path string) tea.Cmd {
	given := c.opts.Constraints
	given.Origins, given.Payment = req.Constraints.Origins, req.Constraints.Payment
	req.Constraints = given
	return c.call(func(ctx context.Context) tea.Msg {
		v, err := c.desk.StartTask(ctx, req)
		if err == nil {
			c.remember(path)
		}
		return startedMsg{view: v, err: err, at: c.clock.Now()}
	})
}

// copy puts text on the clipboard of the person's terminal (OSC 52).
func (c commands) copy(s string) tea.Cmd { return c.write(ansi.SetSystemClipboard(s)) }

func (c commands) write(s string) tea.Cmd {
	if c.out == nil {
		return nil
	}
	return guard(func() tea.Msg {
		_, _ = io.WriteString(c.out, s) // a terminal that is gone ends the program elsewhere
		return nil
	})
}
