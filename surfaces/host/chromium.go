package host

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"countersign/surfaces/fault"
)

// Launch says how a browser is started.
type Launch struct {
	Executable string // found with FindChromium
	Profile    string // an existing folder nothing runs on
	Headed     bool
	Width      int // of the window, CSS pixels
	Height     int
	UserAgent  string   // empty: its own
	Env        []string // as exec.Cmd wants it; nil: ours
}

// Chromium is a running browser: its process, and where its DevTools listen.
type Chromium struct {
	Process  Process
	DevTools string // ws://127.0.0.1:PORT/devtools/browser/ID
}

// StartWithin bounds the time from the start to a DevTools address: 0.4 s on an
// idle machine, 37 s measured with 50 processes waiting for two cores.
const StartWithin = time.Minute

// activePort is the file in which Chromium says where its DevTools listen.
const activePort = "DevToolsActivePort"

func names() []string {
	return []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless-shell"}
}

// FindChromium gives the configured executable, or the first one known in PATH,
// or where this system's installers put it.
// BROWSER_UNAVAILABLE when there is none.
func FindChromium(configured string) (string, error) {
	if configured != "" {
		if !executable(configured) {
			return "", fault.Newf(fault.BrowserUnavailable, "%s is no executable file", configured).
				WithHint("Check the path given for the browser's executable.")
		}
		return configured, nil
	}
	for _, name := range names() {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	for _, path := range usual() {
		if executable(path) {
			return path, nil
		}
	}
	return "", fault.New(fault.BrowserUnavailable, "no Chromium was found")
}

// usual is where installers put a browser that is in no PATH.
func usual() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"}
	case "windows":
		return []string{
			filepath.Join(os.Getenv("ProgramFiles"), "Google", "Chrome", "Application", "chrome.exe"),
			filepath.Join(os.Getenv("LocalAppData"), "Google", "Chrome", "Application", "chrome.exe"),
		}
	default:
		return nil
	}
}

func executable(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && (runtime.GOOS == "windows" || st.Mode().Perm()&0o111 != 0)
}

// StartChromium starts a browser in a session of its own, so that it outlives
// this process however that ends, and waits until its DevTools listen. A browser
// that does not get so far is ended again. BROWSER_UNAVAILABLE when it will not
// start.
func StartChromium(ctx context.Context, l Launch) (Chromium, error) {
	if l.Headed && l.Env == nil && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return Chromium{}, fault.New(fault.BrowserUnavailable, "a visible browser needs a display, and there is none").
			WithHint("Start it without headed, or from a graphical session.")
	}
	port := filepath.Join(l.Profile, activePort)
	_ = os.Remove(port) // the address of an earlier browser; missing is usual
	forgetSockets(l.Profile)
	cmd := exec.Command(l.Executable, flags(l)...)
	cmd.Env = l.Env
	Detach(cmd)
	if err := cmd.Start(); err != nil {
		return Chromium{}, unstartable(l, err)
	}
	p, _ := ProcessOf(cmd.Process.Pid)
	exited := make(chan struct{})
	// Reaps the browser; ends when the browser does, which may be after us.
	go func() {
		_ = cmd.Wait() // how it ended is of no use to anybody
		close(exited)
	}()
	address, err := awaitAddress(ctx, port, exited)
	if err != nil {
		// With its own time, as ctx may be what ended the wait.
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = p.End(clean, 0) // the start is what failed
		<-exited
		return Chromium{}, unstartable(l, err)
	}
	return Chromium{Process: p, DevTools: address}, nil
}

func unstartable(l Launch, err error) error {
	return fault.Wrap(fault.BrowserUnavailable, err, filepath.Base(l.Executable)+" would not start").
		WithHint("Check the path of the browser; `countersign doctor` tries to start it.")
}

func awaitAddress(ctx context.Context, file string, exited <-chan struct{}) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, StartWithin)
	defer cancel()
	for {
		// Two lines: the port, and the path of the browser's own target.
		b, _ := os.ReadFile(file) // not there yet, most of the time
		port, path, ok := strings.Cut(strings.TrimSpace(string(b)), "\n")
		if ok && port != "" && strings.HasPrefix(path, "/devtools/") {
			return "ws://127.0.0.1:" + port + path, nil
		}
		select {
		case <-exited:
			return "", fmt.Errorf("it ended before its DevTools listened")
		default:
		}
		if err := sleep(ctx, pollEvery); err != nil {
			return "", fmt.Errorf("waiting for its DevTools: %w", err)
		}
	}
}

// flags are those of the design: nothing of the browser's own on the network,
// and pages that run as fast when nobody looks at them.
func flags(l Launch) []string {
	args := []string{
		"--user-data-dir=" + filepath.Clean(l.Profile),
		"--remote-debugging-port=0",
		"--remote-debugging-address=127.0.0.1",
		"--no-first-run",
		"--no-default-browser-check",
		"--disable-background-networking",
		"--disable-component-update",
		"--disable-default-apps",
		"--disable-sync",
		"--disable-quic",
		"--disable-breakpad",
		"--disable-dev-shm-usage",
		"--disable-background-timer-throttling",
		"--disable-backgrounding-occluded-windows",
		"--disable-renderer-backgrounding",
		"--disable-session-crashed-bubble",
		"--disable-features=Translate,OptimizationHints,MediaRouter",
		"--force-color-profile=srgb",
		"--password-store=basic",
		"--window-size=" + strconv.Itoa(l.Width) + "," + strconv.Itoa(l.Height),
	}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox") // its sandbox refuses the superuser
	}
	if !l.Headed {
		args = append(args, "--headless", "--disable-gpu", "--hide-scrollbars", "--mute-audio")
	}
	if l.UserAgent != "" {
		args = append(args, "--user-agent="+l.UserAgent)
	}
	return append(args, "about:blank")
}
