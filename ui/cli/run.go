package cli

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

// runFlags are the flags of run; each maps to one field of the request.
type runFlags struct {
	task        string
	facts       []string
	secrets     []string
	surfaces    []string
	origins     []string
	payment     string
	destructive bool
	endpoint    string
	executable  string
	profile     string
	headed      bool
	maxActions  int
	maxCalls    int
	maxRescues  int
	maxElapsed  time.Duration
	output      string
	schema      string
	trace       bool
	wait        bool
}

func (c *command) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run FLOW.json|-, or run --task TEXT",
		Short: "Run one task, in lines",
		Long: "run starts one task and follows it to its end. Without a flow a planner writes one for --task; at\n" +
			"a terminal it is shown and can be edited before it starts. At a terminal it asks what the task needs;\n" +
			"with --json, or without a terminal, nothing is asked and a task that waits ends the command\n" +
			"with exit code 3, still waiting in the store. While a desk holds the store the task is started\n" +
			"there, and its questions are answered there; --wait goes on until they were.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && strings.TrimSpace(f.task) != "" {
				return nil
			}
			return oneArg("flow file")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.run(cmd.Context(), nil, f, cmd.Flags().Changed)
			}
			raw, err := c.readFlow(args[0])
			if err != nil {
				return err
			}
			if f.task == "" {
				f.task = task.PurposeOf(args[0])
			}
			return c.run(cmd.Context(), raw, f, cmd.Flags().Changed)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.task, "task", "", "the goal in plain `text`; without a flow, what to plan")
	fl.StringArrayVar(&f.facts, "fact", nil, "a fact as `NAME=VALUE`; may be repeated")
	fl.StringArrayVar(&f.secrets, "secret", nil, "a secret fact: `NAME` (asked without echo), NAME=@FILE or NAME=env:VAR")
	fl.StringArrayVar(&f.surfaces, "surface", nil, "`browser` or desktop; default every one available")
	fl.StringArrayVar(&f.origins, "origin", nil, "a `site` the task may open; may be repeated")
	fl.StringVar(&f.payment, "payment", "", "`stop_at_payment` (default) or fill_then_approve")
	fl.BoolVar(&f.destructive, "allow-destructive", false, "press irreversible controls without asking; never payment")
	fl.StringVar(&f.endpoint, "browser-endpoint", "", "attach to a running Chrome at this `address`")
	fl.StringVar(&f.executable, "browser-executable", "", "`path` of the browser")
	fl.StringVar(&f.profile, "browser-profile", "", "profile `folder` kept between tasks")
	fl.BoolVar(&f.headed, "headed", false, "show the browser, and allow the real pointer on the desktop")
	fl.IntVar(&f.maxActions, "max-actions", 0, "actions the task may perform")
	fl.IntVar(&f.maxCalls, "max-model-calls", 0, "decider calls the task may make")
	fl.IntVar(&f.maxRescues, "max-rescues", 0, "rescues the task may use")
	fl.DurationVar(&f.maxElapsed, "max-elapsed", 0, "working time, such as 5m")
	fl.StringVar(&f.output, "output", "", "how to shape the result, in `words`")
	fl.StringVar(&f.schema, "output-schema", "", "JSON Schema `file` of the result")
	fl.BoolVar(&f.trace, "trace", false, "keep every decision in the report")
	fl.BoolVar(&f.wait, "wait", false, "while a desk holds the store: wait until it was answered there")
	return cmd
}

func (c *command) run(ctx context.Context, flow []byte, f runFlags, changed func(string) bool) error {
	settings, _, err := c.settings()
	if err != nil {
		return err
	}
	req, err := c.request(ctx, flow, f, changed, settings)
	if err != nil {
		return err
	}
	opened, err := c.hold(ctx, settings)
	if err != nil {
		return err
	}
	code, err := c.carryOut(ctx, job{Opened: opened, wait: f.wait}, req)
	if opened.Holder == 0 {
		c.letOthersEnd(ctx, opened.Desk)
	}
	if closing := opened.Close(false); err == nil && closing != nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return exitError{code}
}

// carryOut starts what was asked for and follows it. A person who can be asked
// sees a plan before it starts.
func (c *command) carryOut(ctx context.Context, j job, req task.StartRequest) (int, error) {
	if req.Flow == nil && c.io.Terminal && !c.json {
		start, err := c.planFirst(ctx, j.Desk, &req)
		if err != nil || !start {
			return ExitDeclined, err
		}
	}
	return c.follow(ctx, j, req)
}

// request builds the StartTask request of run.
func (c *command) request(ctx context.Context, flow []byte, f runFlags, changed func(string) bool, s Settings) (task.StartRequest, error) {
	values, secrets, err := c.facts(ctx, f)
	if err != nil {
		return task.StartRequest{}, err
	}
	req := task.StartRequest{
		Task: f.task, Flow: flow, Facts: values, SecretFacts: secrets, Trace: f.trace,
		Constraints: task.Constraints{
			Payment: flows.Payment(f.payment), Surfaces: f.surfaces, Origins: f.origins, AllowDestructive: f.destructive,
			BrowserEndpoint: f.endpoint, BrowserExecutable: f.executable, BrowserProfile: f.profile, Headed: f.headed || s.Headed,
		},
	}
	if err := isJSON(flow); flow != nil && err != nil {
		return task.StartRequest{}, err
	}
	browserDefaults(&req.Constraints, s)
	limits(&req.Budget, f, changed)
	req.Output, err = output(f)
	return req, err
}

// isJSON refuses what no request can carry.
func isJSON(flow []byte) error {
	if json.Valid(flow) {
		return nil
	}
	message := "the flow is not JSON"
	if _, problems := flows.Decode(flow); len(problems) > 0 {
		message = problems[0].Message
	}
	return fault.New(fault.InvalidFlow, message)
}

// browserDefaults fills what neither flag nor request said from the
// configuration; an endpoint excludes executable and profile, so a flag for
// one side silences the other's default.
func browserDefaults(k *task.Constraints, s Settings) {
	if k.BrowserEndpoint == "" && k.BrowserExecutable == "" && k.BrowserProfile == "" {
		k.BrowserEndpoint = s.Endpoint
		if s.Endpoint == "" {
			k.BrowserProfile = s.Profile
		}
	}
}

func limits(b *task.Budget, f runFlags, changed func(string) bool) {
	if changed("max-actions") {
		b.MaxActions = &f.maxActions
	}
	if changed("max-model-calls") {
		b.MaxModelCalls = &f.maxCalls
	}
	if changed("max-rescues") {
		b.MaxRescues = &f.maxRescues
	}
	if changed("max-elapsed") {
		ms := f.maxElapsed.Milliseconds()
		b.MaxElapsedMS = &ms
	}
}

// job is one task of run, and where it runs.
type job struct {
	*Opened
	wait bool // for what is answered at the desk of Holder
	view task.View
}

// over reports whether nothing more is to be waited for here.
func (j job) over() bool {
	return settled(j.view.Status) && !(j.wait && j.Holder != 0 && waits(j.view))
}

// follow starts the task and goes with it to its end or to a wait that cannot
// be answered here.
func (c *command) follow(ctx context.Context, j job, req task.StartRequest) (int, error) {
	var err error
	if j.view, err = j.Desk.StartTask(ctx, req); err != nil {
		return 0, err
	}
	if c.json {
		return c.followJSON(ctx, j)
	}
	p := newPlain(c, j.Desk)
	p.holder, p.wait = j.Holder, j.wait
	return p.one(ctx, j.view)
}

// letOthersEnd stays while tasks run that other commands started here: leaving
// would interrupt them.
func (c *command) letOthersEnd(ctx context.Context, d controller.Desk) {
	for told := false; ctx.Err() == nil; told = true {
		views, err := d.ListTasks(ctx)
		i := slices.IndexFunc(views, func(v task.View) bool { return v.Status.State == task.Running })
		if err != nil || i < 0 {
			return
		}
		if !told {
			fprintf(c.io.Err, "staying until %s is over, which another command started here\n", views[i].ID)
		}
		_, _ = d.AwaitTask(ctx, views[i].ID, time.Minute) // the list says how it stands
	}
}

// followJSON prints one object a line until the task ends or waits.
func (c *command) followJSON(ctx context.Context, j job) (int, error) {
	id := j.view.ID
	watching, stop := context.WithCancel(ctx)
	defer stop()
	stream := j.Desk.Watch(watching, map[task.ID]uint64{id: 0})
	for !j.over() {
		entries, err := stream.Next(watching)
		if err != nil {
			return c.interrupted(ctx, j, err)
		}
		for _, e := range entries {
			if e.Task != id {
				continue
			}
			if err := c.printEvent(e); err != nil {
				return 0, err
			}
			if e.View != nil {
				j.view = *e.View
			}
		}
	}
	return c.finishJSON(ctx, j)
}

// settled reports whether a task has ended or waits for a person.
func settled(s task.Status) bool { return s.State != task.Running }

func (c *command) printEvent(e task.Entry) error {
	switch {
	case e.View != nil:
		return c.printJSON(struct {
			Event string     `json:"event"`
			View  *task.View `json:"view"`
		}{"view", e.View})
	case e.Report != nil && e.Report.Outcome != flows.OutcomeRunning:
		return c.printJSON(struct {
			Event  string            `json:"event"`
			Report *flows.StepReport `json:"report"`
		}{"step", e.Report})
	}
	return nil
}

func (c *command) finishJSON(ctx context.Context, j job) (int, error) {
	report, err := j.Desk.TaskReport(ctx, j.view.ID, true)
	if err != nil {
		return c.parted(j, err)
	}
	err = c.printJSON(struct {
		Event  string      `json:"event"`
		Report task.Report `json:"report"`
	}{"report", report})
	return exitCode(report), err
}

// parted ends a command whose desk has closed: the task stays in the store as
// it was last seen, or interrupted.
func (c *command) parted(j job, err error) (int, error) {
	if fault.CodeOf(err) != fault.DeskGone {
		return 0, err
	}
	c.tell(err)
	return exitCode(task.Report{View: j.view}), nil
}

// interrupted ends a command whose context was cancelled: the task stops at
// once and stays in the store as interrupted. At another process's desk it
// goes on.
func (c *command) interrupted(ctx context.Context, j job, err error) (int, error) {
	if ctx.Err() == nil || !errors.Is(err, context.Canceled) {
		return c.parted(j, err)
	}
	if j.Holder != 0 {
		fprintf(c.io.Err, "%s goes on at %s; `countersign cancel %s` ends it\n", j.view.ID, process(j.Holder), j.view.ID)
		return ExitInterrupted, nil
	}
	halting, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if _, err := j.Desk.Halt(halting, true); err != nil {
		return 0, err
	}
	if c.json {
		if _, err := c.finishJSON(halting, j); err != nil {
			return 0, err
		}
		return ExitInterrupted, nil
	}
	report, err := j.Desk.TaskReport(halting, j.view.ID, false)
	if err != nil {
		return 0, err
	}
	if exitCode(report) == ExitWaiting {
		fprintf(c.io.Err, "%s stays in the store; open the desk to go on with it, or `countersign cancel %s` to end it\n",
			j.view.ID, j.view.ID)
	}
	return ExitInterrupted, nil
}

// exitCode maps how a task stands to the exit codes of desk.md section 7.
func exitCode(r task.Report) int {
	s := r.View.Status
	switch s.State {
	case task.Done:
		return ExitDone
	case task.Failed:
		return ExitFailed
	case task.Cancelled:
		return ExitDeclined
	case task.Checkpoint:
		if !s.Continuable {
			return paymentExit(r.Decisions)
		}
		return ExitWaiting
	case task.Running, task.NeedsInput, task.NeedsApproval, task.NeedsHuman, task.NeedsPlan:
		return ExitWaiting
	default:
		return ExitFailed
	}
}

// paymentExit reads what the person said at a payment checkpoint.
func paymentExit(decisions []task.Decision) int {
	for i := len(decisions) - 1; i >= 0; i-- {
		switch decisions[i].Answer {
		case task.Paid:
			return ExitDone
		case task.NotPaid:
			return ExitDeclined
		}
	}
	return ExitWaiting
}
