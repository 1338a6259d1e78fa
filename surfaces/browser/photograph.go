package browser

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"strings"

	devpage "github.com/chromedp/cdproto/page"

	"countersign/surfaces"
	"countersign/surfaces/fault"
)

// maxPixels bounds a picture that is decoded: 8K, far above any window.
const maxPixels = 8192 * 8192

// rect is a box of the window in CSS pixels.
type rect struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// shading is what shade.js answers: the texts drawn in the window, and what
// cannot be looked into.
type shading struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Zoom   float64 `json:"zoom"`
	Whole  bool    `json:"whole"` // nothing was left out
	Pieces []struct {
		rect
		Text string `json:"text"`
		Up   int    `json:"up"` // the piece this one is part of, -1 for none
	} `json:"pieces"`
	Closed []rect `json:"closed"` // frames and plug-ins
	Secret []rect `json:"secret"` // password fields
}

// Photograph implements surfaces.Photographer: the window's picture with what is
// hidden painted black. What is to be black is worked out before and after the
// picture is taken; a page on which it moved meanwhile gives none.
func (s *Side) Photograph(ctx context.Context, hide surfaces.Hidden) (*surfaces.Picture, *surfaces.Reply) {
	const command = "photograph"
	if _, open := s.Session(); !open {
		return nil, surfaces.Fail(command, fault.NoSuchSession, "no page is open")
	}
	var picture *surfaces.Picture
	r := s.act(ctx, command, func(ctx context.Context, t *tab) *surfaces.Reply {
		got, err := s.photograph(ctx, t, hide)
		if err != nil {
			return failed(command, err)
		}
		picture = got
		return surfaces.Succeed(command, surfaces.Data{})
	})
	if r.Error != nil {
		return nil, r
	}
	return picture, nil
}

func (s *Side) photograph(ctx context.Context, t *tab, hide surfaces.Hidden) (*surfaces.Picture, error) {
	before, sh, err := s.black(ctx, t, hide)
	if err != nil {
		return nil, err
	}
	shot, err := call(ctx, t, devpage.CaptureScreenshot, devpage.CaptureScreenshotParams{Format: devpage.CaptureScreenshotFormatPng})
	if err != nil {
		return nil, err
	}
	after, _, err := s.black(ctx, t, hide)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(before, after) {
		return nil, refuse(fault.PageError, "what must stay hidden moved while the picture was taken")
	}
	return blacken(shot.Data, before, sh)
}

// black says what of the window must be black now.
func (s *Side) black(ctx context.Context, t *tab, hide surfaces.Hidden) ([]rect, shading, error) {
	var sh shading
	if err := t.ask(ctx, "shade", nil, &sh); err != nil {
		return nil, sh, err
	}
	if sh.Width < 1 || sh.Height < 1 || sh.Zoom != 1 {
		return nil, sh, refuse(fault.ActionNotSupported, "a zoomed page gives no picture")
	}
	if !sh.Whole && !hide.Nothing() {
		return nil, sh, refuse(fault.LimitExceeded, "the page is too large to be searched for what must stay hidden")
	}
	out := slices.Clone(sh.Secret)
	if hide.Nothing() {
		return out, sh, nil
	}
	out = append(out, sh.Closed...)
	if hide.Text != nil {
		out = append(out, hits(sh, hide.Text)...)
	}
	if len(hide.Fields) > 0 {
		screen, err := s.read(ctx, t, "")
		if err != nil {
			return nil, sh, err
		}
		out = append(out, fieldBoxes(screen, hide.Fields)...)
	}
	return out, sh, nil
}

// hits are the boxes of the smallest pieces that hold a hidden text. A text
// split over elements shows only in what they are part of, looked at without
// the parts that are black already.
func hits(sh shading, hidden func(string) bool) []rect {
	texts := make([]string, len(sh.Pieces))
	for i, p := range sh.Pieces {
		texts[i] = p.Text
	}
	var out []rect
	// A piece comes after the parts of it that were seen first, but before later
	// ones; parts are judged before wholes by going up from the leaves.
	for _, i := range leavesFirst(sh) {
		if !hidden(texts[i]) {
			continue
		}
		out = append(out, sh.Pieces[i].rect)
		for steps, up := 0, sh.Pieces[i].Up; up >= 0 && up < len(texts) && steps < len(texts); steps, up = steps+1, sh.Pieces[up].Up {
			texts[up] = strings.ReplaceAll(texts[up], sh.Pieces[i].Text, " ")
		}
	}
	return out
}

// leavesFirst orders pieces so that each comes before what it is part of.
func leavesFirst(sh shading) []int {
	height := make([]int, len(sh.Pieces))
	for i := range sh.Pieces {
		h := 1
		for at := sh.Pieces[i].Up; at >= 0 && at < len(height) && h <= len(height); at = sh.Pieces[at].Up {
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

func fieldBoxes(screen *surfaces.Screen, fields []surfaces.Field) []rect {
	var out []rect
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if slices.ContainsFunc(fields, surfaces.FieldOf(screen, c).Equal) {
			out = append(out, rect{c.Bounds.X, c.Bounds.Y, c.Bounds.Width, c.Bounds.Height})
		}
	}
	return out
}

// margin is painted around every black box, for the rounding of a scaled page.
const margin = 2 // CSS pixels

// blacken paints boxes black. Pixels are not CSS pixels where the screen is
// dense; the picture's own size tells.
func blacken(raw []byte, boxes []rect, sh shading) (*surfaces.Picture, error) {
	size, err := png.DecodeConfig(bytes.NewReader(raw))
	if err != nil || size.Width < 1 || size.Height < 1 || size.Width*size.Height > maxPixels {
		return nil, refuse(fault.PageError, "the picture cannot be read")
	}
	if len(boxes) == 0 {
		return &surfaces.Picture{PNG: raw, Width: size.Width, Height: size.Height}, nil
	}
	decoded, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, refuse(fault.PageError, "the picture cannot be read")
	}
	out := image.NewNRGBA(image.Rect(0, 0, size.Width, size.Height))
	draw.Draw(out, out.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	scale := math.Max(float64(size.Width)/sh.Width, float64(size.Height)/sh.Height)
	for _, b := range boxes {
		draw.Draw(out, pixels(b, scale), image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	var written bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&written, out); err != nil {
		return nil, refuse(fault.PageError, "the picture cannot be written")
	}
	return &surfaces.Picture{PNG: written.Bytes(), Width: size.Width, Height: size.Height}, nil
}

func pixels(b rect, scale float64) image.Rectangle {
	at := func(v float64, round func(float64) float64) int {
		return int(math.Max(-maxPixels, math.Min(maxPixels, round(v*scale))))
	}
	return image.Rect(at(b.X-margin, math.Floor), at(b.Y-margin, math.Floor), at(b.X+b.W+margin, math.Ceil), at(b.Y+b.H+margin, math.Ceil))
}
