package controllertest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Store is a controller.Store in memory. Everything goes in and out as JSON,
// as it would to a disk, so that nothing is shared with the caller. It outlives
// the controllers opened on it, like a file.
type Store struct {
	mu        sync.Mutex // guards the rest
	last      task.ID
	records   map[task.ID][]byte
	entries   map[task.ID][]task.Entry
	decisions map[task.ID]map[uint64]task.Decision
	presses   map[task.ID]map[uint64]task.Press
	bindings  map[task.ID]map[surfaces.Side]surfaces.Binding
	pictures  map[string][]byte
	refuse    func(task.Change) error
	filled    bool // what FillAfter set has refused
	linger    time.Duration
	commits   int
	written   []byte // every byte ever written, to search for secrets
}

var _ controller.Store = (*Store)(nil)

// NewStore makes an empty store.
func NewStore() *Store {
	return &Store{
		records: map[task.ID][]byte{}, entries: map[task.ID][]task.Entry{},
		decisions: map[task.ID]map[uint64]task.Decision{}, presses: map[task.ID]map[uint64]task.Press{},
		bindings: map[task.ID]map[surfaces.Side]surfaces.Binding{}, pictures: map[string][]byte{},
	}
}

// Refuse makes Commit fail with what f says; nil lets everything through.
func (s *Store) Refuse(f func(task.Change) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse, s.filled = f, false
}

// FillAfter fills the disk once n more transitions were stored; Refuse(nil)
// makes room.
func (s *Store) FillAfter(n int) {
	s.Refuse(func(task.Change) error {
		if n > 0 {
			n--
			return nil
		}
		s.filled = true
		return Full()
	})
}

// Refuses reports whether FillAfter has refused a transition and there is no
// room yet.
func (s *Store) Refuses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.filled
}

// RefuseAfter is Refuse for use inside a refusing function.
func (s *Store) RefuseAfter(f func(task.Change) error) { s.refuse = f }

// Full is the fault of a disk without room.
func Full() error { return fault.New(fault.StoreFull, "no room is left for the store") }

// Written gives every byte ever written.
func (s *Store) Written() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.written)
}

// Commits counts transactions.
func (s *Store) Commits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commits
}

// Allocate implements controller.Store.
func (s *Store) Allocate() (task.ID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	return s.last, nil
}

// Linger makes every Commit return that long after what it wrote can be read.
func (s *Store) Linger(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.linger = d
}

// Commit implements controller.Store.
func (s *Store) Commit(c task.Change) error {
	linger, err := s.commit(c)
	if err == nil {
		time.Sleep(linger)
	}
	return err
}

func (s *Store) commit(c task.Change) (time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.linger, s.write(c)
}

// write needs the lock.
func (s *Store) write(c task.Change) error {
	if s.refuse != nil {
		if err := s.refuse(c); err != nil {
			return err
		}
	}
	id := c.Record.ID
	if err := s.check(id, c); err != nil {
		return err
	}
	b, err := json.Marshal(c)
	if err != nil {
		return fault.Wrap(fault.Internal, err, "a change cannot be encoded")
	}
	s.commits++
	s.written = append(s.written, b...)
	var stored task.Change
	if err := json.Unmarshal(b, &stored); err != nil {
		return fault.Wrap(fault.Internal, err, "a change cannot be decoded")
	}
	if s.records[id], err = json.Marshal(stored.Record); err != nil {
		return fault.Wrap(fault.Internal, err, "a record cannot be encoded")
	}
	s.entries[id] = append(s.entries[id], stored.Entries...)
	for _, d := range stored.Decisions {
		put(s.decisions, id, d.ID, d)
	}
	if p := stored.Press; p != nil {
		put(s.presses, id, p.Seq, *p)
	}
	return nil
}

func (s *Store) check(id task.ID, c task.Change) error {
	seq := uint64(len(s.entries[id]))
	if b, ok := s.records[id]; ok {
		var old task.Record
		if err := json.Unmarshal(b, &old); err != nil {
			return err
		}
		if c.Record.Revision < old.Revision {
			return fault.Newf(fault.Internal, "revision %d after %d", c.Record.Revision, old.Revision)
		}
	}
	for _, e := range c.Entries {
		seq++
		if e.Seq != seq {
			return fault.Newf(fault.Internal, "entry %d where %d is due", e.Seq, seq)
		}
	}
	if c.Record.Seq != seq {
		return fault.Newf(fault.Internal, "record says entry %d, the last is %d", c.Record.Seq, seq)
	}
	return nil
}

func put[K comparable, V any](m map[task.ID]map[K]V, id task.ID, k K, v V) {
	if m[id] == nil {
		m[id] = map[K]V{}
	}
	m[id][k] = v
}

// Live implements controller.Records.
func (s *Store) Live() ([]task.Record, error) {
	return s.pick(func(r task.Record) bool { return !r.History }), nil
}

// Record implements controller.Records.
func (s *Store) Record(id task.ID) (task.Record, error) {
	found := s.pick(func(r task.Record) bool { return r.ID == id })
	if len(found) == 0 {
		return task.Record{}, noTask(id)
	}
	return found[0], nil
}

// History implements controller.Records.
func (s *Store) History(query string, before task.ID, limit int) ([]task.Record, error) {
	found := s.pick(func(r task.Record) bool {
		text := strings.ToLower(r.View.Title + " " + string(r.View.Status.State))
		return r.View.Status.IsFinal() && strings.Contains(text, strings.ToLower(query)) && (before == 0 || r.ID < before)
	})
	slices.Reverse(found)
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found, nil
}

func (s *Store) pick(keep func(task.Record) bool) []task.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []task.Record{}
	for _, id := range slices.Sorted(maps.Keys(s.records)) {
		var r task.Record
		if err := json.Unmarshal(s.records[id], &r); err != nil {
			panic(err) // it was encoded here
		}
		if keep(r) {
			found = append(found, r)
		}
	}
	return found
}

// Entries implements controller.Records.
func (s *Store) Entries(id task.ID, after uint64, limit int) ([]task.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.entries[id]
	if after >= uint64(len(all)) {
		return nil, nil
	}
	all = all[after:]
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return slices.Clone(all), nil
}

// Decisions implements controller.Records.
func (s *Store) Decisions(id task.ID) ([]task.Decision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.decisions[id]), func(a, b task.Decision) int { return cmp.Compare(a.ID, b.ID) }), nil
}

// Presses implements controller.Records.
func (s *Store) Presses(id task.ID) ([]task.Press, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.presses[id]), func(a, b task.Press) int { return cmp.Compare(a.Seq, b.Seq) }), nil
}

// Prune implements controller.Store.
func (s *Store) Prune(before int64) ([]task.ID, error) {
	old := s.pick(func(r task.Record) bool { return r.History && r.EndedAt < before })
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := []task.ID{}
	for _, r := range old {
		ids = append(ids, r.ID)
		for _, p := range r.Pictures {
			delete(s.pictures, p.SHA256)
		}
		delete(s.records, r.ID)
		delete(s.entries, r.ID)
		delete(s.decisions, r.ID)
		delete(s.presses, r.ID)
	}
	return ids, nil
}

// Bind implements controller.Bindings.
func (s *Store) Bind(id task.ID, b surfaces.Binding) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	put(s.bindings, id, b.Side, b)
	return nil
}

// Unbind implements controller.Bindings.
func (s *Store) Unbind(id task.ID, side surfaces.Side) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.bindings[id], side)
	return nil
}

// Bindings implements controller.Bindings.
func (s *Store) Bindings(id task.ID) ([]surfaces.Binding, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.bindings[id]), func(a, b surfaces.Binding) int { return cmp.Compare(a.Side, b.Side) }), nil
}

// Orphans implements controller.Bindings.
func (s *Store) Orphans() (task.Bindings, error) {
	orphans := task.Bindings{}
	holding := s.pick(func(r task.Record) bool { return r.Holding })
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, sides := range s.bindings {
		if slices.ContainsFunc(holding, func(r task.Record) bool { return r.ID == id }) {
			continue
		}
		for _, b := range sides {
			orphans[id] = append(orphans[id], b)
		}
	}
	return orphans, nil
}

// KeepPicture implements controller.Pictures.
func (s *Store) KeepPicture(png []byte) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := sha256.Sum256(png)
	digest := hex.EncodeToString(sum[:])
	s.pictures[digest] = slices.Clone(png)
	return digest, nil
}

// Picture implements controller.Pictures.
func (s *Store) Picture(digest string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	png, ok := s.pictures[digest]
	if !ok {
		return nil, fault.New(fault.NoSuchOutput, "this picture is not kept")
	}
	return slices.Clone(png), nil
}

// DropPicture implements controller.Pictures.
func (s *Store) DropPicture(digest string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pictures, digest)
	return nil
}

// Pictures counts the pictures kept.
func (s *Store) Pictures() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pictures)
}
