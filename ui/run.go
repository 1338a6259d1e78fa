package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"countersign/controller"
	"countersign/controller/task"
	"countersign/surfaces/fault"
	"countersign/ui/board"
	"countersign/ui/composer"
	"countersign/ui/decision"
	"countersign/ui/dialog"
	"countersign/ui/history"
	"countersign/ui/inspector"
	"countersign/ui/statusbar"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// Options of a desk. The zero value works.
type Options struct {
	Clock     Clock             // nil: the machine's
	StateDir  string            // where the list of flows last used lies; empty: none is kept
	ExportDir string            // where records are saved; empty: the present folder
	CrashDir  string            // where crash files go; empty: the temporary folder
	Version   string            // for crash files
	Theme     string            // auto (by COLORFGBG, else dark), dark, light, contrast
	Colours   map[string]string // a person's own, by role; checked
	NoColor   bool              // as NO_COLOR does
	Mouse     bool
	Bell      bool
	Notify    bool   // a new wait is told outside of the window as well, where the terminal can
	Tmux      bool   // between us and the terminal is a tmux
	Notice    string // one line above the desk: what a demo wants to say
	Tour      bool   // walk over the desk first, until a key is pressed
	Ends      bool   // leaving ends every task, so nothing is asked about browsers
	// Attached is the process whose desk this shows; 0: our own. Answers are
	// refused by that desk, leaving touches none of its tasks, and its end
	// (DESK_GONE) ends this one.
	Attached int
	// Constraints are what every task started at this desk is given beside what
	// its composer says: which browser, its profile, whether it has a window.
	Constraints task.Constraints
	In          io.Reader
	Out         io.Writer

	// CheckFlow checks a flow before it starts; called on a command's goroutine.
	// Nil: the flows package's own check.
	CheckFlow func(task.StartRequest) composer.Checked
	// Sensitive says which names are typed without echo. Nil: the rule of the
	// facts package.
	Sensitive func(name string) bool
}

// Outcome is how the person left.
type Outcome struct {
	// CloseBrowsers is true when they asked for the browsers of unfinished
	// tasks to be closed; false, the default, keeps them for the next start.
	CloseBrowsers bool
}

// build makes the root model. Events reach it only through a feed, which Run
// gives it; tests drive it by messages.
func build(ctx context.Context, desk controller.Desk, o Options, th theme.Theme, out io.Writer) Model {
	o = o.filled()
	o.Notice = text.Line(o.Notice)
	keys := DefaultKeyMap()
	return Model{
		cmds: commands{ctx: ctx, desk: desk, clock: o.Clock, opts: o, out: out, profile: th.Pictures},
		keys: keys, theme: th, mouse: o.Mouse,
		board:     board.New(th, keys.Board),
		inspector: inspector.New(th, keys.Inspector),
		decision:  decision.New(th, keys.Decision, o.Sensitive),
		composer:  composer.New(th, keys.Composer, o.Sensitive),
		history:   history.New(th, keys.Past),
		status:    statusbar.New(th),
		dialogs:   dialog.New(th),
	}
}

func (o Options) filled() Options {
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.CheckFlow == nil {
		o.CheckFlow = checkFlow
	}
	if o.Sensitive == nil {
		o.Sensitive = sensitive
	}
	return o
}

// Run shows the desk until the person leaves, ctx ends or the terminal is lost;
// the last two count as the default outcome. Whatever happens the terminal is
// put right. A panic anywhere ends it with an INTERNAL fault that names the
// crash file.
func Run(ctx context.Context, desk controller.Desk, o Options) (Outcome, error) {
	o = o.filled()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := terminal(o.Out)
	box := &crashBox{}
	m := build(ctx, desk, o, o.theme(), out)
	m.alone = alone()
	m.now = o.Clock.Now()
	if o.Tour {
		m, _ = m.goOn() // there is no task yet to read
	}
	m.feed = newFeed(ctx, desk.Watch(ctx, nil), o.Clock, func(v any) { box.set(newCrash(v)) })
	defer m.feed.Close()
	defer cancel()

	stop := newStops()
	p := tea.NewProgram(guarded{m, box}, o.program(out, stop)...)
	stop.watch(ctx, p)
	// An ended context quits like a key does: cut off by it, Bubble Tea closes
	// its input under the reader (1.3.10).
	defer context.AfterFunc(ctx, p.Quit)()
	final, err := p.Run()
	if g, ok := final.(guarded); ok {
		m = g.Model
	}
	if m.crash != nil {
		box.set(m.crash)
	}
	if c := box.get(); c != nil {
		return Outcome{}, c.fault(o)
	}
	if errors.Is(err, tea.ErrProgramPanic) {
		return Outcome{}, newCrash(err).fault(o)
	}
	// A signal, an ended context and a lost terminal take the default unasked.
	return m.outcome, m.gone
}

// fault writes the crash file and says where.
func (c *crash) fault(o Options) error {
	path, err := c.write(o.CrashDir, o.Version, o.Clock.Now())
	f := fault.New(fault.Internal, "the desk met a bug of its own and stopped")
	if err != nil {
		return f.WithHint("No crash file could be written. Start again: nothing was answered, and the tasks are as they were.")
	}
	return f.WithHint("What happened is in " + path + ". Start again: nothing was answered, and the tasks are as they were.")
}

func (o Options) theme() theme.Theme {
	var out io.Writer = os.Stdout
	if o.Out != nil {
		out = o.Out
	}
	profile := termenv.NewOutput(out).ColorProfile()
	noColor := o.NoColor || os.Getenv("NO_COLOR") != ""
	if noColor || profile == termenv.Ascii {
		// Weights are no colours: they stay.
		profile, noColor = termenv.ANSI, true
	}
	light := o.Theme == "light" || o.Theme != "dark" && theme.LightBackground(os.Getenv("COLORFGBG"))
	return theme.New(theme.Options{Light: light, NoColor: noColor, Profile: profile, Contrast: o.Theme == "contrast", Colours: o.Colours})
}

func (o Options) program(out io.Writer, stop stops) []tea.ProgramOption {
	opts := []tea.ProgramOption{
		// Signals end ctx. Bubble Tea's own handler takes the same signal and, when
		// the loop has gone already, waits for ever to report it (1.3.10, tea.go).
		tea.WithoutSignalHandler(),
		tea.WithAltScreen(), tea.WithReportFocus(), tea.WithOutput(out), tea.WithFPS(framesPerSecond),
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			stop.heard(msg)
			return stamp(msg, o.Clock.Now)
		}),
	}
	if o.In != nil {
		opts = append(opts, tea.WithInput(o.In))
	}
	if o.Mouse {
		opts = append(opts, tea.WithMouseCellMotion())
	}
	return opts
}

// framesPerSecond bounds the renderer; a key is drawn within one of its ticks.
const framesPerSecond = 100

// stamp gives input the time it came, outside Update.
func stamp(msg tea.Msg, now func() time.Time) tea.Msg {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.WindowSizeMsg, tea.FocusMsg, tea.BlurMsg, tea.ResumeMsg:
		return stampedMsg{at: now(), msg: msg}
	default:
		return msg
	}
}

// lockedFile keeps the bell and the clipboard from landing inside a frame.
type lockedFile struct {
	*os.File
	mu sync.Mutex
}

func (f *lockedFile) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.File.Write(b)
}

// WriteString goes through Write: the embedded one would pass the lock by.
func (f *lockedFile) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

func terminal(out io.Writer) io.Writer {
	if out == nil {
		out = os.Stdout
	}
	if f, ok := out.(*os.File); ok {
		return &lockedFile{File: f}
	}
	return out
}

// crashBox carries a panic out of a goroutine; the first one counts.
type crashBox struct {
	mu sync.Mutex // guards c
	c  *crash
}

func (b *crashBox) set(c *crash) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.c == nil {
		b.c = c
	}
}

func (b *crashBox) get() *crash {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.c
}

// guarded catches panics of the model itself, so that the program ends the
// ordinary way: the terminal restored, nothing printed that could hold a value.
type guarded struct {
	Model
	box *crashBox
}

func (g guarded) Init() (cmd tea.Cmd) {
	defer g.caught(func() { cmd = tea.Quit })
	return g.Model.Init()
}

func (g guarded) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = g
	defer g.caught(func() { cmd = tea.Quit })
	if g.box.get() != nil {
		return g, tea.Quit
	}
	m, cmd := g.Model.Update(msg)
	if root, ok := m.(Model); ok {
		g.Model = root
	}
	return g, cmd
}

// View leaves the frame empty after a panic; the next message, at most a second
// away, ends the program.
func (g guarded) View() (frame string) {
	defer g.caught(func() { frame = "" })
	return g.Model.View()
}

func (g guarded) caught(then func()) {
	if v := recover(); v != nil {
		g.box.set(newCrash(v))
		then()
	}
}
