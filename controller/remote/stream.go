package remote

import (
	"context"

	"countersign/controller"
	"countersign/controller/task"
)

// maxBatch is the most events one Next gives (controller.Stream).
const maxBatch = 256

// stream is one watch of a client. Its goroutine reads the connection and ends
// with ctx, with the client, or with the desk.
type stream struct {
	ctx context.Context // the watch's own life
	// One batch of room: more waits in the connection and then at the desk,
	// where it costs nobody anything.
	entries chan task.Entry
	err     error // why it ended; read after entries was closed
}

// Watch implements controller.Desk. When the desk closes or dies, Next gives
// what had arrived and then DESK_GONE.
func (c *Client) Watch(ctx context.Context, from map[task.ID]uint64) controller.Stream {
	s := &stream{ctx: ctx, entries: make(chan task.Entry, maxBatch)}
	c.streams.Go(func() {
		defer close(s.entries)
		watching, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(c.life, cancel)()
		s.err = c.lost(ctx, watching, c.read(watching, from, s.put))
	})
	return s
}

// read opens the stream and hands its events on until it is over.
func (c *Client) read(ctx context.Context, from map[task.ID]uint64, put func(context.Context, task.Entry) error) error {
	reply, err := c.post(ctx, opWatch, watchRequest{from})
	if err != nil {
		return err
	}
	if reply.Header.Get("Content-Type") != "text/event-stream" {
		return read(reply, &empty{}) // the envelope of a refusal
	}
	defer reply.Body.Close() //nolint:errcheck // only read
	return readEvents(ctx, reply.Body, put)
}

func (s *stream) put(ctx context.Context, e task.Entry) error {
	select {
	case s.entries <- e:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Next implements controller.Stream.
func (s *stream) Next(ctx context.Context) ([]task.Entry, error) {
	select {
	case e, open := <-s.entries:
		if !open {
			return nil, s.err
		}
		return s.ready(e), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.ctx.Done():
		return nil, s.ctx.Err()
	}
}

// ready adds what else has arrived.
func (s *stream) ready(first task.Entry) []task.Entry {
	batch := []task.Entry{first}
	for len(batch) < maxBatch {
		select {
		case e, open := <-s.entries:
			if !open {
				return batch
			}
			batch = append(batch, e)
		default:
			return batch
		}
	}
	return batch
}
