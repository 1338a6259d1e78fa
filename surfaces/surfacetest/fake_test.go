package surfacetest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/origin"
	"countersign/surfaces/surfacetest"
)

func TestSF06SF07FakeConforms(t *testing.T) {
	surfacetest.Conformance(t, "browser", func(*testing.T) surfaces.Surface { return surfacetest.NewForm() })
}

// shop has a page that opens a dialog, one that alerts, and a link between.
func shop() *surfacetest.Fake {
	f := surfacetest.New(surfaces.Browser)
	f.Serve("https://shop.test/", func() *surfacetest.Page {
		deaf := surfacetest.Field("Search")
		deaf.Deaf = true
		hidden := surfacetest.Button("Buy", nil)
		hidden.EmptyLayer = true
		return &surfacetest.Page{Title: "Shop", Elements: surfacetest.All(
			[]*surfacetest.Element{
				deaf, hidden, surfacetest.Mail("private words"),
				surfacetest.Link("Cart", "cart?from=top"),
				surfacetest.Button("Join", func(a *surfacetest.App) {
					a.Open(&surfacetest.Layer{Name: "News", Elements: []*surfacetest.Element{surfacetest.Button("No thanks", nil)}})
				}),
				surfacetest.Button("Delete", func(a *surfacetest.App) {
					a.Alert("Really?", func(a *surfacetest.App) { a.Remove("Cart") }, nil)
				}),
				surfacetest.Button("Load", func(a *surfacetest.App) {
					a.Later(300*time.Millisecond, func(a *surfacetest.App) { a.Add(surfacetest.Text("loaded")) })
				}),
			},
			surfacetest.In(`list "Far"`, surfacetest.Button("Deep", nil)),
		), Cut: []string{`list "Far"`}}
	})
	f.Serve("https://shop.test/cart", func() *surfacetest.Page { return &surfacetest.Page{Title: "Cart"} })
	return f
}

func look(t *testing.T, f *surfacetest.Fake) *surfaces.Screen {
	t.Helper()
	s, r := f.Observe(t.Context(), "", "", surfaces.Full)
	if r != nil {
		t.Fatal(r.Err())
	}
	return s
}

func named(t *testing.T, s *surfaces.Screen, name string) *surfaces.Candidate {
	t.Helper()
	for i := range s.Candidates {
		if s.Candidates[i].Name == name {
			return &s.Candidates[i]
		}
	}
	t.Fatalf("no control %q", name)
	return nil
}

func click(t *testing.T, f *surfacetest.Fake, name string) *surfaces.Reply {
	t.Helper()
	return f.Execute(t.Context(), surfaces.Click, named(t, look(t, f), name), "")
}

func open(t *testing.T, f *surfacetest.Fake, address string) {
	t.Helper()
	if err := f.Navigate(t.Context(), address).Err(); err != nil {
		t.Fatal(err)
	}
}

func TestLinksHistoryAndUnknownPages(t *testing.T) {
	f := shop()
	open(t, f, "shop.test/")
	if r := click(t, f, "Cart"); r.Data.URL != "https://shop.test/cart?from=top" || r.Data.Status != 200 {
		t.Errorf("the link led to %+v", r.Data)
	}
	if r := f.Back(t.Context(), ""); r.Data.URL != "https://shop.test/" {
		t.Errorf("back led to %+v", r.Data)
	}
	if r := f.Navigate(t.Context(), "https://nowhere.test/"); !r.OK || r.Data.Status != 404 {
		t.Errorf("an unknown page answered %+v", r.Data)
	}
	l, err := origin.Parse([]string{"https://shop.test"})
	if err != nil {
		t.Fatal(err)
	}
	f.Allow(l)
	if r := f.Navigate(t.Context(), "https://evil.test/"); r.Code() != fault.PolicyDenied {
		t.Errorf("another site answered %v", r.Err())
	}
}

func TestLayersCoverAndEscapes(t *testing.T) {
	f := shop()
	open(t, f, "https://shop.test/")
	click(t, f, "Join")
	s := look(t, f)
	if s.Surface != surfaces.FrontSheet || named(t, s, "No thanks").Path[0] != `dialog "News"` {
		t.Errorf("the dialog reads as %q, %v", s.Surface, named(t, s, "No thanks").Path)
	}
	if r := f.Execute(t.Context(), surfaces.Click, named(t, s, "Cart"), ""); r.Code() != fault.NotActionable || r.Error.Details.Cover != `dialog "News"` {
		t.Errorf("clicking beneath it answered %v", r.Err())
	}
	f.Press(t.Context(), "", "escape")
	if s := look(t, f); s.Surface != surfaces.FrontWindow {
		t.Errorf("escape left %q in front", s.Surface)
	}
	buy := named(t, look(t, f), "Buy")
	if r := f.Execute(t.Context(), surfaces.Click, buy, ""); !r.Error.Details.EmptyLayer {
		t.Errorf("the bare backdrop answered %+v", r.Error)
	}
	if r := f.DismissCover(t.Context(), buy); !r.OK || r.Data.Dismissed == nil || !click(t, f, "Buy").OK {
		t.Errorf("the backdrop was not lifted: %v", r.Err())
	}
}

func TestScriptDialogStopsAllElse(t *testing.T) {
	f := shop()
	open(t, f, "https://shop.test/")
	cart := named(t, look(t, f), "Cart")
	click(t, f, "Delete")
	s := look(t, f)
	if s.Surface != surfaces.FrontAlert || s.Context[0] != "Really?" {
		t.Errorf("read %q, %q", s.Surface, s.Context)
	}
	if r := f.Execute(t.Context(), surfaces.Click, cart, ""); r.Code() != fault.NotActionable {
		t.Errorf("another click answered %v", r.Err())
	}
	click(t, f, "OK")
	f.Do(func(a *surfacetest.App) {
		if a.Find("Cart") != nil {
			t.Error("OK did nothing")
		}
	})
}

func TestDeafFieldTakesOnlyPaste(t *testing.T) {
	f := shop()
	open(t, f, "https://shop.test/")
	field := named(t, look(t, f), "Search")
	f.Execute(t.Context(), surfaces.TypeText, field, "pens")
	if got, _ := f.ReadValue(t.Context(), field); got != "" {
		t.Errorf("a plain set left %q", got)
	}
	f.Paste(t.Context(), "", field, "pens")
	if got, ok := f.ReadValue(t.Context(), field); !ok || got != "pens" {
		t.Errorf("a paste left %q, %v", got, ok)
	}
}

func TestSettleWaitsForWhatWasAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := shop()
		open(t, f, "https://shop.test/")
		start := time.Now()
		f.Settle(t.Context())
		if took := time.Since(start); took != 0 {
			t.Errorf("settling a still page took %v", took)
		}
		click(t, f, "Load")
		f.Settle(t.Context())
		if took := time.Since(start); took != 300*time.Millisecond {
			t.Errorf("settling took %v, want 300ms", took)
		}
		if f.AwaitChange(t.Context(), 1000) || time.Since(start) != 1300*time.Millisecond {
			t.Error("a still page changed")
		}
	})
}

func TestCutPartsAreReadAsRoot(t *testing.T) {
	f := shop()
	open(t, f, "https://shop.test/")
	s := look(t, f)
	if len(s.Unexplored) != 1 {
		t.Fatalf("unexplored %v, want one", s.Unexplored)
	}
	part, r := f.Observe(t.Context(), "", s.Unexplored[0], surfaces.Full)
	if r != nil || len(part.Candidates) != 1 || part.Candidates[0].Name != "Deep" {
		t.Errorf("the part holds %+v (%v)", part, r.Err())
	}
	for _, line := range s.Context {
		if line == "private words" {
			t.Error("SF-16 field content became context")
		}
	}
}

func TestFailuresActsAndEnds(t *testing.T) {
	f := shop()
	open(t, f, "https://shop.test/")
	f.FailNext("click", surfaces.Fail("click", fault.Timeout, "slow"))
	if r := click(t, f, "Join"); r.Code() != fault.Timeout {
		t.Errorf("answered %v", r.Err())
	}
	if r := click(t, f, "Join"); !r.OK || f.Count("click", `button "Join"`) != 1 || f.Count("navigate", "") != 1 {
		t.Errorf("acts %+v", f.Acts())
	}
	f.Die()
	f.Die()
	<-f.Lost()
	if _, r := f.Observe(t.Context(), "", "", surfaces.Full); r.Code() != fault.NoSuchSession {
		t.Errorf("a dead one answered %v", r.Err())
	}
	if f.Holding() || f.Reach() != (surfaces.Reach{}) {
		t.Error("a dead one is held")
	}
}

func TestDesktopSide(t *testing.T) {
	f := surfacetest.New(surfaces.Desktop)
	f.Serve("Files", func() *surfacetest.Page { return &surfacetest.Page{Title: "Home"} })
	if r := f.Launch(t.Context(), "Mail"); r.Code() != fault.AppNotFound {
		t.Errorf("answered %v", r.Err())
	}
	if r := f.Launch(t.Context(), "Files"); !r.OK {
		t.Error(r.Err())
	}
	if r := f.Navigate(t.Context(), "https://shop.test"); r.Code() != fault.ActionNotSupported {
		t.Errorf("answered %v", r.Err())
	}
	if s := look(t, f); s.Window != "Home" || s.Address != "" {
		t.Errorf("read %+v", s)
	}
}
