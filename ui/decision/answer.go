package decision

import (
	"strings"

	"countersign/controller/task"
	"countersign/ui/form"
)

// Verb says what an answer asks to be done.
type Verb int

// The verbs.
const (
	NoVerb   Verb = iota
	Continue      // ContinueTask with Answer.Continue
	Cancel        // CancelTask with Answer.Words
	LookThen      // Look, then Card.AfterLook decides
	Compose       // write a flow that takes the task's place
	Forward       // BringForward: show the task's browser; answers nothing
)

// Answer is what the person said, ready to be carried out.
type Answer struct {
	Verb     Verb
	Task     task.ID
	Continue task.ContinueRequest
	Words    string // Cancel: paid, not_paid
	Said     string // what to tell the person: "signed", "declined"
}

// Choice is one way to answer, for the row of keys.
type Choice struct {
	Word string // what is typed
	Does string
}

// HowTo spells the choice: "type sign to send", "type done: I did it".
func (c Choice) HowTo() string {
	if strings.HasPrefix(c.Does, "I ") {
		return "type " + c.Word + ": " + c.Does
	}
	return "type " + c.Word + " to " + c.Does
}

// Choices lists the ways to answer, declining first, and what else can be typed.
func (c Card) Choices() []Choice {
	if c.picture {
		return append(c.answers(), Choice{pictureWord, "see the picture"})
	}
	return c.answers()
}

// pictureWord shows the picture, and answers nothing.
const pictureWord = "p"

func (c Card) answers() []Choice {
	decline := Choice{"d", "decline, and why"}
	switch c.kind {
	case Sign:
		return []Choice{decline, {"sign", strings.ToLower(c.title)}}
	case Pay:
		return []Choice{decline, {c.expect, "pay"}}
	case Blind:
		return []Choice{decline}
	case CarryOn:
		return []Choice{{"d", "end the task"}, {"go", "carry on"}}
	case Outcome:
		return []Choice{{"d", "end the task"}, {"look", "once more"}, {"did not", "ask afresh"}, {"happened", "go on after it"}}
	case PaidByHand:
		return c.withWindow(Choice{"not paid", "I did not"}, Choice{"paid", "I paid"})
	case ByHand:
		if c.insist {
			return c.withWindow(Choice{"done", "look again"}, Choice{"anyway", "go on all the same"})
		}
		return c.withWindow(Choice{"done", "I did it"})
	case Plan:
		return []Choice{{"flow", "write a flow"}}
	case Values, NoQuestion:
		return nil
	default:
		return nil
	}
}

// withWindow puts the way to a browser that has a window before the answers.
func (c Card) withWindow(answers ...Choice) []Choice {
	if !c.window {
		return answers
	}
	return append([]Choice{{forwardWord, "show its browser"}}, answers...)
}

// forwardWord is no beginning of any answer by hand, so that one key can be it.
const forwardWord = "o"

// Answer judges one typed line, entered with Enter, on a card that is ready.
// A line that answers nothing gives a refusal to be shown. It never accepts the
// empty line.
func (c Card) Answer(line string, shownMS int64) (a Answer, refusal string) {
	word := strings.TrimSpace(line)
	if c.waiting {
		return Answer{}, "what is to be signed has not been read yet"
	}
	if word == "" {
		return Answer{}, "Enter alone answers nothing: " + c.howTo()
	}
	if reason, ok := declined(word); ok && c.canDecline() {
		return c.says(false, reason, shownMS, "declined"), ""
	}
	if word == forwardWord && (c.kind == ByHand || c.kind == PaidByHand) {
		return Answer{Verb: Forward, Task: c.id}, ""
	}
	switch c.kind {
	case Sign:
		if word == "sign" {
			return c.says(true, "", shownMS, "signed"), ""
		}
	case Pay:
		// Exactly as shown: a space too many is another text.
		if line == c.expect && line != "" {
			return c.says(true, line, shownMS, "signed"), ""
		}
	case CarryOn:
		if word == "go" {
			return c.says(true, "go", shownMS, "carrying on"), ""
		}
	case Outcome:
		if said, ok := outcomes[word]; ok {
			req := task.ContinueRequest{ID: c.id, Answer: said, Shown: c.Lines(), ShownMS: shownMS}
			return Answer{Verb: Continue, Task: c.id, Continue: req, Said: word}, ""
		}
	case PaidByHand:
		switch word {
		case "paid":
			return Answer{Verb: Cancel, Task: c.id, Words: task.Paid, Said: "recorded: you paid"}, ""
		case "not paid":
			return Answer{Verb: Cancel, Task: c.id, Words: task.NotPaid, Said: "recorded: you did not pay"}, ""
		}
	case ByHand:
		if word == "done" {
			return Answer{Verb: LookThen, Task: c.id, Said: "looking"}, ""
		}
		if word == "anyway" && c.insist {
			return c.done(shownMS, "going on all the same"), ""
		}
	case Plan:
		if word == "flow" {
			return Answer{Verb: Compose, Task: c.id}, ""
		}
	case Blind:
		return Answer{}, "a control without a name cannot be signed: " + c.howTo()
	case Values, NoQuestion:
	}
	return Answer{}, "that is no answer: " + c.howTo()
}

// outcomes maps what is typed to what ContinueTask takes (tasks.md 2.5).
var outcomes = map[string]string{"happened": "happened", "did not": "did_not_happen", "look": "look_again"}

// declined reads "d" or "d reason".
func declined(word string) (reason string, ok bool) {
	if word == "d" {
		return "", true
	}
	rest, ok := strings.CutPrefix(word, "d ")
	return strings.TrimSpace(rest), ok
}

func (c Card) canDecline() bool {
	switch c.kind {
	case Sign, Pay, Blind, CarryOn, Outcome:
		return true
	case NoQuestion, PaidByHand, ByHand, Values, Plan:
		return false
	default:
		return false
	}
}

func (c Card) says(yes bool, words string, shownMS int64, said string) Answer {
	req := task.ContinueRequest{ID: c.id, Approve: &yes, Digest: c.digest, Answer: words, Shown: c.Lines(), ShownMS: shownMS}
	return Answer{Verb: Continue, Task: c.id, Continue: req, Said: said}
}

func (c Card) done(shownMS int64, said string) Answer {
	req := task.ContinueRequest{ID: c.id, Answer: "done", Shown: c.Lines(), ShownMS: shownMS}
	return Answer{Verb: Continue, Task: c.id, Continue: req, Said: said}
}

// howTo spells the choices: "type sign to send, d to decline".
func (c Card) howTo() string {
	choices := c.answers()
	if len(choices) == 0 {
		return "nothing can be answered here"
	}
	parts := make([]string, 0, len(choices))
	for i := len(choices) - 1; i >= 0; i-- {
		parts = append(parts, choices[i].HowTo())
	}
	return strings.Join(parts, ", ")
}

// AfterLook decides about "done" once the wall was looked for again: gone, or
// nobody can tell, goes on; still there goes on only when the person insists.
// The returned card accepts that insistence.
func (c Card) AfterLook(l task.Look, shownMS int64) (next Card, a Answer, resume bool) {
	switch l.Wall {
	case task.WallGone:
		return c, c.done(shownMS, "the wall is gone: going on"), true
	case task.WallCannotTell:
		return c, c.done(shownMS, "cannot tell whether it is gone: going on"), true
	case task.WallStillThere:
		c.insist = true
		return c, Answer{Said: "still there: finish it and type done, or type anyway"}, false
	default:
		return c, c.done(shownMS, "cannot tell whether it is gone: going on"), true
	}
}

// Inputs answers a Values card. Values are by name; blank ones count as not
// given. Secret names those the person wants kept secret whatever their names
// are.
func (c Card) Inputs(values map[string]string, secret []string, shownMS int64) Answer {
	req := task.ContinueRequest{ID: c.id, Inputs: values, Secret: secret, Shown: c.Lines(), ShownMS: shownMS}
	return Answer{Verb: Continue, Task: c.id, Continue: req, Said: "given"}
}

// KindNotice tells the person that a value does not look like its kind; empty
// when it does. It is told once and never refused twice.
func KindNotice(kind, value string) string { return form.KindNotice(kind, value) }
