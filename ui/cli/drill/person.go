package drill

import (
	"encoding/json"
	"fmt"

	"countersign/controller/task"
	"countersign/surfaces/demosite"
)

// card is the demo's payment card, which the drill knows as a person knows
// theirs: the desk forgets it with every death.
func card() map[string]string {
	return map[string]string{"card number": "4242 4242 4242 4242", "cvv": "737", "card expiry": "12/31"}
}

// known is everything else that is asked for.
func value(name string) (string, bool) {
	if v, ok := card()[name]; ok {
		return v, true
	}
	return "+45 20 30 40 50", name == "phone"
}

// shown is a view in front of the person: each is answered once.
func (t *trial) shown(p *process, raw json.RawMessage) error {
	var v task.View
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	if v.Revision <= p.acted {
		return nil
	}
	p.acted, t.final = v.Revision, v.Status
	if v.Status.IsFinal() {
		return p.tell(order{End: true})
	}
	if !v.Status.Waits() {
		return nil
	}
	return t.answer(p, v)
}

// answer does what a person does who wants the task to come to its end.
func (t *trial) answer(p *process, v task.View) error {
	reply := task.ContinueRequest{ID: v.ID}
	yes := true
	s := v.Status
	switch {
	case s.State == task.NeedsInput:
		reply.Inputs = map[string]string{}
		for _, f := range s.Fields {
			text, ok := value(f.Name)
			if !ok {
				return fmt.Errorf("%q is asked for, which nobody knows", f.Name)
			}
			reply.Inputs[f.Name] = text
		}
	case s.State == task.NeedsApproval:
		t.signed[s.Digest] = true
		reply.Approve, reply.Digest = &yes, s.Digest
	case s.State == task.Checkpoint && s.Kind == task.CheckpointOutcomeUnknown:
		t.asked = v
		return p.tell(order{Look: v.ID})
	case s.State == task.Checkpoint:
		reply.Approve = &yes
	default:
		return fmt.Errorf("a wait no drill expects: %s", describe(s))
	}
	return p.tell(order{Continue: &reply})
}

// saw answers an unknown outcome from what the site itself says. The page was
// looked at first: what was sent before the death has arrived by then.
func (t *trial) saw(p *process) error {
	reply := task.ContinueRequest{ID: t.asked.ID, Answer: "did_not_happen"}
	if did(t.spec.flow, t.sites.Counts()) > 0 {
		reply.Answer = "happened"
	}
	return p.tell(order{Continue: &reply})
}

// did is how often the act of a flow was done, by the site's own count.
func did(flow string, c demosite.Counts) int {
	switch flow {
	case "mail":
		return c.MailsSent
	case "library":
		return c.FormsSubmitted
	default:
		return c.OrdersPaid
	}
}

func describe(s task.Status) string {
	words := string(s.State)
	for _, more := range []string{string(s.Kind), s.Reason} {
		if more != "" {
			words += ", " + more
		}
	}
	return words
}
