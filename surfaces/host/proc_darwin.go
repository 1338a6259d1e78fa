package host

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

const zombie = 5 // SZOMB (sys/proc.h)

// statOf asks the kernel (sysctl(3), KERN_PROC).
func statOf(pid int) (stat, bool) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || p == nil || int(p.Proc.P_pid) != pid || p.Proc.P_stat == zombie {
		return stat{}, false
	}
	began := p.Proc.P_starttime
	return stat{group: int(p.Eproc.Pgid), start: uint64(began.Sec)*1_000_000 + uint64(began.Usec)}, true
}

// pids lists all there are.
func pids() []int {
	found, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var all []int
	for _, p := range found {
		all = append(all, int(p.Proc.P_pid))
	}
	return all
}

// commandLine is what a process was started with, each part ended by a zero
// byte; empty when the system will not say. KERN_PROCARGS2 gives their number,
// the path of the program, zeroes, and then the parts.
func commandLine(pid int) []byte {
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(raw) < 4 {
		return nil
	}
	count, rest := int(binary.LittleEndian.Uint32(raw)), raw[4:]
	_, rest, _ = bytes.Cut(rest, []byte{0})
	rest = bytes.TrimLeft(rest, "\x00")
	end := 0
	for range count {
		i := bytes.IndexByte(rest[end:], 0)
		if i < 0 {
			break
		}
		end += i + 1
	}
	return rest[:end]
}
