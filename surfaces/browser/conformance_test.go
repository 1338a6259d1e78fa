package browser

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/surfacetest"
)

func TestConformance(t *testing.T) {
	needBrowser(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(surfacetest.FormHTML))
	}))
	t.Cleanup(server.Close)
	surfacetest.Conformance(t, "browser", func(t *testing.T) surfaces.Surface {
		s := tabOf(t, surfaces.Needs{}, Options{})
		must(t, s.Navigate(t.Context(), server.URL))
		return s
	})
}

// A tab that crashes is gone like its browser.
func TestTabCrashes(t *testing.T) {
	s := show(t, counter)
	c := pick(t, observe(t, s), "button", "Press")
	go func() { _, _ = call(t.Context(), s.tab, page.Crash, cdp.Empty{}) }() // never answered: the page is gone
	<-s.Lost()
	if r := s.Execute(t.Context(), surfaces.Click, c, ""); r.Code() != fault.NoSuchSession {
		t.Errorf("answered %v", r.Err())
	}
}

// A tab that the person closes is gone too.
func TestTabIsClosed(t *testing.T) {
	s := show(t, counter)
	if _, err := cdp.Call(t.Context(), s.tab.browser, target.CloseTarget, target.CloseTargetParams{TargetID: s.tab.session.TargetID}); err != nil {
		t.Fatal(err)
	}
	<-s.Lost()
	if _, r := s.Observe(t.Context(), "", "", surfaces.Full); r.Code() != fault.NoSuchSession {
		t.Errorf("answered %v", r.Err())
	}
}
