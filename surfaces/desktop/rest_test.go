package desktop

import (
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces/desktop/desktoptest"
)

// TestRestAsksNothing: while a side waits for a program to change, what it
// needs is told to it. Nothing is asked of the bus.
func TestRestAsksNothing(t *testing.T) {
	s, d := show(t, "form", desktoptest.Form)
	observe(t, s, "form")
	s.Settle(t.Context())
	b, err := connect(t.Context(), d.Env)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	calls := make(chan *dbus.Message, 1000)
	b.Eavesdrop(calls)
	rules := []string{"type='method_call',sender='" + opened(t, s).bus.Names()[0] + "'"}
	b.BusObject().Call("org.freedesktop.DBus.Monitoring.BecomeMonitor", dbus.FlagNoReplyExpected, rules, uint32(0))
	select {
	case <-calls: // it has lost its name, as a monitor does
	case <-time.After(patience):
		t.Fatal("the bus lets nobody watch it")
	}
	ours := func() (n int) {
		for {
			select {
			case m := <-calls:
				if m.Type == dbus.TypeMethodCall {
					n++
				}
			default:
				return n
			}
		}
	}
	ours()
	if s.AwaitChange(t.Context(), 1500) {
		t.Error("the form changed by itself")
	}
	if n := ours(); n > 0 {
		t.Errorf("%d questions while nothing was to be done", n)
	}
	observe(t, s, "form")
	if ours() == 0 {
		t.Error("the monitor sees no questions at all")
	}
}
