package ui

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
	"countersign/ui/theme"
	"countersign/ui/uitest"
)

// toMail turns to the mail task of the demo scene and into its question.
func toMail(b bench) { b.Keys("j", "j", "j", "enter") }

func TestD1HostileNameChangesOnlyItsOwnRows(t *testing.T) {
	frame := func(name string) (rows []string) {
		at(t, "empty", usual, func(b bench) {
			e := uitest.MailEvidence(3, time.Now().UnixMilli())
			e.Control.Name, e.Words = name, []string{name}
			status := task.Status{State: task.NeedsApproval, Action: e.Phrase, Target: name, Digest: strings.Repeat("ab", 32)}
			v := task.View{ID: 3, Title: "Send", Status: status, Summary: "Waiting.", SinceAt: e.AskedAt, Revision: 1, Next: task.Next(status, true)}
			b.desk.SetReport(3, task.Report{Approval: &task.Approval{Evidence: e, Digest: status.Digest}})
			b.desk.Put(v)
			b.Wait(2 * time.Second)
			b.Keys("space")
			b.Wait(2 * time.Second)
			rows = strings.Split(b.Model.View(), "\n")
		})
		return rows
	}
	tame := frame("Send")
	for _, hostile := range []string{"Se\rREADY", "S\x1b]52;c;eA==\x07d", "S\x1b[2Jd", "S\u202ed", "READY", "━━ ◆ DECIDE"} {
		wild := frame(hostile)
		if len(tame) != len(wild) {
			t.Fatalf("%q: %d rows, harmless %d", hostile, len(wild), len(tame))
		}
		for i := range tame {
			ours := !strings.Contains(tame[i], "“") && !strings.Contains(tame[i], "control")
			if ours && tame[i] != wild[i] {
				t.Errorf("%q changes row %d\nharmless %q\nhostile  %q", hostile, i, tame[i], wild[i])
			}
			if strings.ContainsAny(wild[i], "\r\x1b\u202e") {
				t.Errorf("%q reaches the terminal in row %d: %q", hostile, i, wild[i])
			}
		}
	}
}

func TestD2KeyRightAfterTheCardAppears(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		toMail(b)
		b.Wait(10 * time.Millisecond)
		b.Type("sign")
		b.Keys("enter")
		if got := b.desk.Answers(); len(got) != 0 {
			t.Fatalf("answered before READY: %v", got)
		}
		b.Wait(2 * time.Second)
		b.MustShow("READY")
		b.Type("sign")
		b.Keys("enter")
		got := b.desk.Answers()
		if len(got) != 1 || got[0].Approve == nil || !*got[0].Approve || len(got[0].Digest) != 64 || got[0].ShownMS < 1000 {
			t.Errorf("signed as %+v, want one approval with its digest and the time it stood", got)
		}
	})
}

func TestD3FiftyKeysWhileACardAppears(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("G") // the running task
		for i := range 50 {
			if i == 5 {
				status := task.Status{State: task.Checkpoint, Kind: task.CheckpointInterrupted, Continuable: true}
				b.desk.Put(task.View{ID: 5, Title: "Trains", Status: status, Revision: 20, SinceAt: time.Now().UnixMilli(), Next: task.Next(status, true)})
			}
			b.Keys([]string{"g", "o", "enter", "d", "enter", "y"}[i%6])
			b.Wait(20 * time.Millisecond)
		}
		if n := len(b.desk.Answers()) + len(b.desk.Cancels()); n != 0 {
			t.Errorf("%d answers came of keys typed while the card appeared", n)
		}
	})
}

func TestCardIsSignedByTheAmountOnly(t *testing.T) {
	at(t, "pay", usual, func(b bench) {
		b.Keys("space")
		b.Wait(2 * time.Second)
		for _, wrong := range []string{"", "sign", "y", "2480", "2480.00 eur"} {
			b.Type(wrong)
			b.Keys("enter")
		}
		b.Keys("space", "enter")
		if n := len(b.desk.Answers()); n != 0 {
			t.Fatalf("%d answers without the amount", n)
		}
		b.Type("2480.00 EUR")
		b.Keys("enter")
		if got := b.desk.Answers(); len(got) != 1 || !*got[0].Approve {
			t.Errorf("answers %+v, want one approval", got)
		}
	})
}

func TestD16PasteIsRefusedAndSaid(t *testing.T) {
	for name, msg := range map[string]tea.KeyMsg{"bracketed": uitest.Paste("2480.00 EUR"), "in one piece": uitest.Key("2480.00")} {
		t.Run(name, func(t *testing.T) {
			at(t, "pay", usual, func(b bench) {
				b.Keys("space")
				b.Wait(2 * time.Second)
				b.Send(msg)
				b.MustShow("came as a paste")
				b.Keys("enter")
				if n := len(b.desk.Answers()); n != 0 {
					t.Errorf("%d answers by paste", n)
				}
			})
		})
	}
}

// TestThePictureIsShownAndAnswersNothing: it lies over the question, which must
// be read again before it is answered.
func TestThePictureIsShownAndAnswersNothing(t *testing.T) {
	at(t, "pay", usual, func(b bench) {
		b.Keys("space")
		b.Wait(2 * time.Second)
		b.Type("p")
		b.Keys("enter")
		b.MustShow("The screen, as it was when you were asked")
		b.MustShow("+++++") // the control in question
		b.Type("2480.00 EUR")
		b.Keys("enter", "esc")
		if b.Shows("READY") {
			t.Error("READY right after something lay over the question")
		}
		if n := len(b.desk.Answers()); n != 0 {
			t.Errorf("%d answers", n)
		}
		b.Wait(2 * time.Second)
		b.MustShow("READY")
	})
}

func TestWhatDisarms(t *testing.T) {
	tests := map[string]func(bench){
		"resize": func(b bench) { b.Resize(uitest.Size{Width: 118, Height: 40}) },
		"focus lost": func(b bench) {
			b.Send(tea.BlurMsg{})
			b.Wait(5 * time.Second) // nobody reads
			if b.Shows("READY") {
				t.Error("READY without the focus")
			}
			b.Send(tea.FocusMsg{})
		},
		"return from suspend": func(b bench) { b.Send(tea.ResumeMsg{}) },
		"an overlay":          func(b bench) { b.Keys("esc", "?", "esc", "enter") },
		"the page changed": func(b bench) {
			b.desk.SetLook(3, task.Look{Differs: []flows.Difference{{Field: "payee", Signed: "a", Now: "b"}}})
			b.Keys("esc", "r", "enter")
		},
	}
	for name, disturb := range tests {
		t.Run(name, func(t *testing.T) {
			at(t, "demo", usual, func(b bench) {
				toMail(b)
				b.Wait(2 * time.Second)
				b.MustShow("READY")
				disturb(b)
				if b.Shows("READY") {
					t.Fatal("still READY")
				}
				b.Type("sign")
				b.Keys("enter")
				if n := len(b.desk.Answers()); n != 0 {
					t.Errorf("%d answers while disarmed", n)
				}
				b.Wait(2 * time.Second)
				b.MustShow("READY")
			})
		})
	}
}

func TestTallCardMustBeReadToItsEnd(t *testing.T) {
	at(t, "void", uitest.Size{Width: 60, Height: 16}, func(b bench) {
		b.Keys("space")
		b.Wait(5 * time.Second)
		b.MustShow("read to the end")
		b.Type("2480.00 EUR")
		b.Keys("enter")
		if n := len(b.desk.Answers()); n != 0 {
			t.Fatalf("%d answers to a card not read", n)
		}
		b.Keys("pgdown", "pgdown", "pgdown")
		b.Wait(time.Second)
		b.MustShow("READY")
	})
}

func TestD4D5VoidSignatureIsAskedAgainWithBoth(t *testing.T) {
	at(t, "void", usual, func(b bench) {
		b.Keys("space")
		b.MustShow("12.00 EUR")
		b.MustShow("2480.00 EUR")
		b.MustShow("Nothing was pressed")
	})
}

func TestD6SameAnswerTwice(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		toMail(b)
		b.Wait(2 * time.Second)
		slow := make(chan struct{})
		b.desk.OnContinue = func(task.ContinueRequest) (task.View, error) { <-slow; return task.View{}, nil }
		b.Type("sign")
		b.Keys("enter", "enter")
		b.MustShow("already answered")
		if n := len(b.desk.Answers()); n != 1 {
			t.Errorf("%d answers sent, want 1", n)
		}
		close(slow)
	})
	at(t, "demo", usual, func(b bench) {
		toMail(b)
		b.Wait(2 * time.Second)
		b.desk.OnContinue = func(task.ContinueRequest) (task.View, error) {
			return task.View{}, fault.New(fault.NotWaiting, "answered elsewhere")
		}
		b.Type("sign")
		b.Keys("enter")
		b.MustShow("already answered")
	})
}

func TestD9DoneIsLookedAtBeforeTheRunResumes(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("j", "enter") // the wall
		b.Wait(2 * time.Second)
		b.Type("done")
		b.Keys("enter")
		b.MustShow("still there")
		if n := len(b.desk.Answers()); n != 0 {
			t.Fatalf("resumed %d times with the wall still there", n)
		}
		b.Type("anyway")
		b.Keys("enter")
		if got := b.desk.Answers(); len(got) != 1 || got[0].Answer != "done" {
			t.Errorf("answers %+v, want the person's insistence", got)
		}
	})
	for wall, want := range map[task.Wall]string{task.WallGone: "gone", task.WallCannotTell: "cannot tell"} {
		at(t, "demo", usual, func(b bench) {
			b.Keys("j", "enter")
			b.Wait(2 * time.Second)
			b.desk.SetLook(4, task.Look{Wall: wall})
			looked := len(b.desk.Looked())
			b.Type("done")
			b.Keys("enter")
			b.MustShow(want)
			if len(b.desk.Looked()) != looked+1 || len(b.desk.Answers()) != 1 {
				t.Errorf("%s: looked %d times, answered %d times; want once each", wall, len(b.desk.Looked())-looked, len(b.desk.Answers()))
			}
		})
	}
}

func TestPaymentCheckpointHasTwoKeys(t *testing.T) {
	for k, want := range map[string]string{"p": "paid", "n": "not_paid"} {
		at(t, "demo", usual, func(b bench) {
			b.Keys("j", "j", "enter", k, k)
			if n := len(b.desk.Cancels()); n != 0 {
				t.Fatalf("released before READY")
			}
			b.Wait(2 * time.Second)
			b.Keys(k, "down", k)
			b.MustShow(k + " again")
			if n := len(b.desk.Cancels()); n != 0 {
				t.Fatalf("released by one key")
			}
			b.Keys(k)
			if got := b.desk.Cancels(); len(got) != 1 || got[0].Answer != want {
				t.Errorf("%s: %+v, want %s", k, got, want)
			}
		})
	}
}

func TestD10TypingWhileThirtyTwoTasksReport(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("space")
		const typed = "+45 20 30 40 50 and then a long remark about nothing at all"
		for i, r := range typed {
			for id := task.ID(2); id <= 33; id++ {
				b.desk.Emit(task.Entry{Event: task.EventStep, Task: id, Report: &flows.StepReport{Step: fmt.Sprint(i + 1), Kind: flows.KindDo, Text: "press", Outcome: flows.OutcomeDone}})
			}
			b.Type(string(r))
			b.Wait(20 * time.Millisecond)
		}
		b.MustShow(typed)
		b.Keys("enter")
		b.Type("code 7")
		b.Keys("enter")
		got := b.desk.Answers()
		want := map[string]string{"phone": typed, "membership code": "code 7"}
		if len(got) != 1 || !cmp.Equal(got[0].Inputs, want) {
			t.Errorf("gave %+v, want %v", got, want)
		}
	})
}

func TestD17WaitWhileADraftIsTyped(t *testing.T) {
	var out bytes.Buffer
	with(t, "demo", usual, Options{Bell: true, Out: &out}, theme.Plain(), func(b bench) {
		b.Keys("space")
		b.Type("+45")
		b.Wait(3 * time.Second)
		before, rang := strings.Split(b.Frame(), "\n"), out.Len()
		status := task.Status{State: task.NeedsHuman, Reason: "sign in"}
		b.desk.Put(task.View{ID: 5, Title: "Trains from Aarhus to Berlin on 14 October", Status: status, Revision: 30, SinceAt: time.Now().UnixMilli(), Next: task.Next(status, true)})
		b.Wait(200 * time.Millisecond)
		after := strings.Split(b.Frame(), "\n")
		board := 0
		for i := range before {
			if before[i] != after[i] {
				board++
				if left := strings.SplitN(before[i], "│", 2); len(left) == 2 && !strings.Contains(before[i], "DECIDE") && strings.SplitN(after[i], "│", 2)[1] != left[1] {
					t.Errorf("row %d changed beside the board:\n%s\n%s", i, before[i], after[i])
				}
			}
		}
		if board == 0 || out.Len() != rang+1 || !strings.HasSuffix(out.String(), "\a") {
			t.Errorf("%d rows changed, %d bells; want a count and one bell", board, out.Len()-rang)
		}
		b.Type("20")
		b.MustShow("+4520")
	})
}

func TestD13SecretIsNeverDrawn(t *testing.T) {
	const secret = "4242 4242 4242 4242"
	at(t, "empty", usual, func(b bench) {
		b.Record = true
		status := task.Status{State: task.NeedsInput, Fields: []task.Field{{Name: "card number", Kind: "number"}, {Name: "note", Kind: "text"}}}
		b.desk.Put(task.View{ID: 1, Title: "Pay", Status: status, Revision: 1, SinceAt: 1, Next: task.Next(status, false)})
		b.Wait(time.Second)
		b.Keys("space")
		b.Type(secret)
		b.Keys("enter", "up", "down")
		b.MustShow("19 characters")
		b.Keys("ctrl+s")
		b.Type("hidden by hand")
		b.Keys("?", "esc", "esc", "enter", "enter")
		if got := b.desk.Answers(); len(got) != 1 || got[0].Inputs["card number"] != secret {
			t.Fatalf("the value was not given: %d answers", len(got))
		}
		b.Send(crashMsg{newCrash("the value was " + secret)})
		path, err := b.root().crash.write(t.TempDir(), "test", time.Now())
		if err != nil {
			t.Fatal(err)
		}
		frames := append(b.Frames, string(mustRead(t, path)), b.root().crash.what)
		forms := []string{secret, strings.ReplaceAll(secret, " ", ""), strings.ReplaceAll(secret, " ", "-"), url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret)), "hidden by hand"}
		for _, frame := range frames {
			for _, form := range forms {
				if strings.Contains(ansi.Strip(frame), form) {
					t.Fatalf("%q is shown:\n%s", form, ansi.Strip(frame))
				}
			}
		}
	})
}

func TestD15WithoutColour(t *testing.T) {
	th := theme.New(theme.Options{NoColor: true, Profile: termenv.ANSI})
	with(t, "demo", usual, Options{}, th, func(b bench) {
		frame := b.Model.View()
		for _, word := range []string{"DECIDE", "TYPE", "BY HAND"} {
			if !strings.Contains(frame, word) {
				t.Errorf("%s is told by nothing", word)
			}
		}
		for _, sgr := range strings.Split(frame, "\x1b[")[1:] {
			codes, _, _ := strings.Cut(sgr, "m")
			for _, c := range strings.Split(codes, ";") {
				if len(c) == 2 && (c[0] == '3' || c[0] == '4' || c[0] == '9') {
					t.Fatalf("colour %q without colour", codes)
				}
			}
		}
	})
}

func TestD19Leaving(t *testing.T) {
	tests := map[string]struct {
		keys  []string
		close bool
	}{
		"the default keeps them":  {[]string{"q", "enter"}, false},
		"asked to close them":     {[]string{"q", "c"}, true},
		"ctrl+c twice":            {[]string{"ctrl+c", "ctrl+c"}, false},
		"ctrl+c out of a draft":   {[]string{"space", "ctrl+c", "enter"}, false},
		"thinking better of it":   {[]string{"q", "esc", "q", "c"}, true},
		"out of a question ready": {[]string{"j", "enter", "ctrl+c", "enter"}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			at(t, "demo", usual, func(b bench) {
				b.Keys(tt.keys[:len(tt.keys)-1]...)
				if b.Quit {
					t.Fatal("left unasked with tasks under way")
				}
				b.Keys(tt.keys[len(tt.keys)-1])
				if !b.Quit || b.root().outcome.CloseBrowsers != tt.close {
					t.Errorf("left %v, close %v; want close %v", b.Quit, b.root().outcome.CloseBrowsers, tt.close)
				}
				if n := len(b.desk.Answers()) + len(b.desk.Cancels()); n != 0 {
					t.Errorf("leaving answered %d questions", n)
				}
			})
		})
	}
	at(t, "empty", usual, func(b bench) {
		b.Keys("q")
		if !b.Quit {
			t.Error("an empty desk asks before it leaves")
		}
	})
}
