package browser

import (
	"encoding/json"
	"net/url"

	"countersign/surfaces"
	"countersign/surfaces/fault"
	"countersign/surfaces/host"
)

// driverName is the name in a binding.
const driverName = "chromium"

// binding is how a page is found again. It is written in two parts: the profile
// folder before the browser starts, the rest once it listens. One with a folder
// and no process means that there is no browser, and that the next one starts
// on that folder at that address.
type binding struct {
	Profile   string       `json:"profile,omitempty"`
	Temporary bool         `json:"temporary,omitempty"` // the folder goes with the browser
	Process   host.Process `json:"process,omitzero"`
	DevTools  string       `json:"devtools,omitempty"`
	Endpoint  string       `json:"endpoint,omitempty"` // attached: a browser of the person's
	Target    string       `json:"target,omitempty"`
	OwnTab    bool         `json:"own_tab,omitempty"` // attached: the tab is ours; not so in bindings of earlier versions
	Headed    bool         `json:"headed,omitempty"`
	Address   string       `json:"address,omitempty"` // last page, without what may hold a value
}

func (b binding) attached() bool { return b.Endpoint != "" }

// live reports whether the second part is there.
func (b binding) live() bool { return b.Target != "" }

func (b binding) encode() (surfaces.Binding, error) {
	raw, err := json.Marshal(b)
	return surfaces.Binding{Side: surfaces.Browser, Driver: driverName, Data: raw}, err
}

func decode(s surfaces.Binding) (binding, error) {
	var b binding
	if s.Side != surfaces.Browser || s.Driver != driverName {
		return b, fault.Newf(fault.Internal, "a binding of driver %q is not the browser's", s.Driver)
	}
	if err := json.Unmarshal(s.Data, &b); err != nil {
		return b, fault.Wrap(fault.Internal, err, "a browser's binding cannot be read")
	}
	return b, nil
}

// bare keeps of an address what leads back to a page and can hold no typed
// value: a query or a fragment may carry a form's fields.
func bare(address string) string {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}
