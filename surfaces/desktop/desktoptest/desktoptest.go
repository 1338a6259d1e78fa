// Package desktoptest gives tests a desktop of their own: display, window
// manager, session bus and accessibility bus, and programs of ours in it.
// Several run beside each other, and each ends with its test.
package desktoptest

import (
	_ "embed" // the programs below
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/surfaces/host"
)

// Form is the form of the conformance suite as a GTK program in Python.
//
//go:embed testdata/form.py
var Form []byte

// Gallery is many small GTK programs; its first argument says which.
//
//go:embed testdata/gallery.py
var Gallery []byte

// python is the system's own, which sees the packages of the system.
const python = "/usr/bin/python3"

// Start gives the test a desktop. Where a part of it is not installed the test
// is skipped and says what to install; under CI it fails.
func Start(t testing.TB, o host.DesktopOptions) *host.Desktop {
	t.Helper()
	for _, program := range []string{"Xvfb", "openbox", "dbus-daemon", "/usr/libexec/at-spi-bus-launcher", python} {
		Need(t, program)
	}
	folder, err := os.MkdirTemp("", "desk-") // t.TempDir is too long a name for a socket
	if err != nil {
		t.Fatal(err)
	}
	o.Folder = folder
	d, err := host.StartDesktop(t.Context(), o)
	if err != nil {
		_ = os.RemoveAll(folder)
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		_ = os.RemoveAll(folder)
	})
	return d
}

// Revive starts the display and the window manager of a desktop again, whose
// display was killed, and waits until it takes connections.
func Revive(t testing.TB, d *host.Desktop) {
	t.Helper()
	if _, err := d.Start("Xvfb", d.Display, "-screen", "0", "1280x800x24", "-nolisten", "tcp"); err != nil {
		t.Fatal(err)
	}
	socket := "/tmp/.X11-unix/X" + strings.TrimPrefix(d.Display, ":")
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("unix", socket)
		if err == nil {
			_ = c.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the display %s does not come back: %v", d.Display, err)
		}
	}
	Run(t, d, "openbox")
}

// patience bounds what must happen by itself; it is no measurement.
const patience = time.Minute

// Need skips a test that lacks a program.
func Need(t testing.TB, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	const how = " is missing; install xvfb openbox dbus-x11 at-spi2-core zenity galculator mousepad xterm python3-gi gir1.2-gtk-3.0"
	if os.Getenv("CI") == "true" {
		t.Fatal(program + how)
	}
	t.Skip(program + how)
}

// Run starts an installed program in the desktop.
func Run(t testing.TB, d *host.Desktop, program string, args ...string) host.Process {
	t.Helper()
	Need(t, program)
	p, err := d.Start(program, args...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Script starts a Python program of ours in the desktop.
func Script(t testing.TB, d *host.Desktop, source []byte, args ...string) host.Process {
	t.Helper()
	file := filepath.Join(t.TempDir(), "form.py")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	return Run(t, d, python, append([]string{file}, args...)...)
}
