package workspace_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/workspace"
)

func TestSF17A83BrowserOnly(t *testing.T) {
	log := &[]string{}
	w := workspace.New(nil, newSide(surfaces.Browser, log))
	replies := []*surfaces.Reply{w.Launch(t.Context(), "Files"), w.Press(t.Context(), "Files", "return"), w.Paste(t.Context(), "Files", nil, "x")}
	if _, r := w.Observe(t.Context(), "Files", "", surfaces.Full); r != nil {
		replies = append(replies, r)
	}
	var commands []string
	for _, r := range replies {
		commands = append(commands, r.Command)
		if r.Code() != fault.DesktopNotAvailable || r.Error.Delivery != surfaces.NotDelivered || r.Error.Hint == "" {
			t.Errorf("%s answered %+v, want DESKTOP_NOT_AVAILABLE", r.Command, r.Error)
		}
	}
	if want := []string{"launch", "press", "paste", "observe"}; !slices.Equal(commands, want) {
		t.Errorf("commands %v, want %v", commands, want)
	}
	if w.Active() != surfaces.Browser || len(*log) != 0 {
		t.Errorf("active %s, the browser was used for %v", w.Active(), *log)
	}
}

func TestSF18DesktopOnly(t *testing.T) {
	log := &[]string{}
	w := workspace.New(newSide(surfaces.Desktop, log), nil)
	if r := w.Navigate(t.Context(), "https://shop.test/"); r.Code() != fault.BrowserNotAvailable || r.Command != "navigate" {
		t.Errorf("answered %+v", r)
	}
	if w.Active() != surfaces.Desktop || len(*log) != 0 || w.Reach() != (surfaces.Reach{}) {
		t.Errorf("active %s, the desktop was used for %v", w.Active(), *log)
	}
}

func TestSF19SideFor(t *testing.T) {
	tests := map[string]surfaces.Side{
		"browser": surfaces.Browser, " Browser ": surfaces.Browser, "browser:shop": surfaces.Browser,
		"https://a.example": surfaces.Browser, "HTTP://a.example": surfaces.Browser,
		"browserish": surfaces.Desktop, "browserish notes": surfaces.Desktop, "Mail": surfaces.Desktop, "httpd": surfaces.Desktop, "": surfaces.Desktop,
	}
	for app, want := range tests {
		if got := workspace.SideFor(app); got != want {
			t.Errorf("SideFor(%q) = %s, want %s", app, got, want)
		}
	}
}

func TestSF20FirstActiveSide(t *testing.T) {
	log := &[]string{}
	d, b := newSide(surfaces.Desktop, log), newSide(surfaces.Browser, log)
	for _, tt := range []struct {
		w    *workspace.Workspace
		want surfaces.Side
	}{{workspace.New(d, b), surfaces.Desktop}, {workspace.New(d, nil), surfaces.Desktop}, {workspace.New(nil, b), surfaces.Browser}, {workspace.New(nil, nil), surfaces.Desktop}} {
		if got := tt.w.Active(); got != tt.want {
			t.Errorf("active %s, want %s", got, tt.want)
		}
	}
}

func TestSF21A90FailedNavigateChangesNothing(t *testing.T) {
	w, _, browser, log := both()
	browser.FailNext("navigate", surfaces.Fail("navigate", fault.BrowserUnavailable, "no browser"))
	w.Navigate(t.Context(), "https://shop.test/")
	w.Execute(t.Context(), surfaces.Scroll, nil, "")
	if last(log) != "desktop execute" {
		t.Errorf("the act reached %q", last(log))
	}
	if w.Navigate(t.Context(), "https://shop.test/"); w.Active() != surfaces.Browser {
		t.Error("a navigate that went well left the desktop active")
	}
}

func TestSF22PressLeavesTheActiveSide(t *testing.T) {
	w, _, _, log := both()
	if _, r := w.Observe(t.Context(), "Files", "", surfaces.Full); r != nil {
		t.Fatal(r.Err())
	}
	w.Press(t.Context(), "browser", "return")
	if last(log) != "browser press" {
		t.Errorf("the press reached %q", last(log))
	}
	w.Execute(t.Context(), surfaces.Scroll, nil, "")
	if last(log) != "desktop execute" {
		t.Errorf("the act reached %q", last(log))
	}
}

func TestSF23BackOnTheDesktopRefuses(t *testing.T) {
	w, _, _, _ := both()
	w.Navigate(t.Context(), "https://shop.test/")
	w.Launch(t.Context(), "Files")
	if r := w.Back(t.Context(), "browser"); r.Code() != fault.ActionNotSupported {
		t.Errorf("back answered %v", r.Err())
	}
	if r := w.DismissCover(t.Context(), nil); r.Code() != fault.ActionNotSupported {
		t.Errorf("dismiss_cover answered %v", r.Err())
	}
}

func TestSF24NeitherSide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := workspace.New(nil, nil)
		start := time.Now()
		w.Settle(t.Context())
		w.SettleBriefly(t.Context())
		if w.AwaitChange(t.Context(), 1000) || time.Since(start) != 0 {
			t.Error("with no side something was waited for")
		}
		if r := w.Execute(t.Context(), surfaces.Click, nil, ""); r.Code() != fault.DesktopNotAvailable || r.Command != "click" {
			t.Errorf("an act answered %+v", r)
		}
		if _, ok := w.ReadValue(t.Context(), nil); ok || w.Holding() {
			t.Error("there is something to read or to hold")
		}
	})
}
