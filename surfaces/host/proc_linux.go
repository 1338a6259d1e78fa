package host

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// statOf reads /proc/PID/stat (proc_pid_stat(5)); false for a process that is
// not there, or only waits to be reaped.
func statOf(pid int) (stat, bool) {
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
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return stat{}, false
	}
	group, err := strconv.Atoi(fields[2])
	if err != nil {
		return stat{}, false
	}
	start, err := strconv.ParseUint(fields[19], 10, 64)
	return stat{group: group, start: start}, err == nil
}

// pids lists all there are.
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

// commandLine is what a process was started with, each part ended by a zero
// byte; empty when the system will not say.
func commandLine(pid int) []byte {
	line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline") // it may have ended
	return line
}
