package cli

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/surfaces/host"
)

// lookPage has what look must show and what it must not.
const lookPage = `<!doctype html><title>Shop` + "\x1b[31m" + `</title><nav aria-label=Main><a href="/b">Bikes</a></nav>
<form id=f><label>Name <input value=Ada></label><label>Password <input type=password value=hunter2 style="background:#fff"></label><button>Send` + "\u202e" + `</button></form>
<p>Two days</p><div class=top-ad><a href=/a>Deal</a></div><div style="height:2000px"></div><button>Far</button>`

func lookSite(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(lookPage))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestLook(t *testing.T) {
	needBrowser(t)
	h, site := newHome(t), lookSite(t)
	t.Run("as text, cleaned", func(t *testing.T) {
		got := h.run("look", site)
		if got.code != ExitDone {
			t.Fatalf("exit %d\n%s%s", got.code, got.out, got.err)
		}
		for _, part := range []string{
			"5 controls", `link "Bikes"`, `navigation "Main"`, `textbox "Name" = "Ada"`, `button "Send`, `button "Far"`, "offscreen", "left out: 1 advertisements",
			"Two days", "window 1280x800", "seen:1",
		} {
			if !strings.Contains(got.out, part) {
				t.Errorf("no %q", part)
			}
		}
		if strings.ContainsAny(got.out, "\x1b\u202e") || strings.Contains(got.out, "hunter2") || strings.Contains(got.out, "Deal") {
			t.Error("it shows what must not be shown")
		}
		if t.Failed() {
			t.Log(got.out)
		}
	})
	t.Run("as JSON and as a picture", func(t *testing.T) {
		file := filepath.Join(h.dir, "page.png")
		got := h.run("look", site, "--json", "--picture", file, "--viewport", "900x700", "--origin", site)
		var seen struct {
			Candidates []struct {
				Ref, Role, Name, Destination string
				InputType                    string `json:"input_type"`
				Path                         []string
				Bounds                       struct{ X, Y, Width, Height float64 }
			}
			Denoised struct{ Ads int }
			Viewport [2]int
		}
		if err := json.Unmarshal([]byte(got.out), &seen); got.code != ExitDone || err != nil {
			t.Fatalf("exit %d, %v\n%s%s", got.code, err, got.out, got.err)
		}
		if len(seen.Candidates) != 5 || seen.Candidates[0].Destination != site+"/b" || seen.Candidates[0].Path[0] != `navigation "Main"` || seen.Denoised.Ads != 1 || seen.Viewport != [2]int{900, 700} {
			t.Errorf("%+v", seen)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(raw))
		if err != nil || img.Bounds() != image.Rect(0, 0, 900, 700) {
			t.Fatalf("the picture is %v, %v", img.Bounds(), err)
		}
		for _, c := range seen.Candidates {
			if c.InputType != "password" {
				continue
			}
			r, g, b, _ := img.At(int(c.Bounds.X+c.Bounds.Width/2), int(c.Bounds.Y+c.Bounds.Height/2)).RGBA()
			if r+g+b != 0 {
				t.Error("the password is not black")
			}
		}
		c := seen.Candidates[0].Bounds
		if r, g, b, _ := img.At(int(c.X+c.Width/2), int(c.Y)).RGBA(); r+g+b == 3*0xffff {
			t.Error("no box is drawn")
		}
	})
	t.Run("the tab of a running browser, left as it was", func(t *testing.T) {
		profile := filepath.Join(h.dir, "person")
		path, err := host.FindChromium("")
		if err != nil {
			t.Fatal(err)
		}
		chrome, err := host.StartChromium(t.Context(), host.Launch{Executable: path, Profile: profile, Width: 1000, Height: 600})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = chrome.Process.End(t.Context(), 0) })
		at := strings.TrimSuffix(strings.Replace(chrome.DevTools, "ws://", "http://", 1), chrome.DevTools[strings.Index(chrome.DevTools, "/devtools"):])
		if got := h.run("look", "--endpoint", at); got.code != ExitFailed || !strings.Contains(got.err, "ELEMENT_NOT_FOUND") || !strings.Contains(got.err, "hint:") {
			t.Errorf("without a page: exit %d %s", got.code, got.err)
		}
		opened := func(address string) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, at+"/json/new?"+address, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
		}
		opened(site + "/one")
		for until := time.Now().Add(patience); ; { // the tab is listed before its page has come
			got := h.run("look", "--endpoint", at)
			if got.code == ExitDone && strings.Contains(got.out, site+"/one") {
				break
			}
			if time.Now().After(until) {
				t.Fatalf("one tab: exit %d\n%s%s", got.code, got.out, got.err)
			}
		}
		opened(site + "/two")
		if got := h.run("look", "--endpoint", at); got.code != ExitFailed || !strings.Contains(got.err, "AMBIGUOUS_TARGET") {
			t.Errorf("two tabs: exit %d %s", got.code, got.err)
		}
		for range 2 { // it is still there after it was looked at
			if got := h.run("look", "--endpoint", at, "--tab", "/TWO"); got.code != ExitDone || !strings.Contains(got.out, site+"/two") {
				t.Errorf("the second tab: exit %d\n%s%s", got.code, got.out, got.err)
			}
		}
	})
	t.Run("a site that is not listed, and one that is not there", func(t *testing.T) {
		if got := h.run("look", site, "--origin", "https://shop.example"); got.code != ExitFailed || !strings.Contains(got.err, "POLICY_DENIED") || !strings.Contains(got.err, "hint:") {
			t.Errorf("exit %d %s", got.code, got.err)
		}
		if got := h.run("look", "http://127.0.0.1:1"); got.code != ExitFailed || !strings.Contains(got.err, "hint:") {
			t.Errorf("exit %d %s", got.code, got.err)
		}
	})
}

func TestLookRefusesWrongUse(t *testing.T) {
	h := newHome(t)
	for _, args := range [][]string{
		{},
		{"a.example", "b.example"},
		{"a.example", "--viewport", "wide"},
		{"a.example", "--viewport", "10x10"},
		{"--endpoint", "nowhere"},
		{"a.example", "--tab", "x"},
		{"--endpoint", "http://127.0.0.1:1", "--viewport", "800x600"},
	} {
		if got := h.run(append([]string{"look"}, args...)...); got.code != ExitUsage || !strings.Contains(got.err, "hint:") {
			t.Errorf("%v: exit %d %s", args, got.code, got.err)
		}
	}
	if got := h.run("look", "--endpoint", "http://127.0.0.1:1"); got.code != ExitFailed || !strings.Contains(got.err, "BROWSER_UNAVAILABLE") {
		t.Errorf("exit %d %s", got.code, got.err)
	}
}
