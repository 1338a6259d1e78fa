package desktop

import (
	"context"
	"strings"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// scrollPixels is one scroll (surfaces.md section 10, SCROLL_PX).
const scrollPixels = 300

// scroll moves the scroll bar of what the target lies in, or of the first part
// of the latest reading that has one.
func (s *Side) scroll(ctx context.Context, l *link, target *surfaces.Candidate, text string) *surfaces.Reply {
	const command = "scroll"
	var pane *node
	if target != nil {
		h, ok := s.reading.refs[target.Ref]
		if !ok {
			return unsent(surfaces.Fail(command, fault.StaleRef, target.Label()+" is of another reading"))
		}
		pane = scroller(h.node)
	}
	for _, h := range s.reading.refs {
		if pane != nil {
			break
		}
		pane = scroller(h.node)
	}
	if pane == nil {
		return surfaces.Succeed(command, surfaces.Data{}) // all of it is shown
	}
	by := float64(scrollPixels)
	if strings.EqualFold(strings.TrimSpace(text), "up") {
		by = -by
	}
	if err := moveBar(ctx, l.bus, pane, by); err != nil {
		return failed(command, err)
	}
	return surfaces.Succeed(command, surfaces.Data{})
}

// scroller is the scroll bar, the upright one if there is one, of the nearest
// scroll pane around a node.
func scroller(n *node) *node {
	pane := n.above(func(p *node) bool { return p.role == roleScrollPane })
	if pane == nil {
		return nil
	}
	var bar *node
	for _, k := range pane.children {
		if k.role == roleScrollBar && k.ifaces.has(hasValue) && k.states.has(stShowing) && (bar == nil || k.states.has(stVertical)) {
			bar = k
		}
	}
	return bar
}

func moveBar(ctx context.Context, b *bus, bar *node, by float64) error {
	read := func(name string) float64 {
		v, err := b.get(ctx, bar.at, "Value", name)
		if err != nil {
			return 0
		}
		f, _ := v.(float64)
		return f
	}
	to := min(max(read("CurrentValue")+by, read("MinimumValue")), read("MaximumValue"))
	return b.setValue(ctx, bar.at, to)
}
