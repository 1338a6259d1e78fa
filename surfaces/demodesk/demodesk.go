package demodesk

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

// Options say on which desktop the demo runs.
type Options struct {
	// Headed is the person's own display instead of one without a screen.
	Headed bool
	// Warden is this program, which clears up when it is killed; empty: what a
	// kill leaves stays.
	Warden string
}

// Desk is the running desktop.
type Desk struct {
	Env     []string // for the programs on it, the browser among them
	Display string   // as DISPLAY names it

	desktop *host.Desktop
	folder  string
	form    *exec.Cmd
	said    bytes.Buffer // by the form; whole once answered is closed
	done    chan struct{}
	once    sync.Once
}

// Start makes the desktop and opens the form on it. PLATFORM_NOT_SUPPORTED:
// something is not installed, with the packages in the hint.
// DESKTOP_NOT_AVAILABLE: Headed, and there is no display. INVALID_USAGE: Headed,
// and the person has one of the programs open.
func Start(ctx context.Context, o Options) (*Desk, error) {
	if err := check(o.Headed); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", host.DesktopFolder)
	if err != nil {
		return nil, fault.Wrap(fault.PlatformNotSupported, err, "no folder for the desktop can be made").
			WithHint("Free some space, or point TMPDIR at a folder that can be written.")
	}
	d := &Desk{folder: folder, done: make(chan struct{})}
	d.desktop, err = host.StartDesktop(ctx, host.DesktopOptions{Folder: folder, Borrowed: o.Headed, Warden: o.Warden})
	if err != nil {
		_ = os.RemoveAll(folder) // the first error is the one to tell
		return nil, err
	}
	d.Env, d.Display = d.desktop.Env, d.desktop.Display
	if err := d.open(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// open shows the form.
func (d *Desk) open() error {
	cmd := exec.Command("zenity", "--forms", "--title=Fernwood Library", "--text=Membership", "--separator=\n",
		"--add-entry=Full name", "--add-entry=E-mail", "--add-password=PIN",
		"--add-combo=Home branch", "--combo-values=Central|Hillside|Old Harbour|Riverside")
	cmd.Env, cmd.Stdout = d.Env, &d.said
	if err := cmd.Start(); err != nil {
		close(d.done)
		return fault.Wrap(fault.PlatformNotSupported, err, "the form cannot be shown").WithHint("Install zenity.")
	}
	d.form = cmd
	go func() { // ends with the form, at the latest when Close ends it
		_ = cmd.Wait() // that it was cancelled shows in what it said
		close(d.done)
	}()
	return nil
}

// Answered is closed when the form is gone.
func (d *Desk) Answered() <-chan struct{} { return d.done }

// Answer is what the form was sent with, a field each, once it was; nil when it
// was cancelled. It holds what was secret.
func (d *Desk) Answer() []string {
	select {
	case <-d.done:
	default:
		return nil
	}
	if d.said.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(d.said.String(), "\n"), "\n")
}

// Close ends every program that was started on the desktop. Idempotent.
func (d *Desk) Close() error {
	var err error
	d.once.Do(func() {
		err = d.desktop.Close()
		<-d.done
		err = errors.Join(err, os.RemoveAll(d.folder))
	})
	return err
}

// part is something that must be installed.
type part struct{ program, pack string }

// check looks for what is missing before anything is started.
func check(headed bool) error {
	parts := []part{{"zenity", "zenity"}, {"galculator", "galculator"}, {"mousepad", "mousepad"}}
	if !headed {
		parts = append(parts, part{"Xvfb", "xvfb"}, part{"openbox", "openbox"}, part{"dbus-daemon", "dbus-x11"},
			part{"/usr/libexec/at-spi-bus-launcher", "at-spi2-core"})
	}
	var programs, packs []string
	for _, p := range parts {
		if _, err := exec.LookPath(p.program); err != nil {
			programs, packs = append(programs, filepath.Base(p.program)), append(packs, p.pack)
		}
	}
	if len(packs) > 0 {
		return fault.New(fault.PlatformNotSupported, "the demo of the desktop needs what is not installed: "+strings.Join(programs, ", ")).
			WithHint("Install it with `apt-get install " + strings.Join(packs, " ") + "`, or run `make setup`.")
	}
	if !headed {
		return nil
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return fault.New(fault.DesktopNotAvailable, "there is no display to show the demo on").
			WithHint("Leave --headed out: the demo then brings a display of its own, without a screen.")
	}
	if open := running("zenity", "galculator", "mousepad"); len(open) > 0 {
		return fault.New(fault.InvalidUsage, "the demo would work in what you have open: "+strings.Join(open, ", ")).
			WithHint("Close it first, or leave --headed out.")
	}
	return nil
}

// running are those of the programs that run on our display now.
func running(names ...string) []string {
	var found []string
	here := []byte("DISPLAY=" + os.Getenv("DISPLAY"))
	files, _ := filepath.Glob("/proc/[0-9]*/comm") // the pattern is ours
	for _, file := range files {
		b, err := os.ReadFile(file)
		name := strings.TrimSpace(string(b))
		if err != nil || !slices.Contains(names, name) || slices.Contains(found, name) {
			continue
		}
		env, err := os.ReadFile(filepath.Join(filepath.Dir(file), "environ"))
		if err == nil && slices.ContainsFunc(bytes.Split(env, []byte{0}), func(e []byte) bool { return bytes.Equal(e, here) }) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}
