//go:build linux

package ui

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/ui/uitest"
)

// BenchmarkBusyDesk sits at a terminal of 120x40 with 32 tasks that report 50
// times a second each, and presses a key every tenth of a second (desk.md
// section 6). SPEEDTIME is how long, 10 s unless it says otherwise; five minutes
// show whether the memory stays flat. The cost includes that of the reports and
// of the terminal, which are this process's too.
func BenchmarkBusyDesk(b *testing.B) {
	long, err := time.ParseDuration(os.Getenv("SPEEDTIME"))
	if err != nil {
		long = 10 * time.Second
	}
	busy(b, long)
}

func busy(b *testing.B, long time.Duration) {
	b.Helper()
	s := sit(b, chattering{uitest.Scene("busy", time.Now())}, usual, Options{})
	s.has("32 tasks")
	s.has("press for the")
	var took []time.Duration
	heapAt, cpuAt, bytesAt, begun := heap(), cpu(), s.written(), time.Now()
	beat := time.NewTicker(time.Second / 10)
	defer beat.Stop()
	for at := begun; at.Sub(begun) < long; at = <-beat.C {
		key, under := "j", "▌● running t-2"
		if len(took)%2 == 1 {
			key, under = "k", "▌● running t-1"
		}
		pressed := time.Now()
		s.send(key)
		s.until(under, func(shown string) bool { return strings.Contains(shown, under+" ") })
		took = append(took, time.Since(pressed))
	}
	passed := time.Since(begun).Seconds()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms/key")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms/key")
	b.ReportMetric(float64(s.written()-bytesAt)/1000/passed, "KB/s")
	b.ReportMetric((cpu()-cpuAt).Seconds()/passed*100, "cpu-%")
	b.ReportMetric((heap()-heapAt)/passed*60, "heap-KB/min")
}

// chattering is a desk whose 32 tasks report 50 times a second. Unlike the fake
// below it, it keeps nothing of that.
type chattering struct{ controller.Desk }

func (d chattering) Watch(ctx context.Context, from map[task.ID]uint64) controller.Stream {
	return &chatter{Stream: d.Desk.Watch(ctx, from)}
}

type chatter struct {
	controller.Stream
	rounds int
}

func (c *chatter) Next(ctx context.Context) ([]task.Entry, error) {
	if c.rounds++; c.rounds == 1 {
		return c.Stream.Next(ctx)
	}
	select {
	case <-time.After(time.Second / 50):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	entries := make([]task.Entry, 32)
	for i := range entries {
		entries[i] = report(task.ID(i+1), c.rounds)
	}
	return entries, nil
}

// TestNothingToTellWritesNothing: with nothing running or waiting the desk
// writes not one byte, however long it stands.
func TestNothingToTellWritesNothing(t *testing.T) {
	t.Parallel()
	s := sit(t, uitest.Scene("rescued", time.Now().Add(-longAgo)), usual, Options{Clock: hasty{time.Now(), 50}})
	s.has("done")
	s.until("all that is told of it", func(shown string) bool {
		return strings.Contains(shown, "extract the list of trains") && strings.Contains(shown, "embedded · browser")
	})
	before := s.written()
	<-time.After(time.Second) // fifty of the desk's
	if n := s.written() - before; n > 0 {
		t.Errorf("%d bytes written", n)
	}
}

func heap() (kilobytes float64) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1000
}

// cpu is what this process has used, in user and system time.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it fails for a bad address alone
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
