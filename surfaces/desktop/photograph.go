package desktop

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/fault"
	"countersign/surfaces/shade"
)

// Photograph implements surfaces.Photographer: the picture of the window last
// read, as it lies on the screen, with what is hidden painted black, and every
// other program's window that lies over it. What is to be black is worked out
// before and after the picture is taken; a window in which it moved meanwhile
// gives none.
func (s *Side) Photograph(ctx context.Context, hide surfaces.Hidden) (*surfaces.Picture, *surfaces.Reply) {
	const command = "photograph"
	if s.open() == nil {
		return nil, surfaces.Fail(command, fault.NoSuchSession, "the desktop is not open")
	}
	var picture *surfaces.Picture
	r := s.act(ctx, command, func(ctx context.Context, l *link) *surfaces.Reply {
		ctx, cancel := context.WithTimeout(ctx, readWithin)
		defer cancel()
		got, err := s.photograph(ctx, l, hide)
		if err != nil {
			return unsent(failed(command, err))
		}
		picture = got
		return surfaces.Succeed(command, surfaces.Data{})
	})
	if r.Error != nil {
		return nil, r
	}
	return picture, nil
}

func (s *Side) photograph(ctx context.Context, l *link, hide surfaces.Hidden) (*surfaces.Picture, error) {
	before, window, err := s.black(ctx, l, hide)
	if err != nil {
		return nil, err
	}
	area := window.area(l.size)
	if area.Width <= 0 || area.Height <= 0 {
		return nil, refuse(fault.NotActionable, "no part of that window is on the screen")
	}
	reply, f := s.send(ctx, l, robot.Request{Op: robot.Capture, Window: window.ID, X: area.X, Y: area.Y, Width: area.Width, Height: area.Height})
	if f != nil {
		return nil, &surfaces.Refusal{Failure: f}
	}
	after, still, err := s.black(ctx, l, hide)
	if err != nil {
		return nil, err
	}
	if window != still || !slices.Equal(before, after) {
		return nil, refuse(fault.PageError, "what must stay hidden moved while the picture was taken")
	}
	for _, w := range reply.Windows {
		before = append(before, shade.Rect{X: float64(w.X), Y: float64(w.Y), W: float64(w.Width), H: float64(w.Height)})
	}
	for i := range before {
		before[i].X -= float64(area.X)
		before[i].Y -= float64(area.Y)
	}
	picture, err := shade.Paint(reply.PNG, before, float64(area.Width), float64(area.Height))
	if err != nil {
		return nil, refuse(fault.PageError, err.Error())
	}
	return picture, nil
}

// shown is a window as X has it.
type shown robot.Window

// area is the part of a window that is on the screen.
func (w shown) area(size robot.Display) robot.Window {
	x, y := max(w.X, 0), max(w.Y, 0)
	return robot.Window{X: x, Y: y, Width: min(w.X+w.Width, size.Width) - x, Height: min(w.Y+w.Height, size.Height) - y}
}

// black says what of the window in front must be black now, and which window
// that is. All windows of the program are searched: they may lie over it.
func (s *Side) black(ctx context.Context, l *link, hide surfaces.Hidden) ([]shade.Rect, shown, error) {
	p := s.reading.program
	w := &walk{bus: l.bus, depth: mostLevels}
	windows, err := w.windows(ctx, p)
	if err != nil {
		return nil, shown{}, err
	}
	if len(windows) == 0 {
		return nil, shown{}, refuse(fault.AppNotFound, p.name+" shows no window")
	}
	front, err := s.inFront(ctx, l, p, windows)
	if err != nil {
		return nil, shown{}, err
	}
	w.cache = l.bus.sweep(ctx, p.at.Bus)
	sh := &search{walk: w, hide: hide}
	for _, n := range windows {
		w.below(ctx, n)
		sh.collect(n, -1)
	}
	sh.detail(ctx)
	if ctx.Err() != nil {
		return nil, shown{}, errUnanswered
	}
	x, err := l.window(ctx, p, front.at)
	if err != nil {
		return nil, shown{}, err
	}
	on := shown(x)
	if err := sh.measured(front, on); err != nil {
		return nil, shown{}, err
	}
	boxes, err := sh.boxes()
	return append(boxes, sh.fields(ctx, front)...), on, err
}

// drawnNode is what a search knows of a node.
type drawnNode struct {
	*node
	up    int // index of the node it lies in, -1 for none
	box   surfaces.Bounds
	boxed bool
	text  string // what it says and holds; never a password
}

// search looks for what must be black.
type search struct {
	*walk
	hide  surfaces.Hidden
	nodes []drawnNode
}

// collect lists what is drawn below n, containers before what is in them.
func (s *search) collect(n *node, up int) {
	if !n.states.has(shownOnScreen) && n.parent != nil {
		return
	}
	at := len(s.nodes)
	s.nodes = append(s.nodes, drawnNode{node: n, up: up, text: strings.TrimSpace(n.name + " " + n.description)})
	for _, k := range n.children {
		s.collect(k, at)
	}
}

// detail asks where everything is and, when texts are to be hidden, what fields
// hold, all of it.
func (s *search) detail(ctx context.Context) {
	var questions []*question
	for i := range s.nodes {
		d := &s.nodes[i]
		if d.ifaces.has(hasComponent) {
			questions = append(questions, &question{to: d.at, method: atspi + "Component.GetExtents", args: []any{uint32(0)}, answer: func(c *dbus.Call) {
				var box struct{ X, Y, W, H int32 }
				if c.Store(&box) == nil && box.X != math.MinInt32 && box.W > 0 && box.H > 0 {
					d.box, d.boxed = surfaces.Bounds{X: float64(box.X), Y: float64(box.Y), Width: float64(box.W), Height: float64(box.H)}, true
				}
			}})
		}
		if s.hide.Text == nil || d.role == rolePasswordText || !d.ifaces.has(hasText) {
			continue
		}
		questions = append(questions, &question{to: d.at, method: atspi + "Text.GetText", args: []any{int32(0), int32(-1)}, answer: func(c *dbus.Call) {
			var text string
			_ = c.Store(&text)
			d.text = strings.TrimSpace(d.text + " " + text)
		}})
	}
	s.askAll(ctx, questions)
}

// boxes are what must be black: passwords always, texts by what they say, and
// what cannot be looked into.
func (s *search) boxes() ([]shade.Rect, error) {
	var out []shade.Rect
	if s.hide.Text != nil {
		out = shade.Hits(s.pieces(), s.hide.Text)
	}
	for i := range s.nodes {
		d := &s.nodes[i]
		if d.role == rolePasswordText || !s.hide.Nothing() && (d.cut || unsearched(d.role)) {
			out = append(out, shade.Of(d.box))
		}
	}
	if slices.Contains(out, shade.Rect{}) {
		return nil, refuse(fault.ActionNotSupported, "the program does not say where what must stay hidden is drawn")
	}
	return out, nil
}

// pieces are the texts of the nodes, each with those of what is in it.
func (s *search) pieces() []shade.Piece {
	within := make([]string, len(s.nodes))
	all := make([]shade.Piece, len(s.nodes))
	for i := len(s.nodes) - 1; i >= 0; i-- { // what is in a node comes after it
		d := &s.nodes[i]
		whole := strings.TrimSpace(d.text + " " + within[i])
		all[i] = shade.Piece{Rect: shade.Of(d.box), Text: whole, Up: d.up}
		if d.up >= 0 {
			within[d.up] = strings.TrimSpace(whole + " " + within[d.up])
		}
	}
	return all
}

// fields are the boxes of hidden fields in the window in front. Whatever its
// title says by now, a field of that name at that place is meant.
func (s *search) fields(ctx context.Context, front *node) []shade.Rect {
	if len(s.hide.Fields) == 0 {
		return nil
	}
	c := &composer{walk: s.walk}
	c.collect(overlay(front))
	c.detail(ctx)
	c.arrange(front)
	c.beside()
	var out []shade.Rect
	for _, d := range c.drawn {
		if d.word == "" {
			continue
		}
		field := c.candidate(d, "")
		if slices.ContainsFunc(s.hide.Fields, func(f surfaces.Field) bool {
			return f.Role == field.Role && f.Name == field.Name && slices.Equal(f.Path, field.Path)
		}) {
			out = append(out, shade.Of(field.Bounds))
		}
	}
	return out
}

// unsearched are the roles that draw what nobody is told of.
func unsearched(r role) bool {
	switch r {
	case roleCanvas, roleDrawingArea, roleTerminal, roleHTMLContainer:
		return true
	default:
		return false
	}
}

// measured refuses a window whose program measures in other units than X, which
// shows in its size: the boxes would be painted elsewhere.
func (s *search) measured(front *node, on shown) error {
	const twice = 1.5 // more than any shadow around a window, less than any scale
	i := slices.IndexFunc(s.nodes, func(d drawnNode) bool { return d.node == front })
	if i >= 0 && s.nodes[i].boxed && float64(on.Width) < twice*s.nodes[i].box.Width {
		return nil
	}
	return refuse(fault.ActionNotSupported, "a scaled window gives no picture")
}
