package cli

import (
	"strings"
	"testing"

	"countersign/surfaces/fault"
)

func TestConfigRefusesWithTheLine(t *testing.T) {
	cases := []struct{ name, raw, want string }{
		{"unknown key", "[browser]\nheaded = true\nheadd = true\n", "line 3: browser.headd is no setting"},
		{"unknown table", "[store]\npath = \"/x\"\n\n[brwser]\nheaded = true\n", "line 4: brwser is no setting"},
		{"wrong type", "[browser]\nheaded = \"yes\"\n", "line 2"},
		{"not toml", "[browser\n", "line 2"},
		{"theme", "[ui]\nbell = false\ntheme = \"pink\"\n", `line 3: theme "pink"`},
		{"a colour of no role", "[ui.colors]\ndecide = \"#ffaf00\"\nquote = \"#ff0000\"\n", "line 3: quote is no colour"},
		{"no colour", "[ui.colors]\ndecide = \"red\"\n", "line 2: decide is neither"},
		{"relative store", "[store]\npath = \"~/desk.db\"\n", "line 2: store.path is no absolute path"},
		{"relative profile", "[browser]\nheaded = true\nprofile = \"here\"\n", "line 3: browser.profile is no absolute path"},
		{"relative journal", "[journal]\ndirectory = \"here\"\n", "line 2: journal.directory is no absolute path"},
		{"endpoint beside profile", "[browser]\nprofile = \"/p\"\nendpoint = \"http://127.0.0.1:9222\"\n", "line 3: endpoint"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseConfig("config.toml", c.raw)
			if fault.CodeOf(err) != fault.InvalidConfig || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want INVALID_CONFIG with %q", err, c.want)
			}
		})
	}
}

func TestConfigReadsEverySetting(t *testing.T) {
	c, err := parseConfig("config.toml", `
[store]
path = "/var/desk.db"
[browser]
executable = "/usr/bin/chromium"
profile = "/p"
headed = true
[model]
base_url = "http://127.0.0.1:8080/v1"
model = "m"
api_key_env = "KEY"
[model.planner]
model = "big"
[journal]
directory = "/j"
[ui]
theme = "dark"
bell = false
notify = true
mouse = true
[ui.colors]
by_hand = "13"
`)
	if err != nil {
		t.Fatal(err)
	}
	if c.Store.Path != "/var/desk.db" || !c.Browser.Headed || c.Model.Planner.Model != "big" || *c.UI.Bell || !c.UI.Mouse || c.UI.Colors["by_hand"] != "13" {
		t.Errorf("got %+v", c)
	}
}

func TestPathsIgnoreRelativeXDG(t *testing.T) {
	env := map[string]string{"HOME": "/home/jo", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "/etc/xdg"}
	got := defaultPaths(func(k string) string { return env[k] })
	want := Paths{
		Config: "/etc/xdg/countersign/config.toml", State: "/home/jo/.local/state/countersign",
		Store: "/home/jo/.local/state/countersign/desk.db", Run: "/home/jo/.local/state/countersign/run",
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
