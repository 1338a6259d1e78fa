package store

import (
	"encoding/binary"

	"countersign/controller/task"
	"countersign/surfaces"
)

// Buckets, and the layout of their keys. Numbers are eight bytes, big endian,
// so that keys sort as they are read.
//
//	bucket      key                    value
//	meta        "app", "schema"        the program's name; the schema number
//	tasks       task                   record; its sequence is the last id given
//	live        task                   nothing: the tasks that are not history
//	journal     task, entry number     entry
//	decisions   task, decision         decision
//	presses     task, press            press record
//	bindings    task, side             binding
const (
	bucketMeta      = "meta"
	bucketTasks     = "tasks"
	bucketLive      = "live"
	bucketJournal   = "journal"
	bucketDecisions = "decisions"
	bucketPresses   = "presses"
	bucketBindings  = "bindings"

	keyApp    = "app"
	keySchema = "schema"
	appName   = "countersign"
)

func taskKey(id task.ID) []byte { return binary.BigEndian.AppendUint64(nil, uint64(id)) }

// numbered is the key of the n-th thing of a task.
func numbered(id task.ID, n uint64) []byte { return binary.BigEndian.AppendUint64(taskKey(id), n) }

func bindingKey(id task.ID, side surfaces.Side) []byte { return append(taskKey(id), side...) }

// idOf is the task of any key but those of meta; 0 for a key that is none.
func idOf(key []byte) task.ID {
	if len(key) < 8 {
		return 0
	}
	return task.ID(binary.BigEndian.Uint64(key))
}
