package text

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// tabWidth is the number of spaces a tab becomes. A tab measures zero cells,
// so it may not reach the screen.
const tabWidth = 4

// maxMarks bounds the combining marks on one character: a tower of them reaches
// into the rows above and below.
const maxMarks = 4

// Clean makes foreign text safe to draw (desk.md section 4): one string per
// line, each without escape sequences, control characters, direction controls
// or characters nobody can see. Tabs and odd spaces become spaces, a bare carriage return
// becomes ␍, and a line that lost anything ends in ⌫n with the number of
// characters lost. An unterminated sequence swallows its own line only. The
// empty text is no line at all. Cleaning cleaned text changes nothing.
func Clean(foreign string) []string {
	if foreign == "" {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(breaks.Replace(foreign), "\n") {
		lines = append(lines, cleanLine(line))
	}
	return lines
}

// Line is Clean for a place that has one row: the lines are joined by a space,
// the empty ones left out.
func Line(foreign string) string {
	lines := Clean(foreign)
	if len(lines) > 1 {
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
	}
	return strings.TrimSpace(strings.Join(lines, " "))
}

// Blank reports whether nothing of foreign can be seen.
func Blank(foreign string) bool {
	for line := range strings.SplitSeq(breaks.Replace(foreign), "\n") {
		kept, _ := strip(line)
		if strings.TrimSpace(kept) != "" {
			return false
		}
	}
	return true
}

// breaks unifies the ways a line can end. U+0085 is a C1 control as well as a
// line break; a reader sees a break.
var breaks = strings.NewReplacer("\r\n", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

func cleanLine(line string) string {
	kept, lost := strip(line)
	if lost > 0 {
		return kept + "⌫" + strconv.Itoa(lost)
	}
	return kept
}

// strip returns what may be drawn of a line, and how many characters it lost.
func strip(line string) (kept string, lost int) {
	if plain(line) {
		return line, 0
	}
	var b strings.Builder
	marks := 0
	for len(line) > 0 {
		if n := sequence(line); n > 0 {
			lost += utf8.RuneCountInString(line[:n])
			line = line[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(line)
		line = line[size:]
		switch {
		case r == '\t':
			b.WriteString(strings.Repeat(" ", tabWidth))
		case r == '\r':
			b.WriteRune('␍')
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case r == utf8.RuneError && size == 1, unseen(r):
			lost++
			continue
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
			if marks++; marks > maxMarks {
				lost++
				continue
			}
			b.WriteRune(r)
			continue
		default:
			b.WriteRune(r)
		}
		marks = 0
	}
	kept, loose := whole(b.String())
	return kept, lost + loose
}

// whole takes off the ends of a line what would become one character with what
// stands beside it: a mark at the start would change our own quotation mark.
func whole(line string) (kept string, lost int) {
	for line != "" {
		r, size := utf8.DecodeRuneInString(line)
		if !joins("x", string(r)) {
			break
		}
		line = line[size:]
		lost++
	}
	for line != "" {
		r, size := utf8.DecodeLastRuneInString(line)
		if !joins(string(r), "x") {
			break
		}
		line = line[:len(line)-size]
		lost++
	}
	return line, lost
}

// joins reports whether two characters side by side are drawn as one.
func joins(before, after string) bool {
	cluster, _ := ansi.FirstGraphemeCluster(before+after, ansi.GraphemeWidth)
	return len(cluster) > len(before)
}

// plain spares the common case: printable ASCII.
func plain(line string) bool {
	for i := range len(line) {
		if line[i] < 0x20 || line[i] > 0x7e {
			return false
		}
	}
	return true
}

// unseen reports whether a character may not be drawn: controls, formatting
// characters (direction overrides and isolates, zero width ones, tags, soft
// hyphens), blank fillers, variation selectors, and code points that mean
// nothing.
func unseen(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff:
		return true
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x2800, r == 0x3164, r == 0xffa0, r == 0x180b, r == 0x180c, r == 0x180d, r == 0x180f:
		return true
	case r >= 0x2060 && r <= 0x206f, r&0xfffe == 0xfffe:
		return true
	default:
		return false
	}
}

// sequence returns how many bytes at the start of s belong to one terminal
// sequence of ECMA-48, 7 or 8 bit; 0 when none starts there. A lone ESC is a
// sequence of one.
func sequence(s string) int {
	intro, n := introducer(s)
	switch intro {
	case 0:
		return 0
	case '[':
		return n + controlLength(s[n:])
	case ']', 'P', 'X', '^', '_':
		return n + stringLength(s[n:], intro == ']')
	case 0x1b:
		return n + escapeLength(s[n:])
	default:
		return n
	}
}

// introducer recognises ESC x and the 8-bit forms, as a code point and as a raw
// byte, and names the 7-bit final of each.
func introducer(s string) (kind byte, size int) {
	if s[0] == 0x1b {
		if len(s) > 1 && strings.IndexByte("[]PX^_", s[1]) >= 0 {
			return s[1], 2
		}
		return 0x1b, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		r = rune(s[0])
	}
	switch r {
	case 0x9b:
		return '[', size
	case 0x9d:
		return ']', size
	case 0x90:
		return 'P', size
	case 0x98:
		return 'X', size
	case 0x9e:
		return '^', size
	case 0x9f:
		return '_', size
	default:
		return 0, 0
	}
}

// controlLength covers the parameters, intermediates and final byte of a CSI.
// Anything else ends it without belonging to it.
func controlLength(s string) int {
	for i := range len(s) {
		if s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
		if s[i] < 0x20 || s[i] > 0x3f {
			return i
		}
	}
	return len(s)
}

// escapeLength covers the intermediates and the final byte after a bare ESC.
func escapeLength(s string) int {
	for i := range len(s) {
		if s[i] >= 0x20 && s[i] <= 0x2f {
			continue
		}
		if s[i] >= 0x30 && s[i] <= 0x7e {
			return i + 1
		}
		return i
	}
	return len(s)
}

// stringLength runs to the string terminator (ESC \ or ST; BEL too for OSC), or
// to the end of the line.
func stringLength(s string, bell bool) int {
	for i := 0; i < len(s); {
		if bell && s[i] == 0x07 {
			return i + 1
		}
		if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
			return i + 2
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == 0x9c || r == utf8.RuneError && size == 1 && s[i] == 0x9c {
			return i + size
		}
		i += size
	}
	return len(s)
}
