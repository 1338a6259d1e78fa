package host

import (
	"os"
	"os/exec"
	"syscall"
)

// Detach has a program run out of reach of the console's signals. It may
// outlive us.
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func tie(cmd *exec.Cmd) { Detach(cmd) }

// askToEnd cannot be done to another program here: it is killed after the grace.
func askToEnd(int) error { return nil }

// kill ends a process at once; gone meanwhile is as good.
func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
		_ = p.Release()
	}
}
