package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped throws away what was typed and not yet read, a line not yet ended
// included (termios(3), tcflush TCIFLUSH).
func dropTyped(f *os.File) {
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}

// hideTyping switches echo off and returns what switches it on again; ok is
// false when the file is no terminal, and then nothing was changed.
func hideTyping(f *os.File) (show func(), ok bool) {
	fd := int(f.Fd())
	before, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return func() {}, false
	}
	quiet := *before
	quiet.Lflag &^= unix.ECHO
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, &quiet); err != nil {
		return func() {}, false
	}
	return func() { _ = unix.IoctlSetTermios(fd, unix.TCSETS, before) }, true
}
