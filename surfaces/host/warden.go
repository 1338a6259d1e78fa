package host

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"countersign/surfaces/fault"
)

// WardenSubcommand is the hidden command of the same binary that runs Watch.
const WardenSubcommand = "warden"

// warden is a process that outlives us by the moment it takes to clear up: what
// runs in a desktop starts programs of its own, which no signal of the kernel
// reaches when we are killed.
type warden struct {
	cmd  *exec.Cmd
	lead *os.File // it waits for the end of it
}

// guarded starts the warden of a desktop, if one is wanted.
func (d *Desktop) guarded(o DesktopOptions) error {
	if o.Warden == "" {
		return nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	cmd := exec.Command(o.Warden, WardenSubcommand, o.Folder)
	cmd.Stdin = r
	Detach(cmd) // a key pressed at our terminal does not end it
	if err := cmd.Start(); err != nil {
		_ = w.Close()
		return err
	}
	d.warden = &warden{cmd, w}
	return nil
}

// dismiss has the warden clear up and waits for it; a nil one has nothing to do.
func (w *warden) dismiss() {
	if w == nil {
		return
	}
	_ = w.lead.Close()
	_ = w.cmd.Wait() // what it could not clear up nobody can
}

// DesktopFolder begins the name of every folder that a warden removes.
const DesktopFolder = "countersign-desk-"

// Watch is the warden's whole life: it waits until in ends, which it does with
// the process that holds the other end, then ends everything that runs in the
// desktop of that folder and removes the folder. INVALID_USAGE: a folder that
// nobody made for a desktop.
func Watch(in io.Reader, folder string) error {
	if !strings.HasPrefix(filepath.Base(folder), DesktopFolder) {
		return fault.New(fault.InvalidUsage, folder+" is no folder of a desktop").
			WithHint("The desktop of the demo starts this by itself.")
	}
	_, _ = io.Copy(io.Discard, in) // an error is an end too
	ctx, cancel := context.WithTimeout(context.Background(), desktopWithin)
	defer cancel()
	if err := endMarked(ctx, markOf(filepath.Clean(folder))); err != nil {
		return err
	}
	return os.RemoveAll(folder)
}
