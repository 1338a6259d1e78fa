package host

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces/fault"
)

// desktopMark is in the environment of every process of a desktop of ours, so
// that what its buses started by themselves is found when it ends.
const desktopMark = "COUNTERSIGN_DESKTOP"

// busConfig is a session bus that starts no program when one is asked for: the
// portals of the system would mount file systems that outlive the desktop.
const busConfig = `<busconfig>
  <type>session</type>
  <listen>unix:runtime=yes</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

const (
	desktopWithin = 20 * time.Second // a part of it that says nothing for so long will not start
	launcher      = "/usr/libexec/at-spi-bus-launcher"
)

// DesktopOptions say what a desktop of our own is like.
type DesktopOptions struct {
	Folder          string // its sockets and settings lie here; must exist, be empty, and have a short name
	Width, Height   int    // pixels; zero: 1280x800
	NoAccessibility bool   // programs cannot be read
	SwitchedOff     bool   // programs can be read, and nobody has asked them to let themselves be
	// Borrowed takes the display and the buses this process is in, instead of
	// making some: only the programs started with its Env are ours.
	Borrowed bool
	// Warden is the program that runs Watch under WardenSubcommand and clears up
	// when this process is killed; empty: what a kill leaves stays.
	Warden string
}

// Desktop is a display without a screen, with a window manager, a session bus
// and an accessibility bus of its own. Programs with its Env run in it and see
// nothing of the person's.
type Desktop struct {
	Display string   // as DISPLAY names it
	Env     []string // for exec.Cmd

	mark    string
	warden  *warden
	display *exec.Cmd
	bus     *exec.Cmd
	parts   []*exec.Cmd
}

// StartDesktop starts a desktop on a free display number; several run beside
// each other. PLATFORM_NOT_SUPPORTED: a part of it is not installed, or did not
// start within ctx.
func StartDesktop(ctx context.Context, o DesktopOptions) (*Desktop, error) {
	ctx, cancel := context.WithTimeout(ctx, desktopWithin)
	defer cancel()
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = 1280, 800
	}
	d := &Desktop{mark: markOf(filepath.Clean(o.Folder))}
	err := d.guarded(o)
	if err == nil {
		err = d.start(ctx, o)
	}
	if err != nil {
		return nil, errors.Join(fault.Wrap(fault.PlatformNotSupported, err, "no desktop of our own can be started").
			WithHint("Install xvfb, openbox, dbus-x11 and at-spi2-core."), d.Close())
	}
	return d, nil
}

func markOf(folder string) string { return desktopMark + "=" + folder }

func (d *Desktop) start(ctx context.Context, o DesktopOptions) error {
	if o.Borrowed {
		d.Env, d.Display = append(os.Environ(), d.mark), os.Getenv("DISPLAY")
		return nil
	}
	runtime := filepath.Join(o.Folder, "run")
	if err := os.MkdirAll(runtime, 0o700); err != nil {
		return err
	}
	d.Env = append(withoutDesktop(os.Environ()), d.mark,
		"XDG_RUNTIME_DIR="+runtime,
		"XDG_CONFIG_HOME="+filepath.Join(o.Folder, "config"),
		"XDG_DATA_HOME="+filepath.Join(o.Folder, "data"),
		"XDG_CACHE_HOME="+filepath.Join(o.Folder, "cache"),
		"GTK_MODULES=gail:atk-bridge", "GSETTINGS_BACKEND=memory", "LANG=C.UTF-8",
	)
	var err error
	size := fmt.Sprintf("%dx%dx24", o.Width, o.Height)
	if d.display, d.Display, err = d.tell(ctx, "Xvfb", "-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp"); err != nil {
		return err
	}
	d.Display = ":" + d.Display
	d.Env = append(d.Env, "DISPLAY="+d.Display)
	var address string
	config := filepath.Join(o.Folder, "bus.conf")
	if err := os.WriteFile(config, []byte(busConfig), 0o600); err != nil {
		return err
	}
	d.bus, address, err = d.tell(ctx, "dbus-daemon", "--config-file="+config, "--nofork", "--nopidfile", "--print-address=3")
	if err != nil {
		return err
	}
	d.Env = append(d.Env, "DBUS_SESSION_BUS_ADDRESS="+address)
	if err := d.manage(ctx, filepath.Join(o.Folder, "managed")); err != nil {
		return err
	}
	if o.NoAccessibility {
		d.Env = append(d.Env, "NO_AT_BRIDGE=1")
		return nil
	}
	if _, err := d.Start(launcher, "--launch-immediately"); err != nil {
		return err
	}
	return accessible(ctx, address, !o.SwitchedOff)
}

// manage starts the window manager and waits until it is one: it gives the
// focus to no window that was there before it.
func (d *Desktop) manage(ctx context.Context, sign string) error {
	if _, err := d.Start("openbox", "--startup", "touch "+sign); err != nil {
		return err
	}
	for {
		if _, err := os.Stat(sign); err == nil {
			return nil
		}
		if err := sleep(ctx, pollEvery); err != nil {
			return errors.New("the window manager did not start")
		}
	}
}

// withoutDesktop leaves out what names a desktop the process is in already.
func withoutDesktop(env []string) []string {
	kept := make([]string, 0, len(env))
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "NO_AT_BRIDGE",
			"XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "WINDOWID", "LANG", "LC_ALL", "GTK_MODULES", desktopMark:
		default:
			kept = append(kept, e)
		}
	}
	return kept
}

// tell starts a part that writes one line about itself to file 3.
func (d *Desktop) tell(ctx context.Context, name string, args ...string) (*exec.Cmd, string, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = r.Close() }()
	cmd, err := d.run(name, args, w)
	_ = w.Close()
	if err != nil {
		return nil, "", err
	}
	stop := context.AfterFunc(ctx, func() { _ = r.Close() })
	defer stop()
	line, err := bufio.NewReader(io.LimitReader(r, 4096)).ReadString('\n')
	if err != nil {
		return cmd, "", fmt.Errorf("%s does not say where it is: %w", name, err)
	}
	return cmd, strings.TrimSpace(line), nil
}

// Start starts a program in the desktop; it ends with Close at the latest.
func (d *Desktop) Start(name string, args ...string) (Process, error) {
	cmd, err := d.run(name, args, nil)
	if err != nil {
		return Process{}, err
	}
	p, _ := ProcessOf(cmd.Process.Pid)
	return p, nil
}

func (d *Desktop) run(name string, args []string, third *os.File) (*exec.Cmd, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = d.Env
	tie(cmd)
	if third != nil {
		cmd.ExtraFiles = []*os.File{third}
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	d.parts = append(d.parts, cmd)
	return cmd, nil
}

// accessible waits until the session bus knows the accessibility bus, and
// switches accessibility on or off: nobody else does in a desktop of ours.
func accessible(ctx context.Context, address string, on bool) error {
	c, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	for {
		var there bool
		if err := c.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, "org.a11y.Bus").Store(&there); err != nil {
			return err
		}
		if there {
			return c.Object("org.a11y.Bus", "/org/a11y/bus").CallWithContext(ctx, "org.freedesktop.DBus.Properties.Set", 0,
				"org.a11y.Status", "IsEnabled", dbus.MakeVariant(on)).Err
		}
		if err := sleep(ctx, pollEvery); err != nil {
			return errors.New("the accessibility bus did not start")
		}
	}
}

// KillDisplay ends the display as a crash would. For tests.
func (d *Desktop) KillDisplay() { _ = d.display.Process.Kill() }

// KillBus ends the session bus as a crash would, and the accessibility bus with
// it. For tests.
func (d *Desktop) KillBus() {
	_ = d.bus.Process.Kill()
	for _, pid := range marked(d.mark) {
		if bytes.Contains(commandLine(pid), []byte("at-spi")) {
			kill(pid)
		}
	}
}

// Close ends everything that runs in the desktop. Idempotent.
func (d *Desktop) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), desktopWithin) // Close has no context of its own
	defer cancel()
	if err := endMarked(ctx, d.mark); err != nil {
		return err
	}
	for _, cmd := range d.parts {
		_ = cmd.Wait() // killed above
	}
	d.parts = nil
	d.warden.dismiss()
	d.warden = nil
	return nil
}

// endMarked kills processes until none with that mark is left.
func endMarked(ctx context.Context, mark string) error {
	for {
		left := marked(mark)
		if len(left) == 0 {
			return nil
		}
		for _, pid := range left {
			kill(pid)
		}
		if err := sleep(ctx, pollEvery); err != nil {
			return fault.New(fault.Internal, "the desktop would not end")
		}
	}
}

// marked lists the running processes with that entry in their environment.
func marked(entry string) []int {
	var found []int
	for _, pid := range pids() {
		env, err := os.ReadFile("/proc/" + fmt.Sprint(pid) + "/environ")
		if err != nil || pid == os.Getpid() {
			continue
		}
		for e := range bytes.SplitSeq(env, []byte{0}) {
			if string(e) != entry {
				continue
			}
			if _, alive := ProcessOf(pid); alive {
				found = append(found, pid)
			}
			break
		}
	}
	return found
}
