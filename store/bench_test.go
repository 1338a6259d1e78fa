package store_test

import (
	"path/filepath"
	"strings"
	"testing"

	"countersign/controller/task"
	"countersign/store"
	"countersign/store/storetest"
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
