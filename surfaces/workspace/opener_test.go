package workspace_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/surfacetest"
	"countersign/surfaces/workspace"
)

// driver makes Fakes and remembers what it was asked.
type driver struct {
	kind      surfaces.Side
	available surfaces.Availability
	made      []*surfacetest.Fake
	binding   *surfaces.Binding
	fails     error
	destroyed []surfaces.Binding
}

func (d *driver) Side(_ string, _ surfaces.Needs, b *surfaces.Binding, _ surfaces.Keeper) (workspace.Member, error) {
	if d.fails != nil {
		return nil, d.fails
	}
	f := surfacetest.New(d.kind)
	d.made, d.binding = append(d.made, f), b
	return f, nil
}

func (d *driver) Destroy(_ context.Context, b surfaces.Binding) error {
	d.destroyed = append(d.destroyed, b)
	return nil
}

func (d *driver) Available() surfaces.Availability { return d.available }

func drivers() (browser, desktop *driver, o workspace.Opener) {
	browser = &driver{kind: surfaces.Browser, available: surfaces.Availability{Kind: surfaces.Browser, Available: true}}
	desktop = &driver{kind: surfaces.Desktop, available: surfaces.Availability{Kind: surfaces.Desktop, Available: true}}
	return browser, desktop, workspace.Opener{Browser: browser, Desktop: desktop}
}

func TestOpenBuildsOnlyTheSidesAllowed(t *testing.T) {
	tests := []struct {
		name             string
		sides            []surfaces.Side
		browser, desktop int
	}{
		{"every one", nil, 1, 1},
		{"browser", []surfaces.Side{surfaces.Browser}, 1, 0},
		{"desktop", []surfaces.Side{surfaces.Desktop}, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			browser, desktop, o := drivers()
			bindings := []surfaces.Binding{{Side: surfaces.Browser, Driver: "test"}}
			if _, err := o.Open("t-1", surfaces.Needs{Sides: tt.sides}, bindings, nil); err != nil {
				t.Fatal(err)
			}
			if len(browser.made) != tt.browser || len(desktop.made) != tt.desktop {
				t.Errorf("made %d browsers and %d desktops, want %d and %d", len(browser.made), len(desktop.made), tt.browser, tt.desktop)
			}
			if tt.browser > 0 && (browser.binding == nil || desktop.binding != nil) {
				t.Error("the binding did not reach its side alone")
			}
		})
	}
}

func TestSF88UnavailableDesktopSaysWhy(t *testing.T) {
	_, desktop, o := drivers()
	desktop.available = surfaces.Availability{Kind: surfaces.Desktop, Reason: "there is no display", Hint: "Start the desk inside a graphical session."}
	p, err := o.Open("t-1", surfaces.Needs{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Launch(t.Context(), "Files")
	if r.Code() != fault.DesktopNotAvailable || !strings.Contains(r.Error.Message, "no display") || r.Error.Hint != desktop.available.Hint {
		t.Errorf("answered %+v", r.Error)
	}
	if r := p.Navigate(t.Context(), "https://shop.test/"); !r.OK {
		t.Errorf("the browser does not work: %v", r.Err())
	}
	if diff := cmp.Diff([]surfaces.Availability{{Kind: surfaces.Browser, Available: true}, desktop.available}, o.Available()); diff != "" {
		t.Errorf("available (-want +got):\n%s", diff)
	}
}

func TestOpenWithoutADesktopDriver(t *testing.T) {
	browser, _, _ := drivers()
	o := workspace.Opener{Browser: browser}
	p, err := o.Open("t-1", surfaces.Needs{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Launch(t.Context(), "Files"); r.Code() != fault.DesktopNotAvailable || p.Active() != surfaces.Browser {
		t.Errorf("answered %v with %s active", r.Err(), p.Active())
	}
	if got := o.Available()[1]; got.Available || got.Reason == "" || got.Hint == "" {
		t.Errorf("available %+v, want a reason and a hint", got)
	}
}

func TestOpenFailsWhole(t *testing.T) {
	browser, desktop, o := drivers()
	browser.fails = fault.New(fault.InvalidRequest, "no such profile")
	p, err := o.Open("t-1", surfaces.Needs{}, nil, nil)
	if p != nil || !errors.Is(err, browser.fails) {
		t.Errorf("gave %v, %v", p, err)
	}
	if _, r := desktop.made[0].Observe(t.Context(), "", "", surfaces.Full); r.Code() != fault.NoSuchSession {
		t.Error("the side made first was left connected")
	}
}

func TestDestroyGoesToTheDriver(t *testing.T) {
	browser, _, o := drivers()
	b := surfaces.Binding{Side: surfaces.Browser, Driver: "test"}
	if err := o.Destroy(t.Context(), b); err != nil || len(browser.destroyed) != 1 {
		t.Errorf("destroyed %v, %v", browser.destroyed, err)
	}
	if err := (workspace.Opener{}).Destroy(t.Context(), b); fault.CodeOf(err) != fault.Internal {
		t.Errorf("without a driver: %v", err)
	}
}
