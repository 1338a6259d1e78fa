package remote

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

// A client answers what the desk itself answers, call by call.
func TestClientIsTheDesk(t *testing.T) {
	running, ended := view(1, task.Status{State: task.Running}), view(2, task.Status{State: task.Done, Answer: "a", Records: map[string]task.Rows{}})
	asking := view(3, task.Status{State: task.NeedsApproval, Action: "sending", Target: "Send", Digest: "d"})
	s := serve(t, running, ended, asking)
	evidence := flows.Evidence{Task: "t-3", Origin: "https://x.example", Control: flows.EvidenceControl{Role: "button", Name: "Send", Path: []string{"main"}}, Form: []flows.EvidenceField{{Name: "to", Value: "Jo"}}, Words: []string{"w"}}
	s.SetReport(3, task.Report{
		Request: task.StartRequest{Task: "write", Flow: json.RawMessage(`{"steps":["a"]}`), SecretFacts: []string{"pin"}},
		Records: map[string]task.Rows{"x": {{"value": "1"}}}, Approval: &task.Approval{Evidence: evidence, Digest: evidence.Digest()},
	})
	s.SetLook(3, task.Look{Wall: task.WallStillThere, Evidence: &evidence, Address: "https://x.example/"})
	s.SetPicture("abc", []byte{0, 1, 255})
	s.SetCapabilities(task.Capabilities{Version: "1", StepKinds: []flows.Kind{flows.KindDo}})
	c := s.dial(t)

	for name, do := range map[string]func(d controller.Desk) (any, error){
		"Describe":     func(d controller.Desk) (any, error) { return d.Describe(t.Context()) },
		"PlanTask":     func(d controller.Desk) (any, error) { return d.PlanTask(t.Context(), task.PlanRequest{Task: "x"}) },
		"AwaitTask":    func(d controller.Desk) (any, error) { return d.AwaitTask(t.Context(), 2, time.Second) },
		"unknown":      func(d controller.Desk) (any, error) { return d.AwaitTask(t.Context(), 9, time.Second) },
		"CancelTask":   func(d controller.Desk) (any, error) { return d.CancelTask(t.Context(), 1, "") },
		"TaskReport":   func(d controller.Desk) (any, error) { return d.TaskReport(t.Context(), 3, true) },
		"ListTasks":    func(d controller.Desk) (any, error) { return d.ListTasks(t.Context()) },
		"Look":         func(d controller.Desk) (any, error) { return d.Look(t.Context(), 3) },
		"BringForward": func(d controller.Desk) (any, error) { return d.BringForward(t.Context(), 3) },
		"Picture":      func(d controller.Desk) (any, error) { return d.Picture(t.Context(), "abc") },
		"no picture":   func(d controller.Desk) (any, error) { return d.Picture(t.Context(), "xyz") },
		"History":      func(d controller.Desk) (any, error) { return d.History(t.Context(), "done", 0, 10) },
		"Prune":        func(d controller.Desk) (any, error) { return d.Prune(t.Context(), time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			want, wrong := do(s.Desk)
			got, err := do(c)
			if diff := cmp.Diff(want, got); diff != "" && wrong == nil {
				t.Errorf("(-desk +client):\n%s", diff)
			}
			if fault.CodeOf(err) != fault.CodeOf(wrong) || err != nil && *fault.Of(err) != *fault.Of(wrong) {
				t.Errorf("got %v, want %v", err, wrong)
			}
		})
	}
	if halted, err := c.Halt(t.Context(), true); err != nil || len(halted) != 1 || halted[0].ID != 1 {
		t.Errorf("Halt gave %v %v, want t-1", halted, err)
	}
}

func TestStartCarriesTheWholeRequest(t *testing.T) {
	s := serve(t)
	votes, elapsed := 3, int64(60000)
	want := task.StartRequest{
		Task: "t", Flow: json.RawMessage(`{"app":"browser","steps":["press \"A\""]}`), Facts: map[string]string{"pin": "1234"},
		SecretFacts: []string{"pin"}, Trace: true, Memory: []flows.Hint{},
		Constraints: task.Constraints{Origins: []string{"https://x.example"}, BrowserProfile: "/home/p", Headed: true},
		Budget:      task.Budget{Votes: &votes, MaxElapsedMS: &elapsed}, Output: &task.Output{Instructions: "a list"},
	}
	v, err := s.dial(t).StartTask(t.Context(), want)
	if err != nil || v.ID != 1 || v.Status.State != task.Running {
		t.Fatalf("got %+v %v", v, err)
	}
	want.Memory = nil // empty is left out
	if diff := cmp.Diff([]task.StartRequest{want}, s.Starts()); diff != "" {
		t.Errorf("request (-sent +arrived):\n%s", diff)
	}
}

// Whatever a task waits for, no answer gets through; what waits for nothing
// says so.
func TestAnswersAreGivenAtTheDesk(t *testing.T) {
	field := []task.Field{{Name: "phone"}, {Name: "password"}}
	yes, no := true, false
	rows := map[string]struct {
		status task.Status
		answer task.ContinueRequest
		want   fault.Code
	}{
		"approve":         {task.Status{State: task.NeedsApproval, Digest: "d"}, task.ContinueRequest{Approve: &yes, Digest: "d"}, fault.AnswerAtTheDesk},
		"decline":         {task.Status{State: task.NeedsApproval, Digest: "d"}, task.ContinueRequest{Approve: &no}, fault.AnswerAtTheDesk},
		"done":            {task.Status{State: task.NeedsHuman}, task.ContinueRequest{}, fault.AnswerAtTheDesk},
		"go":              {task.Status{State: task.Checkpoint, Kind: task.CheckpointInterrupted, Continuable: true}, task.ContinueRequest{Approve: &yes}, fault.AnswerAtTheDesk},
		"side lost":       {task.Status{State: task.Checkpoint, Kind: task.CheckpointSideLost, Continuable: true}, task.ContinueRequest{Approve: &yes}, fault.AnswerAtTheDesk},
		"happened":        {task.Status{State: task.Checkpoint, Kind: task.CheckpointOutcomeUnknown, Continuable: true}, task.ContinueRequest{Answer: "happened"}, fault.AnswerAtTheDesk},
		"look again":      {task.Status{State: task.Checkpoint, Kind: task.CheckpointOutcomeUnknown, Continuable: true}, task.ContinueRequest{Answer: "look_again"}, fault.AnswerAtTheDesk},
		"a secret":        {task.Status{State: task.NeedsInput, Fields: field}, task.ContinueRequest{Inputs: map[string]string{"password": "x"}}, fault.AnswerAtTheDesk},
		"a shared value":  {task.Status{State: task.NeedsInput, Fields: field}, task.ContinueRequest{Inputs: map[string]string{"phone": "1"}}, fault.AnswerAtTheDesk},
		"running":         {task.Status{State: task.Running}, task.ContinueRequest{Approve: &yes}, fault.NotWaiting},
		"needs a plan":    {task.Status{State: task.NeedsPlan}, task.ContinueRequest{}, fault.NotWaiting},
		"done already":    {task.Status{State: task.Done}, task.ContinueRequest{}, fault.NotWaiting},
		"payment reached": {task.Status{State: task.Checkpoint, Kind: task.CheckpointPayment}, task.ContinueRequest{Approve: &yes}, fault.NotContinuable},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			s := serve(t, view(1, row.status))
			row.answer.ID = 1
			_, err := s.dial(t).ContinueTask(t.Context(), row.answer)
			wantCode(t, err, row.want)
			if f := fault.Of(err); f.Hint == "" {
				t.Error("no hint")
			}
			if got := s.Answers(); len(got) > 0 {
				t.Errorf("the desk was given %+v", got)
			}
		})
	}
}

func TestCancelWithoutAnAnswerOnly(t *testing.T) {
	s := serve(t, view(1, task.Status{State: task.Checkpoint, Kind: task.CheckpointPayment}))
	c := s.dial(t)
	for _, answer := range []string{"paid", "not_paid", "because"} {
		_, err := c.CancelTask(t.Context(), 1, answer)
		wantCode(t, err, fault.AnswerAtTheDesk)
	}
	if got := s.Cancels(); len(got) > 0 {
		t.Fatalf("the desk was told %+v", got)
	}
	if _, err := c.CancelTask(t.Context(), 1, ""); err != nil || len(s.Cancels()) != 1 {
		t.Errorf("a plain cancel: %v, %+v", err, s.Cancels())
	}
	_, err := c.ContinueTask(t.Context(), task.ContinueRequest{ID: 7})
	wantCode(t, err, fault.NoSuchTask)
}

func TestTwoClientsSeeEachOther(t *testing.T) {
	s := serve(t)
	one, two := s.dial(t), s.dial(t)
	events := two.Watch(t.Context(), nil)
	v, err := one.StartTask(t.Context(), task.StartRequest{Task: "hello"})
	if err != nil {
		t.Fatal(err)
	}
	if got := collect(t, events, 1); got[0].View == nil || got[0].View.ID != v.ID || got[0].View.Title != "hello" {
		t.Errorf("the other client saw %+v", got[0])
	}
	if views, err := two.ListTasks(t.Context()); err != nil || len(views) != 1 {
		t.Errorf("the other client lists %v %v", views, err)
	}
	if one.Holder() != two.Holder() || one.Holder() == 0 {
		t.Errorf("holders %d and %d", one.Holder(), two.Holder())
	}
}

func TestAwaitEndsWithTheCaller(t *testing.T) {
	s := serve(t, view(1, task.Status{State: task.Running}))
	c := s.dial(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := c.AwaitTask(ctx, 1, time.Minute); err != context.Canceled { //nolint:errorlint // exactly it
		t.Errorf("got %v, want the context's own error", err)
	}
}

// When the holding desk leaves, what had happened comes first, then the plain
// word; nothing hangs.
func TestTheDeskCloses(t *testing.T) {
	s := serve(t, view(1, task.Status{State: task.Running}))
	c := s.dial(t)
	events := c.Watch(t.Context(), nil)
	collect(t, events, 1)
	stopped := view(1, task.Status{State: task.Checkpoint, Kind: task.CheckpointInterrupted, Continuable: true})
	if _, err := s.Halt(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := s.server.Close(); err != nil {
		t.Fatal(err)
	}
	if got := collect(t, events, 1); got[0].View.Status.State != stopped.Status.State {
		t.Errorf("last event %+v, want the interruption", got[0])
	}
	_, err := events.Next(t.Context())
	wantCode(t, err, fault.DeskGone)
	_, err = c.ListTasks(t.Context())
	wantCode(t, err, fault.DeskGone)
	_, err = Dial(t.Context(), s.path)
	wantCode(t, err, fault.DeskGone)
}

func TestAWaitEndsWhenTheDeskCloses(t *testing.T) {
	s := serve(t, view(1, task.Status{State: task.Running}))
	c := s.dial(t)
	waited := make(chan error, 1)
	go func() {
		_, err := c.AwaitTask(t.Context(), 1, time.Minute)
		waited <- err
	}()
	s.called(t, 1)
	if err := s.server.Close(); err != nil {
		t.Fatal(err)
	}
	wantCode(t, <-waited, fault.DeskGone)
}
