package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/theme"
	"countersign/ui/uitest"
)

// inReading turns to the payment task of the demo and into its inspector.
func inReading(b bench, tab string) { b.Keys("j", "j", tab, "tab", "tab") }

func TestSearchGoesFromHitToHit(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		inReading(b, "1")
		b.Keys("/")
		b.MustShow("│ /")
		b.Type("basket")
		b.Keys("enter")
		b.MustShow("/basket 1 of 3")
		for _, want := range []string{"2 of 3", "3 of 3", "1 of 3"} {
			b.Keys("n")
			b.MustShow(want)
		}
		b.Keys("N")
		b.MustShow("3 of 3")
		b.Keys("esc", "/")
		b.Type("nowhere(")
		b.Keys("enter")
		b.MustShow("/nowhere( not found")
		b.Keys("esc", "n")
		if !b.root().composing {
			t.Error("n is not a new task once the search ended")
		}
	})
}

// A search holds the rows: what a task does meanwhile moves nothing of them.
func TestWhatIsReadStaysWhileStepsCome(t *testing.T) {
	at(t, "demo", uitest.Size{Width: 120, Height: 20}, func(b bench) {
		b.Keys("G", "1", "tab")
		for i := range 40 {
			b.desk.Emit(stepEntry(5, i+10))
		}
		b.Wait(time.Second)
		b.Keys("/")
		b.Type("row 12")
		b.Keys("enter")
		before := b.Frame()
		if !strings.Contains(before, "row 12") {
			t.Fatalf("the hit is not shown:\n%s", before)
		}
		for i := range 40 {
			b.desk.Emit(stepEntry(5, i+50))
		}
		b.Wait(200 * time.Millisecond)
		b.Keys("y")
		b.Resize(uitest.Size{Width: 120, Height: 20})
		if got := reading(b.Frame()); got != reading(before) {
			t.Errorf("new steps, or copying, moved what is read:\n%s\nbefore\n%s", got, reading(before))
		}
	})
}

// reading is the inspector's rows of a wide frame.
func reading(frame string) string {
	var rows []string
	for i, line := range strings.Split(frame, "\n") {
		if _, right, ok := strings.Cut(line, "│"); ok && i > 1 && i < 19 {
			rows = append(rows, right)
		}
	}
	return strings.Join(rows, "\n")
}

func stepEntry(id task.ID, n int) task.Entry {
	return task.Entry{Event: task.EventStep, Task: id, Report: &flows.StepReport{
		Step: string(rune('0'+n/10)) + "." + string(rune('0'+n%10)), Run: 1, Kind: flows.KindDo, Text: "row " + string(rune('0'+n/10)) + string(rune('0'+n%10)), Outcome: flows.OutcomeDone,
	}}
}

func TestRecordsAreCopiedAndSaved(t *testing.T) {
	dir := t.TempDir()
	var out strings.Builder
	with(t, "demo", usual, Options{ExportDir: dir, Out: &out}, theme.Plain(), func(b bench) {
		inReading(b, "4")
		b.Keys("j", "y")
		b.MustShow("copied Dotted notebook A5    9.20 EUR    4.5")
		b.Keys("e", "E", "E")
		b.MustShow("saved " + filepath.Join(dir, "t-2-records-2.json"))
	})
	if want := "\x1b]52;c;"; !strings.Contains(out.String(), want) {
		t.Errorf("the terminal was told %q, want a clipboard sequence", out.String())
	}
	tests := map[string]string{
		"t-2-results.csv":  "name,price,stars\nDotted notebook A5,9.20 EUR,4.5\n\"Dotted notebook A4, hard cover, 240 pages\",12.80 EUR,4.1\nLined notebook,7.00 EUR,3.9\n",
		"t-2-total.csv":    "value\n18.40 EUR\n",
		"t-2-records.json": "{\n  \"item\": [",
	}
	for name, want := range tests {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
}

func TestNoCellOfACSVIsAFormula(t *testing.T) {
	tests := map[string]string{"=1+1": "'=1+1", "@x": "'@x", "-12.5": "-12.5", "+45 12": "'+45 12", "a=b": "a=b", "": "", "-cmd": "'-cmd"}
	for in, want := range tests {
		if got := inert(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestRecordsThatCannotBeSavedSaySo(t *testing.T) {
	with(t, "demo", usual, Options{ExportDir: filepath.Join(t.TempDir(), "none")}, theme.Plain(), func(b bench) {
		inReading(b, "4")
		b.Keys("e")
		b.MustShow("the records cannot be saved here")
	})
}

func TestFilterNeverHidesAWait(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.Keys("/")
		b.Type("library")
		b.MustShow("1 of 5 tasks")
		b.MustShow("▲ 2 BY HAND") // counts are of every task
		b.Keys("enter", "space", "esc", "space", "esc", "space")
		if v, _ := b.root().board.Selected(); v.ID == 1 {
			t.Error("space stays inside the filter")
		}
		if b.Shows("of 5 tasks") {
			t.Error("the filter hides the task that space went to")
		}
	})
}

func TestHistoryShowsATaskThatEnded(t *testing.T) {
	at(t, "empty", usual, func(b bench) {
		for id := range task.ID(120) {
			v := task.View{ID: id + 1, Title: "Old task \x1b[2J", Status: task.Status{State: task.Done}, Revision: 1, SinceAt: 1}
			b.desk.Put(v)
		}
		b.Wait(time.Second)
		b.Keys("H")
		b.MustShow("1 of 50, and older ones")
		for range 3 {
			b.Keys("pgdown")
		}
		b.MustShow("100 of 120")
		b.Type("zzz")
		b.MustShow("No task that ended is like that.")
		b.Keys("backspace", "backspace", "backspace", "down", "enter")
		if v, _ := b.root().board.Selected(); v.ID != 119 || b.root().browsing {
			t.Errorf("%s is selected, want t-119", v.ID)
		}
	})
}

func TestATaskIsStartedAgain(t *testing.T) {
	at(t, "demo", usual, func(b bench) {
		b.desk.SetReport(2, task.Report{
			Flow: []byte(`{"app":"browser","steps":[{"browse":"http://a.test"},{"enter":{"name":"${name}","code":"${code}"}}]}`),
			Request: task.StartRequest{
				Facts: map[string]string{"name": "Jo"}, SecretFacts: []string{"code"},
				Constraints: task.Constraints{Origins: []string{"http://a.test"}, AllowDestructive: true},
			},
		})
		b.Keys("j", "j", "c", "enter", "enter")
		b.Type("hush")
		if b.Shows("hush") {
			t.Fatalf("what was secret before is shown:\n%s", b.Frame())
		}
		b.Keys("enter", "enter")
		got := b.desk.Starts()
		if len(got) != 1 {
			t.Fatalf("%d starts:\n%s", len(got), b.Frame())
		}
		r := got[0]
		if r.Facts["name"] != "Jo" || r.Facts["code"] != "hush" || len(r.SecretFacts) != 1 || r.Constraints.Origins[0] != "http://a.test" {
			t.Errorf("started with %v, secret %v, at %v", r.Facts, r.SecretFacts, r.Constraints.Origins)
		}
		if r.Constraints.AllowDestructive {
			t.Error("leave to destroy was taken over")
		}
	})
}

func TestAFlowIsWrittenInTheEditor(t *testing.T) {
	at(t, "empty", usual, func(b bench) {
		b.Keys("n", "ctrl+e")
		b.MustShow("search bikes and parts") // without an editor it is written here
		b.Keys("esc", "esc", "esc", "n")
		b.Send(writtenMsg{text: withGuide("# Task: Look at it\n{\"app\":\"browser\",\"steps\":[{\"browse\":\"http://a.test\"}]}")})
		b.MustShow("Look at it")
		b.Keys("enter", "enter")
		if got := b.desk.Starts(); len(got) != 1 || got[0].Task != "Look at it" {
			t.Errorf("started %+v:\n%s", got, b.Frame())
		}
	})
}
