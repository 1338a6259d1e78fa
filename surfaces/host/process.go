package host

import (
	"bytes"
	"context"
	"path/filepath"
	"time"
)

// Process is one process for its whole life: the number alone is given again by
// the system, the number with the start time is not.
type Process struct {
	PID   int    `json:"pid"`
	Start uint64 `json:"start"` // as this system counts: on Linux clock ticks after boot, field 22 of /proc/PID/stat (proc_pid_stat(5))
}

// pollEvery is how often a process that is ending is looked at.
const pollEvery = 20 * time.Millisecond

// stat is what a system's table of processes says of one that runs.
type stat struct {
	group int // the process that leads its group
	start uint64
}

// ProcessOf gives the process that has the number now; false when none has, or
// when it is only waiting to be reaped.
func ProcessOf(pid int) (Process, bool) {
	st, ok := statOf(pid)
	if !ok {
		return Process{}, false
	}
	return Process{PID: pid, Start: st.start}, true
}

// Alive reports whether this very process still runs. The zero Process does not.
func (p Process) Alive() bool {
	now, ok := ProcessOf(p.PID)
	return ok && p.PID > 0 && now.Start == p.Start
}

// End asks the process to stop, waits up to grace, and then kills everything in
// its group; it returns when none of it runs. Nil when it was gone already, and for the
// zero Process. The
// process must lead its group, as StartChromium makes it.
func (p Process) End(ctx context.Context, grace time.Duration) error {
	if p.PID <= 1 || p.Start == 0 {
		return nil // nobody's number; group 0 would be everybody's
	}
	if p.Alive() {
		if err := askToEnd(p.PID); err != nil {
			return err
		}
		asked, cancel := context.WithTimeout(ctx, grace)
		await(asked, func() bool { return !p.Alive() })
		cancel()
	}
	if now, ok := ProcessOf(p.PID); ok && now.Start != p.Start {
		return nil // the number belongs to somebody else by now
	}
	for {
		left := group(p.PID)
		if len(left) == 0 {
			return nil
		}
		for _, pid := range left {
			kill(pid)
		}
		if err := sleep(ctx, pollEvery); err != nil {
			return err
		}
	}
}

// group lists the running members of a process group.
func group(leader int) []int {
	var members []int
	for _, pid := range pids() {
		if st, ok := statOf(pid); ok && st.group == leader {
			members = append(members, pid)
		}
	}
	return members
}

// usersOf lists the running processes started with the profile folder.
func usersOf(profile string) []int {
	want := []byte("--user-data-dir=" + filepath.Clean(profile))
	var users []int
	for _, pid := range pids() {
		for arg := range bytes.SplitSeq(commandLine(pid), []byte{0}) {
			if bytes.Equal(arg, want) {
				users = append(users, pid)
				break
			}
		}
	}
	return users
}

// await looks until done or until ctx ends.
func await(ctx context.Context, done func() bool) {
	for !done() {
		if sleep(ctx, pollEvery) != nil {
			return
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
