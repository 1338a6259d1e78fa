package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/controller/controllertest"
	"countersign/controller/remote"
	"countersign/controller/task"
	"countersign/store"
	"countersign/surfaces/fault"
)

// beside is a command line next to a desk that another process holds; that desk
// is a fake behind a real socket.
type beside struct {
	*controllertest.Desk
	t      *testing.T
	server *remote.Server
	dir    string
	flow   string
}

func besideADesk(t *testing.T) *beside {
	t.Helper()
	b := &beside{Desk: controllertest.NewDesk(), t: t, dir: t.TempDir()}
	b.flow = filepath.Join(b.dir, "flow.json")
	if err := os.WriteFile(b.flow, []byte(`{"app": "browser", "steps": ["go on"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := remote.Listen(defaultPaths(b.env).Socket())
	if err != nil {
		t.Fatal(err)
	}
	b.server = remote.Serve(l, b.Desk, "test")
	t.Cleanup(func() { _ = b.server.Close() })
	return b
}

func (b *beside) env(name string) string {
	return map[string]string{"HOME": b.dir, "XDG_RUNTIME_DIR": b.dir}[name]
}

// execute runs one command line without a terminal. Nothing may open the store.
func (b *beside) execute(ctx context.Context, args ...string) ended {
	var out, errs bytes.Buffer
	w := Wiring{Version: "test", Open: func(context.Context, Settings) (*Opened, error) {
		b.t.Error("the store was opened beside the desk that holds it")
		return nil, fault.New(fault.StoreLocked, "held")
	}}
	code := Execute(ctx, w, Streams{In: os.Stdin, Out: &out, Err: &errs, Env: b.env}, args)
	return ended{out.String(), errs.String(), code}
}

// becomes puts the task's next state, as the desk's controller would.
func (b *beside) becomes(s task.Status) func() {
	return func() {
		views, _ := b.ListTasks(context.Background()) // the fake's never fails
		v := views[0]
		v.Status, v.Next, v.Summary = s, task.Next(s, true), "now "+string(s.State)
		v.Revision++
		b.Put(v)
	}
}

func TestRunBesideADesk(t *testing.T) {
	asks := task.Status{State: task.NeedsApproval, Action: "sending", Target: "Send", Digest: "d"}
	done := task.Status{State: task.Done, Answer: "ok", Records: map[string]task.Rows{}}
	rows := map[string]struct {
		states []task.Status
		args   []string
		want   int
		says   string
	}{
		"ends at a question":        {[]task.Status{asks}, nil, ExitWaiting, "waits at the desk of process"},
		"ends at a question, JSON":  {[]task.Status{asks}, []string{"--json"}, ExitWaiting, `"event":"report"`},
		"--wait goes on":            {[]task.Status{asks, {State: task.Running}, done}, []string{"--wait"}, ExitDone, "DECIDE  now needs_approval"},
		"--wait goes on, JSON":      {[]task.Status{asks, {State: task.Running}, done}, []string{"--wait", "--json"}, ExitDone, `"event":"report"`},
		"--wait until declined":     {[]task.Status{asks, {State: task.Cancelled}}, []string{"--wait"}, ExitDeclined, "cancelled"},
		"what asks nothing is over": {[]task.Status{done}, nil, ExitDone, "done"},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			b := besideADesk(t)
			var sitting sync.WaitGroup
			b.OnStart = func(task.StartRequest) (task.View, error) {
				running := task.Status{State: task.Running}
				v := task.View{ID: 1, Status: running, Next: task.Next(running, false), Revision: 1}
				b.Put(v)
				sitting.Go(func() { // whoever sits at the desk
					for _, s := range row.states {
						b.becomes(s)()
					}
				})
				return v, nil
			}
			got := b.execute(t.Context(), append([]string{"run", b.flow}, row.args...)...)
			sitting.Wait()
			if got.code != row.want || !strings.Contains(got.out, row.says) {
				t.Errorf("exit %d, want %d, and %q in\n%s%s", got.code, row.want, row.says, got.out, got.err)
			}
			if n := len(b.Answers()) + len(b.Halts()); n > 0 {
				t.Errorf("%d answers and halts reached the desk", n)
			}
		})
	}
}

// An interrupted run leaves the task to the desk it runs at, and halts nothing
// there.
func TestInterruptedRunBesideADesk(t *testing.T) {
	for _, args := range [][]string{nil, {"--json"}} {
		b := besideADesk(t)
		ctx, interrupt := context.WithCancel(t.Context())
		b.OnStart = func(task.StartRequest) (task.View, error) {
			v := task.View{ID: 1, Status: task.Status{State: task.Running}, Revision: 1}
			b.Put(v)
			time.AfterFunc(50*time.Millisecond, interrupt)
			return v, nil
		}
		got := b.execute(ctx, append([]string{"run", b.flow}, args...)...)
		if got.code != ExitInterrupted || len(b.Halts()) != 0 {
			t.Errorf("%v: exit %d, %d halts\n%s%s", args, got.code, len(b.Halts()), got.out, got.err)
		}
	}
}

func TestTheDeskClosesUnderARun(t *testing.T) {
	for _, args := range [][]string{{"--wait"}, {"--wait", "--json"}} {
		b := besideADesk(t)
		closed := make(chan error, 1)
		b.OnStart = func(task.StartRequest) (task.View, error) {
			v := task.View{ID: 1, Status: task.Status{State: task.Running}, Revision: 1}
			b.Put(v)
			time.AfterFunc(50*time.Millisecond, func() { closed <- b.server.Close() })
			return v, nil
		}
		got := b.execute(t.Context(), append([]string{"run", b.flow}, args...)...)
		if err := <-closed; err != nil {
			t.Fatal(err)
		}
		if got.code != ExitWaiting || !strings.Contains(got.err, "DESK_GONE") || !strings.Contains(got.err, "hint: ") {
			t.Errorf("%v: exit %d\n%s%s", args, got.code, got.out, got.err)
		}
	}
}

// A holder that serves nobody keeps the store locked, and is named.
func TestHolderWithoutASocket(t *testing.T) {
	h := newHome(t)
	kept, err := store.Open(h.state("desk.db"))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	got := h.run("tasks")
	t.Logf("told after %s", time.Since(began))
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	if got.code != ExitFailed || !strings.Contains(got.err, "STORE_LOCKED") || !strings.Contains(got.err, strconv.Itoa(os.Getpid())) {
		t.Errorf("exit %d, stderr %q; want 1, STORE_LOCKED and our process", got.code, got.err)
	}
}

// A folder that others may enter is not used, and the desk works without.
func TestDeskThatCannotBeShared(t *testing.T) {
	h := newHome(t)
	if err := os.MkdirAll(filepath.Join(h.dir, "run", "countersign"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := h.screen(120, 40)
	s.has("Other terminals cannot attach")
	holder := strconv.Itoa(s.cmd.Process.Pid)
	if got := h.run("tasks"); got.code != ExitFailed || !strings.Contains(got.err, "STORE_LOCKED") || !strings.Contains(got.err, holder) {
		t.Errorf("exit %d, stderr %q; want 1, STORE_LOCKED and process %s", got.code, got.err, holder)
	}
	s.send("q")
	if code := s.exit(); code != ExitDone {
		t.Errorf("exit %d, want 0", code)
	}
}

// TestCommandsBesideTheDesk is the whole way: a desk in one terminal, commands
// and a second desk in others, the signature where the store is held.
func TestCommandsBesideTheDesk(t *testing.T) {
	d, h := newDemo(t), newHome(t)
	s := h.screen(130, 45)
	s.has("nothing waits")

	var waiting ended
	var others sync.WaitGroup
	others.Go(func() { waiting = h.run("run", d.flow("mail"), "--wait", "--json") })
	s.has("1 DECIDE") // the task is on the board like any other
	var listed task.View
	if got := h.run("tasks", "--json"); got.code != ExitDone || json.Unmarshal([]byte(got.out), &listed) != nil || listed.Status.State != task.NeedsApproval {
		t.Errorf("tasks: exit %d\n%s%s", got.code, got.out, got.err)
	}
	if got := h.run("report", "t-1"); got.code != ExitDone || !strings.Contains(got.out, "sending the letter") {
		t.Errorf("report: exit %d\n%s%s", got.code, got.out, got.err)
	}

	second := h.screen(130, 45)
	second.has("attached to the desk of process " + strconv.Itoa(s.cmd.Process.Pid))
	second.send(" ")
	second.has("READY")
	second.types("sign")
	second.send("\r")
	second.has("ANSWER_AT_THE_DESK")
	if sent := d.Counts().MailsSent; sent != 0 {
		t.Fatalf("%d mails sent by a signature at an attached desk", sent)
	}

	s.answers("t-1  mail", "sign")
	others.Wait()
	if waiting.code != ExitDone || lastReport(t, waiting.out).View.Status.State != task.Done {
		t.Errorf("run --wait: exit %d\n%s%s", waiting.code, waiting.out, waiting.err)
	}
	if sent := d.Counts().MailsSent; sent != 1 {
		t.Errorf("%d mails sent, want 1", sent)
	}

	if got := h.run("run", d.flow("mail"), "--plain"); got.code != ExitWaiting {
		t.Errorf("run: exit %d, want %d\n%s%s", got.code, ExitWaiting, got.out, got.err)
	}
	if got := h.run("cancel", "t-2"); got.code != ExitDone || !strings.Contains(got.out, "cancelled") {
		t.Errorf("cancel: exit %d\n%s%s", got.code, got.out, got.err)
	}
	if got := h.run("prune", "--older-than", "1d"); got.code != ExitDone {
		t.Errorf("prune: exit %d\n%s%s", got.code, got.out, got.err)
	}

	s.send("q")
	if code := s.exit(); code != ExitDone {
		t.Errorf("the desk: exit %d\n%s", code, s.now())
	}
	if code := second.exit(); code != ExitFailed || !strings.Contains(second.shown(), "DESK_GONE") {
		t.Errorf("the attached desk: exit %d, want %d and DESK_GONE\n%s", code, ExitFailed, second.now())
	}
}

// After kill -9 the left-over socket is replaced by the next desk's.
func TestKilledDeskLeavesNoLock(t *testing.T) {
	h := newHome(t)
	first := h.screen(100, 30)
	first.has("nothing waits")
	first.kill()
	if got := h.run("tasks"); got.code != ExitDone {
		t.Fatalf("tasks after the kill: exit %d\n%s", got.code, got.err)
	}
	again := h.screen(100, 30)
	again.has("nothing waits")
	if got := h.run("tasks"); got.code != ExitDone {
		t.Errorf("tasks beside the next desk: exit %d\n%s", got.code, got.err)
	}
	// The lines of a second desk are refused too.
	lines := h.terminal(100, 30, "--plain")
	at := lines.wait(0, "Attached to the desk of process "+strconv.Itoa(again.cmd.Process.Pid))
	lines.send("sign\n")
	lines.wait(at, "ANSWER_AT_THE_DESK")
	again.send("q")
	again.exit()
	lines.wait(at, "DESK_GONE")
	if code := lines.exit(); code != ExitFailed {
		t.Errorf("the attached lines: exit %d, want %d", code, ExitFailed)
	}
}

// A run that holds the store stays until the tasks of those who came through it
// are over; leaving would interrupt them.
func TestRunStaysForOthers(t *testing.T) {
	b := besideADesk(t)
	if err := b.server.Close(); err != nil { // nobody holds the store
		t.Fatal(err)
	}
	running := task.Status{State: task.Running}
	own := task.Status{State: task.Done, Records: map[string]task.Rows{}}
	b.OnStart = func(task.StartRequest) (task.View, error) {
		b.Put(task.View{ID: 2, Status: running, Revision: 1}) // another's
		v := task.View{ID: 1, Status: own, Revision: 1}
		b.Put(v)
		time.AfterFunc(50*time.Millisecond, b.becomes(own)) // the newest, t-2
		return v, nil
	}
	var out, errs bytes.Buffer
	closed := 0
	w := Wiring{Version: "test", Open: func(context.Context, Settings) (*Opened, error) {
		return &Opened{Desk: b.Desk, Close: func(bool) error { closed++; return nil }}, nil
	}}
	code := Execute(t.Context(), w, Streams{In: os.Stdin, Out: &out, Err: &errs, Env: b.env}, []string{"run", b.flow, "--json"})
	views, _ := b.ListTasks(t.Context()) // the fake's never fails
	if code != ExitDone || closed != 1 || views[0].Status.State != task.Done {
		t.Errorf("exit %d, closed %d times, t-2 %s\n%s", code, closed, views[0].Status.State, errs.String())
	}
	if !strings.Contains(errs.String(), "staying until t-2 is over") {
		t.Errorf("not said why it stays: %q", errs.String())
	}
}
