package surfacetest

import (
	"slices"

	"countersign/surfaces"
)

// Page is what one address, or one desktop application, shows.
type Page struct {
	Title    string
	Front    string // what is in front; empty: window, or sheet while a Layer is open
	Elements []*Element
	OnKey    map[string]func(*App) // by combo: "return", "escape"
	Status   int                   // HTTP status of a visit; 0: 200
	Loading  bool                  // something on it does not come in time

	// Cut are path labels whose controls an ordinary reading leaves out; each is
	// listed as unexplored and read when observed as root.
	Cut []string
}

// Element is a control, or with no Role a piece of text whose words are Name.
// The zero values are an ordinary, uncovered, empty element.
type Element struct {
	Role        string
	Name        string
	Description string
	Value       string
	States      []string
	Actions     []surfaces.Action // nil: what its role usually offers
	Path        []string
	Form        string
	InputType   string // "password": its value is never told
	Hints       []string
	Complete    string // the autocomplete token
	Href        string // clicking goes there
	Destination string // where its form is sent; empty: Href
	Frame       string // address of the frame of another site it stands in
	Private     bool   // text only: field content, never context

	Cover      string // what lies over it: acting on it is refused
	EmptyLayer bool   // the cover is a bare backdrop, and DismissCover lifts it
	Deaf       bool   // takes no plain set, only Paste

	OnClick func(*App)                // after a click, expand or collapse
	OnInput func(a *App, text string) // after text was put in; the value is already set

	options []*Element // of a Select
	owner   *Element   // the Select an option belongs to
}

// Text is a line that is no control.
func Text(words string) *Element { return &Element{Name: words} }

// Mail is field content: a text node that never becomes context.
func Mail(words string) *Element { return &Element{Name: words, Private: true} }

// Button calls click when pressed; nil does nothing.
func Button(name string, click func(*App)) *Element {
	return &Element{Role: "button", Name: name, OnClick: click}
}

// Link goes to an address, absolute or relative to the page.
func Link(name, address string) *Element { return &Element{Role: "link", Name: name, Href: address} }

// Field is an empty text box.
func Field(name string) *Element {
	return &Element{Role: "textbox", Name: name, InputType: "text"}
}

// Password is a text box whose value no reading tells.
func Password(name string) *Element {
	return &Element{Role: "textbox", Name: name, InputType: "password"}
}

// Checkbox is not ticked.
func Checkbox(name string) *Element { return &Element{Role: "checkbox", Name: name} }

// Select is a native list, its choices after it: pass all of it on to a page.
func Select(name string, choices ...string) []*Element {
	box := &Element{Role: "combobox", Name: name, InputType: "select", Actions: []surfaces.Action{surfaces.CanClick}}
	for _, choice := range choices {
		option := &Element{Role: "option", Name: choice, Path: []string{`listbox "` + name + `"`}, owner: box}
		box.options = append(box.options, option)
	}
	return append([]*Element{box}, box.options...)
}

// In puts elements into a container: label becomes the outermost part of each
// path, such as `dialog "New mail"` or "listitem #2".
func In(label string, elements ...*Element) []*Element {
	for _, e := range elements {
		e.Path = slices.Insert(slices.Clone(e.Path), 0, label)
	}
	return elements
}

// Form gives elements one form id.
func Form(id string, elements ...*Element) []*Element {
	for _, e := range elements {
		e.Form = id
	}
	return elements
}

// All joins elements and groups of them into one list.
func All(groups ...[]*Element) []*Element { return slices.Concat(groups...) }

func (e *Element) actions() []surfaces.Action {
	if e.Actions != nil {
		return slices.Clone(e.Actions)
	}
	switch e.Role {
	case "textbox", "searchbox", "textarea", "spinbutton", "combobox":
		if slices.Contains(e.States, surfaces.ReadOnly) {
			return []surfaces.Action{surfaces.CanClick}
		}
		return []surfaces.Action{surfaces.CanClick, surfaces.CanSetValue, surfaces.CanTypeText}
	case "checkbox", "switch":
		return []surfaces.Action{surfaces.CanClick, surfaces.CanCheck, surfaces.CanUncheck}
	case "heading", "image":
		return nil
	default:
		return []surfaces.Action{surfaces.CanClick}
	}
}

func (e *Element) takesText() bool {
	a := e.actions()
	return slices.Contains(a, surfaces.CanSetValue) || slices.Contains(a, surfaces.CanTypeText)
}

func (e *Element) set(state string, on bool) {
	e.States = slices.DeleteFunc(slices.Clone(e.States), func(s string) bool { return s == state })
	if on {
		e.States = append(e.States, state)
	}
}

// choose makes an option, tab or radio the chosen one among its kin.
func (e *Element) choose(kin []*Element) {
	for _, other := range kin {
		other.set(surfaces.Selected, other == e)
	}
	if e.owner != nil {
		e.owner.Value = e.Name
	}
}
