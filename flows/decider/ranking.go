package decider

import (
	"slices"
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
