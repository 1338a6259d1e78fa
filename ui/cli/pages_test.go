//go:build linux

package cli

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"countersign/ui/uitest"
)

// page is one page that asks to send a letter. What is left empty is harmless.
type page struct {
	name                                            string
	title, heading, words, form, label, value, send string
	query                                           string
}

func (p page) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	or := func(s, harmless string) string {
		if s == "" {
			s = harmless
		}
		return html.EscapeString(s)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><title>%s</title><main><h1>%s</h1><p>%s</p><form aria-label="%s" onsubmit="return false">`+
		`<label>%s <input name="to" value="%s"></label><button>%s</button></form></main></html>`,
		or(p.title, "Post"), or(p.heading, "A new letter"), or(p.words, "It goes out at six."), or(p.form, "letter"),
		or(p.label, "To"), or(p.value, "mara@post.test"), or(p.send, "Send the letter"))
}

// hostilePages each put something else somewhere else.
func hostilePages() []page {
	return []page{
		{name: "escape in the button", send: "Send the letter \x1b[2J\x1b[1;1HREADY"},
		{name: "carriage return in the button", send: "Send the letter&#13;READY\rREADY"},
		{name: "clipboard in the button", send: "Send the letter \x1b]52;c;cm0gLXJmIH4K\x07"},
		{name: "override in the button", send: "Send the letter \u202eerom on\u202c"},
		{name: "READY in the button", send: "Send the letter                                                  READY"},
		{name: "border in the button", send: "Send the letter ━━ ◆ DECIDE  SEND ━━━━━━ t-1 · asked 0s ago ━━"},
		{name: "tags in the button", send: "Send the letter\U000e0052\U000e0045\U000e0041\U000e0044\U000e0059"},
		{name: "wide and joined button", send: "Send the letter 送信 👨‍👩‍👧‍👦 🇦🇹"},
		{name: "tower in the button", send: "Send the letter" + strings.Repeat("\u0301", 60)},
		{name: "long button", send: "Send the letter" + strings.Repeat(" to everyone", 40)},
		{name: "eight bit in the heading", heading: "A new letter \u009b2J\u009d0;owned\u009c"},
		{name: "flood in the words", words: strings.Repeat("\n", 300) + "It goes out at six." + strings.Repeat("\nREADY", 30)},
		{name: "fake card in the words", words: "d decline  ·  sign send\n  ›                                     READY"},
		{name: "fake label in the words", words: "origin       https://bank.example\namount       0.00 EUR"},
		{name: "bidi in the words", words: "\u2066It goes\u2069 \u200fout\u061c at six. שלח"},
		{name: "picture in the form's name", form: "letter \x1b_Ga=T,f=24;AAAA\x1b\\"},
		{name: "label that quotes itself", label: "To = “nobody”  ·  To", value: "x” \x1b[32mREADY"},
		{name: "marks alone in the value", value: "\u0301\u20e0\u200d\u200b"},
		{name: "title of the window", title: "\x1b]0;owned\x07Post\x1b[?1049l"},
		{name: "address", query: "?q=%1b%5b2J%0d%0aREADY%e2%80%ae&READY=\u202e"},
	}
}

// oneBrowser starts a Chromium of the person's, as it were: tasks have tabs in
// it. It ends with the test.
func oneBrowser(t *testing.T) (endpoint string) {
	t.Helper()
	needBrowser(t)
	exe := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && exe == "" {
			exe = path
		}
	}
	dir := t.TempDir()
	cmd := exec.Command(exe, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		for range 50 { // a process of its own group may still be writing
			if os.RemoveAll(dir) == nil {
				return
			}
		}
	})
	listening := regexp.MustCompile(`ws://(127\.0\.0\.1:\d+)/`)
	var heard bytes.Buffer
	buf := make([]byte, 4096)
	for {
		n, err := said.Read(buf)
		heard.Write(buf[:n])
		if m := listening.FindSubmatch(heard.Bytes()); m != nil {
			go func() { _, _ = io.Copy(io.Discard, said) }() // ends with the browser
			return "http://" + string(m[1])
		}
		if err != nil {
			t.Fatalf("the browser says %s", heard.Bytes())
		}
	}
}

// TestD1HostilePages has every page asked about at the real desk, its tasks in
// tabs of one browser, and compares each card with the one of the harmless page:
// it has the same rows of the same labels, and only what is quoted from the page
// differs.
func TestD1HostilePages(t *testing.T) {
	endpoint := oneBrowser(t)
	h := newHome(t)
	h.configure("[browser]\nendpoint = \"" + endpoint + "\"\n")
	pages := append([]page{{name: "harmless"}}, hostilePages()...)
	mux := http.NewServeMux()
	for i, p := range pages {
		mux.Handle("/"+strconv.Itoa(i), p)
	}
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)

	d := h.screen(120, 60)
	d.has("No task yet")
	drawn := uitest.NewEmulator(uitest.Size{Width: 120, Height: 60})
	read := 0
	look := func() string {
		all := d.shown()
		_, _ = drawn.Write([]byte(all[read:]))
		read = len(all)
		return drawn.String()
	}
	cards := map[string][]string{}
	const sessions = 7 // of the eight that may be open at once
	for first := 0; first < len(pages); first += sessions {
		some := pages[first:min(first+sessions, len(pages))]
		ids := h.starts(site.URL, first, some)
		for range some {
			d.send(" ")
			d.until("a card of its own", func(string) bool {
				shown := look()
				name := taskOf(shown)
				return name != "" && cards[name] == nil && strings.Contains(shown, "  digest  ") && strings.Contains(shown, "\n  ›")
			})
			shown := drawn.String()
			cards[taskOf(shown)] = cardOf(shown)
			d.send("\x1b") // alone: with the next key it would be that key with alt
			d.until("the board again", func(string) bool { return strings.Contains(look(), "tab to answer") })
		}
		for _, id := range ids {
			if got := h.run("cancel", id); got.code != ExitDone {
				t.Errorf("cancel %s: exit %d, %s", id, got.code, got.err)
			}
		}
		d.until("nothing that waits", func(string) bool { return strings.Contains(look(), "nothing waits") })
	}
	for _, p := range pages {
		sameCard(t, p.name, cards["harmless"], cards[p.name])
	}
	if got := drawn.Strange(); len(got) > 0 {
		t.Errorf("the terminal was sent %q", got)
	}
}

// starts has a task for each of some pages, from outside, all at once, and
// gives their ids.
func (h *home) starts(site string, first int, some []page) (ids []string) {
	h.t.Helper()
	var all sync.WaitGroup
	ids = make([]string, len(some))
	for i, p := range some {
		flow := h.file("page"+strconv.Itoa(i)+".json", fmt.Sprintf(
			`{"app": "browser", "steps": [{"browse": %q}, {"stop_before": "sending the letter"}]}`, site+"/"+strconv.Itoa(first+i)+p.query))
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			out, err := h.command(ctx, "run", flow, "--json", "--task", p.name).CombinedOutput()
			if code := exitOf(err); code != ExitWaiting {
				h.t.Errorf("%s: exit %d\n%s", p.name, code, out)
				return
			}
			ids[i] = lastReport(h.t, string(out)).View.ID.String()
		})
	}
	all.Wait()
	return ids
}

func exitOf(err error) int {
	if e, ok := err.(*exec.ExitError); ok {
		return e.ExitCode()
	}
	return 0
}

var taskRow = regexp.MustCompile(`(?m)^  task +t-\d+  (.*?)$`)

// taskOf is the page whose card is shown.
func taskOf(shown string) string {
	if m := taskRow.FindStringSubmatch(shown); m != nil {
		return m[1]
	}
	return ""
}

// cardOf is the card's rows from its heading to the line typed into, with what
// differs from task to task taken out.
func cardOf(shown string) []string {
	var rows []string
	for _, row := range strings.Split(shown, "\n") {
		if strings.HasPrefix(row, "━━ ") || len(rows) > 0 {
			rows = append(rows, row)
		}
		if len(rows) > 0 && strings.HasPrefix(row, "  ›") {
			break
		}
	}
	return rows
}

var labelled = regexp.MustCompile(`^  ([a-z][a-z ]{1,11}?) {2,}\S`)

// skeleton is what of a card may not differ: its heading, its labels, our facts
// whole, our own sentences, and for what is the page's only that it is there.
func skeleton(card []string) []string {
	var out []string
	for i, row := range card {
		m := labelled.FindStringSubmatch(row)
		switch {
		case i == 0:
			row = regexp.MustCompile(`t-\d+ · asked \S+ ago.*`).ReplaceAllString(row, "")
			row = strings.TrimRight(row, "━ ")
		case strings.HasPrefix(row, "      “"), strings.HasPrefix(row, "      ") && m == nil:
			continue // quoted, or going on
		case m != nil && strings.Contains(" control page typed task digest ", " "+m[1]+" "):
			row = m[1]
		case strings.HasPrefix(row, "  d decline"):
			row = strings.TrimSuffix(row, "  ·  p see the picture") // taken by now, or not yet
		case strings.HasPrefix(row, "  ›"):
			row = "  ›" // it may be ready by now, or not yet
		}
		out = append(out, row)
	}
	return out
}

func sameCard(t *testing.T, name string, harmless, card []string) {
	t.Helper()
	want, got := strings.Join(skeleton(harmless), "\n"), strings.Join(skeleton(card), "\n")
	if want != got || len(harmless) == 0 {
		t.Errorf("%s: the card's own rows are\n%s\nnot\n%s\nwhole:\n%s", name, got, want, strings.Join(card, "\n"))
	}
}
