package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// A picture that never comes keeps a page from its load event, and nobody from
// reading it; a document that never ends is no page.
func TestPagesThatNeverFinish(t *testing.T) {
	quit := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/picture":
		case "/half":
			_, _ = io.WriteString(w, "<title>Half</title><p>Half of it")
			_ = http.NewResponseController(w).Flush()
		case "/elsewhere":
			_, _ = io.WriteString(w, "<title>Elsewhere</title><img src=/picture><script>document.addEventListener('DOMContentLoaded',()=>location.replace('/shown'))</script>")
			return
		case "/refresh":
			_, _ = io.WriteString(w, "<title>Refresh</title><meta http-equiv=refresh content='0;url=/quick'>")
			return
		case "/moved":
			http.Redirect(w, r, "/quick", http.StatusFound)
			return
		case "/quick":
			_, _ = io.WriteString(w, "<title>Quick</title><button>Go</button>")
			return
		default:
			_, _ = io.WriteString(w, "<title>Shown</title><img src=/picture><button>Go</button>")
			return
		}
		select {
		case <-quit:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(quit) })
	for _, row := range []struct {
		path, title string
		loading     bool
	}{
		{"/shown", "Shown", true},
		{"/elsewhere", "Shown", true},
		{"/moved", "Quick", false},
		{"/refresh", "Quick", false},
	} {
		t.Run(row.path, func(t *testing.T) {
			s := tabOf(t, surfaces.Needs{}, Options{})
			r := must(t, s.Navigate(t.Context(), server.URL+row.path))
			if r.Data.Loading != row.loading || r.Data.Status != http.StatusOK {
				t.Errorf("data %+v", r.Data)
			}
			s.Settle(t.Context())
			screen := observe(t, s)
			if screen.Window != row.title {
				t.Fatalf("showing %q", screen.Window)
			}
			pick(t, screen, "button", "Go")
		})
	}
	t.Run("a document that never ends", func(t *testing.T) {
		s := tabOf(t, surfaces.Needs{}, Options{})
		s.driver.options.Timeout = 3 * time.Second // for this visit, which no time is enough for
		r := s.Navigate(t.Context(), server.URL+"/half")
		s.driver.options.Timeout = DefaultTimeout
		wants(t, r, fault.Timeout, surfaces.DeliveryUnknown)
	})
}
