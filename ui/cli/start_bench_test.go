package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/store"
)

const (
	finishedTasks  = 1000
	entriesPerTask = 20

	boardTitle = "0 tasks" // ends the board's first line; an error's text holds the program's name too
)

// BenchmarkStart is the time from starting the built program at a terminal of
// 120 by 40 to its first frame, with a store of 1,000 finished tasks; "ms" is
// the median of the runs. The bar is 150 on a quiet machine.
func BenchmarkStart(b *testing.B) {
	exe, err := program()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	fillStore(b, filepath.Join(dir, "state", "countersign", "desk.db"))
	startToFrame(b, exe, dir) // reads the program and the store into memory
	var runs []time.Duration
	for b.Loop() {
		runs = append(runs, startToFrame(b, exe, dir))
	}
	slices.Sort(runs)
	b.ReportMetric(float64(runs[len(runs)/2].Microseconds())/1000, "ms")
	b.ReportMetric(float64(runs[0].Microseconds())/1000, "best-ms")
}

// startToFrame starts the desk, waits until its board is drawn, and kills it: a
// desk without live tasks leaves nothing that would make the next start another.
func startToFrame(b *testing.B, exe, dir string) time.Duration {
	b.Helper()
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+filepath.Join(dir, "state"),
		"XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "TERM=xterm-256color")
	start := time.Now()
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		b.Fatal(err)
	}
	overdue := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer func() {
		overdue.Stop()
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // ended by the signal
		_ = f.Close()
	}()
	var shown strings.Builder
	buf := make([]byte, 32<<10)
	for !strings.Contains(shown.String(), boardTitle) {
		n, err := f.Read(buf)
		shown.Write(buf[:n])
		if err != nil {
			b.Fatalf("no frame was drawn:\n%s", shown.String())
		}
	}
	return time.Since(start)
}

// fillStore writes the store of a desk that a person has used for long.
func fillStore(b *testing.B, path string) {
	b.Helper()
	s, err := store.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	for range finishedTasks {
		id, err := s.Allocate()
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Commit(finished(id)); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

func finished(id task.ID) task.Change {
	r := task.Record{
		ID: id, Revision: 1, Seq: entriesPerTask, History: true,
		Request: task.StartRequest{Task: "Order the cheapest cargo bike", Facts: map[string]string{"name": "Noa Lindqvist"}},
		Flow:    json.RawMessage(`{"app":"browser","steps":[{"browse":"http://127.0.0.1:8100"},"press \"Search\""]}`),
		View: task.View{
			ID: id, Revision: 1, Title: "Order the cheapest cargo bike", Summary: strings.Repeat("A sentence. ", 40),
			Status: task.Status{State: task.Done, Answer: "Finished all 2 steps.", Records: map[string]task.Rows{"offers": {{"price": "31 EUR"}}}},
		},
	}
	var entries []task.Entry
	for seq := range uint64(entriesPerTask) {
		entries = append(entries, task.Entry{
			Event: task.EventStep, Task: id, Seq: seq + 1, At: int64(seq + 1),
			Report: &flows.StepReport{Step: "2", Kind: flows.KindDo, Text: `press "Search"`, Outcome: flows.OutcomeDone, Note: "pressed button \"Search\""},
		})
	}
	return task.Change{Record: r, Entries: entries}
}
