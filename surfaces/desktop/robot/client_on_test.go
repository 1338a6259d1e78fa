//go:build linux && !nodesktop

package robot

import (
	"bytes"
	"context"
	"image/png"
	"strings"
	"testing"
	"time"

	"countersign/surfaces/fault"
)

// robotOn gives a client on a display of its own, that display's name, and what
// ends it.
func robotOn(t *testing.T) (*Client, string, func()) {
	t.Helper()
	name, kill := xvfb(t, "640x480x24")
	c, d, err := Open(t.Context(), Options{Executable: self(t), Env: []string{"DISPLAY=" + name}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if d.Width != 640 || d.Height != 480 {
		t.Errorf("display %+v", d)
	}
	return c, name, kill
}

func TestCapture(t *testing.T) {
	c, _, _ := robotOn(t)
	for _, tt := range []struct {
		r             Request
		width, height int
	}{
		{Request{Op: Capture}, 640, 480},
		{Request{Op: Capture, X: 10, Y: 20, Width: 30, Height: 40}, 30, 40},
	} {
		r, err := c.Do(t.Context(), tt.r)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(r.PNG))
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); size.X != tt.width || size.Y != tt.height {
			t.Errorf("a picture of %v, want %dx%d", size, tt.width, tt.height)
		}
	}
}

// TestRefusals: what cannot be done is refused whole, with nothing sent.
func TestRefusals(t *testing.T) {
	c, display, _ := robotOn(t)
	own, w := &Own{}, uint32(target(t, display, true).window)
	for _, tt := range []struct {
		r    Request
		want fault.Code
	}{
		{Request{Op: Type, Text: "Grüße 中", Own: own, Window: w}, fault.InvalidArgs},
		{Request{Op: Key, Keys: []string{"hyper", "a"}, Own: own, Window: w}, fault.InvalidArgs},
		{Request{Op: Key, Own: own, Window: w}, fault.InvalidArgs},
		{Request{Op: Click, Button: "fourth", Own: own, Window: w}, fault.InvalidArgs},
		{Request{Op: Paste, Text: strings.Repeat("a", mostText+1), Keys: []string{"ctrl", "v"}, Own: own, Window: w}, fault.InvalidArgs},
		{Request{Op: Key, Keys: []string{"a"}, Window: w}, fault.InvalidArgs}, // it was not said what is out of reach
		{Request{Op: Key, Keys: []string{"a"}, Own: own}, fault.InvalidArgs},  // nor which window is meant
		{Request{Op: "fly", Own: own}, fault.InvalidArgs},
	} {
		if r, err := c.Do(t.Context(), tt.r); fault.CodeOf(err) != tt.want || r.Sent {
			t.Errorf("%+v answered %v, want %s", tt.r, err, tt.want)
		}
	}
	for _, r := range []Request{
		{Op: Move, X: 5, Y: 5, Own: own, Window: w},
		{Op: Drag, X: 5, Y: 5, ToX: 90, ToY: 90, Own: own, Window: w},
		{Op: Scroll, X: 5, Y: 5, DY: 2, Own: own, Window: w},
		{Op: Type, Text: "Hello, World! 1+1=2\n", Own: own, Window: w},
	} {
		if _, err := c.Do(t.Context(), r); err != nil {
			t.Errorf("%s: %v", r.Op, err)
		}
	}
}

func TestDisplayGoesAway(t *testing.T) {
	c, _, kill := robotOn(t)
	kill()
	select {
	case <-c.Lost():
	case <-time.After(time.Minute):
		t.Fatal("nobody says that the display is gone")
	}
	if _, err := c.Do(t.Context(), Request{Op: Windows}); fault.CodeOf(err) != fault.NoSuchSession {
		t.Errorf("answered %v", err)
	}
}

func TestNoDisplayNoClient(t *testing.T) {
	if _, _, err := Open(t.Context(), Options{Executable: self(t), Env: []string{"DISPLAY=:9931"}}); fault.CodeOf(err) != fault.DesktopNotAvailable {
		t.Errorf("answered %v", err)
	}
}

// TestCancelledRequest: the process is ended over it, and another one serves.
func TestCancelledRequest(t *testing.T) {
	c, display, _ := robotOn(t)
	w := target(t, display, true)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := c.Do(ctx, Request{Op: Type, Text: strings.Repeat("a", 5000), Own: &Own{}, Window: uint32(w.window)}); fault.CodeOf(err) != fault.Timeout {
		t.Errorf("answered %v", err)
	}
	if _, err := c.Do(t.Context(), Request{Op: Windows}); err != nil {
		t.Error(err)
	}
}
