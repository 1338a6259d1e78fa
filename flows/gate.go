package flows

import (
	"fmt"
	"strings"

	"countersign/flows/safety"
	"countersign/surfaces"
)

// Why a press was refused, as the controller branches on it.
const (
	refusedForPayment      = "payment"
	refusedForIrreversible = "irreversible"
)

// refusal names the rule of flows.md 12.1 that keeps a control from an ordinary
// step.
type refusal struct {
	rule   string
	reason string
}

// gate says why an ordinary step may not press c on this screen; nil when it
// may. Plain code: nothing a decider answers changes it.
func (r *run) gate(screen *surfaces.Screen, c *surfaces.Candidate) *refusal {
	var evidence string
	var paying bool
	if screen != nil {
		evidence, paying = safety.PaymentEvidence(screen)
	}
	label := c.Name
	class := safety.Classify(label)
	reason := refusedForIrreversible
	if label != "" && class == safety.Payment || paying {
		reason = refusedForPayment
	}
	if rule := committing(label, class, paying); rule != "" {
		return &refusal{rule, reason}
	}
	if no := asked(screen, c); no != nil {
		return no
	}
	if c.Role != "tab" && !c.TakesText() {
		for _, phrase := range r.guards {
			if label != "" && safety.Names(phrase, label) {
				return &refusal{fmt.Sprintf("the guard %q names it", phrase), reason}
			}
		}
	}
	if label == "" && screen != nil && layered(screen) {
		return &refusal{"it has no name and stands in a dialog", reason}
	}
	if paying && (c.Role == "button" || c.Role == "link") {
		return &refusal{"the screen takes a payment: " + evidence, reason}
	}
	return nil
}

// asked is rule (a) for a script dialog of the page: its OK says what the
// dialog's words say, so that "OK" under "Delete it for good?" is no way round.
func asked(screen *surfaces.Screen, c *surfaces.Candidate) *refusal {
	if screen == nil || screen.Surface != surfaces.FrontAlert || closes(c.Name, dismissWords[1]) {
		return nil
	}
	words := strings.Join(screen.Context, " ")
	class := safety.Classify(words)
	rule := committing(words, class, false)
	if rule == "" {
		return nil
	}
	if class == safety.Payment {
		return &refusal{"its dialog asks: " + rule, refusedForPayment}
	}
	return &refusal{"its dialog asks: " + rule, refusedForIrreversible}
}

// committing is rule (a): the label's own words.
func committing(label string, class safety.Class, paying bool) string {
	if label == "" || !paying && safety.CheckoutOnly(label) {
		return ""
	}
	if word, found := safety.HardToUndo(label); found {
		return fmt.Sprintf("%q cannot be undone", word)
	}
	if class == safety.Payment {
		return "it pays"
	}
	if class == safety.Irreversible {
		return "it cannot be taken back"
	}
	return ""
}

// refuse ends the step with the gate's reason and the evidence of the control.
func (s *step) refuse(c *surfaces.Candidate, no *refusal) error {
	e := s.evidence(s.screen, c, "")
	note := fmt.Sprintf("refused to press %s: %s; only a stop_before may", c.Label(), no.rule)
	if no.reason == refusedForPayment {
		note = fmt.Sprintf("refused to press %s, a payment step: %s; only a stop_before may", c.Label(), no.rule)
	}
	return &ended{stop: StepFailed, note: note, evidence: &e, refusedFor: no.reason}
}
