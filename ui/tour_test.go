package ui

import (
	"fmt"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/ui/uitest"
)

// touring starts the tour on the demo's tasks, as Run does.
func touring(t *testing.T, size uitest.Size, test func(b bench)) {
	t.Helper()
	at(t, "demo", size, func(b bench) {
		m, _ := b.root().goOn()
		b.Model = m
		b.Wait(time.Second)
		test(b)
	})
}

func TestTheTourShowsEachWaitAndAnswersNone(t *testing.T) {
	touring(t, usual, func(b bench) {
		b.desk.Put(task.View{ID: 5, Title: "Trains", Status: task.Status{State: task.Done}, Revision: 30, SinceAt: 1})
		b.Wait(time.Second)
		for i, want := range []string{"Left is the board", "▣ TYPE: a value", "◆ DECIDE: an act", "▲ BY HAND: something", "▲ BY HAND, in front", "✓ done: what", "The desk is yours."} {
			b.MustShow(fmt.Sprintf("TOUR %d of 7", i+1))
			b.MustShow(want)
			if i > 0 && i < 6 && b.Shows("on its way") {
				t.Errorf("place %d found no task:\n%s", i+1, b.Frame())
			}
			b.Keys("enter")
		}
		if b.Shows("TOUR") {
			t.Error("the tour did not end")
		}
		if n := len(b.desk.Answers()) + len(b.desk.Cancels()); n != 0 {
			t.Errorf("%d answers were given", n)
		}
	})
}

func TestTheTourGoesOnByItselfAndWaitsAtItsEnd(t *testing.T) {
	touring(t, usual, func(b bench) {
		pass := func(d time.Duration) {
			for range d / time.Second {
				b.Wait(time.Second)
			}
		}
		for i := 2; i <= 6; i++ {
			pass(stayFor + time.Second)
			b.MustShow(fmt.Sprintf("TOUR %d of 7", i))
		}
		pass(3 * stayFor)
		b.MustShow("TOUR 6 of 7")
		b.MustShow("on its way") // nothing is done yet
		b.desk.Put(task.View{ID: 5, Title: "Trains", Status: task.Status{State: task.Done}, Revision: 30, SinceAt: 1})
		pass(5 * stayFor)
		b.MustShow("TOUR 7 of 7")
	})
}

func TestAnyKeyEndsTheTourAndWorks(t *testing.T) {
	for _, k := range []string{"n", "?", "space", "esc"} {
		touring(t, usual, func(b bench) {
			b.Keys("enter", k)
			if b.Shows("TOUR") {
				t.Errorf("%s did not end the tour", k)
			}
			if k == "n" && !b.root().composing {
				t.Error("n ended the tour and did nothing")
			}
		})
	}
}

func TestTheTourFillsTheTerminal(t *testing.T) {
	for _, size := range uitest.Sizes() {
		touring(t, size, func(b bench) {
			for range 7 {
				checkFrame(t, "tour", b, size)
				b.Keys("enter")
			}
		})
	}
}

func TestTheTourTakesNoKeyWhereItIsNotDrawn(t *testing.T) {
	touring(t, usual, func(b bench) {
		b.Resize(uitest.Size{Width: 60, Height: 16})
		before, _ := b.root().board.Selected()
		b.Keys("enter", "esc")
		if after, _ := b.root().board.Selected(); after.ID != before.ID || b.root().tour.at != 0 {
			t.Errorf("enter walked on to %s unseen", after.ID)
		}
	})
}

func TestTheEmptyDeskTeaches(t *testing.T) {
	at(t, "empty", uitest.Size{Width: 80, Height: 24}, func(b bench) {
		for _, want := range []string{"Three keys", "ctrl+e", "◆ DECIDE", "▣ TYPE", "▲ BY HAND", "demo --tour"} {
			b.MustShow(want)
		}
	})
}
