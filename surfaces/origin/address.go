package origin

import (
	"strconv"
	"strings"
)

// address is a URL as far as an origin needs it (WHATWG URL Standard, section
// 4.4, for the special schemes http and https).
type address struct {
	scheme string // lower case
	host   host   // http and https only
	port   string // decimal without leading zeros; empty when not given
	opaque string // what follows any other scheme, without query and fragment
}

func (a address) web() bool { return a.scheme == "http" || a.scheme == "https" }

func (a address) effectivePort() string {
	if a.port != "" {
		return a.port
	}
	return defaultPort(a.scheme)
}

func defaultPort(scheme string) string {
	if scheme == "http" {
		return "80"
	}
	return "443"
}

// parse reads url as a browser does: white space and control characters at the
// ends, tabs and line ends anywhere are dropped, and for web pages a backslash
// is a slash and any number of them begins the authority.
func parse(url string) (address, bool) {
	url = strings.TrimFunc(url, func(r rune) bool { return r <= ' ' })
	url = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(url)
	scheme, rest, ok := strings.Cut(url, ":")
	if !ok || !isScheme(scheme) {
		return address{}, false
	}
	a := address{scheme: strings.ToLower(scheme)}
	if a.scheme == "blob" {
		a.opaque = rest
		return a, true
	}
	if !a.web() {
		a.opaque, _, _ = strings.Cut(rest, "#")
		a.opaque, _, _ = strings.Cut(a.opaque, "?")
		return a, true
	}
	rest = strings.TrimLeft(rest, `/\`)
	if end := strings.IndexAny(rest, `/\?#`); end >= 0 {
		rest = rest[:end]
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	hostText, port, ok := splitPort(rest)
	if !ok {
		return address{}, false
	}
	a.port = port
	a.host, ok = parseHost(hostText)
	return a, ok
}

func isScheme(s string) bool {
	for i, r := range strings.ToLower(s) {
		letter := r >= 'a' && r <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", r)) {
			return false
		}
	}
	return s != ""
}

// splitPort cuts host:port; an empty port is none.
func splitPort(s string) (hostText, port string, ok bool) {
	colon := strings.LastIndexByte(s, ':')
	if colon < 0 || colon < strings.LastIndexByte(s, ']') {
		return s, "", true
	}
	hostText, port = s[:colon], s[colon+1:]
	if port == "" {
		return hostText, "", true
	}
	if strings.Trim(port, "0123456789") != "" {
		return "", "", false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return "", "", false
	}
	return hostText, strconv.FormatUint(n, 10), true
}
