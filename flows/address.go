package flows

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// bareHost is a host without a scheme: rail.example, localhost:8080/x, [::1].
var bareHost = regexp.MustCompile(`^(?:[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?|\[[0-9a-fA-F:.]+\])(?::[0-9]{1,5})?(?:[/?#].*)?$`)

// Address reads what browse may load: http and https, or a bare host, which
// means https. False for everything else: scripts, files, data, words. A name
// without a dot is a host only as localhost or behind a scheme.
func Address(text string) (address string, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.IndexFunc(text, unicode.IsControl) >= 0 {
		return "", false
	}
	if bareHost.MatchString(text) && hostLike(text) {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Opaque != "" {
		return "", false
	}
	if scheme := strings.ToLower(u.Scheme); scheme != "http" && scheme != "https" {
		return "", false
	}
	return text, true
}

// hostLike reports whether a bare host is more than a word.
func hostLike(text string) bool {
	u, err := url.Parse("https://" + text)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return strings.EqualFold(host, "localhost") || strings.Contains(strings.TrimSuffix(host, "."), ".")
}
