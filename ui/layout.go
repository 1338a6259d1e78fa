package ui

// Sizes of the desk (desk.md section 1), in cells.
const (
	minWidth   = 60
	minHeight  = 16
	wideFrom   = 100 // below, the inspector has the whole width
	minBoard   = 42
	maxBoard   = 60
	minReading = 6 // rows the inspector keeps beside a question that fits
)

// layout is where the regions lie.
type layout struct {
	small      bool // one line only
	wide       bool
	board      int // width, wide only
	inspector  int // width
	body       int // height of board and inspector
	decision   int // height; 0 without a question
	lineHeight int // rows of the board as one line, and of the demo's notice
}

// layOut divides a terminal. want is the height at which the question needs no
// scrolling; reading says that the person is in the inspector, which then gets
// the room when there is not enough for both.
func layOut(width, height, want int, reading bool) layout {
	l := layout{small: width < minWidth || height < minHeight, wide: width >= wideFrom}
	if l.small {
		return l
	}
	l.inspector = width
	if l.wide {
		l.board = min(max(width*40/100, minBoard), maxBoard)
		l.inspector = width - l.board - 1
	} else {
		l.lineHeight = 1
	}
	room := height - 1 - l.lineHeight
	if want > 0 {
		l.decision = want
		switch {
		case want <= room-minReading:
		case reading:
			l.decision = room * 2 / 5
		default:
			l.decision = min(want, room-1) // the task's own row stays
		}
	}
	l.body = room - l.decision
	return l
}
