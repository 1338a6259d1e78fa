package desktop

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
	"countersign/surfaces/desktop/robot"
	"countersign/surfaces/host"
)

// shot is a picture that was taken, with where it was taken.
type shot struct {
	image.Image
	at robot.Window
}

// photograph takes the picture of a window by its title.
func photograph(t *testing.T, s *Side, title string, hide surfaces.Hidden) shot {
	t.Helper()
	p, r := s.Photograph(t.Context(), hide)
	if p == nil {
		t.Fatalf("no picture: %v (%v)", r.Err(), r.Error.Cause)
	}
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds(); got.Dx() != p.Width || got.Dy() != p.Height {
		t.Errorf("a picture of %v is said to be %dx%d", got, p.Width, p.Height)
	}
	stack := opened(t, s).stack(t.Context())
	i := slices.IndexFunc(stack, func(w robot.Window) bool { return w.Title == title })
	if i < 0 {
		t.Fatalf("no window %q in %+v", title, stack)
	}
	return shot{img, stack[i]}
}

// black reports whether all of a box on the screen is black.
func (p shot) black(b surfaces.Bounds) bool {
	for y := int(b.Y); y < int(b.Y+b.Height); y++ {
		for x := int(b.X); x < int(b.X+b.Width); x++ {
			if r, g, b, _ := p.At(x-p.at.X, y-p.at.Y).RGBA(); r|g|b != 0 {
				return false
			}
		}
	}
	return true
}

func TestPhotographHides(t *testing.T) {
	s, _ := show(t, "form", desktoptest.Form)
	name := pick(t, observe(t, s, "form"), "textbox", "Name")
	must(t, s.Execute(t.Context(), surfaces.TypeText, name, "swordfish 4711"))
	screen := observe(t, s, "form")
	box := func(role, name string) surfaces.Bounds { return pick(t, screen, role, name).Bounds }
	tests := []struct {
		name string
		hide surfaces.Hidden
		dark []string
		seen []string
	}{
		{"nothing but passwords", surfaces.Hidden{}, []string{"Password"}, []string{"Name"}},
		{
			"a text",
			surfaces.Hidden{Text: func(text string) bool { return strings.Contains(text, "4711") }},
			[]string{"Password", "Name"},
			nil,
		},
		{
			"a field, whatever it holds and the window is called by now",
			surfaces.Hidden{Fields: []surfaces.Field{{Origin: "form: before", Role: "textbox", Name: "Name", Path: name.Path}}},
			[]string{"Password", "Name"},
			nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := photograph(t, s, "Conformance form", tt.hide)
			for _, field := range tt.dark {
				if !p.black(box("textbox", field)) {
					t.Errorf("%s can be seen", field)
				}
			}
			for _, field := range tt.seen {
				if p.black(box("textbox", field)) {
					t.Errorf("%s is black", field)
				}
			}
			if p.black(box("button", "Count")) {
				t.Error("the button is black")
			}
		})
	}
	if got := observe(t, s, "form"); surfaces.Fingerprint(got) != surfaces.Fingerprint(screen) {
		t.Error("a picture changed the screen")
	}
}

// TestPhotographOfWhatIsCovered: another program's window over the one that is
// pictured is nobody's business, and shows nothing of itself.
func TestPhotographOfWhatIsCovered(t *testing.T) {
	needInput(t)
	d := desktoptest.Start(t, host.DesktopOptions{Width: 420, Height: 320}) // there is no room beside each other
	desktoptest.Script(t, d, desktoptest.Form)
	s := sideOf(t, d, Options{}, surfaces.Needs{})
	await(t, s, "form")
	desktoptest.Script(t, d, desktoptest.Gallery, "keys")
	await(t, s, "keys")
	observe(t, s, "form")
	p := photograph(t, s, "Conformance form", surfaces.Hidden{})
	stack := opened(t, s).stack(t.Context())
	top := stack[len(stack)-1]
	both := image.Rect(top.X, top.Y, top.X+top.Width, top.Y+top.Height).
		Intersect(image.Rect(p.at.X, p.at.Y, p.at.X+p.at.Width, p.at.Y+p.at.Height)).Intersect(image.Rect(0, 0, 420, 320))
	if top.Title != "Keys" || both.Dx() < 20 || both.Dy() < 20 {
		t.Fatalf("%q lies over %v of the window", top.Title, both)
	}
	over := surfaces.Bounds{X: float64(both.Min.X), Y: float64(both.Min.Y), Width: float64(both.Dx()), Height: float64(both.Dy())}
	if !p.black(over) {
		t.Error("another program can be seen in the picture")
	}
}
