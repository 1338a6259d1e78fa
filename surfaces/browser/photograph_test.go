package browser

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

const secretNumber = "4242424242424242"

// holdsSecret is how a task's facts would judge a text.
func holdsSecret(text string) bool {
	return strings.Contains(strings.NewReplacer(" ", "", "-", "", "\n", "").Replace(text), secretNumber)
}

func photo(t *testing.T, s *Side, hide surfaces.Hidden) image.Image {
	t.Helper()
	p, r := s.Photograph(t.Context(), hide)
	if r != nil {
		t.Fatalf("no picture: %v", r.Err())
	}
	got, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds().Dx() != p.Width || got.Bounds().Dy() != p.Height {
		t.Errorf("the picture is %v, told %dx%d", got.Bounds(), p.Width, p.Height)
	}
	return got
}

// blackAt reports whether a box of the picture is black throughout.
func blackAt(p image.Image, b surfaces.Bounds) bool {
	for x := int(b.X); x < int(b.X+b.Width); x++ {
		for y := int(b.Y); y < int(b.Y+b.Height); y++ {
			if r, g, b, _ := p.At(x, y).RGBA(); r|g|b != 0 {
				return false
			}
		}
	}
	return true
}

// What is to be black is drawn yellow, at places the test knows.
const shadePage = `<style>*{margin:0;box-sizing:border-box} .p{position:absolute;left:0;width:300px;height:30px;background:#ff0;border:0} .p *{background:#ff0}</style>
<p class=p style="top:0">Your card 4242 4242 4242 4242 was charged</p>
<p class=p style="top:40px">Another line</p>
<input class=p style="top:80px" aria-label="Number" value="4242-4242-4242-4242">
<input class=p style="top:120px" aria-label="City" value="Aarhus">
<div class=p style="top:160px"><b>42424242</b><b>42424242</b></div>
<input class=p style="top:200px" type=password value=x>
<iframe class=p style="top:240px" srcdoc="4242424242424242"></iframe>
<select class=p style="top:280px" aria-label="Saved"><option>ends 1<option selected>4242424242424242</select>
<div class=p style="top:320px" id=host></div>
<form aria-label="Delivery"><input class=p style="top:360px" aria-label="Word" value="kept back"></form>
<svg class=p style="top:400px"><rect width=300 height=30 fill="#ff0"/><text y=20>4242424242424242</text></svg>
<script>host.attachShadow({mode:'open'}).innerHTML='<i style="display:block;width:300px;height:30px;background:#ff0">4242424242424242</i>'</script>`

func TestPictureHidesWhatMustNotBeSeen(t *testing.T) {
	s := show(t, shadePage)
	screen := observe(t, s)
	hide := surfaces.Hidden{Text: holdsSecret, Fields: []surfaces.Field{surfaces.FieldOf(screen, pick(t, screen, "textbox", "Word"))}}
	rows := []struct {
		name  string
		top   float64
		black bool
	}{
		{"a text", 0, true},
		{"another text", 40, false},
		{"a field, grouped otherwise", 80, true},
		{"another field", 120, false},
		{"a text split over elements", 160, true},
		{"a password", 200, true},
		{"a frame", 240, true},
		{"a chosen option", 280, true},
		{"a shadow root", 320, true},
		{"a field told by its place", 360, true},
		{"a text in a drawing", 402, true},
	}
	got := photo(t, s, hide)
	open := photo(t, s, surfaces.Hidden{})
	for _, row := range rows {
		box := surfaces.Bounds{X: 0, Y: row.top, Width: 60, Height: 16}
		if row.name == "a text in a drawing" {
			box = surfaces.Bounds{X: 2, Y: row.top + 8, Width: 60, Height: 8}
		}
		if black := blackAt(got, box); black != row.black {
			t.Errorf("%s: black %v, want %v", row.name, black, row.black)
		}
		if black := blackAt(open, box); black != (row.name == "a password") {
			t.Errorf("%s: black %v with nothing to hide", row.name, black)
		}
	}
}

func TestNoPictureWhereSomethingHiddenMoves(t *testing.T) {
	s := show(t, `<p id=p style="position:absolute">4242424242424242</p><script>let x=0;(function go(){p.style.left=(x=(x+7)%500)+'px';requestAnimationFrame(go)})()</script>`)
	if p, r := s.Photograph(t.Context(), surfaces.Hidden{Text: holdsSecret}); p != nil || r.Code() != fault.PageError {
		t.Errorf("picture %v, %v", p != nil, r.Err())
	}
	photo(t, s, surfaces.Hidden{})
}

func TestNoPictureOfWhatIsNotOpen(t *testing.T) {
	s, err := NewDriver(Options{StateDir: t.TempDir()}).side("w-1", surfaces.Needs{}, nil, &keeper{})
	if err != nil {
		t.Fatal(err)
	}
	if p, r := s.Photograph(t.Context(), surfaces.Hidden{}); p != nil || r.Code() != fault.NoSuchSession {
		t.Errorf("picture %v, %v", p != nil, r.Err())
	}
	if s.Holding() {
		t.Error("a browser was started for a picture")
	}
}

func TestNoPictureOfAPageTooLargeToSearch(t *testing.T) {
	s := show(t, `<p>4242424242424242</p><script>for(let i=0;i<21000;i++)document.body.append(document.createElement('i'))</script>`)
	if p, r := s.Photograph(t.Context(), surfaces.Hidden{Text: holdsSecret}); p != nil || r.Code() != fault.LimitExceeded {
		t.Errorf("picture %v, %v", p != nil, r.Err())
	}
}
