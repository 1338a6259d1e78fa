package controllertest

import (
	"context"
	"encoding/json"
	"sync"

	"countersign/controller"
	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// Opener is a controller.Opener of fake places, by workspace id. What they
// opened lives on in it when a controller goes, like a browser does.
type Opener struct {
	mu        sync.Mutex // guards the rest
	places    map[string]*Place
	opened    int
	picture   []byte
	destroyed []surfaces.Binding
}

var _ controller.Opener = (*Opener)(nil)

// NewOpener makes an opener that can have both sides.
func NewOpener() *Opener { return &Opener{places: map[string]*Place{}} }

// Open implements controller.Opener.
func (o *Opener) Open(id string, needs surfaces.Needs, bindings []surfaces.Binding, keep surfaces.Keeper) (surfaces.Place, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := &Place{id: id, Needs: needs, keep: keep, lost: make(chan surfaces.Side, 1), holding: len(bindings) > 0}
	if old := o.places[id]; old != nil {
		p.text = old.text
	}
	p.picture = o.picture
	o.places[id] = p
	o.opened++
	return p, nil
}

// Available implements controller.Opener.
func (o *Opener) Available() []surfaces.Availability {
	return []surfaces.Availability{{Kind: surfaces.Browser, Available: true}, {Kind: surfaces.Desktop, Reason: "no display"}}
}

// Destroy implements controller.Opener.
func (o *Opener) Destroy(_ context.Context, b surfaces.Binding) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.destroyed = append(o.destroyed, b)
	return nil
}

// Place gives the latest place of a task; nil when none was made.
func (o *Opener) Place(id string) *Place {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.places[id]
}

// Paint sets the picture that places made from now on give; without one
// Photograph fails.
func (o *Opener) Paint(png []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.picture = png
}

// Opened counts the places made.
func (o *Opener) Opened() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.opened
}

// Destroyed gives the bindings ended as orphans.
func (o *Opener) Destroyed() []surfaces.Binding {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]surfaces.Binding(nil), o.destroyed...)
}

// Place is a surfaces.Place on nothing. A run opens it with Touch.
type Place struct {
	surfaces.Base
	Needs surfaces.Needs

	id   string
	keep surfaces.Keeper
	lost chan surfaces.Side

	mu       sync.Mutex // guards the rest
	text     []string
	picture  []byte
	asked    []surfaces.Hidden
	holding  bool
	reach    surfaces.Reach
	forwards int
	releases int
	closes   int
}

var _ surfaces.Place = (*Place)(nil)

// Touch opens the browser side, as the first verb of a run does, and binds it.
func (p *Place) Touch() error {
	if err := p.keep.Bind(surfaces.Binding{Side: surfaces.Browser, Driver: "fake", Data: json.RawMessage(`{"id":"` + p.id + `"}`)}); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holding = true
	return nil
}

// Show sets what VisibleText reads.
func (p *Place) Show(lines ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = lines
}

// Asked gives what was to be hidden in each picture asked for.
func (p *Place) Asked() []surfaces.Hidden {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]surfaces.Hidden(nil), p.asked...)
}

// Photograph implements surfaces.Photographer.
func (p *Place) Photograph(_ context.Context, hide surfaces.Hidden) (*surfaces.Picture, *surfaces.Reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, hide)
	if p.picture == nil {
		return nil, surfaces.Fail("photograph", fault.PageError, "no picture can be taken")
	}
	return &surfaces.Picture{PNG: p.picture, Width: 1, Height: 1}, nil
}

// Die makes the browser side lost.
func (p *Place) Die() { p.lost <- surfaces.Browser }

// Releases counts the calls of Release.
func (p *Place) Releases() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.releases
}

// Closes counts the calls of Close.
func (p *Place) Closes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closes
}

// Observe gives an empty screen.
func (p *Place) Observe(context.Context, string, string, surfaces.Depth) (*surfaces.Screen, *surfaces.Reply) {
	return &surfaces.Screen{Side: surfaces.Browser}, nil
}

// VisibleText implements surfaces.Place.
func (p *Place) VisibleText(context.Context) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text
}

// Active implements surfaces.Place.
func (p *Place) Active() surfaces.Side { return surfaces.Browser }

// Holding implements surfaces.Place.
func (p *Place) Holding() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.holding
}

// Lost implements surfaces.Place.
func (p *Place) Lost() <-chan surfaces.Side { return p.lost }

// Found sets where a person would find its browser.
func (p *Place) Found(r surfaces.Reach) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reach = r
}

// Reach implements surfaces.Place.
func (p *Place) Reach() surfaces.Reach {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reach
}

// BringForward implements surfaces.Forwarder.
func (p *Place) BringForward(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forwards++
	return nil
}

// Forwards counts the calls of BringForward.
func (p *Place) Forwards() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.forwards
}

// Release implements surfaces.Place.
func (p *Place) Release(context.Context) error {
	p.mu.Lock()
	p.holding = false
	p.releases++
	p.mu.Unlock()
	return p.keep.Unbind(surfaces.Browser)
}

// Close implements surfaces.Place.
func (p *Place) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closes++
	return nil
}

// Execute does nothing; runs of the fake runner never act on a place.
func (p *Place) Execute(_ context.Context, op surfaces.Op, _ *surfaces.Candidate, _ string) *surfaces.Reply {
	return surfaces.Succeed(string(op), surfaces.Data{})
}

// ReadValue knows no value.
func (p *Place) ReadValue(context.Context, *surfaces.Candidate) (string, bool) { return "", false }

// Paste does nothing.
func (p *Place) Paste(context.Context, string, *surfaces.Candidate, string) *surfaces.Reply {
	return surfaces.Succeed("paste", surfaces.Data{})
}

// Press does nothing.
func (p *Place) Press(context.Context, string, string) *surfaces.Reply {
	return surfaces.Succeed("press", surfaces.Data{})
}

// Launch does nothing.
func (p *Place) Launch(context.Context, string) *surfaces.Reply {
	return surfaces.Succeed("launch", surfaces.Data{})
}
