package drill

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"path/filepath"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// Folder is what a child's desk is opened on.
type Folder struct {
	State      string // holds the log and the browsers' profiles
	Store      string
	Executable string // of the browser; empty: found in PATH
	// Around is put around the store.
	Around func(controller.Store) controller.Store
}

// Opened is a desk and the way to end it, its browsers too.
type Opened struct {
	Desk  controller.Desk
	Close func() error
}

// orderLimit bounds one line; a flow is some kilobytes.
const orderLimit = 1 << 20

// Serve is the child: it opens a desk where its first line says, when the drill
// has made that place, and takes orders until in ends or it dies as planned.
// INVALID_USAGE when the place or a task is not the drill's.
func Serve(ctx context.Context, in io.Reader, out io.Writer, open func(context.Context, Folder) (*Opened, error)) error {
	r := bufio.NewScanner(in)
	r.Buffer(make([]byte, 0, 4096), orderLimit)
	var h hello
	if !r.Scan() || json.Unmarshal(r.Bytes(), &h) != nil {
		return fault.New(fault.InvalidUsage, "this command is started by `countersign drill`")
	}
	if err := h.checkFolder(); err != nil {
		return err
	}
	c := &child{hello: h, out: &lines{out: out}}
	opened, err := open(ctx, Folder{
		State: h.Folder, Store: filepath.Join(h.Folder, storeName), Executable: h.Executable,
		Around: func(s controller.Store) controller.Store {
			return &deadly{Store: s, kill: h.Kill, out: c.out, die: die}
		},
	})
	if err != nil {
		return err
	}
	c.desk = opened.Desk
	err = c.serve(ctx, r)
	if closing := opened.Close(); err == nil {
		err = closing
	}
	return err
}

// child is the desk's end of the pipe.
type child struct {
	hello hello
	out   *lines
	desk  controller.Desk
}

func (c *child) serve(ctx context.Context, r *bufio.Scanner) error {
	known, err := c.tell(ctx)
	if err != nil {
		return err
	}
	if err := c.out.say(message{Open: &known}); err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	relayed := make(chan struct{})
	go func() { // ends with watching
		defer close(relayed)
		c.relay(watching)
	}()
	defer func() {
		stop()
		<-relayed
	}()
	for r.Scan() {
		var o order
		if err := json.Unmarshal(r.Bytes(), &o); err != nil {
			return err
		}
		if o.End {
			return nil
		}
		if err := c.out.say(c.obey(ctx, o)); err != nil {
			return err
		}
	}
	return r.Err()
}

// tell reads every task of the store, and refuses one that no drill started.
func (c *child) tell(ctx context.Context) ([]told, error) {
	live, err := c.desk.ListTasks(ctx)
	if err != nil {
		return nil, err
	}
	past, err := c.desk.History(ctx, "", 0, 0)
	if err != nil {
		return nil, err
	}
	seen, all := map[task.ID]bool{}, []told{}
	for _, v := range append(live, past...) {
		if seen[v.ID] {
			continue
		}
		seen[v.ID] = true
		report, err := c.desk.TaskReport(ctx, v.ID, false)
		if err != nil {
			return nil, err
		}
		if !c.hello.admits(report.Request) {
			return nil, errForeign()
		}
		one := told{Decisions: report.Decisions}
		if one.View, err = json.Marshal(report.View); err != nil {
			return nil, err
		}
		for _, e := range report.Journal {
			raw, err := json.Marshal(e)
			if err != nil {
				return nil, err
			}
			one.Journal = append(one.Journal, raw)
		}
		all = append(all, one)
	}
	return all, nil
}

// relay passes the desk's events on until ctx ends.
func (c *child) relay(ctx context.Context) {
	stream := c.desk.Watch(ctx, nil)
	for {
		batch, err := stream.Next(ctx)
		if err != nil {
			return
		}
		for _, e := range batch {
			raw, err := json.Marshal(e)
			if err != nil || c.out.say(message{Entry: raw}) != nil {
				return
			}
		}
	}
}

func (c *child) obey(ctx context.Context, o order) message {
	var v task.View
	var err error
	switch {
	case o.Start != nil && !c.hello.admits(*o.Start):
		err = errForeign()
	case o.Start != nil:
		v, err = c.desk.StartTask(ctx, *o.Start)
	case o.Continue != nil:
		v, err = c.desk.ContinueTask(ctx, *o.Continue)
	case o.Look != 0:
		_, _ = c.desk.Look(ctx, o.Look) // what matters is that the page came to rest
		return message{Looked: true}
	}
	if err != nil {
		return message{Refused: fault.Of(err)}
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return message{Refused: fault.Of(err)}
	}
	return message{View: raw}
}
