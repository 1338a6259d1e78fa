package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"countersign/controller/task"
	"countersign/store"
	"countersign/store/storetest"
	"countersign/surfaces/fault"

	"go.etcd.io/bbolt"
)

// childStore names the store that a copy of this test program writes to until
// it is killed.
const childStore = "COUNTERSIGN_TEST_CHILD_STORE"

// child commits one revision after the other and says which ones returned.
func child(path string) {
	s, err := store.Open(path)
	if err != nil {
		fmt.Println("cannot open:", err)
		os.Exit(1)
	}
	for revision := uint64(1); ; revision++ {
		r := record(1, revision, task.Running)
		r.Seq = revision
		if err := s.Commit(task.Change{Record: r, Entries: []task.Entry{viewEntry(1, revision)}}); err != nil {
			fmt.Println("cannot commit:", err)
			os.Exit(1)
		}
		fmt.Println(revision)
	}
}

// startChild runs child on path and returns once it acknowledged a revision.
func startChild(t *testing.T, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childStore+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "1" {
		t.Fatalf("the child said %q", lines.Text())
	}
	return cmd, lines
}

// kill ends the child as kill -9 does and returns the last revision it
// acknowledged.
func kill(t *testing.T, cmd *exec.Cmd, lines *bufio.Scanner) uint64 {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	last := uint64(1)
	for lines.Scan() {
		n, err := strconv.ParseUint(lines.Text(), 10, 64)
		if err != nil {
			t.Fatalf("the child said %q", lines.Text())
		}
		last = n
	}
	_ = cmd.Wait() // it says that it was killed
	return last
}

func TestKilledWriterLosesNothingAcknowledged(t *testing.T) {
	for round := range 3 {
		path := filepath.Join(t.TempDir(), "desk.db")
		cmd, lines := startChild(t, path)
		for range 20 + 7*round {
			lines.Scan()
		}
		last := kill(t, cmd, lines)
		s := storetest.OpenAt(t, path) // the lock and the id beside it are no hindrance
		r, err := s.Record(1)
		if err != nil {
			t.Fatal(err)
		}
		if r.Revision < last || r.Revision != r.View.Revision {
			t.Errorf("revision %d is stored, %d was acknowledged", r.Revision, last)
		}
		entries, err := s.Entries(1, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if uint64(len(entries)) != r.Seq || entries[len(entries)-1].Seq != r.Seq {
			t.Errorf("%d entries for %d", len(entries), r.Seq)
		}
	}
}

func TestLockedNamesTheHolderWithinASecond(t *testing.T) {
	path := filepath.Join(t.TempDir(), "desk.db")
	cmd, lines := startChild(t, path)
	defer kill(t, cmd, lines)
	synctest.Test(t, func(t *testing.T) { // so that only its own waits count
		start := time.Now()
		_, err := store.Open(path)
		took := time.Since(start)
		f := fault.Of(err)
		if fault.CodeOf(err) != fault.StoreLocked || !strings.Contains(f.Hint, strconv.Itoa(cmd.Process.Pid)) {
			t.Errorf("got %v, hint %q; want STORE_LOCKED and process %d", err, f.Hint, cmd.Process.Pid)
		}
		if took < 300*time.Millisecond || took > time.Second {
			t.Errorf("it waited %v, want some time for another desk to close, and less than a second", took)
		}
	})
}

func TestLockedByWhoLeftNoID(t *testing.T) {
	for _, left := range []string{"", "rubbish", "-1", strconv.Itoa(1 << 30)} {
		path := filepath.Join(t.TempDir(), "desk.db")
		s := storetest.OpenAt(t, path)
		if err := os.WriteFile(path+".pid", []byte(left), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := store.Open(path)
		if f := fault.Of(err); f == nil || f.Code != fault.StoreLocked || strings.Contains(f.Hint, "process") || f.Hint == "" {
			t.Errorf("left %q: got %v", left, f)
		}
		storetest.Close(t, s)
	}
}

func TestNewFileIsPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "desk.db")
	storetest.Close(t, storetest.OpenAt(t, path))
	for _, wide := range []os.FileMode{0, 0o666} {
		if wide != 0 {
			if err := os.Chmod(path, wide); err != nil {
				t.Fatal(err)
			}
			storetest.Close(t, storetest.OpenAt(t, path))
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != 0o600 {
			t.Errorf("mode %o, want 600", got)
		}
	}
	if _, err := os.Stat(path + ".pid"); !os.IsNotExist(err) {
		t.Errorf("the process id is left behind: %v", err)
	}
}

// filled is the path of a closed store that holds a few hundred entries.
func filled(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "desk.db")
	s := storetest.OpenAt(t, path)
	for range 30 {
		final(t, s, strings.Repeat("A long title. ", 40), task.Done, 1, true)
	}
	storetest.Close(t, s)
	return path
}

// TestDamagedFiles: whatever stands in the file, there is a code and no panic,
// and the file is left as it was.
func TestDamagedFiles(t *testing.T) {
	whole, err := os.ReadFile(filled(t))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string][]byte{
		"text":             []byte("my shopping list\n"),
		"longer text":      []byte(strings.Repeat("my shopping list\n", 5000)),
		"zeroes":           make([]byte, 1<<16),
		"cut in the head":  whole[:100],
		"cut after a page": whole[:4096],
		"cut to half":      whole[:len(whole)/2/4096*4096],
		"cut mid page":     whole[:len(whole)/2+100],
	}
	for name, content := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "desk.db")
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := store.Open(path)
			if got := fault.CodeOf(err); got != fault.StoreDamaged || fault.Of(err).Hint == "" {
				t.Errorf("got %v, want STORE_DAMAGED", err)
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != string(content) {
				t.Error("the file was changed")
			}
			// The refusal holds no lock: once moved aside, the path serves again.
			if err := os.Rename(path, path+".aside"); err != nil {
				t.Fatal(err)
			}
			storetest.OpenAt(t, path)
		})
	}
}

// TestDamagedPages overwrites one page after the other: every call answers a
// fault or what was stored, and none panics or hangs.
func TestDamagedPages(t *testing.T) {
	whole, err := os.ReadFile(filled(t))
	if err != nil {
		t.Fatal(err)
	}
	met := 0
	for page := 2; page*4096 < len(whole); page++ {
		path := filepath.Join(t.TempDir(), "desk.db")
		content := append([]byte(nil), whole...)
		for i := page * 4096; i < (page+1)*4096 && i < len(content); i++ {
			content[i] = byte(i*7 + page)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(path)
		if err != nil {
			if fault.CodeOf(err) != fault.StoreDamaged {
				t.Errorf("page %d: open gave %v", page, err)
			}
			met++
			continue
		}
		for what, err := range useAll(s) {
			if c := fault.CodeOf(err); c != "" && c != fault.StoreDamaged && c != fault.StoreNewer {
				t.Errorf("page %d: %s gave %v", page, what, err)
			}
			if err != nil {
				met++
			}
		}
		if err := s.Close(); err != nil {
			t.Errorf("page %d: close gave %v", page, err)
		}
	}
	if met == 0 {
		t.Error("no damage was met")
	}
}

func useAll(s *store.Store) map[string]error {
	failed := map[string]error{}
	_, failed["live"] = s.Live()
	_, failed["history"] = s.History("", 0, 0)
	_, failed["entries"] = s.Entries(7, 0, 0)
	_, failed["decisions"] = s.Decisions(7)
	_, failed["orphans"] = s.Orphans()
	failed["commit"] = s.Commit(task.Change{Record: record(31, 1, task.Running)})
	_, failed["allocate"] = s.Allocate()
	return failed
}

func TestAnotherProgramsFileIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.db")
	write := func(bucket, key, value string) {
		t.Helper()
		db, err := bbolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte(bucket))
			if err != nil {
				return err
			}
			return b.Put([]byte(key), []byte(value))
		})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
	}
	write("photos", "1", "a cat")
	for range 2 { // the second time it has a bucket named as ours
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Open(path); fault.CodeOf(err) != fault.StoreDamaged || !strings.Contains(err.Error(), "another program") {
			t.Errorf("got %v, want STORE_DAMAGED naming another program", err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
			t.Error("the file was changed")
		}
		write("meta", "app", "photos")
	}
}

func TestFolderAndMissingRights(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{dir: "is a folder", filepath.Join(file, "x.db"): "not a directory", "/proc/x.db": "no store can lie"} {
		if _, err := store.Open(path); fault.CodeOf(err) != fault.InvalidRequest || !strings.Contains(err.Error(), says) {
			t.Errorf("%s gave %v, want INVALID_REQUEST with %q", path, err, says)
		}
	}
	if os.Geteuid() == 0 {
		return // root may write everything; the mounted file system below shows it
	}
	path := filled(t)
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(path); fault.CodeOf(err) != fault.StoreReadOnly {
		t.Errorf("a file without the right to write gave %v, want STORE_READ_ONLY", err)
	}
}

// mount gives a small file system of its own, or skips where that takes rights
// we lack.
func mount(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("mounting a small file system takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmounting: %v", err)
		}
	})
	return dir
}

func TestReadOnlyFileSystem(t *testing.T) {
	dir := mount(t)
	path := filepath.Join(dir, "desk.db")
	storetest.Close(t, storetest.OpenAt(t, path))
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("remounting: %v", err)
	}
	for _, at := range []string{path, filepath.Join(dir, "new.db"), filepath.Join(dir, "new", "desk.db")} {
		if _, err := store.Open(at); fault.CodeOf(err) != fault.StoreReadOnly {
			t.Errorf("%s gave %v, want STORE_READ_ONLY", filepath.Base(at), err)
		}
	}
}

func TestFullDiskRefusesAndKeepsWhatIsThere(t *testing.T) {
	path := filepath.Join(mount(t), "desk.db")
	s := storetest.OpenAt(t, path)
	fillUp(t, s, path)
}

// fillUp commits until no room is left, and checks that the last good state
// stands, and that it goes on once there is room.
func fillUp(t *testing.T, s *store.Store, path string) {
	t.Helper()
	id := allocate(t, s)
	var last uint64
	for revision := uint64(1); ; revision++ {
		r := record(id, revision, task.Running)
		r.Request.Task = strings.Repeat("x", 3000)
		r.Seq = revision
		e := viewEntry(id, revision)
		e.View.Summary = strings.Repeat("y", 3000)
		err := s.Commit(task.Change{Record: r, Entries: []task.Entry{e}})
		if err == nil && revision < 10_000 {
			last = revision
			continue
		}
		if fault.CodeOf(err) != fault.StoreFull {
			t.Fatalf("revision %d gave %v, want STORE_FULL", revision, err)
		}
		break
	}
	for range 2 { // the refusal can be repeated, and reading goes on
		r, err := s.Record(id)
		if err != nil || r.Revision != last {
			t.Fatalf("revision %d is stored (%v), want %d", r.Revision, err, last)
		}
		entries, err := s.Entries(id, 0, 0)
		if err != nil || uint64(len(entries)) != last {
			t.Fatalf("%d entries (%v), want %d", len(entries), err, last)
		}
		big := record(id, last+1, task.Running)
		big.Request.Task = strings.Repeat("z", 1<<19)
		if got := fault.CodeOf(s.Commit(task.Change{Record: withSeq(big, last)})); got != fault.StoreFull {
			t.Errorf("a second try gave %q, want STORE_FULL", got)
		}
	}
	storetest.Close(t, s)
	again := storetest.OpenAt(t, path)
	if r, err := again.Record(id); err != nil || r.Revision != last {
		t.Errorf("opened again: revision %d (%v), want %d", r.Revision, err, last)
	}
}

func withSeq(r task.Record, seq uint64) task.Record {
	r.Seq = seq
	return r
}
