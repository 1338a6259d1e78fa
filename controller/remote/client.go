package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

const (
	// helloPatience is how long a busy desk may take to say hello. A suspended
	// one is not waited for.
	helloPatience = 3 * time.Second
	// idlePatience keeps connections; shorter than the server's, so that none is
	// used while it is being closed at the other end.
	idlePatience = time.Minute
	// maxReply bounds one reply; the largest is a report with its trace.
	maxReply = 256 << 20
)

// Client is a desk that another process holds. What only the person may say at
// that desk comes back as ANSWER_AT_THE_DESK; once the other process has ended,
// every call and stream is DESK_GONE. Safe for concurrent use.
type Client struct {
	http  *http.Client
	hello Hello

	life    context.Context // from Dial to Close: streams end with it
	end     context.CancelFunc
	streams sync.WaitGroup
}

var _ controller.Desk = (*Client)(nil)

// Dial reaches the desk that serves the socket. DESK_GONE when nobody does;
// STORE_LOCKED when somebody does who does not answer, belongs to another user
// or speaks no version known here.
func Dial(ctx context.Context, path string) (*Client, error) {
	c := &Client{}
	c.life, c.end = context.WithCancel(context.WithoutCancel(ctx)) //nolint:gosec // Close ends it
	c.http = &http.Client{Transport: &http.Transport{
		DialContext:     func(ctx context.Context, _, _ string) (net.Conn, error) { return c.connect(ctx, path) },
		IdleConnTimeout: idlePatience, MaxIdleConnsPerHost: 4, DisableCompression: true,
	}}
	if err := c.greet(ctx); err != nil {
		_ = c.Close() // the first error is the one to tell
		return nil, err
	}
	return c, nil
}

// connect opens a connection and makes sure that our own user listens there.
func (c *Client) connect(ctx context.Context, path string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	pid, err := checkPeer(conn, os.Geteuid())
	if err == nil && suspended(pid) {
		err = fmt.Errorf("process %d is suspended", pid)
	}
	if err != nil {
		_ = conn.Close() // nothing was sent
		return nil, err
	}
	return conn, nil
}

// greet learns who is there and whether both speak one version.
func (c *Client) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, helloPatience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://countersign/", nil)
	if err != nil {
		return fault.Of(err)
	}
	reply, err := c.http.Do(req)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
			return fault.Wrap(fault.DeskGone, err, "no desk serves this store")
		}
		return fault.Wrap(fault.StoreLocked, err, "the desk that holds the store does not answer").
			WithHint("Bring that desk back if it was suspended (`fg`), or close it.")
	}
	if err := read(reply, &c.hello); err != nil {
		return fault.Wrap(fault.StoreLocked, err, "what serves the store's socket is no desk")
	}
	if !slices.Contains(c.hello.Versions, version) {
		return fault.Newf(fault.StoreLocked, "the desk of process %d speaks another version", c.hello.PID).
			WithHint(fmt.Sprintf("Use countersign %s, as that desk does, or close it.", c.hello.Version))
	}
	return nil
}

// Holder is the process that holds the store.
func (c *Client) Holder() int { return c.hello.PID }

// Close ends every stream and returns when they are over. The desk at the other
// end goes on.
func (c *Client) Close() error {
	c.end()
	c.streams.Wait()
	c.http.CloseIdleConnections()
	return nil
}

// gone is the end of the desk of process pid.
func gone(pid int, cause error) *fault.Error {
	return fault.Wrap(fault.DeskGone, cause, fmt.Sprintf("the desk of process %d has closed", pid))
}

// post sends one request; the caller closes the reply's body.
func (c *Client) post(ctx context.Context, op string, req any) (*http.Response, error) {
	b, err := json.Marshal(req)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "the request cannot be written as JSON")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://countersign/"+version+"/"+op, bytes.NewReader(b))
	if err != nil {
		return nil, fault.Of(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return c.http.Do(r)
}

// invoke calls one operation and reads its data into out.
func (c *Client) invoke(ctx context.Context, op string, req, out any) error {
	bounded, cancel := context.WithTimeout(ctx, callPatience)
	defer cancel()
	reply, err := c.post(bounded, op, req)
	if err == nil {
		err = read(reply, out)
	}
	return c.lost(ctx, bounded, err)
}

// lost tells what an error of the connection means; a fault is the desk's own.
func (c *Client) lost(ctx, bounded context.Context, err error) error {
	var known *fault.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case ctx.Err() != nil:
		return ctx.Err()
	case c.life.Err() != nil:
		return c.life.Err()
	case bounded.Err() != nil:
		return fault.Newf(fault.Timeout, "the desk of process %d did not answer in time", c.hello.PID)
	default:
		return gone(c.hello.PID, err)
	}
}

// read takes an envelope apart.
func read(reply *http.Response, out any) error {
	defer reply.Body.Close() //nolint:errcheck // only read
	raw, err := io.ReadAll(io.LimitReader(reply.Body, maxReply))
	if err != nil {
		return err
	}
	var e envelope
	if err := json.Unmarshal(raw, &e); err != nil {
		return fault.Wrap(fault.Internal, err, "the desk's reply cannot be read")
	}
	if !e.OK {
		return e.Error.fault()
	}
	if err := json.Unmarshal(e.Data, out); err != nil {
		return fault.Wrap(fault.Internal, err, "the desk's reply cannot be read")
	}
	return nil
}

// result is invoke for one kind of data.
func result[T any](ctx context.Context, c *Client, op string, req any) (T, error) {
	var out T
	err := c.invoke(ctx, op, req, &out)
	return out, err
}

// Describe implements controller.Operations.
func (c *Client) Describe(ctx context.Context) (task.Capabilities, error) {
	return result[task.Capabilities](ctx, c, opDescribe, empty{})
}

// PlanTask implements controller.Operations.
func (c *Client) PlanTask(ctx context.Context, req task.PlanRequest) (task.Plan, error) {
	return result[task.Plan](ctx, c, opPlan, req)
}

// StartTask implements controller.Operations.
func (c *Client) StartTask(ctx context.Context, req task.StartRequest) (task.View, error) {
	return result[task.View](ctx, c, task.OpStart, req)
}

// AwaitTask implements controller.Operations.
func (c *Client) AwaitTask(ctx context.Context, id task.ID, timeout time.Duration) (task.View, error) {
	return result[task.View](ctx, c, task.OpAwait, awaitRequest{id, timeout.Milliseconds()})
}

// ContinueTask is refused at the other end.
func (c *Client) ContinueTask(ctx context.Context, req task.ContinueRequest) (task.View, error) {
	return result[task.View](ctx, c, task.OpContinue, req)
}

// CancelTask implements controller.Operations; with an answer it is refused at
// the other end.
func (c *Client) CancelTask(ctx context.Context, id task.ID, answer string) (task.View, error) {
	return result[task.View](ctx, c, task.OpCancel, cancelRequest{id, answer})
}

// TaskReport implements controller.Operations.
func (c *Client) TaskReport(ctx context.Context, id task.ID, trace bool) (task.Report, error) {
	return result[task.Report](ctx, c, task.OpReport, reportRequest{id, &trace})
}

// ListTasks implements controller.Operations.
func (c *Client) ListTasks(ctx context.Context) ([]task.View, error) {
	return result[[]task.View](ctx, c, opList, empty{})
}

// Look implements controller.Desk.
func (c *Client) Look(ctx context.Context, id task.ID) (task.Look, error) {
	return result[task.Look](ctx, c, opLook, lookRequest{id})
}

// BringForward implements controller.Desk.
func (c *Client) BringForward(ctx context.Context, id task.ID) (surfaces.Reach, error) {
	return result[surfaces.Reach](ctx, c, opForward, lookRequest{id})
}

// Picture implements controller.Desk.
func (c *Client) Picture(ctx context.Context, sha256 string) ([]byte, error) {
	return result[[]byte](ctx, c, opPicture, pictureRequest{sha256})
}

// Halt implements controller.Desk.
func (c *Client) Halt(ctx context.Context, now bool) ([]task.View, error) {
	return result[[]task.View](ctx, c, opHalt, haltRequest{now})
}

// History implements controller.Desk.
func (c *Client) History(ctx context.Context, query string, before task.ID, limit int) ([]task.View, error) {
	return result[[]task.View](ctx, c, opHistory, historyRequest{query, before, limit})
}

// Prune implements controller.Desk.
func (c *Client) Prune(ctx context.Context, age time.Duration) ([]task.ID, error) {
	ms := age.Milliseconds()
	return result[[]task.ID](ctx, c, opPrune, pruneRequest{&ms})
}
