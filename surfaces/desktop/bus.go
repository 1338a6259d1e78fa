package desktop

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces/fault"
)

// Names of the accessibility bus (at-spi2-core, xml/*.xml).
const (
	busName      = "org.a11y.Bus"
	registryName = "org.a11y.atspi.Registry"
	registryPath = dbus.ObjectPath("/org/a11y/atspi/registry")
	rootPath     = dbus.ObjectPath("/org/a11y/atspi/accessible/root")
	cachePath    = dbus.ObjectPath("/org/a11y/atspi/cache")
	nullPath     = dbus.ObjectPath("/org/a11y/atspi/null")

	atspi      = "org.a11y.atspi."
	properties = "org.freedesktop.DBus.Properties."
	busDaemon  = "org.freedesktop.DBus"
)

// inFlight is how many questions wait for an answer at once: enough that a
// program is never idle, well under what a bus lets one connection have.
const inFlight = 512

// turnOn is the setting that lets programs be read.
const turnOn = "Turn on accessibility, `gsettings set org.gnome.desktop.interface toolkit-accessibility true`, and start the program again."

// accessible is one object of a program's tree: the connection that has it and
// its path there.
type accessible struct {
	Bus  string
	Path dbus.ObjectPath
}

func (a accessible) null() bool { return a.Path == nullPath || a.Path == "" }

// errUnanswered is a question whose time ran out.
var errUnanswered = errors.New("the program does not answer")

// bus is a connection to the accessibility bus.
type bus struct {
	*dbus.Conn
	enabled bool // accessibility is switched on for the session

	// Who is on the bus, by the connection's name, which is never given again.
	// Of the verb that has the desktop's turn.
	met map[string]*program
}

// sessionAddress is where the session bus of an environment listens; empty when
// it names none.
func sessionAddress(env environment) string {
	if a := env.get("DBUS_SESSION_BUS_ADDRESS"); a != "" {
		return a
	}
	if dir := env.get("XDG_RUNTIME_DIR"); dir != "" {
		return "unix:path=" + filepath.Join(dir, "bus")
	}
	return ""
}

// connect finds the accessibility bus that the session bus announces.
// PERM_DENIED: there is none, or it cannot be reached.
func connect(ctx context.Context, env environment) (*bus, error) {
	address := sessionAddress(env)
	if address == "" {
		return nil, denied(nil, "there is no session bus").WithHint("Start the desk inside a graphical session, or with `dbus-run-session -- countersign`.")
	}
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	session, err := dial(ctx, address)
	if err != nil {
		return nil, denied(err, "the session bus cannot be reached").WithHint("Start the desk inside a graphical session, or with `dbus-run-session -- countersign`.")
	}
	defer func() { _ = session.Close() }()
	var announced string
	a11y := session.Object(busName, "/org/a11y/bus")
	if err := a11y.CallWithContext(ctx, busName+".GetAddress", 0).Store(&announced); err != nil || announced == "" {
		return nil, denied(err, "no accessibility bus is announced on the session bus").WithHint("Install at-spi2-core and log in again. " + turnOn)
	}
	var enabled bool
	var v dbus.Variant
	if a11y.CallWithContext(ctx, properties+"Get", 0, "org.a11y.Status", "IsEnabled").Store(&v) == nil {
		enabled, _ = v.Value().(bool)
	}
	c, err := dial(ctx, announced)
	if err != nil {
		return nil, denied(err, "the accessibility bus cannot be reached").WithHint(turnOn)
	}
	return &bus{Conn: c, enabled: enabled, met: map[string]*program{}}, nil
}

// connectWithin bounds the way to the accessibility bus, which may have to be
// started first.
const connectWithin = 10 * time.Second

// dial connects to a bus; ctx bounds the way there and nothing after it.
func dial(ctx context.Context, address string) (*dbus.Conn, error) {
	return dialWith(ctx, func() (*dbus.Conn, error) {
		return dbus.Connect(address, dbus.WithSignalHandler(dbus.NewSequentialSignalHandler()))
	})
}

func dialWith(ctx context.Context, connect func() (*dbus.Conn, error)) (*dbus.Conn, error) {
	type result struct {
		c   *dbus.Conn
		err error
	}
	got := make(chan result, 1)
	go func() { // ends with the greeting, or with the connection that is closed when nobody waits for it
		c, err := connect()
		got <- result{c, err}
	}()
	select {
	case r := <-got:
		return r.c, r.err
	case <-ctx.Done():
		go func() { // ends when the dialling above does
			if r := <-got; r.c != nil {
				_ = r.c.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

func denied(cause error, message string) *fault.Error {
	return fault.Wrap(fault.PermDenied, cause, message).WithHint(turnOn)
}

// question is one call and what takes its answer.
type question struct {
	to     accessible
	method string // with its interface
	args   []any
	answer func(*dbus.Call) // not called when the call failed; err tells
	err    error
}

// ask puts one question.
func (b *bus) ask(ctx context.Context, to accessible, method string, args []any, into ...any) error {
	q := question{to: to, method: method, args: args}
	q.answer = func(c *dbus.Call) { q.err = c.Store(into...) }
	b.askAll(ctx, []*question{&q})
	return q.err
}

// get reads one property.
func (b *bus) get(ctx context.Context, to accessible, iface, name string) (any, error) {
	var v dbus.Variant
	err := b.ask(ctx, to, properties+"Get", []any{atspi + iface, name}, &v)
	return v.Value(), err
}

// askAll puts all questions at once and waits for the answers, which cost about
// one way there and back. What ctx leaves unanswered is errUnanswered.
func (b *bus) askAll(ctx context.Context, questions []*question) {
	for len(questions) > 0 {
		n := min(len(questions), inFlight)
		b.askSome(ctx, questions[:n])
		questions = questions[n:]
	}
}

func (b *bus) askSome(ctx context.Context, questions []*question) {
	done := make(chan *dbus.Call, len(questions)) // room for every answer, so that a late one blocks nobody
	asked := make(map[*dbus.Call]*question, len(questions))
	for _, q := range questions {
		q.err = errUnanswered
		if ctx.Err() != nil {
			continue
		}
		// The calls have no context of their own: each would cost a goroutine.
		asked[b.Object(q.to.Bus, q.to.Path).Go(q.method, 0, done, q.args...)] = q
	}
	for range len(asked) {
		select {
		case call := <-done:
			q := asked[call]
			if q.err = call.Err; q.err == nil {
				q.answer(call)
			}
		case <-ctx.Done():
			return
		}
	}
}

// noReply is what a bus answers for a program that ended over a question.
const noReply = "org.freedesktop.DBus.Error.NoReply"

// absent reports whether an error says that the object, or the program that had
// it, is gone.
func absent(err error) bool {
	var e dbus.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Name {
	case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod",
		"org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
		noReply, "org.freedesktop.DBus.Error.Disconnected":
		return true
	default:
		return false
	}
}
