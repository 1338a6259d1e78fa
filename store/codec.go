package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// A value is its version byte and what that version means. Every known version
// is read, only the newest is written, and one that is not known yet was
// written by a newer desk.
//
//	1  JSON; a record's has its revision and its last journal number before it,
//	   eight bytes each, so that a commit can be judged without reading it all
const version = 1

// head is how many bytes stand before a record's JSON.
const head = 1 + 8 + 8

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte(version)
	if err := writeJSON(&b, v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func writeJSON(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fault.Wrap(fault.Internal, err, "a value cannot be encoded")
	}
	b.Truncate(b.Len() - 1) // the line end of Encode
	return nil
}

func encodeRecord(r *task.Record) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte(version)
	b.Write(binary.BigEndian.AppendUint64(nil, r.Revision))
	b.Write(binary.BigEndian.AppendUint64(nil, r.Seq))
	if err := writeJSON(&b, r); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// decode reads any value but a record into v.
func decode(raw []byte, v any) error {
	if err := known(raw, 1); err != nil {
		return err
	}
	return fromJSON(raw[1:], v)
}

func decodeRecord(raw []byte) (task.Record, error) {
	var r task.Record
	if err := known(raw, head); err != nil {
		return r, err
	}
	err := fromJSON(raw[head:], &r)
	return r, err
}

// decodeHead reads a record's revision and last journal number.
func decodeHead(raw []byte) (revision, seq uint64, err error) {
	if err := known(raw, head); err != nil {
		return 0, 0, err
	}
	return binary.BigEndian.Uint64(raw[1:]), binary.BigEndian.Uint64(raw[9:]), nil
}

// known checks the version byte and that at least size bytes are there.
func known(raw []byte, size int) error {
	switch {
	case len(raw) > 0 && raw[0] > version:
		return fault.Newf(fault.StoreNewer, "the store holds a value of version %d", raw[0])
	case len(raw) < size || raw[0] == 0:
		return damaged(fmt.Errorf("a value of %d bytes", len(raw)))
	default:
		return nil
	}
}

func fromJSON(raw []byte, v any) error {
	if err := json.Unmarshal(raw, v); err != nil {
		return damaged(err)
	}
	return nil
}
