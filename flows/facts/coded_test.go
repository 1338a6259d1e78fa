package facts

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// codings are the ways a page, an address or a script writes a value.
var codings = map[string]func(string) string{
	"as it is":         func(s string) string { return s },
	"query":            url.QueryEscape,
	"path":             url.PathEscape,
	"query twice":      func(s string) string { return url.QueryEscape(url.QueryEscape(s)) },
	"every byte":       func(s string) string { return percent(s) },
	"HTML":             html.EscapeString,
	"JSON":             func(s string) string { b, _ := json.Marshal(s); return strings.Trim(string(b), `"`) },
	"base64":           func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 for a URL": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"behind one byte":  func(s string) string { return base64.StdEncoding.EncodeToString([]byte(":" + s + ":")) },
	"behind two":       func(s string) string { return base64.StdEncoding.EncodeToString([]byte("a:" + s + "!")) },
	"hex":              func(s string) string { return hex.EncodeToString([]byte(s)) },
	"HEX":              func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
}

func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{s[i]})))
	}
	return b.String()
}

func TestEveryCodedFormIsMasked(t *testing.T) {
	for _, value := range []string{"correct horse/2?&<b>", `a"b'c\d+e%41`, "pässwörd€😀", "hunter2", "x=1&y=%"} {
		s := set(t, map[string]string{"password": value})
		for name, code := range codings {
			text := "see " + code(value) + " here"
			got := s.Mask(text)
			inside := strings.TrimSuffix(strings.TrimPrefix(got, "see "), " here")
			// Behind other bytes only what holds none of the value may stay.
			if inside != "${password}" && !strings.HasPrefix(name, "behind") || !strings.Contains(inside, "${password}") || len(inside) > len("${password}")+6 {
				t.Errorf("%s of %q: %q became %q", name, value, text, got)
			}
		}
	}
}

func TestGroupedDigitsAreMasked(t *testing.T) {
	s := set(t, map[string]string{"card number": card, "cvv": "123", "passport number": "X 1234567", "note": "12-34-56"}, "note")
	for text, want := range map[string]string{
		"4111.1111.1111.1111":                        "${card number}",
		"4111\u00a01111\u202f1111\u20091111":         "${card number}",
		"4111\u200b1111\u00ad11111111":               "${card number}",
		"card=4111%201111%201111+1111&x":             "card=${card number}&x",
		"card=%204111111111111111":                   "card=%20${card number}",
		`{"n":"\u00a04111&nbsp;1111&#160;1111-1111"`: `{"n":"\u00a0${card number}"`,
		"X1234567, X-123-4567":                       "${passport number}, ${passport number}",
		"on 12.34.56":                                "on ${note}",
		"cvv=%20123, 1.2.3, 1 2 3, %31%32%33":        "cvv=%20${cvv}, 1.2.3, 1 2 3, %31%32%33",
		"94111.1111.1111.1111":                       "94111.1111.1111.1111",
	} {
		if got := s.Mask(text); got != want {
			t.Errorf("Mask(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestA132_WhatCouldBeACardIsHidden(t *testing.T) {
	for text, want := range map[string]string{
		"Card 4242 4242 4242 4242, 12/31": "Card ${secret}, 12/31",
		"n=4242%204242%204242%204242&x":   "n=${secret}&x",
		"378282246310005":                 "${secret}",
		"4242 4242 4242 4243":             "4242 4242 4242 4243",
		"42424242424242424242424242":      "42424242424242424242424242",
		"call +45 20 30 40 50 for 12.50":  "call +45 20 30 40 50 for 12.50",
	} {
		if got := HideCards(text); got != want {
			t.Errorf("HideCards(%q) = %q, want %q", text, got, want)
		}
	}
}

// What a run came to know stays masked in later ones, and nobody is asked for
// it.
func TestLearn(t *testing.T) {
	given := set(t, map[string]string{"passport expiry": "1998-03-24", "city": "Aarhus"})
	run := given.Merge(map[string]string{"one-time code": "887766", "note": "shown"}).WithForm("passport expiry", "24/03/1998")
	s := given.Learn(run).Learn(run)
	if got, want := s.Mask("24/03/1998 887-766 shown"), "${passport expiry} ${one-time code} shown"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if code, _ := s.Reveal("one-time code"); code != "887766" || !s.IsSecret("one-time code") || s.Has("one-time code") || s.Has("note") {
		t.Errorf("%v reveals %q", s, code)
	}
	if got := s.SecretNames(); !cmp.Equal(got, []string{"passport expiry"}) {
		t.Errorf("asks for %q", got)
	}
	if got := s.Merge(map[string]string{"x": "y"}).Redact(s.Mask("887766")); got != "${one-time code}" {
		t.Errorf("got %q", got)
	}
	if given.Mask("887766") != "887766" {
		t.Error("learning changed the set it started from")
	}
	var none *Set
	if got := none.Learn(run).Mask("887766 24/03/1998"); got != "${one-time code} ${passport expiry}" {
		t.Errorf("nothing learned %q", got)
	}
}

// FuzzCoded puts a secret into a text in every form: none is left, and a text
// that does not say it stays as it is.
func FuzzCoded(f *testing.F) {
	f.Add("pay ", "correct horse/2", " now")
	f.Add("id=%20", "4111 1111 1111 1111", "&x=1")
	f.Add("&#", "a%41&lt;b", ";")
	f.Add(`\u00`, `\\x`, "=")
	f.Add("aGVsbG8=", "pässwörd", "%")
	f.Add("0", "\b00", "0")
	f.Fuzz(func(t *testing.T, before, value, after string) {
		value = strings.Join(strings.Fields(value), " ")
		if !utf8.ValidString(value) || len([]rune(value)) <= shortValue || strings.ContainsAny(value, "\x00$‹›{}") {
			return
		}
		s := new(Set).Merge(map[string]string{"password": value})
		if !says(before+after, value) {
			if got := s.Mask(before + after); got != before+after {
				t.Errorf("Mask(%q) with %q changed it to %q", before+after, value, got)
			}
		}
		if isNumber(value) {
			return // a longer number beside it would be another
		}
		for name, code := range codings {
			if len(value) <= shortCoded && (strings.HasPrefix(name, "b") || strings.EqualFold(name, "hex")) {
				continue
			}
			coded := code(value)
			if got := s.Mask("\n" + coded + "\n"); strings.Contains(got, coded) || !strings.Contains(got, "${password}") {
				t.Errorf("%s of %q stays: %q", name, value, got)
			}
			if got := s.Mask(before + "\n" + coded + "\n" + after); strings.Contains(strings.ReplaceAll(got, "${password}", "\x00"), coded) {
				t.Errorf("%s of %q stays: %q", name, value, got)
			}
		}
	})
}

// says reports, by other means than Mask, whether a text could say a value in
// any form.
func says(text, value string) bool {
	lower := strings.ToLower(text)
	if strings.Contains(lower, hex.EncodeToString([]byte(value))) {
		return true
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for skip := range 3 {
			coded := enc.EncodeToString([]byte("\x00\x00"[:skip] + value))
			if len(coded) > 4 && strings.Contains(text, coded[min(skip+1, len(coded)-2):len(coded)-1]) {
				return true
			}
		}
	}
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			if between(r) || r == '+' || r == utf8.RuneError {
				return -1
			}
			return r
		}, s)
	}
	for _, view := range []string{text, decoded(text), decoded(decoded(text))} {
		if strings.Contains(plain(view), plain(value)) || len(onlyDigits(value)) >= longDigits && strings.Contains(plain(view), onlyDigits(value)) {
			return true
		}
	}
	return false
}

// decoded reads every escape of a text once.
func decoded(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if said, n := escaped(text[i:]); n > 0 {
			b.WriteString(said)
			i += n
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}
