package controller_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"countersign/controller"
	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/flows"
	"countersign/store"
	"countersign/store/storetest"
	"countersign/surfaces"

	"go.etcd.io/bbolt"
)

// ended stores n finished tasks as they lie in a store of some months: a
// record with rows, and twenty entries.
func ended(b *testing.B, s *store.Store, n int) {
	b.Helper()
	status := task.Status{State: task.Done, Answer: "Finished all 8 steps.", Records: map[string]task.Rows{}}
	for i := range 20 {
		status.Records["offers"] = append(status.Records["offers"], map[string]string{"leaves": fmt.Sprint(i, ":10"), "price": "31 EUR"})
	}
	for range n {
		id, err := s.Allocate()
		if err != nil {
			b.Fatal(err)
		}
		v := task.View{ID: id, Status: status, Summary: "Finished all 8 steps.", Title: "Find the trains from Vienna to Innsbruck", Revision: 9, StartedAt: 1, SinceAt: 2}
		entries := make([]task.Entry, 20)
		for i := range entries {
			rep := stepReport(i)
			entries[i] = task.Entry{Event: task.EventStep, Task: id, Seq: uint64(i + 1), At: 1, Report: &rep}
		}
		rec := task.Record{ID: id, View: v, Revision: 9, Seq: 20, History: true, EndedAt: 2, Request: mail(), Flow: mail().Flow}
		if err := s.Commit(task.Change{Record: rec, Entries: entries}); err != nil {
			b.Fatal(err)
		}
	}
}

func stepReport(i int) flows.StepReport {
	return flows.StepReport{
		Step: strconv.Itoa(i + 1), Kind: flows.KindDo, Text: `press "Search"`, Side: surfaces.Browser, App: "browser",
		Outcome: flows.OutcomeDone, Note: "a list of results is showing now", Actions: []flows.ActionNote{{}}, Loops: []string{},
	}
}

// history10k is a store of 10,000 finished tasks and five that wait. It takes
// a while to make, so it lies in memory where there is such a folder.
func history10k(b *testing.B) string {
	b.Helper()
	path := filepath.Join(fastDir(b), "desk.db")
	s := storetest.OpenAt(b, path)
	ended(b, s, 10_000)
	c := benchDesk(b, s, controllertest.NewRunner())
	for range 5 {
		if _, err := c.StartTask(b.Context(), library()); err != nil {
			b.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		b.Fatal(err)
	}
	storetest.Close(b, s)
	return path
}

func benchDesk(b *testing.B, s controller.Store, runner *controllertest.Runner) *controller.Controller {
	b.Helper()
	c, err := controller.New(b.Context(), controller.Options{Store: s, Runner: runner, Opener: controllertest.NewOpener(), Version: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// BenchmarkStart10kFinished is what a starting desk waits for with 10,000
// finished tasks: the store opened, the controller made, the first list and
// the first page of history. It must stay under 300 ms.
func BenchmarkStart10kFinished(b *testing.B) {
	path := history10k(b)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := store.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		c := benchDesk(b, s, controllertest.NewRunner())
		if views, err := c.ListTasks(b.Context()); err != nil || len(views) != 5 {
			b.Fatal(len(views), err)
		}
		if page, err := c.History(b.Context(), "", 0, 50); err != nil || len(page) != 50 {
			b.Fatal(len(page), err)
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(info.Size())/(1<<20), "MB-file")
}

// BenchmarkSearch10kFinished reads the first page of a search that finds
// nothing, the longest there is.
func BenchmarkSearch10kFinished(b *testing.B) {
	c := benchDesk(b, storetest.OpenAt(b, history10k(b)), controllertest.NewRunner())
	defer func() { _ = c.Close() }()
	for b.Loop() {
		if page, err := c.History(b.Context(), "nothing like it", 0, 50); err != nil || len(page) != 0 {
			b.Fatal(len(page), err)
		}
	}
}

// Benchmark32TasksReporting has 32 tasks report 50 steps a second each, on a
// real disk. slowed is how much longer the slowest took to report than it had
// meant to, behind-ms how long after the last report all were stored; neither,
// nor bytes/step, must grow with the number of steps.
func Benchmark32TasksReporting(b *testing.B) {
	for _, seconds := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("for=%ds", seconds), func(b *testing.B) {
			var sum reported
			for b.Loop() {
				r := report(b, seconds)
				sum.slowed += r.slowed
				sum.behind += r.behind
				sum.perStep += r.perStep
			}
			b.ReportMetric(sum.slowed/float64(b.N), "slowed")
			b.ReportMetric(float64(sum.behind.Milliseconds())/float64(b.N), "behind-ms")
			b.ReportMetric(sum.perStep/float64(b.N), "bytes/step")
		})
	}
}

const perSecond = 50

type reported struct {
	slowed  float64       // time taken by the time meant
	behind  time.Duration // from the last report to the last one stored
	perStep float64       // bytes of the file's pages in use
}

// report runs the 32 tasks.
func report(b *testing.B, seconds int) reported {
	b.Helper()
	path := filepath.Join(b.TempDir(), "desk.db")
	s := storetest.OpenAt(b, path)
	runner := controllertest.NewRunner()
	var talking sync.WaitGroup
	var mu sync.Mutex // guards longest
	var longest time.Duration
	steps := seconds * perSecond
	talk := func(ctx context.Context, _ *controllertest.Place, req flows.Request) flows.Result {
		defer talking.Done()
		began := time.Now()
		beat := time.NewTicker(time.Second / perSecond)
		defer beat.Stop()
		for i := range steps {
			select {
			case <-beat.C:
			case <-ctx.Done():
				return flows.Result{Stop: flows.Cancelled, Failed: "1"}
			}
			rep := stepReport(i)
			rep.Step = "1." + rep.Step
			req.Observer.Step(rep)
		}
		mu.Lock()
		defer mu.Unlock()
		longest = max(longest, time.Since(began))
		return flows.Result{Stop: flows.Completed}
	}
	for range slots {
		runner.Next(talk)
	}
	c := benchDesk(b, s, runner)
	talking.Add(slots)
	ids := make([]task.ID, slots)
	for i := range ids {
		v, err := c.StartTask(b.Context(), task.StartRequest{Flow: flow(`{"repeat_until":{"condition":"it is done","steps":["look"],"max":50}}`)})
		if err != nil {
			b.Fatal(err)
		}
		ids[i] = v.ID
	}
	talking.Wait()
	last := time.Now()
	for _, id := range ids {
		for v, err := c.AwaitTask(b.Context(), id, time.Minute); v.Status.State == task.Running; v, err = c.AwaitTask(b.Context(), id, time.Minute) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	behind := time.Since(last)
	if err := c.Close(); err != nil {
		b.Fatal(err)
	}
	for _, id := range ids {
		entries, err := s.Entries(id, 0, 0)
		if err != nil {
			b.Fatal(err)
		}
		if got := reports(entries); got != steps {
			b.Fatalf("%s: %d steps stored of %d", id, got, steps)
		}
	}
	storetest.Close(b, s)
	return reported{longest.Seconds() / float64(seconds), behind, float64(inUse(b, path)) / float64(slots*steps)}
}

// inUse is how many bytes the pages of a closed store's buckets take.
func inUse(b *testing.B, path string) int {
	b.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	total := 0
	if err := db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(_ []byte, bucket *bbolt.Bucket) error {
			stats := bucket.Stats()
			total += stats.LeafAlloc + stats.BranchAlloc
			return nil
		})
	}); err != nil {
		b.Fatal(err)
	}
	return total
}

func reports(entries []task.Entry) int {
	n := 0
	for _, e := range entries {
		if e.Report != nil {
			n++
		}
	}
	return n
}
