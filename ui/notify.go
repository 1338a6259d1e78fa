package ui

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"countersign/controller/task"
	"countersign/ui/theme"
)

// ringEvery is the least time between two bells. Waits that begin meanwhile are
// told together by the next one.
const ringEvery = 2 * time.Second

// asksAnew reports whether a view puts a question that did not stand before.
func asksAnew(before, now task.View) bool {
	return theme.WaitOf(now) != theme.NoWait && (theme.WaitOf(before) != theme.WaitOf(now) || before.SinceAt != now.SinceAt)
}

// ring tells of the waits that began, at most every ringEvery; one that was
// answered meanwhile is not told.
func (m Model) ring() (Model, tea.Cmd) {
	if len(m.unrung) == 0 || m.now.Sub(m.rangAt) < ringEvery {
		return m, nil
	}
	var words []string
	for _, id := range m.unrung {
		if v, ok := m.board.Task(id); ok && theme.WaitOf(v) != theme.NoWait {
			words = append(words, id.String()+" "+theme.WaitOf(v).String())
		}
	}
	m.unrung = nil
	if len(words) == 0 {
		return m, nil
	}
	m.rangAt = m.now
	var out strings.Builder
	if m.cmds.opts.Bell {
		out.WriteString("\a")
	}
	if m.cmds.opts.Notify {
		out.WriteString(notification(words, m.cmds.opts.Tmux))
	}
	if out.Len() == 0 {
		return m, nil
	}
	return m, m.cmds.write(out.String())
}

// mostNamed is how many tasks one notification names.
const mostNamed = 4

// notification asks the terminal to tell the person of waits outside of its
// window: OSC 9 (iTerm2, escape codes) and OSC 777 (rxvt-unicode's notify), wrapped
// for the terminal behind a tmux (tmux FAQ, passthrough). Its words are ours:
// task ids and kinds of wait, nothing from a page.
func notification(waits []string, tmux bool) string {
	if more := len(waits) - mostNamed; more > 0 {
		waits = append(waits[:mostNamed:mostNamed], fmt.Sprintf("%d more", more))
	}
	words := strings.Join(waits, ", ")
	var out strings.Builder
	for _, seq := range []string{"\x1b]9;countersign: " + words + "\x1b\\", "\x1b]777;notify;countersign;" + words + "\x1b\\"} {
		if tmux {
			seq = ansi.TmuxPassthrough(seq)
		}
		out.WriteString(seq)
	}
	return out.String()
}
