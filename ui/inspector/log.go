package inspector

import (
	"fmt"
	"time"

	"countersign/controller/task"
	"countersign/ui/text"
)

// logList is the journal in words, oldest first. Steps stand in their own tab.
type logList struct {
	rows []logRow
	seq  uint64 // last numbered entry
	last string // last row's words, so that nothing is said twice
}

type logRow struct {
	seq   uint64
	at    int64
	word  string
	words string
	role  role
}

func (l *logList) len() int { return len(l.rows) }

func (l *logList) load(journal []task.Entry, decisions []task.Decision) {
	later := l.rows
	l.rows, l.last, l.seq = nil, "", 0
	answered := map[uint64]task.Decision{}
	for _, d := range decisions {
		answered[d.ID] = d
	}
	for _, e := range journal {
		if e.Decision != nil {
			if d, ok := answered[e.Decision.ID]; ok {
				l.decision(e, d)
				continue
			}
		}
		l.add(e)
	}
	for _, r := range later {
		if r.seq > l.seq {
			l.rows, l.seq = append(l.rows, r), r.seq
		}
	}
}

// add says one event, unless it was said already.
func (l *logList) add(e task.Entry) {
	if e.Seq > 0 {
		if e.Seq <= l.seq {
			return
		}
		l.seq = e.Seq
	}
	switch {
	case e.View != nil:
		l.say(e.At, string(e.View.Status.State), e.View.Summary, subtle)
	case e.Plan != nil && e.Plan.OK:
		l.say(e.At, "plan", fmt.Sprintf("%d steps by %s in %s", e.Plan.Steps, e.Plan.Model, text.Elapsed(e.Plan.WallMS)), plain)
	case e.Plan != nil:
		l.say(e.At, "plan", e.Plan.Error, warn)
	case e.Rescue != nil:
		l.say(e.At, "rescue", fmt.Sprintf("%d of %d at step %d: %s", e.Rescue.Attempt, e.Rescue.Limit, e.Rescue.Step, e.Rescue.Outcome), warn)
	case e.Resume != nil:
		l.say(e.At, "resume", fmt.Sprintf("after %s of %s", text.Age(time.Duration(e.Resume.WaitedMS)*time.Millisecond), e.Resume.State), plain)
	case e.Decision != nil:
		l.say(e.At, "decision", fmt.Sprintf("%d %s", e.Decision.ID, e.Decision.State), accent)
	}
}

func (l *logList) decision(e task.Entry, d task.Decision) {
	if e.Seq > l.seq {
		l.seq = e.Seq
	}
	words := fmt.Sprintf("%d %s: %s", d.ID, d.Question, e.Decision.State)
	if e.Decision.State == d.State {
		if d.Answer != "" {
			words += " · " + d.Answer
		}
		if d.Words != "" {
			words += " “" + d.Words + "”"
		}
	}
	l.say(e.At, "decision", words, accent)
}

func (l *logList) say(at int64, word, words string, r role) {
	words = text.Line(words)
	if word+words == l.last {
		return
	}
	l.last = word + words
	l.rows = append(l.rows, logRow{seq: l.seq, at: at, word: text.Line(word), words: words, role: r})
}

func (l *logList) row(m *Model, i int) string {
	r := l.rows[i]
	at := time.UnixMilli(r.at).In(m.location()).Format("15:04:05")
	head := "  " + m.style(faint, at) + "  " + m.style(subtle, text.Pad(r.word, 15)) + " "
	return head + m.style(r.role, text.Truncate(r.words, max(m.width-text.Width(head)-1, 4)))
}

// location is that of the time told, so that tests read the same everywhere.
func (m *Model) location() *time.Location {
	if m.now.IsZero() {
		return time.Local
	}
	return m.now.Location()
}
