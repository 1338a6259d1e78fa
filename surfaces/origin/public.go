package origin

import (
	"net/netip"
	"slices"
	"strings"
)

// localNames are the names under which only local hosts live (RFC 6761, RFC
// 6762, RFC 8375, and the name ICANN reserved for private use).
func localNames() []string { return []string{"localhost", "local", "internal", "home.arpa"} }

// special4 and special6 are the blocks that are not globally reachable (IANA
// special-purpose address registries), and those that carry an IPv4 address
// inside an IPv6 one.
func special4() []string {
	return []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	}
}

func special6() []string {
	return []string{
		"2001::/23",                  // protocol assignments, Teredo among them
		"2002::/16",                  // 6to4
		"2001:db8::/32", "3fff::/20", // documentation
	}
}

// public reports whether * admits the host. It never resolves a name.
func (h host) public() bool {
	if h.addr.IsValid() {
		return publicAddress(h.addr)
	}
	name := h.name()
	if !strings.Contains(name, ".") {
		return false
	}
	return !slices.ContainsFunc(localNames(), func(local string) bool {
		return name == local || strings.HasSuffix(name, "."+local)
	})
}

func publicAddress(addr netip.Addr) bool {
	if addr.Is4() {
		return !within(addr, special4())
	}
	// Only 2000::/3 is handed out as global unicast; what lies outside it is
	// local, mapped, translated or reserved.
	return within(addr, []string{"2000::/3"}) && !within(addr, special6())
}

func within(addr netip.Addr, blocks []string) bool {
	return slices.ContainsFunc(blocks, func(block string) bool { return netip.MustParsePrefix(block).Contains(addr) })
}
