package remote

import (
	"context"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
)

func step(id task.ID, n int64) task.Entry {
	return task.Entry{Event: task.EventStep, Task: id, At: n, Report: &flows.StepReport{Step: "1", Outcome: flows.OutcomeDone, Text: "x"}}
}

func TestWatchResumesFromANumber(t *testing.T) {
	s := serve(t, view(1, task.Status{State: task.Running}), view(2, task.Status{State: task.Running}))
	for n := range int64(5) {
		s.Emit(step(1, n))
	}
	c := s.dial(t)
	// Of t-1 what follows number 4; of t-2, which was not named, its view.
	got := collect(t, c.Watch(t.Context(), map[task.ID]uint64{1: 4}), 3)
	if got[0].Task != 1 || got[0].Seq != 5 || got[1].Seq != 6 || got[2].Task != 2 || got[2].View == nil {
		t.Errorf("got %+v", got)
	}
	// A second watch goes on where the first stood.
	s.Emit(step(1, 9))
	again := collect(t, c.Watch(t.Context(), map[task.ID]uint64{1: 6, 2: 1}), 1)
	if again[0].Task != 1 || again[0].Seq != 7 {
		t.Errorf("resumed at %+v, want number 7", again[0])
	}
}

// A reader that stops holds nobody up and misses nothing.
func TestSlowReader(t *testing.T) {
	s := serve(t, view(1, task.Status{State: task.Running}))
	c := s.dial(t)
	slow, quick := c.Watch(t.Context(), nil), c.Watch(t.Context(), nil)
	collect(t, slow, 1)
	collect(t, quick, 1)
	const events = 4_000 // more than the connection holds
	for n := range int64(events) {
		s.Emit(step(1, n))
	}
	collect(t, quick, events) // while the other does not read
	for i, e := range collect(t, slow, events) {
		if e.Seq != uint64(i)+2 {
			t.Fatalf("event %d has number %d", i, e.Seq)
		}
	}
}

// A desk closes beside a watcher that reads nothing at all.
func TestCloseIsNotHeldUpByASlowReader(t *testing.T) {
	s := serve(t, view(1, task.Status{State: task.Running}))
	conn := s.wire(t)
	if _, err := conn.Write([]byte("POST /v1/Watch HTTP/1.1\r\nHost: d\r\nContent-Length: 2\r\n\r\n{}")); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); err != nil { // the stream is open
		t.Fatal(err)
	}
	for n := range int64(6_000) {
		s.Emit(step(1, n))
	}
	began := time.Now()
	if err := s.server.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > patience {
		t.Errorf("closing took %s", took)
	}
}

func TestWatchEndsWithItsContextAndItsClient(t *testing.T) {
	s := serve(t, view(1, task.Status{State: task.Running}))
	c, err := Dial(t.Context(), s.path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	events := c.Watch(ctx, nil)
	collect(t, events, 1)
	cancel()
	if _, err := events.Next(t.Context()); err != context.Canceled { //nolint:errorlint // exactly it
		t.Errorf("got %v, want the context's own error", err)
	}
	other := c.Watch(t.Context(), nil)
	collect(t, other, 1)
	if err := c.Close(); err != nil { // waits for both
		t.Fatal(err)
	}
	if _, err := other.Next(t.Context()); err != context.Canceled { //nolint:errorlint // exactly it
		t.Errorf("got %v after the client was closed", err)
	}
}

func TestWatchIsRefusedPlainly(t *testing.T) {
	s := serve(t)
	conn := s.wire(t)
	got := exchange(t, conn, "POST", "/v1/Watch", `{"since":3}`)
	if got.Error == nil || got.Error.Code != fault.InvalidRequest {
		t.Errorf("got %+v", got)
	}
}
