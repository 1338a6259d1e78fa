//go:build unix

package host

import (
	"errors"
	"os/exec"
	"syscall"
)

// Detach has a program run in a session of its own, out of reach of the
// terminal's signals. It may outlive us.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// tie has a program run in a group of its own and, where the system can see to
// it, end when we do, however that comes.
func tie(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithUs(cmd.SysProcAttr)
}

// askToEnd asks a process to stop; nil when it is gone.
func askToEnd(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

// kill ends a process at once; gone meanwhile is as good.
func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }
