package workspace

import (
	"context"
	"slices"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Opener makes the workspaces of tasks out of one driver per side. Either may
// be nil: no task has that side then. It starts nothing; the members do, with
// the first verb that needs them.
type Opener struct {
	Browser Driver
	Desktop Driver
}

// Open makes the workspace id. A side that needs.Sides does not name is not
// built. A desktop that cannot be had is left out and says why when a call
// names it; a browser is built even when none is installed, because its
// failure names what to install, and an endpoint may need none.
func (o Opener) Open(id string, needs surfaces.Needs, bindings []surfaces.Binding, keep surfaces.Keeper) (surfaces.Place, error) {
	absent := map[surfaces.Side]surfaces.Availability{}
	var made []Member
	build := func(side surfaces.Side, d Driver) (Member, error) {
		if len(needs.Sides) > 0 && !slices.Contains(needs.Sides, side) {
			return nil, nil
		}
		if why := o.available(side, d); d == nil || side == surfaces.Desktop && !why.Available {
			absent[side] = why
			return nil, nil
		}
		m, err := d.Side(id, needs, bindingOf(side, bindings), keep)
		if err == nil {
			made = append(made, m)
		}
		return m, err
	}
	desktop, err := build(surfaces.Desktop, o.Desktop)
	if err != nil {
		return nil, err
	}
	browser, err := build(surfaces.Browser, o.Browser)
	if err != nil {
		for _, m := range made {
			_ = m.Close() // it was never opened; the first error is the one to tell
		}
		return nil, err
	}
	w := New(desktop, browser)
	w.absent = absent
	return w, nil
}

func bindingOf(side surfaces.Side, bindings []surfaces.Binding) *surfaces.Binding {
	for i := range bindings {
		if bindings[i].Side == side {
			return &bindings[i]
		}
	}
	return nil
}

// Available says of both sides whether they can be had.
func (o Opener) Available() []surfaces.Availability {
	return []surfaces.Availability{
		o.available(surfaces.Browser, o.Browser),
		o.available(surfaces.Desktop, o.Desktop),
	}
}

func (o Opener) available(side surfaces.Side, d Driver) surfaces.Availability {
	if d != nil {
		return d.Available()
	}
	return surfaces.Availability{
		Kind: side, Reason: "this desk has no " + string(side) + " side",
		Hint: "Use a step that needs no " + string(side) + ".",
	}
}

// Destroy ends what a binding still refers to.
func (o Opener) Destroy(ctx context.Context, b surfaces.Binding) error {
	d := o.Desktop
	if b.Side == surfaces.Browser {
		d = o.Browser
	}
	if d == nil {
		return fault.Newf(fault.Internal, "no driver for the %s side", b.Side)
	}
	return d.Destroy(ctx, b)
}
