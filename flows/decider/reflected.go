package decider

import (
	"slices"
	"strings"
)

// reflects answers whether the screen shows the choice made: a control of that
// name is chosen, a field holds it, or the text says it.
func (r *reading) reflects(q Question) Answer {
	v := r.shownChoice(q)
	return yes(v.p, v.why...)
}

// strays answers whether it shows another choice instead.
func (r *reading) strays(q Question) Answer {
	v := r.shownChoice(q)
	return yes(1-v.p, v.why...)
}

func (r *reading) shownChoice(q Question) verdict {
	want := purposeOf(q.Subject)
	named, chosen := false, false
	for i := range r.controls {
		c := &r.controls[i]
		if c.from.Value != "" && (normalize(c.from.Value) == want.plain || containsPhrase(normalize(c.from.Value), want.plain)) {
			return verdict{asStated.p(), []string{c.label(), "holds it"}}
		}
		if c.plain() == want.plain && !stateful(c.role) && r.appeared(c.label()) {
			return verdict{asStated.p(), []string{c.label(), "is what the widget shows now"}}
		}
		f := r.fit(&want, nil, c)
		if f.p < nameInWords.p() {
			continue
		}
		if c.has("selected") || c.has("checked") {
			return verdict{asStated.p(), []string{c.label(), strings.Join(c.from.States, " ")}}
		}
		if stateful(c.role) {
			named = true
		}
	}
	for _, v := range r.state.FieldContents {
		if containsPhrase(normalize(v), want.plain) {
			return verdict{asStated.p(), []string{"a field holds it"}}
		}
	}
	for i := range r.controls {
		chosen = chosen || stateful(r.controls[i].role) && (r.controls[i].has("selected") || r.controls[i].has("checked"))
	}
	if r.hasText(want) {
		return verdict{allPresent.p(), []string{"the screen says it"}}
	}
	if named && chosen {
		return verdict{astray.p(), []string{"another one is chosen"}}
	}
	if last := r.state.Last; last != nil && last.OK && last.Changed {
		return verdict{mostPresent.p(), []string{"pressed, and the screen changed"}}
	}
	return verdict{halfPresent.p(), []string{"nothing shows it"}}
}

// appeared reports whether a label came with the last action.
func (r *reading) appeared(label string) bool {
	return r.state.Last != nil && slices.Contains(r.state.Last.Opened, label)
}

func (r *reading) hasText(p purpose) bool {
	for i := range r.lines {
		if containsPhrase(r.lines[i].plain, p.plain) {
			return true
		}
	}
	return false
}
