package controllertest

import (
	"context"
	"errors"
	"testing"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

func TestDeskStreamsWhatIsPut(t *testing.T) {
	d := NewDesk(task.View{ID: 1, Status: task.Status{State: task.Running}, Revision: 1})
	ctx, cancel := context.WithCancel(t.Context())
	s := d.Watch(ctx, nil)
	first, err := s.Next(ctx)
	if err != nil || len(first) != 1 || first[0].Seq != 1 || first[0].View == nil {
		t.Fatalf("first batch %+v %v, want the present view numbered 1", first, err)
	}
	d.Put(task.View{ID: 1, Status: task.Status{State: task.Done}, Revision: 2})
	second, err := s.Next(ctx)
	if err != nil || len(second) != 1 || second[0].View.Status.State != task.Done {
		t.Fatalf("second batch %+v %v, want the done view", second, err)
	}
	cancel()
	if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v", err)
	}
}

func TestDeskRecordsAnswers(t *testing.T) {
	d := NewDesk(task.View{ID: 3})
	yes := true
	if _, err := d.ContinueTask(t.Context(), task.ContinueRequest{ID: 3, Approve: &yes, Digest: "d"}); err != nil {
		t.Fatal(err)
	}
	if got := d.Answers(); len(got) != 1 || got[0].Digest != "d" {
		t.Errorf("answers %+v", got)
	}
	if _, err := d.CancelTask(t.Context(), 9, ""); fault.CodeOf(err) != fault.NoSuchTask {
		t.Errorf("cancel of an unknown task: %v", err)
	}
}
