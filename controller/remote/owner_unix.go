//go:build unix

package remote

import (
	"io/fs"
	"syscall"
)

// ownerOf is the user a file belongs to.
func ownerOf(f fs.FileInfo) (uid int, known bool) {
	st, ok := f.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}
