package desktoptest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/surfaces/host"
)

// TestDesktopsBesideEachOther: several at once, each with a display and buses
// of its own, and nothing of any of them is left.
func TestDesktopsBesideEachOther(t *testing.T) {
	var desktops []*host.Desktop
	t.Run("run", func(t *testing.T) {
		for range 2 {
			d := Start(t, host.DesktopOptions{})
			desktops = append(desktops, d)
			if p := Script(t, d, Form); !p.Alive() {
				t.Error("the form does not run")
			}
		}
		if desktops[0].Display == desktops[1].Display {
			t.Errorf("two desktops on the display %s", desktops[0].Display)
		}
	})
	for _, d := range desktops {
		if left := running(d.Display); len(left) > 0 {
			t.Errorf("left behind on %s: %q", d.Display, left)
		}
	}
}

// running lists the processes with that display in their environment.
func running(display string) []string {
	var found []string
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range all {
		env, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(env), "\x00DISPLAY="+display+"\x00") {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			found = append(found, string(line))
		}
	}
	return found
}

// TestDesktopThatCannotStart leaves nothing of the parts that did.
func TestDesktopThatCannotStart(t *testing.T) {
	Need(t, "Xvfb")
	t.Setenv("PATH", only(t, "Xvfb"))
	began := time.Now()
	d, err := host.StartDesktop(t.Context(), host.DesktopOptions{Folder: t.TempDir()})
	if err == nil {
		t.Fatal("a desktop without a bus started", d.Display)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("it took %v to find that out", took)
	}
}

// only gives a folder in which one installed program is found.
func only(t *testing.T, program string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Symlink("/usr/bin/"+program, filepath.Join(folder, program)); err != nil {
		t.Fatal(err)
	}
	return folder
}
