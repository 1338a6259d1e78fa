//go:build unix

package drill

import (
	"os"
	"syscall"
)

// alone reports a plain file that goes by no second name.
func alone(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return info.Mode().IsRegular() && ok && st.Nlink == 1
}

// dieAtOnce ends this process as a crash would.
func dieAtOnce() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }

// wasKilled reports whether a process ended that way.
func wasKilled(state *os.ProcessState) bool {
	ws, ok := state.Sys().(syscall.WaitStatus)
	return ok && ws.Signaled() && ws.Signal() == syscall.SIGKILL
}
