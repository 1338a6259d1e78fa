package decider

import (
	"slices"
	"strconv"
	"strings"
)

// ranking is how well every control of the screen serves one purpose. Names
// come first; then, among those that fit equally, what the sentence says of
// state, place, measure and order.
type ranking struct {
	p    purpose
	of   []word // of what the choice is for, where the purpose does not say it
	fits []fit  // of r.controls
}

// rank weighs the whole screen for a purpose, once for all questions of a
// request that ask for it.
func (r *reading) rank(subject, of string) *ranking {
	key := subject + "\x00" + of
	if k, ok := r.rankings[key]; ok {
		return k
	}
	k := &ranking{p: r.purpose(subject), fits: make([]fit, len(r.controls))}
	p := &k.p
	if p.roam || p.counts() {
		r.markOpeners()
	}
	if of != "" {
		if q := r.purpose(of); q.plain != p.plain {
			k.of = q.content()
		}
	}
	hot := r.hot(p)
	for i := range r.controls {
		if c := &r.controls[i]; c.hasOne(hot) {
			k.fits[i] = r.weigh(&k.p, k.of, c)
		} else {
			k.fits[i] = stranger
		}
	}
	r.byKind(k)
	r.byNumber(k)
	r.namesakes(k, subject)
	r.sift(k)
	r.copies(k, subject)
	if r.rankings == nil {
		r.rankings = map[string]*ranking{}
	}
	r.rankings[key] = k
	return k
}

// hot are the terms that a control must have one of to fit a purpose at all.
func (r *reading) hot(p *purpose) termSet {
	var hot termSet
	add := func(term string) {
		hot.add([]int32{r.lexer.numbers[term]})
	}
	for _, w := range p.words {
		add(w.text)
		add(w.meant())
		for k := range kin[w.text] {
			add(k)
		}
	}
	return hot
}

// hasOne reports a control that has one of some terms on it or around it.
func (c *control) hasOne(of termSet) bool {
	if c.called != nil && of.any(c.lexer.of(c.called.terms)) {
		return true
	}
	for _, text := range [...]*reduced{c.told, c.labels, c.held, c.headed} {
		if of.anyOf(c.lexer, text) {
			return true
		}
	}
	return false
}

// sift leaves of the controls that fit those that the rest of the sentence
// means too.
func (r *reading) sift(k *ranking) {
	p := k.p
	if len(p.not) > 0 {
		k.keep(func(i int) bool { return !r.excluded(p, &r.controls[i]) }, "not "+strings.Join(writtenOf(p.not), " "))
	}
	if p.begins != "" || p.ends != "" {
		k.keep(func(i int) bool {
			name := r.controls[i].plain()
			return name != "" && strings.HasPrefix(name, p.begins) && strings.HasSuffix(name, p.ends)
		}, strings.TrimSpace(p.begins+" … "+p.ends))
	}
	for i := range p.where {
		at := &p.where[i]
		shares := make([]float64, len(k.fits))
		for j := range shares {
			if k.fits[j].p > unrelated.p() {
				shares[j] = r.holdsPlace(at, &r.controls[j])
			}
		}
		best := slices.Max(append(shares, 0))
		if at.soft && !slices.ContainsFunc(k.contenders(), func(j int) bool { return shares[j] >= 0.6 }) {
			continue
		}
		k.keep(func(j int) bool { return shares[j] >= max(best, 0.6) }, at.String())
	}
	for _, state := range p.states {
		want, not := strings.CutPrefix(state, "-")
		k.keep(func(i int) bool { return r.controls[i].in(want) != not }, state)
	}
	if p.limits != "" {
		k.keep(func(i int) bool {
			limit, ok := limits(p.limits, r.controls[i].measured())
			return ok && limit >= pickFloor
		}, strings.TrimSpace(p.limits))
	}
	r.toldApart(k)
	r.extreme(k)
	r.nth(k)
	r.everyOne(k)
}

// keep demotes what does not pass.
func (k *ranking) keep(passes func(i int) bool, why string) {
	for i := range k.fits {
		f := &k.fits[i]
		if f.p <= unrelated.p() {
			continue
		}
		if passes(i) {
			f.why = append(slices.Clip(f.why), why)
		} else {
			f.demote()
		}
	}
}

// demote is for what the sentence rules out: it rivals nothing any more.
func (f *fit) demote() { f.p, f.grade = f.p*demoted, halfMatch }

// demoted is what is left of a fit that the sentence rules out.
const demoted = 0.4

// excluded reports a control that is what the sentence says it must not be.
func (r *reading) excluded(p purpose, c *control) bool {
	hit, _ := covered(p.not, append(c.around(), c.words(), c.says())...)
	return hit > 0.99
}

// in reports a state; chosen and ticked are one for what can only be one of
// them.
func (c *control) in(state string) bool {
	switch state {
	case "selected", "checked":
		return c.has("selected") || c.has("checked")
	}
	return c.has(state)
}

// measured is the text that a control's measures are read from.
func (c *control) measured() string {
	return strings.TrimSpace(c.name + " " + c.from.Description + " " + c.from.Card)
}

// contenders are the controls that fit as well as the best, in page order.
func (k *ranking) contenders() []int {
	best := 0.0
	for i := range k.fits {
		best = max(best, k.fits[i].p)
	}
	var out []int
	if best < pickFloor {
		return out
	}
	for i := range k.fits {
		if best-k.fits[i].p < clearLead {
			out = append(out, i)
		}
	}
	return out
}

// toldApart lets what stands around controls of one name decide between them,
// and of names that the sentence has in full the longer one.
func (r *reading) toldApart(k *ranking) {
	among := k.contenders()
	full := ""
	for _, i := range among {
		if name := r.controls[i].plain(); len(name) > len(full) && containsPhrase(k.p.plain, name) {
			full = name
		}
	}
	for _, i := range among {
		if name := r.controls[i].plain(); name != full && containsPhrase(full, name) {
			k.fits[i].p = max(k.fits[i].p-2*clearLead, 0.01)
		}
	}
	want := heavier(k.p.words, roamWeight)
	shares := make([]float64, len(among))
	best := map[string]float64{}
	named := make(map[string]int, len(among))
	for _, i := range among {
		named[r.controls[i].plain()]++
	}
	for n, i := range among {
		c := &r.controls[i]
		if named[c.plain()] == 1 {
			continue // its name tells it apart
		}
		shares[n], _ = covered(want, append(c.around(), c.words(), c.says())...)
		for _, q := range k.p.quotes {
			if containsPhrase(c.plain(), q) || containsPhrase(normalize(c.path+" "+c.from.Card), q) {
				shares[n]++
			}
		}
		shares[n] += 0.2 * float64(r.pairs(k.p, c))
		best[c.plain()] = max(best[c.plain()], shares[n])
	}
	for n, i := range among {
		if shares[n] < best[r.controls[i].plain()]-0.1 {
			k.fits[i].p = max(k.fits[i].p-2*clearLead, 0.01)
		}
	}
}

// pairs counts the neighbours of the sentence that are neighbours in what
// stands around a control too: "INV-3" is not an INV-2 of 3 March. Small words
// count when they are a whole name: the song "So What".
func (r *reading) pairs(p purpose, c *control) int {
	said := strings.Fields(p.plain)
	text := normalize(c.name + " " + c.path + " " + c.from.Card)
	n := 0
	for i := 1; i < len(said); i++ {
		if weigh(canonical(said[i-1])) == 0 && weigh(canonical(said[i])) == 0 && !r.parts[canonical(said[i-1])+" "+canonical(said[i])] {
			continue
		}
		if containsPhrase(text, said[i-1]+" "+said[i]) {
			n++
		}
	}
	return n
}

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
	return fit{p: wordsInName.p() + r.circumstances(&purpose{}, c), grade: wordsInName, why: []string{why}, of: c}
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

// everyOne takes the first, in page order, of equals of which all are meant and
// which are not yet as wished.
func (r *reading) everyOne(k *ranking) {
	if !k.p.every || k.p.ordinal != 0 {
		return
	}
	among := k.contenders()
	done := func(i int) bool { return stateful(r.controls[i].role) && r.controls[i].in("checked") != k.p.off }
	if len(among) == 0 {
		return
	}
	first := slices.IndexFunc(among, func(i int) bool { return !done(i) })
	if first < 0 {
		return
	}
	for n, i := range among {
		if n != first {
			k.fits[i].demote()
		}
	}
}
