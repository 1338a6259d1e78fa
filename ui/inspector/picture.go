package inspector

import (
	"image"

	"countersign/controller/task"
)

// Shot is a picture of a task's screen, and the control in question in it.
type Shot struct {
	SHA256 string          // empty: there is none
	Mark   image.Rectangle // in pixels; empty: nothing is outlined
}

// Drawn is a shot as rows for a room of cells, or why it cannot be drawn.
type Drawn struct {
	Shot          Shot
	Width, Height int
	Rows          []string
	Failed        string // ours
}

// shotOf is what a report asks about, else the last picture taken.
func shotOf(r task.Report) Shot {
	if a := r.Approval; a != nil && a.Picture != "" {
		b := a.Box
		return Shot{a.Picture, image.Rect(int(b.X), int(b.Y), int(b.X+b.Width), int(b.Y+b.Height))}
	}
	if n := len(r.Artifacts); n > 0 {
		return Shot{SHA256: r.Artifacts[n-1].SHA256}
	}
	return Shot{}
}

// Shot is the picture that the task's tab shows.
func (m Model) Shot() Shot { return m.shot }

// Wanted is what the picture's tab needs drawn and has not; false where it
// needs nothing.
func (m Model) Wanted() (Drawn, bool) {
	want := Drawn{Shot: m.shot, Width: max(m.width-2, 0), Height: m.bodyHeight()}
	if m.tab != Picture || m.shot.SHA256 == "" || want.Width == 0 || want.Height == 0 {
		return Drawn{}, false
	}
	return want, want.Shot != m.drawn.Shot || want.Width != m.drawn.Width || want.Height != m.drawn.Height
}

// SetDrawn shows a picture that was drawn, unless another is wanted by now.
func (m Model) SetDrawn(d Drawn) Model {
	if d.Shot == m.shot {
		m.drawn = d
	}
	return m.clamp()
}

// pictureNote is what stands in place of a picture that is not drawn.
func (m Model) pictureNote() string {
	if m.drawn.Shot != m.shot {
		return "drawing …"
	}
	return m.drawn.Failed
}

func (m Model) pictureCount() int {
	switch {
	case m.shot.SHA256 == "":
		return 0
	case m.pictureNote() != "":
		return 1
	default:
		return len(m.drawn.Rows)
	}
}

func (m Model) pictureRow(i int) string {
	if note := m.pictureNote(); note != "" {
		return " " + m.theme.Subtle.Render(note)
	}
	return " " + m.drawn.Rows[i]
}
