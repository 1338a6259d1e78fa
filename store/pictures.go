package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"countersign/surfaces/fault"
)

// pictures is the folder of the pictures, beside the store's file and of its
// name, so that two stores in one folder keep theirs apart.
func (s *Store) pictures() string { return filepath.Join(s.path+".d", "pictures") }

func (s *Store) picture(digest string) string { return filepath.Join(s.pictures(), digest+".png") }

// KeepPicture writes a picture under its SHA-256 and gives that, in hex. It is on
// disk when the call returns nil, so that a record may name it.
func (s *Store) KeepPicture(png []byte) (string, error) {
	sum := sha256.Sum256(png)
	digest := hex.EncodeToString(sum[:])
	return digest, s.guard(func() error {
		if err := os.MkdirAll(s.pictures(), 0o700); err != nil {
			return err
		}
		return writeSynced(s.picture(digest), png)
	})
}

// writeSynced makes a file that is whole and on disk, or not there.
func writeSynced(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "*.new")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to tell
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Picture gives a picture's bytes; NO_SUCH_OUTPUT when it is unknown, pruned, or
// no longer what its name says.
func (s *Store) Picture(digest string) ([]byte, error) {
	none := fault.New(fault.NoSuchOutput, "this picture is not kept")
	if raw, err := hex.DecodeString(digest); err != nil || len(raw) != sha256.Size {
		return nil, none
	}
	png, err := os.ReadFile(s.picture(digest))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, none
	}
	if err != nil {
		return nil, translate(err)
	}
	if sum := sha256.Sum256(png); hex.EncodeToString(sum[:]) != digest {
		return nil, none
	}
	return png, nil
}

// DropPicture removes a picture no record names any more. One that is not there
// is no error.
func (s *Store) DropPicture(digest string) error {
	if raw, err := hex.DecodeString(digest); err != nil || len(raw) != sha256.Size {
		return nil
	}
	if err := os.Remove(s.picture(digest)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return translate(err)
	}
	return nil
}

// strayAge is how old a picture without a record must be before it is taken for
// one whose record was never written: the desk may be writing that now.
const strayAge = time.Hour

// sweepPictures removes the files no record names: those of pruned tasks, and
// what a desk that was killed left. What cannot be removed waits for the next
// time.
func (s *Store) sweepPictures(gone []string) error {
	for _, digest := range gone {
		_ = s.DropPicture(digest)
	}
	files, err := os.ReadDir(s.pictures())
	if err != nil {
		return nil // none was ever kept
	}
	named, err := s.named()
	if err != nil {
		return err
	}
	for _, f := range files {
		info, err := f.Info()
		if err == nil && !named[f.Name()] && time.Since(info.ModTime()) > strayAge {
			_ = os.Remove(filepath.Join(s.pictures(), f.Name()))
		}
	}
	return nil
}

// named are the names of the files that records name.
func (s *Store) named() (map[string]bool, error) {
	names := map[string]bool{}
	return names, s.view(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(bucketTasks)).ForEach(func(_, raw []byte) error {
			r, err := decodeRecord(raw)
			for _, p := range r.Pictures {
				names[p.SHA256+".png"] = true
			}
			return err
		})
	})
}
