package inspector

import (
	"fmt"
	"regexp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"countersign/ui/form"
	"countersign/ui/text"
)

// search is what the person looks for in the present tab. The zero value looks
// for nothing.
type search struct {
	typing bool
	query  text.Edit
	like   *regexp.Regexp // the query, in any case; nil: none
	at     int            // row of the hit shown
	nr, of int            // which of how many it is; 0 of 0: none was found
}

// Searching reports whether keys are a query being typed.
func (m Model) Searching() bool { return m.search.typing }

// Sought reports whether a search stands, so that n and N mean it.
func (m Model) Sought() bool { return m.search.like != nil }

// EndSearch forgets the search.
func (m Model) EndSearch() Model {
	m.search = search{}
	return m
}

func (m Model) typeQuery(msg tea.KeyMsg) Model {
	switch msg.Type {
	case tea.KeyEsc:
		return m.EndSearch()
	case tea.KeyEnter:
		if m.search.query.Empty() {
			return m.EndSearch()
		}
		like := regexp.MustCompile("(?i)" + regexp.QuoteMeta(m.search.query.Value()))
		m.search = search{query: m.search.query, like: like, at: m.top[m.tab] - 1}
		return m.seek(1)
	default:
		m.search.query = form.Typed(m.search.query, msg)
		return m
	}
}

// seek goes to the next hit, or with -1 to the one before, and round the end.
func (m Model) seek(by int) Model {
	if m.search.like == nil {
		return m
	}
	var hits []int
	for i := range m.rowCount(m.tab) {
		if m.search.like.MatchString(m.wordsAt(i)) {
			hits = append(hits, i)
		}
	}
	m.search.of, m.search.nr = len(hits), 0
	if len(hits) == 0 {
		return m
	}
	n := 0
	for n < len(hits) && hits[n] <= m.search.at {
		n++
	}
	if by < 0 {
		for n > 0 && hits[n-1] >= m.search.at {
			n--
		}
		n += len(hits) - 1
	}
	n %= len(hits)
	m.search.nr, m.search.at = n+1, hits[n]
	m.follow[m.tab] = false
	if m.tab == Records && m.records[hits[n]].of != nil {
		m.at = hits[n]
	}
	if h := m.bodyHeight(); m.search.at < m.top[m.tab] || m.search.at >= m.top[m.tab]+h {
		m.top[m.tab] = m.search.at - h/3
	}
	return m
}

// wordsAt is a row's text, without drawing it.
func (m Model) wordsAt(i int) string {
	switch m.tab {
	case Steps:
		return m.steps.words(i)
	case Screen:
		return plainly(m.screen[i])
	case Records:
		return plainly(m.records[i].row)
	case Flow:
		r := m.flow[i]
		return r.Path + " " + r.Kind + " " + r.Words
	case Log:
		return m.log.rows[i].word + " " + m.log.rows[i].words
	case Picture, tabCount:
		return ""
	default:
		return ""
	}
}

func plainly(r row) string {
	var b strings.Builder
	for _, p := range r {
		b.WriteString(p.text)
	}
	return b.String()
}

// marked shows where the query stands in a drawn row.
func (m Model) marked(i int, drawn string) string {
	if m.search.like == nil {
		return drawn
	}
	s := ansi.Strip(drawn)
	at := m.search.like.FindStringIndex(s)
	if at == nil {
		return drawn
	}
	hit, rest := m.theme.Key, m.theme.Subtle
	if i == m.search.at && m.search.nr > 0 {
		hit, rest = m.theme.Cursor, m.theme.Strong
		if blank, ok := strings.CutPrefix(s[:at[0]], " "); ok {
			return m.theme.Accent.Render("▸") + rest.Render(blank) + hit.Render(s[at[0]:at[1]]) + rest.Render(s[at[1]:])
		}
	}
	return rest.Render(s[:at[0]]) + hit.Render(s[at[0]:at[1]]) + rest.Render(s[at[1]:])
}

// told is the search in the row of tabs.
func (s search) told() string {
	if s.like == nil {
		return ""
	}
	what := "/" + text.Truncate(text.Spaced(s.query.Value()), 20)
	if s.of == 0 {
		return what + " not found"
	}
	return fmt.Sprintf("%s %d of %d", what, s.nr, s.of)
}

func (m Model) prompt() string {
	mark := func(s string) string { return m.theme.Cursor.Render(s) }
	return " " + m.theme.Key.Render("/") + m.search.query.View(max(m.width-4, 8), mark)
}
