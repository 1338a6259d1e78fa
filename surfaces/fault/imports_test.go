package fault

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "countersign/"

// libraries are the ones that stay behind a border, with the packages on its
// far side and why. A package below a named one counts as named.
func libraries() []border {
	return []border{
		{"github.com/chromedp/", []string{"surfaces/browser", "surfaces/host"}, "only the browser side speaks to Chrome"},
		{"github.com/go-vgo/robotgo", []string{"surfaces/desktop/robot"}, "an X error ends the process that imports it"},
		{"github.com/jezek/xgb", []string{"surfaces/desktop"}, "only the desktop side speaks to X"},
		{"github.com/godbus/dbus", []string{"surfaces/desktop", "surfaces/host"}, "only the desktop side reads accessibility"},
		{"go.etcd.io/bbolt", []string{"store"}, "the database is an affair of the store"},
		{"github.com/charmbracelet/bubbletea", []string{"ui", "."}, "only the desk draws on a terminal"},
		{"github.com/charmbracelet/bubbles", []string{"ui"}, "only the desk draws on a terminal"},
		{"github.com/charmbracelet/lipgloss", []string{"ui"}, "only the desk draws on a terminal"},
		{"github.com/spf13/cobra", []string{"ui/cli"}, "flags and commands are an affair of the command line"},
		{"github.com/BurntSushi/toml", []string{"ui/cli"}, "the configuration is read in one place"},
		{"github.com/openai/", []string{"controller/model"}, "one client speaks to a language model"},
		{"github.com/santhosh-tekuri/jsonschema", []string{"controller"}, "only what shapes a result checks schemas"},
	}
}

type border struct {
	path   string
	within []string
	why    string
}

// arrows lists for each package the ones of ours it may import, beside
// surfaces/fault, which all may. A new package needs a line here.
func arrows() map[string][]string {
	component := []string{"ui/theme", "ui/text", "ui/form", "ui/outline", "controller/task", "flows"}
	protocol := []string{"controller/chat", "controller/task", "flows", "flows/facts"}
	side := []string{"surfaces", "surfaces/origin", "surfaces/host", "surfaces/shade", "surfaces/workspace"}
	return map[string][]string{
		"surfaces/fault":    nil,
		"surfaces":          nil,
		"surfaces/origin":   nil,
		"surfaces/host":     nil,
		"surfaces/shade":    {"surfaces"},
		"surfaces/demosite": nil,
		// A desktop of the demo's own, with a form in it.
		"surfaces/demodesk":      {"surfaces/host"},
		"surfaces/desktop/robot": {"surfaces/host"},
		"surfaces/workspace":     {"surfaces"},
		"surfaces/browser":       side,
		"surfaces/desktop":       append([]string{"surfaces/desktop/robot"}, side...),
		// Tests run programs in a desktop of their own.
		"surfaces/desktop/desktoptest": {"surfaces/host"},
		"surfaces/surfacetest":         {"surfaces", "surfaces/origin", "surfaces/workspace"},

		"flows/facts":     {"flows/parse"},
		"flows/parse":     nil,
		"flows/safety":    {"flows/parse", "surfaces"},
		"flows/decider":   {"surfaces", "flows/parse", "flows/safety"},
		"flows":           {"flows/decider", "flows/facts", "flows/parse", "flows/safety", "surfaces"},
		"flows/flowstest": {"flows", "flows/decider", "flows/facts", "flows/safety", "surfaces", "surfaces/surfacetest"},

		"controller/task":    {"flows", "flows/safety", "surfaces"},
		"controller/chat":    {"controller/task"},
		"controller/model":   {"controller/chat", "controller/task", "flows/decider"},
		"controller/planner": protocol,
		"controller/rescuer": protocol,
		"controller/shaper":  protocol,
		"controller": {
			"controller/chat", "controller/planner", "controller/rescuer", "controller/shaper",
			"controller/task", "flows", "flows/facts", "flows/safety", "surfaces", "surfaces/origin",
		},
		"controller/remote":  {"controller", "controller/task", "surfaces"},
		"controller/journal": {"controller", "controller/task"},
		"controller/controllertest": {
			"controller", "controller/chat", "controller/task", "flows", "flows/facts", "flows/safety", "surfaces",
		},
		"controller/controllertest/modeltest": nil,

		"store":           {"controller/task", "flows", "surfaces"},
		"store/storetest": {"store", "controller/task", "flows", "surfaces"},

		"ui/text":    nil,
		"ui/outline": {"ui/text"},
		"ui/theme":   {"controller/task", "ui/theme/unasked"},
		// Initialised before Bubble Tea, so it must import nothing of ours.
		"ui/theme/unasked": nil,
		"ui/form":          {"controller/task", "ui/text", "ui/theme"},
		"ui/board":         component,
		"ui/composer":      component,
		"ui/decision":      component,
		"ui/dialog":        component,
		"ui/history":       component,
		"ui/inspector":     component,
		"ui/picture":       component,
		"ui/statusbar":     component,
		"ui": {
			"ui/board", "ui/composer", "ui/decision", "ui/dialog", "ui/form", "ui/history", "ui/inspector", "ui/picture", "ui/statusbar", "ui/text", "ui/theme",
			"controller", "controller/task", "flows", "flows/facts", "surfaces",
		},
		// Plain mode asks with the state machine of the desk's own card.
		"ui/cli": {"ui/decision", "ui/form", "ui/outline", "ui/text", "ui/theme", "controller", "controller/remote", "controller/task", "flows", "flows/facts", "surfaces", "surfaces/demodesk", "surfaces/demosite", "surfaces/host", "ui/cli/corpus", "ui/cli/drill"},
		// It serves sites, plays the person, and looks whether a browser was left.
		"ui/cli/drill": {"controller", "controller/task", "flows", "surfaces", "surfaces/demosite", "surfaces/host"},
		// It runs flows with nothing of a desk around them.
		"ui/cli/corpus": {"flows", "flows/decider", "flows/facts", "flows/safety", "surfaces", "ui/text"},
		"ui/uitest":     {"ui", "ui/theme", "controller", "controller/controllertest", "controller/task", "flows", "surfaces"},
	}
}

// TestImports holds the packages to the drawn arrows: no arrow points back, and
// each library stays behind its border. Tests may import what they prove.
func TestImports(t *testing.T) {
	for pkg, imports := range importsOf(t, moduleRoot(t)) {
		for _, imported := range imports {
			if wrong := violation(pkg, imported); wrong != "" {
				t.Errorf("%s imports %s: %s", pkg, imported, wrong)
			}
		}
	}
}

func TestForbiddenImportsAreFound(t *testing.T) {
	tests := []struct {
		pkg, imported string
		allowed       bool
	}{
		{"surfaces/browser", "github.com/chromedp/chromedp", true},
		{"ui/board", "github.com/chromedp/chromedp", false},
		{"store/storetest", "go.etcd.io/bbolt", true},
		{"controller", "go.etcd.io/bbolt", false},
		{".", "github.com/charmbracelet/bubbletea", true},
		{"controller", "github.com/charmbracelet/bubbletea", false},
		{"ui/board", module + "ui/theme", true},
		{"ui/board", module + "ui/inspector", false},
		{"surfaces", module + "flows", false},
		{"controller", module + "store", false},
		{"controller", module + "surfaces/browser", false},
		{"flows", module + "surfaces/fault", true},
		{"flows", module + "flows/flowstest", false},
		{".", module + "store", true},
		{"pkg/new", module + "surfaces", false},
		{"pkg/new", "strings", true},
	}
	for _, tt := range tests {
		if wrong := violation(tt.pkg, tt.imported); (wrong == "") != tt.allowed {
			t.Errorf("%s imports %s: got %q, allowed should be %t", tt.pkg, tt.imported, wrong, tt.allowed)
		}
	}
}

// violation says why pkg may not import imported; empty when it may.
func violation(pkg, imported string) string {
	for _, b := range libraries() {
		if strings.HasPrefix(imported, b.path) && !within(pkg, b.within) {
			return b.why + " (" + strings.Join(b.within, ", ") + ")"
		}
	}
	own, ok := strings.CutPrefix(imported, module)
	if !ok {
		return ""
	}
	if strings.HasSuffix(path.Base(own), "test") && !strings.HasSuffix(path.Base(pkg), "test") {
		return "what is made for tests belongs in tests"
	}
	if pkg == "." || own == "surfaces/fault" {
		return ""
	}
	may, known := arrows()[pkg]
	if !known {
		return "the package is not in the table of arrows: say there what it may import"
	}
	if !slices.Contains(may, own) {
		return "no arrow leads there; either the code belongs elsewhere or the table and its picture change"
	}
	return ""
}

func within(pkg string, named []string) bool {
	return slices.ContainsFunc(named, func(n string) bool { return pkg == n || strings.HasPrefix(pkg, n+"/") })
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above this package")
		}
		dir = filepath.Dir(dir)
	}
}

// importsOf reads what each package of the module imports, under every build
// tag, its tests left out.
func importsOf(t *testing.T, root string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && file != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			pkg := filepath.ToSlash(dir)
			if !slices.Contains(all[pkg], imported) {
				all[pkg] = append(all[pkg], imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages found: the walk lost its way", len(all))
	}
	return all
}
