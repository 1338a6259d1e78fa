package theme

import (
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"countersign/controller/task"
	_ "countersign/ui/theme/unasked" // before Bubble Tea asks the terminal
)

// Options choose a theme.
type Options struct {
	Light   bool            // for a light background
	NoColor bool            // weights only
	Profile termenv.Profile // what the terminal can draw; Ascii draws no style at all
	// Contrast takes the palette whose every word stands out from the ground by
	// seven to one and more.
	Contrast bool
	Colours  map[string]string // a person's own, by role; Check has seen them
}

// Theme is every style of the desk, by role. Built once; safe to copy.
type Theme struct {
	Text     Style // ordinary words
	Strong   Style // titles, ids
	Subtle   Style // second rank: labels, summaries, ages
	Faint    Style // third rank: rules, empty parts
	Accent   Style // where the person is
	Selected Style // the selected row
	Quote    Style // words that are not ours: dim, never bold or coloured
	Key      Style // a key or word to type
	Good     Style
	Warn     Style
	Danger   Style
	Ready    Style // the word READY
	Cursor   Style
	Brand    Style

	Pictures termenv.Profile // the colours a picture may have

	waits [4]Style
}

// palette is one set of colours; the zero value has none.
type palette struct {
	text, subtle, faint, accent, selected, quote, good, warn, danger, decide, typing, hand lipgloss.TerminalColor
}

// Ordinary words have the terminal's own colour: they can be read whatever the
// background turns out to be.
func dark() palette {
	return palette{
		text: lipgloss.NoColor{}, subtle: lipgloss.Color("#9097a3"), faint: lipgloss.Color("#4b525e"),
		accent: lipgloss.Color("#7fb4dc"), selected: lipgloss.Color("#262c36"), quote: lipgloss.Color("#848b97"),
		good: lipgloss.Color("#8fbf8a"), warn: lipgloss.Color("#e0b060"), danger: lipgloss.Color("#e07a76"),
		decide: lipgloss.Color("#f0a94e"), typing: lipgloss.Color("#62c3c8"), hand: lipgloss.Color("#c79be8"),
	}
}

func light() palette {
	return palette{
		text: lipgloss.NoColor{}, subtle: lipgloss.Color("#59616d"), faint: lipgloss.Color("#b4bac4"),
		accent: lipgloss.Color("#1f6aa5"), selected: lipgloss.Color("#e3e9f1"), quote: lipgloss.Color("#656d79"),
		good: lipgloss.Color("#2d7a3a"), warn: lipgloss.Color("#8f6200"), danger: lipgloss.Color("#b3302b"),
		decide: lipgloss.Color("#a85a00"), typing: lipgloss.Color("#0b7378"), hand: lipgloss.Color("#7c3fa8"),
	}
}

// contrast keeps to seven to one against black or white (WCAG 2.2, 1.4.6);
// rules and grounds, which are not read, to less.
func contrast(light bool) palette {
	if light {
		return palette{
			text: lipgloss.NoColor{}, subtle: lipgloss.Color("#303030"), faint: lipgloss.Color("#6c6c6c"),
			accent: lipgloss.Color("#00449e"), selected: lipgloss.Color("#d7d7d7"), quote: lipgloss.Color("#444444"),
			good: lipgloss.Color("#005f00"), warn: lipgloss.Color("#6b4500"), danger: lipgloss.Color("#a00000"),
			decide: lipgloss.Color("#7a3a00"), typing: lipgloss.Color("#005555"), hand: lipgloss.Color("#5f0087"),
		}
	}
	return palette{
		text: lipgloss.NoColor{}, subtle: lipgloss.Color("#d0d0d0"), faint: lipgloss.Color("#8a8a8a"),
		accent: lipgloss.Color("#5fd7ff"), selected: lipgloss.Color("#303030"), quote: lipgloss.Color("#c6c6c6"),
		good: lipgloss.Color("#5fff87"), warn: lipgloss.Color("#ffd75f"), danger: lipgloss.Color("#ff8787"),
		decide: lipgloss.Color("#ffaf00"), typing: lipgloss.Color("#00ffff"), hand: lipgloss.Color("#ff9cff"),
	}
}

// roles are the colours a person may choose. Words that are not ours are not
// among them: they never stand out.
func (p *palette) roles() map[string]*lipgloss.TerminalColor {
	return map[string]*lipgloss.TerminalColor{
		"text": &p.text, "subtle": &p.subtle, "faint": &p.faint, "accent": &p.accent, "selected": &p.selected,
		"good": &p.good, "warn": &p.warn, "danger": &p.danger, "decide": &p.decide, "type": &p.typing, "by_hand": &p.hand,
	}
}

// Names lists the themes a person can ask for.
func Names() []string { return []string{"auto", "dark", "light", "contrast"} }

var colour = regexp.MustCompile(`^(#[0-9a-fA-F]{6}|[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$`)

// Check says what is wrong with one colour of a person's own, or nothing.
func Check(role, value string) string {
	known := new(palette).roles()
	if _, ok := known[role]; !ok {
		return role + " is no colour; they are " + strings.Join(slices.Sorted(maps.Keys(known)), ", ")
	}
	if !colour.MatchString(value) {
		return role + " is neither #rrggbb nor a number from 0 to 255"
	}
	return ""
}

func colourless() palette {
	none := lipgloss.NoColor{}
	return palette{none, none, none, none, none, none, none, none, none, none, none, none}
}

// New builds the styles.
func New(o Options) Theme {
	r := lipgloss.NewRenderer(io.Discard, termenv.WithProfile(o.Profile))
	r.SetColorProfile(o.Profile)
	p := dark()
	switch {
	case o.Contrast:
		p = contrast(o.Light)
	case o.Light:
		p = light()
	}
	for role, value := range o.Colours {
		if c, ok := p.roles()[role]; ok {
			*c = lipgloss.Color(value)
		}
	}
	if o.NoColor {
		p = colourless()
	}
	fg := func(c lipgloss.TerminalColor) lipgloss.Style { return r.NewStyle().Foreground(c).Inline(true) }
	third, quoted, selected := fg(p.faint), fg(p.quote), fg(p.text).Background(p.selected)
	if o.NoColor {
		third, quoted, selected = third.Faint(true), quoted.Faint(true), selected.Bold(true)
	}
	pictures := o.Profile
	if o.NoColor {
		pictures = termenv.Ascii
	}
	return Theme{
		Pictures: pictures,
		Text:     fix(fg(p.text)),
		Strong:   fix(fg(p.text).Bold(true)),
		Subtle:   fix(fg(p.subtle)),
		Faint:    fix(third),
		Accent:   fix(fg(p.accent)),
		Selected: fix(selected),
		Quote:    fix(quoted),
		Key:      fix(fg(p.accent).Bold(true)),
		Good:     fix(fg(p.good)),
		Warn:     fix(fg(p.warn)),
		Danger:   fix(fg(p.danger).Bold(true)),
		Ready:    fix(fg(p.good).Bold(true).Reverse(true)),
		Cursor:   fix(r.NewStyle().Reverse(true).Inline(true)),
		Brand:    fix(fg(p.accent).Bold(true)),
		waits:    [4]Style{fix(fg(p.subtle)), fix(fg(p.decide).Bold(true)), fix(fg(p.typing).Bold(true)), fix(fg(p.hand).Bold(true))},
	}
}

// Style draws text in one role. It is a style made once into the sequences
// before and after: a frame draws some three hundred pieces.
type Style struct{ on, off string }

// Render draws one piece of a row. An empty one draws nothing.
func (s Style) Render(text string) string {
	if text == "" {
		return ""
	}
	return s.on + text + s.off
}

// fix finds a style's sequences by drawing one letter.
func fix(s lipgloss.Style) Style {
	on, off, _ := strings.Cut(s.Render("x"), "x")
	return Style{on, off}
}

// LightBackground guesses from COLORFGBG, which some terminals set to their two
// colours ("15;0"); unset is dark.
func LightBackground(colorfgbg string) bool {
	_, background, ok := strings.Cut(colorfgbg, ";")
	if i := strings.LastIndex(background, ";"); i >= 0 {
		background = background[i+1:]
	}
	return ok && (background == "7" || background == "15")
}

// Plain is a theme that draws no style at all, for goldens.
func Plain() Theme { return New(Options{NoColor: true, Profile: termenv.Ascii}) }

// Wait is the style of a wait's glyph and word.
func (t Theme) Wait(w Wait) Style {
	if w < NoWait || int(w) >= len(t.waits) {
		w = NoWait
	}
	return t.waits[w]
}

// State is the style of a task's glyph and word.
func (t Theme) State(v task.View) Style {
	if w := WaitOf(v); w != NoWait {
		return t.Wait(w)
	}
	switch v.Status.State {
	case task.Running:
		return t.Accent
	case task.Done:
		return t.Good
	case task.Failed:
		return t.Danger
	case task.Cancelled, task.Checkpoint, task.NeedsInput, task.NeedsApproval, task.NeedsHuman, task.NeedsPlan:
		return t.Subtle
	default:
		return t.Subtle
	}
}
