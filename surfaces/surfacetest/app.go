package surfacetest

import (
	"net/url"
	"slices"
	"time"

	"countersign/surfaces"
)

// App is the state of the simulated application. It is only ever held by one
// goroutine: inside a handler, or inside Fake.Do.
type App struct {
	fake    *Fake
	address string // of the page; the application's name on the desktop
	page    *Page
	layers  []*Layer
	alert   *alert
	focus   *Element
	history []string
	moved   bool // the verb under way loaded another page
}

// Layer lies over the page: a dialog, a popover, a menu. Everything below it is
// covered.
type Layer struct {
	Role     string // dialog when empty; the first part of its elements' paths
	Name     string
	Front    string // sheet when empty
	Elements []*Element
	Sticky   bool // Escape does not close it
}

type alert struct {
	text       string
	ok, cancel func(*App)
}

// Page is the page shown now. Its fields may be changed.
func (a *App) Page() *Page { return a.page }

// Address of the page shown now.
func (a *App) Address() string { return a.address }

// Go loads the page at an address, as a link would.
func (a *App) Go(address string) {
	a.history = append(a.history, a.address)
	a.load(a.resolve(address))
}

// Find is the first element so named, in layers first; nil when there is none.
func (a *App) Find(name string) *Element {
	for _, e := range a.elements() {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Value is what the field so named holds, a password's too; empty when there
// is none.
func (a *App) Value(name string) string {
	if e := a.Find(name); e != nil {
		return e.Value
	}
	return ""
}

// Add appends elements to the page.
func (a *App) Add(elements ...*Element) { a.page.Elements = append(a.page.Elements, elements...) }

// Remove takes every element so named off the page and its layers.
func (a *App) Remove(name string) {
	named := func(e *Element) bool { return e.Name == name }
	a.page.Elements = slices.DeleteFunc(a.page.Elements, named)
	for _, l := range a.layers {
		l.Elements = slices.DeleteFunc(l.Elements, named)
	}
}

// Open lays a dialog, popover or menu over the page.
func (a *App) Open(l *Layer) {
	if l.Role == "" {
		l.Role = "dialog"
	}
	In((&surfaces.Candidate{Role: l.Role, Name: l.Name}).Label(), l.Elements...)
	a.layers = append(a.layers, l)
}

// Close takes the topmost layer away.
func (a *App) Close() {
	if len(a.layers) > 0 {
		a.layers = a.layers[:len(a.layers)-1]
	}
}

// Alert opens a script dialog; until it is answered nothing else can be done.
// Either handler may be nil.
func (a *App) Alert(text string, ok, cancel func(*App)) {
	a.alert = &alert{text: text, ok: ok, cancel: cancel}
}

// Later changes the application by itself after d; Settle waits for it when it
// comes within a second.
func (a *App) Later(d time.Duration, change func(*App)) { a.fake.later(d, change) }

func (a *App) load(address string) {
	a.address, a.layers, a.alert, a.focus, a.moved = address, nil, nil, nil, true
	a.page = a.fake.build(address)
}

func (a *App) resolve(address string) string {
	base, err := url.Parse(a.address)
	if err != nil {
		return address
	}
	ref, err := base.Parse(address)
	if err != nil {
		return address
	}
	return ref.String()
}

// elements are all there is, the topmost layer first.
func (a *App) elements() []*Element {
	var all []*Element
	for i := len(a.layers) - 1; i >= 0; i-- {
		all = append(all, a.layers[i].Elements...)
	}
	return append(all, a.page.Elements...)
}

// cover is what lies over e, and whether anything does.
func (a *App) cover(e *Element) (string, bool) {
	if e.Cover != "" || e.EmptyLayer {
		return e.Cover, true
	}
	if len(a.layers) == 0 {
		return "", false
	}
	top := a.layers[len(a.layers)-1]
	if slices.Contains(top.Elements, e) {
		return "", false
	}
	return (&surfaces.Candidate{Role: top.Role, Name: top.Name}).Label(), true
}

func (a *App) front() string {
	switch {
	case a.alert != nil:
		return surfaces.FrontAlert
	case a.page.Front != "":
		return a.page.Front
	case len(a.layers) == 0:
		return surfaces.FrontWindow
	}
	if f := a.layers[len(a.layers)-1].Front; f != "" {
		return f
	}
	return surfaces.FrontSheet
}

// activate is what a click does.
func (a *App) activate(e *Element) {
	a.focus = nil
	if e.takesText() {
		a.focus = e
	}
	switch e.Role {
	case "checkbox", "switch":
		e.set(surfaces.Checked, !slices.Contains(e.States, surfaces.Checked))
	case "option", "radio", "tab":
		e.choose(a.kin(e))
	}
	if e.OnClick != nil {
		e.OnClick(a)
		return
	}
	if e.Href != "" {
		a.Go(e.Href)
	}
}

// kin are the elements of which only one can be chosen.
func (a *App) kin(e *Element) []*Element {
	if e.owner != nil {
		return e.owner.options
	}
	var kin []*Element
	for _, other := range a.elements() {
		if other.Role == e.Role && slices.Equal(other.Path, e.Path) {
			kin = append(kin, other)
		}
	}
	return kin
}

func (a *App) put(e *Element, text string) {
	e.Value, a.focus = text, e
	if e.OnInput != nil {
		e.OnInput(a, text)
	}
}

func (a *App) key(combo string) {
	if handler := a.page.OnKey[combo]; handler != nil {
		handler(a)
		return
	}
	if combo == "escape" && len(a.layers) > 0 && !a.layers[len(a.layers)-1].Sticky {
		a.Close()
	}
}
