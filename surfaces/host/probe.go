package host

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Finding is one thing `countersign doctor` looked at.
type Finding struct {
	Name   string
	OK     bool
	Detail string // what was found, one line
	Repair string // the very command or setting that repairs it; empty when OK
}

const (
	installChromium = "sudo apt-get install --yes chromium"
	installXvfb     = "sudo apt-get install --yes xvfb"
	installBus      = "sudo apt-get install --yes dbus-x11 at-spi2-core"
)

// Probe looks at what the sides live in. configured is the browser's executable
// of the configuration, empty for none; scratch is a folder in which a profile
// may be made for as long as the look takes. It starts a browser, so it takes a
// second or two.
func Probe(ctx context.Context, configured, scratch string) []Finding {
	found := probeChromium(ctx, configured, scratch)
	return append(found, probeDisplay(), probeSessionBus(), probeAccessibility(ctx))
}

func probeChromium(ctx context.Context, configured, scratch string) []Finding {
	path, err := FindChromium(configured)
	if err != nil {
		repair := installChromium
		if configured != "" {
			repair = "correct executable under [browser] in the configuration"
		}
		return []Finding{{Name: "chromium", Detail: plain(err), Repair: repair}}
	}
	version, err := versionOf(ctx, path)
	if err != nil {
		return []Finding{{Name: "chromium", Detail: path + " does not say its version", Repair: installChromium}}
	}
	return []Finding{
		{Name: "chromium", OK: true, Detail: path + ", " + version},
		probeStart(ctx, path, scratch),
	}
}

func versionOf(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	return strings.TrimSpace(string(out)), err
}

func probeStart(ctx context.Context, path, scratch string) Finding {
	f := Finding{Name: "browser start", Repair: path + " --headless --no-first-run about:blank"}
	profile, err := NewProfile(scratch)
	if err != nil {
		f.Detail, f.Repair = "no profile folder can be made: "+err.Error(), "mkdir -p "+scratch
		return f
	}
	began := time.Now()
	c, err := StartChromium(ctx, Launch{Executable: path, Profile: profile, Width: 1280, Height: 800})
	if err == nil {
		f.OK, f.Repair, f.Detail = true, "", "started in "+time.Since(began).Round(10*time.Millisecond).String()
		err = c.Process.End(ctx, 3*time.Second)
	}
	if err != nil {
		f.OK, f.Detail = false, plain(err)
	}
	if err := RemoveProfile(ctx, profile); err != nil && f.OK {
		f.Detail += "; its folder is still at " + profile
	}
	return f
}

func plain(err error) string {
	_, text, ok := strings.Cut(err.Error(), ": ")
	if !ok {
		return err.Error()
	}
	return text
}

func probeDisplay() Finding {
	f := Finding{Name: "display"}
	if d := os.Getenv("DISPLAY"); d != "" {
		f.OK, f.Detail = true, "X display "+d
		return f
	}
	if w := os.Getenv("WAYLAND_DISPLAY"); w != "" {
		f.OK, f.Detail = true, "Wayland display "+w
		return f
	}
	f.Detail = "none: no desktop tasks and no visible browser, headless browsers work"
	f.Repair = "Xvfb :99 -screen 0 1280x800x24 & export DISPLAY=:99"
	if _, err := exec.LookPath("Xvfb"); err != nil {
		f.Repair = installXvfb
	}
	return f
}

func probeSessionBus() Finding {
	f := Finding{Name: "session bus"}
	if a := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); a != "" {
		f.OK, f.Detail = true, a
		return f
	}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		if _, err := os.Stat(filepath.Join(dir, "bus")); err == nil {
			f.OK, f.Detail = true, "unix:path="+filepath.Join(dir, "bus")
			return f
		}
	}
	f.Detail = "none: the desktop cannot be read"
	f.Repair = "dbus-run-session -- countersign"
	if _, err := exec.LookPath("dbus-run-session"); err != nil {
		f.Repair = installBus
	}
	return f
}

// probeAccessibility asks the session bus for the accessibility bus with the
// bus's own client, so that this package needs none.
func probeAccessibility(ctx context.Context) Finding {
	f := Finding{Name: "accessibility bus", Repair: installBus}
	if !probeSessionBus().OK {
		f.Detail = "not looked for without a session bus"
		f.Repair = probeSessionBus().Repair
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "dbus-send", "--session", "--print-reply=literal", "--dest=org.a11y.Bus",
		"/org/a11y/bus", "org.a11y.Bus.GetAddress").Output()
	if err != nil {
		f.Detail = "it does not answer: the desktop cannot be read"
		return f
	}
	f.OK, f.Detail, f.Repair = true, strings.TrimSpace(string(out)), ""
	return f
}
