package desktop

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// program is a running program that can be read.
type program struct {
	at    accessible
	name  string // as it calls itself
	pid   int    // 0: unknown
	known bool   // it has said its name
}

// executable is the file name of the program; empty when the system will not
// say.
func (p program) executable() string {
	if p.pid == 0 {
		return ""
	}
	path, err := os.Readlink("/proc/" + strconv.Itoa(p.pid) + "/exe")
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(path), " (deleted)")
}

// startedWith reports whether the program was given some arguments, options not
// counted: one interpreter runs programs of many names.
func (p program) startedWith(args []string) bool {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/cmdline")
	given := strings.Split(string(line), "\x00")
	return err == nil && !slices.ContainsFunc(args, func(a string) bool {
		return a != "" && !strings.HasPrefix(a, "-") && !slices.Contains(given, a)
	})
}

// answerWithin bounds a question every program answers at once unless it hangs.
const answerWithin = 3 * time.Second

// busyWithin bounds the first question to the program that is read: one that is
// just opening a dialog on a busy machine answered none for 9 s.
const busyWithin = 8 * time.Second

// programs lists what is registered on the accessibility bus. Who each is is
// asked until it says so; one that hangs has no name. One whose process is not
// known may be the terminal, and is left out.
func (b *bus) programs(ctx context.Context) ([]program, error) {
	var apps []accessible
	root := accessible{registryName, rootPath}
	if err := b.ask(ctx, root, atspi+"Accessible.GetChildren", nil, &apps); err != nil {
		return nil, err
	}
	var all []program
	var questions []*question
	for _, a := range apps {
		if a.null() {
			continue
		}
		p := b.met[a.Bus]
		if p == nil {
			p = &program{}
			b.met[a.Bus] = p
		}
		p.at = a
		if !p.known || p.pid == 0 {
			questions = append(questions, p.questions()...)
		}
	}
	short, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	b.askAll(short, questions)
	for _, a := range apps {
		if p := b.met[a.Bus]; p != nil && p.pid != 0 {
			all = append(all, *p)
		}
	}
	return all, nil
}

func (p *program) questions() []*question {
	return []*question{
		{
			to: p.at, method: properties + "Get", args: []any{atspi + "Accessible", "Name"},
			answer: func(c *dbus.Call) {
				var v dbus.Variant
				p.known = c.Store(&v) == nil
				p.name, _ = v.Value().(string)
			},
		},
		{
			to: accessible{busDaemon, "/org/freedesktop/DBus"}, method: busDaemon + ".GetConnectionUnixProcessID", args: []any{p.at.Bus},
			answer: func(c *dbus.Call) {
				var pid uint32
				_ = c.Store(&pid)
				p.pid = int(pid)
			},
		},
	}
}

// named picks the programs with that name: what they call themselves, then what
// their desktop entry calls them, then the file they run from. Case does not
// count.
func named(all []program, name string, entries []entry) []program {
	same := func(fits func(program) bool) []program {
		var found []program
		for _, p := range all {
			if fits(p) {
				found = append(found, p)
			}
		}
		return found
	}
	if found := same(func(p program) bool { return strings.EqualFold(p.name, name) }); len(found) > 0 {
		return found
	}
	for _, e := range entries {
		if found := same(func(p program) bool { return e.runs(p) }); len(found) > 0 {
			return found
		}
	}
	return same(func(p program) bool { return strings.EqualFold(p.executable(), name) })
}

// windows reads the top windows of a program in the order it lists them, with
// what each says of itself.
func (w *walk) windows(ctx context.Context, p program) ([]*node, error) {
	ctx, cancel := context.WithTimeout(ctx, busyWithin)
	defer cancel()
	var refs []accessible
	if err := w.ask(ctx, p.at, atspi+"Accessible.GetChildren", nil, &refs); err != nil {
		return nil, err
	}
	app := &node{at: p.at, role: roleApplication}
	w.known = map[dbus.ObjectPath]*node{}
	w.adopt(app, refs)
	w.describe(ctx, []*node{app})
	shown := slices.DeleteFunc(app.children, func(n *node) bool { return n.states.has(stDefunct) || !n.states.has(shownOnScreen) })
	for _, n := range shown {
		n.parent = nil // a window is where paths begin
	}
	return shown, nil
}
