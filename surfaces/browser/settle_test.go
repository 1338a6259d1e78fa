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

// attempts is how often a busy machine may be too late for a wait that is short by
// design, before the wait is taken to be wrong.
const attempts = 10

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
		press string
		least time.Duration
		says  string
	}{
		{"Nothing", 0, "none"},
		{"Ask", 0, "answered"},
		{"Poll", networkCap - 100*time.Millisecond, "polling"},
		{"Spin", 0, "spin"},
	}
	for _, row := range rows {
		t.Run(row.press, func(t *testing.T) {
			must(t, click(t, s, "button", row.press))
			d := took(settle)
			if d < row.least {
				t.Errorf("it settled in %v, want at least %v", d, row.least)
			}
			got := observe(t, s).Context[0]
			for range attempts { // an answer that comes later than the longest wait is no fault of the wait
				if got == row.says || d < networkCap {
					break
				}
				must(t, s.Navigate(t.Context(), server.URL))
				must(t, click(t, s, "button", row.press))
				d = took(settle)
				got = observe(t, s).Context[0]
			}
			if got != row.says {
				t.Errorf("after %v the page says %q, want %q: the wait was too short", d, got, row.says)
			}
		})
	}
	// Without waiting for the network; the machine may add to one of them.
	shortest := patience
	for range attempts {
		must(t, click(t, s, "button", "Poll"))
		shortest = min(shortest, took(func() { s.SettleBriefly(t.Context()) }))
		if shortest < networkCap {
			return
		}
	}
	t.Errorf("settled briefly in %v", shortest)
}

// SF-66: a new tab has nothing to react to, and is not even asked.
func TestSF66ANewTab(t *testing.T) {
	s := tabOf(t, surfaces.Needs{}, Options{})
	s.SettleBriefly(t.Context())
	if s.tab.world != "" {
		t.Error("the page was asked whether it changed")
	}
	must(t, s.Navigate(t.Context(), serve(t, map[string]string{"": "Home"}).URL))
	s.SettleBriefly(t.Context())
	if s.tab.world == "" {
		t.Error("a page that was opened was not asked")
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
		// A page that answers too late may have changed, for all that is known.
		still := func(ms int) bool {
			for range attempts {
				script(t, s, "setTimeout(()=>u.setAttribute('data-desk-seen',Date.now()),100)")
				start := time.Now()
				if !s.AwaitChange(ctx, ms) {
					if d := time.Since(start); d < time.Duration(ms)*time.Millisecond {
						t.Errorf("it watched %v of %d ms", d, ms)
					}
					return true
				}
			}
			return false
		}
		observe(t, s) // marks
		if !still(1000) {
			t.Error("a mark counts as a change")
		}
	})
	t.Run("a row is added", func(t *testing.T) {
		script(t, s, "setTimeout(()=>u.append(document.createElement('li')),300)")
		changed := false
		d := took(func() { changed = s.AwaitChange(ctx, 20000) })
		if !changed || d > 15*time.Second { // of 20
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
