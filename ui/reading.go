package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/surfaces/fault"
	"countersign/ui/dialog"
	"countersign/ui/inspector"
	"countersign/ui/text"
)

// readingKey is a key that means something of its own in the inspector; false
// for one that does not.
func (m Model) readingKey(msg tea.KeyMsg) (Model, tea.Cmd, bool) {
	k := m.keys.Inspector
	records := m.inspector.Tab() == inspector.Records
	switch {
	case m.inspector.Sought() && key.Matches(msg, k.Next, k.Prev):
		m.inspector = m.inspector.Update(msg)
	case m.inspector.Sought() && msg.Type == tea.KeyEsc:
		m.inspector = m.inspector.EndSearch()
	case records && key.Matches(msg, k.CSV, k.JSON):
		next, cmd := m.export(key.Matches(msg, k.JSON))
		return next, cmd, true
	case records && key.Matches(msg, k.Whole):
		return m.wholeRecord(), nil, true
	default:
		return m, nil, false
	}
	return m, nil, true
}

// wholeRecord shows the record under the cursor, with nothing of it cut.
func (m Model) wholeRecord() Model {
	pairs := m.inspector.Record()
	if pairs == nil {
		return m.say("no record is here")
	}
	width := 0
	for _, p := range pairs {
		width = min(max(width, text.Width(p[0])), 24)
	}
	var body []string
	for _, p := range pairs {
		label := p[0]
		for _, line := range text.Wrap(p[1], max(m.width-width-12, 10)) {
			body = append(body, text.Pad(label, width)+"  "+line)
			label = ""
		}
	}
	m.dialogs = m.dialogs.Push(dialog.Dialog{Name: "record", Title: "Record", Body: body})
	return m
}

// export saves the selected task's records.
func (m Model) export(asJSON bool) (Model, tea.Cmd) {
	tables := m.inspector.Tables()
	if len(tables) == 0 {
		return m.say("nothing has been saved yet"), nil
	}
	return m.say("saving …"), m.cmds.export(m.inspector.Task(), tables, asJSON)
}

func (m Model) exported(msg exportedMsg) Model {
	if msg.err != nil {
		f := fault.Of(msg.err)
		return m.warn(f.Error() + " · " + f.Hint)
	}
	if n := len(msg.files); n > 1 {
		return m.say("saved " + msg.files[0] + " and " + count(n-1, "more file", "more files"))
	}
	return m.say("saved " + msg.files[0])
}
