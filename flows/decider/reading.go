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

func (t *termSet) add(ws []word) {
	for _, w := range ws {
		if w.id >= len(*t) {
			*t = append(*t, make([]bool, 2*w.id+64-len(*t))...)
		}
		(*t)[w.id] = true
	}
}

func (t termSet) has(id int) bool { return id > 0 && id < len(t) && t[id] }

// onScreen reports a term that a control of the screen or its surroundings have.
func (r *reading) onScreen(term string) bool {
	return r.lexer != nil && r.vocabulary.has(r.lexer.ids[term])
}

// named reports a term that stands in the name of a control.
func (r *reading) named(term string) bool { return r.lexer != nil && r.names.has(r.lexer.ids[term]) }

type line struct {
	text  string
	plain string // normalized
	words []word
}

// control is one control of the screen or one offered option.
type control struct {
	role, name  string
	description string
	value       string
	states      []string
	path        string // ancestor labels, outermost first
	card        string // words of the card it stands on
	plain       string // name, normalized
	words       []word // of the name
	says        []word // of the description
	around      []word // of the path, the card and the heading
	near        []word // of the text right beside it
	under       []word // of the heading above it
	place       int    // number of the innermost numbered container, 0 for none
	family      string // path of the containers that are numbered with it
	opener      bool   // the first control of a numbered container, or its first link
	fixture     bool   // stands in a part that every page of a site has
	layer       bool   // stands in something that floats over the page
	box         surfaces.Bounds
	at          int // place in the document, 0 when unknown
}

func read(s State) *reading { return newLexer().read(s) }

// read reads a state with what was read before at hand.
func (l *lexer) read(s State) *reading {
	r := &reading{state: s, lexer: l, parts: map[string]bool{}}
	r.controls = make([]control, 0, len(s.Controls))
	path, last := "", []string(nil)
	for i := range s.Controls {
		c := &s.Controls[i]
		if i == 0 || !slices.Equal(c.Path, last) {
			path, last = strings.Join(c.Path, " › "), c.Path
			for _, part := range l.path(path).parts {
				r.parts[part] = true
			}
		}
		seen := l.control(c.Role, c.Name, c.Description, c.Value, c.States, path)
		seen.card, seen.box = c.Card, c.Box
		seen.near, seen.under = l.words(c.Near), l.words(c.Under)
		seen.around = l.surround(surroundings{path, c.Card, c.Under})
		r.hasLayer = r.hasLayer || seen.layer
		r.names.add(seen.words)
		for _, ws := range [][]word{seen.words, seen.says, seen.around, seen.near} {
			r.vocabulary.add(ws)
		}
		seen.at = c.At
		r.controls = append(r.controls, seen)
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
	return (&lexer{}).control(role, name, description, value, states, path)
}

func (l *lexer) control(role, name, description, value string, states []string, path string) control {
	called, way := l.text(name), l.path(path)
	return control{
		role: role, name: name, description: description, value: value, states: states, path: path,
		plain: called.plain, words: called.name, says: l.words(description), around: way.words,
		place: way.place, family: way.family, layer: way.layer, fixture: way.fixture,
	}
}

// onCard adds the words of the card a control stands on to what is around it.
func (c *control) onCard(text string) {
	c.card = text
	c.around = slices.Concat(c.around, wordsOf(text))
}

// id is a control but for the key it is offered by: the order of last resort.
func (c *control) id() string { return c.role + "\x00" + c.name + "\x00" + c.path }

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
