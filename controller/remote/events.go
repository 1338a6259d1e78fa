package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

const (
	endEvent = "end" // the last event of a stream; it carries an envelope

	// maxEvent bounds one event as the client reads it; the largest is a screen
	// of visible text.
	maxEvent = 16 << 20
)

// watch streams events until the caller leaves or the desk closes. A caller
// that does not read is waited for here and nowhere else: the stream keeps its
// place in the store. So a suspended one may go on where it stopped.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	raw, err := body(w, r)
	var req watchRequest
	if err == nil && len(raw) > 0 {
		err = task.Decode(raw, &req)
	}
	if err != nil {
		reply(w, http.StatusBadRequest, failure(err))
		return
	}
	ctx, cancel := s.untilClosing(r.Context(), true)
	defer cancel()
	stream := s.desk.Watch(ctx, req.From)

	rc := http.NewResponseController(w)
	_ = rc.SetWriteDeadline(time.Time{}) // Close cuts it off
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	if rc.Flush() != nil {
		return
	}
	for {
		// What is ready comes before the end, also when the desk closes.
		entries, err := stream.Next(ctx)
		if err != nil {
			s.endStream(w, err)
			return
		}
		if writeEntries(w, entries) != nil || rc.Flush() != nil {
			return
		}
	}
}

// endStream says why the stream is over.
func (s *Server) endStream(w io.Writer, err error) {
	if s.closing.Err() != nil {
		err = s.gone()
	}
	if b, failed := json.Marshal(failure(err)); failed == nil {
		_ = writeEvent(w, endEvent, b)
	}
}

func writeEntries(w io.Writer, entries []task.Entry) error {
	for _, e := range entries {
		b, err := json.Marshal(e)
		if err == nil {
			err = writeEvent(w, string(e.Event), b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeEvent writes one server-sent event (HTML standard, 9.2.6). JSON has no
// line break of its own.
func writeEvent(w io.Writer, name string, data []byte) error {
	_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
	return err
}

// readEvents hands entries on as they come and returns why the stream is over:
// what its last event says, or an error of the connection.
func readEvents(ctx context.Context, r io.Reader, put func(context.Context, task.Entry) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxEvent)
	name := ""
	for lines.Scan() {
		line := lines.Bytes()
		if n, ok := bytes.CutPrefix(line, []byte("event: ")); ok {
			name = string(n)
			continue
		}
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue // the line between two events
		}
		if name == endEvent {
			return endOf(data)
		}
		var e task.Entry
		if err := json.Unmarshal(data, &e); err != nil {
			return fault.Wrap(fault.Internal, err, "an event of the desk cannot be read")
		}
		if err := put(ctx, e); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return io.ErrUnexpectedEOF
}

func endOf(data []byte) error {
	var e envelope
	if err := json.Unmarshal(data, &e); err != nil {
		return fault.Wrap(fault.Internal, err, "the end of the events cannot be read")
	}
	return e.Error.fault()
}
