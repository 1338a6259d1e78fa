package host

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"countersign/surfaces/fault"
)

// patience bounds what must happen by itself; it is no measurement.
const patience = 2 * time.Minute

func start(t *testing.T, script string) (Process, <-chan struct{}) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() { // ends with the process
		_ = cmd.Wait()
		close(gone)
	}()
	p, ok := ProcessOf(cmd.Process.Pid)
	if !ok {
		t.Fatal("the process is not there")
	}
	return p, gone
}

func TestAProcessIsItsNumberAndItsStart(t *testing.T) {
	self, ok := ProcessOf(os.Getpid())
	if !ok || !self.Alive() {
		t.Fatalf("this process is %+v, %v", self, ok)
	}
	if other := (Process{PID: self.PID, Start: self.Start + 1}); other.Alive() {
		t.Error("a later process with the same number is taken for it")
	}
	if (Process{}).Alive() {
		t.Error("the zero process is alive")
	}
}

func TestEndTakesTheWholeGroup(t *testing.T) {
	file := filepath.Join(t.TempDir(), "child")
	p, gone := start(t, `trap '' TERM; sh -c 'trap "" TERM; echo $$ > `+file+`; while :; do sleep 1; done' & wait; while :; do sleep 1; done`)
	var child Process
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	await(ctx, func() bool {
		b, err := os.ReadFile(file)
		pid, bad := strconv.Atoi(string(b[:max(0, len(b)-1)]))
		if err != nil || bad != nil {
			return false
		}
		child, _ = ProcessOf(pid)
		return child.Alive()
	})
	if err := p.End(ctx, 50*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	<-gone
	if p.Alive() || child.Alive() {
		t.Error("the group lives on")
	}
	if err := p.End(ctx, time.Second); err != nil {
		t.Errorf("ending it again: %v", err)
	}
}

func TestEndLeavesOthersAlone(t *testing.T) {
	p, gone := start(t, "sleep 3600")
	stranger := Process{PID: p.PID, Start: p.Start + 1}
	for _, other := range []Process{{}, {PID: 1, Start: 1}, stranger} {
		if err := other.End(t.Context(), 0); err != nil {
			t.Errorf("%+v: %v", other, err)
		}
	}
	if !p.Alive() {
		t.Fatal("another process was ended")
	}
	if err := p.End(t.Context(), time.Second); err != nil {
		t.Fatal(err)
	}
	<-gone
}

func TestFindChromium(t *testing.T) {
	dir := t.TempDir()
	found := filepath.Join(dir, "google-chrome")
	if err := os.WriteFile(found, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	if got, err := FindChromium(""); err != nil || got != found {
		t.Errorf("found %q, %v", got, err)
	}
	if got, err := FindChromium(found); err != nil || got != found {
		t.Errorf("configured %q, %v", got, err)
	}
	for _, bad := range []string{dir, filepath.Join(dir, "none")} {
		if _, err := FindChromium(bad); fault.CodeOf(err) != fault.BrowserUnavailable {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestProfilesAreMadeAndRemoved(t *testing.T) {
	root := filepath.Join(t.TempDir(), "browsers")
	if all, err := Profiles(root); err != nil || len(all) != 0 {
		t.Errorf("before: %v, %v", all, err)
	}
	p, err := NewProfile(root)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := Profiles(root); err != nil || len(all) != 1 || all[0] != p {
		t.Errorf("made %s, listed %v, %v", p, all, err)
	}
	if _, held := HolderOf(p); held {
		t.Error("an empty folder is held")
	}
	if err := os.Symlink("elsewhere-1", filepath.Join(p, "SingletonLock")); err != nil {
		t.Fatal(err)
	}
	if _, held := HolderOf(p); held {
		t.Error("a lock of another machine holds it")
	}
	if err := RemoveProfile(t.Context(), p); err != nil || IsFolder(p) {
		t.Errorf("removed: %v", err)
	}
}

func TestBrowsersBelowAFolderAreFoundAndEnded(t *testing.T) {
	root := t.TempDir()
	mine, err := NewProfile(filepath.Join(root, "a", "browsers"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewProfile(root + "-other")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root + "-other") })
	on := func(profile string) (Process, <-chan struct{}) {
		return start(t, "exec sh -c 'while :; do sleep 1; done' browser --user-data-dir="+profile)
	}
	p, gone := on(mine)
	q, left := on(other)
	t.Cleanup(func() {
		_ = q.End(context.Background(), 0)
		<-left
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	await(ctx, func() bool { return len(BrowsersBelow(root)) == 1 && len(BrowsersBelow(root+"-other")) == 1 })
	if found := BrowsersBelow(root); len(found) != 1 || found[0] != p {
		t.Fatalf("found %+v, want %+v alone", found, p)
	}
	if err := EndBelow(ctx, root); err != nil {
		t.Error(err)
	}
	<-gone
	if len(BrowsersBelow(root)) != 0 || IsFolder(mine) {
		t.Errorf("%s or its browser is left", mine)
	}
	if !q.Alive() || !IsFolder(other) {
		t.Error("a browser elsewhere was ended")
	}
}

func TestProbeNamesTheRepair(t *testing.T) {
	t.Setenv("PATH", "")
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, "")
	}
	found := Probe(t.Context(), "", t.TempDir())
	if len(found) != 4 {
		t.Errorf("%d findings: %+v", len(found), found)
	}
	for _, f := range found {
		if f.OK || f.Detail == "" || f.Repair == "" {
			t.Errorf("%+v, want a detail and a repair", f)
		}
	}
	t.Setenv("DISPLAY", ":7")
	if f := probeDisplay(); !f.OK || f.Repair != "" {
		t.Errorf("%+v", f)
	}
}

func TestProbeStartsARealBrowser(t *testing.T) {
	if _, err := FindChromium(""); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("no Chromium: %v; install it with apt-get install chromium", err)
	}
	dir := t.TempDir()
	for _, f := range probeChromium(t.Context(), "", dir) {
		if !f.OK || f.Detail == "" || f.Repair != "" {
			t.Errorf("%+v", f)
		}
	}
	if left, err := Profiles(dir); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
