package host

import "syscall"

// endWithUs makes a child end when we do, however that comes.
func endWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
