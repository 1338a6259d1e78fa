package decider

import (
	"slices"
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

	at         map[int][]int   // controls by their place in the document
	vocabulary map[string]bool // terms of the controls and of what stands around them
	names      map[string]bool // terms of their names
	parts      map[string]bool // names of the containers, as their terms
	rankings   map[string]*ranking
}

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
}

func read(s State) *reading {
	r := &reading{state: s, lexer: newLexer(), at: map[int][]int{}, vocabulary: map[string]bool{}, names: map[string]bool{}}
	r.controls = make([]control, 0, len(s.Controls))
	for i := range s.Controls {
		c := &s.Controls[i]
		seen := r.newControl(c.Role, c.Name, c.Description, c.Value, c.States, strings.Join(c.Path, " › "))
		r.stand(&seen, c)
		r.hasLayer = r.hasLayer || seen.layer
		for _, w := range seen.words {
			r.names[w.text] = true
		}
		if c.At > 0 {
			r.at[c.At] = append(r.at[c.At], i)
		}
		r.controls = append(r.controls, seen)
	}
	r.markOpeners()
	r.nameParts()
	for _, x := range r.lexer.texts {
		for _, w := range x {
			r.vocabulary[w.text] = true
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

// markOpeners finds what opens each item of a list: its first link, else its
// first control.
func (r *reading) markOpeners() {
	first := map[string]int{}
	for i := range r.controls {
		c := &r.controls[i]
		if c.place == 0 || c.fixture {
			continue
		}
		item := c.family + "#" + strconv.Itoa(c.place)
		if at, ok := first[item]; !ok || c.role == "link" && r.controls[at].role != "link" {
			first[item] = i
		}
	}
	for _, i := range first {
		r.controls[i].opener = true
	}
}

// nameParts collects what the containers of the controls are called.
func (r *reading) nameParts() {
	r.parts = map[string]bool{}
	paths := map[string]bool{}
	for i := range r.controls {
		if path := r.controls[i].path; !paths[path] {
			paths[path] = true
			for j, piece := range strings.Split(path, `"`) {
				if j%2 == 1 {
					r.parts[strings.Join(terms(piece), " ")] = true
				}
			}
		}
	}
	delete(r.parts, "")
}

func newLine(text string) line { return line{text: text, plain: normalize(text), words: wordsOf(text)} }

func newControl(role, name, description, value string, states []string, path string) control {
	return (&reading{lexer: &lexer{}}).newControl(role, name, description, value, states, path)
}

func (r *reading) newControl(role, name, description, value string, states []string, path string) control {
	c := control{
		role: role, name: name, description: description, value: value, states: states, path: path,
		plain: normalize(name), words: nameWords(r.lexer.words(name)), says: r.lexer.words(description), around: r.lexer.words(path),
	}
	c.place, c.family = placeOf(path)
	c.layer, c.fixture = inLayer(path), firstIn(strings.ToLower(path), "navigation", "contentinfo", "banner", "toolbar")
	if len(c.words) == 0 && c.plain != "" {
		for _, t := range terms(name) {
			c.words = append(c.words, word{text: t, weight: plainWeight}) // a link "About" is about nothing else
		}
	}
	return c
}

// stand gives a control what stands around it.
func (r *reading) stand(c *control, from *Control) {
	c.card, c.box = from.Card, from.Box
	c.near, c.under = r.lexer.words(from.Near), r.lexer.words(from.Under)
	if from.Card != "" || len(c.under) > 0 {
		c.around = slices.Concat(c.around, r.lexer.words(from.Card), c.under)
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

// placeOf gives the number of the innermost numbered container of a path, and
// the path down to it without its name and number.
func placeOf(path string) (int, string) {
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
	head := path[:at]
	outer, part := "", head
	if i := strings.LastIndex(head, " › "); i >= 0 {
		outer, part = head[:i], head[i+len(" › "):]
	}
	role, _, _ := strings.Cut(part, " ")
	return n, outer + "|" + role
}

// inLayer reports a path that leads into something that floats over the page.
func inLayer(path string) bool {
	return firstIn(strings.ToLower(path), "dialog", "popover", "alert", "sheet")
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
	for _, i := range r.at[o.At] {
		if c := &r.controls[i]; c.role == o.Role && c.name == o.Name {
			return i, true
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
