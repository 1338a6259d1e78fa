package store

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"countersign/surfaces/fault"
)

const (
	// lockTime is how long Open waits for another desk that is just closing. The
	// person must hear of a lock within one second (tasks.md 10.9).
	lockTime = 500 * time.Millisecond
)

// The holder of the lock writes its process id beside the store, so that a
// second desk can name it. The file is believed only while the lock is held
// and that process lives: one left by a killed desk misleads nobody. A list of
// locks is not asked instead, because in containers it names other devices and
// processes than we see.
func pidPath(path string) string { return path + ".pid" }

// writePID is a courtesy: when it cannot be written, a second desk names no
// process.
func (s *Store) writePID() {
	_ = os.WriteFile(pidPath(s.path), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
}

func (s *Store) removePID() { _ = os.Remove(pidPath(s.path)) }

func holder(path string) (pid int, ok bool) {
	raw, err := os.ReadFile(pidPath(path))
	if err != nil {
		return 0, false
	}
	pid, err = strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil || pid <= 0 {
		return 0, false
	}
	return pid, runs(pid)
}

func locked(path string, cause error) error {
	f := fault.Wrap(fault.StoreLocked, cause, "another process holds the store "+path)
	if pid, ok := holder(path); ok {
		return f.WithHint(fmt.Sprintf("Close the other desk (process %d), or give a store of its own with --store.", pid))
	}
	return f
}
