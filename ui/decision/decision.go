package decision

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/surfaces/fault"
	"countersign/ui/form"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// Reply is what a key led to. The zero value: nothing.
type Reply struct {
	Answer Answer // Verb is NoVerb when nothing was answered
	Leave  bool   // the person left the question, unanswered
	Look   bool   // the person wants to see the picture
}

// Model is the decision region. A value without a clock: the time comes with
// each call.
type Model struct {
	theme     theme.Theme
	keys      KeyMap
	sensitive func(string) bool

	card   Card
	arming Arming
	form   form.Model
	input  text.Edit
	notice string             // refusal or outcome, ours
	sent   bool               // an answer is on its way, or was given
	once   string             // payment by hand: the word whose key was pressed once
	gone   bool               // the question went without the person's answer
	drafts map[question]draft // of questions the person turned away from; never changed in place

	top     int
	width   int
	height  int
	focused bool
	reach   key.Binding // leads here from where the keys go
	hidden  bool        // an overlay lies over it
	guarded bool        // a form that appeared under the person's fingers arms first
	now     time.Time
}

// New makes an empty region. Sensitive says which names are typed without echo.
func New(th theme.Theme, keys KeyMap, sensitive func(string) bool) Model {
	return Model{theme: th, keys: keys, sensitive: sensitive}
}

// Show puts a question, or what became of it. The same question stays as it is;
// anything that differs disarms. A view that waits for nothing empties the
// region.
func (m Model) Show(a Asked, now time.Time) Model {
	m.now = now
	card := NewCard(a)
	if m.card.kind != NoQuestion && card.id != m.card.id {
		m = m.keep()
	}
	if card.kind == NoQuestion {
		m.gone = m.gone && m.Empty() || !m.Empty() && card.id == m.card.id && !m.sent
		m.card, m.arming, m.form, m.input, m.notice = Card{}, Arming{}, form.Model{}, text.Edit{}, ""
		m.sent, m.once, m.top = false, "", 0
		return m
	}
	m.gone = false
	same := card.id == m.card.id && card.kind == m.card.kind && card.digest == m.card.digest && card.asked == m.card.asked
	waited := m.card.waiting && !card.waiting && card.id == m.card.id && card.digest == m.card.digest
	switch {
	case m.card.Same(card):
		card.insist = m.card.insist
	case same || waited:
		card.insist = m.card.insist && same
		m.arming = m.arming.Disarm(now)
		m.top = 0
	default:
		m.arming, m.top = NewArming(now), 0
		m.input, m.notice, m.sent, m.once = text.Edit{}, "", false, ""
		m.guarded = m.focused
	}
	if card.kind == Values && (!same || !m.form.Same(card.fields)) {
		m.form = form.New(card.fields, m.sensitive)
		m.sent, m.notice = false, ""
	}
	if card.kind != Values {
		m.form = form.Model{} // it may hold a secret
	}
	turned := card.id != m.card.id
	m.card = card
	if turned {
		m = m.restore()
	}
	return m.look()
}

// Gone reports whether the question that stood here last went away without the
// person's answer: what is still being typed was meant for it.
func (m Model) Gone() bool { return m.gone }

// Empty reports whether there is no question.
func (m Model) Empty() bool { return m.card.kind == NoQuestion }

// Task is the task that asks.
func (m Model) Task() task.ID { return m.card.id }

// Typing reports whether keys are text here.
func (m Model) Typing() bool { return m.focused && !m.Empty() && m.card.kind != PaidByHand }

// TakesTab reports whether tab moves between fields here.
func (m Model) TakesTab() bool { return m.card.kind == Values && m.form.Len() > 1 }

// Hints are the keys that matter while the question is answered, the most
// important first.
func (m Model) Hints() []key.Binding {
	switch m.card.kind {
	case PaidByHand: // its two keys stand in the card
		return []key.Binding{m.keys.Leave, m.keys.Down}
	case Values:
		return []key.Binding{m.keys.Enter, m.keys.Leave}
	case NoQuestion, Sign, Pay, Blind, CarryOn, Outcome, ByHand, Plan:
		return []key.Binding{m.keys.Enter, m.keys.Leave, m.keys.Down}
	default:
		return nil
	}
}

// Ready reports whether an answer counts now.
func (m Model) Ready() bool {
	if m.card.kind == Values && !m.guarded {
		return true
	}
	return m.arming.Ready()
}

// NextTick is when Tick should be called for READY to appear; false when there
// is nothing to wait for.
func (m Model) NextTick() (time.Duration, bool) {
	if m.Empty() || m.hidden || m.Ready() || !m.card.Complete() {
		return 0, false
	}
	return max(m.arming.Wait(m.now), 20*time.Millisecond), true
}

// Tick tells the time.
func (m Model) Tick(now time.Time) Model {
	m.now = now
	if m.card.Complete() && !m.hidden {
		m.arming = m.arming.Tick(now)
	}
	return m
}

// SetSize gives the region's size; another one disarms.
func (m Model) SetSize(width, height int, now time.Time) Model {
	if width == m.width && height == m.height {
		return m
	}
	m.width, m.height, m.now = width, height, now
	m.arming = m.arming.Disarm(now)
	return m.look()
}

// SetFocused says whether keys go to the question, and else which one leads
// there.
func (m Model) SetFocused(on bool, reach key.Binding) Model {
	m.focused, m.reach = on, reach
	return m
}

// SetHidden says whether something lies over the region; that disarms.
func (m Model) SetHidden(on bool, now time.Time) Model {
	if on == m.hidden {
		return m
	}
	m.hidden = on
	return m.Disarm(now)
}

// Disarm takes READY back: the terminal lost the focus, or came back from a
// suspend.
func (m Model) Disarm(now time.Time) Model {
	m.now = now
	m.arming = m.arming.Disarm(now)
	return m.look()
}

// Key notes a key that went elsewhere: it keeps a card from getting ready.
func (m Model) Key(now time.Time) Model {
	m.now = now
	m.arming = m.arming.Key(now)
	if m.once != "" {
		m.once, m.notice = "", ""
	}
	return m
}

// Update takes a key that came at a time.
func (m Model) Update(msg tea.KeyMsg, now time.Time) (Model, Reply) {
	m.now = now
	if key.Matches(msg, m.keys.Leave) {
		return m, Reply{Leave: true}
	}
	if next, ok := m.read(msg); ok {
		return next.Key(now), Reply{}
	}
	if !m.Ready() {
		m.arming = m.arming.Key(now)
		return m, Reply{}
	}
	if m.sent {
		if msg.Type == tea.KeyEnter {
			m.notice = "already answered"
		}
		return m, Reply{}
	}
	if m.card.kind == Values {
		return m.values(msg)
	}
	if key.Matches(msg, m.keys.Forward) && m.input.Empty() && (m.card.kind == ByHand || m.card.kind == PaidByHand) {
		return m.Key(now), Reply{Answer: Answer{Verb: Forward, Task: m.card.id}}
	}
	if m.card.kind == PaidByHand {
		return m.paid(msg)
	}
	return m.line(msg)
}

// read scrolls a card taller than its region.
func (m Model) read(msg tea.KeyMsg) (Model, bool) {
	if m.card.kind == Values {
		return m, false
	}
	page := max(m.bodyHeight()-1, 1)
	switch {
	case key.Matches(msg, m.keys.Up):
		m.top--
	case key.Matches(msg, m.keys.Down):
		m.top++
	case key.Matches(msg, m.keys.PageUp):
		m.top -= page
	case key.Matches(msg, m.keys.PageDown):
		m.top += page
	default:
		return m, false
	}
	return m.look(), true
}

func (m Model) values(msg tea.KeyMsg) (Model, Reply) {
	var done bool
	m.form, done = m.form.Update(msg)
	if !done {
		return m, Reply{}
	}
	return m.give(m.card.Inputs(m.form.Values(), m.form.Secrets(), m.arming.ShownMS(m.now)))
}

// paid takes the two keys of a payment done by hand, each pressed twice: either
// closes the browser in which a payment may be half done.
func (m Model) paid(msg tea.KeyMsg) (Model, Reply) {
	word, says := "", ""
	switch {
	case key.Matches(msg, m.keys.Paid):
		word, says = "paid", m.keys.Paid.Help().Desc
	case key.Matches(msg, m.keys.NotPaid):
		word, says = "not paid", m.keys.NotPaid.Help().Desc
	}
	if word == "" || word != m.once {
		m.once, m.notice = word, ""
		if word != "" {
			m.notice = msg.String() + " again: " + says + ". That closes the task's browser"
		}
		return m, Reply{}
	}
	m.once = ""
	a, _ := m.card.Answer(word, m.arming.ShownMS(m.now))
	return m.give(a)
}

// line takes the one typed line; a paste is refused and said.
func (m Model) line(msg tea.KeyMsg) (Model, Reply) {
	if msg.Paste || msg.Type == tea.KeyRunes && len(msg.Runes) > 1 {
		m.notice = "that came as a paste: an answer is typed, letter by letter"
		return m, Reply{}
	}
	if msg.Type != tea.KeyEnter {
		m.input, m.notice = form.Typed(m.input, msg), ""
		return m, Reply{}
	}
	if m.card.picture && m.input.Value() == pictureWord {
		m.input, m.notice = text.Edit{}, ""
		return m, Reply{Look: true}
	}
	a, refusal := m.card.Answer(m.input.Value(), m.arming.ShownMS(m.now))
	m.input = text.Edit{}
	if refusal != "" {
		m.notice = refusal
		return m, Reply{}
	}
	if a.Verb == Compose {
		return m, Reply{Answer: a}
	}
	return m.give(a)
}

func (m Model) give(a Answer) (Model, Reply) {
	m.sent, m.notice = true, a.Said
	return m, Reply{Answer: a}
}

// Looked goes on after "done" with what a look said; the answer is NoVerb when
// the person must say more.
func (m Model) Looked(l task.Look) (Model, Answer) {
	next, a, resume := m.card.AfterLook(l, m.arming.ShownMS(m.now))
	m.card, m.notice, m.sent = next, a.Said, resume
	return m, a
}

// Given tells that an answer was taken and the task stands as v now: when it
// still asks, it can be answered again.
func (m Model) Given(v task.View) Model {
	if v.ID == m.card.id && theme.WaitOf(v) != theme.NoWait {
		m.sent = false
	}
	return m
}

// Refused tells the person why an answer was not taken. One that came too late
// is "already answered".
func (m Model) Refused(err error) Model {
	f := fault.Of(err)
	if f == nil {
		return m
	}
	if f.Code == fault.NotWaiting || f.Code == fault.StaleApproval {
		m.notice = "already answered"
		return m
	}
	m.sent, m.notice = false, text.Line(f.Error()+" · "+f.Hint)
	return m
}

// look keeps the scroll in bounds and notes when the last row is on the screen.
func (m Model) look() Model {
	rows := len(m.body())
	m.top = min(max(m.top, 0), max(rows-m.bodyHeight(), 0))
	if !m.hidden && m.bodyHeight() > 0 && m.top+m.bodyHeight() >= rows {
		m.arming = m.arming.Seen()
	}
	return m
}

// chrome is the rows beside the body: rule, choices, line to type in.
func (m Model) chrome() int { return 2 + len(m.choices()) }

func (m Model) bodyHeight() int { return max(m.height-m.chrome(), 0) }

// Want is the height at which nothing has to be scrolled, and a blank row.
func (m Model) Want(width int) int {
	if m.Empty() {
		return 0
	}
	m.width = width
	return len(m.body()) + m.chrome() + 1 // a blank row sets the answers apart
}
