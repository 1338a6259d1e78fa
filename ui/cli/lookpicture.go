package cli

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strings"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// digits are drawn five dots wide and seven high, a row a number, the leftmost
// dot its highest bit.
func digits() map[rune][7]uint8 {
	return map[rune][7]uint8{
		'0': {14, 17, 19, 21, 25, 17, 14}, '1': {4, 12, 4, 4, 4, 4, 14}, '2': {14, 17, 1, 2, 4, 8, 31},
		'3': {31, 2, 4, 2, 1, 17, 14}, '4': {2, 6, 10, 18, 31, 2, 2}, '5': {31, 16, 30, 1, 1, 17, 14},
		'6': {6, 8, 16, 30, 17, 17, 14}, '7': {31, 1, 2, 4, 8, 8, 8}, '8': {14, 17, 17, 14, 17, 17, 14},
		'9': {14, 17, 17, 15, 1, 2, 12}, '.': {0, 0, 0, 0, 0, 12, 12}, ':': {0, 12, 12, 0, 12, 12, 0},
	}
}

// boxed draws a box and its number over every control that can be seen; a
// password's box is filled, whatever the picture shows there. Width is the
// window's, since a dense screen has more pixels than that.
func boxed(shot *surfaces.Picture, screen *surfaces.Screen, width float64) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(shot.PNG))
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "the picture cannot be read")
	}
	scale := 1.0
	if width > 0 {
		scale = float64(shot.Width) / width
	}
	out := image.NewNRGBA(image.Rect(0, 0, shot.Width, shot.Height))
	draw.Draw(out, out.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	for i := range screen.Candidates {
		k := &screen.Candidates[i]
		if k.Has(surfaces.Offscreen) || k.Has(surfaces.Covered) || k.Role == "option" && k.InputType == "" && len(k.Path) > 0 && strings.HasPrefix(k.Path[len(k.Path)-1], "listbox") {
			continue // choices of a native list stand in its own box
		}
		b := k.Bounds
		r := image.Rect(pixel(b.X*scale), pixel(b.Y*scale), pixel((b.X+b.Width)*scale), pixel((b.Y+b.Height)*scale)).Intersect(out.Bounds())
		if r.Empty() {
			continue
		}
		if k.InputType == "password" {
			draw.Draw(out, r, image.Black, image.Point{}, draw.Src)
		}
		_, number, _ := strings.Cut(k.Ref, ":")
		frame(out, r, hue(i))
		write(out, r.Min, number, hue(i), max(1, pixel(scale)))
	}
	var b bytes.Buffer
	if err := png.Encode(&b, out); err != nil {
		return nil, fault.Wrap(fault.Internal, err, "the picture cannot be written")
	}
	return b.Bytes(), nil
}

func pixel(v float64) int { return int(math.Round(math.Max(-1e6, math.Min(1e6, v)))) }

// hue alternates, so that boxes side by side are told apart.
func hue(i int) color.Color {
	hues := []color.NRGBA{{200, 30, 60, 255}, {20, 90, 200, 255}, {0, 120, 60, 255}, {150, 60, 160, 255}, {180, 90, 0, 255}}
	return hues[i%len(hues)]
}

func frame(out draw.Image, r image.Rectangle, c color.Color) {
	ink := image.NewUniform(c)
	const line = 2
	for _, side := range []image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+line)},
		{image.Pt(r.Min.X, r.Max.Y-line), r.Max},
		{r.Min, image.Pt(r.Min.X+line, r.Max.Y)},
		{image.Pt(r.Max.X-line, r.Min.Y), r.Max},
	} {
		draw.Draw(out, side.Intersect(r), ink, image.Point{}, draw.Src)
	}
}

// write puts a number on a plate of the box's colour at its corner.
func write(out draw.Image, at image.Point, number string, c color.Color, dot int) {
	glyphs := digits()
	plate := image.Rect(at.X, at.Y, at.X+dot*(6*len(number)+1), at.Y+dot*9)
	draw.Draw(out, plate, image.NewUniform(c), image.Point{}, draw.Src)
	x := at.X + dot
	for _, r := range number {
		for row, bits := range glyphs[r] {
			for col := range 5 {
				if bits&(1<<(4-col)) == 0 {
					continue
				}
				p := image.Pt(x+col*dot, at.Y+dot+row*dot)
				draw.Draw(out, image.Rectangle{p, p.Add(image.Pt(dot, dot))}, image.White, image.Point{}, draw.Src)
			}
		}
		x += 6 * dot
	}
}
