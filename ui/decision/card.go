package decision

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"countersign/controller/task"
	"countersign/ui/text"
)

// Kind tells the questions apart; each has its own answers.
type Kind int

// The kinds of question.
const (
	NoQuestion Kind = iota
	Sign            // an act that cannot be taken back
	Pay             // a payment
	Blind           // a control without a name: only declined
	CarryOn         // interrupted, or a side was lost
	Outcome         // a press may have happened
	PaidByHand      // stopped in front of a payment
	ByHand          // a wall only a person can pass
	Values          // missing values
	Plan            // a flow is wanted
)

// Asked is everything a card is made of. Report and Look are nil until read.
type Asked struct {
	View   task.View
	Report *task.Report
	Look   *task.Look
}

// Card is one question as it is shown. A value: changing what is asked makes a
// new card.
type Card struct {
	id      task.ID
	kind    Kind
	title   string
	asked   int64 // Unix ms
	expires int64 // declines itself then, Unix ms; 0: never
	digest  string
	rows    []Row
	expect  string // what a payment is signed with
	fields  []task.Field
	waiting bool // evidence is still to come
	insist  bool // "still there" was said
	window  bool // its browser has a window that can be shown
	picture bool // one was taken of what is asked
}

// NewCard makes the card of a task that waits; its kind is NoQuestion for one
// that does not. Everything foreign is cleaned here.
func NewCard(a Asked) Card {
	c := Card{id: a.View.ID, kind: kindOf(a), asked: a.View.SinceAt}
	switch c.kind {
	case Sign, Pay, Blind:
		c.approval(a)
	case CarryOn, Outcome:
		c.checkpoint(a)
	case PaidByHand:
		c.payment(a)
	case ByHand:
		c.wall(a)
	case Values:
		c.title = "VALUES"
		c.fields = a.View.Status.Fields
		c.taskRows(a)
	case Plan:
		c.title = "NO FLOW"
		c.taskRows(a)
		c.add(Note, "", "Nobody here can plan this task. Write a flow for it: it starts as a new task and this one is cancelled.")
	case NoQuestion:
	}
	return c
}

func kindOf(a Asked) Kind {
	s := a.View.Status
	switch s.State {
	case task.NeedsApproval:
		return approvalKind(a)
	case task.NeedsInput:
		return Values
	case task.NeedsPlan:
		return Plan
	case task.NeedsHuman:
		return ByHand
	case task.Checkpoint:
		switch {
		case s.Kind == task.CheckpointOutcomeUnknown:
			return Outcome
		case s.Continuable:
			return CarryOn
		case holds(a.View):
			return PaidByHand
		}
	case task.Running, task.Done, task.Failed, task.Cancelled:
	}
	return NoQuestion
}

func holds(v task.View) bool {
	for _, op := range v.Next {
		if op == task.OpCancel {
			return true
		}
	}
	return false
}

// titles are the only words a card can be headed with (desk.md section 3).
var titles = map[string]string{"pay": "PAY", "send": "SEND", "delete": "DELETE", "publish": "PUBLISH", "confirm": "CONFIRM"}

func (c *Card) taskRows(a Asked) {
	v := a.View
	c.fact("task", v.ID.String()+"  "+text.Line(v.Title))
	if v.Step == nil {
		return
	}
	at := fmt.Sprintf("%d", v.Step.Index)
	if n := stepCount(a.Report); n > 0 {
		at = fmt.Sprintf("%d of %d", v.Step.Index, n)
	}
	c.fact("step", at+"  "+text.Line(v.Step.Intent))
}

// stepCount is the number of top-level steps of the flow as given; 0 unknown.
func stepCount(r *task.Report) int {
	if r == nil {
		return 0
	}
	var flow struct {
		Steps []json.RawMessage `json:"steps"`
	}
	if json.Unmarshal(r.Flow, &flow) != nil {
		return 0
	}
	return len(flow.Steps)
}

func (c *Card) checkpoint(a Asked) {
	c.title = "CARRY ON"
	if c.kind == Outcome {
		c.title = "OUTCOME UNKNOWN"
	}
	s := a.View.Status
	c.fact("why", s.Reason)
	c.taskRows(a)
	c.fact("stopped at", s.Location)
	c.fact("done so far", s.Summary)
	if e := evidence(a); e != nil && c.kind == Outcome {
		c.destination(e)
		c.origin(e.Origin)
		c.fact("control", control(e))
		c.fact(amountLabel, strings.TrimSpace(e.Amount+" "+e.Currency))
		c.fact("payee", e.Payee)
		c.form(e)
		c.words(e)
	}
	c.now(a)
}

// now shows the page as it is, where a look was had.
func (c *Card) now(a Asked) {
	if a.Look == nil || a.Look.Screen == nil {
		return
	}
	c.add(Note, "", "The page now:")
	for i, line := range a.Look.Screen.Lines {
		if i == 6 {
			break
		}
		c.add(Quote, "", "“"+text.Line(line)+"”")
	}
}

func (c *Card) payment(a Asked) {
	c.title = "PAYMENT"
	s := a.View.Status
	c.fact("why", s.Reason)
	c.fact("stopped at", s.Location)
	c.fact("done so far", s.Summary)
	c.taskRows(a)
	c.reach(a)
	c.add(Note, "", "Paying stays with you. Either answer closes the task's browser.")
}

// walls are the titles of what only a person can pass, by what the person must
// do (tasks.md 4.6).
var walls = map[string]string{
	"solve the captcha": "CAPTCHA", "type the one-time code": "ONE-TIME CODE", "verify the phone": "PHONE CHECK",
	"finish two-factor sign-in": "TWO-FACTOR SIGN-IN", "sign in": "SIGN-IN",
}

func (c *Card) wall(a Asked) {
	c.title = "YOUR TURN"
	if t, ok := walls[a.View.Status.Reason]; ok {
		c.title = t
	}
	c.fact("to do", a.View.Status.Reason)
	c.taskRows(a)
	c.reach(a)
}

// reach says how the person gets to the task's browser.
func (c *Card) reach(a Asked) {
	if a.Look == nil {
		return
	}
	c.fact("page", a.Look.Address)
	switch {
	case a.Look.Headed:
		c.window = true
		c.add(Note, "", "Its browser has a window on this machine's screen.")
	case a.Look.Endpoint != "":
		c.fact("browser", text.Line(a.Look.Endpoint)+"  (no window; open this address in another Chrome)")
	}
	c.passage(a.Look)
}

// passage quotes the lines of the page that name an address: a wall may say
// where else it can be passed.
func (c *Card) passage(l *task.Look) {
	if l.Screen == nil {
		return
	}
	shown := 0
	for _, line := range l.Screen.Lines {
		if shown == 4 || !strings.Contains(line, "http://") && !strings.Contains(line, "https://") {
			continue
		}
		if shown == 0 {
			c.add(Note, "", "The page says:")
		}
		c.add(Quote, "", "“"+text.Line(line)+"”")
		shown++
	}
}

func (c *Card) add(role Role, label, s string) {
	c.rows = append(c.rows, Row{Role: role, Label: label, Text: s})
}

// fact adds a labelled row, unless there is nothing to say.
func (c *Card) fact(label, s string) { c.factOr(label, s, "") }

func (c *Card) factOr(label, s, otherwise string) {
	if s = text.Line(s); s == "" {
		s = otherwise
	}
	if s != "" {
		c.add(Fact, label, s)
	}
}

// Task is the task that asks; 0 for no card.
func (c Card) Task() task.ID { return c.id }

// Kind is what is asked.
func (c Card) Kind() Kind { return c.kind }

// Title is one of a fixed list; no word of it comes from a page or a flow.
func (c Card) Title() string { return c.title }

// AskedAt is when the question was first put, in Unix ms.
func (c Card) AskedAt() int64 { return c.asked }

// Age says how long ago the question was put, and when it declines itself.
func (c Card) Age(now time.Time) string {
	age := text.Since(c.asked, now)
	if age == "" {
		return ""
	}
	age = "asked " + age + " ago"
	if c.expires > 0 {
		age += " · declined in " + text.Age(time.UnixMilli(c.expires).Sub(now))
	}
	return age
}

// Complete reports whether everything that is to be read is there.
func (c Card) Complete() bool { return c.kind != NoQuestion && !c.waiting }

// Fields are the missing values of a Values card.
func (c Card) Fields() []task.Field { return c.fields }

// Same reports whether nothing that is asked differs, so that a card that is
// ready may stay ready.
func (c Card) Same(d Card) bool {
	if c.id != d.id || c.kind != d.kind || c.digest != d.digest || c.waiting != d.waiting || len(c.rows) != len(d.rows) {
		return false
	}
	for i := range c.rows {
		if c.rows[i] != d.rows[i] {
			return false
		}
	}
	return true
}
