package ui

import (
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/surfaces/fault"
	"countersign/ui/theme"
	"countersign/ui/uitest"
)

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestHaltTakesTwoKeys(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("ctrl+k", "j", "ctrl+k")
		if n := len(b.desk.Halts()); n != 0 {
			t.Fatal("halted with another key between")
		}
		b.Wait(10 * time.Second)
		b.Keys("ctrl+k")
		b.Wait(10 * time.Second)
		b.Keys("ctrl+k")
		if n := len(b.desk.Halts()); n != 0 {
			t.Fatal("halted by two keys far apart")
		}
		b.Keys("ctrl+k")
		if got := b.desk.Halts(); len(got) != 1 || !got[0] {
			t.Fatalf("halts %v, want one at once", got)
		}
		b.MustShow("t-5  Trains from Aarhus")
	})
}

func TestHaltWorksWhileTyping(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("space")
		b.Type("+45")
		b.Keys("ctrl+k", "ctrl+k")
		if n := len(b.desk.Halts()); n != 1 {
			t.Errorf("%d halts, want 1", n)
		}
	})
}

func TestCancelTakesTwoKeys(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("G", "x", "j", "x")
		if n := len(b.desk.Cancels()); n != 0 {
			t.Fatal("cancelled with another key between")
		}
		b.Keys("x")
		if got := b.desk.Cancels(); len(got) != 1 || got[0].ID != 5 {
			t.Errorf("cancels %+v, want t-5", got)
		}
	})
}

func TestSpaceGoesRoundTheWaitsOldestFirst(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		var got []string
		for range 5 {
			b.Keys("esc", "space")
			v, _ := b.root().board.Selected()
			got = append(got, v.ID.String())
		}
		if want := "t-1 t-4 t-2 t-3 t-1"; strings.Join(got, " ") != want {
			t.Errorf("jumped to %v, want %s", got, want)
		}
	})
}

func TestNewWaitMovesNothing(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("j", "j", "tab", "tab")
		before, _ := b.root().board.Selected()
		status := task.Status{State: task.NeedsHuman, Reason: "sign in"}
		b.desk.Put(task.View{ID: 5, Status: status, Revision: 30, SinceAt: 1, Next: task.Next(status, true)})
		b.Wait(2 * time.Second)
		after, _ := b.root().board.Selected()
		if before.ID != after.ID || b.root().focus != onInspector {
			t.Errorf("selected %s, focus %d; want %s and the inspector", after.ID, b.root().focus, before.ID)
		}
	})
}

func TestComposerStartsACheckedFlow(t *testing.T) {
	at(t, "empty", usual, func(b bench) {
		b.Keys("n")
		b.Type("testdata/join.json")
		b.Keys("enter")
		b.Type("Jo Park")
		b.Keys("enter")
		b.Type("http://127.0.0.1:4103")
		b.Keys("enter")
		got := b.desk.Starts()
		if len(got) != 1 {
			t.Fatalf("%d starts:\n%s", len(got), b.Frame())
		}
		if got[0].Task != "join" {
			t.Errorf("the task is called %q, want the file's name", got[0].Task)
		}
		if got[0].Facts["name"] != "Jo Park" || len(got[0].Facts) != 1 || got[0].Constraints.Origins[0] != "http://127.0.0.1:4103" {
			t.Errorf("started with %v at %v", got[0].Facts, got[0].Constraints.Origins)
		}
		b.MustShow("t-1 started")
	})
}

func TestComposerCompletesAPath(t *testing.T) {
	at(t, "empty", usual, func(b bench) {
		b.Keys("n")
		b.Type("testd")
		b.Keys("tab")
		b.MustShow("› testdata/")
		b.Keys("tab")
		for _, want := range []string{"▸ testdata/TestD11Goldens/", "testdata/TestStyledGoldens/", "testdata/faulty.json", "testdata/join.json"} {
			b.MustShow(want)
		}
		if b.Shows(".golden") || b.Shows(".png") {
			t.Errorf("what is no flow is offered:\n%s", b.Frame())
		}
		b.Keys("down", "down", "down", "tab")
		b.MustShow("› testdata/join.json")
		b.Keys("ctrl+u")
		b.Type("testdata/j")
		b.Keys("tab", "enter")
		b.MustShow("testdata/join.json   2 steps")
	})
}

func TestComposerKeepsWhatWasTyped(t *testing.T) {
	at(t, "empty", usual, func(b bench) {
		b.Keys("n")
		b.Type("testdata/nothing")
		b.Keys("tab")
		b.MustShow("no folder and no .json file begins like that")
		b.MustShow("› testdata/nothing")
		b.Keys("enter")
		b.MustShow("cannot be read")
		b.MustShow("› testdata/nothing")
		b.Keys("ctrl+u")
		b.Type("testdata/join.json")
		b.Keys("enter")
		b.Type("Jo Park")
		b.Keys("esc", "enter")
		b.MustShow("Jo Park")
		b.Keys("enter", "enter")
		if got := b.desk.Starts(); len(got) != 1 || got[0].Facts["name"] != "Jo Park" {
			t.Errorf("started with %+v", got)
		}
	})
}

func TestComposerShowsErrorsAndStartsNothing(t *testing.T) {
	at(t, "empty", usual, func(b bench) {
		b.Keys("n")
		b.Type("testdata/faulty.json")
		b.Keys("enter")
		for _, want := range []string{"steps[0].browse", "steps[2]", "UNKNOWN_STEP_KIND", "steps[3].repeat_until.max"} {
			b.MustShow(want)
		}
		b.Keys("esc", "ctrl+u")
		b.Type("testdata/no-such.json")
		b.Keys("enter")
		b.MustShow("cannot be read")
		if n := len(b.desk.Starts()); n != 0 {
			t.Errorf("%d started", n)
		}
	})
}

func TestComposerTellsWhyATaskDidNotStart(t *testing.T) {
	at(t, "empty", usual, func(b bench) {
		b.desk.OnStart = func(task.StartRequest) (task.View, error) {
			return task.View{}, fault.New(fault.TooManyTasks, "32 tasks run or wait")
		}
		b.Keys("n")
		b.Type("testdata/join.json")
		b.Keys("enter")
		b.Type("Jo")
		b.Keys("enter", "enter")
		b.MustShow("TOO_MANY_TASKS")
		b.MustShow("Answer or cancel a task first")
	})
}

func TestFlowInPlaceOfATaskWithoutOne(t *testing.T) {
	at(t, "plan", usual, func(b bench) {
		b.Keys("space")
		b.Wait(2 * time.Second)
		b.Type("flow")
		b.Keys("enter")
		b.MustShow("NEW TASK")
		b.Type("testdata/join.json")
		b.Keys("enter")
		b.Type("Jo")
		b.Keys("enter", "enter")
		if got := b.desk.Cancels(); len(b.desk.Starts()) != 1 || len(got) != 1 || got[0].ID != 9 {
			t.Errorf("%d started, cancelled %+v; want one, and t-9 cancelled", len(b.desk.Starts()), got)
		}
	})
}

func TestTooSmallStillNamesWhoWaits(t *testing.T) {
	at(t, "demo", uitest.Size{Width: 59, Height: 15}, func(b bench) { b.MustShow("▣ TYPE t-1") })
}

// No message makes a call: only the commands do, and none runs here.
func TestUpdateCallsNothing(t *testing.T) {
	desk := uitest.Scene("demo", time.Now())
	var m tea.Model = build(t.Context(), desk, Options{}, theme.Plain(), nil)
	v := task.View{ID: 1, Status: task.Status{State: task.NeedsApproval, Digest: "x"}, Next: []string{task.OpCancel}}
	calls := desk.Calls()
	for _, msg := range []tea.Msg{
		tea.WindowSizeMsg{Width: 100, Height: 30},
		eventsMsg{entries: []task.Entry{{Event: task.EventView, Task: 1, View: &v}}},
		secondMsg{time.Now()},
		armMsg{time.Now()},
		reportMsg{id: 1},
		lookMsg{id: 1},
		lookMsg{id: 1, done: true},
		answeredMsg{id: 1},
		startedMsg{view: v},
		haltedMsg{},
		uitest.Key("n"), uitest.Key("esc"),
		uitest.Key("space"), uitest.Key("enter"), uitest.Key("q"),
	} {
		m, _ = m.Update(msg)
		_ = m.View()
	}
	if got := desk.Calls(); got != calls {
		t.Errorf("%d calls were made by Update or View", got-calls)
	}
}

func TestNoTwoBindingsOnOneKeyInOneScope(t *testing.T) {
	k := DefaultKeyMap()
	scopes := map[string][]key.Binding{
		"board":     append(k.everywhere(), append(k.Board.FullHelp(), k.Inspector.Tabs()...)...),
		"inspector": append(k.everywhere(), k.Inspector.FullHelp()...),
		"decision":  k.Decision.FullHelp(),
		"composer":  k.Composer.FullHelp(),
		"history":   k.Past.FullHelp(),
	}
	for name, scope := range scopes {
		seen := map[string]string{}
		for _, b := range scope {
			for _, pressed := range b.Keys() {
				if name == "inspector" && pressed == "n" {
					continue // while a search stands it is the next hit
				}
				if other, ok := seen[pressed]; ok {
					t.Errorf("%s: %q is both %q and %q", name, pressed, other, b.Help().Desc)
				}
				seen[pressed] = b.Help().Desc
			}
		}
	}
}

func TestFeedGathersEventsIntoTenFramesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		desk := uitest.Scene("busy", time.Now())
		f := newFeed(ctx, desk.Watch(ctx, nil), systemClock{}, func(v any) { panic(v) })
		go func() { // ends by itself after a second of reports
			for range 50 {
				for id := range task.ID(32) {
					desk.Emit(task.Entry{Event: task.EventStep, Task: id + 1, Report: &flows.StepReport{Outcome: flows.OutcomeDone}})
				}
				time.Sleep(20 * time.Millisecond)
			}
		}()
		frames, events := 0, 0
		for start := time.Now(); time.Since(start) < time.Second; {
			msg := f.wait(ctx, frames > 0)().(eventsMsg)
			frames++
			events += len(msg.entries)
		}
		if frames > 11 || events < 32*45 {
			t.Errorf("%d frames for %d events in a second, want at most 11 and nearly all", frames, events)
		}
		cancel()
		f.Close()
	})
}

// However narrow: how to answer or where to go, help, and the way out.
func TestTheKeysThatMatterMostStay(t *testing.T) {
	for _, width := range []int{60, 80, 100, 120} {
		at(t, "demo", uitest.Size{Width: width, Height: 24}, func(b bench) {
			rows := strings.Split(strings.TrimSpace(b.Frame()), "\n")
			for _, want := range []string{"space next wait", "? help", "q quit"} {
				if last := rows[len(rows)-1]; !strings.Contains(last, want) {
					t.Errorf("%d cells: %q is missing in %q", width, want, last)
				}
			}
			b.Keys("j", "j", "enter")
			b.MustShow("p I paid")
			b.MustShow("esc leave it")
		})
	}
}
