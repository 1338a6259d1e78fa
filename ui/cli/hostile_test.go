package cli

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"countersign/controller/task"
	"countersign/surfaces/demosite"
	"countersign/surfaces/fault"
)

// flowOf writes a browser flow whose steps are given as JSON.
func (h *home) flowOf(steps ...string) string {
	return h.file("flow.json", `{"app": "browser", "steps": [`+strings.Join(steps, ", ")+`]}`)
}

func TestBadFlowsAreRefusedWithACode(t *testing.T) {
	h := newHome(t)
	cases := []struct {
		name, flow, want string
		args             []string
	}{
		{"not JSON", `{"app": "browser", "steps": [`, "INVALID_FLOW", nil},
		{"empty file", ``, "INVALID_FLOW", nil},
		{"no flow at all", `[1, 2]`, "INVALID_FLOW", nil},
		{"FL-02 unknown step", `{"app": "browser", "steps": [{"clik": "Send"}]}`, "UNKNOWN_STEP_KIND", nil},
		{
			"FL-05 secret outside enter", `{"app": "browser", "steps": ["say ${cvv}"]}`, "SECRET_OUTSIDE_ENTER",
			[]string{"--secret", "cvv=@" + h.file("cvv", "737")},
		},
		{"10,000 steps", `{"app": "browser", "steps": ["go on"` + strings.Repeat(`, "go on"`, 9999) + `]}`, "TOO_MANY_STEPS", nil},
		{"FL-16 a file", `{"app": "browser", "steps": [{"browse": "file:///etc/passwd"}]}`, "BAD_ADDRESS", nil},
		{"A17 secret that is no fact", `{"app": "browser", "steps": ["go on"]}`, "INVALID_USAGE", []string{"--secret", "pin"}},
		{"secret on the command line", `{"app": "browser", "steps": ["go on"]}`, "INVALID_USAGE", []string{"--secret", "pin=1234"}},
		{"A18 paying anywhere", `{"app": "browser", "steps": ["go on"]}`, "ORIGINS_REQUIRED", []string{"--payment", "fill_then_approve"}},
		{"A19 output without a shaper", `{"app": "browser", "steps": ["go on"]}`, "OUTPUT_UNAVAILABLE", []string{"--output", "as a table"}},
		{"A88 relative profile", `{"app": "browser", "steps": ["go on"]}`, "INVALID_REQUEST", []string{"--browser-profile", "here"}},
		{
			"empty file of a secret", `{"app": "browser", "steps": ["say ${cvv}"]}`, "INVALID_USAGE",
			[]string{"--secret", "cvv=@" + h.file("none", " \n")},
		},
		{"unknown flag", `{"app": "browser", "steps": ["go on"]}`, "INVALID_USAGE", []string{"--colour"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := h.run(append([]string{"run", h.file("flow.json", c.flow), "--json"}, c.args...)...)
			if got.code != ExitUsage || !strings.Contains(got.err, c.want) || !strings.Contains(got.err, "\nhint: ") {
				t.Errorf("exit %d, stderr %q; want 2, %s and a hint", got.code, got.err, c.want)
			}
			if strings.Contains(got.err, "1234") || strings.Contains(got.err, "737") {
				t.Errorf("a secret in %q", got.err)
			}
		})
	}
	if got := h.run("tasks"); !strings.Contains(got.out, "no tasks yet") {
		t.Errorf("a refused flow left a task:\n%s", got.out)
	}
}

func TestCheckListsEveryErrorWithItsPath(t *testing.T) {
	h := newHome(t)
	got := h.run("check", h.file("flow.json", `{"app": "browser", "steps": [{"clik": "a"}, {"do": "b", "verify": "c"}, " "]}`))
	for _, want := range []string{
		"flow.json:1:30: error: steps[0]  UNKNOWN_STEP_KIND", "did you mean", "flow.json:1:45: error: steps[1]  STEP_NOT_ONE_KEY",
		"flow.json:1:73: error: steps[2]  EMPTY_STEP",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in:\n%s", want, got.out)
		}
	}
	if got.code != ExitUsage {
		t.Errorf("exit %d, want 2", got.code)
	}
}

// A secret is told from the rest before the flow runs; its value is not needed.
func TestCheckTakesTheFactsOfRun(t *testing.T) {
	h := newHome(t)
	path := h.file("flow.json", `{"app": "browser", "steps": [{"do": "say ${word}"}, {"enter": {"town": "${town}"}}]}`)
	tests := []struct {
		name string
		args []string
		want string
		code int
	}{
		{"nothing given", nil, "missing  ${town}", ExitDone},
		{"a fact", []string{"--fact", "town=Vienna", "--fact", "word=hello"}, "2 steps, no errors", ExitDone},
		{"a secret by its name alone", []string{"--secret", "word"}, "SECRET_OUTSIDE_ENTER", ExitUsage},
		{"a secret where it may stand", []string{"--secret", "town"}, "missing  ${word}", ExitDone},
		{"a value on the command line", []string{"--secret", "word=hush"}, "takes no value on the command line", ExitUsage},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := h.run(append([]string{"check", path}, tt.args...)...)
			if all := got.out + got.err; !strings.Contains(all, tt.want) || got.code != tt.code || strings.Contains(all, "hush") {
				t.Errorf("exit %d, want %d and %q in:\n%s", got.code, tt.code, tt.want, all)
			}
		})
	}
}

// The demo starts on an empty store, so it must never get a person's.
func TestDemoTakesNoStoreThatIsThere(t *testing.T) {
	h := newHome(t)
	if got := h.run("run", "--json", "--task", "plan me"); got.code != ExitWaiting {
		t.Fatalf("exit %d\n%s%s", got.code, got.out, got.err)
	}
	path := h.state("desk.db")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := h.terminal(100, 30, "demo", "--plain", "--store", path)
	p.wait(0, "INVALID_USAGE")
	if code := p.exit(); code != ExitUsage {
		t.Errorf("exit %d, want %d", code, ExitUsage)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the store was touched: %v", err)
	}
}

func TestStoresThatCannotBeUsed(t *testing.T) {
	cases := []struct {
		name, want string
		exit       int
		make       func(h *home) (path string)
	}{
		{"another program's", "STORE_DAMAGED", ExitFailed, func(h *home) string { return h.file("other.db", strings.Repeat("SQLite format 3\x00", 4096)) }},
		{"cut short", "STORE_DAMAGED", ExitFailed, func(h *home) string {
			path := filepath.Join(h.dir, "cut.db")
			h.run("tasks", "--store", path)
			if err := os.Truncate(path, 20_000); err != nil {
				h.t.Fatal(err)
			}
			return path
		}},
		{"a folder", "INVALID_REQUEST", ExitUsage, func(h *home) string { return h.dir }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t)
			path := c.make(h)
			before, _ := os.ReadFile(path)
			got := h.run("tasks", "--store", path)
			if got.code != c.exit || !strings.Contains(got.err, c.want) || !strings.Contains(got.err, "\nhint: ") {
				t.Errorf("exit %d, stderr %q; want %d, %s and a hint", got.code, got.err, c.exit, c.want)
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestStoreOnAFullDisk(t *testing.T) {
	h := newHome(t)
	dir := filepath.Join(h.dir, "small")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	got := h.run("tasks", "--store", filepath.Join(dir, "desk.db"))
	if got.code != ExitFailed || !strings.Contains(got.err, "STORE_FULL") || !strings.Contains(got.err, "\nhint: ") {
		t.Errorf("exit %d, stderr %q; want 1, STORE_FULL and a hint", got.code, got.err)
	}
}

func TestNoChromium(t *testing.T) {
	h := newHome(t)
	if got := h.run("cancel", "t-9"); got.code != ExitFailed || !strings.Contains(got.err, "NO_SUCH_TASK") {
		t.Errorf("an unknown task: exit %d, stderr %q", got.code, got.err)
	}
	cmd := h.command(t.Context(), "run", h.flowOf(`{"browse": "http://127.0.0.1:9"}`), "--json")
	cmd.Env = append(cmd.Env, "PATH="+h.dir)
	out, _ := cmd.Output()
	r := lastReport(t, string(out))
	if s := r.View.Status; s.State != task.Failed || !strings.HasPrefix(s.Reason, "BROWSER_UNAVAILABLE") || s.Recoverable || s.Hint == "" {
		t.Errorf("status %+v, want failed for good with BROWSER_UNAVAILABLE and a hint", s)
	}
	if code := cmd.ProcessState.ExitCode(); code != ExitFailed {
		t.Errorf("exit %d, want 1", code)
	}
	if got := h.run("cancel", "t-1"); got.code != ExitDone || !strings.Contains(got.out, "t-1  failed") {
		t.Errorf("a task that is over: exit %d, %q%q", got.code, got.out, got.err)
	}
}

// hostileSites serves the pages that misbehave.
func hostileSites(t *testing.T) map[string]string {
	t.Helper()
	needBrowser(t)
	sites, err := demosite.Start(context.Background(), demosite.Options{Delay: -1, Hostile: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sites.Close() })
	return sites.Addresses()
}

// failing runs a flow that must fail and returns its status.
func failing(t *testing.T, h *home, args ...string) task.Status {
	t.Helper()
	got := h.run(append([]string{"run", "--json"}, args...)...)
	if got.code != ExitFailed {
		t.Fatalf("exit %d, want 1\n%s%s", got.code, got.out, got.err)
	}
	return lastReport(t, got.out).View.Status
}

func TestSitesThatFail(t *testing.T) {
	at := hostileSites(t)
	h := newHome(t)
	cases := []struct {
		name, browse, want string
		args               []string
	}{
		{"500", at["hostile"] + "/500", "PAGE_ERROR", nil},
		{"redirect to another origin", at["hostile"] + "/redirect", "POLICY_DENIED", []string{"--origin", at["hostile"]}},
		{"outside the origins", at["bank"], "POLICY_DENIED", []string{"--origin", at["hostile"]}},
		{"nobody listens", "http://127.0.0.1:9", "", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := failing(t, h, append([]string{h.flowOf(fmt.Sprintf(`{"browse": %q}`, c.browse))}, c.args...)...)
			if !strings.HasPrefix(s.Reason, c.want) || s.Hint == "" {
				t.Errorf("status %+v, want %s and a hint", s, c.want)
			}
		})
	}
}

func TestSiteThatNeverAnswers(t *testing.T) {
	at := hostileSites(t)
	h := newHome(t)
	s := failing(t, h, h.flowOf(fmt.Sprintf(`{"browse": "%s/never"}`, at["hostile"])))
	if !strings.HasPrefix(s.Reason, "TIMEOUT") || s.Hint == "" {
		t.Errorf("status %+v, want TIMEOUT and a hint", s)
	}
}

func TestWindowsDialogsDownloads(t *testing.T) {
	at := hostileSites(t)
	h := newHome(t)
	cases := []struct{ name, page, press, verify string }{
		{"new tab", "/popup", `press \"Open the details in a new tab\"`, `\"Done\" is showing`},
		{"window.open", "/popup", `press \"Open a window\"`, `\"Done\" is showing`},
		{"alert", "/alert", `press \"Show an alert\"`, ""},
		{"download", "/download", `press \"Download the invoice\"`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			steps := []string{fmt.Sprintf(`{"browse": %q}`, at["hostile"]+c.page), `"` + c.press + `"`}
			if c.verify != "" {
				steps = append(steps, `{"verify": "`+c.verify+`"}`)
			}
			got := h.run("run", "--json", h.flowOf(steps...), "--origin", at["hostile"])
			if got.code != ExitDone {
				t.Errorf("exit %d, want 0\n%s%s", got.code, got.out, got.err)
			}
		})
	}
}

func TestD1HostileButtonName(t *testing.T) {
	at := hostileSites(t)
	for _, kind := range []string{"esc", "csi", "osc52", "bidi", "cr", "ready"} {
		t.Run(kind, func(t *testing.T) {
			h := newHome(t)
			flow := h.flowOf(fmt.Sprintf(`{"browse": %q}`, at["hostile"]+"/name?kind="+kind), `{"stop_before": "sending the letter"}`)
			p := h.terminal(100, 40, "run", flow, "--plain")
			end := p.wait(p.wait(0, "type d to decline"), "READY\r\n")
			shown := p.shown()[:end]
			for _, r := range shown {
				if r < 0x20 && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 || r == 0x202e {
					t.Fatalf("the page wrote %U on the terminal:\n%q", r, shown)
				}
			}
			if n := strings.Count(shown, "READY\r\n"); n != 1 {
				t.Errorf("READY stands alone on %d lines, want 1", n)
			}
			p.send("d\n")
			if code := p.exit(); code != ExitDeclined {
				t.Errorf("exit %d, want %d", code, ExitDeclined)
			}
		})
	}
}

func TestD4AmountChangedAfterSigning(t *testing.T) {
	at := hostileSites(t)
	h := newHome(t)
	flow := h.flowOf(fmt.Sprintf(`{"browse": %q}`, at["hostile"]+"/amount"), `{"stop_before": "paying for the order"}`)
	p := h.terminal(100, 40, "run", flow, "--plain", "--payment", "fill_then_approve", "--origin", at["hostile"])
	end := p.wait(p.wait(0, "PAY"), "READY")
	set(t, at["hostile"], "amount", "9480.00 EUR")
	p.send("2480.00 EUR\n")
	end = p.wait(end, "9480.00 EUR")
	if card := p.shown()[end-600 : end]; !strings.Contains(card, "2480.00") {
		t.Errorf("the second card does not show what was signed:\n%s", card)
	}
	p.wait(end, "READY")
	p.send("d\n")
	if code := p.exit(); code != ExitDeclined {
		t.Errorf("exit %d, want %d", code, ExitDeclined)
	}
}

// A control that another one takes the place of is not pressed under the
// signature for the first.
func TestD5ControlReplacedAfterSigning(t *testing.T) {
	at := hostileSites(t)
	h := newHome(t)
	flow := h.flowOf(fmt.Sprintf(`{"browse": %q}`, at["hostile"]+"/replaced"), `{"stop_before": "sending the letter"}`)
	p := h.terminal(100, 40, "run", flow, "--plain", "--origin", at["hostile"])
	end := p.wait(p.wait(0, "SEND"), "READY")
	set(t, at["hostile"], "name", "Send to everyone")
	p.send("sign\n")
	end = p.wait(end, "It is not what you signed any more")
	end = p.wait(p.wait(end, `signed “button "Send"`), `now    “button "Send to everyone"`)
	p.wait(end, "READY")
	p.send("d\n")
	if code := p.exit(); code != ExitDeclined {
		t.Errorf("exit %d, want %d", code, ExitDeclined)
	}
	if got := h.run("report", "t-1", "--decisions"); strings.Contains(got.out, "spent") || strings.Count(got.out, "declined") != 1 {
		t.Errorf("something was pressed:\n%s", got.out)
	}
}

// A page that changes nothing but where its form is sent is not pressed under
// the signature for the old address, by whomever that is named.
func TestD4DestinationChangedAfterSigning(t *testing.T) {
	at := hostileSites(t)
	for _, by := range []string{"form", "button"} {
		t.Run(by, func(t *testing.T) {
			h := newHome(t)
			flow := h.flowOf(fmt.Sprintf(`{"browse": %q}`, at["hostile"]+"/address?by="+by), `{"stop_before": "sending the letter"}`)
			p := h.terminal(100, 40, "run", flow, "--plain", "--origin", at["hostile"])
			end := p.wait(p.wait(0, "SEND"), "READY")
			if strings.Contains(p.shown(), "goes to") {
				t.Errorf("the card warns of the page's own site:\n%s", p.shown())
			}
			set(t, at["hostile"], "action", at["bank"]+"/collect?to=mira")
			p.send("sign\n")
			end = p.wait(end, "It is not what you signed any more")
			end = p.wait(end, "goes to")
			end = p.wait(end, at["bank"]+"/collect?to=mira")
			p.wait(end, "READY")
			p.send("d\n")
			if code := p.exit(); code != ExitDeclined {
				t.Errorf("exit %d, want %d", code, ExitDeclined)
			}
		})
	}
}

// set changes a page that stands, and waits until it has changed.
func set(t *testing.T, site, what, to string) {
	t.Helper()
	d := &demo{t: t}
	d.get(site + "/set?" + url.Values{what: {to}}.Encode())
	d.get(site + "/await?" + url.Values{"shown": {to}}.Encode())
}

func TestA130BrowserKilledWhileItWaits(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	p := h.terminal(100, 40, "run", d.flow("mail"), "--plain")
	end := p.wait(p.wait(0, "SEND"), "READY")
	killBrowsers(t, h)
	end = p.wait(end, "browser lost")
	end = p.wait(end, "READY")
	p.send("go\n")
	// The new browser stands on the same page, whose form is empty now: the
	// guard asks afresh and the card says so.
	end = p.wait(p.wait(end, "SEND"), "(nothing)")
	p.wait(end, "READY")
	p.send("d the letter is gone\n")
	if code := p.exit(); code != ExitDeclined {
		t.Fatalf("exit %d, want %d\n%s", code, ExitDeclined, p.shown())
	}
	if sent := d.Counts().MailsSent; sent != 0 {
		t.Errorf("%d mails sent, want none", sent)
	}
}

// killBrowsers ends, with SIGKILL, the browsers of one home and no others.
func killBrowsers(t *testing.T, h *home) {
	t.Helper()
	pids := browsersBelow(h.state())
	if len(pids) == 0 {
		t.Fatal("no browser of this home runs")
	}
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL) // a child may have gone with its parent
	}
}

// browsersBelow lists the processes of browsers whose profile lies below dir.
func browsersBelow(dir string) []int {
	entries, _ := os.ReadDir("/proc")
	var pids []int
	for _, e := range entries {
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		pid, numeric := strconv.Atoi(e.Name())
		if err == nil && numeric == nil && strings.Contains(string(line), "--user-data-dir="+dir) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func TestConfigurationErrorNamesTheLine(t *testing.T) {
	h := newHome(t)
	path := h.file("config.toml", "[ui]\nbel = true\n")
	got := h.run("tasks", "--config", path)
	if got.code != ExitUsage || !strings.Contains(got.err, string(fault.InvalidConfig)) || !strings.Contains(got.err, "line 2") {
		t.Errorf("exit %d, stderr %q; want 2, INVALID_CONFIG and line 2", got.code, got.err)
	}
}
