package remote

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// credentialsOf reads SO_PEERCRED (unix(7)).
func credentialsOf(fd int) (credentials, error) {
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return credentials{}, err
	}
	return credentials{pid: int(peer.Pid), uid: int(peer.Uid)}, nil
}

// suspended reports whether a process was stopped, by ctrl+z or SIGSTOP
// (proc_pid_stat(5): the state follows the name in brackets).
func suspended(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	return bytes.HasPrefix(rest, []byte("T "))
}
