package controller

import (
	"slices"
	"strconv"
	"strings"

	"countersign/controller/task"
	"countersign/flows"
	"countersign/flows/facts"
	"countersign/surfaces"
)

// words are a step's own words, as the desk names it.
func words(s flows.Step) string {
	switch s.Kind {
	case flows.KindEnter:
		names := make([]string, len(s.Slots))
		for i, slot := range s.Slots {
			names[i] = slot.Name
		}
		return strings.Join(names, ", ")
	case flows.KindChoose:
		return s.What + ": " + s.Option
	case flows.KindRead, flows.KindExtract:
		return s.What
	case flows.KindPick:
		return s.From + " by " + s.By
	case flows.KindRepeatUntil, flows.KindIf:
		return s.Condition
	case flows.KindOpen, flows.KindBrowse, flows.KindDo, flows.KindVerify, flows.KindWaitFor, flows.KindStopBefore:
		return s.Text
	default:
		return s.Text
	}
}

// top is the first number of a path: where a task can be taken up again.
func top(path string) int {
	first, _, _ := strings.Cut(path, ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return n
}

func nested(path string) bool { return strings.Contains(path, ".") }

// steps is how many top-level steps the flow has.
func (t *cell) steps() int { return len(t.flow.Steps) }

// current is the view of a top-level step; nil when there is none.
func (t *cell) current(index int) *task.CurrentStep {
	if index < 1 || index > t.steps() {
		return nil
	}
	s := t.flow.Steps[index-1]
	return &task.CurrentStep{Index: index, Kind: s.Kind, Intent: t.spelled(s), Surface: t.sideOf(s)}
}

// spelled are a step's words with the flow's variables and the shared facts
// put in; a secret stays a reference.
func (t *cell) spelled(s flows.Step) string {
	return facts.Expand(words(s), func(name string) (string, bool) {
		if v, ok := t.facts.Shared(name); ok {
			return v, true
		}
		v, ok := t.flow.Vars[name]
		return v, ok && v != "" && !t.facts.Has(name)
	})
}

func (t *cell) sideOf(s flows.Step) surfaces.Side {
	if s.Kind == flows.KindBrowse {
		return surfaces.Browser
	}
	if s.Kind == flows.KindOpen {
		return sideOfApp(s.Text)
	}
	return sideOfApp(t.lastApp())
}

// sideOfApp is the routing of tasks.md 7.2.
func sideOfApp(app string) surfaces.Side {
	name := strings.ToLower(strings.TrimSpace(app))
	switch {
	case name == "browser", strings.HasPrefix(name, "browser:"), strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
		return surfaces.Browser
	default:
		return surfaces.Desktop
	}
}

func (t *cell) lastApp() string {
	if t.app != "" {
		return t.app
	}
	return t.flow.App
}

// finished moves the cursor and with it the progress, which never drops.
func (t *cell) finished(d *draft, index int) {
	d.rec.Cursor = max(d.rec.Cursor, min(index, t.steps()))
	if t.steps() > 0 {
		d.rec.View.Progress = max(d.rec.View.Progress, float64(d.rec.Cursor)/float64(t.steps()))
	}
}

// before says in a few words what was done up to a step: acts and what was
// read, not the conditions in between.
func (t *cell) before(index int) string {
	const most = 6 // a checkpoint's summary is a short list
	var done []string
	for _, s := range t.flow.Steps[:max(min(index-1, t.steps()), 0)] {
		if does(s.Kind) {
			done = append(done, t.spelled(s))
		}
	}
	return strings.Join(done[max(len(done)-most, 0):], "; ")
}

// does reports whether a step does something by itself, rather than look for
// something or choose what is done.
func does(k flows.Kind) bool {
	switch k {
	case flows.KindVerify, flows.KindWaitFor, flows.KindRepeatUntil, flows.KindIf:
		return false
	case flows.KindOpen, flows.KindBrowse, flows.KindDo, flows.KindEnter, flows.KindChoose, flows.KindRead, flows.KindExtract,
		flows.KindPick, flows.KindStopBefore:
		return true
	default:
		return true
	}
}

// touched reports whether a press was ever begun inside a top-level step: then
// the task's own permission does not hold for it any more and it asks.
func (t *cell) touched(index int) bool {
	return slices.ContainsFunc(t.presses, func(p task.Press) bool { return top(p.Step) == index })
}

// after is where to take up a task that stopped in a step: there, or behind it
// when it is a guard whose press was sent.
func (t *cell) after(index int) int {
	sent := slices.ContainsFunc(t.presses, func(p task.Press) bool {
		return top(p.Step) == index && !nested(p.Step) && p.State == task.Pressed
	})
	if sent {
		return index + 1
	}
	return index
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.FormatInt(n, 10) + " " + what + "s"
}
