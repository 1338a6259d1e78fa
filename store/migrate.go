package store

import (
	"encoding/binary"

	"countersign/surfaces/fault"

	"go.etcd.io/bbolt"
)

// migration takes a file from one schema to the next, inside one write
// transaction that also raises the number.
type migration func(*bbolt.Tx) error

// migrations are all steps: the n-th, counted from 0, leads from schema n to
// n+1. A step is never changed once released; testdata keeps a file of every
// schema, and a test that reads it.
func migrations() []migration { return []migration{firstSchema} }

// firstSchema makes a new store.
func firstSchema(tx *bbolt.Tx) error {
	for _, name := range []string{bucketMeta, bucketTasks, bucketLive, bucketJournal, bucketDecisions, bucketPresses, bucketBindings} {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return tx.Bucket([]byte(bucketMeta)).Put([]byte(keyApp), []byte(appName))
}

// migrate runs the steps that are missing. A step that fails leaves the file
// at the schema before it.
func (s *Store) migrate(steps []migration) error {
	var at int
	if err := s.view(func(tx *bbolt.Tx) (err error) { at, err = schemaOf(tx); return err }); err != nil {
		return err
	}
	if at > len(steps) {
		return fault.Newf(fault.StoreNewer, "the store has schema %d and this desk knows %d", at, len(steps))
	}
	for ; at < len(steps); at++ {
		if err := s.update(func(tx *bbolt.Tx) error { return apply(tx, steps[at], at+1) }); err != nil {
			return err
		}
	}
	return nil
}

func apply(tx *bbolt.Tx, step migration, to int) error {
	if err := step(tx); err != nil {
		return err
	}
	return tx.Bucket([]byte(bucketMeta)).Put([]byte(keySchema), binary.BigEndian.AppendUint32(nil, uint32(to)))
}

// schemaOf is 0 for a file that is new.
func schemaOf(tx *bbolt.Tx) (int, error) {
	meta := tx.Bucket([]byte(bucketMeta))
	if meta == nil {
		return 0, nil
	}
	raw := meta.Get([]byte(keySchema))
	if len(raw) != 4 {
		return 0, fault.New(fault.StoreDamaged, "the store has no schema number")
	}
	return int(binary.BigEndian.Uint32(raw)), nil
}
