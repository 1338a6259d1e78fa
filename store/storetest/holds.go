package storetest

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"
)

// Holds reports whether the file at path holds value in any form a store could
// keep it in: as it is, in JSON, for an address, in base64 at any alignment, in
// hexadecimal, and for digits grouped by blanks or dashes, or ungrouped. It
// reads the raw file, so what was deleted but not overwritten counts too.
func Holds(t testing.TB, path, value string) bool {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range forms(value) {
		if form != "" && bytes.Contains(raw, []byte(form)) {
			return true
		}
	}
	return false
}

func forms(value string) []string {
	quoted, err := json.Marshal(value)
	if err != nil {
		panic(err) // a string always encodes
	}
	all := []string{
		value, strings.Trim(string(quoted), `"`), url.QueryEscape(value), url.PathEscape(value),
		hex.EncodeToString([]byte(value)), strings.ToUpper(hex.EncodeToString([]byte(value))),
	}
	all = append(all, base64Forms(value)...)
	if digits := digitsOf(value); len(digits) >= 8 {
		all = append(all, digits)
		for _, sep := range []string{" ", "-", "\u00a0"} {
			for _, size := range []int{1, 2, 3, 4} {
				all = append(all, grouped(digits, size, sep))
			}
		}
	}
	return all
}

// base64Forms are what stays the same of value's base64 whatever stands before
// and after it.
func base64Forms(value string) []string {
	var all []string
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		for shift := range 3 {
			text := enc.EncodeToString([]byte(strings.Repeat("\x00", shift) + value))
			from := (shift*8 + 5) / 6                   // the first character that is value's alone
			upTo := (shift + len(value)) * 8 / 6        // past the last one
			if text = text[from:upTo]; len(text) >= 6 { // shorter ones occur by chance
				all = append(all, text)
			}
		}
	}
	return all
}

func digitsOf(value string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, value)
}

func grouped(digits string, size int, sep string) string {
	var groups []string
	for len(digits) > size {
		groups, digits = append(groups, digits[:size]), digits[size:]
	}
	return strings.Join(append(groups, digits), sep)
}
