package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	"countersign/surfaces/fault"
)

// halves is a picture that is red on the left and blue on the right.
func halves(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{R: 0xff, A: 0xff}
			if x >= width/2 {
				c = color.RGBA{B: 0xff, A: 0xff}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func TestTwoPixelsMakeACell(t *testing.T) {
	got := Draw(halves(4, 3), image.Rectangle{}, 80, 24, termenv.TrueColor)
	want := []string{
		"\x1b[38;2;255;0;0;48;2;255;0;0m▀▀\x1b[38;2;0;0;255;48;2;0;0;255m▀▀\x1b[0m",
		"\x1b[38;2;255;0;0m▀▀\x1b[38;2;0;0;255m▀▀\x1b[0m",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFits: the room is never left, the proportions stay, and nothing is
// enlarged.
func TestFits(t *testing.T) {
	for _, tt := range []struct{ width, height, room, rows, wantWidth, wantRows int }{
		{1280, 800, 80, 24, 76, 24},
		{1280, 800, 80, 50, 80, 25},
		{30, 20, 80, 24, 30, 10},
		{2000, 1, 80, 24, 80, 1},
		{1, 4000, 80, 24, 1, 24},
	} {
		for _, p := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI, termenv.Ascii} {
			rows := Draw(halves(tt.width, tt.height), image.Rect(0, 0, 1, 1), tt.room, tt.rows, p)
			if len(rows) != tt.wantRows || ansi.StringWidth(rows[0]) != tt.wantWidth {
				t.Errorf("%d×%d in %d×%d: %d×%d cells, want %d×%d", tt.width, tt.height, tt.room, tt.rows, ansi.StringWidth(rows[0]), len(rows), tt.wantWidth, tt.wantRows)
			}
		}
	}
	if rows := Draw(halves(4, 4), image.Rectangle{}, 0, 3, termenv.ANSI); rows != nil {
		t.Errorf("%q in no room", rows)
	}
}

func TestOutline(t *testing.T) {
	rows := Draw(halves(40, 40), image.Rect(10, 10, 20, 20), 40, 20, termenv.Ascii)
	drawn := strings.Join(rows, "\n")
	if n := strings.Count(drawn, "+"); n != 2*12+2*5 {
		t.Errorf("%d cells of the frame in\n%s", n, drawn)
	}
	if colours := strings.Join(Draw(halves(40, 40), image.Rect(10, 10, 20, 20), 40, 20, termenv.TrueColor), ""); !strings.Contains(colours, sequence(termenv.TrueColor, marked, false)) {
		t.Error("no frame in colour")
	}
	for _, mark := range []image.Rectangle{image.Rect(-50, -50, -10, -10), image.Rect(90, 90, 99, 99)} { // scrolled away since
		if rows := Draw(halves(40, 40), mark, 40, 20, termenv.Ascii); strings.Contains(strings.Join(rows, ""), "+") {
			t.Errorf("a frame of %v", mark)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	var huge bytes.Buffer
	if err := png.Encode(&huge, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	head := huge.Bytes()
	copy(head[16:], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // 65536 × 65536
	for name, raw := range map[string][]byte{"nothing": nil, "no picture": []byte("GIF89a"), "a size of its own": head} {
		if _, err := Decode(raw); fault.CodeOf(err) != fault.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	img := halves(1280, 800)
	for b.Loop() {
		Draw(img, image.Rect(600, 400, 700, 440), 160, 45, termenv.TrueColor)
	}
}
