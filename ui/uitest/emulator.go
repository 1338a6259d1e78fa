package uitest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/hinshun/vt10x"
)

// Cell is one cell of a terminal's screen. The second half of a wide character
// is a cell with no text.
type Cell struct {
	Text   string // one character, with whatever is combined into it
	Mode   int16  // weights, as the emulator counts them; faint is none of them
	FG, BG vt10x.Color
}

// Emulator is the screen of a terminal, drawn from what a program wrote to it.
// The emulator below it gives every rune one cell; what has another width goes
// through it as a stand-in, and the last character is drawn when the next thing
// comes. It is a strict terminal: whatever no desk has a
// reason to send is kept for Strange. Not safe for concurrent use.
type Emulator struct {
	vt       vt10x.Terminal
	parser   *ansi.Parser
	rest     []byte // the end of what came, when it could still go on
	held     string // the last character, which marks may still be added to
	width    int    // its cells
	standIns map[string]rune
	clusters map[rune]string
	strange  []string
	bells    int
}

// Stand-ins are private code points: the first for the second half of a wide
// character, the others for characters made of several.
const (
	secondHalf   = '\U000f0000'
	firstStandIn = '\U000f0001'
)

// NewEmulator makes an empty screen.
func NewEmulator(s Size) *Emulator {
	return &Emulator{
		vt: vt10x.New(vt10x.WithSize(s.Width, s.Height)), parser: ansi.NewParser(),
		standIns: map[string]rune{}, clusters: map[rune]string{},
	}
}

// Resize gives the screen another size, as a terminal does before it tells the
// program.
func (e *Emulator) Resize(s Size) { e.vt.Resize(s.Width, s.Height) }

// Write draws. It never fails.
func (e *Emulator) Write(b []byte) (int, error) {
	data := append(e.rest, b...)
	for len(data) > 0 {
		seq, width, n, state := ansi.DecodeSequence(data, ansi.NormalState, e.parser)
		if n == len(data) && (state != ansi.NormalState || width > 0) {
			break // the next write could add to it
		}
		e.draw(seq, width)
		data = data[n:]
	}
	e.rest = slices.Clone(data)
	return len(b), nil
}

func (e *Emulator) draw(seq []byte, width int) {
	if r, _ := utf8.DecodeRune(seq); width == 0 && e.held != "" && unicode.Is(unicode.M, r) {
		e.held += string(seq)
		return
	}
	if e.held != "" {
		_, _ = e.vt.Write([]byte(string(e.standIn(e.held)) + strings.Repeat(string(secondHalf), e.width-1)))
		e.held = ""
	}
	if width > 0 {
		e.held, e.width = string(seq), width
		return
	}
	switch {
	case len(seq) == 1 && seq[0] == '\a':
		e.bells++
		return
	case len(seq) == 1 && (seq[0] == '\r' || seq[0] == '\n'):
	case len(seq) > 2 && seq[0] == ansi.ESC && seq[1] == '[' && e.known():
	default:
		e.strange = append(e.strange, fmt.Sprintf("%.40q", seq))
		return
	}
	_, _ = e.vt.Write(seq)
}

// known reports whether the sequence just read is one that draws a frame or
// turns a mode of the desk's on or off.
func (e *Emulator) known() bool {
	c := ansi.Cmd(e.parser.Command())
	switch c.Final() {
	case 'A', 'B', 'C', 'D', 'H', 'J', 'K', 'm':
		return c.Prefix() == 0 && c.Intermediate() == 0
	case 'h', 'l':
		for i := range len(e.parser.Params()) {
			mode, _ := e.parser.Param(i, 0)
			// Cursor, alternate screen, paste, focus, and the mouse.
			if !slices.Contains([]int{25, 1049, 2004, 1004, 1000, 1002, 1003, 1006}, mode) {
				return false
			}
		}
		return c.Prefix() == '?'
	default:
		return false
	}
}

// standIn is the rune that goes through the emulator for a character.
func (e *Emulator) standIn(cluster string) rune {
	if runes := []rune(cluster); len(runes) == 1 {
		return runes[0]
	}
	r, ok := e.standIns[cluster]
	if !ok {
		r = firstStandIn + rune(len(e.standIns))
		e.standIns[cluster], e.clusters[r] = r, cluster
	}
	return r
}

// Cells gives the screen row by row.
func (e *Emulator) Cells() [][]Cell {
	width, height := e.vt.Size()
	rows := make([][]Cell, height)
	for y := range rows {
		rows[y] = make([]Cell, width)
		for x := range rows[y] {
			rows[y][x] = e.cell(x, y)
		}
	}
	return rows
}

func (e *Emulator) cell(x, y int) Cell {
	g := e.vt.Cell(x, y)
	c := Cell{Text: string(g.Char), Mode: g.Mode, FG: g.FG, BG: g.BG}
	switch cluster, ok := e.clusters[g.Char]; {
	case ok:
		c.Text = cluster
	case g.Char == secondHalf:
		c.Text = ""
	case g.Char == 0:
		c.Text = " "
	}
	return c
}

// String is the screen as text, without the blanks at the ends of rows.
func (e *Emulator) String() string {
	var b, line strings.Builder
	width, height := e.vt.Size()
	for y := range height {
		line.Reset()
		for x := range width {
			line.WriteString(e.cell(x, y).Text)
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// Strange lists what came that is no part of a desk's frame: a clipboard, a
// title, a request of the terminal, a control character.
func (e *Emulator) Strange() []string {
	if len(e.rest) > 0 && e.rest[0] == ansi.ESC {
		return append(slices.Clone(e.strange), fmt.Sprintf("%.40q, without an end", e.rest))
	}
	return e.strange
}

// Bells counts the bells rung.
func (e *Emulator) Bells() int { return e.bells }

// AltScreen, CursorShown and Paste report modes a program must give back.
func (e *Emulator) AltScreen() bool { return e.vt.Mode()&vt10x.ModeAltScreen != 0 }

// CursorShown reports whether the cursor can be seen.
func (e *Emulator) CursorShown() bool { return e.vt.CursorVisible() }
