package workspace_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/workspace"
)

// stub is a side that writes down what reached it, and does as it is told.
type stub struct {
	surfaces.Base
	name     surfaces.Side
	log      *[]string
	fails    *bool
	released int
}

func (s *stub) note(verb, app string) *surfaces.Reply {
	*s.log = append(*s.log, strings.TrimSpace(string(s.name)+" "+verb+" "+app))
	if *s.fails {
		return surfaces.Fail(verb, fault.Timeout, "as told")
	}
	return surfaces.Succeed(verb, surfaces.Data{})
}

func (s *stub) Observe(_ context.Context, app, _ string, _ surfaces.Depth) (*surfaces.Screen, *surfaces.Reply) {
	if r := s.note("observe", app); !r.OK {
		return nil, r
	}
	if app == "" {
		app = inFront(s.name)
	}
	return &surfaces.Screen{App: app, Side: s.name, Context: []string{string(s.name)}}, nil
}

// inFront is what a side shows when no program is named.
func inFront(side surfaces.Side) string {
	if side == surfaces.Browser {
		return "browser"
	}
	return "in front"
}

func (s *stub) Execute(_ context.Context, op surfaces.Op, _ *surfaces.Candidate, _ string) *surfaces.Reply {
	return s.note(string(op), "")
}

func (s *stub) ReadValue(context.Context, *surfaces.Candidate) (string, bool) {
	return string(s.name), s.note("read_value", "").OK
}

func (s *stub) Paste(_ context.Context, app string, _ *surfaces.Candidate, _ string) *surfaces.Reply {
	return s.note("paste", app)
}

func (s *stub) Press(_ context.Context, app, _ string) *surfaces.Reply {
	return s.note("press", app)
}

func (s *stub) Launch(_ context.Context, app string) *surfaces.Reply { return s.note("launch", app) }

func (s *stub) Navigate(context.Context, string) *surfaces.Reply { return s.note("navigate", "") }

func (s *stub) Back(_ context.Context, app string) *surfaces.Reply { return s.note("back", app) }
func (s *stub) DismissCover(context.Context, *surfaces.Candidate) *surfaces.Reply {
	return s.note("dismiss_cover", "")
}
func (s *stub) Settle(context.Context)                { s.note("settle", "") }
func (s *stub) SettleBriefly(context.Context)         { s.note("settle_briefly", "") }
func (s *stub) AwaitChange(context.Context, int) bool { return s.note("await_change", "").OK }
func (s *stub) Holding() bool                         { return s.released == 0 }
func (s *stub) Lost() <-chan struct{}                 { return nil }
func (s *stub) Reach() surfaces.Reach                 { return surfaces.Reach{} }
func (s *stub) Close() error                          { return nil }

func (s *stub) Release(context.Context) error {
	s.released++
	return nil
}

// verbs are all there are; what a script calls is named by its number.
func verbs() []string {
	return []string{
		"observe", "click", "read_value", "paste", "press", "launch", "navigate", "back", "dismiss_cover",
		"settle", "settle_briefly", "await_change", "visible_text", "photograph",
	}
}

func apps() []string {
	return []string{"", "browser", " Browser", "browser:shop", "https://shop.test/", "HTTP://shop.test/", "Files", "browserish notes", "httpd"}
}

// step is one call of a script: a byte for the verb, one for the program and
// whether the side fails. The first byte of a script says which sides there are.
type step struct {
	verb, app string
	fails     bool
}

func (s step) String() string { return fmt.Sprintf("%s(%q) fails=%v", s.verb, s.app, s.fails) }

func stepOf(script []byte) step {
	all, named := verbs(), apps()
	return step{all[int(script[0])%len(all)], named[int(script[1]>>1)%len(named)], script[1]&1 == 1}
}

// model is the table of surfaces.md section 6, written a second time: which
// side a verb reaches, and what is active and last named afterwards.
type model struct {
	active  surfaces.Side
	last    string
	present map[surfaces.Side]bool
}

func modelOf(sides byte) model {
	m := model{active: surfaces.Desktop, present: map[surfaces.Side]bool{surfaces.Desktop: sides&1 == 0, surfaces.Browser: sides&2 == 0}}
	if !m.present[surfaces.Desktop] && m.present[surfaces.Browser] {
		m.active = surfaces.Browser
	}
	return m
}

// named is the side of a program, in the words of the specification.
func (m *model) named(app string) surfaces.Side {
	switch app {
	case "":
		return m.active
	case "browser", " Browser", "browser:shop", "https://shop.test/", "HTTP://shop.test/":
		return surfaces.Browser
	default:
		return surfaces.Desktop
	}
}

// step gives what is written down for a call and the code it answers, if any.
func (m *model) step(s step) (reached string, code fault.Code) {
	to, app, verb := m.active, "", s.verb
	switch verb {
	case "navigate":
		to = surfaces.Browser
	case "observe", "paste", "press", "launch":
		to, app = m.named(s.app), s.app
	case "back":
		app = s.app
	case "visible_text":
		if m.last == "" {
			return "", ""
		}
		to, app, verb = m.named(m.last), m.last, "observe"
	}
	silent := map[string]bool{"read_value": true, "settle": true, "settle_briefly": true, "await_change": true, "visible_text": true}
	switch {
	case !m.present[to] && silent[s.verb]:
		return "", ""
	case !m.present[to] && to == surfaces.Browser:
		return "", fault.BrowserNotAvailable
	case !m.present[to]:
		return "", fault.DesktopNotAvailable
	case verb == "photograph":
		return "", fault.ActionNotSupported
	}
	reached = strings.TrimSpace(string(to) + " " + verb + " " + app)
	if s.fails {
		if silent[s.verb] {
			return reached, ""
		}
		return reached, fault.Timeout
	}
	switch s.verb {
	case "observe":
		if m.active, m.last = to, app; strings.TrimSpace(app) == "" {
			m.last = inFront(to)
		}
	case "launch":
		m.active, m.last = to, app
	case "navigate":
		m.active, m.last = surfaces.Browser, "browser"
	}
	return reached, ""
}

// call makes a step's call; answered is nil for a verb without a reply.
func call(ctx context.Context, w *workspace.Workspace, s step) (answered *surfaces.Reply) {
	switch s.verb {
	case "observe":
		_, answered = w.Observe(ctx, s.app, "", surfaces.Full)
	case "click":
		return w.Execute(ctx, surfaces.Click, nil, "")
	case "read_value":
		w.ReadValue(ctx, nil)
	case "paste":
		return w.Paste(ctx, s.app, nil, "")
	case "press":
		return w.Press(ctx, s.app, "return")
	case "launch":
		return w.Launch(ctx, s.app)
	case "navigate":
		return w.Navigate(ctx, "https://shop.test/")
	case "back":
		return w.Back(ctx, s.app)
	case "dismiss_cover":
		return w.DismissCover(ctx, nil)
	case "settle":
		w.Settle(ctx)
	case "settle_briefly":
		w.SettleBriefly(ctx)
	case "await_change":
		w.AwaitChange(ctx, 1)
	case "visible_text":
		w.VisibleText(ctx)
	case "photograph":
		_, answered = w.Photograph(ctx, surfaces.Hidden{})
	}
	return answered
}

// differs runs a script against a workspace and against the model, and says
// where they part; empty when they do not.
func differs(ctx context.Context, script []byte) string {
	if len(script) == 0 {
		return ""
	}
	var log []string
	fails := false
	sides := map[surfaces.Side]*stub{}
	m := modelOf(script[0])
	var desktop, browser workspace.Member
	for _, side := range []surfaces.Side{surfaces.Desktop, surfaces.Browser} {
		sides[side] = &stub{name: side, log: &log, fails: &fails}
	}
	if m.present[surfaces.Desktop] {
		desktop = sides[surfaces.Desktop]
	}
	if m.present[surfaces.Browser] {
		browser = sides[surfaces.Browser]
	}
	w := workspace.New(desktop, browser)
	for i := 1; i+1 < len(script); i += 2 {
		s := stepOf(script[i:])
		fails, log = s.fails, nil
		reached, code := m.step(s)
		r := call(ctx, w, s)
		got := fault.Code("")
		if r != nil {
			got = r.Code()
		}
		if strings.Join(log, ", ") != reached || got != code || w.Active() != m.active {
			return fmt.Sprintf("step %d reached %q, answered %q, active %s; want %q, %q, %s", i/2+1, log, got, w.Active(), reached, code, m.active)
		}
		if r != nil && !r.OK && (r.Command != s.verb || r.Error.Hint == "" || len(log) == 0 && r.Error.Delivery != surfaces.NotDelivered) {
			return fmt.Sprintf("step %d answered %s, %+v", i/2+1, r.Command, r.Error)
		}
	}
	for range 2 {
		if err := w.Release(ctx); err != nil || w.Holding() {
			return fmt.Sprintf("released: %v, still held: %v", err, w.Holding())
		}
	}
	for side, s := range sides {
		if m.present[side] != (s.released > 0) {
			return fmt.Sprintf("the %s was released %d times", side, s.released)
		}
	}
	return ""
}

// told is a script in words.
func told(script []byte) string {
	m := modelOf(script[0])
	lines := []string{fmt.Sprintf("desktop %v, browser %v", m.present[surfaces.Desktop], m.present[surfaces.Browser])}
	for i := 1; i+1 < len(script); i += 2 {
		lines = append(lines, stepOf(script[i:]).String())
	}
	return strings.Join(lines, "\n")
}

// shortest leaves out of a script every step without which it still differs.
func shortest(ctx context.Context, script []byte) []byte {
	for i := 1; i+1 < len(script); {
		less := append(append([]byte(nil), script[:i]...), script[i+2:]...)
		if differs(ctx, less) != "" {
			script, i = less, 1
			continue
		}
		i += 2
	}
	return script
}

// TestWorkspaceAgainstItsModel runs random scripts, with both sides, one, and
// none, and shows the shortest that goes wrong.
func TestWorkspaceAgainstItsModel(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		script := make([]byte, 1+2*rng.IntN(40))
		for i := range script {
			script[i] = byte(rng.Uint32())
		}
		if differs(t.Context(), script) != "" {
			script = shortest(t.Context(), script)
			t.Fatalf("seed %d: %s\n%s", seed, differs(t.Context(), script), told(script))
		}
	}
}

// FuzzWorkspace is the same for scripts that a fuzzer finds, and makes shorter.
func FuzzWorkspace(f *testing.F) {
	for sides := range byte(4) {
		for verb := range byte(len(verbs())) {
			// Observe a program, navigate, the verb with and without a name, look.
			f.Add([]byte{sides, 0, 12, 6, 0, verb, 0, verb, 12, verb, 13, 12, 0, 1, 0})
		}
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if wrong := differs(t.Context(), script); wrong != "" {
			t.Fatalf("%s\n%s", wrong, told(script))
		}
	})
}
