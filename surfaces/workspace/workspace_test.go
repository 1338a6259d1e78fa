package workspace_test

import (
	"context"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"countersign/surfaces"
	"countersign/surfaces/surfacetest"
	"countersign/surfaces/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// side is a Fake that writes down which verbs reached it.
type side struct {
	*surfacetest.Fake
	name string
	log  *[]string
}

func newSide(kind surfaces.Side, log *[]string) *side {
	f := surfacetest.New(kind)
	f.Serve("https://shop.test/", func() *surfacetest.Page {
		field := surfacetest.Field("Address")
		field.Value = strings.Repeat("ä", 200)
		return &surfacetest.Page{Title: "Shop", Elements: []*surfacetest.Element{
			surfacetest.Text("Welcome"), field, surfacetest.Button("Buy", nil), surfacetest.Field("Note"),
		}}
	})
	for _, app := range []string{"Files", "Mail", "browserish"} {
		f.Serve(app, func() *surfacetest.Page { return &surfacetest.Page{Title: app} })
	}
	return &side{Fake: f, name: string(kind), log: log}
}

func (s *side) note(verb string) { *s.log = append(*s.log, s.name+" "+verb) }

func (s *side) Observe(ctx context.Context, app, root string, d surfaces.Depth) (*surfaces.Screen, *surfaces.Reply) {
	s.note("observe")
	return s.Fake.Observe(ctx, app, root, d)
}

func (s *side) Execute(ctx context.Context, op surfaces.Op, c *surfaces.Candidate, text string) *surfaces.Reply {
	s.note("execute")
	return s.Fake.Execute(ctx, op, c, text)
}

func (s *side) ReadValue(ctx context.Context, c *surfaces.Candidate) (string, bool) {
	s.note("read_value")
	return s.Fake.ReadValue(ctx, c)
}

func (s *side) Paste(ctx context.Context, app string, c *surfaces.Candidate, text string) *surfaces.Reply {
	s.note("paste")
	return s.Fake.Paste(ctx, app, c, text)
}

func (s *side) Press(ctx context.Context, app, combo string) *surfaces.Reply {
	s.note("press")
	return s.Fake.Press(ctx, app, combo)
}

func (s *side) Launch(ctx context.Context, app string) *surfaces.Reply {
	s.note("launch")
	return s.Fake.Launch(ctx, app)
}

func (s *side) Navigate(ctx context.Context, url string) *surfaces.Reply {
	s.note("navigate")
	return s.Fake.Navigate(ctx, url)
}

func (s *side) Back(ctx context.Context, app string) *surfaces.Reply {
	s.note("back")
	return s.Fake.Back(ctx, app)
}

func (s *side) DismissCover(ctx context.Context, c *surfaces.Candidate) *surfaces.Reply {
	s.note("dismiss_cover")
	return s.Fake.DismissCover(ctx, c)
}

func (s *side) Settle(ctx context.Context)        { s.note("settle") }
func (s *side) SettleBriefly(ctx context.Context) { s.note("settle_briefly") }
func (s *side) AwaitChange(context.Context, int) bool {
	s.note("await_change")
	return true
}

// both is a workspace of two sides and the log of what reached them.
func both() (w *workspace.Workspace, desktop, browser *side, log *[]string) {
	log = &[]string{}
	desktop, browser = newSide(surfaces.Desktop, log), newSide(surfaces.Browser, log)
	return workspace.New(desktop, browser), desktop, browser, log
}

func last(log *[]string) string {
	if len(*log) == 0 {
		return ""
	}
	return (*log)[len(*log)-1]
}

func TestLostIsToldOnceAndEndsWithRelease(t *testing.T) {
	w, desktop, browser, _ := both()
	lost := w.Lost()
	browser.Die()
	if got := <-lost; got != surfaces.Browser {
		t.Errorf("lost %q, want the browser", got)
	}
	select {
	case s := <-w.Lost():
		t.Errorf("lost %q a second time", s)
	default:
	}
	for range 2 {
		if err := w.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if !desktop.Released() || !browser.Released() {
		t.Error("a side was not given back")
	}
	desktop.Die()
	select {
	case s := <-lost:
		t.Errorf("lost %q after the release", s)
	default:
	}
}

func TestCloseKeepsTheSides(t *testing.T) {
	w, _, browser, _ := both()
	w.Navigate(t.Context(), "https://shop.test/")
	if !w.Holding() || w.Reach().Address != "https://shop.test/" {
		t.Errorf("holding %v, reach %+v", w.Holding(), w.Reach())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if browser.Released() {
		t.Error("closing the connection released the browser")
	}
}
