//go:build unix

package store

import (
	"os"
	"syscall"
	"time"

	bolterrors "go.etcd.io/bbolt/errors"
)

const lockPause = 50 * time.Millisecond // between two tries

// lock takes bbolt's own lock on f, or gives up after lockTime with bbolt's
// error for that.
func lock(f *os.File) error {
	for end := time.Now().Add(lockTime); ; time.Sleep(lockPause) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EWOULDBLOCK {
			return err
		}
		if time.Now().After(end) {
			return bolterrors.ErrTimeout
		}
	}
}

// unlock gives it back before the file is closed; bbolt may have closed it
// already.
func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

// runs reports whether a process is there, whoever's it is.
func runs(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}
