// Package storetest is for tests: a store that checks itself at the end, and a
// search of a store's raw bytes for what must never be in it.
package storetest

import (
	"path/filepath"
	"testing"

	"countersign/store"
)

// Open opens a new store in a folder of the test. At the end it is checked for
// consistency and closed.
func Open(t testing.TB) *store.Store {
	t.Helper()
	return OpenAt(t, filepath.Join(t.TempDir(), "desk.db"))
}

// OpenAt opens the store at path, with the same check at the end. A test that
// closes it earlier, to open it again, calls Check itself before.
func OpenAt(t testing.TB, path string) *store.Store {
	t.Helper()
	s, err := store.Open(path)
	if err != nil {
		t.Fatalf("opening the store: %v", err)
	}
	t.Cleanup(func() { finish(t, s) })
	return s
}

// Check fails the test when the store is inconsistent.
func Check(t testing.TB, s *store.Store) {
	t.Helper()
	if err := s.Check(); err != nil {
		t.Errorf("the store is inconsistent: %v", err)
	}
}

// Close checks and closes, for a test that goes on with the file.
func Close(t testing.TB, s *store.Store) {
	t.Helper()
	Check(t, s)
	if err := s.Close(); err != nil {
		t.Errorf("closing the store: %v", err)
	}
}

// finish checks a store that the test did not close, then closes it.
func finish(t testing.TB, s *store.Store) {
	t.Helper()
	if s.Closed() {
		return
	}
	Close(t, s)
}
