package flows

import (
	"context"
	"strings"

	"countersign/flows/decider"
	"countersign/surfaces"
)

// Acts that are verbs of a surface beside its operations.
const (
	opPaste        surfaces.Op = "paste"
	opPress        surfaces.Op = "press"
	opLaunch       surfaces.Op = "launch"
	opNavigate     surfaces.Op = "navigate"
	opBack         surfaces.Op = "back"
	opDismissCover surfaces.Op = "dismiss_cover"
)

// Keys the runtime presses by itself.
const (
	keyEscape = "escape"
	keyReturn = "return"
)

// action is one act. Text is what is typed, the key, the address or the app; it
// is never reported.
type action struct {
	op     surfaces.Op
	target *surfaces.Candidate
	text   string
	guard  *Evidence // set by a guard that presses with permission; everything else is gated
}

// act is the only function that acts on the surface. It checks the budget, then
// the gate; a guard's press goes to the hook before the input and to what the
// hook returned right after it. An error means the step is over; a reply that
// is not ok is for the caller to deal with.
func (s *step) act(ctx context.Context, a action) (*surfaces.Reply, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.actionsLeft <= 0 {
		return nil, &ended{stop: OutOfAction, note: "the budget of actions is used up"}
	}
	sent := func(bool) {}
	if a.guard == nil {
		if err := s.mayAct(a); err != nil {
			return nil, err
		}
	} else if s.req.AroundPress != nil {
		told, err := s.req.AroundPress(*a.guard)
		if err != nil {
			return nil, failedWith(err)
		}
		if told != nil {
			sent = told
		}
	}
	s.actionsLeft--
	s.result.Actions++
	reply := s.perform(ctx, a)
	if a.guard != nil {
		delivered := reply.OK || reply.Error.Delivery != surfaces.NotDelivered
		sent(delivered)
		s.result.Pressed = s.result.Pressed || delivered
	}
	s.record(a, reply)
	if hopeless(reply.Code()) {
		return reply, failedWith(reply.Err())
	}
	if reply.OK {
		s.settle(ctx, a)
	}
	return reply, nil
}

// mayAct applies the gate to a press and the rule about Return.
func (s *step) mayAct(a action) error {
	if a.op == opPress && strings.EqualFold(a.text, keyReturn) && s.screen != nil {
		return s.mayReturn(s.screen)
	}
	if a.target == nil || !a.op.UsesPointer() {
		return nil
	}
	if no := s.gate(s.screen, a.target); no != nil {
		return s.refuse(a.target, no)
	}
	return nil
}

// mayReturn applies tasks.md 8.2 to Return: not over a dialog, except right
// after typing into a search box, and never where it would press a control the
// gate refuses: the focused button, or a button of the focused field's form.
func (s *step) mayReturn(screen *surfaces.Screen) error {
	if layered(screen) && !s.searched {
		return failed("Return is not pressed while a dialog is in front")
	}
	for _, c := range focusedForm(screen) {
		if no := s.gate(screen, c); no != nil {
			return s.refuse(c, no)
		}
	}
	return nil
}

func (s *step) perform(ctx context.Context, a action) *surfaces.Reply {
	if verb := verbs[a.op]; verb != nil {
		return verb(ctx, s, a)
	}
	return s.place.Execute(ctx, a.op, a.target, a.text)
}

// verbs are the acts that are no operation on a target.
var verbs = map[surfaces.Op]func(context.Context, *step, action) *surfaces.Reply{
	opPaste: func(ctx context.Context, s *step, a action) *surfaces.Reply {
		return s.place.Paste(ctx, s.app, a.target, a.text)
	},
	opPress:    func(ctx context.Context, s *step, a action) *surfaces.Reply { return s.place.Press(ctx, s.app, a.text) },
	opLaunch:   func(ctx context.Context, s *step, a action) *surfaces.Reply { return s.place.Launch(ctx, a.text) },
	opNavigate: func(ctx context.Context, s *step, a action) *surfaces.Reply { return s.place.Navigate(ctx, a.text) },
	opBack:     func(ctx context.Context, s *step, _ action) *surfaces.Reply { return s.place.Back(ctx, s.app) },
	opDismissCover: func(ctx context.Context, s *step, a action) *surfaces.Reply {
		return s.place.DismissCover(ctx, a.target)
	},
}

// record puts the act into the report and tells the observer.
func (s *step) record(a action, reply *surfaces.Reply) {
	note := ActionNote{Op: string(a.op), OK: reply.OK, Code: reply.Code()}
	s.last = &decider.LastAction{Op: string(a.op), OK: reply.OK}
	if a.target != nil {
		t := a.target.Target()
		t.Name = s.mask(t.Name)
		note.Target = &t
		note.Why, s.because = s.because, ""
		s.last.Role, s.last.Name, s.last.Path = a.target.Role, a.target.Name, a.target.Path
		if s.screen != nil {
			s.last.Card = cardTexts(s.screen)[cardPath(a.target.Path)]
		}
	}
	if a.op == opPress {
		s.last.Name = a.text
	}
	if s.file = ""; reply.OK && reply.Data != nil && reply.Data.Download != "" {
		s.file = reply.Data.Download
		s.files = append(s.files, s.file)
	}
	s.searched = reply.OK && a.target != nil && a.target.Role == "searchbox" && (a.op == surfaces.TypeText || a.op == opPaste)
	if reply.OK && a.target != nil && a.op.UsesPointer() {
		s.ownDialog = false // a press inside serves it
	}
	s.report.Actions = append(s.report.Actions, note)
	s.awaiting = &s.report.Actions[len(s.report.Actions)-1]
	if !reply.OK {
		s.note("%s %s: %s", a.op, s.last.Name, codeNote(reply.Code(), reply.Error.Message))
	}
	s.observeStep(s.report)
}

func (s *step) settle(ctx context.Context, a action) {
	if a.op == opLaunch || a.op == opPress && a.text == keyEscape {
		s.place.SettleBriefly(ctx)
		return
	}
	s.place.Settle(ctx)
}
