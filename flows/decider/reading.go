package decider

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"countersign/surfaces"
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
	opened     bool // the openers are marked
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
	role, name  string
	description string
	value       string
	states      []string
	card        string // words of the card it stands on
	opener      bool   // the first control of a numbered container, or its first link
	labelled    bool   // its name and its description have changed places
	box         surfaces.Bounds
	at          int // place in the document, 0 when unknown

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
		return c.description
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
		seen.read(l, c.Role, c.Name, c.Description, c.Value, c.States, way)
		seen.card, seen.box, seen.at = c.Card, c.Box, c.At
		seen.held, seen.nearby, seen.headed = l.text(c.Card), l.text(c.Near), l.text(c.Under)
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
	first := map[string]int{}
	for i := range r.controls {
		c := &r.controls[i]
		if c.place == 0 || c.fixture {
			continue
		}
		item := r.lexer.path(c.path).item
		if at, ok := first[item]; !ok || c.role == "link" && r.controls[at].role != "link" {
			first[item] = i
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
	c.read(l, role, name, description, value, states, l.path(path))
	return c
}

func (c *control) read(l *lexer, role, name, description, value string, states []string, way *pathway) {
	c.lexer, c.pathway = l, way
	c.role, c.name, c.description, c.value, c.states = role, name, description, value, states
	c.called, c.told = l.text(name), l.text(description)
}

// onCard adds the words of the card a control stands on to what is around it.
func (c *control) onCard(text string) {
	c.card, c.held = text, c.lexer.text(text)
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

// placeOf gives the number of the innermost numbered container of a path, the
// path down to it without its name, and that with the number.
func placeOf(path string) (place int, family, item string) {
	at := strings.LastIndexByte(path, '#')
	if at < 0 {
		return 0, "", ""
	}
	end := at + 1
	for end < len(path) && path[end] >= '0' && path[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(path[at+1 : end])
	if err != nil {
		return 0, "", ""
	}
	head := path[:at]
	outer, part := "", head
	if i := strings.LastIndex(head, " › "); i >= 0 {
		outer, part = head[:i], head[i+len(" › "):]
	}
	role, _, _ := strings.Cut(part, " ")
	family = outer + "|" + role
	return n, family, family + path[at:end]
}

// offered reads an option as a control: the one of the screen that it is, where
// that is known.
func (r *reading) offered(o Option) control {
	if i, ok := r.index(o); ok {
		return r.controls[i]
	}
	return offered(o)
}

// index finds the control of the screen that an option is.
func (r *reading) index(o Option) (int, bool) {
	if o.At > 0 {
		i := sort.Search(len(r.controls), func(i int) bool { return r.controls[i].at >= o.At })
		for ; i < len(r.controls) && r.controls[i].at == o.At; i++ {
			if c := &r.controls[i]; c.role == o.Role && c.name == o.Name {
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
func offered(o Option) control {
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

func (c *control) has(state string) bool { return slices.Contains(c.states, state) }

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
