package cli

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"countersign/surfaces/fault"
)

func TestModelConfigRefusesWithTheLine(t *testing.T) {
	const good = "[model]\nbase_url = \"http://127.0.0.1:8080/v1\"\nmodel = \"m\"\n"
	cases := []struct{ name, raw, want string }{
		{"empty section", "\n[model]\n", "line 2: [model] needs base_url and model"},
		{"no base_url", "[model]\nmodel = \"m\"\n", "line 1: [model] needs base_url"},
		{"no model", "[model]\nbase_url = \"http://h/v1\"\n", "line 1: [model] needs model"},
		{"only a key", "[model]\napi_key_env = \"K\"\n", "line 1: [model] needs base_url"},
		{"a role alone without model", "[model.planner]\nbase_url = \"http://h/v1\"\n", "line 1: [model.planner] needs model"},
		{"a decider with nothing to inherit", "[model.decider]\n", "line 1: [model.decider] needs base_url"},
		{"no scheme", "[model]\nbase_url = \"127.0.0.1:8080/v1\"\nmodel = \"m\"\n", "line 2: base_url"},
		{"password in it", "[model]\nmodel = \"m\"\nbase_url = \"http://jo:pass@h/v1\"\n", "line 3: base_url"},
		{"key in it", "[model]\nmodel = \"m\"\nbase_url = \"http://h/v1?key=sk-1\"\n", "line 3: base_url"},
		{"in a role", good + "[model.shaper]\nbase_url = \"h\"\n", "line 5: base_url"},
		{"both keys", good + "api_key_env = \"K\"\napi_key_file = \"/k\"\n", "line 5: api_key_env and api_key_file"},
		{"key in place of its variable", good + "api_key_env = \"sk-1-secret\"\n", "line 4: api_key_env is no name"},
		{"key in place of its file", good + "[model.decider]\napi_key_file = \"sk-1-secret\"\n", "line 5: api_key_file is no absolute path"},
		{"key itself", good + "api_key = \"sk-1-secret\"\n", "line 4: model.api_key is no setting"},
		{"role in a role", good + "[model.planner]\nmodel = \"b\"\n[model.planner.shaper]\nmodel = \"c\"\n", "line 6: model.planner.shaper is no setting"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseConfig("config.toml", c.raw)
			f := fault.Of(err)
			if f == nil || f.Code != fault.InvalidConfig || !strings.Contains(f.Message, c.want) || f.Hint == "" {
				t.Fatalf("got %+v, want INVALID_CONFIG with %q", f, c.want)
			}
			if strings.Contains(f.Message+f.Hint, "sk-1") || strings.Contains(f.Message+f.Hint, "jo:") {
				t.Errorf("a value that may be a key is quoted: %+v", f)
			}
		})
	}
}

func TestModelsOfTheRoles(t *testing.T) {
	const base = "[model]\nbase_url = \"https://models.test/v1\"\nmodel = \"big\"\napi_key_env = \"KEY\"\n"
	big := Model{BaseURL: "https://models.test/v1", Model: "big", APIKeyEnv: "KEY"}
	with := func(change func(*Model)) *Model {
		m := big
		change(&m)
		return &m
	}
	cases := []struct {
		name, raw string
		want      Models
	}{
		{"no section", "", Models{}},
		{"all three, no decider", base, Models{&big, &big, &big, nil}},
		{"an empty decider inherits", base + "[model.decider]\n", Models{&big, &big, &big, &big}},
		{"another model", base + "[model.planner]\nmodel = \"huge\"\n", Models{with(func(m *Model) { m.Model = "huge" }), &big, &big, nil}},
		{
			"another path of the server keeps the key", base + "[model.shaper]\nbase_url = \"https://models.test/v2\"\n",
			Models{&big, &big, with(func(m *Model) { m.BaseURL = "https://models.test/v2" }), nil},
		},
		{
			"another server gets no key", base + "[model.decider]\nbase_url = \"http://127.0.0.1:8080/v1\"\nmodel = \"small\"\n",
			Models{&big, &big, &big, &Model{BaseURL: "http://127.0.0.1:8080/v1", Model: "small"}},
		},
		{
			"a key of its own", base + "[model.rescuer]\napi_key_file = \"/k\"\n",
			Models{&big, with(func(m *Model) { m.APIKeyEnv, m.APIKeyFile = "", "/k" }), &big, nil},
		},
		{
			"a decider alone", "[model.decider]\nbase_url = \"http://127.0.0.1:8080/v1\"\nmodel = \"small\"\n",
			Models{nil, nil, nil, &Model{BaseURL: "http://127.0.0.1:8080/v1", Model: "small"}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var config Config
			if _, err := toml.Decode(c.raw, &config); err != nil {
				t.Fatal(err)
			}
			got := config.Model.models()
			for _, role := range []struct {
				name      string
				got, want *Model
			}{
				{"planner", got.Planner, c.want.Planner},
				{"rescuer", got.Rescuer, c.want.Rescuer},
				{"shaper", got.Shaper, c.want.Shaper},
				{"decider", got.Decider, c.want.Decider},
			} {
				if (role.got == nil) != (role.want == nil) || role.got != nil && *role.got != *role.want {
					t.Errorf("%s: got %+v, want %+v", role.name, role.got, role.want)
				}
			}
		})
	}
}
