package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"countersign/controller/remote"
	"countersign/surfaces/fault"
	"countersign/ui/theme"
)

// Config is config.toml (desk.md section 7). Flags win over it.
type Config struct {
	Store struct {
		Path string `toml:"path"`
	} `toml:"store"`
	Browser struct {
		Executable string `toml:"executable"`
		Profile    string `toml:"profile"`
		Headed     bool   `toml:"headed"`
		Endpoint   string `toml:"endpoint"`
	} `toml:"browser"`
	Model   *ModelSection `toml:"model"`
	Journal struct {
		Directory string `toml:"directory"`
	} `toml:"journal"`
	UI struct {
		Theme  string            `toml:"theme"` // one of theme.Names
		Bell   *bool             `toml:"bell"`  // nil: on
		Notify bool              `toml:"notify"`
		Mouse  bool              `toml:"mouse"`
		Colors map[string]string `toml:"colors"` // a person's own, by role
	} `toml:"ui"`
}

// Paths say where everything lies.
type Paths struct {
	Config string // config.toml, read when it is there
	State  string // folder of the store, the log, crash files and browser profiles
	Store  string // desk.db
	Run    string // folder of the sockets of running desks
}

// Socket is where the process that holds the store can be reached.
func (p Paths) Socket() string { return remote.Socket(p.Run, p.Store) }

// Log is the file everything but the screen is written to.
func (p Paths) Log() string { return filepath.Join(p.State, "desk.log") }

// Crash is the folder of crash files.
func (p Paths) Crash() string { return filepath.Join(p.State, "crash") }

// defaultPaths follows the XDG base directories: relative values in the
// environment are ignored, as the specification (0.8, section 3) asks.
func defaultPaths(env func(string) string) Paths {
	home := env("HOME")
	if home == "" {
		home = "/"
	}
	base := func(name string, fallback ...string) string {
		if v := env(name); filepath.IsAbs(v) {
			return v
		}
		return filepath.Join(append([]string{home}, fallback...)...)
	}
	state := filepath.Join(base("XDG_STATE_HOME", ".local", "state"), "countersign")
	return Paths{
		Config: filepath.Join(base("XDG_CONFIG_HOME", ".config"), "countersign", "config.toml"),
		State:  state,
		Store:  filepath.Join(state, "desk.db"),
		Run:    remote.Folder(env("XDG_RUNTIME_DIR"), state),
	}
}

// readConfig reads path; a missing file is the empty configuration unless the
// person named it (required).
func readConfig(path string, required bool) (Config, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !required {
		return Config{}, nil
	}
	if err != nil {
		return Config{}, fault.Wrap(fault.InvalidConfig, err, "the configuration "+path+" cannot be read").
			WithHint("Check the path given with --config and the file's mode.")
	}
	return parseConfig(path, string(raw))
}

func parseConfig(path, raw string) (Config, error) {
	var c Config
	meta, err := toml.Decode(raw, &c)
	if err != nil {
		var p toml.ParseError
		if errors.As(err, &p) {
			return Config{}, fault.Newf(fault.InvalidConfig, "%s line %d: %s", path, p.Position.Line, p.Message)
		}
		return Config{}, fault.Newf(fault.InvalidConfig, "%s: %s", path, strings.TrimPrefix(err.Error(), "toml: "))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0]
		f := fault.Newf(fault.InvalidConfig, "%s line %d: %s is no setting", path, lineOf(raw, key), key).
			WithHint("The settings are listed in the README under Configuration; take the line out or correct its name.")
		if key[len(key)-1] == "api_key" {
			f = f.WithHint("A key never stands here: api_key_env names a variable that holds it, api_key_file a file.")
		}
		return Config{}, f
	}
	return c, c.check(path, raw)
}

// check finds what TOML's types cannot: values outside a closed list, and
// settings that exclude each other.
func (c Config) check(path, raw string) error {
	if err := c.checkTheme(path, raw); err != nil {
		return err
	}
	if err := c.checkPaths(path, raw); err != nil {
		return err
	}
	if err := c.Model.check(path, raw); err != nil {
		return err
	}
	if c.Browser.Endpoint != "" && (c.Browser.Executable != "" || c.Browser.Profile != "") {
		return fault.Newf(fault.InvalidConfig, "%s line %d: endpoint goes with neither executable nor profile",
			path, lineOf(raw, toml.Key{"browser", "endpoint"})).
			WithHint("Keep the endpoint to attach to a running browser, or the other two to start one.")
	}
	return nil
}

func (c Config) checkTheme(path, raw string) error {
	if c.UI.Theme != "" && !slices.Contains(theme.Names(), c.UI.Theme) {
		return fault.Newf(fault.InvalidConfig, "%s line %d: theme %q is none of %s",
			path, lineOf(raw, toml.Key{"ui", "theme"}), c.UI.Theme, strings.Join(theme.Names(), ", "))
	}
	for _, role := range slices.Sorted(maps.Keys(c.UI.Colors)) {
		if wrong := theme.Check(role, c.UI.Colors[role]); wrong != "" {
			return fault.Newf(fault.InvalidConfig, "%s line %d: %s", path, lineOf(raw, toml.Key{"ui", "colors", role}), wrong)
		}
	}
	return nil
}

// checkPaths refuses relative paths: they would mean another file in each folder
// a command is started from.
func (c Config) checkPaths(path, raw string) error {
	for _, p := range []struct {
		key   toml.Key
		value string
	}{
		{toml.Key{"store", "path"}, c.Store.Path},
		{toml.Key{"browser", "profile"}, c.Browser.Profile},
		{toml.Key{"journal", "directory"}, c.Journal.Directory},
	} {
		if p.value != "" && !filepath.IsAbs(p.value) {
			return fault.Newf(fault.InvalidConfig, "%s line %d: %s is no absolute path", path, lineOf(raw, p.key), p.key).
				WithHint("Give the whole path, from /; ~ and variables are not expanded.")
		}
	}
	return nil
}

// lineOf finds the line a key stands on, 1 when it cannot be told: the TOML
// library keeps positions of errors, not of keys.
func lineOf(raw string, key toml.Key) int {
	table, name := "", key.String()
	for i, line := range strings.Split(raw, "\n") {
		line = strings.TrimSpace(line)
		if h, ok := strings.CutPrefix(line, "["); ok {
			table = strings.TrimSpace(strings.Split(strings.Trim(h, "[ "), "]")[0])
			if table == name {
				return i + 1
			}
			continue
		}
		k, _, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		full := strings.Trim(strings.TrimSpace(k), `"'`)
		if table != "" {
			full = table + "." + full
		}
		if full == name {
			return i + 1
		}
	}
	return 1
}

func (p Paths) String() string {
	return fmt.Sprintf("configuration %s\nstate         %s\nstore         %s\nsocket        %s\nlog           %s\ncrash files   %s",
		p.Config, p.State, p.Store, p.Socket(), p.Log(), p.Crash())
}
