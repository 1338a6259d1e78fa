package drill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"countersign/controller/task"
)

// acknowledged is everything a desk of one trial has said was so: the entries
// its store had taken, the events it sent, the views it answered with. Whatever
// dies, all of it must be in the store afterwards, byte for byte.
type acknowledged struct {
	entries map[uint64][]byte // by number
	views   map[uint64][]byte // by revision
}

func newAcknowledged() acknowledged {
	return acknowledged{entries: map[uint64][]byte{}, views: map[uint64][]byte{}}
}

func (a acknowledged) clone() acknowledged {
	return acknowledged{entries: maps.Clone(a.entries), views: maps.Clone(a.views)}
}

// head is what is read of an entry to find its place.
type head struct {
	Seq   uint64          `json:"seq"`
	Event task.EventKind  `json:"event"`
	View  json.RawMessage `json:"view"`
}

// entry notes a stored entry; the latest states, which are not stored and have
// no number, promise nothing.
func (a acknowledged) entry(raw json.RawMessage) error {
	var h head
	if err := json.Unmarshal(raw, &h); err != nil {
		return err
	}
	if h.Seq > 0 {
		a.entries[h.Seq] = bytes.Clone(raw)
	}
	return nil
}

// view notes a view that was the answer to a call.
func (a acknowledged) view(raw json.RawMessage) error {
	var v task.View
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	a.views[v.Revision] = bytes.Clone(raw)
	return nil
}

// missing names what a journal read back does not hold as it was said.
func (a acknowledged) missing(journal []json.RawMessage) ([]string, error) {
	entries, views := map[uint64][]byte{}, map[uint64][]byte{}
	for _, raw := range journal {
		var h head
		if err := json.Unmarshal(raw, &h); err != nil {
			return nil, err
		}
		entries[h.Seq] = raw
		if h.Event != task.EventView {
			continue
		}
		var v task.View
		if err := json.Unmarshal(h.View, &v); err != nil {
			return nil, err
		}
		views[v.Revision] = h.View
	}
	return append(differing("entry", a.entries, entries), differing("view of revision", a.views, views)...), nil
}

func differing(what string, said, kept map[uint64][]byte) []string {
	var all []string
	for _, n := range slices.Sorted(maps.Keys(said)) {
		now, there := kept[n]
		switch {
		case !there:
			all = append(all, fmt.Sprintf("%s %d is not in the store", what, n))
		case !bytes.Equal(now, said[n]):
			all = append(all, fmt.Sprintf("%s %d is not what was said", what, n))
		}
	}
	return all
}
