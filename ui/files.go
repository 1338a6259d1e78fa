package ui

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/surfaces/fault"
)

// maxFlowBytes bounds a flow file.
const maxFlowBytes = 4 << 20

// load reads a flow file.
func (c commands) load(path string) tea.Cmd {
	return guard(func() tea.Msg {
		f, err := os.Open(fromHome(path))
		if err != nil {
			return loadedMsg{err: fault.Wrap(fault.InvalidRequest, err, "this file cannot be read").WithHint("Check its path and that you may read it.")}
		}
		defer f.Close() //nolint:errcheck // only read
		raw, err := io.ReadAll(io.LimitReader(f, maxFlowBytes+1))
		switch {
		case err != nil:
			return loadedMsg{err: fault.Wrap(fault.InvalidRequest, err, "this file cannot be read").WithHint("Give the path of a flow file.")}
		case len(raw) > maxFlowBytes:
			return loadedMsg{err: fault.New(fault.InvalidRequest, "this file is too large to be a flow").WithHint("Give the path of a flow file.")}
		default:
			return loadedMsg{raw: raw}
		}
	})
}

func (c commands) check(req task.StartRequest) tea.Cmd {
	return guard(func() tea.Msg { return checkedMsg{req.Flow, c.opts.CheckFlow(req)} })
}

// recentFile lists the flows last started, one path a line, newest first.
const recentFile = "recent-flows"

// maxRecent bounds that list.
const maxRecent = 12

// files offers the flows last used and those that lie here.
func (c commands) files() tea.Cmd {
	return guard(func() tea.Msg {
		files := c.recent()
		for _, pattern := range []string{"*.json", "flows/*.json"} {
			found, err := filepath.Glob(pattern)
			if err != nil {
				continue
			}
			for _, f := range found {
				if abs, err := filepath.Abs(f); err == nil && slices.Contains(files, abs) {
					continue
				}
				files = append(files, f)
			}
		}
		return filesMsg{files}
	})
}

// maxMatches bounds what a path is completed with.
const maxMatches = 200

// complete finds the folders and flow files a path could become.
func (c commands) complete(path string) tea.Cmd {
	return guard(func() tea.Msg {
		dir, base := filepath.Split(fromHome(path))
		entries, err := os.ReadDir(cmp.Or(dir, "."))
		if err != nil {
			return completedMsg{path: path}
		}
		var matches []string
		for _, e := range entries {
			name := e.Name()
			hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".")
			if hidden || !strings.HasPrefix(name, base) || len(matches) == maxMatches {
				continue
			}
			switch info, err := os.Stat(filepath.Join(dir, name)); { // a link counts as what it leads to
			case err != nil:
			case info.IsDir():
				matches = append(matches, dir+name+string(filepath.Separator))
			case strings.HasSuffix(name, ".json"):
				matches = append(matches, dir+name)
			}
		}
		return completedMsg{path: path, matches: matches}
	})
}

// fromHome puts the person's folder in place of a leading ~.
func fromHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	home, err := os.UserHomeDir()
	if !ok || err != nil {
		return path
	}
	return home + "/" + rest
}

func (c commands) recent() []string {
	if c.opts.StateDir == "" {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(c.opts.StateDir, recentFile))
	if err != nil {
		return nil
	}
	var files []string
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if _, err := os.Stat(line); line != "" && err == nil {
			files = append(files, line)
		}
	}
	return files
}

// remember puts a flow first in the list; that it cannot be kept matters to
// nobody.
func (c commands) remember(path string) {
	abs, err := filepath.Abs(fromHome(path))
	if err != nil || path == "" || c.opts.StateDir == "" {
		return
	}
	files := slices.DeleteFunc(c.recent(), func(f string) bool { return f == abs })
	files = append([]string{abs}, files...)
	files = files[:min(len(files), maxRecent)]
	_ = os.WriteFile(filepath.Join(c.opts.StateDir, recentFile), []byte(strings.Join(files, "\n")+"\n"), 0o600)
}
