// Package statusbar draws the desk's last row: how many tasks wait and in what
// way, what the selected task has left, what the desk works with, and the keys
// that matter now. It takes no keys itself.
package statusbar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"countersign/controller/task"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// State is everything the row says.
type State struct {
	Counts    map[theme.Wait]int
	HideCount bool // the board's row says it already
	Left      *task.Left
	Health    task.Health
	Attached  int           // the process whose desk is shown; 0: our own
	Notice    string        // a word to the person; takes the middle of the row
	Danger    bool          // the notice is a failure
	Keys      []key.Binding // the most important first
}

// Model draws states with one theme.
type Model struct {
	theme theme.Theme
	width int
}

// New makes a status line.
func New(th theme.Theme) Model { return Model{theme: th} }

// SetSize gives the width in cells.
func (m Model) SetSize(width int) Model {
	m.width = width
	return m
}

// What stands around a notice, the separator included, and the least it is told
// in; with less it has the row to itself.
const (
	noticeAround = 9
	leastNotice  = 30
)

// View draws the row. What there is no room for is left out, the least
// important first; the waits and a notice stay longest.
func (m Model) View(s State) string {
	var parts []string
	if !s.HideCount {
		parts = append(parts, m.counts(s.Counts))
	}
	if s.Notice != "" {
		st := m.theme.Warn
		if s.Danger {
			st = m.theme.Danger
		}
		room := m.width - text.Width(strings.Join(parts, "")) - noticeAround
		if room < leastNotice {
			parts, room = nil, m.width-noticeAround
		}
		return m.join(append(parts, st.Render(text.Truncate(text.Line(s.Notice), room))), nil)
	}
	if s.Attached != 0 {
		// One part with the waits, and so the last to go.
		whose := m.theme.Warn.Render(fmt.Sprintf("attached to the desk of process %d", s.Attached))
		parts = []string{strings.Join(append(parts, whose), "  ")}
	}
	if bad := m.trouble(s.Health); bad != "" {
		parts = append(parts, bad)
	}
	if s.Left != nil {
		if b := m.budget(*s.Left); b != "" {
			parts = append(parts, b)
		}
	}
	if w := m.works(s.Health); w != "" {
		parts = append(parts, w)
	}
	return m.join(parts, s.Keys)
}

// join puts the parts left and the keys right, dropping from the ends of both
// until all fits: half the row belongs to the keys.
func (m Model) join(parts []string, keys []key.Binding) string {
	sep := m.theme.Faint.Render("  │  ")
	hints := make([]string, 0, len(keys))
	for _, k := range keys {
		if k.Enabled() && k.Help().Key != "" {
			hints = append(hints, m.theme.Key.Render(k.Help().Key)+" "+m.theme.Subtle.Render(k.Help().Desc))
		}
	}
	for {
		left, right := " "+strings.Join(parts, sep), strings.Join(hints, "  ")+" "
		if text.Width(left)+text.Width(right)+2 <= m.width || len(parts) <= 1 && len(hints) <= 1 {
			return text.Pad(text.Spread(left, right, m.width), m.width)
		}
		if len(parts) > 1 && (text.Width(left) > m.width/2 || len(hints) <= 3) {
			parts = parts[:len(parts)-1]
			continue
		}
		hints = hints[:len(hints)-1]
	}
}

func (m Model) counts(n map[theme.Wait]int) string {
	var out []string
	for _, w := range theme.Waits() {
		if n[w] > 0 {
			out = append(out, m.theme.Wait(w).Render(fmt.Sprintf("%s %d %s", w.Glyph(), n[w], w)))
		}
	}
	if len(out) == 0 {
		return m.theme.Subtle.Render("nothing waits")
	}
	return strings.Join(out, "  ")
}

func (m Model) budget(l task.Left) string {
	var out []string
	if l.Actions != nil {
		out = append(out, fmt.Sprintf("acts %d/%d", l.Actions[0], l.Actions[1]))
	}
	if l.ModelCalls != nil {
		out = append(out, fmt.Sprintf("calls %d", l.ModelCalls[0]))
	}
	return m.theme.Subtle.Render(strings.Join(out, "  "))
}

// trouble names what is not well.
func (m Model) trouble(h task.Health) string {
	if h.Store != "" && h.Store != "ok" {
		return m.theme.Danger.Render("store " + text.Line(h.Store))
	}
	return ""
}

func (m Model) works(h task.Health) string {
	var out []string
	if h.Decider != "" {
		out = append(out, text.Line(h.Decider))
	}
	names := make([]string, 0, len(h.Surfaces))
	for name, state := range h.Surfaces {
		if state == "ok" {
			names = append(names, text.Line(name))
		}
	}
	slices.Sort(names)
	out = append(out, names...)
	if h.Store == "ok" {
		out = append(out, "store ok")
	}
	return m.theme.Subtle.Render(strings.Join(out, " · "))
}
