package robot

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

// Options say how the process is started.
type Options struct {
	Executable string   // must run Serve under Subcommand
	Env        []string // nil: our own
}

// Client is the desk's end of the process. One goroutine owns the process,
// starts it again when it dies, and hands it one request at a time. Safe for
// concurrent use.
type Client struct {
	options Options
	jobs    chan job
	stop    context.CancelFunc
	done    chan struct{} // the goroutine has ended
	lost    chan struct{} // closed when the display is gone
}

type job struct {
	ctx   context.Context // of the caller: bounds this one request
	r     Request
	reply chan<- result // has room for the one
}

type result struct {
	reply Reply
	err   error
}

// mostDeaths is how often in a row the process may die before a request is
// answered; a display that kills it each time is no display.
const mostDeaths = 3

// Open starts the process and asks what it can drive. A display that cannot be
// had is DESKTOP_NOT_AVAILABLE, and nothing is left running.
func Open(ctx context.Context, o Options) (*Client, Display, error) {
	life, stop := context.WithCancel(context.WithoutCancel(ctx)) // ended by Close
	c := &Client{options: o, jobs: make(chan job), stop: stop, done: make(chan struct{}), lost: make(chan struct{})}
	p, d, err := c.start(ctx)
	if err != nil {
		stop()
		return nil, Display{}, err
	}
	go c.run(life, p) // ended by Close
	return c, d, nil
}

// Lost is closed when the display has gone away.
func (c *Client) Lost() <-chan struct{} { return c.lost }

// Close ends the process and waits for it. Idempotent.
func (c *Client) Close() {
	c.stop()
	<-c.done
}

// ErrUnbegun is the cause of a failure before anything of a request was done.
var ErrUnbegun = errors.New("it was not begun")

func busy(why error) error {
	return fault.Wrap(fault.Timeout, errors.Join(ErrUnbegun, why), "the desktop was busy")
}

// Do has one request carried out. NO_SUCH_SESSION: the display is gone.
// TIMEOUT: ctx ended first; the process was ended with it, and some of it may
// have been done unless the cause is ErrUnbegun. INTERNAL: the process died over
// it; another one serves the next request.
func (c *Client) Do(ctx context.Context, r Request) (Reply, error) {
	reply := make(chan result, 1)
	select {
	case c.jobs <- job{ctx, r, reply}:
	case <-c.lost:
		return Reply{}, gone()
	case <-c.done:
		return Reply{}, gone()
	case <-ctx.Done():
		return Reply{}, busy(ctx.Err())
	}
	got := c.result(ctx, reply)
	if got.err != nil {
		return Reply{}, got.err
	}
	if !got.reply.OK {
		return got.reply, fault.New(got.reply.Code, got.reply.Message)
	}
	return got.reply, nil
}

// result waits for what came of a request. A process that is ended over it takes
// its time, and one that is started instead its own, which is not waited for.
func (c *Client) result(ctx context.Context, reply <-chan result) result {
	select {
	case got := <-reply:
		return got
	case <-ctx.Done():
	}
	late := time.NewTimer(2 * endWithin)
	defer late.Stop()
	select {
	case got := <-reply:
		return got
	case <-late.C:
		return result{err: fault.Wrap(fault.Timeout, ctx.Err(), "the desktop process is being started again")}
	}
}

func gone() error { return fault.New(fault.NoSuchSession, "the display of this desktop is gone") }

// run owns the process until life ends or the display is gone.
func (c *Client) run(life context.Context, p *process) {
	defer close(c.done)
	defer func() {
		if p != nil {
			p.end()
		}
	}()
	for p != nil {
		select {
		case <-life.Done():
			return
		case <-p.dead:
			p = c.replaced(life, p)
		case j := <-c.jobs:
			p = c.serve(life, p, j)
		}
	}
	if life.Err() == nil {
		close(c.lost)
	}
}

// serve has one request carried out, and gives the process there is afterwards.
func (c *Client) serve(life context.Context, p *process, j job) *process {
	if err := j.ctx.Err(); err != nil {
		j.reply <- result{err: busy(err)}
		return p
	}
	r, err := p.ask(j.ctx, j.r)
	if err != nil && p.ended() && (errors.Is(err, ErrUnbegun) || j.r.looks()) {
		if p = c.replaced(life, p); p == nil {
			j.reply <- result{err: gone()}
			return nil
		}
		r, err = p.ask(j.ctx, j.r)
	}
	switch {
	case err == nil:
		j.reply <- result{reply: r}
		return p
	case fault.CodeOf(err) == fault.Timeout:
		j.reply <- result{err: err} // what it is in the middle of ends with its input
		return c.replaced(life, p)
	default:
		_ = p.cmd.Process.Kill() // it does not speak as it should, or is dead
		p = c.replaced(life, p)
		j.reply <- result{err: told(err, p != nil)}
		return p
	}
}

// replaced ends a process and gives the next; nil when there is no display for
// it any more.
func (c *Client) replaced(life context.Context, p *process) *process {
	p.end()
	return c.again(life)
}

// told is what the caller hears of a request over which the process ended.
func told(why error, lives bool) error {
	if !lives {
		return gone()
	}
	return fault.Wrap(fault.Internal, why, "the desktop process died over it, and some of it may have been done").
		WithHint("Look before repeating it.")
}

// again starts the process after another ended, which may have been in the
// middle of a press; nil when there is no display for it any more.
func (c *Client) again(life context.Context) *process {
	for range mostDeaths {
		ctx, cancel := context.WithTimeout(life, startWithin)
		p, _, err := c.start(ctx)
		if err == nil {
			_, err = p.ask(ctx, Request{Op: Lift})
			if err != nil {
				p.end()
			}
		}
		cancel()
		if err == nil {
			return p
		}
		if fault.CodeOf(err) == fault.DesktopNotAvailable {
			return nil
		}
	}
	return nil
}

// startWithin bounds the start of the process: a fifth of a second on an idle
// machine.
const startWithin = 20 * time.Second

// start gives a process that has a display.
func (c *Client) start(ctx context.Context) (*process, Display, error) {
	p, err := begin(c.options)
	if err != nil {
		return nil, Display{}, err
	}
	r, err := p.ask(ctx, Request{Op: Probe})
	if err == nil && (r.Display == nil || !r.Display.Found) {
		err = fault.New(fault.DesktopNotAvailable, reason(r)).WithHint("Start the desk in a graphical session, with DISPLAY set.")
	}
	if err != nil {
		p.end()
		return nil, Display{}, err
	}
	return p, *r.Display, nil
}

func reason(r Reply) string {
	if r.Display != nil && r.Display.Reason != "" {
		return r.Display.Reason
	}
	return "the desktop process found no display"
}

// process is one run of the program.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies chan []byte
	dead    chan struct{} // closed when its output ended
	said    limited
	once    sync.Once
}

func begin(o Options) (*process, error) {
	cmd := exec.Command(o.Executable, Subcommand)
	cmd.Env = o.Env
	host.Detach(cmd) // an interrupt at the terminal is for the desk, and comes as the end of the input
	cmd.WaitDelay = endWithin
	p := &process{cmd: cmd, replies: make(chan []byte), dead: make(chan struct{})}
	cmd.Stderr = &p.said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, unstarted(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, unstarted(err)
	}
	if err := cmd.Start(); err != nil {
		return nil, unstarted(err)
	}
	p.in = in
	go p.read(out) // ends with the process
	return p, nil
}

func unstarted(err error) error {
	return fault.Wrap(fault.PlatformNotSupported, err, "the desktop process cannot be started")
}

func (p *process) read(out io.Reader) {
	defer close(p.dead)
	scan := bufio.NewScanner(out)
	scan.Buffer(nil, maxLine)
	for scan.Scan() {
		p.replies <- append([]byte(nil), scan.Bytes()...)
	}
}

func (p *process) ended() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// died is the failure of a request to a process that is dead; unread: it was
// dead before.
func (p *process) died(unread bool) error {
	cause := errors.New(strings.TrimSpace(p.said.String()))
	if unread {
		cause = errors.Join(ErrUnbegun, cause)
	}
	return fault.Wrap(fault.PlatformNotSupported, cause, "the desktop process ended without an answer")
}

// ask sends a request and waits for its reply.
func (p *process) ask(ctx context.Context, r Request) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, fault.Wrap(fault.Timeout, err, "the desktop process was not asked in time")
	}
	if p.ended() {
		return Reply{}, p.died(true)
	}
	line, err := json.Marshal(r)
	if err != nil {
		return Reply{}, fault.Wrap(fault.Internal, err, "a request to the desktop process cannot be written")
	}
	// A process that does not read is ended by end, which ends the writing too.
	sent := make(chan error, 1)
	go func() {
		_, err := p.in.Write(append(line, '\n'))
		sent <- err
	}()
	select {
	case got := <-p.replies:
		var reply Reply
		if err := json.Unmarshal(got, &reply); err != nil {
			return Reply{}, fault.Wrap(fault.PlatformNotSupported, err, "the desktop process answered something else")
		}
		return reply, nil
	case <-p.dead:
		return Reply{}, p.died(<-sent != nil) // it was dead before it could read it
	case <-ctx.Done():
		return Reply{}, fault.Wrap(fault.Timeout, ctx.Err(), "the desktop process did not answer in time")
	}
}

// end closes the process's input, kills it when it stays, and waits for it.
func (p *process) end() {
	p.once.Do(func() {
		_ = p.in.Close()
		late := time.AfterFunc(endWithin, func() { _ = p.cmd.Process.Kill() })
		defer late.Stop()
		for {
			select {
			case <-p.replies: // of a question nobody waits for any more
				continue
			case <-p.dead:
			}
			break
		}
		_ = p.cmd.Wait() // how it ended is of no use to anybody
	})
}

// Look starts the process, asks what it can drive and ends it. A display that
// cannot be had is no error. PLATFORM_NOT_SUPPORTED: the process ended without
// an answer. TIMEOUT: ctx ended first.
func Look(ctx context.Context, executable string, env []string) (Display, error) {
	p, err := begin(Options{Executable: executable, Env: env})
	if err != nil {
		return Display{}, err
	}
	defer p.end()
	r, err := p.ask(ctx, Request{Op: Probe})
	if err != nil {
		return Display{}, err
	}
	if r.Display == nil {
		return Display{}, fault.New(fault.Internal, "the desktop process refused to look: "+r.Message)
	}
	return *r.Display, nil
}

// limited keeps the first 64 KiB of what a process says, from any goroutine.
type limited struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

const mostSaid = 64 << 10

func (l *limited) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept.Write(p[:min(len(p), mostSaid-l.kept.Len())])
	return len(p), nil
}

func (l *limited) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.String()
}
