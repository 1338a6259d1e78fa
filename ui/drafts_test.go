package ui

import (
	"strings"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/ui/uitest"
)

// What was typed stays with its question while the person is elsewhere.
func TestDraftsSurviveJumpingAway(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("space") // the values
		b.Type("+45 20")
		b.Keys("esc", "j", "j", "j", "enter") // the mail
		b.Wait(2 * time.Second)
		b.Type("d wrong recip")
		b.Keys("esc", "k", "k", "k")
		b.MustShow("+45 20")
		b.Keys("enter")
		b.Type(" 30")
		b.MustShow("+45 20 30")
		b.Keys("esc", "j", "j", "j", "enter")
		b.MustShow("d wrong recip")
		b.Wait(2 * time.Second)
		b.Type("ient")
		b.Keys("enter")
		if got := b.desk.Answers(); len(got) != 1 || got[0].Answer != "wrong recipient" || *got[0].Approve {
			t.Errorf("answered %+v, want a decline with its reason", got)
		}
	})
}

// A word that would sign does not come back: Enter alone would give it.
func TestADraftThatSignsIsNotKept(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("j", "j", "j", "enter")
		b.Wait(2 * time.Second)
		b.Type("sign")
		b.Keys("esc", "k", "j", "enter")
		b.Wait(2 * time.Second)
		b.Keys("enter")
		b.MustShow("Enter alone answers nothing")
		if n := len(b.desk.Answers()); n != 0 {
			t.Errorf("signed by Enter alone, %d times", n)
		}
	})
}

// What was typed for one question is not there for the next of the same task,
// nor after the task went on.
func TestADraftBelongsToItsQuestion(t *testing.T) {
	for name, next := range map[string]task.Status{
		"asked something else meanwhile": {State: task.NeedsApproval, Digest: "other", Action: "sending the note"},
		"went on":                        {State: task.Running},
	} {
		t.Run(name, func(t *testing.T) {
			at(t, "demo", usual, func(b bench) {
				b.Keys("j", "j", "j", "enter")
				b.Wait(2 * time.Second)
				was, _ := b.root().board.Selected()
				b.Type("d wrong")
				b.Keys("esc", "k")
				v := was
				v.Status, v.Revision = next, was.Revision+1
				b.desk.Put(v)
				b.Wait(time.Second)
				was.Revision += 2
				b.desk.Put(was)
				b.Wait(time.Second)
				b.Keys("j", "enter")
				b.Wait(2 * time.Second)
				if b.Shows("d wrong") != (name == "asked something else meanwhile") {
					t.Errorf("the draft is shown: %v", b.Shows("d wrong"))
				}
			})
		})
	}
}

// The rest of a word whose question went is no order to the desk.
func TestKeysForAQuestionThatWentAreDropped(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("j", "j", "j", "enter")
		b.Wait(2 * time.Second)
		b.Type("si")
		v, _ := b.root().board.Selected()
		v.Status, v.Revision = task.Status{State: task.Cancelled}, v.Revision+1
		b.desk.Put(v)
		b.Wait(150 * time.Millisecond)
		b.MustShow("the question went")
		for _, k := range []string{"g", "n", "x", "x", "q", "enter"} {
			b.Keys(k)
			b.Wait(100 * time.Millisecond)
		}
		if b.Quit || b.root().composing || b.root().dialogs.Open() || len(b.desk.Cancels()) != 0 {
			t.Fatalf("the desk took them as orders:\n%s", b.Frame())
		}
		b.Wait(400 * time.Millisecond)
		b.Keys("?")
		if !b.root().dialogs.Open() {
			t.Error("the desk is still deaf once it is quiet")
		}
	})
}

func TestTabLeadsFromTheBoardToTheQuestion(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("j", "j", "j") // the mail: tab is no key of its own there
		for _, step := range []struct {
			key  string
			want focus
		}{{"tab", onDecision}, {"tab", onInspector}, {"shift+tab", onDecision}, {"shift+tab", onBoard}, {"shift+tab", onInspector}, {"tab", onBoard}} {
			if b.root().focus != onDecision {
				b.MustShow(b.root().toDecision().Help().Key + " to answer")
			}
			b.Keys(step.key)
			if got := b.root().focus; got != step.want {
				t.Fatalf("%s leads to %d, want %d", step.key, got, step.want)
			}
		}
	})
}

func TestAHugePasteIsRefusedAndSaid(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("space")
		b.Type("+45")
		b.Send(uitest.Paste(strings.Repeat("long text ", 100_000)))
		b.MustShow("a paste of 1000000 characters was not taken")
		b.MustShow("+45")
		b.Send(uitest.Paste(" 20 30"))
		b.MustShow("+45 20 30")
	})
}

func TestD16APasteIntoALineThatHoldsTextIsSaid(t *testing.T) {
	at(t, "pay", usual, func(b bench) {
		b.Keys("space")
		b.Wait(2 * time.Second)
		b.Type("2480")
		b.Send(uitest.Paste(".00 EUR"))
		b.MustShow("came as a paste")
		b.MustShow("› 2480 ")
		b.Keys("enter")
		if n := len(b.desk.Answers()); n != 0 {
			t.Errorf("%d answers by paste", n)
		}
	})
}
