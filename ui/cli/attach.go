package cli

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"countersign/controller/remote"
	"countersign/surfaces/fault"
)

const (
	// startPatience is how long a store that is locked may take to be served: its
	// desk may just be starting. With the store's own wait it stays below the
	// second in which a person must hear of a lock (tasks.md 10.9).
	startPatience = 400 * time.Millisecond
	// haltPatience lets running tasks reach their next step (tasks.md 4.8: 10 s).
	haltPatience = 15 * time.Second
)

// open attaches to the desk that holds the store, else opens the store. The
// lock stays an error where its holder serves nobody.
func (c *command) open(ctx context.Context, s Settings) (*Opened, error) {
	client, none := remote.Dial(ctx, s.Paths.Socket())
	if none == nil {
		return attached(client), nil
	}
	opened, err := c.wiring.Open(ctx, s)
	if fault.CodeOf(err) != fault.StoreLocked {
		return opened, err
	}
	until := time.Now().Add(startPatience)
	for fault.CodeOf(none) == fault.DeskGone && ctx.Err() == nil && time.Now().Before(until) {
		if client, none = remote.Dial(ctx, s.Paths.Socket()); none == nil {
			return attached(client), nil
		}
		time.Sleep(startPatience / 8)
	}
	if fault.CodeOf(none) == fault.StoreLocked {
		return nil, none // it says why the holder cannot be talked to
	}
	return nil, err
}

func attached(client *remote.Client) *Opened {
	return &Opened{Desk: client, Holder: client.Holder(), Close: func(bool) error { return client.Close() }}
}

// hold is open for a command that stays: while it holds the store, others
// attach to it.
func (c *command) hold(ctx context.Context, s Settings) (*Opened, error) {
	opened, err := c.open(ctx, s)
	if err == nil && opened.Holder == 0 {
		c.share(ctx, opened, s)
	}
	return opened, err
}

// share serves what was opened on the store's socket until it is closed. A desk
// that cannot be shared works all the same, and says so.
func (c *command) share(ctx context.Context, opened *Opened, s Settings) {
	l, err := remote.Listen(s.Paths.Socket())
	if err != nil {
		f := fault.Of(err)
		log.Printf("not shared: %v: %v", f, f.Cause)
		opened.Unshared = "Other terminals cannot attach: " + f.Message + ". " + f.Hint
		return
	}
	server := remote.Serve(l, opened.Desk, c.wiring.Version)
	closing := opened.Close
	opened.Close = func(release bool) error {
		// What runs stops first, so that those attached still hear of it.
		halting, cancel := context.WithTimeout(context.WithoutCancel(ctx), haltPatience)
		defer cancel()
		_, _ = opened.Desk.Halt(halting, false) // closing stops what is left
		return errors.Join(server.Close(), closing(release))
	}
}

// process names the desk of another process for the person.
func process(holder int) string { return fmt.Sprintf("the desk of process %d", holder) }
