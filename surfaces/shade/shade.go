// Package shade says what of a picture must be black, and paints it so. It knows
// nothing of where the picture was taken.
package shade

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"strings"

	"countersign/surfaces"
)

// maxPixels bounds a picture that is decoded: 8K, far above any window.
const maxPixels = 8192 * 8192

var errUnread = errors.New("the picture cannot be read")

// Rect is a box of the window, from its upper left corner.
type Rect struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// Of is a box as surfaces tell it.
func Of(b surfaces.Bounds) Rect { return Rect{b.X, b.Y, b.Width, b.Height} }

// Piece is a text that is drawn, with that of its parts.
type Piece struct {
	Rect
	Text string `json:"text"`
	Up   int    `json:"up"` // the piece this one is part of, -1 for none
}

// Hits are the boxes of the smallest pieces that hold a hidden text. A text
// split over elements shows only in what they are part of, looked at without
// the parts that are black already.
func Hits(pieces []Piece, hidden func(string) bool) []Rect {
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		texts[i] = p.Text
	}
	var out []Rect
	// A piece comes after the parts of it that were seen first, but before later
	// ones; parts are judged before wholes by going up from the leaves.
	for _, i := range leavesFirst(pieces) {
		if !hidden(texts[i]) {
			continue
		}
		out = append(out, pieces[i].Rect)
		for steps, up := 0, pieces[i].Up; up >= 0 && up < len(texts) && steps < len(texts); steps, up = steps+1, pieces[up].Up {
			texts[up] = strings.ReplaceAll(texts[up], pieces[i].Text, " ")
		}
	}
	return out
}

// leavesFirst orders pieces so that each comes before what it is part of.
func leavesFirst(pieces []Piece) []int {
	height := make([]int, len(pieces))
	for i := range pieces {
		h := 1
		for at := pieces[i].Up; at >= 0 && at < len(height) && h <= len(height); at = pieces[at].Up {
			height[at] = max(height[at], h)
			h++
		}
	}
	order := make([]int, len(height))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return height[a] - height[b] })
	return order
}

// margin is painted around every black box, for the rounding of a scaled picture.
const margin = 2 // of the window's own measure

// Paint paints boxes of a picture black. They are measured where the window is
// that wide and high: its pixels are others where the screen is dense, and the
// picture's own size tells.
func Paint(raw []byte, boxes []Rect, width, height float64) (*surfaces.Picture, error) {
	size, err := png.DecodeConfig(bytes.NewReader(raw))
	if err != nil || size.Width < 1 || size.Height < 1 || size.Width*size.Height > maxPixels {
		return nil, errUnread
	}
	if len(boxes) == 0 {
		return &surfaces.Picture{PNG: raw, Width: size.Width, Height: size.Height}, nil
	}
	decoded, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, errUnread
	}
	out := image.NewNRGBA(image.Rect(0, 0, size.Width, size.Height))
	draw.Draw(out, out.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	scale := math.Max(float64(size.Width)/width, float64(size.Height)/height)
	for _, b := range boxes {
		draw.Draw(out, pixels(b, scale), image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	var written bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&written, out); err != nil {
		return nil, errors.New("the picture cannot be written")
	}
	return &surfaces.Picture{PNG: written.Bytes(), Width: size.Width, Height: size.Height}, nil
}

func pixels(b Rect, scale float64) image.Rectangle {
	at := func(v float64, round func(float64) float64) int {
		return int(math.Max(-maxPixels, math.Min(maxPixels, round(v*scale))))
	}
	return image.Rect(at(b.X-margin, math.Floor), at(b.Y-margin, math.Floor), at(b.X+b.W+margin, math.Ceil), at(b.Y+b.H+margin, math.Ceil))
}
