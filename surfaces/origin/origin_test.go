package origin

import (
	"testing"

	"countersign/surfaces/fault"
)

func list(t *testing.T, entries ...string) List {
	t.Helper()
	l, err := Parse(entries)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestA84OriginRows(t *testing.T) {
	exact := []string{"https://shop.test"}
	below := []string{"https://.shop.test"}
	tests := []struct {
		entries []string
		url     string
		want    bool
	}{
		{exact, "https://shop.test", true},
		{exact, "https://shop.test/cart?a=b#c", true},
		{exact, "http://shop.test/", true},
		{exact, "https://shop.test:443/", true},
		{exact, "https://shop.test:8443/", false},
		{exact, "http://shop.test:443/", false},
		{exact, "https://www.shop.test/", false},
		{exact, "https://shop.test.evil.test/", false},
		{exact, "https://notshop.test/", false},
		{below, "https://shop.test/", true},
		{below, "https://a.b.shop.test/", true},
		{below, "https://notshop.test/", false},
		{[]string{".shop.test"}, "https://www.shop.test/", true},
		{[]string{"*.shop.test"}, "https://www.shop.test/", true},
		{[]string{"*.shop.test"}, "https://shop.test/", true},
		{[]string{"*.shop.test"}, "https://notshop.test/", false},
		{[]string{"shop.test"}, "https://shop.test/", true},
		{[]string{"https://shop.test:8443"}, "https://shop.test:8443/", true},
		{[]string{"https://shop.test:8443"}, "https://shop.test/", false},
		{[]string{"http://127.0.0.1:8081"}, "http://127.0.0.1:8081/cart", true},
		{[]string{"http://127.0.0.1:8081"}, "http://127.0.0.1:8082/", false},
		{[]string{"https://other.test", "https://shop.test/"}, "https://shop.test/", true},

		// A host is compared as the browser would open it.
		{exact, "HTTPS://SHOP.TEST/", true},
		{exact, "https://shop.test./", true},
		{exact, `https:\\shop.test\cart`, true},
		{exact, "https:shop.test", true},
		{exact, "https:////shop.test", true},
		{exact, "  https://shop.test\t/ ", true},
		{exact, "https://sh\nop.test/", true},
		{exact, "https://s%68op.test/", true},
		{exact, "https://ｓｈｏｐ.test/", true},
		{exact, "https://shop。test/", true},
		{exact, "https://someone:secret@shop.test/", true},
		{exact, "https://shop.test@evil.test/", false},
		{exact, "https://shop.test:443@evil.test/", false},
		{exact, `https://evil.test\@shop.test/`, false},
		{exact, `https://evil.test\.shop.test/`, false},
		{exact, "https://evil.test#@shop.test/", false},
		{exact, "https://evil.test?@shop.test/", false},
		{exact, "https://evil.test%2f.shop.test/", false},
		{below, "https://evil.test%2f.shop.test/", false},
		{below, "https://evil.test%00.shop.test/", false},
		{exact, "https://shop.test:99999/", false},
		{exact, "https://shop.test:4a/", false},
		{exact, "https://shop.tеst/", false}, // a Cyrillic е
		{[]string{"https://bücher.test"}, "https://xn--bcher-kva.test/", true},
		{[]string{"https://xn--bcher-kva.test"}, "https://BÜCHER.test/", true},
		{[]string{"http://127.0.0.1"}, "http://2130706433/", true},
		{[]string{"http://127.0.0.1"}, "http://0x7f.1/", true},
		{[]string{"http://127.0.0.1"}, "http://0177.0.0.1/", true},
		{[]string{"http://127.0.0.1"}, "http://１２７.０.０.１/", true},
		{[]string{"http://127.0.0.1"}, "http://127.0.0.256/", false},
		{[]string{"http://127.0.0.1"}, "http://4294967296/", false},
		{[]string{"http://[::1]"}, "http://[0:0:0:0:0:0:0:1]/", true},
		{[]string{"http://[::1]"}, "http://[::2]/", false},

		// Pages that are no web pages.
		{exact, "about:blank", true},
		{exact, "about:blank#x", true},
		{exact, "about:srcdoc", true},
		{exact, "about:config", false},
		{exact, "chrome-error://chromewebdata/", true},
		{exact, "chrome://settings/", false},
		{exact, "blob:https://shop.test/6ba7b810", true},
		{exact, "blob:https://evil.test/6ba7b810", false},
		{exact, "blob:null/6ba7b810", false},
		{exact, "blob:blob:https://shop.test/6ba7b810", false},
		{exact, "file:///etc/passwd", false},
		{exact, "data:text/html,hello", false},
		{exact, "javascript:alert(1)", false},
		{exact, "view-source:https://shop.test/", false},
		{exact, "ftp://shop.test/", false},
		{exact, "shop.test", false},
		{exact, "", false},
		{exact, "https://", false},

		{nil, "https://anything.test/", true},
	}
	for _, tt := range tests {
		t.Run(tt.url, func(t *testing.T) {
			if got := list(t, tt.entries...).Admits(tt.url); got != tt.want {
				t.Errorf("%v admits %q = %v, want %v", tt.entries, tt.url, got, tt.want)
			}
		})
	}
}

func TestA85PublicHostsOnly(t *testing.T) {
	tests := map[string]bool{
		"https://shop.test/": true, "https://shop.test:8443/": true, "http://93.184.216.34/": true,
		"http://[2606:4700::1111]/": true, "about:blank": true,

		"http://127.0.0.1": false, "http://[::1]": false, "http://printer.local": false,
		"http://2130706433/": false, "http://0x7f000001/": false, "http://127.1/": false, "http://0/": false,
		"http://localhost": false, "http://localhost./": false, "http://a.localhost/": false, "http://LOCALHOST:3000/": false,
		"http://printer": false, "http://box.internal/": false, "http://nas.home.arpa/": false, "http://home.arpa/": false,
		"http://10.1.2.3/": false, "http://172.16.0.1/": false, "http://172.31.255.255/": false, "http://192.168.1.1/": false,
		"http://169.254.169.254/": false, "http://100.64.0.1/": false, "http://224.0.0.1/": false,
		"http://255.255.255.255/": false, "http://198.18.0.1/": false, "http://203.0.113.9/": false,
		"http://[::]/": false, "http://[fe80::1]/": false, "http://[fd00::1]/": false, "http://[ff02::1]/": false,
		"http://[::ffff:127.0.0.1]/": false, "http://[::ffff:8.8.8.8]/": false, "http://[64:ff9b::7f00:1]/": false,
		"http://[2002:7f00:1::]/": false, "http://[2001:0:1::1]/": false, "http://[2001:db8::1]/": false,
		"http://[::127.0.0.1]/": false, "file:///etc/passwd": false,
	}
	all := list(t, "*")
	for url, want := range tests {
		if got := all.Admits(url); got != want {
			t.Errorf("SF-72 * admits %q = %v, want %v", url, got, want)
		}
	}
	if !list(t, "*", "http://127.0.0.1:8081").Admits("http://127.0.0.1:8081/") {
		t.Error("a private host named beside * is refused")
	}
}

func TestParseRefuses(t *testing.T) {
	bad := []string{
		"", " ", "https://", "https://shop.test/cart", "https://shop.test?a=b", "https://shop.test#x",
		"https://someone@shop.test", "ftp://shop.test", "file:///home", "about:blank", "https://shop.test:port",
		"https://shop.test:70000", "https://a b.test", "**", "*.*", "*.", ".", "*shop.test", "a.*.test", ".127.0.0.1",
		"[::1", "https://[::1%25eth0]", "https://1.2.3.4.5",
	}
	for _, entry := range bad {
		_, err := Parse([]string{"https://good.test", entry})
		if got := fault.CodeOf(err); got != fault.InvalidRequest {
			t.Errorf("Parse(%q) = %v, want INVALID_REQUEST", entry, err)
		}
	}
}

func TestNamedAndEmpty(t *testing.T) {
	tests := []struct {
		entries      []string
		named, empty bool
	}{
		{nil, false, true},
		{[]string{"*"}, false, false},
		{[]string{"https://shop.test", "*"}, false, false},
		{[]string{"https://shop.test", ".pay.test"}, true, false},
	}
	for _, tt := range tests {
		l := list(t, tt.entries...)
		if l.Named() != tt.named || l.Empty() != tt.empty {
			t.Errorf("%v: named %v, empty %v", tt.entries, l.Named(), l.Empty())
		}
	}
}

func TestOf(t *testing.T) {
	tests := map[string]string{
		"https://Shop.Test/cart":           "https://shop.test",
		"https://shop.test:443/":           "https://shop.test",
		"http://shop.test:443/":            "http://shop.test:443",
		"http://127.0.0.1:08081/a":         "http://127.0.0.1:8081",
		"http://2130706433:80":             "http://127.0.0.1",
		"http://[0:0::1]:80/":              "http://[::1]",
		"http://[::ffff:127.0.0.1]/":       "http://[::ffff:7f00:1]",
		"https://bücher.test/":             "https://xn--bcher-kva.test",
		"https://a:b@shop.test/":           "https://shop.test",
		"blob:https://shop.test:8443/6ba7": "https://shop.test:8443",
		"blob:nothing":                     "null",
		"about:blank":                      "null",
		"file:///etc/passwd":               "null",
		"no address":                       "",
		"https://":                         "",
	}
	for url, want := range tests {
		if got := Of(url); got != want {
			t.Errorf("Of(%q) = %q, want %q", url, got, want)
		}
	}
}

// FuzzAdmits: any bytes are judged without a panic, an origin is stable, and a
// page is admitted by its own origin.
func FuzzAdmits(f *testing.F) {
	for _, seed := range []string{"https://shop.test/", "http://2130706433", "http://[::ffff:1.2.3.4]:8", "blob:https://a.b/", "https://%ff.x", "https://xn--/", "https://．a"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, entry, url string) {
		if l, err := Parse([]string{entry}); err == nil {
			l.Admits(url)
		}
		o := Of(url)
		if o == "" || o == "null" {
			return
		}
		if again := Of(o); again != o {
			t.Errorf("Of(%q) = %q, and of that %q", url, o, again)
		}
		l, err := Parse([]string{o})
		if err != nil {
			return // a host no list can name, such as one that holds a star
		}
		if !l.Admits(url) {
			t.Errorf("%q does not admit %q", o, url)
		}
	})
}
