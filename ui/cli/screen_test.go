package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/hinshun/vt10x"
)

// screen is the desk at a pseudo-terminal whose screen is drawn here, so that a
// test sees what a person sees.
type screen struct {
	*terminal
	vt   vt10x.Terminal
	read int // bytes of the output drawn so far
}

func (h *home) screen(cols, rows int, args ...string) *screen {
	h.t.Helper()
	return &screen{terminal: h.terminal(cols, rows, args...), vt: vt10x.New(vt10x.WithSize(cols, rows))}
}

// now draws what came since the last call and returns the rows shown.
func (s *screen) now() string {
	all := s.shown()
	_, _ = s.vt.Write([]byte(all[s.read:]))
	s.read = len(all)
	return s.vt.String()
}

// until waits for a screen that want accepts, and returns it.
func (s *screen) until(what string, want func(shown string) bool) string {
	s.t.Helper()
	deadline := time.After(patience)
	for {
		shown := s.now()
		if want(shown) {
			return shown
		}
		select {
		case <-s.more:
		case <-s.done:
			s.t.Fatalf("ended before %s; shown:\n%s", what, shown)
		case <-deadline:
			s.t.Fatalf("no %s; shown:\n%s", what, shown)
		}
	}
}

func (s *screen) has(text string) string {
	s.t.Helper()
	return s.until(text, func(shown string) bool { return strings.Contains(shown, text) })
}

// TestDemoAnsweredAtTheDesk is the main job: five tasks, each answered at the
// keyboard, with one visit to the wall's address.
func TestDemoAnsweredAtTheDesk(t *testing.T) {
	needBrowser(t)
	h := newHome(t)
	s := h.screen(140, 50, "demo")
	s.until("the five tasks in their waits", func(shown string) bool {
		return strings.Contains(shown, "2 BY HAND") && strings.Contains(shown, "1 DECIDE") &&
			strings.Contains(shown, "1 TYPE") && strings.Contains(shown, "✓ done")
	})
	s.givesPhone()
	s.answers("Write to Mira", "sign")
	s.passesTheWall()
	s.goTo("Order the cheapest cargo bike")
	s.has("READY")
	s.send("p")
	s.has("p again")
	s.send("p")
	s.until("end of the card", func(shown string) bool { return !strings.Contains(shown, "READY") })
	s.has("◆ 1 DECIDE") // the last wait there will be
	s.answers("Join the Fernwood library", "sign")
	s.until("all five ended", func(shown string) bool {
		return strings.Count(shown, "✓ done") >= 4 && !strings.Contains(shown, "DECIDE")
	})
	s.send("q")
	if code := s.exit(); code != ExitDone {
		t.Errorf("exit %d, want 0\n%s", code, s.now())
	}
	if left := browsersBelow(h.state()); len(left) > 0 {
		t.Errorf("browsers %v still run", left)
	}
}

// goTo puts the card of that task on the screen: space goes from wait to wait.
func (s *screen) goTo(title string) string {
	s.t.Helper()
	for range 8 {
		if strings.Contains(s.now(), "leave it") {
			s.send("\x1b") // alone: with the next key it would be that key with alt
			s.has("next wait")
		}
		s.send(" ")
		shown := s.has("leave it")
		if strings.Contains(inspected(shown), title) {
			return shown
		}
	}
	s.t.Fatalf("no wait of %q; shown:\n%s", title, s.now())
	return ""
}

// inspected is the row that names the selected task.
func inspected(shown string) string {
	for _, row := range strings.Split(shown, "\n") {
		if strings.Contains(row, "countersign") && strings.Contains(row, "│") {
			_, right, _ := strings.Cut(row, "│")
			return right
		}
	}
	return ""
}

// types types key by key, as a person does: what arrives at once is a paste.
func (s *screen) types(text string) {
	s.t.Helper()
	for i := range text {
		s.send(text[i : i+1])
		s.until("typed "+text[:i+1], func(shown string) bool { return inField(shown, text[:i+1]) })
	}
}

// inField reports whether the field that is typed into holds text.
func inField(shown, text string) bool {
	for _, row := range strings.Split(shown, "\n") {
		if _, field, ok := strings.Cut(row, "›"); ok && strings.HasPrefix(strings.TrimSpace(row), "›") && strings.Contains(field, text) {
			return true
		}
	}
	return false
}

func (s *screen) answers(title, word string) {
	s.t.Helper()
	s.goTo(title)
	s.has("READY")
	s.types(word)
	s.send("\r")
	s.until("end of the card", func(shown string) bool { return !strings.Contains(shown, "READY") })
}

func (s *screen) givesPhone() {
	s.t.Helper()
	s.goTo("Join the Fernwood library")
	s.types("+4520304050")
	s.send("\r")
	s.until("the value taken", func(shown string) bool { return !strings.Contains(shown, "VALUES") })
}

func (s *screen) passesTheWall() {
	s.t.Helper()
	s.goTo("Find seats")
	(&demo{t: s.t}).get(wallAddress(s.t, s.has("/pass?")))
	for range 5 { // the wall's page asks its server every so often
		s.goTo("Find seats")
		s.has("READY")
		s.types("done")
		s.send("\r")
		shown := s.until("what the look said", func(shown string) bool {
			return strings.Contains(shown, "still there") || strings.Contains(shown, "going on")
		})
		if strings.Contains(shown, "going on") {
			return
		}
	}
	s.t.Fatalf("the wall stays:\n%s", s.now())
}

// exit waits for the desk's own end.
func (s *screen) exit() int {
	s.t.Helper()
	select {
	case <-s.done:
	case <-time.After(patience):
		s.t.Fatalf("did not end; shown:\n%s", s.now())
	}
	return s.cmd.ProcessState.ExitCode()
}
