package browser

import (
	"context"
	"slices"

	devpage "github.com/chromedp/cdproto/page"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/shade"
)

// shading is what shade.js answers: the texts drawn in the window, and what
// cannot be looked into.
type shading struct {
	Width  float64       `json:"width"`
	Height float64       `json:"height"`
	Zoom   float64       `json:"zoom"`
	Whole  bool          `json:"whole"` // nothing was left out
	Pieces []shade.Piece `json:"pieces"`
	Closed []shade.Rect  `json:"closed"` // frames and plug-ins
	Secret []shade.Rect  `json:"secret"` // password fields
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
	picture, err := shade.Paint(shot.Data, before, sh.Width, sh.Height)
	if err != nil {
		return nil, refuse(fault.PageError, err.Error())
	}
	return picture, nil
}

// black says what of the window must be black now.
func (s *Side) black(ctx context.Context, t *tab, hide surfaces.Hidden) ([]shade.Rect, shading, error) {
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
		out = append(out, shade.Hits(sh.Pieces, hide.Text)...)
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

func fieldBoxes(screen *surfaces.Screen, fields []surfaces.Field) []shade.Rect {
	var out []shade.Rect
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if slices.ContainsFunc(fields, surfaces.FieldOf(screen, c).Equal) {
			out = append(out, shade.Of(c.Bounds))
		}
	}
	return out
}
