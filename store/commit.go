package store

import (
	"countersign/controller/task"
	"countersign/surfaces/fault"

	"go.etcd.io/bbolt"
)

// packed is a change as it is written: encoded before the transaction, so that
// nothing is built while it holds the file.
type packed struct {
	record task.Record
	first  uint64 // number of the first entry; the record's next one when there is none
	puts   []put
}

type put struct {
	bucket     string
	key, value []byte
}

// pack checks what can be told without the stored record, and encodes.
func pack(c task.Change) (*packed, error) {
	r := c.Record
	if r.View.ID == 0 {
		r.View.ID = r.ID
	}
	if r.ID == 0 || r.View.ID != r.ID {
		return nil, fault.Newf(fault.Internal, "a record of task %d with the view of task %d", r.ID, r.View.ID)
	}
	p := &packed{record: r, first: r.Seq + 1 - uint64(len(c.Entries))}
	raw, err := encodeRecord(&r)
	if err != nil {
		return nil, err
	}
	p.puts = append(p.puts, put{bucketTasks, taskKey(r.ID), raw})
	for i, e := range c.Entries {
		if want := p.first + uint64(i); e.Seq != want {
			return nil, fault.Newf(fault.Internal, "%s: entry %d stands where %d belongs", r.ID, e.Seq, want)
		}
		if err := p.entry(e); err != nil {
			return nil, err
		}
	}
	for _, d := range c.Decisions {
		if err := p.add(bucketDecisions, d.ID, &d.Task, &d); err != nil {
			return nil, err
		}
	}
	if c.Press != nil {
		press := *c.Press
		return p, p.add(bucketPresses, press.Seq, &press.Task, &press)
	}
	return p, nil
}

func (p *packed) entry(e task.Entry) error {
	if e.View != nil && e.View.ID == 0 {
		view := *e.View
		view.ID = p.record.ID
		e.View = &view
	}
	return p.add(bucketJournal, e.Seq, &e.Task, &e)
}

// add encodes one numbered part of the task; owner is its own word for whose
// it is, filled in when it has none.
func (p *packed) add(bucket string, n uint64, owner *task.ID, v any) error {
	if *owner == 0 {
		*owner = p.record.ID
	}
	if n == 0 || *owner != p.record.ID {
		return fault.Newf(fault.Internal, "%s: number %d of %s among its %s", p.record.ID, n, *owner, bucket)
	}
	raw, err := encode(v)
	if err != nil {
		return err
	}
	p.puts = append(p.puts, put{bucket, numbered(p.record.ID, n), raw})
	return nil
}

// write is the transaction.
func (p *packed) write(tx *bbolt.Tx) error {
	if err := p.follows(tx); err != nil {
		return err
	}
	for _, w := range p.puts {
		if err := tx.Bucket([]byte(w.bucket)).Put(w.key, w.value); err != nil {
			return err
		}
	}
	live := tx.Bucket([]byte(bucketLive))
	if p.record.History {
		return live.Delete(taskKey(p.record.ID))
	}
	return live.Put(taskKey(p.record.ID), []byte{})
}

// follows checks that the change goes on from what is stored.
func (p *packed) follows(tx *bbolt.Tx) error {
	id, tasks := p.record.ID, tx.Bucket([]byte(bucketTasks))
	if uint64(id) > tasks.Sequence() { // not from Allocate: at least never give it again
		if err := tasks.SetSequence(uint64(id)); err != nil {
			return err
		}
	}
	var revision, seq uint64
	if raw := tasks.Get(taskKey(id)); raw != nil {
		var err error
		if revision, seq, err = decodeHead(raw); err != nil {
			return err
		}
	}
	if p.record.Revision < revision {
		return fault.Newf(fault.Internal, "%s: revision %d is older than the stored %d", id, p.record.Revision, revision)
	}
	if p.first != seq+1 {
		return fault.Newf(fault.Internal, "%s: entry %d does not follow the stored %d", id, p.first, seq)
	}
	return nil
}
