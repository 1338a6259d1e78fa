package store

import (
	"bytes"
	"strings"

	"countersign/controller/task"
	"countersign/surfaces/fault"

	"go.etcd.io/bbolt"
)

// Allocate gives the next task id. An id is never given twice, also after its
// task was pruned.
func (s *Store) Allocate() (task.ID, error) {
	var id task.ID
	err := s.update(func(tx *bbolt.Tx) error {
		n, err := tx.Bucket([]byte(bucketTasks)).NextSequence()
		id = task.ID(n)
		return err
	})
	return id, err
}

// Commit writes one transition in one transaction. A record older than the
// stored one, entries that leave a hole, or parts that belong to another task
// are INTERNAL, and nothing is written.
func (s *Store) Commit(c task.Change) error {
	p, err := pack(c)
	if err != nil {
		return err
	}
	return s.update(p.write)
}

// Live gives the tasks that are not history, in the order of their ids. It
// reads none of the others.
func (s *Store) Live() ([]task.Record, error) {
	var records []task.Record
	err := s.view(func(tx *bbolt.Tx) error {
		tasks := tx.Bucket([]byte(bucketTasks))
		return tx.Bucket([]byte(bucketLive)).ForEach(func(key, _ []byte) error {
			r, err := decodeRecord(tasks.Get(key))
			records = append(records, r)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return records, nil
}

// Record gives one task, live or history; NO_SUCH_TASK otherwise.
func (s *Store) Record(id task.ID) (task.Record, error) {
	var r task.Record
	err := s.view(func(tx *bbolt.Tx) (err error) {
		raw := tx.Bucket([]byte(bucketTasks)).Get(taskKey(id))
		if raw == nil {
			return fault.Newf(fault.NoSuchTask, "no task %s", id)
		}
		r, err = decodeRecord(raw)
		return err
	})
	return r, err
}

// History pages the tasks that are final or evicted, newest first, whose title
// or state holds query in any case. Before 0 starts with the newest; limit 0
// gives all.
func (s *Store) History(query string, before task.ID, limit int) ([]task.Record, error) {
	var page []task.Record
	query = strings.ToLower(strings.TrimSpace(query))
	err := s.view(func(tx *bbolt.Tx) error {
		c := tx.Bucket([]byte(bucketTasks)).Cursor()
		for _, raw := newestBefore(c, before); raw != nil; _, raw = c.Prev() {
			r, err := decodeRecord(raw)
			if err != nil {
				return err
			}
			if !r.History && !r.View.Status.IsFinal() || !matches(&r, query) {
				continue
			}
			page = append(page, r)
			if limit > 0 && len(page) == limit {
				return nil
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

func newestBefore(c *bbolt.Cursor, before task.ID) (key, value []byte) {
	if before == 0 {
		return c.Last()
	}
	if key, _ := c.Seek(taskKey(before)); key == nil {
		return c.Last()
	}
	return c.Prev()
}

func matches(r *task.Record, query string) bool {
	return strings.Contains(strings.ToLower(r.View.Title), query) ||
		strings.Contains(strings.ToLower(string(r.View.Status.State)), query)
}

// Prune removes history that ended before the time (Unix ms): records,
// journals, decisions, presses and pictures. Bindings stay, as orphans, until
// what they refer to was ended.
func (s *Store) Prune(before int64) ([]task.ID, error) {
	var pruned []task.ID
	var pictures []string
	err := s.update(func(tx *bbolt.Tx) error {
		var err error
		if pruned, pictures, err = endedBefore(tx, before); err != nil {
			return err
		}
		for _, id := range pruned {
			if err := remove(tx, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return pruned, s.sweepPictures(pictures)
}

func endedBefore(tx *bbolt.Tx, before int64) (ids []task.ID, pictures []string, err error) {
	err = tx.Bucket([]byte(bucketTasks)).ForEach(func(key, raw []byte) error {
		r, err := decodeRecord(raw)
		if err != nil {
			return err
		}
		ended := r.EndedAt
		if ended == 0 {
			ended = r.View.SinceAt
		}
		if r.History && ended < before {
			ids = append(ids, idOf(key))
			for _, p := range r.Pictures {
				pictures = append(pictures, p.SHA256)
			}
		}
		return nil
	})
	return ids, pictures, err
}

func remove(tx *bbolt.Tx, id task.ID) error {
	if err := tx.Bucket([]byte(bucketTasks)).Delete(taskKey(id)); err != nil {
		return err
	}
	for _, name := range []string{bucketJournal, bucketDecisions, bucketPresses} {
		bucket := tx.Bucket([]byte(name))
		for _, key := range keysOf(bucket, id) {
			if err := bucket.Delete(key); err != nil {
				return err
			}
		}
	}
	return nil
}

// keysOf copies the keys of a task: a cursor must not see them go.
func keysOf(bucket *bbolt.Bucket, id task.ID) [][]byte {
	var keys [][]byte
	prefix := taskKey(id)
	c := bucket.Cursor()
	for key, _ := c.Seek(prefix); bytes.HasPrefix(key, prefix); key, _ = c.Next() {
		keys = append(keys, bytes.Clone(key))
	}
	return keys
}
