//go:build linux && !nodesktop

package robot

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// xvfb starts an X server without a screen and gives its name, and what ends it.
func xvfb(t *testing.T, size string) (string, func()) {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("Xvfb is missing; install the package xvfb")
		}
		t.Skip("Xvfb is missing; install the package xvfb")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(path, "-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{w}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		_ = r.Close()
	})
	_ = w.Close()
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb names no display: %v", err)
	}
	return ":" + strings.TrimSpace(number), func() { _ = server.Process.Kill() }
}

func TestLookTellsTheScreenSize(t *testing.T) {
	name, _ := xvfb(t, "1024x600x24")
	t.Setenv("DISPLAY", name)
	got, err := Look(t.Context(), self(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Display{Found: true, Name: name, Width: 1024, Height: 600}, got); diff != "" {
		t.Error(diff)
	}
}
