package store

import (
	"bytes"

	"countersign/controller/task"

	"go.etcd.io/bbolt"
)

// Entries gives journal entries with Seq > after, oldest first, at most limit;
// limit 0 gives all.
func (s *Store) Entries(id task.ID, after uint64, limit int) ([]task.Entry, error) {
	return list[task.Entry](s, bucketJournal, id, after, limit)
}

// Decisions gives all of a task's, oldest first.
func (s *Store) Decisions(id task.ID) ([]task.Decision, error) {
	return list[task.Decision](s, bucketDecisions, id, 0, 0)
}

// Presses gives all of a task's, oldest first.
func (s *Store) Presses(id task.ID) ([]task.Press, error) {
	return list[task.Press](s, bucketPresses, id, 0, 0)
}

// list reads the numbered parts of a task after a number.
func list[T any](s *Store, bucket string, id task.ID, after uint64, limit int) ([]T, error) {
	var parts []T
	err := s.view(func(tx *bbolt.Tx) error {
		c, prefix := tx.Bucket([]byte(bucket)).Cursor(), taskKey(id)
		for key, raw := seekAfter(c, id, after); bytes.HasPrefix(key, prefix); key, raw = c.Next() {
			var part T
			if err := decode(raw, &part); err != nil {
				return err
			}
			parts = append(parts, part)
			if limit > 0 && len(parts) == limit {
				return nil
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return parts, nil
}

func seekAfter(c *bbolt.Cursor, id task.ID, after uint64) (key, value []byte) {
	from := numbered(id, after)
	key, value = c.Seek(from)
	if bytes.Equal(key, from) {
		return c.Next()
	}
	return key, value
}
