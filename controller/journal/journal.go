// Package journal keeps a copy of every task's numbered entries as JSON Lines,
// one file per task (tasks.md 10.6). It reads what the store holds already, so
// it can neither change nor fail a task: what cannot be written is said once and
// the copy goes on without it.
package journal

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"countersign/controller"
	"countersign/controller/task"
)

// closePatience is how long Close waits for a folder that does not answer.
const closePatience = 2 * time.Second

// Writer appends entries to files; one Watch feeds it.
type Writer struct {
	dir    string
	from   map[task.ID]uint64
	said   sync.Once // what went wrong
	cancel context.CancelFunc
	done   chan struct{}
}

// Source is what is copied: the events of a controller.
type Source interface {
	Watch(ctx context.Context, from map[task.ID]uint64) controller.Stream
}

// Start begins to copy into a folder, which it makes with mode 0700, on a
// goroutine of its own that ends with Close. A task whose file is there goes on
// behind its last whole line; of others the entries from now on are copied, with
// those the store holds when they are live.
func Start(ctx context.Context, dir string, src Source, live []task.ID) *Writer {
	w := &Writer{dir: dir, from: map[task.ID]uint64{}, done: make(chan struct{})}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.fail(err)
	}
	for _, id := range live {
		last, err := repair(w.path(id))
		if err != nil {
			w.fail(err)
		}
		w.from[id] = last
	}
	ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx)) // what a closing desk stores is copied too
	go w.copy(ctx, src.Watch(ctx, w.from))                         // ends with Close
	return w
}

// Close copies what is there still and ends the copying. Call it after the
// controller has closed.
func (w *Writer) Close() {
	w.cancel()
	select {
	case <-w.done:
	case <-time.After(closePatience):
		w.fail(errors.New("the folder does not answer"))
	}
}

func (w *Writer) path(id task.ID) string { return filepath.Join(w.dir, id.String()+".jsonl") }

func (w *Writer) copy(ctx context.Context, events controller.Stream) {
	defer close(w.done)
	for {
		batch, err := events.Next(ctx)
		if err != nil {
			return
		}
		for _, e := range batch {
			w.add(e)
		}
	}
}

// add appends one stored entry, each once and in order.
func (w *Writer) add(e task.Entry) {
	if e.Seq == 0 || e.Seq <= w.from[e.Task] {
		return
	}
	w.from[e.Task] = e.Seq
	line, err := json.Marshal(e)
	if err == nil {
		err = appendLine(w.path(e.Task), line)
	}
	if err != nil {
		w.fail(err)
	}
}

func (w *Writer) fail(err error) {
	w.said.Do(func() {
		slog.Warn("the copy of the journal is not complete; the tasks are not affected", "folder", w.dir, "error", err)
	})
}

func appendLine(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// repair cuts a half-written line off the end of a file and gives the number of
// its last entry; 0 when there is none.
func repair(path string) (uint64, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var last uint64
	var whole int64
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		var e struct {
			Seq uint64 `json:"seq"`
		}
		if err != nil || json.Unmarshal(line, &e) != nil {
			if err == io.EOF && len(line) == 0 {
				return last, f.Close()
			}
			return last, errors.Join(f.Truncate(whole), f.Close())
		}
		last, whole = e.Seq, whole+int64(len(line))
	}
}
