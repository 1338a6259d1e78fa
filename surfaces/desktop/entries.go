package desktop

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// entry is one program as its desktop entry describes it (freedesktop.org,
// Desktop Entry Specification 1.5).
type entry struct {
	id       string   // file name without .desktop
	name     string   // unlocalized
	local    []string // the name in other languages
	exec     []string
	terminal bool
	aside    bool   // not for menus: it comes after those that are
	try      string // it is installed only where this can be run
}

// runs reports whether a running program is of this entry.
func (e entry) runs(p program) bool {
	if len(e.exec) == 0 {
		return false
	}
	own := filepath.Base(e.exec[0])
	return strings.EqualFold(own, p.name) || own == p.executable() && p.startedWith(e.exec[1:])
}

// called reports whether a person could mean this entry by a name.
func (e entry) called(name string) bool {
	same := func(s string) bool { return strings.EqualFold(s, name) }
	if same(e.name) || same(e.id) || slices.ContainsFunc(e.local, same) {
		return true
	}
	last := e.id[strings.LastIndexByte(e.id, '.')+1:]
	return same(last)
}

// entriesFor reads the installed desktop entries that a name can mean. The
// person's own come first, and those that are not for menus last.
func entriesFor(env environment, name string) []entry {
	var found []entry
	for _, dir := range applicationDirs(env) {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".desktop") {
				return nil // a folder that cannot be read has no entries
			}
			e, ok := readEntry(path)
			if rel, err := filepath.Rel(dir, path); err == nil {
				e.id = strings.ReplaceAll(strings.TrimSuffix(rel, ".desktop"), string(filepath.Separator), "-")
			}
			if ok && e.called(name) && e.installed(env) {
				found = append(found, e)
			}
			return nil
		})
	}
	slices.SortStableFunc(found, func(a, b entry) int {
		switch {
		case a.aside == b.aside:
			return 0
		case b.aside:
			return -1
		default:
			return 1
		}
	})
	return found
}

func (e entry) installed(env environment) bool {
	if e.try == "" {
		return true
	}
	_, ok := env.lookPath(e.try)
	return ok
}

func applicationDirs(env environment) []string {
	home := env.get("XDG_DATA_HOME")
	if home == "" && env.get("HOME") != "" {
		home = filepath.Join(env.get("HOME"), ".local", "share")
	}
	shared := env.get("XDG_DATA_DIRS")
	if shared == "" {
		shared = "/usr/local/share:/usr/share"
	}
	var dirs []string
	for _, d := range append([]string{home}, filepath.SplitList(shared)...) {
		if filepath.IsAbs(d) {
			dirs = append(dirs, filepath.Join(d, "applications"))
		}
	}
	return dirs
}

// readEntry reads the main group of one file; false when it starts nothing a
// person would see.
func readEntry(path string) (entry, bool) {
	f, err := os.Open(path)
	if err != nil {
		return entry{}, false
	}
	defer func() { _ = f.Close() }()
	var e entry
	kind, hidden, main := "", false, false
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			main = line == "[Desktop Entry]"
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !main || !ok {
			continue
		}
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if strings.HasPrefix(key, "Name[") {
			e.local = append(e.local, value)
		}
		switch key {
		case "Type":
			kind = value
		case "Name":
			e.name = value
		case "Exec":
			e.exec = execArgs(value)
		case "Terminal":
			e.terminal = value == "true"
		case "NoDisplay":
			e.aside = value == "true"
		case "TryExec":
			e.try = value
		case "Hidden":
			hidden = value == "true"
		}
	}
	return e, kind == "Application" && !hidden && len(e.exec) > 0
}

// execArgs splits an Exec line as the specification says, without the field
// codes: nothing is opened in the program. Nil when it cannot be split.
func execArgs(line string) []string {
	line = strings.ReplaceAll(line, `\\`, `\`) // the general escape for strings comes first
	var args []string
	var word strings.Builder
	quoted, begun := false, false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quoted && c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		case c == '"':
			quoted, begun = !quoted, true
		case !quoted && (c == ' ' || c == '\t'):
			if begun {
				args = append(args, word.String())
			}
			word.Reset()
			begun = false
		case !quoted && c == '%' && i+1 < len(line):
			i++
			if line[i] == '%' {
				word.WriteByte('%')
				begun = true
			}
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if quoted {
		return nil
	}
	if begun {
		args = append(args, word.String())
	}
	return args
}

// lookPath finds an executable in the environment's PATH.
func (e environment) lookPath(name string) (string, bool) {
	if filepath.IsAbs(name) {
		path, err := exec.LookPath(name)
		return path, err == nil
	}
	if name == "" || strings.ContainsRune(name, filepath.Separator) {
		return "", false
	}
	for _, dir := range filepath.SplitList(e.get("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, true
		}
	}
	return "", false
}
