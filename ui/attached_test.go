package ui

import (
	"errors"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/surfaces/fault"
	"countersign/ui/theme"
)

// The desk of another process is shown like our own; its refusal of an answer
// is plain, and leaving asks nothing, since it touches nothing there.
func TestAttachedDesk(t *testing.T) {
	with(t, "demo", usual, Options{Attached: 4242}, theme.Plain(), func(b bench) {
		b.MustShow("attached to the desk of process 4242")
		b.desk.OnContinue = func(task.ContinueRequest) (task.View, error) {
			return task.View{}, fault.New(fault.AnswerAtTheDesk, "answered only at the desk of process 4242")
		}
		b.Keys("j", "j", "j", "enter")
		b.Wait(3 * time.Second)
		b.Type("sign")
		b.Wait(3 * time.Second)
		b.Keys("enter")
		b.MustShow("ANSWER_AT_THE_DESK: answered only at the desk of process 4242")
		b.Keys("esc", "q")
		if !b.Quit {
			t.Fatalf("leaving an attached desk asked something:\n%s", b.Frame())
		}
	})
}

func TestAttachedDeskEndsWithTheOther(t *testing.T) {
	with(t, "demo", usual, Options{Attached: 4242}, theme.Plain(), func(b bench) {
		gone := fault.New(fault.DeskGone, "the desk of process 4242 has closed")
		b.Send(eventsMsg{at: time.Now(), err: gone})
		if !b.Quit || !errors.Is(b.root().gone, gone) {
			t.Errorf("quit %v with %v, want the end of the other desk", b.Quit, b.root().gone)
		}
	})
}
