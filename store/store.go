// Package store keeps tasks in one bbolt file, so that every acknowledged
// transition is there after a crash: records, journal, decisions, press records
// and the bindings of their sides. It must not hold a secret value in any form;
// what it is given was redacted before. It knows nothing of what a state means.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"

	"countersign/surfaces/fault"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Store is an open store. Safe for concurrent use; every write is synced to
// disk when its call returns nil, and a call that fails has written nothing.
// Errors are faults with a STORE_ code, NO_SUCH_TASK, or INTERNAL for a call
// that no correct caller makes.
type Store struct {
	path   string
	file   *os.File // the one db uses: what is left to close when db cannot be
	db     *bbolt.DB
	broken atomic.Bool // damage was met: db may hold its locks for ever
	closed atomic.Bool
}

// options are what tests change.
type options struct {
	maxBytes int         // of the file; 0: no limit
	steps    []migration // nil: migrations()
}

// Open opens the store at path, or makes a new one with mode 0600 in a folder
// that it makes too. STORE_LOCKED when another process holds it, STORE_NEWER
// when a newer desk wrote it, STORE_DAMAGED when it is no store or cut short,
// STORE_READ_ONLY and STORE_FULL when it cannot be written, INVALID_REQUEST when
// no file can lie there.
func Open(path string) (*Store, error) { return open(path, options{}) }

func open(path string, o options) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, misplaced(path, err)
	}
	s := &Store{path: path}
	if err := s.guard(func() error { return s.openFile(o) }); err != nil {
		s.abandon()
		if fault.CodeOf(err) == fault.StoreLocked {
			return nil, locked(path, err)
		}
		return nil, err
	}
	s.writePID()
	if err := s.prepare(o); err != nil {
		_ = s.Close() // the first error is the one to tell
		return nil, err
	}
	return s, nil
}

// prepare checks that the file is ours, and brings it to the present schema.
func (s *Store) prepare(o options) error {
	if err := s.view(ours); err != nil {
		return err
	}
	steps := o.steps
	if steps == nil {
		steps = migrations()
	}
	return s.migrate(steps)
}

func (s *Store) openFile(o options) error {
	db, err := bbolt.Open(s.path, 0o600, &bbolt.Options{
		FreelistType: bbolt.FreelistMapType,
		Timeout:      lockTime, // for its own lock, where that is the only one
		MaxSize:      o.maxBytes,
		NoStatistics: true,
		OpenFile:     s.openWhole,
	})
	if err != nil {
		return openError(err)
	}
	s.db = db
	if err := s.narrow(); err != nil {
		_ = db.Close() // the first error is the one to tell
		return err
	}
	return nil
}

// openWhole opens the file for bbolt once it is locked and whole: bbolt's own
// lock, on the same open file, then comes at once.
func (s *Store) openWhole(name string, flag int, mode fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, flag, mode)
	if err != nil {
		return nil, misplaced(name, err)
	}
	s.file = f
	if err := lock(f); err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || info.Size() == 0 { // a new one
		return f, err
	}
	return f, whole(f, info.Size())
}

// narrow takes away what others may do with a file that was copied or made by
// hand.
func (s *Store) narrow() error {
	info, err := s.file.Stat()
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	return s.file.Chmod(0o600)
}

// openError calls damaged what bbolt refuses for reasons of its own.
func openError(err error) error {
	var errno syscall.Errno
	var known *fault.Error
	if errors.Is(err, bolterrors.ErrTimeout) || errors.As(err, &known) || errors.As(err, &errno) {
		return err
	}
	return damaged(err)
}

// misplaced says what is wrong with a path at which no file can lie.
func misplaced(path string, err error) error {
	switch f := fault.Of(translate(err)); {
	case errors.Is(err, syscall.EISDIR):
		return fault.Wrap(fault.InvalidRequest, err, path+" is a folder, and the store is a file").
			WithHint("Name a file in it: " + filepath.Join(path, "desk.db") + ".")
	case f.Code == fault.Internal:
		return fault.Wrap(fault.InvalidRequest, err, "no store can lie at "+path+": "+err.Error()).
			WithHint("Give the path of a file in a folder that can be written.")
	default:
		return f
	}
}

// ours refuses the file of another program.
func ours(tx *bbolt.Tx) error {
	meta := tx.Bucket([]byte(bucketMeta))
	if meta == nil {
		if first, _ := tx.Cursor().First(); first != nil {
			return fault.New(fault.StoreDamaged, "the file belongs to another program")
		}
		return nil
	}
	if string(meta.Get([]byte(keyApp))) != appName {
		return fault.New(fault.StoreDamaged, "the file belongs to another program")
	}
	return nil
}

// Path is where the store lies.
func (s *Store) Path() string { return s.path }

// Close gives the file back. Idempotent; waits for calls under way.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.removePID()
	if s.broken.Load() {
		s.abandon()
		return nil
	}
	return translate(s.db.Close())
}

// Closed reports whether Close was called.
func (s *Store) Closed() bool { return s.closed.Load() }

// abandon lets go of a file that bbolt can no longer close. The lock goes first:
// what bbolt has mapped would keep it past the close.
func (s *Store) abandon() {
	if s.file != nil {
		unlock(s.file)
		_ = s.file.Close()
	}
}

// Check looks through the whole file and reports the first inconsistency as
// STORE_DAMAGED. It reads everything: for doctor and for tests.
func (s *Store) Check() error {
	return s.view(func(tx *bbolt.Tx) error {
		var first error
		for err := range tx.Check() {
			if first == nil {
				first = damaged(err)
			}
		}
		return first
	})
}

func (s *Store) view(read func(*bbolt.Tx) error) error {
	return s.guard(func() error { return s.db.View(read) })
}

func (s *Store) update(write func(*bbolt.Tx) error) error {
	return s.guard(func() error { return s.db.Update(write) })
}

// guard is the border to bbolt. On a damaged file bbolt panics, and the memory
// map faults where the file ends too early; both become STORE_DAMAGED. After
// that nothing is tried again: bbolt may have kept a lock.
func (s *Store) guard(call func() error) (err error) {
	if s.broken.Load() {
		return fault.New(fault.StoreDamaged, "the store was found damaged earlier")
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			s.broken.Store(true)
			err = damaged(fmt.Errorf("%v", r))
		}
	}()
	return translate(call())
}

func damaged(cause error) error {
	return fault.Wrap(fault.StoreDamaged, cause, "the store cannot be read")
}

// translate makes a fault of what bbolt and the system answer.
func translate(err error) error {
	var known *fault.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, bolterrors.ErrTimeout):
		return fault.Wrap(fault.StoreLocked, err, "another process holds the store")
	case errors.Is(err, bolterrors.ErrMaxSizeReached) || isOrSays(err, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG):
		return fault.Wrap(fault.StoreFull, err, "no room is left for the store")
	case errors.Is(err, bolterrors.ErrDatabaseReadOnly) || isOrSays(err, syscall.EACCES, syscall.EPERM, syscall.EROFS):
		return fault.Wrap(fault.StoreReadOnly, err, "the store cannot be written")
	case isOrSays(err, syscall.EIO):
		return fault.Wrap(fault.StoreDamaged, err, "the disk under the store reports errors")
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen):
		return fault.Wrap(fault.Internal, err, "the store is closed")
	default:
		return fault.Wrap(fault.Internal, err, "the store could not do it")
	}
}

// isOrSays also reads the text: bbolt formats errors of growing a file without
// wrapping them.
func isOrSays(err error, numbers ...syscall.Errno) bool {
	for _, n := range numbers {
		if errors.Is(err, n) || strings.HasSuffix(err.Error(), n.Error()) {
			return true
		}
	}
	return false
}
