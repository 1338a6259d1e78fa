package store_test

import (
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"countersign/controller/task"
	"countersign/store"
	"countersign/store/storetest"

	"go.etcd.io/bbolt"
)

// thousand is a store of 1,000 finished tasks with 20 entries each, and five
// that are live.
func thousand(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "desk.db")
	s, err := store.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	for n := range 1005 {
		id := allocate(b, s)
		r := record(id, 1, task.Done)
		r.View.Summary, r.History = strings.Repeat("A sentence. ", 40), n < 1000
		var entries []task.Entry
		for seq := range uint64(20) {
			entries = append(entries, viewEntry(id, seq+1))
		}
		r.Seq = 20
		commit(b, s, task.Change{Record: r, Entries: entries})
	}
	storetest.Close(b, s)
	return path
}

// BenchmarkStart opens a store of 1,000 finished tasks and reads the live ones,
// as a starting desk does.
func BenchmarkStart(b *testing.B) {
	path := thousand(b)
	for b.Loop() {
		s, err := store.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		live, err := s.Live()
		if err != nil || len(live) != 5 {
			b.Fatal(len(live), err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHistoryPage reads one page of that history.
func BenchmarkHistoryPage(b *testing.B) {
	s := storetest.OpenAt(b, thousand(b))
	for b.Loop() {
		if page, err := s.History("", 0, 50); err != nil || len(page) != 50 {
			b.Fatal(len(page), err)
		}
	}
}

// BenchmarkCommit is one transition with its entry, synced to the disk.
func BenchmarkCommit(b *testing.B) {
	s := storetest.OpenAt(b, filepath.Join(b.TempDir(), "desk.db"))
	id := allocate(b, s)
	revision := uint64(0)
	for b.Loop() {
		revision++
		r := record(id, revision, task.Running)
		r.Seq = revision
		commit(b, s, task.Change{Record: r, Entries: []task.Entry{viewEntry(id, revision)}})
	}
}

// BenchmarkTransition makes one durable transition, then one bare bbolt Update
// that puts the same bytes, in turn, so that both meet the same disk. The ratio
// of their medians must not exceed 1.3.
func BenchmarkTransition(b *testing.B) {
	s := storetest.OpenAt(b, filepath.Join(b.TempDir(), "desk.db"))
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "bare.db"), 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	r, e := record(allocate(b, s), 1, task.Running), viewEntry(1, 1)
	rec, entry := encoded(b, r), encoded(b, e)
	var ours, bares []time.Duration
	for b.Loop() {
		r.Revision++
		r.View.Revision, r.Seq = r.Revision, r.Seq+1
		e.Seq = r.Seq
		began := time.Now()
		commit(b, s, task.Change{Record: r, Entries: []task.Entry{e}})
		between := time.Now()
		if err := db.Update(func(tx *bbolt.Tx) error { return bare(tx, r.Seq, rec, entry) }); err != nil {
			b.Fatal(err)
		}
		ours, bares = append(ours, between.Sub(began)), append(bares, time.Since(between))
	}
	b.ReportMetric(float64(median(ours))/float64(median(bares)), "ratio")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// bare puts a record and an entry where the store would.
func bare(tx *bbolt.Tx, n uint64, rec, entry []byte) error {
	key := binary.BigEndian.AppendUint64(nil, 1)
	for name, kv := range map[string][2][]byte{"tasks": {key, rec}, "journal": {binary.BigEndian.AppendUint64(key, n), entry}, "live": {key, {}}} {
		bucket, err := tx.CreateBucketIfNotExists([]byte(name))
		if err != nil {
			return err
		}
		if err := bucket.Put(kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

func encoded(b *testing.B, v any) []byte {
	b.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	return raw
}
