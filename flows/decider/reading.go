package decider

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// reading is one state, its words counted once for all questions of a request.
type reading struct {
	state    State
	lexer    *lexer
	controls []control
	lines    []line // window title first, then the visible text in its order
	text     string // the visible text, lower-cased, a line each
	loading  string // the words by which the page says that it works, "" for none
	hasLayer bool   // something floats over the page

	vocabulary termSet         // of the controls and of what stands around them
	names      termSet         // of their names
	parts      map[string]bool // names of the containers, as their terms
	rankings   map[string]*ranking
	fits       []fit // of a question's options, used again by the next
	opened     bool  // the openers are marked
}

// termSet is a set of terms by their number.
type termSet []bool

func (t *termSet) add(terms []int32) {
	for _, n := range terms {
		if int(n) >= len(*t) {
			*t = append(*t, make([]bool, 2*int(n)+64-len(*t))...)
		}
		(*t)[n] = true
	}
}

func (t termSet) has(n int32) bool { return n > 0 && int(n) < len(t) && t[n] }

// anyOf reports a set that has one of the terms of a text that is no name.
func (t termSet) anyOf(l *lexer, text *reduced) bool {
	return text != nil && !text.small && t.any(l.of(text.terms))
}

// any reports a set that has one of some terms.
func (t termSet) any(terms []int32) bool { return slices.ContainsFunc(terms, t.has) }

// onScreen reports a term that a control of the screen or its surroundings have.
func (r *reading) onScreen(term string) bool {
	return r.lexer != nil && r.vocabulary.has(r.lexer.numbers[term])
}

// named reports a term that stands in the name of a control.
func (r *reading) named(term string) bool {
	return r.lexer != nil && r.names.has(r.lexer.numbers[term])
}

type line struct {
	text  string
	plain string // normalized
	words []word
}

// control is one control of the screen or one offered option. Its words are made
// when they are asked for: of a crowded page few are.
type control struct {
	*pathway
	from       *Control // as the page has it
	role, name string
	opener     bool // the first control of a numbered container, or its first link
	labelled   bool // its name and its description have changed places

	lexer                              *lexer
	called, told, held, nearby, headed *reduced // the texts of its name, description and card, right beside it, above it
	surround                           [][]word // around, once asked for
}

// words are those of the name.
func (c *control) words() []word {
	if c.labelled {
		return c.lexer.spell(c.called).words
	}
	return c.lexer.spell(c.called).name
}

// says are the words of the description.
func (c *control) says() []word {
	if c.labelled {
		return c.lexer.spell(c.told).name
	}
	return c.lexer.spell(c.told).words
}

// shown is the name as the page has it.
func (c *control) shown() string {
	if c.labelled {
		return c.from.Description
	}
	return c.name
}

// plain is the name, normalized.
func (c *control) plain() string { return c.lexer.plain(c.called, c.shown()) }

// near are the words of the text right beside it.
func (c *control) near() []word { return c.lexer.spell(c.nearby).words }

// under are the words of the heading above it.
func (c *control) under() []word { return c.lexer.spell(c.headed).words }

// around are the words of the path, the card and the heading.
func (c *control) around() [][]word {
	if c.surround == nil {
		c.surround = [][]word{c.lexer.spell(c.labels).words, c.lexer.spell(c.held).words, c.under()}
	}
	return c.surround
}

// unnamed reports a control whose name has neither letter nor digit.
func (c *control) unnamed() bool {
	return c.called == nil || c.called.terms.from == c.called.terms.to && c.plain() == ""
}

func read(s State) *reading { return newLexer(len(s.Controls)).read(s) }

// read reads a state with what was read before at hand.
func (l *lexer) read(s State) *reading {
	r := &reading{state: s, lexer: l, parts: map[string]bool{}}
	r.controls = make([]control, len(s.Controls))
	var way *pathway
	for i := range s.Controls {
		c, seen := &s.Controls[i], &r.controls[i]
		if i == 0 || !slices.Equal(c.Path, s.Controls[i-1].Path) {
			way = l.path(strings.Join(c.Path, " › "))
			for _, part := range way.parts {
				r.parts[part] = true
			}
			r.hasLayer = r.hasLayer || way.layer
			r.vocabulary.addText(l, way.labels)
		}
		seen.read(l, c, way)
		if seen.called != nil {
			r.names.add(l.of(seen.called.terms))
			r.vocabulary.add(l.of(seen.called.terms))
		}
		for _, t := range [...]*reduced{seen.told, seen.held, seen.nearby, seen.headed} {
			r.vocabulary.addText(l, t)
		}
	}
	r.lines = append(r.lines, newLine(s.Window))
	for _, t := range s.VisibleText {
		r.lines = append(r.lines, newLine(t))
	}
	r.text = strings.ToLower(strings.Join(s.VisibleText, "\n"))
	r.loading, _ = firstOf(r.text, waiting)
	if m := working.FindString(r.text); m != "" {
		r.loading = m
	}
	return r
}

// addText adds the terms of a text that is no name.
func (t *termSet) addText(l *lexer, text *reduced) {
	if text != nil && !text.small {
		t.add(l.of(text.terms))
	}
}

// markOpeners finds what opens each item of a list: its first link, else its
// first control.
func (r *reading) markOpeners() {
	if r.opened {
		return
	}
	r.opened = true
	type item struct {
		family string
		place  int
	}
	first := map[item]int{}
	for i := range r.controls {
		c := &r.controls[i]
		if c.place == 0 || c.fixture {
			continue
		}
		of := item{c.family, c.place}
		if at, ok := first[of]; !ok || c.role == "link" && r.controls[at].role != "link" {
			first[of] = i
		}
	}
	for _, i := range first {
		r.controls[i].opener = true
	}
}

func newLine(text string) line { return line{text: text, plain: normalize(text), words: wordsOf(text)} }

func newControl(role, name, description, value string, states []string, path string) control {
	var c control
	l := &lexer{}
	c.read(l, &Control{Role: role, Name: name, Description: description, Value: value, States: states}, l.path(path))
	return c
}

// read reads a control of a page that stands where a path leads.
func (c *control) read(l *lexer, from *Control, way *pathway) {
	*c = control{
		pathway: way, from: from, role: from.Role, name: from.Name, lexer: l,
		called: l.text(from.Name), told: l.text(from.Description), held: l.text(from.Card), nearby: l.text(from.Near), headed: l.text(from.Under),
	}
}

// nameWords are the words of a name; only a leading verb keeps the weight of
// one.
func nameWords(ws []word) []word {
	for i := 1; i < len(ws); i++ {
		if ws[i].weight == actWeight {
			ws = slices.Clone(ws)
			for ; i < len(ws); i++ {
				ws[i].weight = min(ws[i].weight, plainWeight)
			}
		}
	}
	return ws
}

// placeOf gives the number of the innermost numbered container of a path, and
// the path down to it without its name.
func placeOf(path string) (place int, family string) {
	at := strings.LastIndexByte(path, '#')
	if at < 0 {
		return 0, ""
	}
	end := at + 1
	for end < len(path) && path[end] >= '0' && path[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(path[at+1 : end])
	if err != nil {
		return 0, ""
	}
	head, from := path[:at], 0
	if i := strings.LastIndex(head, " › "); i >= 0 {
		from = i + len(" › ")
	}
	role, _, _ := strings.Cut(head[from:], " ")
	return n, head[:from+len(role)]
}

// offered reads an option as a control: the one of the screen that it is, where
// that is known.
func (r *reading) offered(o *Option) control {
	if i, ok := r.index(o); ok {
		return r.controls[i]
	}
	return offered(o)
}

// index finds the control of the screen that an option is.
func (r *reading) index(o *Option) (int, bool) {
	if o.At > 0 {
		all := r.state.Controls
		i := sort.Search(len(all), func(i int) bool { return all[i].At >= o.At })
		for ; i < len(all) && all[i].At == o.At; i++ {
			if all[i].Role == o.Role && all[i].Name == o.Name {
				return i, true
			}
		}
	}
	if o.Description == nil || o.Role == "" && o.Name == "" {
		return 0, false
	}
	at, found := 0, false
	for i := range r.controls {
		c := &r.controls[i]
		if c.role != o.Role || c.name != o.Name || c.path != o.Description.Where {
			continue
		}
		if found {
			return 0, false // two of one description are not told apart
		}
		at, found = i, true
	}
	return at, found
}

// offered reads an option as a control; one that is only text is its own name.
func offered(o *Option) control {
	role, name, states, path, says, value := o.Role, o.Name, o.States, "", "", ""
	if d := o.Description; d != nil {
		path, says, value = d.Where, d.Says, d.Holds
		if d.Near != "" {
			path += " › " + d.Near
		}
		if role == "" && name == "" {
			role, name = splitLabel(d.What)
		}
		if len(states) == 0 && d.State != "" {
			states = strings.Split(d.State, ", ")
		}
	}
	if role == "" && name == "" {
		name = o.Text
	} else if o.Text != "" && says == "" {
		says = o.Text
	}
	return newControl(role, name, says, value, states, path)
}

// splitLabel takes button "Apply" apart.
func splitLabel(label string) (role, name string) {
	role, name, ok := strings.Cut(label, ` "`)
	if !ok {
		return label, ""
	}
	return role, strings.TrimSuffix(name, `"`)
}

// inFront reports whether something other than the window itself is in front.
func (r *reading) inFront() bool {
	switch r.state.Surface {
	case "sheet", "dialog", "alert", "menu", "popover":
		return true
	}
	return false
}

func (c *control) has(state string) bool { return slices.Contains(c.from.States, state) }

func (c *control) label() string {
	if c.name == "" {
		return c.role
	}
	return c.role + ` "` + c.name + `"`
}

// inLayer reports whether the control stands in something that floats over the
// page.
func (c *control) inLayer() bool { return c.layer }

func (c *control) takesText() bool {
	switch c.role {
	case "textbox", "searchbox", "combobox", "textarea", "spinbutton":
		return true
	}
	return false
}

// sameAs reports whether two readings of a control are of the same one.
func (c *control) sameAs(d *control) bool {
	return c.role == d.role && c.name == d.name && c.path == d.path
}
