package ui

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/flows"
	"countersign/surfaces/fault"
)

// inEditor opens the person's editor on a flow, with the guide below it as
// comment; the desk leaves the terminal to it meanwhile. Without an editor the
// text comes back as it is, to be written at the desk.
func (c commands) inEditor(text string) tea.Cmd {
	editor := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"))
	if editor == "" {
		return guard(func() tea.Msg { return writtenMsg{text: text, here: true} })
	}
	failed := func(err error) tea.Msg {
		return writtenMsg{err: fault.Wrap(fault.InvalidUsage, err, "the editor failed, and the flow is as it was").WithHint("Check EDITOR.")}
	}
	dir, err := os.MkdirTemp("", "countersign-flow-")
	path := filepath.Join(dir, "flow.json")
	if err == nil {
		err = os.WriteFile(path, []byte(withGuide(text)), 0o600)
	}
	if err != nil {
		return guard(func() tea.Msg { return failed(err) })
	}
	// Through a shell, as other programs do: EDITOR may hold words.
	cmd := exec.CommandContext(c.ctx, "/bin/sh", "-c", editor+` "$1"`, "sh", path)
	return tea.ExecProcess(cmd, func(err error) tea.Msg {
		defer func() { _ = os.RemoveAll(dir) }()
		left, reading := os.ReadFile(path)
		if err = errors.Join(err, reading); err != nil {
			return failed(err)
		}
		return writtenMsg{text: string(left)}
	})
}

// withGuide puts the guide below a flow, as comment.
func withGuide(text string) string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(text, "\n") + "\n\n# Lines that begin with # are left out. How a flow is written:\n#\n")
	for line := range strings.SplitSeq(strings.TrimRight(flows.Guide(), "\n"), "\n") {
		b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
	}
	return b.String()
}
