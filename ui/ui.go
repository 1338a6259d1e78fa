package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/ui/board"
	"countersign/ui/composer"
	"countersign/ui/decision"
	"countersign/ui/dialog"
	"countersign/ui/history"
	"countersign/ui/inspector"
	"countersign/ui/statusbar"
	"countersign/ui/theme"
)

// focus says which region keys go to.
type focus int

const (
	onBoard focus = iota
	onInspector
	onDecision
)

// Model is the root: the regions, and what is known of the selected task. A
// value; Update gives the next one.
type Model struct {
	cmds  commands
	feed  *feed // nil: events come from nowhere
	keys  KeyMap
	theme theme.Theme

	board     board.Model
	inspector inspector.Model
	decision  decision.Model
	composer  composer.Model
	status    statusbar.Model
	dialogs   dialog.Stack
	history   history.Model
	tour      tour
	composing bool
	browsing  bool               // the history lies over the desk
	unplan    context.CancelFunc // ends the planning under way; nil: none is
	focus     focus
	layout    layout
	width     int
	height    int
	now       time.Time

	report   *task.Report // of the selected task; nil until read
	look     *task.Look   // of the selected task; nil until looked
	fetching task.ID      // a report is being read
	reread   bool         // and must be read once more
	looking  task.ID      // a look is under way
	lookedAt time.Time
	screens  map[task.ID]*flows.Seen // latest look of each task

	health     task.Health
	notice     string
	danger     bool
	noticeTill time.Time
	haltTill   time.Time // ctrl+k was pressed once
	cancelling task.ID   // x was pressed once on it
	cancelTill time.Time
	rangAt     time.Time
	unrung     []task.ID // began to wait and were not told of; never changed in place
	strayTill  time.Time // keys until then were meant for a question that went
	jumped     task.ID   // where space last went
	arming     bool      // an armMsg is on its way
	drawing    bool      // a picture is being drawn for its tab
	mouse      bool
	alone      bool // no shell could go on with a suspended desk
	blurred    bool // the terminal lost the focus
	outcome    Outcome
	gone       error // the desk this one was attached to has closed
	crash      *crash
}

// Init starts the clock and the feed.
func (m Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.cmds.second(), m.cmds.describe()}
	if m.feed != nil {
		cmds = append(cmds, guard(m.feed.wait(m.cmds.ctx, false)))
	}
	return tea.Batch(cmds...)
}

// Update routes one message; every case is one call.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	next, cmd := m.route(msg)
	next, arm := next.settle()
	next, draw := next.drawTab()
	return next, tea.Batch(cmd, arm, draw)
}

func (m Model) route(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case stampedMsg:
		return m.tell(msg.at).route(msg.msg)
	case tea.WindowSizeMsg:
		return m.resized(msg)
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.wheel(msg), nil
	case tea.BlurMsg:
		return m.seen(false), nil
	case tea.FocusMsg:
		return m.seen(true), nil
	case suspendMsg:
		return m.suspend()
	case tea.ResumeMsg:
		return m.disarmed(), nil
	case secondMsg:
		return m.tell(msg.at).second()
	case armMsg:
		return m.tell(msg.at).armed(), nil
	case eventsMsg:
		return m.tell(msg.at).events(msg)
	case reportMsg:
		return m.tell(msg.at).reported(msg)
	case lookMsg:
		return m.tell(msg.at).looked(msg)
	case answeredMsg:
		return m.tell(msg.at).answered(msg)
	case forwardedMsg:
		return m.tell(msg.at).forwarded(msg), nil
	case startedMsg:
		return m.tell(msg.at).started(msg)
	case haltedMsg:
		return m.tell(msg.at).halted(msg), nil
	case drawnMsg:
		return m.drew(msg), nil
	case describedMsg:
		return m.described(msg), nil
	case filesMsg:
		m.composer = m.composer.SetFiles(msg.files)
		return m, nil
	case completedMsg:
		m.composer = m.composer.Completed(msg.path, msg.matches)
		return m, nil
	case loadedMsg:
		return m.wish(m.composer.Loaded(msg.raw, msg.err))
	case checkedMsg:
		return m.wish(m.composer.SetChecked(msg.flow, msg.checked))
	case plannedMsg:
		return m.wish(m.composer.Planned(msg.nr, msg.plan, msg.err))
	case exportedMsg:
		return m.tell(msg.at).exported(msg), nil
	case writtenMsg:
		return m.wish(m.composer.Written(msg.text, msg.here, msg.err))
	case againMsg:
		return m.tell(msg.at).copied(msg)
	case historyMsg:
		return m.browse(m.history.Found(msg.asked, msg.views, msg.err))
	case crashMsg:
		m.crash = msg.crash
		return m, tea.Quit
	default:
		return m, nil
	}
}

// tell gives the time to whoever shows an age or holds an order.
func (m Model) tell(at time.Time) Model {
	if at.Before(m.now) {
		return m
	}
	m.now = at
	m.board = m.board.SetNow(at)
	m.inspector = m.inspector.SetNow(at)
	return m
}

// settle lays the regions out anew and sees to it that a question gets its
// chance to become ready.
func (m Model) settle() (Model, tea.Cmd) {
	m.layout = layOut(m.width, m.height-m.noticeRows(), m.decision.Want(m.width), m.focus == onInspector)
	l := m.layout
	if l.wide {
		m.board = m.board.SetSize(l.board, l.body)
	} else {
		m.board = m.board.SetSize(m.width, 1)
	}
	m.inspector = m.inspector.SetSize(l.inspector, l.body)
	m.decision = m.decision.SetSize(m.width, l.decision, m.now)
	m.decision = m.decision.SetHidden(m.dialogs.Open() || m.composing || m.browsing || l.small || m.blurred, m.now)
	m.status = m.status.SetSize(m.width)
	m.dialogs = m.dialogs.SetSize(m.width, m.height-1)
	m.composer = m.composer.SetSize(m.width, m.height-1-m.noticeRows())
	m.history = m.history.SetSize(m.width, m.height-1-m.noticeRows()).SetNow(m.now)
	if m.focus == onDecision && m.decision.Empty() {
		m = m.leftByItsQuestion()
	}
	m.board = m.board.SetFocused(m.focus == onBoard)
	m.inspector = m.inspector.SetFocused(m.focus == onInspector)
	m.decision = m.decision.SetFocused(m.focus == onDecision, m.toDecision())
	wait, ok := m.decision.NextTick()
	if !ok || m.arming {
		return m, nil
	}
	m.arming = true
	return m, m.cmds.arm(wait)
}

func (m Model) armed() Model {
	m.arming = false
	m.decision = m.decision.Tick(m.now)
	return m
}

// seen says whether the person's terminal has the focus. Without it no question
// gets ready: nobody may be reading.
func (m Model) seen(focused bool) Model {
	m.blurred = !focused
	return m
}

func (m Model) disarmed() Model {
	m.decision = m.decision.Disarm(m.now)
	return m
}

func (m Model) resized(msg tea.WindowSizeMsg) (Model, tea.Cmd) {
	// The terminal has moved or lost what it showed, whatever size it has again, and
	// the renderer, which is not told (the size comes with its time, in a message of
	// ours), would draw only what differs.
	again := tea.ClearScreen
	if m.width == msg.Width && m.height == msg.Height {
		return m, again
	}
	m.width, m.height = msg.Width, msg.Height
	if m.height < noticeFrom {
		m.tour = tour{} // it cannot be drawn, so it must take no key
	}
	m.decision = m.decision.Disarm(m.now)
	if m.dialogs.Name() != pictureDialog {
		return m, again
	}
	m.dialogs = m.dialogs.Pop() // it was drawn for the room there was
	m, cmd := m.showPicture()
	return m, tea.Batch(again, cmd)
}

// second lets ages and notices grow old, and looks quietly again at what is
// being signed.
func (m Model) second() (Model, tea.Cmd) {
	if m.notice != "" && m.now.After(m.noticeTill) {
		m.notice = ""
	}
	m.decision = m.decision.Tick(m.now)
	m, bell := m.ring()
	m, walk := m.stroll()
	cmds := []tea.Cmd{m.cmds.second(), bell, walk}
	if v, ok := m.board.Selected(); ok && v.Status.State == task.NeedsApproval && m.now.Sub(m.lookedAt) >= relookEvery {
		var cmd tea.Cmd
		m, cmd = m.lookAt(v.ID)
		cmds = append(cmds, cmd)
	}
	return m, tea.Batch(cmds...)
}

// relookEvery is how often the page behind an open approval is read again.
const relookEvery = 10 * time.Second

// Notices stand this long.
const noticeFor = 6 * time.Second

func (m Model) say(s string) Model {
	m.notice, m.danger, m.noticeTill = s, false, m.now.Add(noticeFor)
	return m
}

func (m Model) warn(s string) Model {
	m = m.say(s)
	m.danger = true
	return m
}
