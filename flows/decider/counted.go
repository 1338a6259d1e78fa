package decider

import (
	"slices"
	"strconv"
	"strings"
)

// nth keeps the control at the place that the sentence counts to.
func (r *reading) nth(k *ranking) {
	n := k.p.ordinal
	if n == 0 {
		return
	}
	among := k.contenders()
	if len(among) == 0 {
		return
	}
	at := -1
	if k.p.role == "" { // the second Edit button is no button of the second row
		at = r.byPlace(among, n)
	}
	if at < 0 {
		if n < 0 {
			n += len(among) + 1
		}
		if n < 1 || n > len(among) {
			at = len(r.controls) // there are not so many
		} else {
			at = among[n-1]
		}
	}
	for _, i := range among {
		if i != at {
			k.fits[i].demote()
			continue
		}
		k.fits[i].why = append(slices.Clip(k.fits[i].why), "number "+strconv.Itoa(k.p.ordinal)+" of "+strconv.Itoa(len(among)))
	}
}

// byPlace counts by the numbered containers, when each of the controls stands
// in one of its own and one has the number: the second post may be the first
// that can be shared.
func (r *reading) byPlace(among []int, n int) int {
	at := -1
	seen := map[int]bool{}
	for _, i := range among {
		place := r.controls[i].place
		if place == 0 || seen[place] || r.controls[i].family != r.controls[among[0]].family {
			return -1
		}
		seen[place] = true
		if place == n {
			at = i
		}
	}
	return at
}

// byKind fits a sentence that tells a thing by its kind and by something that
// no name says: "the third result", "the last tab", "the cheapest delivery".
func (r *reading) byKind(k *ranking) {
	p := k.p
	counted := p.counts()
	if only := r.onlyOfRole(&p); only >= 0 {
		k.fits[only] = r.kindFit(only, "the only one of its kind")
		return
	}
	if !counted && p.begins == "" && p.ends == "" && len(p.not) == 0 && len(p.states) == 0 && len(p.where) == 0 && !p.every {
		return
	}
	if p.verb != "" && !chooses(p.verb) && !opens(p.verb) && !p.off {
		return
	}
	var own []word // what it is called, beside its kind
	role := p.role
	for _, w := range p.object() {
		if kindRoles[w.text] != "" && r.hasRole(kindRoles[w.text]) {
			role = kindRoles[w.text]
			continue
		}
		if w.weight > roamWeight && !(kinds[w.text] && (counted || w.kind())) && roleWords[w.text] == "" {
			own = append(own, w)
		}
	}
	of := r.ofKind(role, own, counted, has(p.words, "page"))
	enough := 1
	if counted {
		enough = len(of)
	}
	if len(of) == 0 || role == "" && r.takenByName(k, enough) {
		return
	}
	for i := range k.fits {
		k.fits[i].demote()
	}
	for _, i := range of {
		k.fits[i] = r.kindFit(i, "one of its kind")
	}
}

// onlyOfRole is the one control of a role that a sentence names and says no more
// of: "click the text box". -1 where there is none, or another.
func (r *reading) onlyOfRole(p *purpose) int {
	if p.role == "" || p.counts() || len(p.quotes) > 0 || len(p.where) > 0 || p.every || slices.ContainsFunc(p.object(), func(w word) bool { return roleWords[w.text] == "" }) {
		return -1
	}
	at := -1
	for i := range r.controls {
		switch {
		case r.controls[i].role != p.role:
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}

// byNumber fits a control that is nothing but the number, time or day that the
// sentence has, where nothing on the screen does what it says: one books the
// appointment at 14:15 by pressing 14:15.
func (r *reading) byNumber(k *ranking) {
	if k.p.verb == "" || len(k.contenders()) > 0 {
		return
	}
	for i := range r.controls {
		c := &r.controls[i]
		if does(k.p.verb, c) {
			return
		}
		bare := len(c.words()) > 0 && !slices.ContainsFunc(c.words(), func(w word) bool {
			return !isNumber(w.text) && !isMonth(w.text) || !hasTerm(w.text, k.p.words)
		})
		if bare {
			k.fits[i] = r.kindFit(i, c.plain())
		}
	}
}

// counts reports a purpose that tells one of several by number or by a scale.
func (p *purpose) counts() bool { return p.ordinal != 0 || p.most != nil || p.limits != "" }

// takenByName reports a screen that has the words by name after all, on enough
// controls.
func (r *reading) takenByName(k *ranking, enough int) bool {
	among := slices.DeleteFunc(k.contenders(), func(i int) bool { return k.p.looks && otherAct(&k.p, &r.controls[i]) })
	return len(among) >= enough && !(setsState(k.p.verb) && !slices.ContainsFunc(among, func(i int) bool { return stateful(r.controls[i].role) }))
}

// ofKind are the controls of a role, or of a group that has the words, or else
// the main controls of what there are several of: page numbers only where pages
// are asked for.
func (r *reading) ofKind(role string, own []word, counted, pages bool) []int {
	var out []int
	if len(own) > 0 {
		for i := range r.controls {
			c := &r.controls[i]
			if hit, _ := covered(own, c.around()...); hit > 0.99 && (role == "" || ofRole(role, c)) && !c.takesText() {
				out = append(out, i)
			}
		}
		return r.ofOneKind(out)
	}
	if role == "" && counted {
		if of := r.openers(func(c *control) bool { return c.turnsPage() == pages }); len(of) > 1 {
			return of
		}
		return r.openers(func(*control) bool { return true })
	}
	for i := range r.controls {
		c := &r.controls[i]
		if role != "" && ofRole(role, c) || role == "" && r.pickable(i) {
			out = append(out, i)
		}
	}
	return out
}

// ofOneKind gives controls that are all of one role, else none: "the second
// colour" does not count the button beside the colours.
func (r *reading) ofOneKind(all []int) []int {
	for _, i := range all {
		if r.controls[i].role != r.controls[all[0]].role {
			return nil
		}
	}
	return all
}

func (r *reading) hasRole(role string) bool {
	return slices.ContainsFunc(r.controls, func(c control) bool { return c.role == role })
}

// kindRoles are words for a thing that has a role of its own.
var kindRoles = map[string]string{
	canonical("day"): "gridcell", canonical("option"): "option", canonical("suggestion"): "option", canonical("section"): "button",
	canonical("checkbox"): "checkbox", canonical("box"): "checkbox", canonical("row"): "row", canonical("todo"): "checkbox", canonical("task"): "checkbox",
}

func (r *reading) pickable(i int) bool {
	return stateful(r.controls[i].role) || r.controls[i].role == "treeitem"
}

func (r *reading) kindFit(i int, why string) fit {
	c := &r.controls[i]
	asked := purpose{}
	if c.takesText() {
		asked.role = "textbox" // such a kind is a field by its name: it does not speak against it
	}
	return fit{p: wordsInName.p() + r.circumstances(&asked, c), grade: wordsInName, why: []string{why}, of: c}
}

func ofRole(role string, c *control) bool {
	if role == "textbox" {
		return c.takesText()
	}
	return c.role == role
}

// openers are the main controls of the items of the longest list, or, where
// nothing is numbered, the controls of the role there are most of.
func (r *reading) openers(counts func(*control) bool) []int {
	families := map[string][]int{}
	roles := map[string][]int{}
	for i := range r.controls {
		c := &r.controls[i]
		if !counts(c) {
			continue
		}
		if c.opener {
			families[c.family] = append(families[c.family], i)
		}
		if !c.fixture {
			roles[c.role] = append(roles[c.role], i)
		}
	}
	if best := longest(families); len(best) > 1 {
		return best
	}
	return longest(roles)
}

// turnsPage reports a control that leads to another page of a list: its number, or
// a word or a sign for the next one.
func (c *control) turnsPage() bool {
	if c.unnamed() {
		return c.role == "link" || c.role == "button"
	}
	return !slices.ContainsFunc(strings.Fields(c.plain()), func(f string) bool { return !isNumber(f) && !pagerWords[f] })
}

var pagerWords = set("page next previous prev first last more newer older back continue result")

// longest of some groups; of equals the one that begins first.
func longest(groups map[string][]int) []int {
	var best []int
	for _, g := range groups {
		if len(g) > len(best) || len(g) == len(best) && g[0] < best[0] {
			best = g
		}
	}
	return best
}
