package cli

import (
	"net/url"
	"path/filepath"
	"regexp"

	"github.com/BurntSushi/toml"

	"countersign/surfaces/fault"
)

// Model names a language model; the key itself stands only in an environment
// variable or a file.
type Model struct {
	BaseURL    string `toml:"base_url"`
	Model      string `toml:"model"`
	APIKeyEnv  string `toml:"api_key_env"`
	APIKeyFile string `toml:"api_key_file"`
}

// ModelSection is [model]: one model for planner, rescuer and shaper, each of
// which may override any key, and for the decider when its section is there.
type ModelSection struct {
	Model

	Planner *Model `toml:"planner"`
	Rescuer *Model `toml:"rescuer"`
	Shaper  *Model `toml:"shaper"`
	Decider *Model `toml:"decider"`
}

// models joins the section with the overrides. Without [model] there are none;
// the decider needs its own section, though an empty one will do.
func (s *ModelSection) models() Models {
	if s == nil {
		return Models{}
	}
	m := Models{Planner: s.joined(s.Planner), Rescuer: s.joined(s.Rescuer), Shaper: s.joined(s.Shaper)}
	if s.Decider != nil {
		m.Decider = s.joined(s.Decider)
	}
	return m
}

// joined is nil when neither the section nor the override name a model or an
// address: a person may want a model for one role alone.
func (s *ModelSection) joined(override *Model) *Model {
	m := s.Model
	if override == nil {
		override = &Model{}
	}
	if !sameServer(override.BaseURL, m.BaseURL) || override.APIKeyEnv+override.APIKeyFile != "" {
		m.APIKeyEnv, m.APIKeyFile = override.APIKeyEnv, override.APIKeyFile
	}
	if override.BaseURL != "" {
		m.BaseURL = override.BaseURL
	}
	if override.Model != "" {
		m.Model = override.Model
	}
	if m.BaseURL == "" && m.Model == "" {
		return nil
	}
	return &m
}

// sameServer keeps a key from going to another server than the one it was
// given for. No override is the same server.
func sameServer(override, base string) bool {
	if override == "" {
		return true
	}
	a, errA := url.Parse(override)
	b, errB := url.Parse(base)
	return errA == nil && errB == nil && a.Scheme == b.Scheme && a.Host == b.Host
}

// check finds what no client could be made of.
func (s *ModelSection) check(path, raw string) error {
	if s == nil {
		return nil
	}
	sections := []struct {
		name string
		own  *Model
	}{{"", &s.Model}, {"planner", s.Planner}, {"rescuer", s.Rescuer}, {"shaper", s.Shaper}, {"decider", s.Decider}}
	for _, section := range sections {
		if section.own == nil {
			continue
		}
		at := place{path, raw, toml.Key{"model"}}
		if section.name != "" {
			at.section = append(at.section, section.name)
		}
		if err := section.own.check(at); err != nil {
			return err
		}
	}
	return s.complete(path, raw)
}

// complete holds that each role that is configured has an address and a model.
func (s *ModelSection) complete(path, raw string) error {
	all := s.models()
	roles := []struct {
		name   string
		own    *Model
		joined *Model
	}{
		{"planner", s.Planner, all.Planner},
		{"rescuer", s.Rescuer, all.Rescuer},
		{"shaper", s.Shaper, all.Shaper},
		{"decider", s.Decider, all.Decider},
	}
	for _, r := range roles {
		asked := r.own != nil || s.Model != (Model{}) && r.name != "decider"
		if !asked || r.joined != nil && r.joined.BaseURL != "" && r.joined.Model != "" {
			continue
		}
		at := place{path, raw, toml.Key{"model"}}
		if r.own != nil {
			at.section = append(at.section, r.name)
		}
		missing := "base_url"
		if r.joined != nil && r.joined.BaseURL != "" {
			missing = "model"
		}
		return at.fault(at.section, "["+at.section.String()+"] needs "+missing).
			WithHint("Give base_url and model in [model]; [model.planner] and its like may override them.")
	}
	if all == (Models{}) {
		at := place{path, raw, toml.Key{"model"}}
		return at.fault(at.section, "[model] needs base_url and model").WithHint("Give both, or take the section out.")
	}
	return nil
}

// variableName is what POSIX allows (IEEE 1003.1, 8.1), lower case included.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// check looks at each key by itself. It quotes no value: a key that was put in
// the wrong place would be spelled.
func (m *Model) check(at place) error {
	if m.BaseURL != "" && !modelAddress(m.BaseURL) {
		return at.fault(at.key("base_url"), "base_url is no address of a model server").
			WithHint("Give it as http://127.0.0.1:8080/v1, without user, password, query or fragment.")
	}
	if m.APIKeyEnv != "" && m.APIKeyFile != "" {
		return at.fault(at.key("api_key_file"), "api_key_env and api_key_file exclude each other").
			WithHint("Keep the one that holds the key.")
	}
	if m.APIKeyEnv != "" && !variableName.MatchString(m.APIKeyEnv) {
		return at.fault(at.key("api_key_env"), "api_key_env is no name of an environment variable").
			WithHint("Name the variable that holds the key; the key itself never stands in this file.")
	}
	if m.APIKeyFile != "" && !filepath.IsAbs(m.APIKeyFile) {
		return at.fault(at.key("api_key_file"), "api_key_file is no absolute path").
			WithHint("Name the file that holds the key from / on; the key itself never stands in this file.")
	}
	return nil
}

func modelAddress(base string) bool {
	u, err := url.Parse(base)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

// place is a section of the configuration file.
type place struct {
	path, raw string
	section   toml.Key
}

func (p place) key(name string) toml.Key { return append(append(toml.Key{}, p.section...), name) }

func (p place) fault(key toml.Key, message string) *fault.Error {
	return fault.Newf(fault.InvalidConfig, "%s line %d: %s", p.path, lineOf(p.raw, key), message)
}
