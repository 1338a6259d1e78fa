package controller

import (
	"context"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/facts"
	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/origin"
)

// StartTask implements Operations. The checks run in the order of tasks.md
// 2.3; capacity is last, so that a bad request evicts nothing.
func (c *Controller) StartTask(_ context.Context, req task.StartRequest) (task.View, error) {
	if err := checkShape(req); err != nil {
		return task.View{}, err
	}
	set, err := factsOf(req)
	if err != nil {
		return task.View{}, err
	}
	if err := checkOrigins(req.Constraints); err != nil {
		return task.View{}, err
	}
	if err := c.checkOutput(req.Output); err != nil {
		return task.View{}, err
	}
	checked := flows.Checked{}
	if len(req.Flow) > 0 {
		checked = checkFlow(req.Flow, set, req.Constraints.Payment)
		if len(checked.Errors) > 0 {
			return task.View{}, invalidFlow(checked.Errors)
		}
	}
	return c.admit(accepted(req, set), set, checked)
}

// admit gives the request a slot and an id, stores its first state and starts
// its cell.
func (c *Controller) admit(req task.StartRequest, set *facts.Set, checked flows.Checked) (task.View, error) {
	c.admission.Lock()
	defer c.admission.Unlock()
	if c.isClosed() {
		return task.View{}, errClosed()
	}
	if err := c.makeRoom(); err != nil {
		return task.View{}, err
	}
	id, err := c.opts.Store.Allocate()
	if err != nil {
		c.hub.storeHealth(err)
		return task.View{}, fault.Of(err)
	}
	rec := task.Record{ID: id, Request: req, Flow: req.Flow, Values: []task.Value{}}
	rec.View = task.View{ID: id, StartedAt: nowMS()}
	t := newCell(c, rec, set)
	t.flow = checked.Flow
	t.rec.View.Title = t.title()
	d := t.draft()
	run := t.first(d, checked)
	if err := t.commit(d); err != nil {
		return task.View{}, err
	}
	view := t.view()
	if err := c.own(t); err != nil {
		return task.View{}, err
	}
	if run {
		t.post(func() { t.advance(at(1)) })
	}
	return view, nil
}

// first puts the state a task starts in into its draft; true when it runs.
func (t *cell) first(d *draft, checked flows.Checked) bool {
	switch {
	case len(t.rec.Flow) == 0 && t.c.opts.Planner != nil:
		d.become(task.Status{State: task.Running}, planningNow)
		return true
	case len(t.rec.Flow) == 0:
		d.become(task.Status{State: task.NeedsPlan, Guide: flows.Guide()}, "Waiting for a flow, since planning is off.")
		return false
	case len(checked.Missing) > 0:
		t.askInputs(d, fieldsOf(checked.Missing))
		return false
	}
	d.become(task.Status{State: task.Running}, "Starting.")
	return true
}

// accepted is the request as it is kept: secret values are taken out, of its
// words too, and their names stay.
func accepted(req task.StartRequest, set *facts.Set) task.StartRequest {
	secrets := slices.Concat(req.SecretFacts, set.SecretNames())
	slices.Sort(secrets)
	req.SecretFacts = slices.Compact(secrets)
	req.Facts = set.SharedValues()
	req.Task = set.Mask(req.Task)
	if req.Output != nil {
		req.Output = &task.Output{Instructions: set.Mask(req.Output.Instructions), Schema: mapStrings(req.Output.Schema, set.Mask)}
	}
	return req
}

// factsOf takes the facts of a request; blank values count as not given.
func factsOf(req task.StartRequest) (*facts.Set, error) {
	given := maps.Clone(req.Facts)
	maps.DeleteFunc(given, func(_, v string) bool { return strings.TrimSpace(v) == "" })
	var secrets []string
	for _, name := range req.SecretFacts {
		if _, ok := req.Facts[name]; !ok {
			return nil, fault.Newf(fault.UnknownSecret, "secret_facts names %q, which is no fact", name)
		}
		if _, ok := given[name]; ok {
			secrets = append(secrets, name)
		}
	}
	return facts.New(given, secrets)
}

func checkShape(req task.StartRequest) error {
	if strings.TrimSpace(req.Task) == "" && len(req.Flow) == 0 {
		return fault.New(fault.InvalidRequest, "a start needs a task or a flow")
	}
	if req.Output != nil && strings.TrimSpace(req.Output.Instructions) == "" {
		return fault.New(fault.InvalidRequest, "output needs instructions")
	}
	if err := checkBudget(req.Budget); err != nil {
		return err
	}
	return checkConstraints(req.Constraints)
}

func checkConstraints(con task.Constraints) error {
	switch con.Payment {
	case "", flows.StopAtPayment, flows.FillThenApprove:
	default:
		return fault.New(fault.InvalidRequest, "constraints.payment is stop_at_payment or fill_then_approve")
	}
	if err := checkSurfaces("constraints.surfaces", con.Surfaces); err != nil {
		return err
	}
	if con.ApprovalDeadlineMS < 0 {
		return fault.New(fault.InvalidRequest, "constraints.approval_deadline_ms is negative")
	}
	if _, err := origin.Parse(con.Origins); err != nil {
		return err
	}
	return checkBrowser(con)
}

func checkSurfaces(field string, sides []string) error {
	for _, side := range sides {
		if s := surfaces.Side(side); s != surfaces.Browser && s != surfaces.Desktop {
			return fault.Newf(fault.InvalidRequest, "%s: %q is neither browser nor desktop", field, side)
		}
	}
	return nil
}

func checkBrowser(con task.Constraints) error {
	if con.BrowserEndpoint != "" {
		if con.BrowserExecutable != "" || con.BrowserProfile != "" {
			return fault.New(fault.InvalidRequest, "browser_endpoint excludes browser_executable and browser_profile")
		}
		u, err := url.Parse(con.BrowserEndpoint)
		if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme) {
			return fault.New(fault.InvalidRequest, "browser_endpoint is no http or ws address")
		}
	}
	if con.BrowserProfile != "" && !filepath.IsAbs(con.BrowserProfile) {
		return fault.New(fault.InvalidRequest, "browser_profile is no absolute path")
	}
	if con.BrowserExecutable == "" {
		return nil
	}
	if !filepath.IsAbs(con.BrowserExecutable) {
		return fault.New(fault.InvalidRequest, "browser_executable is no absolute path")
	}
	info, err := os.Stat(con.BrowserExecutable)
	if err != nil || info.IsDir() || info.Mode().Perm()&0o111 == 0 {
		return fault.New(fault.InvalidRequest, "browser_executable is no file that can be run")
	}
	return nil
}

func checkOrigins(con task.Constraints) error {
	if con.Payment != flows.FillThenApprove {
		return nil
	}
	list, err := origin.Parse(con.Origins)
	if err != nil || !list.Named() {
		return fault.New(fault.OriginsRequired, "filling in payment details needs named sites")
	}
	return nil
}

// checkFlow is the one door to the validator: at start, after inputs, at load.
func checkFlow(raw []byte, set *facts.Set, payment flows.Payment) flows.Checked {
	if payment == "" {
		payment = flows.StopAtPayment
	}
	return flows.Check(raw, set.Names(), set.SecretNames(), set.IsCardData, payment)
}

// invalidFlow lists every error with its path.
func invalidFlow(errors []flows.Problem) *fault.Error {
	return fault.New(fault.InvalidFlow, problems(errors))
}

func problems(list []flows.Problem) string {
	lines := make([]string, len(list))
	for i, p := range list {
		lines[i] = strings.TrimSpace(p.Path + " " + p.Code + ": " + p.Message)
	}
	return strings.Join(lines, "; ")
}

// title is the task's text, else its first step's words.
func (t *cell) title() string {
	if text := strings.TrimSpace(t.rec.Request.Task); text != "" {
		return text
	}
	if len(t.flow.Steps) == 0 {
		return ""
	}
	return t.spelled(t.flow.Steps[0])
}
