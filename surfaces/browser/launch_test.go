package browser

import (
	"context"
	"os"
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// launched makes a driver that starts browsers of its own.
func launched(t *testing.T, o Options) *Driver {
	t.Helper()
	needBrowser(t)
	if o.StateDir == "" {
		o.StateDir = folder(t)
	}
	return NewDriver(o)
}

func open(t *testing.T, d *Driver, needs surfaces.Needs, b *surfaces.Binding, keep *keeper) *Side {
	t.Helper()
	s, err := d.side("w-1", needs, b, keep)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Release(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestBindingIsWrittenInTwoParts(t *testing.T) {
	keep := &keeper{}
	d := launched(t, Options{})
	s := open(t, d, surfaces.Needs{}, nil, keep)
	must(t, s.Launch(t.Context(), "browser"))
	if len(keep.all) != 2 {
		t.Fatalf("%d bindings were written, want 2", len(keep.all))
	}
	first, _ := decode(keep.all[0])
	second, _ := decode(keep.all[1])
	if first.Profile == "" || first.Process.PID != 0 || first.DevTools != "" {
		t.Errorf("the first part is %+v, want a folder alone", first)
	}
	if second.Profile != first.Profile || !second.Process.Alive() || second.DevTools == "" || second.Target == "" {
		t.Errorf("the second part is %+v", second)
	}
	if err := s.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if second.Process.Alive() {
		t.Error("the browser lives on after Release")
	}
	if _, err := os.Stat(first.Profile); !os.IsNotExist(err) {
		t.Errorf("the temporary folder is still there: %v", err)
	}
	if keep.last != nil {
		t.Error("the binding is still kept")
	}
}

// The connection is cut as a kill -9 cuts it: nothing of the first driver is
// told, and a second one knows the binding alone.
func TestReconnectFindsTheSamePage(t *testing.T) {
	server := serve(t, map[string]string{"": `<button onclick="this.textContent='Pressed '+(++window.n)">Press</button><script>window.n=41</script>`})
	keep := &keeper{}
	dir := folder(t)
	first := open(t, launched(t, Options{StateDir: dir}), surfaces.Needs{}, nil, keep)
	must(t, first.Navigate(t.Context(), server.URL))
	old := pick(t, observe(t, first), "button", "Press")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := open(t, launched(t, Options{StateDir: dir}), surfaces.Needs{}, keep.last, keep)
	if !second.Holding() {
		t.Error("a side with a binding holds nothing")
	}
	if r := second.Execute(t.Context(), surfaces.Click, old, ""); r.Code() != fault.StaleRef {
		t.Errorf("a ref of the former process: %v, want STALE_REF", r.Code())
	}
	screen := observe(t, second)
	must(t, second.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", "Press"), ""))
	pick(t, observe(t, second), "button", "Pressed 42")
}
