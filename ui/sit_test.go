//go:build linux

package ui

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hinshun/vt10x"

	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/uitest"
)

// reports makes all 32 tasks of a desk report, rounds times, so often a second;
// pace 0: as fast as they can.
func reports(ctx context.Context, desk *controllertest.Desk, rounds int, pace time.Duration) {
	for n := range rounds {
		for id := range task.ID(32) {
			desk.Emit(report(id+1, n+1))
		}
		if pace == 0 {
			continue
		}
		select {
		case <-time.After(pace):
		case <-ctx.Done():
			return
		}
	}
}

// report is what a task says after so many acts; its flow has five steps.
func report(id task.ID, n int) task.Entry {
	return task.Entry{Event: task.EventStep, Task: id, Report: &flows.StepReport{
		Step: fmt.Sprint(n%5 + 1), Run: 1, Kind: flows.KindDo, Text: fmt.Sprintf("press for the %dth time", n), Outcome: flows.OutcomeDone, ElapsedMS: 20,
	}}
}

// working starts the reports of a busy desk; they end with the test.
func working(t testing.TB, desk *controllertest.Desk) {
	ctx, stop := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { reports(ctx, desk, 1<<30, 20*time.Millisecond) })
	t.Cleanup(func() { stop(); done.Wait() })
}

// TestD10AtATerminal types a draft while 32 tasks report 50 times a second.
func TestD10AtATerminal(t *testing.T) {
	desk := uitest.Scene("busy", time.Now())
	s := sit(t, desk, usual, Options{})
	s.has("32 tasks")
	working(t, desk)
	s.send("n")
	s.has("path")
	const draft = "flows/one with a rather long name, typed by a person.json"
	for i := range draft {
		s.send(draft[i : i+1]) // without waiting: as fast as the line carries it
	}
	cells := s.has("› " + draft)
	for _, row := range cells {
		if _, after, ok := strings.Cut(line(row), "› "+draft); ok {
			x := len([]rune(line(row))) - len([]rune(after))
			if cursor := row[x]; cursor.Mode&1 == 0 || cursor.Text != " " {
				t.Errorf("behind the draft stands %+v, not the cursor", cursor)
			}
		}
	}
}

// TestD11ResizeStorm changes the size forty times; what is shown in the end is
// what was shown before.
func TestD11ResizeStorm(t *testing.T) {
	st := newStage(t, usual)
	before := st.until("READY", ready)
	sizes := []uitest.Size{{Width: 200, Height: 50}, {Width: 59, Height: 15}, {Width: 80, Height: 24}, {Width: 1, Height: 1}, {Width: 60, Height: 16}}
	for i := range 40 {
		st.resize(sizes[i%len(sizes)])
	}
	st.resize(usual)
	compare(t, "after the storm", before, st.until("the same screen", func(shown string) bool {
		return ready(shown) && strings.Contains(shown, "The page says:")
	}))
	st.resize(uitest.Size{Width: 59, Height: 15})
	st.has("DECIDE t-3 · too small")
}

// TestASizeThatComesBackIsDrawnWhole: what the terminal lost meanwhile is drawn
// again, though the desk was told of no other size.
func TestASizeThatComesBackIsDrawnWhole(t *testing.T) {
	st := newStage(t, usual)
	before := st.until("READY", ready)
	st.mu.Lock()
	st.screen.Resize(uitest.Size{Width: 10, Height: 3})
	st.screen.Resize(usual)
	st.mu.Unlock()
	st.resize(usual)
	compare(t, "a size that came back", before, st.until("the same screen", func(shown string) bool {
		return ready(shown) && strings.Contains(shown, "The page says:")
	}))
}

// TestD15AtATerminal sits without colour: not one cell has any, and the three
// waits differ by word and glyph.
func TestD15AtATerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	s := sit(t, uitest.Scene("demo", time.Now()), usual, Options{})
	for _, wait := range []string{"◆ DECIDE", "▣ TYPE", "▲ BY HAND"} {
		s.has(wait)
	}
	for y, row := range s.has("5 tasks") {
		for x, c := range row {
			if c.FG != vt10x.DefaultFG || c.BG != vt10x.DefaultBG {
				t.Fatalf("column %d of row %d has a colour: %+v", x, y, c)
			}
		}
	}
}

// TestColoursOfTheTerminal draws with what the terminal says it has, and not
// with more.
func TestColoursOfTheTerminal(t *testing.T) {
	for name, tt := range map[string]struct {
		term, colorterm string
		most            vt10x.Color // the highest index of its colours
	}{
		"16":   {"xterm-color", "", 15},
		"256":  {"xterm-256color", "", 255},
		"true": {"xterm-256color", "truecolor", vt10x.DefaultFG - 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("NO_COLOR", "")
			t.Setenv("CI", "") // set, no terminal counts as one
			t.Setenv("TERM", tt.term)
			t.Setenv("COLORTERM", tt.colorterm)
			s := sit(t, uitest.Scene("demo", time.Now()), usual, Options{})
			coloured, highest := 0, vt10x.Color(0)
			for _, row := range s.has("5 tasks") {
				for _, c := range row {
					if c.FG != vt10x.DefaultFG && c.FG != vt10x.DefaultBG {
						coloured++
						highest = max(highest, c.FG)
					}
				}
			}
			if coloured == 0 || highest > tt.most || name == "256" && highest <= 15 || name == "true" && highest <= 255 {
				t.Errorf("%d cells with colours up to %d, want some and up to %d", coloured, highest, tt.most)
			}
		})
	}
}

// TestSlowTerminalSlowsNoTask drains the terminal at 2 KB a second. All reports
// are taken before it has shown the first of them, keys are not lost, and once it
// is faster it shows how things stand.
func TestSlowTerminalSlowsNoTask(t *testing.T) {
	t.Parallel()
	desk := uitest.Scene("busy", time.Now())
	s := sit(t, desk, usual, Options{}, slowly)
	for s.written() == 0 {
		<-s.more
	}
	reports(t.Context(), desk, 200, 0)
	if n := s.written(); n > 8<<10 {
		t.Errorf("the terminal had shown %d bytes before all 6400 reports were taken", n)
	}
	s.send("jj")
	s.tap(0)
	s.has("press for the 200th time")
	s.until("the third task under the cursor", func(shown string) bool { return strings.Contains(shown, "▌● running t-3") })
}

// TestAMillionLettersPasted: they are refused, which is said, and what was typed
// stays.
func TestAMillionLettersPasted(t *testing.T) {
	t.Parallel()
	s := sit(t, uitest.Scene("planner", time.Now()), usual, Options{})
	s.has("0 tasks")
	s.send("n")
	s.has("NEW TASK")
	s.types("hello")
	s.send("\x1b[200~" + strings.Repeat("wide 送信 \x1b[2J ", 1<<16) + "\x1b[201~")
	s.has("was not taken")
	s.send("!")
	s.has("hello!")
	if got := s.strange(); len(got) > 0 {
		t.Errorf("the terminal was sent %q", got)
	}
}

// TestWideAndCombiningTextTyped keeps the cursor behind what it measures.
func TestWideAndCombiningTextTyped(t *testing.T) {
	s := sit(t, uitest.Scene("planner", time.Now()), usual, Options{})
	s.has("0 tasks")
	s.send("n")
	s.has("NEW TASK")
	s.send("送信")
	s.has("送信")
	s.send("e\u0301")
	s.has("送信e\u0301")
	s.send("\x7f\x7f!")
	s.has("› 送信!")
}
