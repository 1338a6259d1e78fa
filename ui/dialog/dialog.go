// Package dialog is what can lie over the desk: help, the question asked when
// quitting, a list of what stopped. A stack; the top one takes the keys. A
// dialog knows nobody: it hands back what was chosen.
package dialog

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/ui/text"
	"countersign/ui/theme"
)

// Choice is what a person chose.
type Choice string

// What every dialog can hand back; others are named by who opens it.
const (
	Nothing Choice = ""
	Closed  Choice = "closed"
)

// Option is one key of a dialog.
type Option struct {
	Keys   key.Binding
	Choice Choice
}

// Dialog is one overlay: a title, rows of text, and its keys.
type Dialog struct {
	Name    string
	Title   string
	Body    []string // ours, or cleaned
	Options []Option // Esc closes in any case
	Styled  bool     // body rows carry their own styles
	Wait    theme.Wait
}

// Stack holds the overlays; the last is on top. A value.
type Stack struct {
	theme         theme.Theme
	items         []Dialog
	top           int
	width, height int
}

// New makes an empty stack.
func New(th theme.Theme) Stack { return Stack{theme: th} }

// Push lays a dialog over everything.
func (s Stack) Push(d Dialog) Stack {
	s.items = append(append([]Dialog(nil), s.items...), d)
	s.top = 0
	return s
}

// Open reports whether anything lies over the desk.
func (s Stack) Open() bool { return len(s.items) > 0 }

// Name is that of the top dialog.
func (s Stack) Name() string {
	if !s.Open() {
		return ""
	}
	return s.items[len(s.items)-1].Name
}

// Pop takes the top dialog away.
func (s Stack) Pop() Stack {
	if s.Open() {
		s.items = append([]Dialog(nil), s.items[:len(s.items)-1]...)
	}
	s.top = 0
	return s
}

// SetSize gives the room in cells.
func (s Stack) SetSize(width, height int) Stack {
	s.width, s.height = width, height
	return s
}

// Update takes a key: a choice closes the dialog, arrows scroll it.
func (s Stack) Update(msg tea.KeyMsg) (Stack, Choice) {
	if !s.Open() {
		return s, Nothing
	}
	d := s.items[len(s.items)-1]
	for _, o := range d.Options {
		if key.Matches(msg, o.Keys) {
			return s.Pop(), o.Choice
		}
	}
	switch msg.String() {
	case "esc", "q":
		return s.Pop(), Closed
	case "down", "j":
		s.top++
	case "up", "k":
		s.top--
	case "pgdown":
		s.top += s.room()
	case "pgup":
		s.top -= s.room()
	}
	s.top = min(max(s.top, 0), max(len(s.lines(d))-s.room(), 0))
	return s, Nothing
}

// room is the rows left for the body: title, blanks, two rows of keys and edges
// aside.
func (s Stack) room() int { return max(s.height-7, 1) }

// View draws the top dialog in the middle of the room.
func (s Stack) View() []string {
	if !s.Open() {
		return nil
	}
	d := s.items[len(s.items)-1]
	width := max(text.Width(d.Title), text.Width(strings.Join(s.keys(d), keyGap)))
	lines := s.lines(d)
	for _, line := range lines {
		width = max(width, text.Width(line))
	}
	width = min(width+margins, s.width)
	inner := max(width-margins, 1)
	body := lines[min(s.top, len(lines)):min(s.top+s.room(), len(lines))]
	edge := s.theme.Faint.Render
	rows := []string{edge("╭" + strings.Repeat("─", max(width-2, 0)) + "╮")}
	line := func(content string) {
		rows = append(rows, edge("│")+"  "+text.Pad(content, inner)+"  "+edge("│"))
	}
	title := s.theme.Strong.Render(d.Title)
	if d.Wait != theme.NoWait {
		title = s.theme.Wait(d.Wait).Render(d.Title)
	}
	more := ""
	if s.top+s.room() < len(lines) {
		more = s.theme.Subtle.Render("↓ more")
	}
	line(text.Spread(title, more, inner))
	line("")
	for _, b := range body {
		line(b)
	}
	line("")
	for _, k := range s.keyRows(d, inner) {
		line(k)
	}
	rows = append(rows, edge("╰"+strings.Repeat("─", max(width-2, 0))+"╯"))
	left := strings.Repeat(" ", max((s.width-width)/2, 0))
	out := make([]string, 0, s.height)
	for range max((s.height-len(rows))/2, 0) {
		out = append(out, "")
	}
	for _, r := range rows {
		out = append(out, left+r)
	}
	return text.Fit(out, s.width, s.height)
}

// lines is the body as drawn: plain text is wrapped, styled rows stay.
func (s Stack) lines(d Dialog) []string {
	if d.Styled {
		return d.Body
	}
	var out []string
	for _, b := range d.Body {
		for _, row := range text.Wrap(b, max(min(s.width-margins, paragraph), 1)) {
			out = append(out, s.theme.Text.Render(row))
		}
	}
	return out
}

// paragraph is the width at which text is easily read.
const paragraph = 66

// margins are the edges and the blanks beside the text; keyGap sets keys apart.
const (
	margins = 6
	keyGap  = "   "
)

// keyRows puts the keys in as many rows as they need.
func (s Stack) keyRows(d Dialog, inner int) []string {
	rows := []string{""}
	for _, k := range s.keys(d) {
		last := &rows[len(rows)-1]
		switch {
		case *last == "":
			*last = k
		case text.Width(*last)+text.Width(k)+len(keyGap) > inner:
			rows = append(rows, k)
		default:
			*last += keyGap + k
		}
	}
	return rows
}

func (s Stack) keys(d Dialog) []string {
	parts := make([]string, 0, len(d.Options)+1)
	for _, o := range d.Options {
		parts = append(parts, s.theme.Key.Render(o.Keys.Help().Key)+" "+s.theme.Subtle.Render(o.Keys.Help().Desc))
	}
	parts = append(parts, s.theme.Key.Render("esc")+" "+s.theme.Subtle.Render("back"))
	return parts
}

// Help draws groups of bindings, in two columns where widthCells allows it.
func Help(th theme.Theme, groups []Group, widthCells int) []string {
	if widthCells < 2*helpColumn || len(groups) < 2 {
		return helpRows(th, groups)
	}
	rows, half := 0, 0
	for _, g := range groups {
		rows += len(g.Keys) + 2
	}
	for n := 0; half < len(groups)-1 && n+len(groups[half].Keys) < rows/2; half++ {
		n += len(groups[half].Keys) + 2
	}
	left, right := helpRows(th, groups[:half]), helpRows(th, groups[half:])
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		var l, r string
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out[i] = text.Pad(l, helpColumn) + r
	}
	return out
}

// helpColumn is the width of a column of help.
const helpColumn = 48

func helpRows(th theme.Theme, groups []Group) []string {
	wide := 0
	for _, g := range groups {
		for _, b := range g.Keys {
			wide = max(wide, text.Width(b.Help().Key))
		}
	}
	var rows []string
	for i, g := range groups {
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, th.Subtle.Render(g.Title))
		for _, b := range g.Keys {
			rows = append(rows, "  "+th.Key.Render(text.Pad(b.Help().Key, wide))+"  "+th.Text.Render(b.Help().Desc))
		}
	}
	return rows
}

// Group is a heading of the help and its keys.
type Group struct {
	Title string
	Keys  []key.Binding
}
