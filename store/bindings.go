package store

import (
	"bytes"

	"countersign/controller/task"
	"countersign/surfaces"
	"countersign/surfaces/fault"

	"go.etcd.io/bbolt"
)

// Bind keeps where a side of a task is found again, in place of its former
// binding.
func (s *Store) Bind(id task.ID, b surfaces.Binding) error {
	if id == 0 || b.Side == "" {
		return fault.Newf(fault.Internal, "a binding of %s for side %q", id, b.Side)
	}
	raw, err := encode(b)
	if err != nil {
		return err
	}
	return s.update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(bucketBindings)).Put(bindingKey(id, b.Side), raw)
	})
}

// Unbind forgets a side's binding; nil when there is none.
func (s *Store) Unbind(id task.ID, side surfaces.Side) error {
	return s.update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(bucketBindings)).Delete(bindingKey(id, side))
	})
}

// Bindings gives a task's bindings, in the order of their sides' names.
func (s *Store) Bindings(id task.ID) ([]surfaces.Binding, error) {
	return s.bindingsUnder(taskKey(id))
}

// AllBindings gives the bindings of every task.
func (s *Store) AllBindings() ([]surfaces.Binding, error) { return s.bindingsUnder(nil) }

// bindingsUnder gives those whose key begins with prefix.
func (s *Store) bindingsUnder(prefix []byte) ([]surfaces.Binding, error) {
	var all []surfaces.Binding
	err := s.view(func(tx *bbolt.Tx) error {
		c := tx.Bucket([]byte(bucketBindings)).Cursor()
		for key, raw := c.Seek(prefix); key != nil && bytes.HasPrefix(key, prefix); key, raw = c.Next() {
			var b surfaces.Binding
			if err := decode(raw, &b); err != nil {
				return err
			}
			all = append(all, b)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Orphans gives the bindings of tasks that hold nothing any more: unknown or
// pruned ones, history, and those in a state that holds no side.
func (s *Store) Orphans() (task.Bindings, error) {
	orphans := task.Bindings{}
	err := s.view(func(tx *bbolt.Tx) error {
		tasks := tx.Bucket([]byte(bucketTasks))
		return tx.Bucket([]byte(bucketBindings)).ForEach(func(key, raw []byte) error {
			id := idOf(key)
			held, err := holds(tasks.Get(taskKey(id)))
			if err != nil || held {
				return err
			}
			var b surfaces.Binding
			if err := decode(raw, &b); err != nil {
				return err
			}
			orphans[id] = append(orphans[id], b)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return orphans, nil
}

// holds reports whether a stored task may still need its sides (tasks.md
// 10.2). A binding is written before the record that says a side is held, so
// the states that hold one count by themselves.
func holds(raw []byte) (bool, error) {
	if raw == nil {
		return false, nil
	}
	r, err := decodeRecord(raw)
	if err != nil || r.History {
		return false, err
	}
	switch r.View.Status.State {
	case task.Running, task.NeedsApproval, task.NeedsHuman:
		return true, nil
	case task.Checkpoint:
		return r.Holding || r.View.Status.Continuable, nil
	case task.NeedsInput, task.NeedsPlan, task.Done, task.Failed, task.Cancelled:
		return r.Holding, nil
	default:
		return r.Holding, nil
	}
}
