package drill

import (
	"encoding/json"
	"sync/atomic"
	"time"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/surfaces"
)

// deadly is a store that kills its own process at a planned moment. It tells
// every write the store has acknowledged before the caller hears of it.
type deadly struct {
	controller.Store
	kill   kill
	out    *lines
	die    func()
	writes atomic.Int64
}

// die ends this process as a loss of power would: no deferred call runs.
func die() {
	dieAtOnce()
	select {} // until it has arrived
}

func (s *deadly) Allocate() (task.ID, error) {
	var id task.ID
	err := s.write(nil, func() (err error) {
		id, err = s.Store.Allocate()
		return err
	})
	return id, err
}

func (s *deadly) Commit(c task.Change) error {
	return s.write(&c, func() error { return s.Store.Commit(c) })
}

func (s *deadly) Bind(id task.ID, b surfaces.Binding) error {
	return s.write(nil, func() error { return s.Store.Bind(id, b) })
}

func (s *deadly) Unbind(id task.ID, side surfaces.Side) error {
	return s.write(nil, func() error { return s.Store.Unbind(id, side) })
}

// write is the frame around every transaction.
func (s *deadly) write(c *task.Change, do func() error) error {
	n := int(s.writes.Add(1))
	if s.kill.before(n, pressIn(c)) {
		s.die()
	}
	if err := do(); err != nil {
		return err
	}
	if err := s.out.say(message{Write: &written{N: n, Entries: entriesOf(c)}}); err != nil {
		return err
	}
	if s.kill.after(n, pressIn(c)) {
		s.die()
	}
	if s.kill.When == withinPress && pressIn(c) == task.Intended {
		time.AfterFunc(s.kill.Delay, s.die) // ends with the process
	}
	return nil
}

// before and after say whether the process dies at the n-th write, which
// writes a press in that state; the empty state is none.
func (k kill) before(n int, press task.PressState) bool {
	return k.When == beforeWrite && k.N == n ||
		k.When == beforePress && press == task.Intended || k.When == afterPress && press == task.Pressed
}

func (k kill) after(n int, press task.PressState) bool {
	return k.When == afterWrite && k.N == n || k.When == afterIntend && press == task.Intended
}

func pressIn(c *task.Change) task.PressState {
	if c == nil || c.Press == nil {
		return ""
	}
	return c.Press.State
}

func entriesOf(c *task.Change) []json.RawMessage {
	if c == nil {
		return nil
	}
	var all []json.RawMessage
	for _, e := range c.Entries {
		if raw, err := json.Marshal(e); err == nil {
			all = append(all, raw)
		}
	}
	return all
}
