package host

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Process is one process for its whole life: the number alone is given again by
// the system, the number with the start time is not.
type Process struct {
	PID   int    `json:"pid"`
	Start uint64 `json:"start"` // clock ticks after boot, field 22 of /proc/PID/stat (proc_pid_stat(5))
}

// pollEvery is how often a process that is ending is looked at.
const pollEvery = 20 * time.Millisecond

// stat is what is used of /proc/PID/stat.
type stat struct {
	state byte
	group int
	start uint64
}

func readStat(pid int) (stat, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}, false
	}
	// The name is in brackets and may hold blanks and brackets itself.
	end := bytes.LastIndexByte(b, ')')
	if end < 0 {
		return stat{}, false
	}
	fields := strings.Fields(string(b[end+1:]))
	if len(fields) < 20 {
		return stat{}, false
	}
	group, err := strconv.Atoi(fields[2])
	if err != nil {
		return stat{}, false
	}
	start, err := strconv.ParseUint(fields[19], 10, 64)
	if err != nil {
		return stat{}, false
	}
	return stat{state: fields[0][0], group: group, start: start}, true
}

// ProcessOf gives the process that has the number now; false when none has, or
// when it is only waiting to be reaped.
func ProcessOf(pid int) (Process, bool) {
	st, ok := readStat(pid)
	if !ok || st.state == 'Z' || st.state == 'X' {
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
		if err := syscall.Kill(p.PID, syscall.SIGTERM); err != nil && !errors.Is(err, syscall.ESRCH) {
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
			_ = syscall.Kill(pid, syscall.SIGKILL) // gone meanwhile is as good
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
		st, ok := readStat(pid)
		if ok && st.group == leader && st.state != 'Z' && st.state != 'X' {
			members = append(members, pid)
		}
	}
	return members
}

func pids() []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var all []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// usersOf lists the running processes started with the profile folder.
func usersOf(profile string) []int {
	want := []byte("--user-data-dir=" + filepath.Clean(profile))
	var users []int
	for _, pid := range pids() {
		line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
		if err != nil {
			continue
		}
		for arg := range bytes.SplitSeq(line, []byte{0}) {
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
