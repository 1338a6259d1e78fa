//go:build linux

package ui

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A real tmux lets the wrapped notification through to the terminal around it,
// and rings there.
func TestD18InARealTmux(t *testing.T) {
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no tmux: apt-get install tmux")
		}
		t.Skip("no tmux: apt-get install tmux")
	}
	dir, err := os.MkdirTemp("", "desk") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	socket := filepath.Join(dir, "s")
	config := filepath.Join(dir, "c")
	if err := os.WriteFile(config, []byte("set -g allow-passthrough on\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), deskEnv+"=notify", "COUNTERSIGN_TEST_CRASH="+dir, "TERM=xterm-256color")
	cmd := exec.Command(tmux, "-S", socket, "-f", config, "new-session", "-x", "110", "-y", "30", os.Args[0])
	cmd.Env = env
	ptm, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 110})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = exec.Command(tmux, "-S", socket, "kill-server").Run()
		_ = ptm.Close()
		_ = cmd.Wait()
	}()
	var mu sync.Mutex // guards out
	var out strings.Builder
	more := make(chan struct{}, 1)
	go func() { // ends when the terminal closes
		buf := make([]byte, 4096)
		for {
			n, err := ptm.Read(buf)
			mu.Lock()
			out.Write(buf[:n])
			mu.Unlock()
			signal(more)
			if err != nil {
				return
			}
		}
	}()
	deadline := time.After(patience)
	for {
		mu.Lock()
		shown := out.String()
		mu.Unlock()
		told := strings.Contains(shown, "\x1b]9;countersign: t-") && strings.Contains(shown, "\x1b]777;notify;countersign;t-")
		if told && strings.Contains(strings.NewReplacer("\x1b]", "", "\x1b\\", "").Replace(shown), "\a") {
			return
		}
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("no notification or no bell arrived:\n%.3000q", shown)
		}
	}
}
