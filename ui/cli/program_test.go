package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"countersign/surfaces/demosite"
)

// patience bounds every wait of these tests: a browser starts, a page loads, a
// card arms itself. It is no measurement.
const patience = 2 * time.Minute

// program is the built binary; the tests drive it as a person or a script
// would.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "countersign-program")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "countersign")
	out, err := exec.Command("go", "build", "-tags", "nodesktop", "-o", path, "countersign").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// home is one person's folders: configuration, state, store.
type home struct {
	t   *testing.T
	dir string
	exe string
}

func newHome(t *testing.T) *home {
	t.Helper()
	exe, err := program()
	if err != nil {
		t.Fatal(err)
	}
	h := &home{t: t, dir: t.TempDir(), exe: exe}
	t.Cleanup(h.end)
	return h
}

// end gives back what tasks of this home still hold, also after a test failed
// half-way, and then ends what a killed desk left.
func (h *home) end() {
	h.cancelAll()
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		pids := browsersBelow(h.dir)
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		// One that is just ending can still write a file.
		if err := os.RemoveAll(h.dir); err == nil && len(pids) == 0 {
			return
		}
	}
}

func (h *home) cancelAll() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for range 3 {
		out, _ := h.command(ctx, "tasks", "--json").Output()
		for _, l := range strings.Split(string(out), "\n") {
			var v struct{ ID string }
			if json.Unmarshal([]byte(l), &v) == nil && v.ID != "" {
				_ = h.command(ctx, "cancel", v.ID).Run()
			}
		}
		if len(out) == 0 {
			return
		}
	}
}

func (h *home) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, h.exe, args...)
	cmd.Env = append(os.Environ(), "HOME="+h.dir, "XDG_STATE_HOME="+filepath.Join(h.dir, "state"),
		"XDG_CONFIG_HOME="+filepath.Join(h.dir, "config"), "XDG_RUNTIME_DIR="+filepath.Join(h.dir, "run"), "TERM=xterm-256color")
	return cmd
}

// ended is what a command that ran to its end left.
type ended struct {
	out, err string
	code     int
}

// run runs a command without a terminal.
func (h *home) run(args ...string) ended {
	h.t.Helper()
	return h.runWithin(2*patience, args...)
}

func (h *home) runWithin(limit time.Duration, args ...string) ended {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := h.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	return ended{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

func (h *home) state(name ...string) string {
	return filepath.Join(append([]string{h.dir, "state", "countersign"}, name...)...)
}

func (h *home) file(name, content string) string {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// terminal is a program running at a pseudo-terminal.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File
	mu   sync.Mutex // guards text
	text bytes.Buffer
	more chan struct{} // one signal for any output since the last
	done chan struct{} // closed when the program has ended and all is read
}

func (h *home) terminal(cols, rows int, args ...string) *terminal {
	h.t.Helper()
	cmd := h.command(context.Background(), args...)
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		h.t.Fatal(err)
	}
	p := &terminal{t: h.t, cmd: cmd, pty: f, more: make(chan struct{}, 1), done: make(chan struct{})}
	go p.read()
	h.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-p.done
		_ = f.Close()
	})
	return p
}

func (p *terminal) read() {
	defer close(p.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := p.pty.Read(buf)
		p.mu.Lock()
		p.text.Write(buf[:n])
		p.mu.Unlock()
		select {
		case p.more <- struct{}{}:
		default:
		}
		if err != nil {
			_ = p.cmd.Wait()
			return
		}
	}
}

func (p *terminal) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// wait blocks until text stands behind position from and returns the position
// after it.
func (p *terminal) wait(from int, text string) int {
	p.t.Helper()
	deadline := time.After(patience)
	for {
		if i := strings.Index(p.shown()[from:], text); i >= 0 {
			return from + i + len(text)
		}
		select {
		case <-p.more:
		case <-p.done:
			if i := strings.Index(p.shown()[from:], text); i >= 0 {
				return from + i + len(text)
			}
			p.t.Fatalf("ended without %q; shown:\n%s", text, p.shown()[from:])
		case <-deadline:
			p.t.Fatalf("%q did not appear; shown:\n%s", text, p.shown()[from:])
		}
	}
}

func (p *terminal) send(s string) {
	p.t.Helper()
	if _, err := io.WriteString(p.pty, s); err != nil {
		p.t.Fatal(err)
	}
}

// exit waits for the program's own end and returns its code.
func (p *terminal) exit() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.t.Fatalf("did not end; shown:\n%s", p.shown())
	}
	return p.cmd.ProcessState.ExitCode()
}

// kill is kill -9.
func (p *terminal) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		p.t.Fatal(err)
	}
	<-p.done
}

// demo serves the demo's sites in this process, so that they outlive a killed
// desk, and writes their flows.
type demo struct {
	*demosite.Sites
	t    *testing.T
	dir  string
	addr map[string]string
}

func newDemo(t *testing.T) *demo {
	t.Helper()
	needBrowser(t)
	sites, err := demosite.Start(context.Background(), demosite.Options{Delay: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sites.Close() })
	d := &demo{Sites: sites, t: t, dir: t.TempDir(), addr: sites.Addresses()}
	if err := writeFlows(d.dir, sites); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *demo) flow(name string) string { return filepath.Join(d.dir, name+".json") }

// get reads a page of a site the way any other browser would.
func (d *demo) get(url string) string {
	d.t.Helper()
	r, err := http.Get(url)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(b)
}

// needBrowser skips on a machine without a browser; under CI that is a failure.
func needBrowser(t *testing.T) {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if _, err := exec.LookPath(name); err == nil {
			return
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("no browser: make setup installs one")
	}
	t.Skip("no browser: make setup installs one")
}
