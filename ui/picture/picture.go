// Package picture draws pictures in a terminal's cells: an upper half block in
// each, with a colour for it and one for what is below, makes two pixels of a
// cell. It draws in every terminal that has colours; without them a cell is a
// shade of grey.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"

	"github.com/muesli/termenv"
	"golang.org/x/image/draw"

	"countersign/surfaces/fault"
)

// mostPixels bounds a picture before it is decoded: a screen of 8K has half as
// many.
const mostPixels = 64 << 20

// Decode reads a PNG. INTERNAL for one that is none, or is larger than any
// screen.
func Decode(raw []byte) (image.Image, error) {
	size, err := png.DecodeConfig(bytes.NewReader(raw))
	if err == nil && size.Width*size.Height > mostPixels {
		err = fmt.Errorf("it has %d × %d pixels", size.Width, size.Height)
	}
	var img image.Image
	if err == nil {
		img, err = png.Decode(bytes.NewReader(raw))
	}
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "the picture cannot be read")
	}
	return img, nil
}

// Draw fits a picture into a room of cells and gives its rows; mark, in pixels
// of the picture, is outlined where it is not empty. The picture keeps its
// proportions, a cell being twice as high as wide, and is never enlarged.
func Draw(img image.Image, mark image.Rectangle, width, height int, p termenv.Profile) []string {
	if width < 1 || height < 1 || img.Bounds().Empty() {
		return nil
	}
	small, scale := fit(img, width, 2*height)
	if !mark.Empty() {
		outline(small, mark.Sub(img.Bounds().Min), scale)
	}
	size := small.Bounds().Size()
	rows := make([]string, 0, (size.Y+1)/2)
	for y := 0; y < size.Y; y += 2 {
		if p == termenv.Ascii {
			rows = append(rows, shades(small, y))
			continue
		}
		rows = append(rows, blocks(small, y, p))
	}
	return rows
}

// fit scales a picture down to a room in pixels; every pixel of it counts.
func fit(img image.Image, width, height int) (*image.RGBA, float64) {
	size := img.Bounds().Size()
	scale := min(float64(width)/float64(size.X), float64(height)/float64(size.Y), 1)
	small := image.NewRGBA(image.Rect(0, 0, max(int(float64(size.X)*scale), 1), max(int(float64(size.Y)*scale), 1)))
	draw.CatmullRom.Scale(small, small.Bounds(), img, img.Bounds(), draw.Src, nil)
	return small, scale
}

// marked is the colour of an outline: seldom in a page, seen on light and dark.
var marked = color.RGBA{R: 0xff, G: 0x2d, B: 0x6f, A: 0xff}

// outline draws a frame right around a part of the picture.
func outline(small *image.RGBA, mark image.Rectangle, scale float64) {
	at := func(n int) int { return int(float64(n) * scale) }
	frame := image.Rect(at(mark.Min.X)-1, at(mark.Min.Y)-1, at(mark.Max.X)+1, at(mark.Max.Y)+1).Intersect(small.Bounds())
	if frame.Empty() {
		return
	}
	for x := frame.Min.X; x < frame.Max.X; x++ {
		small.SetRGBA(x, frame.Min.Y, marked)
		small.SetRGBA(x, frame.Max.Y-1, marked)
	}
	for y := frame.Min.Y; y < frame.Max.Y; y++ {
		small.SetRGBA(frame.Min.X, y, marked)
		small.SetRGBA(frame.Max.X-1, y, marked)
	}
}

// blocks is one row of cells: the rows of pixels y and y+1. A colour is said once
// for the cells that share it.
func blocks(img *image.RGBA, y int, p termenv.Profile) string {
	var out strings.Builder
	before := ""
	for x := range img.Bounds().Dx() {
		said := sequence(p, img.RGBAAt(x, y), false)
		if y+1 < img.Bounds().Dy() {
			said += ";" + sequence(p, img.RGBAAt(x, y+1), true)
		}
		if said != before {
			out.WriteString("\x1b[" + said + "m")
			before = said
		}
		out.WriteString("▀")
	}
	out.WriteString("\x1b[0m")
	return out.String()
}

func sequence(p termenv.Profile, c color.RGBA, background bool) string {
	return p.Color(fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)).Sequence(background)
}

// shades is one row of cells as greys; an outline is drawn in crosses.
func shades(img *image.RGBA, y int) string {
	var out strings.Builder
	for x := range img.Bounds().Dx() {
		c := img.RGBAAt(x, y)
		low := img.RGBAAt(x, min(y+1, img.Bounds().Dy()-1))
		if c == marked || low == marked {
			out.WriteRune('+')
			continue
		}
		grey := (int(color.GrayModel.Convert(c).(color.Gray).Y) + int(color.GrayModel.Convert(low).(color.Gray).Y)) / 2
		out.WriteRune([]rune(" ░▒▓█")[grey*5/256])
	}
	return out.String()
}
