package decider

import (
	"slices"
	"strings"
)

// verdict is what the judge questions of one step agree on; done, not_done and
// progress are read off the same one, so they never contradict each other.
type verdict struct {
	p   float64
	why []string
}

// done judges whether the step's result is reached.
func (r *reading) done(step string) verdict {
	p := purposeOf(step)
	if r.state.Last == nil {
		return r.doneAlready(step, p)
	}
	return r.doneAfter(step, p)
}

// doneAlready is nearly never: only a state that says so, a page that is shown
// by its title, or an obstacle that is not there.
func (r *reading) doneAlready(act string, p purpose) verdict {
	if v, ok := r.stated(act); ok {
		return v
	}
	if removes(p) && r.nothingOf(p) {
		return verdict{gone.p(), append(writtenOf(p.object()), "is not on the screen")}
	}
	if p.roam && roamsToPage(p) && len(p.quotes) == 0 {
		title := wordsOf(r.state.Window)
		if hit, why := covered(p.content(), title); hit > 0.995 && r.titleAlone(p, title) {
			return verdict{gone.p(), append(why, "in the title")}
		}
	}
	return verdict{notStarted.p(), []string{"nothing was done yet"}}
}

// titleAlone reports a title that is about the purpose and little else: the
// title "Search trains" does not show the trains.
func (r *reading) titleAlone(p purpose, title []word) bool {
	acts := 0
	for _, w := range title {
		if acting[w.text] && found(w.text, p.content()) == 0 {
			acts++
		}
	}
	return acts == 0
}

func roamsToPage(p purpose) bool {
	for _, w := range p.words {
		if anyOf(w.text, "choose", "select", "pick", "click", "press", "tap", "use", "new", "create") {
			return false
		}
	}
	return p.ordinal == 0
}

// removes reports steps that want something out of the way.
func removes(p purpose) bool {
	if !anyOf(p.verb, "accept", "reject", "close", "skip") {
		return false
	}
	return slices.ContainsFunc(p.words, func(w word) bool {
		return anyOf(w.text, "banner", "dialog", "popup", "cookie", "modal", "overlay", "prompt", "notice", "newsletter", "consent", "offer")
	})
}

// nothingOf reports a screen that neither shows nor says anything of the
// purpose's object, has nothing in front and, where something is to be closed,
// nothing that closes.
func (r *reading) nothingOf(p purpose) bool {
	if r.state.Surface != "" && r.state.Surface != "window" {
		return false
	}
	closing := anyOf(p.verb, "close")
	for i := range r.controls {
		c := &r.controls[i]
		if c.inLayer() || closing && slices.ContainsFunc(c.words(), func(w word) bool { return anyOf(w.text, "close") }) {
			return false
		}
		if f, _ := covered(p.object(), append(c.around(), c.words())...); f > 0 {
			return false
		}
	}
	for _, l := range r.lines {
		if f, _ := covered(p.object(), l.words); f > 0.5 {
			return false
		}
	}
	return true
}

// stated judges steps whose result is a control's state: tick, choose, switch
// on. Where all of several are meant, the one still to be set is the best.
func (r *reading) stated(act string) (verdict, bool) {
	k := r.rank(act, "")
	var best *control
	top := 0.0
	for i := range r.controls {
		if f := k.fits[i]; stateful(r.controls[i].role) && f.p > top {
			best, top = &r.controls[i], f.p
		}
	}
	if best == nil || top < nameInWords.p() || !ticks(k.p) && !k.p.off {
		return verdict{}, false
	}
	on := best.in("checked") != k.p.off
	switch {
	case on:
		return verdict{asStated.p(), []string{best.label(), strings.Join(best.from.States, " ")}}, true
	case k.p.every && r.state.Last != nil:
		return verdict{unfinished.p(), []string{"still to set: " + best.label()}}, true
	}
	return verdict{}, false
}

func stateful(role string) bool {
	switch role {
	case "checkbox", "radio", "switch", "tab", "option", "menuitem", "gridcell":
		return true
	}
	return false
}

// tickVerbs are verbs that tick a box where one is called by their object.
var tickVerbs = set("add include accept complete finish")

// withoutVerb is the purpose as if its leading verb were any press.
func (p *purpose) withoutVerb() *purpose {
	q := *p
	q.verb, q.contents = "", nil
	q.words = slices.DeleteFunc(slices.Clone(p.words), func(w word) bool { return w.text == p.verb })
	return &q
}

func ticks(p purpose) bool {
	if p.off {
		return false
	}
	if p.roam {
		return has(p.words, "choose") || has(p.words, "select") || has(p.words, "pick")
	}
	return anyOf(p.verb, "tick", "check", "enable", "turn", "switch", "accept", "add", "include")
}

// doneAfter judges by the last press: was it the step's control, and did the
// screen answer.
func (r *reading) doneAfter(act string, p purpose) verdict {
	last := r.state.Last
	if v, ok := r.stated(act); ok && (last.Changed || v.p < pickFloor) {
		return v
	}
	if last.Op == "wait" || last.Op == "scroll" {
		return r.doneBefore(p)
	}
	if !last.OK || !last.Changed {
		return verdict{still.p(), []string{"nothing changed"}}
	}
	if last.Op == "press" || last.Op == "back" {
		return r.doneByKey(p)
	}
	return r.afterPress(p, last)
}

// controlOf is the control of an act.
func controlOf(a *LastAction) control {
	var c control
	l := &lexer{}
	c.read(l, &Control{Role: a.Role, Name: a.Name, Card: a.Card}, l.path(strings.Join(a.Path, " › ")))
	return c
}

// afterPress judges by a press that the screen answered.
func (r *reading) afterPress(p purpose, last *LastAction) verdict {
	pressed := controlOf(last)
	served, why := r.serves(p, &pressed, last.Sure)
	if served < pickFloor {
		return verdict{astray.p(), []string{pressed.label(), "is not what the step names"}}
	}
	why = append([]string{"pressed " + pressed.label()}, why...)
	if said, ok := r.complaint(); ok {
		return verdict{complained.p(), append(why, said)}
	}
	if next, ok := r.leftOver(p, &pressed); ok {
		return verdict{unfinished.p(), append(why, "still to press: "+next)}
	}
	if last.Window {
		return verdict{landed.p(), append(why, "another page came")}
	}
	if said, ok := r.answered(p); ok {
		return verdict{landed.p(), append(why, said)}
	}
	return verdict{changed.p(), append(why, "the screen changed")}
}

// doneBefore judges a step whose last act was a wait or a scroll by the press
// before it. A control pressed because the step names it did what the step asks,
// also when nothing is to be seen of it.
func (r *reading) doneBefore(p purpose) verdict {
	if len(r.state.Chosen) == 0 {
		return verdict{notStarted.p(), []string{"only " + r.state.Last.Op}}
	}
	chosen := r.state.Chosen[len(r.state.Chosen)-1]
	if chosen.Changed || r.state.Last.Changed {
		return r.afterPress(p, chosen)
	}
	pressed := controlOf(chosen)
	if served, why := r.serves(p, &pressed, chosen.Sure); served >= quietFloor && r.loading == "" {
		return verdict{quietly.p(), append(why, "pressed before", pressed.label(), "nothing else shows")}
	}
	return verdict{still.p(), []string{"nothing changed"}}
}

// complaint finds what the page says against the last press: in the lines that
// came with it, or anywhere when the page only answered in place.
func (r *reading) complaint() (string, bool) {
	last := r.state.Last
	if last == nil || last.Window {
		return "", false
	}
	text := r.text
	if len(last.Said) > 0 {
		text = strings.ToLower(strings.Join(last.Said, "\n"))
	}
	said, ok := firstOf(text, complaints)
	if ok && slices.Contains(requests, said) && openedFields(last) {
		return "", false
	}
	return said, ok
}

// openedFields reports whether something to fill in came with the last act.
func openedFields(last *LastAction) bool {
	return slices.ContainsFunc(last.Opened, func(label string) bool {
		role, _ := splitLabel(label)
		c := control{role: role}
		return c.takesText()
	})
}

// doneByKey judges a step whose last act was a key: one that it spells out did
// it, any other only opened the way.
func (r *reading) doneByKey(p purpose) verdict {
	last := r.state.Last
	key := shortcutFor(p)
	switch {
	case key == "":
		return verdict{unfinished.p(), []string{last.Name, "is no key the step names"}}
	case last.Window:
		return verdict{landed.p(), []string{last.Name, "another page came"}}
	}
	return verdict{changed.p(), []string{last.Name, "the screen changed"}}
}

// serves is the fit of a pressed control: as its name has it now, or as sure as
// the step was when it chose it on the screen that was then, which is gone. An
// icon or a symbol is known by the words of the step that chose it only, so a
// press made for want of words serves half.
func (r *reading) serves(p purpose, c *control, sure float64) (float64, []string) {
	f := r.fit(&p, nil, c)
	if f.grade == objectOnly && !commits(p.verb) && stateful(c.role) {
		return nameInWords.p(), f.why
	}
	if sure > f.p {
		return sure, []string{"chosen"}
	}
	return f.p, f.why
}

// leftOver finds what a press has opened and the step still asks for: "sort by
// price" is not done when Sort has shown its choices.
func (r *reading) leftOver(p purpose, pressed *control) (string, bool) {
	var open []word
	for _, w := range p.content() {
		if found(w.text, pressed.words()) == 0 {
			open = append(open, w)
		}
	}
	if len(open) == 0 || r.state.Last.Window {
		return "", false
	}
	for _, l := range r.state.Last.Opened {
		role, name := splitLabel(l)
		switch role {
		case "option", "menuitem", "radio", "gridcell":
		default:
			continue
		}
		if hit, _ := covered(open, wordsOf(name)); hit > 0.6 {
			return name, true
		}
	}
	return "", false
}

// answered finds the step's own words in what appeared.
func (r *reading) answered(p purpose) (string, bool) {
	obj := p.object()
	if len(obj) == 0 {
		return "", false
	}
	for _, l := range r.state.Last.Opened {
		_, name := splitLabel(l)
		if hit, why := covered(obj, wordsOf(name)); hit > 0.6 {
			return "now there: " + strings.Join(why, " "), true
		}
	}
	for _, l := range r.state.Last.Gone {
		_, name := splitLabel(l)
		if removes(p) && name == r.state.Last.Name {
			return "it is gone", true
		}
	}
	return "", false
}

// progress gives five levels. Short of done it only rises with what was done,
// so that a quiet turn is never read as a step back.
func (r *reading) progress(q Question) Answer {
	v := r.done(q.Subject)
	n := max(len(q.Options), 2)
	levels := make([]float64, n)
	levels[n-1] = v.p
	rest := 1 - v.p
	levels[0] = rest * 0.2
	if n > 2 {
		levels[0] = rest * 0.15
		levels[1] = rest * 0.4
		levels[n-2] += rest * 0.45
	} else {
		levels[0] = rest
	}
	return Answer{Levels: levels, Why: v.why}
}

// helped judges the last action. Only a page that plainly went wrong did harm;
// a press that changed nothing is counted elsewhere.
func (r *reading) helped(q Question) Answer {
	last := r.state.Last
	if last == nil {
		return yes(0.5, "nothing was done yet")
	}
	if !last.Changed {
		return yes(0.45, "nothing changed")
	}
	title := strings.ToLower(r.state.Window)
	if said, ok := firstOf(title, []string{"not found", "404", "500", "server error", "went wrong"}); ok && last.Window {
		return yes(0.1, said)
	}
	return yes(max(0.6, r.done(q.Subject).p), "the screen changed")
}
