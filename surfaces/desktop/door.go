package desktop

import (
	"context"
	"errors"
	"time"

	"github.com/godbus/dbus/v5"
)

// orderedWithin is how long the answer to an order is waited for before the
// program is asked whether it is stuck in it.
const orderedWithin = time.Second

// order has an object do something, over a connection of its own to the
// program, and reports whether it did. A GTK program that shows a dialog and
// waits for its answer does so inside the order, and for as long takes nothing
// more from the connection the order came on: had it come over the bus, the
// dialog could not be read. A program without a door of its own is told over the
// bus.
func (b *bus) order(ctx context.Context, at accessible, method string, args ...any) (bool, error) {
	door := b.door(ctx, at.Bus)
	if door == nil {
		var done bool
		err := b.ask(ctx, at, method, args, &done)
		return done, err
	}
	defer func() { _ = door.Close() }()
	answer := make(chan *dbus.Call, 1)
	door.Object(at.Bus, at.Path).Go(method, 0, answer, args...)
	late := time.NewTicker(orderedWithin)
	defer late.Stop()
	for {
		select {
		case call := <-answer:
			var done bool
			err := call.Store(&done)
			if errors.Is(err, dbus.ErrClosed) {
				err = dbus.Error{Name: noReply}
			}
			return done, err
		case <-late.C:
			// Some answer before they act, others after. One that takes questions over
			// the bus meanwhile is not busy: it waits for somebody.
			if b.ask(ctx, accessible{at.Bus, rootPath}, atspi+"Accessible.GetRole", nil, new(uint32)) == nil {
				return true, nil
			}
		case <-ctx.Done():
			return false, errUnanswered
		}
	}
}

// door opens a connection to a program itself; nil when it has none to offer.
func (b *bus) door(ctx context.Context, program string) *dbus.Conn {
	var address string
	if b.ask(ctx, accessible{program, rootPath}, atspi+"Application.GetApplicationBusAddress", nil, &address) != nil || address == "" {
		return nil
	}
	c, err := dialWith(ctx, func() (*dbus.Conn, error) {
		c, err := dbus.Dial(address)
		if err != nil {
			return nil, err
		}
		if err := c.Auth(nil); err != nil { // there is no bus to greet
			_ = c.Close()
			return nil, err
		}
		return c, nil
	})
	if err != nil {
		return nil
	}
	return c
}
