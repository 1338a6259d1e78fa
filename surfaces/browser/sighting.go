package browser

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"countersign/surfaces"
)

// sighting is one answer of the script. Nothing of it is believed before accept
// has seen it. A text in it is a number, the place it has in Words, and a path
// the number that paths gives it.
type sighting struct {
	Stale    bool              `json:"stale"`
	Title    string            `json:"title"`
	Origin   string            `json:"origin"` // of the document that was read
	Viewport []float64         `json:"viewport"`
	Surface  string            `json:"surface"`
	Words    []string          `json:"words"`
	Paths    []int             `json:"paths"` // pairs: the path around one, and its last part
	Controls controls          `json:"controls"`
	Texts    texts             `json:"texts"`
	Context  []int             `json:"context"`
	Frames   []hole            `json:"frames"`
	Shut     bool              `json:"shut"` // something in front tells nothing
	Denoised surfaces.Denoised `json:"denoised"`
	Last     int               `json:"last"`
}

// controls has a column for each property of a control; one that no control has
// is empty.
type controls struct {
	Ref          []int     `json:"ref"`
	Role         []int     `json:"role"`
	Name         []int     `json:"name"`
	Description  []int     `json:"description"`
	Value        []int     `json:"value"`
	States       []int     `json:"states"`
	Actions      []int     `json:"actions"`
	Children     []int     `json:"children"`
	X            []float64 `json:"x"`
	Y            []float64 `json:"y"`
	W            []float64 `json:"w"`
	H            []float64 `json:"h"`
	Path         []int     `json:"path"`
	Order        []int     `json:"order"`
	Form         []int     `json:"form"`
	Autocomplete []int     `json:"autocomplete"`
	Type         []int     `json:"type"`
	Destination  []int     `json:"destination"` // on the page's own origin without that
	Placeholder  []int     `json:"placeholder"`
	Title        []int     `json:"title"`
	Pattern      []int     `json:"pattern"`
	Described    []int     `json:"described"`
}

type texts struct {
	Text   []int `json:"text"`
	Path   []int `json:"path"`
	Order  []int `json:"order"`
	Field  []int `json:"field"`
	Column []int `json:"column"` // the heading of a table's column
}

// at gives what stands at a place of a list, nothing outside of it.
func at[T any](list []T, i int) (v T) {
	if i >= 0 && i < len(list) {
		v = list[i]
	}
	return v
}

// word gives the text that row i of a column names.
func (s *sighting) word(column []int, i int) string { return at(s.Words, at(column, i)) }

// paths gives every path by its number. A long one keeps what stands outermost
// and the nearest parts.
func (s *sighting) paths() [][]string {
	all := [][]string{nil}
	for i := 0; i+1 < len(s.Paths); i += 2 {
		path := at(all, s.Paths[i])
		if part := clip(squash(at(s.Words, s.Paths[i+1])), maxName); part != "" {
			if len(path) == maxPath {
				path = slices.Delete(slices.Clone(path), 1, 2)
			}
			path = append(slices.Clip(path), part)
		}
		all = append(all, path)
	}
	return all
}

// hole is a frame of another origin: what it shows is read inside it.
type hole struct {
	Ref   int      `json:"ref"`
	X     float64  `json:"x"` // of its content, in the window
	Y     float64  `json:"y"`
	W     float64  `json:"w"`
	H     float64  `json:"h"`
	Share float64  `json:"share"` // of the window
	Front bool     `json:"front"`
	Path  int      `json:"path"`
	parts []string // of that path
}

// holes gives the frames with the parts of their paths.
func (s *sighting) holes() []hole {
	paths := s.paths()
	for i := range s.Frames {
		s.Frames[i].parts = at(paths, s.Frames[i].Path)
	}
	return s.Frames
}

// accept makes a screen of an answer, keeping nothing that is out of bounds.
func accept(s sighting) *surfaces.Screen {
	screen := &surfaces.Screen{
		Window: clip(squash(s.Title), 300), Surface: surfaces.FrontWindow, Side: surfaces.Browser,
		Candidates: []surfaces.Candidate{}, TextNodes: []surfaces.TextNode{}, Context: []string{}, Unexplored: []string{},
	}
	if s.Surface == surfaces.FrontSheet || s.Surface == surfaces.FrontAlert {
		screen.Surface = s.Surface
	}
	paths := s.paths()
	seen := map[int]bool{}
	for i, ref := range s.Controls.Ref {
		if len(screen.Candidates) == maxControls {
			break
		}
		if c := s.control(i, paths); ref > 0 && !seen[ref] && roles(c.Role) && sized(c.Bounds.X, c.Bounds.Y, c.Bounds.Width, c.Bounds.Height) {
			seen[ref] = true
			screen.Candidates = append(screen.Candidates, c)
		}
	}
	for i := range s.Texts.Text {
		if text := clip(squash(s.word(s.Texts.Text, i)), maxText); text != "" && len(screen.TextNodes) < maxTexts {
			screen.TextNodes = append(screen.TextNodes, surfaces.TextNode{
				Text: text, Path: at(paths, at(s.Texts.Path, i)), Order: at(s.Texts.Order, i), Field: at(s.Texts.Field, i) != 0,
				Column: clip(squash(s.word(s.Texts.Column, i)), maxName),
			})
		}
	}
	for i := range s.Context {
		line := clip(squash(s.word(s.Context, i)), maxText)
		if line != "" && len(screen.Context) < maxContext && !slices.Contains(screen.Context, line) {
			screen.Context = append(screen.Context, line)
		}
	}
	return screen
}

// control gives row i of the controls, within bounds.
func (s *sighting) control(i int, paths [][]string) surfaces.Candidate {
	c := &s.Controls
	out := surfaces.Candidate{
		Ref: refPrefix + strconv.Itoa(at(c.Ref, i)), Role: s.word(c.Role, i),
		Name: clip(squash(s.word(c.Name, i)), maxName), Description: clip(squash(s.word(c.Description, i)), maxText),
		ChildrenCount: max(0, min(at(c.Children, i), 1<<20)),
		Bounds:        surfaces.Bounds{X: at(c.X, i), Y: at(c.Y, i), Width: at(c.W, i), Height: at(c.H, i)},
		Path:          at(paths, at(c.Path, i)), Order: at(c.Order, i),
		Form: clip(s.word(c.Form, i), maxName), Autocomplete: clip(s.word(c.Autocomplete, i), maxName),
		InputType: clip(s.word(c.Type, i), 40), Destination: s.destination(i),
	}
	if s.word(c.Type, i) != "password" {
		out.Value = clip(s.word(c.Value, i), maxValue)
	}
	for st := range strings.FieldsSeq(s.word(c.States, i)) {
		if states(st) && !slices.Contains(out.States, st) {
			out.States = append(out.States, st)
		}
	}
	for a := range strings.FieldsSeq(s.word(c.Actions, i)) {
		if act := surfaces.Action(a); actions(act) && !slices.Contains(out.Actions, act) {
			out.Actions = append(out.Actions, act)
		}
	}
	if at(c.Actions, i) == 0 { // a press alone goes without saying
		out.Actions = []surfaces.Action{surfaces.CanClick}
	}
	for _, column := range [][]int{c.Placeholder, c.Title, c.Pattern, c.Described} {
		if h := clip(squash(s.word(column, i)), maxText); h != "" {
			out.Hints = append(out.Hints, h)
		}
	}
	return out
}

func (s *sighting) destination(i int) string {
	address := s.word(s.Controls.Destination, i)
	if strings.HasPrefix(address, "/") {
		address = s.Origin + address
	}
	return clip(address, maxAddress)
}

func roles(r string) bool {
	switch r {
	case "button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "option", "treeitem", "slider", "gridcell", "listitem",
		"row", "cell", "textbox", "searchbox", "combobox", "textarea", "spinbutton", "image":
		return true
	default:
		return false
	}
}

func states(s string) bool {
	switch s {
	case surfaces.Focused, surfaces.Selected, surfaces.Checked, surfaces.Expanded, surfaces.Collapsed, surfaces.ReadOnly,
		surfaces.Required, surfaces.Offscreen, surfaces.Covered:
		return true
	default:
		return false
	}
}

func actions(a surfaces.Action) bool {
	switch a {
	case surfaces.CanClick, surfaces.CanSetValue, surfaces.CanTypeText, surfaces.CanExpand, surfaces.CanCollapse, surfaces.CanCheck,
		surfaces.CanUncheck, surfaces.CanScroll:
		return true
	default:
		return false
	}
}

func path(parts []string) []string {
	var out []string
	for _, p := range parts {
		if p = clip(squash(p), maxName); p != "" && len(out) < maxPath {
			out = append(out, p)
		}
	}
	return out
}

func sized(numbers ...float64) bool {
	for _, n := range numbers {
		if math.IsNaN(n) || math.IsInf(n, 0) || math.Abs(n) > 1e7 {
			return false
		}
	}
	return true
}
