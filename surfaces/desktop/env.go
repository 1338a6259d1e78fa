package desktop

import (
	"os"
	"runtime"
	"strings"

	"countersign/surfaces/desktop/robot"
)

// environment is what a process is told of its surroundings, as exec.Cmd wants
// it; nil is our own.
type environment []string

// get is the last entry of that name, as exec.Cmd counts.
func (e environment) get(name string) string {
	if e == nil {
		return os.Getenv(name)
	}
	value := ""
	for _, entry := range e {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}

// wayland reports a session in which programs do not draw through X, whatever X
// server may stand beside it.
func (e environment) wayland() bool {
	return e.get("WAYLAND_DISPLAY") != "" || e.get("XDG_SESSION_TYPE") == "wayland"
}

// absence says why there is no desktop here, and what to do; empty when there
// is one.
func (e environment) absence() (reason, hint string) {
	if runtime.GOOS != "linux" {
		return "programs of this system can be neither read nor used yet: " + runtime.GOOS, "Use a browser task, or run the desk on Linux."
	}
	if !robot.Built {
		return "this program was built without its desktop side", "Build it on Linux with the headers of X11, without the tag nodesktop."
	}
	if e.get("DISPLAY") == "" && !e.wayland() {
		return "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set", "Start the desk in a graphical session."
	}
	return "", ""
}
