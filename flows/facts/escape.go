package facts

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
)

// maxEntity is how far the semicolon of an HTML character reference is looked
// for; the few longer names stand for no character anybody types.
const maxEntity = 12

// escaped reads one escape at the start of text: what it says and how many bytes
// it takes, none when it is no escape. It knows percent encoding (RFC 3986, 2.1),
// HTML character references, and the backslashes of JSON and JavaScript.
func escaped(text string) (said string, n int) {
	if len(text) < 2 {
		return "", 0
	}
	switch text[0] {
	case '%':
		return coded(text, 1, 2, true)
	case '&':
		end := strings.IndexByte(text[:min(len(text), maxEntity)], ';')
		if end < 2 {
			return "", 0
		}
		if said = html.UnescapeString(text[:end+1]); said == text[:end+1] {
			return "", 0
		}
		return said, end + 1
	case '\\':
		return backslash(text)
	}
	return "", 0
}

// coded reads the hex digits of one escape: one byte, or one character.
func coded(text string, at, digits int, isByte bool) (string, int) {
	if len(text) < at+digits {
		return "", 0
	}
	v, err := strconv.ParseUint(text[at:at+digits], 16, 32)
	if err != nil {
		return "", 0
	}
	if isByte {
		return string([]byte{byte(v)}), at + digits
	}
	return string(rune(v)), at + digits
}

func backslash(text string) (string, int) {
	switch text[1] {
	case 'x':
		return coded(text, 2, 2, false)
	case 'u':
		said, n := coded(text, 2, 4, false)
		if n == 0 {
			return "", 0
		}
		if len(text) >= 2*n && text[n:n+2] == `\u` { // two halves of one character
			high, _ := strconv.ParseUint(text[2:n], 16, 32)
			low, err := strconv.ParseUint(text[n+2:2*n], 16, 32)
			if r := utf16.DecodeRune(rune(high), rune(low)); err == nil && r != '\uFFFD' {
				return string(r), 2 * n
			}
		}
		return said, n
	case 'n', 't', 'r', 'f', 'v':
		return " ", 2
	case 'b':
		return "\b", 2
	case '"', '\'', '\\', '/':
		return text[1:2], 2
	}
	return "", 0
}

// digitBefore reports whether a digit stands in front of text[i:], one of an
// escape not counted: %204111 is a space and a number.
func digitBefore(text string, i int) bool {
	if i == 0 || !isDigit(text[i-1]) {
		return false
	}
	for _, back := range []int{3, 4, 6} { // %20, \x20, \u0020
		if i >= back {
			if _, n := escaped(text[i-back : i]); n == back {
				return false
			}
		}
	}
	return true
}
