package desktop

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"countersign/surfaces/desktop/robot"
)

// own is what the desk keeps its hands off: the processes it runs under, among
// them its terminal, and the window that terminal says it is in.
type own robot.Own

func (o own) has(pid int) bool { return pid != 0 && slices.Contains(o.PIDs, pid) }

// ownOf finds the terminal of a process by its ancestry. Inside tmux or screen
// the terminal is an ancestor of the client, not of the process, so the clients
// of this user count as well.
func ownOf(pid int, env environment) own {
	o := own{PIDs: ancestry(pid)}
	if n, err := strconv.ParseUint(env.get("WINDOWID"), 10, 32); err == nil && n != 0 {
		o.Windows = []uint32{uint32(n)}
	}
	if env.get("TMUX") != "" || env.get("STY") != "" {
		for _, client := range multiplexers() {
			o.PIDs = append(o.PIDs, ancestry(client)...)
		}
	}
	slices.Sort(o.PIDs)
	o.PIDs = slices.Compact(o.PIDs)
	return o
}

// ancestry lists a process and those it was started by, the first process of
// all left out.
func ancestry(pid int) []int {
	var all []int
	for pid > 1 && !slices.Contains(all, pid) {
		all = append(all, pid)
		pid = parentOf(pid)
	}
	return all
}

// parentOf reads field 4 of /proc/PID/stat (proc_pid_stat(5)); 0 when there is
// none.
func parentOf(pid int) int {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return 0
	}
	return parent
}

// multiplexers lists the processes that are, by their name, what tmux or screen
// shows itself in.
func multiplexers() []int {
	var found []int
	files, _ := filepath.Glob("/proc/[0-9]*/comm")
	for _, file := range files {
		name, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		switch string(bytes.TrimSpace(name)) {
		case "tmux: client", "tmux", "screen":
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
				found = append(found, pid)
			}
		}
	}
	return found
}
