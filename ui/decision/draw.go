package decision

import (
	"strings"

	"countersign/ui/text"
	"countersign/ui/theme"
)

// View draws the region.
func (m Model) View() []string {
	if m.Empty() {
		return nil
	}
	rows := []string{m.rule()}
	body := m.body()
	end := min(m.top+m.bodyHeight(), len(body))
	rows = append(rows, body[m.top:end]...)
	choices := m.choices()
	for len(rows) < m.height-1-len(choices) {
		rows = append(rows, "")
	}
	rows = append(append(rows, choices...), m.prompt())
	return text.Fit(rows, m.width, m.height)
}

// rule heads the region; every word in it is ours.
func (m Model) rule() string {
	wait := m.wait()
	st := m.theme.Wait(wait)
	left := m.theme.Faint.Render("━━ ") + st.Render(wait.Glyph()+" "+wait.String()) + "  " + m.theme.Strong.Render(m.card.title) + " "
	said := m.card.id.String()
	if age := m.card.Age(m.now); age != "" {
		said += " · " + age
	}
	right := " " + m.theme.Subtle.Render(said) + m.theme.Faint.Render(" ━━")
	fill := max(m.width-text.Width(left)-text.Width(right), 0)
	return left + m.theme.Faint.Render(strings.Repeat("━", fill)) + right
}

func (m Model) wait() theme.Wait {
	switch m.card.kind {
	case Sign, Pay, Blind, CarryOn, Outcome:
		return theme.Decide
	case Values, Plan:
		return theme.Type
	case ByHand, PaidByHand:
		return theme.ByHand
	case NoQuestion:
		return theme.NoWait
	default:
		return theme.NoWait
	}
}

func (m Model) body() []string {
	rows := m.card.Rows(max(m.width-4, 20))
	out := make([]string, 0, len(rows)+1)
	for _, r := range rows {
		out = append(out, "  "+m.row(r))
	}
	if m.card.kind == Values {
		out = append(out, m.form.Rows(m.theme, m.width, m.focused)...)
	}
	return out
}

func (m Model) row(r Row) string {
	switch r.Role {
	case Fact:
		st := m.theme.Text
		if r.Label == amountLabel {
			st = m.theme.Strong
		}
		return m.theme.Subtle.Render(text.Pad(r.Label, labelWidth-1)) + " " + st.Render(r.Text)
	case Differ:
		return m.theme.Warn.Render(text.Pad(r.Label, labelWidth-1)) + " " + m.theme.Text.Render(r.Text)
	case Heading:
		return strings.Repeat(" ", labelWidth) + m.theme.Subtle.Render(r.Text)
	case Quote:
		return strings.Repeat(" ", quoteIndent) + m.theme.Quote.Render(r.Text)
	case Note:
		return m.theme.Subtle.Render(r.Text)
	case Warn:
		return m.theme.Warn.Render(r.Text)
	default:
		return r.Text
	}
}

// choices are the words and keys, in as many rows as they need; nothing foreign
// stands there but the amount or host to be typed, which is cleaned.
func (m Model) choices() []string {
	var parts []string
	for _, c := range m.card.Choices() {
		word := c.Word
		if m.card.kind == PaidByHand {
			word = map[string]string{
				"paid": m.keys.Paid.Help().Key, "not paid": m.keys.NotPaid.Help().Key, forwardWord: m.keys.Forward.Help().Key,
			}[c.Word]
		}
		parts = append(parts, m.theme.Key.Render(word)+" "+m.theme.Subtle.Render(c.Does))
	}
	if m.card.kind == Values {
		parts = append(parts, m.theme.Key.Render("enter")+" "+m.theme.Subtle.Render("next, then give"), m.theme.Key.Render("ctrl+s")+" "+m.theme.Subtle.Render("hide or show"))
	}
	var rows []string
	row := ""
	for _, p := range parts {
		switch {
		case row == "":
			row = "  " + p
		case text.Width(row)+text.Width(p)+5 > m.width:
			rows, row = append(rows, row), "  "+p
		default:
			row += m.theme.Faint.Render("  ·  ") + p
		}
	}
	return append(rows, row)
}

// standing says whether an answer counts yet.
func (m Model) standing() string {
	switch {
	case m.sent:
		return ""
	case m.Ready() && m.card.kind == Values:
		return ""
	case m.Ready():
		return m.theme.Ready.Render(" READY ")
	case !m.atEnd():
		return m.theme.Warn.Render("↓ read to the end")
	default:
		return m.theme.Faint.Render("wait …")
	}
}

func (m Model) atEnd() bool { return m.top+m.bodyHeight() >= len(m.body()) }

// prompt is the row to type in, with what an answer would count for at its end.
func (m Model) prompt() string {
	standing := m.standing()
	room := max(m.width-text.Width(standing)-7, 10)
	return text.Spread(m.typing(room), standing+" ", m.width)
}

func (m Model) typing(room int) string {
	notice := ""
	if m.notice != "" {
		notice = m.theme.Warn.Render(text.Truncate(m.notice, room))
	}
	switch {
	case m.sent:
		return "  " + notice
	case !m.focused:
		return "  " + m.theme.Key.Render(m.reach.Help().Key) + m.theme.Subtle.Render(" to answer")
	case m.card.kind == Values || m.card.kind == PaidByHand:
		return "  " + notice
	case notice != "" && !m.input.Empty():
		typed := "  " + m.theme.Accent.Render("› ") + m.input.View(min(text.Width(m.input.Value())+1, room/3), func(s string) string { return m.theme.Cursor.Render(s) })
		return typed + "  " + m.theme.Warn.Render(text.Truncate(m.notice, max(room-text.Width(typed), 10)))
	case notice != "" && m.input.Empty():
		return "  " + m.theme.Accent.Render("› ") + m.theme.Cursor.Render(" ") + " " + notice
	default:
		return "  " + m.theme.Accent.Render("› ") + m.input.View(room, func(s string) string { return m.theme.Cursor.Render(s) })
	}
}
