package decider

import (
	"regexp"
	"slices"
	"strings"
)

// holds judges a statement about the screen that shows now.
func (r *reading) holds(condition string) verdict {
	if phrase, ok := strings.CutSuffix(strings.TrimSpace(condition), " has happened"); ok {
		return r.happened(phrase)
	}
	best := verdict{nonePresent.p(), []string{"nothing of it is on the screen"}}
	for _, part := range strings.Split(condition, " or ") {
		if v := r.holdsOne(part); v.p > best.p {
			best = v
		}
	}
	return best
}

func (r *reading) holdsOne(condition string) verdict {
	plain := normalize(condition)
	if rest, ok := negated(condition); ok {
		if l, there := r.literally(plain); there {
			return verdict{allStated.p(), []string{l}}
		}
		v := r.holdsOne(rest)
		if v.p < mostPresent.p() {
			v.p = min(v.p, unrelated.p()+nonePresent.p()) // something of it is missing, so it is not there
		}
		return verdict{1 - v.p, append([]string{"the opposite of"}, v.why...)}
	}
	if v, ok := r.compared(condition); ok {
		return v
	}
	s := statementOf(condition)
	if said, ok := r.quotedThere(s); ok {
		return verdict{allStated.p(), []string{said}}
	}
	if v, ok := r.inState(s); ok {
		return v
	}
	return r.shows(s)
}

// quotedThere finds the quote of a statement that says no more than that it
// shows.
func (r *reading) quotedThere(s statement) (string, bool) {
	if len(s.quotes) != 1 || s.state != "" || s.layer || len(strings.Fields(s.quotes[0])) < 2 {
		return "", false
	}
	for _, f := range strings.Fields(strings.Replace(s.plain, s.quotes[0], " ", 1)) {
		if t := canonical(f); !showing[f] && !showing[t] && !stopWords[t] && weigh(t) > scaffoldWeight {
			return "", false
		}
	}
	for _, l := range r.lines {
		if containsPhrase(l.plain, s.quotes[0]) {
			return l.text, true
		}
	}
	return "", false
}

// literally finds the whole statement, less its scaffolding, in one line.
func (r *reading) literally(plain string) (string, bool) {
	var keep []string
	for _, t := range strings.Fields(plain) {
		if t == "no" || t == "not" || weigh(canonical(t)) > 0 && !showing[t] {
			keep = append(keep, t)
		}
	}
	want := strings.Join(keep, " ")
	if len(keep) < 2 {
		return "", false
	}
	for _, l := range r.lines {
		if containsPhrase(l.plain, want) {
			return l.text, true
		}
	}
	return "", false
}

// showing are words of a statement that say only that something is there.
var showing = set(`showing shown show visible displayed display appear appears present listed ready loaded there is are has
	have in front see seen entered typed filled screen page open opened contains contain holds hold says say reads read lists include includes
	mentions mention currently now at least one more than a the that`)

var layerWords = set("dialog popup modal banner overlay sheet notice")

var listNouns = set("list listed listing results result matches cards offers options rows entries")

// statement is a condition taken apart.
type statement struct {
	words  []word // what has to be there
	quotes []string
	list   bool // several of a kind
	layer  bool // in front of the page
	page   bool // the page as a whole
	state  string
	plain  string
	kinds  map[string]bool // words for what is listed: "trains", not "Salzburg"
}

func statementOf(condition string) statement {
	s := statement{plain: normalize(condition), kinds: map[string]bool{}}
	for _, m := range quoted.FindAllStringSubmatch(condition, -1) {
		for _, q := range m[1:] {
			if n := normalize(q); n != "" {
				s.quotes = append(s.quotes, n)
			}
		}
	}
	s.layer = strings.Contains(" "+s.plain+" ", " in front ")
	for _, f := range joinPhrases(fragments(condition)) {
		t := canonical(f)
		switch {
		case f == "page" || f == "screen" || f == "step":
			s.page = true
		case stateWords[f] != "":
			s.state = stateWords[f]
		case listNouns[f]:
			s.list = true
		case layerWords[f]:
			s.layer = true
		case showing[f] || showing[t] || stopWords[f] || stopWords[t]:
		case weigh(t) == scaffoldWeight:
			s.words = append(s.words, word{text: t, weight: scaffoldWeight})
		default:
			s.words = append(s.words, word{text: t, weight: plainWeight})
			s.kinds[t] = kinds[t] || strings.HasSuffix(f, "s") && !strings.Contains(condition, strings.ToUpper(f[:1])+f[1:])
		}
	}
	return s
}

var stateWords = map[string]string{
	"selected": "selected", "checked": "checked", "ticked": "checked", "chosen": "selected",
	"disabled": "disabled", "expanded": "expanded", "unchecked": "-checked", "unticked": "-checked", "enabled": "-disabled",
}

// inState judges "the Express option is selected" by the control itself.
func (r *reading) inState(s statement) (verdict, bool) {
	if s.state == "" || len(s.words) == 0 {
		return verdict{}, false
	}
	state, want := s.state, true
	if state[0] == '-' {
		state, want = state[1:], false
	}
	var best *control
	top, tied := 0.0, false
	for i := range r.controls {
		c := &r.controls[i]
		hit, _ := covered(s.words, c.words(), c.says())
		if hit > top {
			best, top, tied = c, hit, false
		} else if hit == top && hit > 0 {
			tied = true
		}
	}
	if best == nil || top < 0.75 || tied && top < 0.995 {
		return verdict{}, false
	}
	is := best.has(state) || state == "selected" && best.has("checked") || state == "checked" && best.has("selected")
	if is == want {
		return verdict{asStated.p(), []string{best.label(), s.state}}, true
	}
	if state == "selected" && r.valueShows(s) {
		return verdict{allPresent.p(), []string{"a field holds it"}}, true
	}
	return verdict{denied.p(), []string{best.label(), "is not " + strings.TrimPrefix(s.state, "-")}}, true
}

func (r *reading) valueShows(s statement) bool {
	for i := range r.controls {
		if hit, _ := covered(s.words, wordsOf(r.controls[i].from.Value)); hit > 0.99 {
			return true
		}
	}
	return false
}

// shows judges by the share of the statement's words that the screen has.
func (r *reading) shows(s statement) verdict {
	for _, q := range s.quotes {
		if !r.hasPhrase(q) {
			return verdict{denied.p(), []string{q, "is not on the screen"}}
		}
	}
	sum, got := 0.0, 0.0
	var why []string
	plain := slices.ContainsFunc(s.words, func(w word) bool { return w.weight >= plainWeight })
	for _, w := range s.words {
		hit := r.presence(w.text, s)
		if w.weight < plainWeight && plain && hit == 0 {
			if !anyOf(w.text, "form") {
				continue // "the Apply button": the page need not say button
			}
			if slices.ContainsFunc(r.controls, func(c control) bool { return c.takesText() }) {
				hit = 1
			}
			w.weight = plainWeight
		}
		if isNumber(w.text) && hit == 0 && len(s.words) > 1 {
			w.weight *= 2 // another number is another statement
		}
		if hit > 0 {
			why = append(why, w.text)
		}
		sum += w.weight
		got += w.weight * hit
	}
	if s.list {
		is, said := r.listPresence(s)
		sum, got, why = sum+plainWeight, got+is*plainWeight, append(why, said)
	}
	if s.layer {
		in, said := r.layerPresence(s)
		sum, got, why = sum+plainWeight, got+in*plainWeight, append(why, said)
	}
	if sum == 0 {
		return verdict{halfPresent.p(), []string{"the statement names nothing"}}
	}
	return verdict{r.shareP(got/sum, s), why}
}

// shareP puts a share of words on the scale.
func (r *reading) shareP(share float64, s statement) float64 {
	all := allPresent.p()
	if s.list || s.layer || r.inOneLine(s.words) {
		all = allStated.p()
	}
	steps := []struct{ share, p float64 }{{0, nonePresent.p()}, {0.5, halfPresent.p()}, {0.85, mostPresent.p()}, {0.93, 0.8}, {1, all}}
	for i := 1; i < len(steps); i++ {
		if a, b := steps[i-1], steps[i]; share <= b.share {
			return a.p + (b.p-a.p)*(share-a.share)/(b.share-a.share)
		}
	}
	return all
}

// presence of one term: text counts in full, controls less when the statement
// is about the page, for a link to a page is not the page.
func (r *reading) presence(term string, s statement) float64 {
	best := 0.0
	for i := range r.lines {
		best = max(best, loose(found(term, r.lines[i].words)))
	}
	if best == 1 {
		return 1
	}
	share := 1.0
	if s.page {
		share = 0.5
	}
	for i := range r.controls {
		c := &r.controls[i]
		best = max(best, share*loose(found(term, c.words())), share*loose(found(term, c.says())), loose(found(term, c.around()...)))
		if c.from.Value != "" {
			best = max(best, loose(found(term, wordsOf(c.from.Value))))
		}
	}
	for label, v := range r.state.FieldContents {
		best = max(best, loose(found(term, wordsOf(v))), share*loose(found(term, wordsOf(label))))
	}
	if best == 0 && len(r.controls) == 0 {
		for _, e := range r.state.Elements {
			best = max(best, share*loose(found(term, wordsOf(e))))
		}
	}
	if best == 0 && s.list && s.kinds[term] && r.cards() >= 2 {
		return 0.85 // a list of things need not call each thing by its kind
	}
	return best
}

// loose takes a near synonym for nearly the word: a person reading "Message
// sent" says that the mail was sent.
func loose(hit float64) float64 {
	if hit > 0 && hit < 1 {
		return 0.92
	}
	return hit
}

func (r *reading) hasPhrase(q string) bool {
	for i := range r.lines {
		if containsPhrase(r.lines[i].plain, q) {
			return true
		}
	}
	for i := range r.controls {
		c := &r.controls[i]
		if containsPhrase(c.plain(), q) || containsPhrase(normalize(c.from.Value), q) || containsPhrase(normalize(c.path), q) {
			return true
		}
	}
	for _, v := range r.state.FieldContents {
		if containsPhrase(normalize(v), q) {
			return true
		}
	}
	return false
}

func (r *reading) inOneLine(ws []word) bool {
	for i := range r.lines {
		if hit, _ := covered(ws, r.lines[i].words); hit > 0.99 {
			return true
		}
	}
	return false
}

var ordinalPart = regexp.MustCompile(`#(\d+)`)

// cards counts the members of the longest family of numbered containers that is
// no navigation.
func (r *reading) cards() int {
	families := map[string]map[string]bool{}
	most := 0
	for i := range r.controls {
		p := strings.ToLower(r.controls[i].path)
		if firstIn(p, "navigation", "contentinfo", "banner", "menu", "grid") {
			continue
		}
		for _, loc := range ordinalPart.FindAllStringIndex(p, -1) {
			head := p[:loc[0]]
			role := head[strings.LastIndex(head, "›")+len("›"):]
			if i := strings.LastIndex(head, " › "); i >= 0 {
				role = head[i:]
			}
			role, _, _ = strings.Cut(strings.TrimLeft(role, " ›"), " ")
			outer := ""
			if i := strings.LastIndex(head, " › "); i >= 0 {
				outer = head[:i]
			}
			key := outer + "|" + role
			if families[key] == nil {
				families[key] = map[string]bool{}
			}
			families[key][p[loc[0]:loc[1]]] = true
			most = max(most, len(families[key]))
		}
	}
	return most
}

func firstIn(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

func (r *reading) listPresence(s statement) (float64, string) {
	if said, ok := firstOf(r.text, emptiness); ok && !strings.Contains(s.plain, said) {
		return 0, said
	}
	if r.cards() >= 2 {
		return 1, "several of a kind"
	}
	if r.loading != "" {
		return 0, r.loading
	}
	return 0.1, "no list"
}

func (r *reading) layerPresence(s statement) (float64, string) {
	layers := false
	for i := range r.controls {
		c := &r.controls[i]
		if hit, _ := covered(s.words, c.around()...); len(s.words) > 0 && hit > 0.9 {
			return 1, "a part of the page is named so"
		}
		if !c.inLayer() {
			continue
		}
		layers = true
		if hit, _ := covered(s.words, append(c.around(), c.words())...); hit > 0.3 {
			return 1, "in front"
		}
	}
	if layers || r.inFront() {
		if len(s.words) == 0 {
			return 1, "something is in front"
		}
		return 0.85, "something is in front, though not by that name"
	}
	return 0, "nothing is in front"
}

var negations = regexp.MustCompile(`(?i)\b(no longer|not|never|without|no|none of|isn['’]t|aren['’]t|hasn['’]t|doesn['’]t)\b|\b(is|are|has|have) (gone|disappeared|vanished|been closed|been removed)\b`)

// negated takes the negation out of a statement.
func negated(condition string) (string, bool) {
	unquotedText := quoted.ReplaceAllString(condition, " ")
	if !negations.MatchString(unquotedText) || comparison.MatchString(condition) {
		return condition, false
	}
	return negations.ReplaceAllString(condition, " "), true
}

// coverage spreads the verdict over the levels, the top one holding it.
func (r *reading) coverage(q Question) Answer {
	v := r.holds(q.Subject)
	n := max(len(q.Options), 2)
	levels := make([]float64, n)
	levels[n-1] = v.p
	rest := 1 - v.p
	if n == 2 {
		levels[0] = rest
	} else {
		levels[0] = rest * (1 - v.p)
		levels[n-2] += rest * v.p
	}
	return Answer{Levels: levels, Why: v.why}
}
