package facts

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// longDigits is from how many digits on a value is also found with spaces or
	// dashes between its digits (tasks.md 5.4). A shorter number, a CVV, is
	// matched only as it is.
	longDigits = 6

	// shortValue is up to how many characters a value is replaced only where it
	// stands as a whole word, or text would become unreadable (tasks.md 5.4).
	shortValue = 2

	// shortCoded is up to how many bytes a value is not looked for in base64 or
	// hex: so few characters occur by chance.
	shortCoded = 3

	// widest bounds how many bytes of a value one byte of a text can say: no
	// escape says more than twice its length. A value that the rest of a text is
	// too short for is not compared with it, or a long one that repeats itself
	// would be, from every place to the end.
	widest = 2
)

// pattern is one thing to look for.
type pattern struct {
	name   string
	secret bool
	how    matching
	text   string
}

// matching is how a pattern is compared with a text.
type matching int

const (
	asWritten matching = iota // escapes of URL, HTML and JSON count as what they say
	exactly                   // a short number, or one or two characters
	grouped                   // spaces, dashes and dots may stand between any two
	inBase64                  // the characters no neighbour has a part in
)

// cover is what Mask and Redact look for. It never changes once made.
type cover struct {
	patterns []pattern    // longest first
	first    [256][]entry // by the first byte of a pattern
}

// entry names a pattern, with what tells it from most texts.
type entry struct {
	rank   int
	how    matching
	second byte // 0: it has one byte only
	secret bool
}

// mayGoOn reports whether a text that says the first byte can go on as next.
func (e entry) mayGoOn(next byte) bool {
	switch {
	case e.second == next || e.second == 0:
		return true
	case e.how == asWritten:
		return next == '%' || next == '&' || next == '\\' || e.second == ' ' && !wordByte(next) || e.second >= utf8.RuneSelf
	}
	return e.how == grouped && !wordByte(next)
}

// match is text[start:end] that says the value of name.
type match struct {
	start, end int
	name       string
	rank       int // of its pattern: the longest is 0
}

// newCover lists every form of every value; nil when there is none.
func newCover(in *inner) *cover {
	c := &cover{}
	for name, value := range in.values {
		c.add(name, value, in.secret[name])
	}
	for name, value := range in.found {
		c.add(name, value, true)
	}
	for _, f := range in.forms {
		c.add(f.name, f.text, true)
	}
	if len(c.patterns) == 0 {
		return nil
	}
	slices.SortFunc(c.patterns, func(a, b pattern) int {
		return cmp.Or(cmp.Compare(len(b.text), len(a.text)), cmp.Compare(a.name, b.name), cmp.Compare(a.text, b.text), cmp.Compare(a.how, b.how))
	})
	c.patterns = slices.Compact(c.patterns)
	for i, p := range c.patterns {
		e := entry{rank: i, how: p.how, secret: p.secret}
		if len(p.text) > 1 {
			e.second = p.text[1]
		}
		c.first[p.text[0]] = append(c.first[p.text[0]], e)
	}
	return c
}

func (c *cover) add(name, value string, secret bool) {
	value = strings.Join(strings.Fields(value), " ")
	if value == "" {
		return
	}
	put := func(how matching, text string) { c.patterns = append(c.patterns, pattern{name, secret, how, text}) }
	digits := onlyDigits(value)
	if isNumber(value) && len(digits) < longDigits || utf8.RuneCountInString(value) <= shortValue {
		put(exactly, value)
		return
	}
	put(asWritten, value)
	if len(digits) >= longDigits {
		put(grouped, digits)
		put(grouped, strings.Map(func(r rune) rune {
			if between(r) {
				return -1
			}
			return r
		}, value))
	}
	if !secret {
		return
	}
	if twice := url.QueryEscape(value); twice != value {
		put(asWritten, twice) // an address inside an address
	}
	if len(value) <= shortCoded {
		return
	}
	for _, coded := range []string{hex.EncodeToString([]byte(value)), strings.ToUpper(hex.EncodeToString([]byte(value)))} {
		put(exactly, coded)
	}
	for before := range 3 {
		std := base64Core(base64.RawStdEncoding, value, before)
		put(inBase64, std)
		if other := base64Core(base64.RawURLEncoding, value, before); other != std {
			put(inBase64, other)
		}
	}
}

// base64Core is how a value reads in base64 behind a number of other bytes,
// without the characters that also hold bits of its neighbours.
func base64Core(enc *base64.Encoding, value string, before int) string {
	coded := enc.EncodeToString([]byte(strings.Repeat("\x00", before) + value))
	whole := (before + len(value)) * 8 / 6
	return coded[(before*8+5)/6 : whole]
}

// find gives every match in one pass over the text, that of the longest pattern
// first.
func (c *cover) find(text string, secretsOnly bool) []match {
	var found []match
	for i := range len(text) {
		found = c.findAt(found, text, i, 1, text[i], secretsOnly)
		if b := text[i]; b == '%' || b == '&' || b == '\\' {
			if said, n := escaped(text[i:]); n > 0 {
				found = c.findAt(found, text, i, n, said[0], secretsOnly)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(a.rank, b.rank) })
	return found
}

// findAt tries the patterns that begin with a byte, which text says at i in size
// bytes.
func (c *cover) findAt(found []match, text string, i, size int, first byte, secretsOnly bool) []match {
	next := byte(' ')
	if i+size < len(text) {
		next = text[i+size]
	}
	for _, e := range c.first[first] {
		if !e.mayGoOn(next) || secretsOnly && !e.secret {
			continue
		}
		p := &c.patterns[e.rank]
		if start, end, ok := p.at(text, i); ok {
			found = append(found, match{start, end, p.name, e.rank})
		}
	}
	return found
}

// at reports whether p stands in text at i, and from where to where it goes.
func (p *pattern) at(text string, i int) (start, end int, ok bool) {
	if len(p.text) > widest*(len(text)-i) {
		return 0, 0, false
	}
	switch p.how {
	case exactly:
		return i, i + len(p.text), strings.HasPrefix(text[i:], p.text) && p.alone(text, i, i+len(p.text))
	case grouped:
		end, ok = groupedAt(text, i, p.text)
		return i, end, ok
	case inBase64:
		if !strings.HasPrefix(text[i:], p.text) {
			return 0, 0, false
		}
		start, end = widen(text, i, i+len(p.text))
		return start, end, true
	case asWritten:
	}
	if end, ok = readAs(text, i, p.text, true); !ok {
		end, ok = readAs(text, i, p.text, false)
	}
	return i, end, ok && p.alone(text, i, end)
}

// alone keeps short values to whole words, and numbers out of longer numbers.
func (p *pattern) alone(text string, start, end int) bool {
	if isNumber(p.text) && (digitBefore(text, start) || end < len(text) && isDigit(text[end])) {
		return false
	}
	if utf8.RuneCountInString(p.text) > shortValue {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !wordRune(before) && !wordRune(after)
}

// readAs reads value from text at i: a space stands for any white space, and an
// escape for what it says unless the text is taken literally.
func readAs(text string, i int, value string, escapes bool) (end int, ok bool) {
	for j := 0; j < len(value); {
		if value[j] == ' ' {
			next := spaces(text, i, escapes)
			if next == i {
				return 0, false
			}
			i, j = next, j+1
			continue
		}
		if i >= len(text) {
			return 0, false
		}
		if escapes {
			if said, n := escaped(text[i:]); n > 0 && strings.HasPrefix(value[j:], said) {
				i, j = i+n, j+len(said)
				continue
			}
		}
		if text[i] != value[j] {
			return 0, false
		}
		i, j = i+1, j+1
	}
	return i, true
}

// spaces is where the white space at i ends.
func spaces(text string, i int, escapes bool) int {
	return while(text, i, escapes, unicode.IsSpace)
}

// groupedAt reads the characters of value in order with nothing but gaps between
// them, where they are no part of a longer run of digits.
func groupedAt(text string, i int, value string) (end int, ok bool) {
	if isDigit(value[0]) && digitBefore(text, i) {
		return 0, false
	}
	for j := 0; j < len(value); {
		if i < len(text) && text[i] == value[j] {
			i, j = i+1, j+1
			continue
		}
		next := while(text, i, true, between)
		if next == i || j == 0 {
			return 0, false
		}
		i = next
	}
	if isDigit(value[len(value)-1]) && i < len(text) && isDigit(text[i]) {
		return 0, false
	}
	return i, true
}

// between reports whether r may stand between two characters of a grouped
// number: a space, a dash or a dot of any kind, or what is not drawn.
func between(r rune) bool {
	return separator(r) || r == '.' || r == '\u00b7' || unicode.Is(unicode.Cf, r)
}

// while is where the run of characters of a kind ends that begins at i, escaped
// or not; in an address a plus is a space.
func while(text string, i int, escapes bool, kind func(rune) bool) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if escapes {
			if said, n := escaped(text[i:]); n > 0 {
				r, _ = utf8.DecodeRuneInString(said)
				size = n
			} else if r == '+' {
				r = ' '
			}
		}
		if !kind(r) {
			return i
		}
		i += size
	}
	return i
}

// widen takes in the characters beside a base64 match that hold some of its
// bits, and the padding.
func widen(text string, start, end int) (int, int) {
	if start > 0 && base64Char(text[start-1]) {
		start--
	}
	if end < len(text) && base64Char(text[end]) {
		end++
	}
	for end < len(text) && text[end] == '=' {
		end++
	}
	return start, end
}

func base64Char(b byte) bool {
	return wordByte(b) || strings.IndexByte("+/-_", b) >= 0
}

func wordRune(r rune) bool { return unicode.IsLetter(r) && r != utf8.RuneError || unicode.IsDigit(r) }

// isNumber reports whether a value is digits with nothing but spaces or dashes
// beside them; such a value must not match inside a longer number.
func isNumber(value string) bool {
	return onlyDigits(value) != "" && strings.IndexFunc(value, func(r rune) bool {
		return !separator(r) && (r < '0' || r > '9')
	}) < 0
}

func onlyDigits(value string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, value)
}

func wordByte(b byte) bool {
	return isDigit(b) || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
