package decider

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// reading is one state, its words counted once for all questions of a request.
type reading struct {
	state    State
	controls []control
	lines    []line // window title first, then the visible text in its order
	text     string // the visible text, lower-cased, a line each
	loading  string // the words by which the page says that it works, "" for none
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
	around      []word // of the path
	place       int    // number of the innermost numbered container, 0 for none
}

func read(s State) *reading {
	r := &reading{state: s}
	for _, c := range s.Controls {
		seen := newControl(c.Role, c.Name, c.Description, c.Value, c.States, strings.Join(c.Path, " › "))
		seen.onCard(c.Card)
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

func newLine(text string) line { return line{text: text, plain: normalize(text), words: wordsOf(text)} }

func newControl(role, name, description, value string, states []string, path string) control {
	return control{
		role: role, name: name, description: description, value: value, states: states, path: path,
		plain: normalize(name), words: nameWords(name), says: wordsOf(description), around: wordsOf(path), place: placeOf(path),
	}
}

// onCard adds the words of the card a control stands on to what is around it.
func (c *control) onCard(text string) {
	c.card = text
	c.around = append(c.around, wordsOf(text)...)
}

// nameWords are the words of a name; a leading verb keeps the weight of one.
func nameWords(name string) []word {
	ws := wordsOf(name)
	for i := range ws {
		if i > 0 && ws[i].weight == actWeight {
			ws[i].weight = plainWeight
		}
	}
	return ws
}

var ordinalPart = regexp.MustCompile(`#(\d+)`)

func placeOf(path string) int {
	all := ordinalPart.FindAllStringSubmatch(path, -1)
	if len(all) == 0 {
		return 0
	}
	n, err := strconv.Atoi(all[len(all)-1][1])
	if err != nil {
		return 0
	}
	return n
}

// offered reads an option as a control and gives it the card that the same
// control of the screen stands on.
func (r *reading) offered(o Option) control {
	c := offered(o)
	for i := range r.controls {
		if d := &r.controls[i]; d.card != "" && d.sameAs(&c) {
			c.onCard(d.card)
			break
		}
	}
	return c
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
func (c *control) inLayer() bool {
	p := strings.ToLower(c.path)
	return strings.Contains(p, "dialog") || strings.Contains(p, "popover") || strings.Contains(p, "alert") ||
		strings.Contains(p, "sheet")
}

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
