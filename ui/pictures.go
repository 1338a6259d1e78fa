package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/surfaces/fault"
	"countersign/ui/dialog"
	"countersign/ui/inspector"
	"countersign/ui/picture"
)

// pictureDialog lies over the desk with the picture of what is asked.
const pictureDialog = "picture"

// Cells around a picture that fills the desk: edges, blanks, title and keys.
const (
	besidePicture = 6
	abovePicture  = 8
)

// drawnMsg answers the drawing of a picture. over: it is to fill the desk.
type drawnMsg struct {
	drawn inspector.Drawn
	over  bool
}

// draw reads a kept picture and draws it for a room of cells, on a command's
// goroutine: a picture of a screen takes longer than a frame may.
func (c commands) draw(want inspector.Drawn, over bool) tea.Cmd {
	return c.call(func(ctx context.Context) tea.Msg {
		raw, err := c.desk.Picture(ctx, want.Shot.SHA256)
		if err == nil {
			img, failed := picture.Decode(raw)
			if err = failed; err == nil {
				want.Rows = picture.Draw(img, want.Shot.Mark, want.Width, want.Height, c.profile)
			}
		}
		if err != nil {
			want.Failed = "The picture is not kept any more: " + fault.Of(err).Error()
		}
		return drawnMsg{want, over}
	})
}

// drawTab has the picture's tab drawn when it shows another picture, or has
// another size; one at a time.
func (m Model) drawTab() (Model, tea.Cmd) {
	want, ok := m.inspector.Wanted()
	if !ok || m.drawing {
		return m, nil
	}
	m.drawing = true
	return m, m.cmds.draw(want, false)
}

// showPicture draws the picture of what is asked over the whole desk.
func (m Model) showPicture() (Model, tea.Cmd) {
	shot := m.inspector.Shot()
	if shot.SHA256 == "" {
		return m.say("no picture of this was taken"), nil
	}
	return m, m.cmds.draw(inspector.Drawn{Shot: shot, Width: m.width - besidePicture, Height: m.height - abovePicture}, true)
}

func (m Model) drew(msg drawnMsg) Model {
	if !msg.over {
		m.drawing = false
		m.inspector = m.inspector.SetDrawn(msg.drawn)
		return m
	}
	if msg.drawn.Shot != m.inspector.Shot() || m.dialogs.Open() {
		return m // the person has turned away
	}
	if msg.drawn.Failed != "" {
		return m.warn(msg.drawn.Failed)
	}
	m.dialogs = m.dialogs.Push(dialog.Dialog{Name: pictureDialog, Title: "The screen, as it was when you were asked", Body: msg.drawn.Rows, Styled: true})
	return m
}
