package surfaces

import (
	"context"
	"slices"
)

// Photographer takes pictures of what a side shows.
type Photographer interface {
	// Photograph gives the picture of what the active side shows now, without
	// what is hidden; exactly one result is non-nil. It opens nothing and
	// changes nothing. A picture in which something hidden could show is
	// refused, never returned.
	Photograph(ctx context.Context, hide Hidden) (*Picture, *Reply)
}

// Picture is a picture as PNG, with its size in pixels.
type Picture struct {
	PNG           []byte
	Width, Height int
}

// Hidden is what no picture may show. The zero value hides nothing but
// passwords.
type Hidden struct {
	// Text reports whether a text of the screen must not be seen; nil: none.
	Text func(text string) bool
	// Fields are black whatever they hold.
	Fields []Field
}

// Nothing reports that there is nothing to hide.
func (h Hidden) Nothing() bool { return h.Text == nil && len(h.Fields) == 0 }

// Field is where a field stands, told so that it is the same one in a later
// reading; it never holds what was typed.
type Field struct {
	Origin string   `json:"origin"`
	Role   string   `json:"role"`
	Name   string   `json:"name"`
	Path   []string `json:"path,omitempty"`
	// Shows is what stands for what was typed there, each secret as ${name};
	// empty when that was not kept.
	Shows string `json:"shows,omitempty"`
}

// FieldOf says where a control of a screen stands.
func FieldOf(s *Screen, c *Candidate) Field {
	site, _ := s.Site(c)
	return Field{Origin: site, Role: c.Role, Name: c.Name, Path: c.Path}
}

// Equal reports whether two places are the same.
func (f Field) Equal(g Field) bool {
	return f.Origin == g.Origin && f.Role == g.Role && f.Name == g.Name && slices.Equal(f.Path, g.Path)
}
