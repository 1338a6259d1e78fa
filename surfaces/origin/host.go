package origin

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxHost bounds what is read as a host, in bytes. DNS names have at most 253;
// percent escapes make three of one, full-width letters nine.
const maxHost = 253 * 9

// host is a host as a browser keeps it after parsing.
type host struct {
	text string     // as written in an origin: ASCII, lower case, IPv6 in brackets
	addr netip.Addr // valid for an address
}

// name is the host for comparing: a trailing dot names the same host.
func (h host) name() string { return strings.TrimSuffix(h.text, ".") }

// parseHost is the host parser of the WHATWG URL Standard, section 3.5.
func parseHost(s string) (host, bool) {
	if len(s) > maxHost {
		return host{}, false
	}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		return parseIPv6(inner)
	}
	decoded := percentDecode(s)
	if !utf8.ValidString(decoded) || strings.ContainsRune(decoded, utf8.RuneError) {
		return host{}, false
	}
	ascii, ok := toASCII(decoded)
	if !ok || ascii == "" || strings.ContainsFunc(ascii, forbidden) {
		return host{}, false
	}
	if !endsInNumber(ascii) {
		ok := strings.Trim(ascii, ".") != "" && !strings.HasSuffix(ascii, "..")
		return host{text: ascii}, ok
	}
	addr, ok := parseIPv4(ascii)
	return host{text: addr.String(), addr: addr}, ok
}

func parseIPv6(inner string) (host, bool) {
	text, ok := strings.CutSuffix(inner, "]")
	if !ok || strings.Contains(text, "%") || !strings.Contains(text, ":") {
		return host{}, false
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return host{}, false
	}
	return host{text: "[" + ipv6Text(addr) + "]", addr: addr}, true
}

// ipv6Text writes an embedded IPv4 address in hexadecimal, as browsers do.
func ipv6Text(addr netip.Addr) string {
	if !addr.Is4In6() {
		return addr.String()
	}
	b := addr.As16()
	return fmt.Sprintf("::ffff:%x:%x", binary.BigEndian.Uint16(b[12:]), binary.BigEndian.Uint16(b[14:]))
}

// percentDecode decodes what it can and leaves the rest for forbidden to find.
func percentDecode(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	decoded, err := url.PathUnescape(s)
	if err != nil {
		return s
	}
	return decoded
}

// toASCII is "domain to ASCII" with beStrict false (WHATWG URL Standard,
// section 3.3): full-width digits become digits, other dots become dots, other
// scripts become Punycode.
func toASCII(domain string) (string, bool) {
	lower := strings.ToLower(domain)
	if isASCII(domain) && !strings.Contains(lower, "xn--") {
		return lower, true
	}
	profile := idna.New(idna.MapForLookup(), idna.BidiRule(), idna.Transitional(false), idna.CheckHyphens(false),
		idna.CheckJoiners(true), idna.StrictDomainName(false), idna.VerifyDNSLength(false))
	ascii, err := profile.ToASCII(domain)
	return strings.ToLower(ascii), err == nil && isASCII(ascii)
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// forbidden is a forbidden domain code point (WHATWG URL Standard, section
// 3.1).
func forbidden(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune(`#/:<>?@[\]^|%`, r)
}

// endsInNumber decides that a host is meant as an IPv4 address, good or bad.
func endsInNumber(s string) bool {
	labels := strings.Split(strings.TrimSuffix(s, "."), ".")
	last := labels[len(labels)-1]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := parseNumber(last)
	return ok
}

// parseIPv4 reads one to four numbers, decimal, octal or hexadecimal; the last
// fills the bytes that are left.
func parseIPv4(s string) (netip.Addr, bool) {
	parts := strings.Split(strings.TrimSuffix(s, "."), ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var sum uint64
	for i, part := range parts {
		n, ok := parseNumber(part)
		if !ok {
			return netip.Addr{}, false
		}
		if i < len(parts)-1 {
			if n > 255 {
				return netip.Addr{}, false
			}
			sum |= n << (8 * (3 - i))
			continue
		}
		if n >= 1<<(8*(4-i)) {
			return netip.Addr{}, false
		}
		sum |= n
	}
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], uint32(sum)) // below 1<<32: every part was checked
	return netip.AddrFrom4(b), true
}

func parseNumber(s string) (uint64, bool) {
	base := 10
	switch {
	case s == "":
		return 0, false
	case strings.HasPrefix(s, "0x"):
		base, s = 16, s[2:]
	case len(s) > 1 && s[0] == '0':
		base, s = 8, s[1:]
	}
	if s == "" {
		return 0, true
	}
	if strings.ContainsAny(s, "+-_") {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}
