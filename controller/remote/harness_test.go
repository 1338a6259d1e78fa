package remote

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"countersign/controller"
	"countersign/controller/controllertest"
	"countersign/controller/task"
	"countersign/surfaces/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds waits that end at once when all is well.
const patience = 2 * time.Minute

// served is a desk behind a socket.
type served struct {
	*controllertest.Desk
	server *Server
	path   string
}

func serve(t *testing.T, views ...task.View) *served {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run", "desk.sock")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	desk := controllertest.NewDesk(views...)
	s := &served{Desk: desk, server: Serve(l, desk, "1.2.3"), path: path}
	t.Cleanup(func() { _ = s.server.Close() })
	return s
}

// dial gives a client that ends with the test.
func (s *served) dial(t *testing.T) *Client {
	t.Helper()
	c, err := Dial(t.Context(), s.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// wire is a connection that sends what no client of ours would.
func (s *served) wire(t *testing.T) net.Conn {
	t.Helper()
	conn, err := net.Dial("unix", s.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return conn
}

func view(id task.ID, status task.Status) task.View {
	return task.View{
		ID: id, Status: status, Title: "task " + id.String(), Summary: "s", Revision: 1, SinceAt: int64(id),
		Next: task.Next(status, true),
	}
}

func wantCode(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// collect reads stored events until n have come.
func collect(t *testing.T, s controller.Stream, n int) []task.Entry {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var got []task.Entry
	for len(got) < n {
		entries, err := s.Next(ctx)
		if err != nil {
			t.Fatalf("after %d of %d events: %v", len(got), n, err)
		}
		if len(entries) > maxBatch {
			t.Fatalf("a batch of %d", len(entries))
		}
		for _, e := range entries {
			if e.Seq > 0 {
				got = append(got, e)
			}
		}
	}
	return got
}

// called waits until n calls have reached the desk.
func (s *served) called(t *testing.T, n int) {
	t.Helper()
	for tick := time.Tick(time.Millisecond); s.Calls() < n; {
		select {
		case <-tick:
		case <-time.After(patience):
			t.Fatalf("%d calls reached the desk, want %d", s.Calls(), n)
		}
	}
}
