package browser

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"countersign/surfaces"
)

// took measures a wait.
func took(wait func()) time.Duration {
	start := time.Now()
	wait()
	return time.Since(start)
}

// room is what a busy machine may add to a wait; the lower bounds are exact.
const room = 3 * time.Second

func TestSF66Settling(t *testing.T) {
	slow := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/poll":
			select {
			case <-slow:
			case <-r.Context().Done():
			}
		case "/data":
			_, _ = io.WriteString(w, "answered")
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<p id=p>none</p><button onclick="fetch('/data').then(r=>r.text()).then(t=>p.textContent=t)">Ask</button><button onclick="1">Nothing</button>
<button onclick="fetch('/poll');p.textContent='polling'">Poll</button><button onclick="p.textContent='spin';p.animate([{opacity:1},{opacity:.5}],{duration:200,iterations:Infinity})">Spin</button>`)
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(slow) })
	s := tabOf(t, surfaces.Needs{}, Options{})
	must(t, s.Navigate(t.Context(), server.URL))
	s.Settle(t.Context())
	settle := func() { s.Settle(t.Context()) }
	rows := []struct {
		press       string
		least, most time.Duration
		says        string
	}{
		{"Nothing", 0, firstSign + slack + room, "none"}, // the press itself used some of the 450 ms
		{"Ask", 0, time.Second + room, "answered"},
		{"Poll", networkCap - 100*time.Millisecond, networkCap + 2*slack + room, "polling"},
		{"Spin", 0, time.Second + room, "spin"},
	}
	for _, row := range rows {
		must(t, click(t, s, "button", row.press))
		if d := took(settle); d < row.least || d > row.most {
			t.Errorf("after %s it settled in %v, want %v to %v", row.press, d, row.least, row.most)
		}
		if got := observe(t, s).Context[0]; got != row.says {
			t.Errorf("after %s the page says %q, want %q: the wait was too short", row.press, got, row.says)
		}
	}
	must(t, click(t, s, "button", "Poll"))
	if d := took(func() { s.SettleBriefly(t.Context()) }); d > stillCap+slack+room {
		t.Errorf("settled briefly in %v", d)
	}
}

func TestSteadySettling(t *testing.T) {
	s := tabOf(t, surfaces.Needs{}, Options{Mode: Steady})
	must(t, s.Navigate(t.Context(), serve(t, map[string]string{"": "Home"}).URL))
	if d := took(func() { s.Settle(t.Context()) }); d < steadyPause {
		t.Errorf("settled in %v, want at least %v", d, steadyPause)
	}
}

func TestSF67AwaitChange(t *testing.T) {
	s := show(t, `<ul id=u><li>One</ul><button>Go</button>`)
	ctx := t.Context()
	t.Run("a still page, and our marks alone", func(t *testing.T) {
		changed := true
		d := took(func() { changed = s.AwaitChange(ctx, 1000) })
		if changed || d < time.Second {
			t.Errorf("changed %v after %v", changed, d)
		}
		observe(t, s) // marks
		script(t, s, "u.setAttribute('data-desk-seen','900')")
		script(t, s, "setTimeout(()=>u.setAttribute('data-desk-seen','901'),100)")
		if s.AwaitChange(ctx, 400) {
			t.Error("a mark counts as a change")
		}
	})
	t.Run("a row is added", func(t *testing.T) {
		script(t, s, "setTimeout(()=>u.append(document.createElement('li')),300)")
		changed := false
		d := took(func() { changed = s.AwaitChange(ctx, 20000) })
		if !changed || d > 15*time.Second {
			t.Errorf("changed %v after %v", changed, d)
		}
	})
	t.Run("the page is replaced", func(t *testing.T) {
		script(t, s, "setTimeout(()=>location.reload(),100)")
		if !s.AwaitChange(ctx, 20000) {
			t.Error("nothing changed")
		}
	})
	t.Run("no page is open", func(t *testing.T) {
		none, err := NewDriver(Options{StateDir: os.TempDir()}).side("w-1", surfaces.Needs{}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !none.AwaitChange(context.Background(), 10_000) {
			t.Error("what cannot be watched may have changed")
		}
	})
}
