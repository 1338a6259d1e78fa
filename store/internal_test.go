package store

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"countersign/controller/task"
	"countersign/surfaces"
	"countersign/surfaces/fault"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"
)

var update = flag.Bool("update", false, "write the stored old files anew")

// TestStoredOldFiles opens a copy of a file of every schema that was ever
// released, and reads what was written into it then.
func TestStoredOldFiles(t *testing.T) {
	for schema := 1; schema <= len(migrations()); schema++ {
		name := filepath.Join("testdata", fmt.Sprintf("schema%d.db", schema))
		if *update && schema == len(migrations()) {
			writeOldFile(t, name)
		}
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "desk.db")
			if err := os.WriteFile(path, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := openWith(t, path, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkOldFile(t, s)
		})
	}
}

func oldChange() task.Change {
	id := task.ID(2)
	return task.Change{
		Record: task.Record{ID: id, Revision: 3, Seq: 1, Holding: true, View: task.View{
			ID: id, Revision: 3, Title: "Letter to Ana",
			Status: task.Status{State: task.NeedsApproval, Action: "sending the letter", Target: "Send", Digest: "9c41"},
		}},
		Entries:   []task.Entry{{Event: task.EventDecision, Task: id, Seq: 1, At: 5, Decision: &task.DecisionNote{ID: 1, State: task.DecisionAsked}}},
		Decisions: []task.Decision{{ID: 1, Task: id, State: task.DecisionAsked, Digest: "9c41"}},
		Press:     &task.Press{Task: id, Seq: 1, Step: "4", State: task.Pressed},
	}
}

func writeOldFile(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	s, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if _, err := s.Allocate(); err != nil {
			t.Fatal(err)
		}
	}
	binding := surfaces.Binding{Side: surfaces.Browser, Driver: "chrome"}
	if err := errors.Join(s.Commit(oldChange()), s.Bind(2, binding), s.Close()); err != nil {
		t.Fatal(err)
	}
}

func checkOldFile(t *testing.T, s *Store) {
	t.Helper()
	want := oldChange()
	live, err := s.Live()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]task.Record{want.Record}, live); diff != "" {
		t.Errorf("live (-want +got):\n%s", diff)
	}
	entries, err := s.Entries(2, 0, 0)
	if diff := cmp.Diff(want.Entries, entries); diff != "" || err != nil {
		t.Errorf("entries (-want +got):\n%s %v", diff, err)
	}
	decisions, err := s.Decisions(2)
	if diff := cmp.Diff(want.Decisions, decisions); diff != "" || err != nil {
		t.Errorf("decisions (-want +got):\n%s %v", diff, err)
	}
	presses, err := s.Presses(2)
	if diff := cmp.Diff([]task.Press{*want.Press}, presses); diff != "" || err != nil {
		t.Errorf("presses (-want +got):\n%s %v", diff, err)
	}
	bindings, err := s.Bindings(2)
	if err != nil || len(bindings) != 1 || bindings[0].Driver != "chrome" {
		t.Errorf("bindings %v, %v", bindings, err)
	}
	if id, err := s.Allocate(); err != nil || id != 6 {
		t.Errorf("allocated %s, %v; want t-6", id, err)
	}
}

func openWith(t *testing.T, path string, steps []migration) (*Store, error) {
	t.Helper()
	s, err := open(path, options{steps: steps})
	if err == nil {
		t.Cleanup(func() { finish(t, s) })
	}
	return s, err
}

// finish checks and closes a store that the test did not close.
func finish(t *testing.T, s *Store) {
	t.Helper()
	if s.Closed() {
		return
	}
	if err := errors.Join(s.Check(), s.Close()); err != nil {
		t.Error(err)
	}
}

func TestMigrationsRunOnceInOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "desk.db")
	s, err := openWith(t, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var ran []string
	step := func(name string, fails error) migration {
		return func(tx *bbolt.Tx) error {
			ran = append(ran, name)
			if err := tx.Bucket([]byte(bucketMeta)).Put([]byte(name), []byte("ran")); err != nil {
				return err
			}
			return fails
		}
	}
	broken := errors.New("a step that fails")
	if _, err := openWith(t, path, append(migrations(), step("second", nil), step("third", broken))); !errors.Is(err, broken) {
		t.Fatalf("got %v, want the step's error", err)
	}
	s, err = openWith(t, path, append(migrations(), step("second", nil), step("third", nil)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"second", "third", "third"}, ran); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := openWith(t, path, nil); fault.CodeOf(err) != fault.StoreNewer || fault.Of(err).Hint == "" {
		t.Errorf("an older desk got %v, want STORE_NEWER", err)
	}
}

func TestNewerAndBrokenValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "desk.db")
	s, err := openWith(t, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		raw  []byte
		want fault.Code
	}{
		"newer":     {append([]byte{version + 1}, "whatever"...), fault.StoreNewer},
		"version 0": {append([]byte{0}, make([]byte, 40)...), fault.StoreDamaged},
		"empty":     {[]byte{}, fault.StoreDamaged},
		"short":     {[]byte{version, 1, 2}, fault.StoreDamaged},
		"no JSON":   {append(append([]byte{version}, make([]byte, 16)...), "{"...), fault.StoreDamaged},
	}
	for name, tt := range tests {
		err := s.update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte(bucketTasks)).Put(taskKey(1), tt.raw) })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Record(1); fault.CodeOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
	if err := s.update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte(bucketMeta)).Delete([]byte(keySchema)) }); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := openWith(t, path, nil); fault.CodeOf(err) != fault.StoreDamaged {
		t.Errorf("without a schema number: %v, want STORE_DAMAGED", err)
	}
}

// TestNoRoomWithinTheLimit shows STORE_FULL where no file system may be
// mounted.
func TestNoRoomWithinTheLimit(t *testing.T) {
	s, err := open(filepath.Join(t.TempDir(), "desk.db"), options{maxBytes: 1 << 17})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { finish(t, s) })
	big := oldChange()
	if err := s.Commit(big); err != nil {
		t.Fatal(err)
	}
	big.Record.Revision, big.Entries, big.Record.Request.Task = 4, nil, string(make([]byte, 1<<18))
	if got := fault.CodeOf(s.Commit(big)); got != fault.StoreFull {
		t.Errorf("got %q, want STORE_FULL", got)
	}
	if r, err := s.Record(2); err != nil || r.Revision != 3 {
		t.Errorf("revision %d, %v; want 3", r.Revision, err)
	}
}

func TestTranslate(t *testing.T) {
	wrapped := func(e error) error { return &os.PathError{Op: "write", Path: "desk.db", Err: e} }
	tests := map[fault.Code][]error{
		fault.StoreFull:     {wrapped(syscall.ENOSPC), wrapped(syscall.EDQUOT), fmt.Errorf("file resize error: %s", syscall.EFBIG)},
		fault.StoreReadOnly: {wrapped(syscall.EROFS), wrapped(syscall.EACCES), wrapped(syscall.EPERM)},
		fault.StoreDamaged:  {wrapped(syscall.EIO)},
		fault.Internal:      {errors.New("something else")},
		fault.NoSuchTask:    {fault.New(fault.NoSuchTask, "no task t-9")},
		"":                  {nil},
	}
	for want, errs := range tests {
		for _, err := range errs {
			if got := fault.CodeOf(translate(err)); got != want {
				t.Errorf("translate(%v) = %q, want %q", err, got, want)
			}
		}
	}
}

// FuzzDecode: any bytes are a value, or a fault; what was read is written back
// as the same value.
func FuzzDecode(f *testing.F) {
	c := oldChange()
	raw, err := encodeRecord(&c.Record)
	if err != nil {
		f.Fatal(err)
	}
	entry, err := encode(c.Entries[0])
	if err != nil {
		f.Fatal(err)
	}
	oneID := []byte("\x010000000000000000{\"view\":{\"id\":\"t-1\"}}")
	for _, seed := range [][]byte{raw, entry, oneID, {}, {0}, {1}, {2}, binary.BigEndian.AppendUint64([]byte{1}, 7)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, _, _ = decodeHead(raw)
		for _, v := range []any{&task.Entry{}, &task.Decision{}, &task.Press{}, &surfaces.Binding{}} {
			_ = decode(raw, v)
		}
		r, err := decodeRecord(raw)
		if err != nil {
			if c := fault.CodeOf(err); c != fault.StoreDamaged && c != fault.StoreNewer {
				t.Errorf("got %v", err)
			}
			return
		}
		if r.ID == 0 || r.View.ID == 0 {
			return // the text of no id cannot be read again; commits have both
		}
		again, err := encodeRecord(&r)
		if err != nil {
			return // a raw part that is no JSON by itself
		}
		if _, err := decodeRecord(again); err != nil {
			t.Errorf("read once and not again: %v", err)
		}
	})
}

// TestBrokenStoreGivesItsLockBack: what is still mapped must not keep it.
func TestBrokenStoreGivesItsLockBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "desk.db")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	s.broken.Store(true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := openWith(t, path, nil); err != nil {
		t.Error(err)
	}
}
