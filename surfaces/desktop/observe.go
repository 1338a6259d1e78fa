package desktop

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// readWithin bounds one reading. A program that hangs is found out long before;
// one with 7,500 objects took 7 s with 35 processes waiting for two cores.
const readWithin = 20 * time.Second

// handle is what a ref of the latest reading stands for.
type handle struct {
	*node
	word    string
	name    string // as the program gave it, to know the control again
	window  accessible
	covered string
	combo   *node   // of a choice
	told    []*node // what says which control it is, beside its own name
}

// reading is the latest look of a side: its refs work until the next.
type reading struct {
	number  int
	program program
	app     string // as it was asked for
	window  accessible
	refs    map[string]*handle
}

// Observe reads the window of app that is in front, or the part under a ref of
// the latest reading. An empty app is the one last read, else the active one.
func (s *Side) Observe(ctx context.Context, app, root string, depth surfaces.Depth) (*surfaces.Screen, *surfaces.Reply) {
	const command = "observe"
	var screen *surfaces.Screen
	r := s.act(ctx, command, func(ctx context.Context, l *link) *surfaces.Reply {
		ctx, cancel := context.WithTimeout(ctx, readWithin)
		defer cancel()
		got, err := s.observe(ctx, l, strings.TrimSpace(app), root, depth)
		if err != nil {
			return unsent(failed(command, err))
		}
		screen = got
		return surfaces.Succeed(command, surfaces.Data{})
	})
	if !r.OK {
		return nil, r
	}
	return screen, nil
}

func (s *Side) observe(ctx context.Context, l *link, app, root string, depth surfaces.Depth) (*surfaces.Screen, error) {
	l.events.mark() // what comes from here on may not be in the reading
	if root != "" {
		return s.observePart(ctx, l, app, root)
	}
	p, err := s.find(ctx, l, app)
	if err != nil {
		return nil, err
	}
	if app == "" {
		app = p.name
	}
	deep := fullDepth
	if depth == surfaces.Skeleton {
		deep = skeletonDepth
	}
	screen, err := s.read(ctx, l, p, app, deep)
	if absent(err) { // a window that went under the reading
		screen, err = s.read(ctx, l, p, app, skeletonDepth)
	}
	return screen, err
}

func (s *Side) read(ctx context.Context, l *link, p program, app string, depth int) (*surfaces.Screen, error) {
	l.events.follow(p.at.Bus)
	w := &walk{bus: l.bus, depth: depth}
	windows, err := w.windows(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(windows) == 0 {
		return nil, fault.Newf(fault.AppNotFound, "%s shows no window", app)
	}
	window, err := s.inFront(ctx, l, p, windows)
	if err != nil {
		return nil, err
	}
	w.cache = l.bus.sweep(ctx, p.at.Bus)
	w.below(ctx, window)
	if len(window.children) == 0 && ctx.Err() != nil {
		return nil, errUnanswered
	}
	top := overlay(window)
	c := &composer{walk: w}
	c.collect(top)
	c.detail(ctx)
	c.hide()
	c.arrange(top)
	c.beside()
	s.reading = reading{number: s.reading.number + 1, program: p, app: app, window: window.at, refs: map[string]*handle{}}
	screen := s.compose(c, window.at)
	screen.App, screen.Window = app, tidy(window.name, maxTitle)
	screen.Surface = front(top.role)
	if window.states.has(stModal) && screen.Surface == surfaces.FrontWindow {
		screen.Surface = surfaces.FrontDialog
	}
	screen.Origin = p.name + ": " + screen.Window
	return screen, nil
}

// observePart reads on below a ref.
func (s *Side) observePart(ctx context.Context, l *link, app, root string) (*surfaces.Screen, error) {
	h, ok := s.reading.refs[root]
	if !ok {
		return nil, refuse(fault.StaleRef, "the part to be read is of another reading")
	}
	if err := h.live(ctx, l.bus); err != nil {
		return nil, err
	}
	p := s.reading.program
	top := &node{
		at: h.at, role: h.role, name: h.name, states: h.states, ifaces: h.ifaces, count: h.count,
		index: h.index, parent: h.parent, from: h.rest,
	}
	w := &walk{bus: l.bus, cache: l.bus.sweep(ctx, p.at.Bus), depth: fullDepth}
	if top.count == 0 {
		top.count = -1
	}
	w.below(ctx, top)
	c := &composer{walk: w}
	c.collect(top)
	c.detail(ctx)
	c.hide()
	c.arrange(top)
	c.beside()
	screen := s.compose(c, h.window) // the refs of the whole stay good beside these
	if app == "" {
		app = p.name
	}
	screen.App, screen.Surface = app, surfaces.FrontWindow
	return screen, nil
}

// compose makes the Screen and the refs that go with it.
func (s *Side) compose(c *composer, window accessible) *surfaces.Screen {
	screen := &surfaces.Screen{
		Side: surfaces.Desktop, Candidates: []surfaces.Candidate{}, TextNodes: []surfaces.TextNode{},
		Context: []string{}, Unexplored: []string{},
	}
	seen := map[string]bool{}
	for _, d := range c.drawn {
		if d.word != "" {
			h := &handle{node: d.node, word: d.word, name: d.name, window: window, covered: d.covered, combo: comboOf(d.node), told: c.told(d)}
			d.scrolls = scroller(d.node) != nil
			screen.Candidates = append(screen.Candidates, c.candidate(d, s.reading.add(h)))
			continue
		}
		text := c.says(d.node)
		if text == "" || !d.states.has(shownOnScreen) {
			continue
		}
		field := d.above(func(p *node) bool { return private(p.role) }) != nil
		screen.TextNodes = append(screen.TextNodes, surfaces.TextNode{Text: text, Path: c.path(d.node), Order: d.order, Field: field})
		if !field && !seen[text] && len(screen.Context) < maxContext {
			seen[text] = true
			screen.Context = append(screen.Context, text)
		}
	}
	for _, n := range c.cut {
		screen.Unexplored = append(screen.Unexplored, s.reading.add(&handle{node: n, name: n.name, window: window}))
	}
	return screen
}

func (r *reading) add(h *handle) string {
	ref := "d" + strconv.Itoa(r.number) + ":" + strconv.Itoa(len(r.refs)+1)
	r.refs[ref] = h
	return ref
}

// overlayLevels is how near the top an overlay of its own is looked for.
const overlayLevels = 6

// overlay is what lies in front within a window: an open menu, or a dialog that
// is drawn in it; else the window itself.
func overlay(window *node) *node {
	var menu, dialog *node
	var look func(n *node, level int)
	look = func(n *node, level int) {
		switch n.role {
		case roleMenu, rolePopupMenu:
			if menu == nil && comboOf(n) == nil && slices.ContainsFunc(n.children, func(k *node) bool { return k.states.has(shownOnScreen) }) {
				menu = n
			}
		case roleDialog, roleAlert:
			if n != window && dialog == nil && level <= overlayLevels && n.states.has(shownOnScreen) {
				dialog = n
			}
		default:
		}
		for _, k := range n.children {
			look(k, level+1)
		}
	}
	look(window, 0)
	switch {
	case menu != nil:
		return menu
	case dialog != nil:
		return dialog
	default:
		return window
	}
}

// inFront picks the window to read: a modal dialog before all, then what pops
// up, then the active one, then the frontmost. AMBIGUOUS_TARGET when even that
// cannot decide.
func (s *Side) inFront(ctx context.Context, l *link, p program, windows []*node) (*node, error) {
	for _, fits := range []func(*node) bool{
		func(n *node) bool { return n.states.has(stModal) },
		func(n *node) bool { return n.role == roleWindow && n.name == "" && n.states.has(stActive) },
		func(n *node) bool { return n.states.has(stActive) },
	} {
		for i := len(windows) - 1; i >= 0; i-- { // the latest first
			if fits(windows[i]) {
				return windows[i], nil
			}
		}
	}
	if len(windows) == 1 {
		return windows[0], nil
	}
	if n := l.frontmost(ctx, p, windows); n != nil {
		return n, nil
	}
	var titles []string
	for _, n := range windows {
		titles = append(titles, tidy(n.name, maxName))
	}
	err := surfaces.Fail("", fault.AmbiguousTarget, "several windows of "+p.name+" are open, and none is in front").Error
	err.Details.Candidates = titles
	return nil, &surfaces.Refusal{Failure: err}
}

// find gives the program an app names. OWN_WINDOW for the terminal the desk
// runs in, APP_NOT_FOUND when nothing by that name can be read.
func (s *Side) find(ctx context.Context, l *link, app string) (program, error) {
	all, err := l.bus.programs(ctx)
	if err != nil {
		return program{}, err
	}
	own := s.own(ctx, l)
	if app == "" {
		return s.unnamed(ctx, l, all, own)
	}
	found := s.asked(all, app)
	others := slices.DeleteFunc(slices.Clone(found), func(p program) bool { return own.has(p.pid) })
	switch {
	case len(found) > 0 && len(others) == 0:
		return program{}, refuse(fault.OwnWindow, "that is the terminal this desk runs in")
	case len(others) == 0 && len(l.bus.met) == 0 && !l.bus.enabled: // none was ever met
		return program{}, denied(nil, "no program can be read: accessibility is off")
	case len(others) == 0:
		return program{}, refuse(fault.AppNotFound, "no program called "+strconv.Quote(app)+" is running where it can be read")
	case len(others) == 1:
		return others[0], nil
	}
	return l.active(ctx, others)
}

// asked are the running programs that a name means for this side: what it
// launched under the name, else what is called so.
func (s *Side) asked(all []program, app string) []program {
	key := strings.ToLower(app)
	if p := slices.IndexFunc(all, func(p program) bool { return p.at.Bus == s.launched[key] }); p >= 0 {
		return all[p : p+1]
	}
	if found := named(all, app, nil); len(found) > 0 {
		return found
	}
	return named(all, app, entriesFor(s.driver.env, app))
}

// unnamed is the program last read, else the one with the active window.
func (s *Side) unnamed(ctx context.Context, l *link, all []program, own own) (program, error) {
	for _, p := range all {
		if p.at.Bus == s.reading.program.at.Bus && !own.has(p.pid) {
			return p, nil
		}
	}
	others := slices.DeleteFunc(all, func(p program) bool { return own.has(p.pid) })
	if len(others) == 0 {
		return program{}, refuse(fault.AppNotFound, "no program is running that can be read")
	}
	return l.active(ctx, others)
}

// active picks of several programs the one whose window is active, else the one
// whose window is frontmost. One that hangs answers nothing, and is read where it
// stands in front of the others.
func (l *link) active(ctx context.Context, all []program) (program, error) {
	asked, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	kids := make([][]accessible, len(all))
	var questions []*question
	for i, p := range all {
		questions = append(questions, &question{to: p.at, method: atspi + "Accessible.GetChildren", answer: func(c *dbus.Call) { _ = c.Store(&kids[i]) }})
	}
	l.bus.askAll(asked, questions)
	questions = nil
	active := make([]bool, len(all))
	for i := range all {
		for _, at := range kids[i] {
			questions = append(questions, &question{to: at, method: atspi + "Accessible.GetState", answer: func(c *dbus.Call) {
				var st []uint32
				_ = c.Store(&st)
				active[i] = active[i] || statesOf(st).has(stActive|shownOnScreen)
			}})
		}
	}
	l.bus.askAll(asked, questions)
	if i := slices.Index(active, true); i >= 0 {
		return all[i], nil
	}
	stack := l.stack(ctx)
	for i := len(stack) - 1; i >= 0; i-- {
		if k := slices.IndexFunc(all, func(p program) bool { return p.pid != 0 && p.pid == stack[i].PID }); k >= 0 {
			return all[k], nil
		}
	}
	var names []string
	for _, p := range all {
		names = append(names, p.name)
	}
	slices.Sort(names)
	err := surfaces.Fail("", fault.AmbiguousTarget, "several programs are open, and none is in front").Error
	err.Details.Candidates = slices.Compact(names)
	return program{}, &surfaces.Refusal{Failure: err}
}

// frontmost picks the window that is highest on the screen, by its title.
func (l *link) frontmost(ctx context.Context, p program, windows []*node) *node {
	stack := l.stack(ctx)
	for i := len(stack) - 1; i >= 0; i-- {
		for _, n := range windows {
			if stack[i].PID == p.pid && stack[i].Title == n.name {
				return n
			}
		}
	}
	return nil
}
