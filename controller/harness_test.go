package controller_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"countersign/controller"
	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/safety"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is a controller on fakes, inside a bubble of fake time.
type desk struct {
	t *testing.T
	*controller.Controller
	store  *controllertest.Store
	runner *controllertest.Runner
	opener *controllertest.Opener

	planner, rescuer, shaper *controllertest.Chat // nil: none is configured
}

// inDesk runs a test on a fresh desk; every goroutine must be gone at its end.
func inDesk(t *testing.T, test func(*desk)) {
	t.Helper()
	inDeskWith(t, func(*desk) {}, test)
}

// inModelDesk is inDesk with a planner, a rescuer and a shaper.
func inModelDesk(t *testing.T, test func(*desk)) {
	t.Helper()
	inDeskWith(t, func(d *desk) {
		d.planner, d.rescuer, d.shaper = controllertest.NewChat("plan"), controllertest.NewChat("rescue"), controllertest.NewChat("shape")
	}, test)
}

func inDeskWith(t *testing.T, with, test func(*desk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &desk{t: t, store: controllertest.NewStore(), runner: controllertest.NewRunner(), opener: controllertest.NewOpener()}
		with(d)
		d.open()
		defer d.close()
		test(d)
	})
}

func (d *desk) open() {
	d.t.Helper()
	opts := controller.Options{Store: d.store, Runner: d.runner, Opener: d.opener, Version: "test"}
	if d.planner != nil {
		opts.Planner = d.planner
	}
	if d.rescuer != nil {
		opts.Rescuer = d.rescuer
	}
	if d.shaper != nil {
		opts.Shaper = d.shaper
	}
	c, err := controller.New(d.t.Context(), opts)
	if err != nil {
		d.t.Fatalf("New: %v", err)
	}
	d.Controller = c
	synctest.Wait()
}

func (d *desk) close() {
	if err := d.Close(); err != nil {
		d.t.Errorf("Close: %v", err)
	}
}

// crash ends the process as a kill would: nothing more reaches the store.
func (d *desk) crash() {
	d.store.Refuse(func(task.Change) error { return controllertest.Full() })
	d.close()
	d.store.Refuse(nil)
}

func (d *desk) restart() { d.close(); d.open() }

// start starts a task and lets it come to rest.
func (d *desk) start(req task.StartRequest) task.View {
	d.t.Helper()
	v, err := d.StartTask(d.t.Context(), req)
	if err != nil {
		d.t.Fatalf("StartTask: %v", err)
	}
	return d.rest(v.ID)
}

// rest waits until nothing moves and gives the view.
func (d *desk) rest(id task.ID) task.View {
	d.t.Helper()
	synctest.Wait()
	views, err := d.ListTasks(d.t.Context())
	if err != nil {
		d.t.Fatalf("ListTasks: %v", err)
	}
	for _, v := range views {
		if v.ID == id {
			return v
		}
	}
	d.t.Fatalf("no task %s", id)
	return task.View{}
}

func (d *desk) answer(req task.ContinueRequest) task.View {
	d.t.Helper()
	if _, err := d.ContinueTask(d.t.Context(), req); err != nil {
		d.t.Fatalf("ContinueTask: %v", err)
	}
	return d.rest(req.ID)
}

func (d *desk) approve(v task.View) task.View {
	d.t.Helper()
	return d.answer(task.ContinueRequest{ID: v.ID, Approve: yes(), Digest: v.Status.Digest})
}

func (d *desk) cancel(id task.ID, answer string) task.View {
	d.t.Helper()
	if _, err := d.CancelTask(d.t.Context(), id, answer); err != nil {
		d.t.Fatalf("CancelTask: %v", err)
	}
	return d.rest(id)
}

func (d *desk) report(id task.ID) task.Report {
	d.t.Helper()
	r, err := d.TaskReport(d.t.Context(), id, true)
	if err != nil {
		d.t.Fatalf("TaskReport: %v", err)
	}
	return r
}

func (d *desk) presses() int { return len(d.runner.Presses()) }

// refused asks for the code a call must answer.
func (d *desk) refused(what string, err error, want fault.Code) {
	d.t.Helper()
	if got := fault.CodeOf(err); got != want {
		d.t.Errorf("%s: code %q (%v), want %q", what, got, err, want)
	}
}

func (d *desk) is(v task.View, want task.State) {
	d.t.Helper()
	if v.Status.State != want {
		d.t.Fatalf("state %s (%s; %s), want %s", v.Status.State, v.Summary, v.Status.Reason, want)
	}
}

func (d *desk) isKind(v task.View, want task.CheckpointKind) {
	d.t.Helper()
	d.is(v, task.Checkpoint)
	if v.Status.Kind != want {
		d.t.Fatalf("checkpoint %s (%s), want %s", v.Status.Kind, v.Status.Reason, want)
	}
}

func yes() *bool     { b := true; return &b }
func no() *bool      { b := false; return &b }
func num(n int) *int { return &n }

// flow makes a flow's JSON from steps written as JSON.
func flow(steps ...string) json.RawMessage {
	raw := `{"app":"browser","steps":[`
	for i, s := range steps {
		if i > 0 {
			raw += ","
		}
		raw += s
	}
	return json.RawMessage(raw + "]}")
}

const (
	open    = `{"browse":"https://mail.test"}`
	write   = `"write the letter"`
	guard   = `{"stop_before":"sending the letter"}`
	tidy    = `"tidy up"`
	payment = `{"stop_before":"paying for the order"}`
)

func mail() task.StartRequest { return task.StartRequest{Flow: flow(open, write, guard, tidy)} }

func payControl() flows.Evidence {
	return flows.Evidence{
		Control: flows.EvidenceControl{Role: "button", Name: "Pay 18.40 EUR"}, Class: safety.ActPay,
		Amount: "18.40", Currency: "EUR", Origin: "https://shop.test",
	}
}

func failing(code fault.Code, reason string) flows.Result {
	return flows.Result{Stop: flows.StepFailed, Code: code, Reason: reason}
}

// block makes the step with these words wait until the channel is closed or
// the run is cancelled.
func (d *desk) block(text string) chan struct{} {
	release := make(chan struct{})
	d.runner.Before(text, func(ctx context.Context) {
		select {
		case <-release:
		case <-ctx.Done():
		}
	})
	return release
}

// within runs the clock on.
func within(t time.Duration) { time.Sleep(t); synctest.Wait() }

func surfacesBinding() surfaces.Binding {
	return surfaces.Binding{Side: surfaces.Browser, Driver: "orphan", Data: json.RawMessage(`{}`)}
}
