package ui

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/ui/composer"
	"countersign/ui/decision"
	"countersign/ui/dialog"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// key routes a key: what must always work first, then what lies on top, then a
// text being typed, then the desk.
func (m Model) key(msg tea.KeyMsg) (Model, tea.Cmd) {
	if n := len(msg.Runes); n > maxPaste {
		m.decision = m.decision.Key(m.now)
		return m.warn(fmt.Sprintf("a paste of %d characters was not taken: %d at most", n, maxPaste)), nil
	}
	if msg.Type == tea.KeyRunes && len(msg.Runes) > 1 && !msg.Paste {
		if !m.typing() {
			return m.burst(msg)
		}
		msg.Paste = true // else letters that spell a key, such as "up", would be it
	}
	if next, cmd, ok := m.always(msg); ok {
		next.decision = next.decision.Key(next.now)
		return next, cmd
	}
	m.haltTill = m.now
	if next, cmd, ok := m.tourKey(msg); ok {
		return next, cmd
	}
	m.tour = tour{}
	if m.now.Before(m.strayTill) {
		m.strayTill = m.now.Add(decision.QuietFor)
		return m, nil
	}
	switch {
	case m.dialogs.Open():
		return m.dialogKey(msg)
	case m.composing:
		return m.wish(m.composer.Update(msg))
	case m.browsing:
		return m.browse(m.history.Update(msg))
	case m.inspector.Searching():
		m.inspector = m.inspector.Update(msg)
		return m, nil
	case m.board.Filtering():
		m.board = m.board.Update(msg)
		return m.follow()
	case m.typing():
		return m.decisionKey(msg)
	}
	if m.focus == onDecision && key.Matches(msg, m.keys.Decision.Paid, m.keys.Decision.NotPaid, m.keys.Decision.Forward, m.keys.Decision.Leave, m.keys.Decision.Up, m.keys.Decision.Down) {
		return m.decisionKey(msg)
	}
	m.decision = m.decision.Key(m.now)
	return m.deskKey(msg)
}

// maxPaste is the longest text taken in one piece, in characters. Every key is
// compared with every binding as text: a megabyte would hold the desk up for
// half a second.
const maxPaste = 1 << 16

// typing reports whether letters are text, in the composer or in an answer.
func (m Model) typing() bool {
	searching := m.browsing || m.inspector.Searching() || m.board.Filtering()
	return !m.dialogs.Open() && (m.composing || searching || m.focus == onDecision && m.decision.Typing())
}

// burst takes letters apart that a slow line delivered together.
func (m Model) burst(msg tea.KeyMsg) (Model, tea.Cmd) {
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		var cmd tea.Cmd
		m, cmd = m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		cmds = append(cmds, cmd)
	}
	return m, tea.Batch(cmds...)
}

// always is what works whatever has the focus.
func (m Model) always(msg tea.KeyMsg) (Model, tea.Cmd, bool) {
	switch {
	case key.Matches(msg, m.keys.Interrupt):
		next, cmd := m.quit()
		return next, cmd, true
	case key.Matches(msg, m.keys.Suspend):
		next, cmd := m.suspend()
		return next, cmd, true
	case key.Matches(msg, m.keys.Halt):
		if m.now.Before(m.haltTill) {
			m.haltTill = m.now
			return m.say("stopping …"), m.cmds.halt(), true
		}
		m = m.warn("ctrl+k again stops every running task at once")
		m.haltTill = m.noticeTill
		return m, nil, true
	default:
		return m, nil, false
	}
}

// suspend gives the terminal back to the shell, where there is one.
func (m Model) suspend() (Model, tea.Cmd) {
	if m.alone {
		return m.say("no shell stands behind this terminal: nothing could wake the desk"), nil
	}
	return m.disarmed(), tea.Suspend
}

func (m Model) deskKey(msg tea.KeyMsg) (Model, tea.Cmd) {
	if !key.Matches(msg, m.keys.Cancel) {
		m.cancelling = 0
	}
	if m.focus == onInspector {
		if next, cmd, ok := m.readingKey(msg); ok {
			return next, cmd
		}
	}
	switch {
	case key.Matches(msg, m.keys.Quit):
		return m.quit()
	case key.Matches(msg, m.keys.Again):
		return m.again()
	case key.Matches(msg, m.keys.History):
		return m.openHistory()
	case key.Matches(msg, m.keys.Help):
		m.dialogs = m.dialogs.Push(dialog.Dialog{Name: "help", Title: "Keys", Body: dialog.Help(m.theme, m.keys.groups(), m.width-8), Styled: true})
		return m, nil
	case key.Matches(msg, m.keys.NextWait):
		return m.nextWait()
	case key.Matches(msg, m.keys.Focus):
		return m.turnFocus(1), nil
	case key.Matches(msg, m.keys.FocusBack):
		return m.turnFocus(-1), nil
	case key.Matches(msg, m.keys.New):
		return m.compose(0)
	case key.Matches(msg, m.keys.Cancel):
		return m.cancel()
	case key.Matches(msg, m.keys.Relook):
		return m.relook()
	case key.Matches(msg, m.keys.Decision.Forward):
		return m.forward()
	case key.Matches(msg, m.keys.Copy):
		return m.copy()
	case key.Matches(msg, m.keys.Mouse):
		return m.toggleMouse()
	case key.Matches(msg, m.keys.Inspector.Tabs()...):
		m.inspector = m.inspector.Update(msg)
		if !m.layout.wide {
			m.focus = onInspector // where a question leaves little room, reading gets it
		}
		return m.fetchShown()
	case msg.Type == tea.KeyEnter:
		return m.open(), nil
	case msg.Type == tea.KeyEsc:
		m.focus = onBoard
		m.board = m.board.Unfilter()
		return m.follow()
	}
	return m.regionKey(msg)
}

// regionKey moves the cursor of the board or the rows of the inspector.
func (m Model) regionKey(msg tea.KeyMsg) (Model, tea.Cmd) {
	if !key.Matches(msg, append(m.keys.Board.FullHelp(), m.keys.Inspector.FullHelp()...)...) {
		return m.unknown(msg), nil
	}
	if m.focus == onInspector || key.Matches(msg, m.keys.Inspector.PageUp, m.keys.Inspector.PageDown) {
		m.inspector = m.inspector.Update(msg)
		return m, nil
	}
	m.board = m.board.Update(msg)
	return m.follow()
}

// unknown tells that a key means nothing here.
func (m Model) unknown(msg tea.KeyMsg) Model {
	if msg.Paste {
		return m.say("nothing is typed here, so nothing was pasted")
	}
	name := text.Line(msg.String())
	if name == "" {
		return m
	}
	return m.say(name + " does nothing here; ? lists the keys")
}

// open goes into the selected task: to its question, or to its steps.
func (m Model) open() Model {
	m.focus = onInspector
	if !m.decision.Empty() {
		m.focus = onDecision
	}
	return m
}

// turnFocus goes round the regions; a question comes right after the board.
func (m Model) turnFocus(by int) Model {
	ring := []focus{onBoard, onDecision, onInspector}
	if m.decision.Empty() {
		ring = []focus{onBoard, onInspector}
	}
	m.focus = ring[(slices.Index(ring, m.focus)+by+len(ring))%len(ring)]
	return m
}

// toDecision is the key that leads to the question from where the keys go.
func (m Model) toDecision() key.Binding {
	if m.focus == onInspector {
		return m.keys.FocusBack
	}
	return m.keys.Focus
}

// leftByItsQuestion is the focus after a question went. One that the person did
// not answer may go in the middle of a word: the rest of it is no order to the
// desk, so keys are dropped until there is quiet.
func (m Model) leftByItsQuestion() Model {
	m.focus = onBoard
	if !m.decision.Gone() {
		return m
	}
	m.strayTill = m.now.Add(decision.QuietFor)
	return m.warn("the question went before it was answered")
}

func (m Model) nextWait() (Model, tea.Cmd) {
	after := task.ID(0)
	if v, ok := m.board.Selected(); ok && v.ID == m.jumped {
		after = v.ID
	}
	id, ok := m.board.OldestWait(after)
	if !ok {
		return m.say("nothing waits"), nil
	}
	m.board, m.jumped = m.board.Select(id), id
	m, cmd := m.follow()
	m.focus = onDecision
	return m, cmd
}

func (m Model) decisionKey(msg tea.KeyMsg) (Model, tea.Cmd) {
	if !m.decision.TakesTab() && key.Matches(msg, m.keys.Focus, m.keys.FocusBack) {
		m.decision = m.decision.Key(m.now)
		if key.Matches(msg, m.keys.FocusBack) {
			return m.turnFocus(-1), nil
		}
		return m.turnFocus(1), nil
	}
	next, reply := m.decision.Update(msg, m.now)
	m.decision = next
	if reply.Leave {
		m.focus = onBoard
		return m, nil
	}
	if reply.Look {
		return m.showPicture()
	}
	if reply.Answer.Verb == decision.Compose {
		return m.compose(reply.Answer.Task)
	}
	if reply.Answer.Verb == decision.Forward {
		return m.say("looking for the browser of " + reply.Answer.Task.String()), m.cmds.forward(reply.Answer.Task)
	}
	return m, m.cmds.answer(reply.Answer)
}

// forward shows the browser of the selected task.
func (m Model) forward() (Model, tea.Cmd) {
	v, ok := m.board.Selected()
	if !ok || theme.WaitOf(v) == theme.NoWait {
		return m.say("only the browser of a task that waits can be shown"), nil
	}
	return m.say("looking for the browser of " + v.ID.String()), m.cmds.forward(v.ID)
}

// cancel asks once more before it ends a task.
func (m Model) cancel() (Model, tea.Cmd) {
	v, ok := m.board.Selected()
	switch {
	case !ok:
		return m.say("no task is there to cancel"), nil
	case v.Status.State == task.Checkpoint && theme.WaitOf(v) == theme.ByHand:
		return m.say("say first whether you paid: that closes its browser"), nil
	case v.Status.IsFinal():
		return m.say(v.ID.String() + " has ended already"), nil
	case m.cancelling == v.ID && m.now.Before(m.cancelTill):
		m.cancelling = 0
		return m.say("cancelling " + v.ID.String()), m.cmds.cancel(v.ID, "", "cancelled")
	}
	m = m.warn("x again cancels " + v.ID.String() + " and closes what it holds")
	m.cancelling, m.cancelTill = v.ID, m.noticeTill
	return m, nil
}

func (m Model) relook() (Model, tea.Cmd) {
	v, ok := m.board.Selected()
	if !ok || theme.WaitOf(v) == theme.NoWait || theme.WaitOf(v) == theme.Type {
		return m.say("only a task that waits on a page can be looked at"), nil
	}
	return m.lookAt(v.ID)
}

func (m Model) copy() (Model, tea.Cmd) {
	v, ok := m.board.Selected()
	if !ok {
		return m.say("no task is there to copy the id of"), nil
	}
	s := v.ID.String()
	if m.focus == onDecision && v.Status.Digest != "" {
		s = v.Status.Digest
	}
	if m.focus == onInspector {
		s = cmp.Or(m.inspector.Copy(), s)
	}
	return m.say("copied " + text.Truncate(text.Line(s), 40)), m.cmds.copy(s)
}

func (m Model) toggleMouse() (Model, tea.Cmd) {
	m.mouse = !m.mouse
	if m.mouse {
		return m.say("mouse on: the wheel scrolls"), tea.EnableMouseCellMotion
	}
	return m.say("mouse off: text can be selected"), tea.DisableMouse
}

// wheel scrolls the inspector; a click does nothing anywhere.
func (m Model) wheel(msg tea.MouseMsg) Model {
	if msg.Button == tea.MouseButtonWheelUp {
		m.inspector = m.inspector.Update(tea.KeyMsg{Type: tea.KeyUp})
	}
	if msg.Button == tea.MouseButtonWheelDown {
		m.inspector = m.inspector.Update(tea.KeyMsg{Type: tea.KeyDown})
	}
	return m
}

// compose opens the composer; replaces is the task the new one takes the place
// of, or 0.
func (m Model) compose(replaces task.ID) (Model, tea.Cmd) {
	m.composing = true
	m.composer = m.composer.Open(replaces)
	return m, m.cmds.files()
}

// wish does what the composer wants.
func (m Model) wish(c composer.Model, w composer.Wish) (Model, tea.Cmd) {
	m.composer = c
	switch w.Verb {
	case composer.Read:
		return m, m.cmds.load(w.Path)
	case composer.Complete:
		return m, m.cmds.complete(w.Path)
	case composer.Plan:
		var cmd tea.Cmd
		cmd, m.unplan = m.cmds.plan(w.Nr, w.Plan)
		return m, cmd
	case composer.StopPlanning:
		if m.unplan != nil {
			m.unplan()
		}
		return m, nil
	case composer.Check:
		return m, m.cmds.check(w.Start)
	case composer.Write:
		return m, m.cmds.inEditor(w.Text)
	case composer.Start:
		return m, m.cmds.start(w.Start, c.Path())
	case composer.Close:
		m.composing = false
		return m, nil
	case composer.Nothing:
		return m, nil
	default:
		return m, nil
	}
}

// Dialogs of the root, and what can be chosen in them.
const (
	quitDialog                = "quit"
	keepOpen    dialog.Choice = "keep"
	closeThem   dialog.Choice = "close"
	haltedTitle               = "Stopped"
)

// quit leaves at once when nothing is under way; else it asks once whether the
// browsers stay open. Asked again, it takes the default.
func (m Model) quit() (Model, tea.Cmd) {
	if m.dialogs.Name() == quitDialog {
		m.outcome = Outcome{}
		return m, tea.Quit
	}
	running, waiting := m.underWay()
	if running+waiting == 0 || m.cmds.opts.Ends || m.cmds.opts.Attached != 0 {
		return m, tea.Quit
	}
	m.dialogs = m.dialogs.Push(dialog.Dialog{
		Name: quitDialog, Title: "Leave the desk?",
		Body: []string{
			standing(running, waiting),
			"Nothing is answered by leaving. What runs stops at its next step; what waits is asked again at the next start.",
			"",
			"Shall their browsers stay open until then?",
		},
		Options: []dialog.Option{
			{Keys: key.NewBinding(key.WithKeys("enter", "k"), key.WithHelp("enter", "leave, keep them open")), Choice: keepOpen},
			{Keys: key.NewBinding(key.WithKeys("c"), key.WithHelp("c", "leave, close them")), Choice: closeThem},
		},
	})
	return m, nil
}

func (m Model) dialogKey(msg tea.KeyMsg) (Model, tea.Cmd) {
	var choice dialog.Choice
	m.dialogs, choice = m.dialogs.Update(msg)
	if choice != keepOpen && choice != closeThem {
		return m, nil
	}
	m.outcome = Outcome{CloseBrowsers: choice == closeThem}
	return m, tea.Quit
}
