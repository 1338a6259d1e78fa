package decider

import (
	"regexp"
	"slices"
	"strings"
)

// A step may ask for several acts: "open the File menu and click Export", "tick
// "A" and "B"". They are done one after the other, so every question about the
// step is one about the first act that no press has served yet.

// act is the part of a step that is to be done next; the last one when all are
// done.
func (r *reading) act(step string) string {
	acts := r.acts(step)
	return acts[min(r.served(acts), len(acts)-1)]
}

// acts takes a step apart, in order; a step that asks for one thing stays whole.
func (r *reading) acts(step string) []string {
	var acts []string
	for _, part := range r.clauses(step) {
		acts = append(acts, perQuote(part)...)
	}
	return acts
}

// served is how many of the acts, from the first, the step's own presses have
// done. A press serves the act whose control it is; one that is made for an act
// and bears other words serves it all the same.
func (r *reading) served(acts []string) int {
	if len(acts) == 1 {
		return 0
	}
	n := 0
	for _, press := range r.state.Chosen {
		if n == len(acts) {
			break
		}
		c := controlOf(press)
		own, later := 0.0, 0.0
		for i, a := range acts[n:] {
			p := purposeOf(a)
			if v := r.fit(&p, nil, &c).p; i == 0 {
				own = v
			} else {
				later = max(later, v)
			}
		}
		if own >= later && (own >= pickFloor || press.Sure >= quietFloor) {
			n++
		}
	}
	return n
}

var (
	finds     = regexp.MustCompile(`(?i)^(?:find|locate|look for)\b`)
	thenWords = regexp.MustCompile(`(?i)(?:[,;.]\s+|\s+)(?:and\s+)?then\s+|;\s+`)
	andVerb   = regexp.MustCompile(`(?i)(?:,\s+|\s+)and\s+(click|press|tap|hit|open|select|choose|pick|tick|check|untick|uncheck|expand|collapse|close|go|submit|accept|turn|switch|confirm|continue|follow)\b`)
)

// clauses splits at "then" and at "and" before a verb, never inside a quote and
// never where a control of the screen is called so: "Save and continue".
func (r *reading) clauses(step string) []string {
	hidden := hideQuotes(step)
	cuts := thenWords.FindAllStringIndex(hidden, -1)
	for _, m := range andVerb.FindAllStringSubmatchIndex(hidden, -1) {
		if !r.joined(hidden, m[0], m[3]) {
			cuts = append(cuts, []int{m[0], m[2]})
		}
	}
	slices.SortFunc(cuts, func(a, b []int) int { return a[0] - b[0] })
	var out []string
	at := 0
	for _, c := range append(cuts, []int{len(step), len(step)}) {
		part := strings.TrimSpace(step[at:c[0]])
		if finds.MatchString(part) && c[1] < len(step) {
			continue // where the thing is that the next clause acts on
		}
		if part != "" {
			out = append(out, part)
		}
		at = c[1]
	}
	if len(out) == 0 {
		return []string{step}
	}
	return out
}

// joined reports a control whose name has the word before an "and", the "and"
// and the verb after it.
func (r *reading) joined(text string, and, end int) bool {
	before := strings.Fields(text[:and])
	if len(before) == 0 {
		return true
	}
	phrase := normalize(before[len(before)-1] + text[and:end])
	for i := range r.controls {
		if containsPhrase(normalize(r.controls[i].name), phrase) {
			return true
		}
	}
	return false
}

// perQuote gives one act for each of several quotes with nothing but commas and
// "and" between them: tick "A", "B" and "C".
func perQuote(clause string) []string {
	m := quoted.FindAllStringIndex(clause, -1)
	for i := 1; i < len(m); i++ {
		if between := strings.Trim(clause[m[i-1][1]:m[i][0]], " ,"); between != "" && !strings.EqualFold(between, "and") && between != "&" {
			return []string{clause}
		}
	}
	if len(m) < 2 {
		return []string{clause}
	}
	var out []string
	for _, q := range m {
		out = append(out, clause[:m[0][0]]+clause[q[0]:q[1]]+clause[m[len(m)-1][1]:])
	}
	return out
}

// hideQuotes is the text with a letter in place of everything quoted.
func hideQuotes(text string) string {
	b := []byte(text)
	for _, m := range quoted.FindAllStringIndex(text, -1) {
		for i := m[0]; i < m[1]; i++ {
			if edge := i == m[0] || i == m[1]-1; b[i] != ' ' || !edge {
				b[i] = 'q'
			}
		}
	}
	return string(b)
}
