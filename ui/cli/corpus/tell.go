package corpus

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"countersign/flows"
	"countersign/flows/decider"
	"countersign/ui/text"
)

// Teller writes what a run saw, asked and did, as it goes. What a page says is
// cleaned of everything that could move a terminal. Used by one run at a time.
type Teller struct {
	Out  io.Writer
	step string // whose heading was written last
}

var _ flows.Observer = (*Teller)(nil)

// Step tells of a step begun, of its last act, and of its end.
func (t *Teller) Step(r flows.StepReport) {
	if r.Step != t.step {
		t.step = r.Step
		t.say("\nstep %s  %s %s", r.Step, r.Kind, r.Text)
	}
	if r.Outcome != flows.OutcomeRunning {
		t.say("  = %s in %d ms, %.2f  %s", r.Outcome, r.ElapsedMS, r.Confidence, r.Note)
		return
	}
	if len(r.Actions) == 0 {
		return
	}
	a := r.Actions[len(r.Actions)-1]
	target := ""
	if a.Target != nil {
		target = fmt.Sprintf(" %s %q", a.Target.Role, a.Target.Name)
	}
	t.say("  ! %s%s %s", a.Op, target, verdictOf(a))
}

func verdictOf(a flows.ActionNote) string {
	if a.OK {
		return "ok"
	}
	return string(a.Code)
}

// Seen tells of a look: every line of it.
func (t *Teller) Seen(s flows.Seen) {
	t.say("  looked at %s %q: %s", s.Surface, s.Window, s.Changed)
	for _, l := range s.Lines {
		t.say("    | %s", l)
	}
	for _, f := range s.Fields {
		t.say("    | %s = %q", f.Label, f.Value)
	}
}

// Exchange tells of the questions of one request, with their answers and the
// words that decided.
func (t *Teller) Exchange(e flows.Exchange) {
	asked, _ := e.Questions.(map[string]decider.Question)
	answers, _ := e.Answers.(decider.Answers)
	for _, id := range slices.Sorted(maps.Keys(asked)) {
		q := asked[id]
		t.say("  ? %s %q %s → %s  %s", id, q.Subject, q.Purpose, answerOf(q, answers[id]), strings.Join(answers[id].Why, "; "))
	}
}

// answerOf is an answer in words; a choice names what was chosen.
func answerOf(q decider.Question, a decider.Answer) string {
	switch q.Type {
	case decider.Noul:
		return fmt.Sprintf("%.2f", a.P)
	case decider.Score:
		return fmt.Sprintf("%.2f", a.Levels)
	case decider.Choice:
	}
	chosen := a.Choice
	for _, o := range q.Options {
		if o.Key == a.Choice && o.Name+o.Text != "" {
			chosen = strings.TrimSpace(o.Role + " " + o.Name + " " + o.Text)
		}
	}
	return fmt.Sprintf("%s %.2f of %d", chosen, a.Probabilities[a.Choice], len(q.Options))
}

func (t *Teller) say(format string, args ...any) {
	line := text.Line(fmt.Sprintf(strings.TrimLeft(format, "\n"), args...))
	if strings.HasPrefix(format, "\n") {
		line = "\n" + line
	}
	indent := len(format) - len(strings.TrimLeft(format, " "))
	_, _ = fmt.Fprintln(t.Out, strings.Repeat(" ", indent)+strings.TrimSpace(line)) // a closed pipe shows in the command's own end
}
