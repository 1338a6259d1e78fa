// Package origin judges addresses against the sites a task was given
// (tasks.md 7.1, surfaces.md 8.6). It reads an address as a browser would, so
// that no spelling of a host gets past the list. A leaf: pure, no network,
// names are never resolved. It keeps our own page on the list and contains no
// hostile one; nothing may promise more.
package origin

import (
	"slices"
	"strings"

	"countersign/surfaces/fault"
)

// List is a parsed list of origins. The zero List is empty and admits any
// page. Safe for concurrent use.
type List struct{ entries []entry }

// entry is one line of the list.
type entry struct {
	public bool   // *: any public host
	below  bool   // the hosts below host too
	host   string // normalised, no trailing dot
	port   string // empty: the default port of the page's scheme
}

// Parse reads the entries: a full origin (https://shop.test), a host and all
// below it (.shop.test, *.shop.test, https://.shop.test), a bare host, or *.
// An entry with a path, query or user info, or one that cannot be read, is
// INVALID_REQUEST.
func Parse(entries []string) (List, error) {
	var l List
	for _, raw := range entries {
		e, ok := parseEntry(strings.TrimSpace(raw))
		if !ok {
			return List{}, fault.Newf(fault.InvalidRequest, "%q is no origin", raw).
				WithHint("Write constraints.origins as https://shop.test, .shop.test for a host and all below it, or * for any public host.")
		}
		l.entries = append(l.entries, e)
	}
	return l, nil
}

// Empty reports whether there is no entry: any page is admitted.
func (l List) Empty() bool { return len(l.entries) == 0 }

// Named reports whether the list names its sites: at least one entry, and none
// is *. Only such a list may have card details typed on its pages.
func (l List) Named() bool {
	return !l.Empty() && !slices.ContainsFunc(l.entries, func(e entry) bool { return e.public })
}

// Admits reports whether a page at url may be shown, read and acted on. An
// address without a scheme, or one that no browser would open, is refused.
func (l List) Admits(url string) bool {
	if l.Empty() {
		return true
	}
	a, ok := parse(url)
	if !ok {
		return false
	}
	switch a.scheme {
	case "http", "https":
		return l.admitsHost(a)
	case "about":
		return a.opaque == "blank" || a.opaque == "srcdoc"
	case "chrome-error": // where Chrome shows that a page could not be loaded
		return true
	case "blob":
		inner, ok := parse(a.opaque)
		return ok && inner.web() && l.admitsHost(inner)
	default:
		return false
	}
}

// Of gives the origin of url as a browser writes it, https://shop.test:8443;
// "null" for a page that has none of its own, empty for what is no address.
func Of(url string) string {
	a, ok := parse(url)
	if !ok {
		return ""
	}
	if a.scheme == "blob" {
		if a, ok = parse(a.opaque); !ok {
			return "null"
		}
	}
	if !a.web() {
		return "null"
	}
	origin := a.scheme + "://" + a.host.text
	if a.port != "" && a.port != defaultPort(a.scheme) {
		origin += ":" + a.port
	}
	return origin
}

func (l List) admitsHost(a address) bool {
	return slices.ContainsFunc(l.entries, func(e entry) bool { return e.admits(a) })
}

func (e entry) admits(a address) bool {
	if e.public {
		return a.host.public()
	}
	host := a.host.name()
	if host != e.host && (!e.below || !strings.HasSuffix(host, "."+e.host)) {
		return false
	}
	want := e.port
	if want == "" {
		want = defaultPort(a.scheme)
	}
	return a.effectivePort() == want
}

func parseEntry(raw string) (entry, bool) {
	if raw == "*" {
		return entry{public: true}, true
	}
	rest := raw
	if scheme, after, ok := strings.Cut(raw, "://"); ok {
		if s := strings.ToLower(scheme); s != "http" && s != "https" {
			return entry{}, false
		}
		rest = strings.TrimSuffix(after, "/") // an origin as browsers copy it
	}
	if strings.ContainsAny(rest, `/\?#@`) {
		return entry{}, false
	}
	var e entry
	if after, ok := strings.CutPrefix(strings.TrimPrefix(rest, "*"), "."); ok {
		e.below, rest = true, after
	}
	hostText, port, ok := splitPort(rest)
	if !ok || strings.Contains(hostText, "*") {
		return entry{}, false
	}
	h, ok := parseHost(hostText)
	if !ok || e.below && h.addr.IsValid() {
		return entry{}, false
	}
	e.host, e.port = h.name(), port
	return e, e.host != ""
}
