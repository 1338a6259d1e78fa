package desktop

import (
	"context"
	"slices"
	"strconv"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// target finds the live control behind a candidate, one that nothing lies over.
// Without a candidate it is the text field in focus.
func (s *Side) target(ctx context.Context, l *link, op surfaces.Op, c *surfaces.Candidate) (*handle, error) {
	if c == nil {
		if op != surfaces.TypeText {
			return nil, refuse(fault.InvalidArgs, "no target")
		}
		if h := s.caret; h != nil && h.at.Bus == s.reading.program.at.Bus && h.ifaces.has(hasEditable) && h.live(ctx, l.bus) == nil {
			return h, nil
		}
		for _, h := range s.reading.refs {
			if h.states.has(stFocused) && h.ifaces.has(hasEditable) && h.live(ctx, l.bus) == nil && h.states.has(stFocused) {
				return h, nil
			}
		}
		return nil, refuse(fault.NotATextField, "nothing that takes text has the focus")
	}
	h, ok := s.reading.refs[c.Ref]
	if !ok || h.word == "" {
		return nil, refuse(fault.StaleRef, c.Label()+" is of another reading")
	}
	if own := s.own(ctx, l); own.has(s.reading.program.pid) {
		return nil, refuse(fault.OwnWindow, "that is the terminal this desk runs in")
	}
	if err := h.live(ctx, l.bus); err != nil {
		return nil, err
	}
	return h, s.reachable(ctx, l, h)
}

// live asks a control whether it still is what was read, and takes over the
// states it has now. STALE_REF when it is gone, hidden, or another by now.
func (h *handle) live(ctx context.Context, b *bus) error {
	gone := refuse(fault.StaleRef, h.label()+" is not there any more")
	var now role
	var st []uint32
	var name dbus.Variant
	index := int32(-1) // it has another where its list changed
	questions := []*question{
		{to: h.at, method: atspi + "Accessible.GetIndexInParent", answer: func(c *dbus.Call) { _ = c.Store(&index) }},
		{to: h.at, method: atspi + "Accessible.GetState", answer: func(c *dbus.Call) { _ = c.Store(&st) }},
		{to: h.at, method: atspi + "Accessible.GetRole", answer: func(c *dbus.Call) { _ = c.Store((*uint32)(&now)) }},
		{to: h.at, method: properties + "Get", args: []any{atspi + "Accessible", "Name"}, answer: func(c *dbus.Call) { _ = c.Store(&name) }},
	}
	said := make([]dbus.Variant, len(h.told))
	for i, n := range h.told {
		questions = append(questions, &question{
			to: n.at, method: properties + "Get", args: []any{atspi + "Accessible", "Name"}, answer: func(c *dbus.Call) { _ = c.Store(&said[i]) },
		})
	}
	b.askAll(ctx, questions)
	for _, q := range questions {
		if absent(q.err) {
			return gone
		}
		if q.err != nil {
			return q.err
		}
	}
	for i, n := range h.told {
		if now, _ := said[i].Value().(string); now != n.name {
			return refuse(fault.StaleRef, h.label()+" is of another thing by now: it says "+strconv.Quote(tidy(now, maxName)))
		}
	}
	is := statesOf(st)
	called, _ := name.Value().(string)
	if is.has(stDefunct) || now != h.role || called != h.name && h.role != roleComboBox || h.combo == nil && h.word != "" && !is.has(stVisible) {
		return gone
	}
	if choosable(h.node) && index < 0 {
		return gone
	}
	h.states, h.index = is, int(index)
	return nil
}

func (h *handle) label() string {
	return (&surfaces.Candidate{Role: h.word, Name: tidy(h.name, maxName)}).Label()
}

// reachable refuses what a person could not reach either: a control that is
// disabled, under something, or behind a modal dialog. Programs would obey all
// the same.
func (s *Side) reachable(ctx context.Context, l *link, h *handle) error {
	hidden := func(message, cover string) error {
		f := surfaces.Fail("", fault.NotActionable, h.label()+message).Error
		f.Delivery, f.Details.Cover = surfaces.NotDelivered, cover
		return &surfaces.Refusal{Failure: f}
	}
	if !h.states.has(stSensitive | stEnabled) {
		return hidden(" is disabled", "")
	}
	if h.covered != "" {
		return hidden(" is under "+h.covered, h.covered)
	}
	w := &walk{bus: l.bus}
	windows, err := w.windows(ctx, s.reading.program)
	if err != nil {
		return err
	}
	there := false
	for _, n := range windows {
		there = there || n.at == h.window
	}
	if !there {
		return refuse(fault.StaleRef, "the window of "+h.label()+" is closed")
	}
	for _, n := range slices.Backward(windows) { // the latest lies over the others
		if n.states.has(stModal) && n.at == h.window {
			break
		}
		if n.states.has(stModal) {
			cover := (&surfaces.Candidate{Role: container(n.role), Name: tidy(n.name, maxName)}).Label()
			return hidden(" is behind "+cover, cover)
		}
	}
	return h.opened(ctx, l, hidden)
}

// opened refuses what stands on a page of a notebook that is not open.
func (h *handle) opened(ctx context.Context, l *link, hidden func(message, cover string) error) error {
	page := h.above(func(p *node) bool { return p.role == rolePageTab })
	if page == nil {
		return nil
	}
	var st []uint32
	if err := l.bus.ask(ctx, page.at, atspi+"Accessible.GetState", nil, &st); err != nil {
		return err
	}
	if !statesOf(st).has(stSelected) {
		return hidden(" is on a page that is not open: "+(&surfaces.Candidate{Role: "tab", Name: tidy(page.name, maxName)}).Label(), "")
	}
	return nil
}
