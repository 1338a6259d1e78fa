package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"countersign/controller/task"
	"countersign/flows/facts"
	"countersign/surfaces/fault"
	"countersign/ui/decision"
)

// asking is the question that stands there now; nil asks nothing.
type asking struct {
	task   task.ID
	view   task.View
	card   decision.Card
	arming decision.Arming
	ready  time.Time // when READY was printed; the zero time before
	show   func()    // switches echo on again

	field  int // of a card that asks for values
	values map[string]string
	told   bool // that the value does not look like its kind
}

// askNext puts the oldest wait, when nothing is asked and a person is there.
func (p *plain) askNext(ctx context.Context) error {
	if p.asked != nil {
		return nil
	}
	v, ok := p.oldest()
	if ok && p.holder != 0 {
		return p.showOnly(ctx, v)
	}
	if !ok || !p.asks() {
		return nil
	}
	asked, err := p.read(ctx, v)
	if err != nil {
		return err
	}
	card := decision.NewCard(asked)
	if card.Kind() == decision.NoQuestion {
		p.later[v.ID] = v.Revision
		return nil
	}
	p.printf("\n")
	shown := card.Lines()
	for _, l := range shown {
		p.printf("%s\n", l)
	}
	if v.Status.State == task.NeedsApproval { // the card stands at once; a page may take its time
		asked.Look = p.look(ctx, v.ID)
		card = decision.NewCard(asked)
		for _, l := range card.Lines() {
			if !slices.Contains(shown, l) {
				p.printf("%s\n", l)
			}
		}
	}
	p.asked = &asking{
		task: v.ID, view: v, card: card, arming: decision.NewArming(time.Now()).Seen(),
		show: func() {}, values: map[string]string{},
	}
	p.prompt()
	return nil
}

// showOnly shows, once, a question that is answered at another desk.
func (p *plain) showOnly(ctx context.Context, v task.View) error {
	p.later[v.ID] = v.Revision
	asked, err := p.read(ctx, v)
	if err != nil {
		return err
	}
	for _, l := range decision.NewCard(asked).Lines() {
		p.printf("%s\n", l)
	}
	p.say(v.ID, "waits for an answer at "+process(p.holder))
	return p.askNext(ctx)
}

// read gathers what a card is made of: the report, and a quiet look for what
// is done by hand or carried on.
func (p *plain) read(ctx context.Context, v task.View) (decision.Asked, error) {
	asked := decision.Asked{View: v}
	report, err := p.desk.TaskReport(ctx, v.ID, false)
	if err != nil {
		return asked, err
	}
	asked.Report = &report
	if v.Status.State == task.NeedsHuman || v.Status.State == task.Checkpoint {
		asked.Look = p.look(ctx, v.ID)
	}
	return asked, nil
}

// look reads a task's page quietly; nil when it cannot be read.
func (p *plain) look(ctx context.Context, id task.ID) *task.Look {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	look, err := p.desk.Look(ctx, id)
	if err != nil {
		return nil
	}
	return &look
}

// lookTimeout bounds a quiet look at a page that may have stopped answering.
const lookTimeout = 15 * time.Second

// prompt says what can be typed; READY follows when the question is armed.
func (p *plain) prompt() {
	if p.asked.card.Kind() == decision.Values {
		f := p.asked.card.Fields()[p.asked.field]
		p.printf("%s (%s): %s\n", clean(f.Name), clean(f.Kind), clean(f.Why))
		return
	}
	for _, ch := range p.asked.card.Choices() {
		p.printf("  %s\n", ch.HowTo())
	}
	if age := p.asked.card.Age(time.Now()); age != "" {
		p.printf("%s\n", age)
	}
}

// timer fires when the question may become answerable; nil when it is, or when
// nothing is asked.
func (a *asking) timer() <-chan time.Time {
	if a == nil || !a.ready.IsZero() {
		return nil
	}
	return time.After(a.arming.Wait(time.Now()))
}

// tick arms the question: what was typed until now is dropped, then READY.
func (a *asking) tick(p *plain) {
	a.arming = a.arming.Tick(time.Now())
	if !a.arming.Ready() {
		return
	}
	dropTyped(p.io.In)
	if a.secret() {
		show, ok := hideTyping(p.io.In)
		if !ok {
			p.printf("this terminal cannot hide what is typed; give %s with --secret\n", clean(a.card.Fields()[a.field].Name))
		}
		a.show = show
	}
	a.ready = time.Now()
	p.printf("READY\n")
}

// secret reports whether what is typed now must not be shown.
func (a *asking) secret() bool {
	return a != nil && a.card.Kind() == decision.Values && facts.Sensitive(a.card.Fields()[a.field].Name)
}

// moved reports whether the task no longer asks this question.
func (a *asking) moved(v task.View) bool {
	return v.Status.State != a.view.Status.State || v.Status.Digest != a.view.Status.Digest ||
		v.Status.Kind != a.view.Status.Kind || v.SinceAt != a.view.SinceAt || !waits(v)
}

// drop withdraws the question.
func (p *plain) drop() {
	if p.asked != nil {
		p.asked.show()
	}
	p.asked = nil
}

// answer judges one line. A line that was read before READY is dropped: it
// cannot have been an answer to what stands there.
func (p *plain) answer(ctx context.Context, l line) error {
	a := p.asked
	if a.ready.IsZero() || l.at.Before(a.ready) {
		a.arming = a.arming.Key(time.Now())
		p.printf("dropped: typed before READY\n")
		return nil
	}
	if a.card.Kind() == decision.Values {
		return p.value(ctx, l.text)
	}
	said, refusal := a.card.Answer(l.text, a.arming.ShownMS(time.Now()))
	if refusal != "" {
		p.printf("%s\n", refusal)
		return nil
	}
	return p.carry(ctx, said)
}

// value takes one missing value, then asks for the next or sends them all.
func (p *plain) value(ctx context.Context, typed string) error {
	a := p.asked
	f := a.card.Fields()[a.field]
	a.show()
	a.show = func() {}
	if strings.TrimSpace(typed) == "" {
		p.printf("a value is needed; /later leaves the task waiting\n")
		return p.again()
	}
	if notice := decision.KindNotice(f.Kind, typed); notice != "" && !a.told {
		a.told = true
		p.printf("%s; type it again to keep it\n", notice)
		return p.again()
	}
	a.values[f.Name] = typed
	a.field, a.told = a.field+1, false
	if a.field < len(a.card.Fields()) {
		return p.again()
	}
	a.field = 0
	return p.carry(ctx, a.card.Inputs(a.values, nil, a.arming.ShownMS(time.Now())))
}

// again puts the same card's present field, to be armed anew.
func (p *plain) again() error {
	p.asked.ready = time.Time{}
	p.asked.arming = p.asked.arming.Disarm(time.Now()).Seen()
	p.prompt()
	return nil
}

// carry carries an answer out. The first answer wins: one that comes late is
// told so.
func (p *plain) carry(ctx context.Context, said decision.Answer) error {
	var view task.View
	var err error
	switch said.Verb {
	case decision.Continue:
		view, err = p.desk.ContinueTask(ctx, said.Continue)
	case decision.Cancel:
		view, err = p.desk.CancelTask(ctx, said.Task, said.Words)
	case decision.LookThen:
		return p.lookThen(ctx)
	case decision.Forward:
		return p.forward(ctx, said.Task)
	case decision.Compose:
		p.printf("write a flow and start it with `countersign run`; /cancel ends this task\n")
		return nil
	case decision.NoVerb:
		return nil
	}
	if err != nil {
		p.refused(err)
		return nil
	}
	p.printf("%s\n", said.Said)
	p.drop()
	p.sawView(view)
	return nil
}

// forward shows the task's browser, or says how to reach it.
func (p *plain) forward(ctx context.Context, id task.ID) error {
	reach, err := p.desk.BringForward(ctx, id)
	switch {
	case err != nil:
		p.refuse(err)
	case reach.Headed:
		p.printf("its browser is in front\n")
	default:
		p.printf("it has no window: open %s in another Chrome\n", clean(reach.Endpoint))
	}
	return nil
}

// lookThen looks for the wall again before "done" counts.
func (p *plain) lookThen(ctx context.Context) error {
	look := p.look(ctx, p.asked.task)
	if look == nil {
		look = &task.Look{Wall: task.WallCannotTell}
	}
	next, said, resume := p.asked.card.AfterLook(*look, timeShown(p.asked.ready))
	p.asked.card = next
	if resume {
		return p.carry(ctx, said)
	}
	p.printf("%s\n", said.Said)
	return nil
}

// refused tells why an answer did not count. An answer that came too late for
// its question ends it; any other leaves it standing.
func (p *plain) refused(err error) {
	f := fault.Of(err)
	if f.Code == fault.NotWaiting || f.Code == fault.StaleApproval || f.Code == fault.NotContinuable {
		p.printf("already answered (%s)\n", f.Code)
		p.drop()
		return
	}
	p.refuse(err)
}
