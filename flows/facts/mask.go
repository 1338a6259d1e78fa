package facts

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longDigits is from how many digits on a value is also found with spaces or
// dashes between its digits (tasks.md 5.4). A shorter one, a CVV, is matched
// only as it is.
const longDigits = 6

// shortValue is up to how many characters a value is replaced only where it
// stands as a whole word, or text would become unreadable (tasks.md 5.4).
const shortValue = 2

// Mask replaces every secret value in text with ${name}.
func (s *Set) Mask(text string) string { return s.replace(text, true) }

// Redact replaces every value in text, shared or secret, with ‹name›. The
// ${name} that Mask left and the ‹name› of an earlier Redact stay as they are.
func (s *Set) Redact(text string) string { return s.replace(text, false) }

// pattern is one thing to look for.
type pattern struct {
	name   string
	secret bool
	text   string
	digits bool // text is digits, and spaces or dashes may stand between them
}

// patterns lists what to look for, longest first.
func patterns(in *inner) []pattern {
	var out []pattern
	add := func(name, value string) {
		value = strings.TrimSpace(value)
		p := pattern{name: name, secret: in.secret[name], text: value}
		out = append(out, p)
		if squeezed := strings.Join(strings.Fields(value), " "); squeezed != value {
			p.text = squeezed
			out = append(out, p)
		}
		if d := onlyDigits(value); len(d) >= longDigits {
			p.text, p.digits = d, true
			out = append(out, p)
		}
	}
	for name, value := range in.values {
		add(name, value)
	}
	for _, f := range in.forms {
		add(f.name, f.text)
	}
	slices.SortFunc(out, func(a, b pattern) int {
		if d := len(b.text) - len(a.text); d != 0 {
			return d
		}
		return strings.Compare(a.name+a.text, b.name+b.text)
	})
	return out
}

// span is text[start:end] and what stands for it.
type span struct {
	start, end int
	with       string
}

// replace covers the text with spans, longest value first, and never looks
// again at what a replacement wrote. Where a shorter value overlaps a longer
// one, the part left over is replaced as well, so that no fragment remains.
func (s *Set) replace(text string, masking bool) string {
	in := s.inner()
	if text == "" || len(in.cover) == 0 {
		return text
	}
	spans := kept(in, text)
	for _, p := range in.cover {
		if masking && !p.secret {
			continue
		}
		with := "‹" + p.name + "›"
		if masking {
			with = "${" + p.name + "}"
		}
		for _, m := range p.find(text) {
			spans = claim(spans, span{m[0], m[1], with})
		}
	}
	return rewrite(text, spans)
}

// kept finds the placeholders of this set that already stand in the text; each
// stays as it is.
func kept(in *inner, text string) []span {
	var spans []span
	for name := range in.values {
		for _, mark := range []string{"${" + name + "}", "‹" + name + "›"} {
			for _, at := range indexAll(text, mark) {
				spans = claim(spans, span{at, at + len(mark), mark})
			}
		}
	}
	return spans
}

// claim adds the parts of m that no span covers yet; spans stay sorted.
func claim(spans []span, m span) []span {
	at, _ := slices.BinarySearchFunc(spans, m.start, func(s span, start int) int {
		if s.end <= start {
			return -1
		}
		return 1
	})
	var free []span
	rest := m
	end := at
	for ; end < len(spans) && spans[end].start < m.end; end++ {
		free = appendPart(free, span{rest.start, spans[end].start, m.with})
		free = append(free, spans[end])
		rest.start = spans[end].end
	}
	free = appendPart(free, rest)
	return slices.Replace(spans, at, end, free...)
}

func appendPart(spans []span, part span) []span {
	if part.start >= part.end {
		return spans
	}
	return append(spans, part)
}

func rewrite(text string, spans []span) string {
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.start])
		b.WriteString(s.with)
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// find gives the byte ranges of text that p matches.
func (p pattern) find(text string) [][2]int {
	if p.digits {
		return findDigits(text, p.text)
	}
	var found [][2]int
	wholeWord := utf8.RuneCountInString(p.text) <= shortValue
	number := isNumber(p.text)
	for _, at := range indexAll(text, p.text) {
		end := at + len(p.text)
		switch {
		case wholeWord && !standsAlone(text, at, end, wordRune):
		case number && !standsAlone(text, at, end, unicode.IsDigit):
		default:
			found = append(found, [2]int{at, end})
		}
	}
	return found
}

// findDigits finds digits in order with nothing but spaces and dashes between
// them, where they are no part of a longer run of digits.
func findDigits(text, digits string) [][2]int {
	var found [][2]int
	for i := 0; i < len(text); i++ {
		if text[i] != digits[0] || i > 0 && isDigit(text[i-1]) {
			continue
		}
		if end, ok := digitsAt(text, i, digits); ok {
			found = append(found, [2]int{i, end})
			i = end - 1
		}
	}
	return found
}

func digitsAt(text string, i int, digits string) (end int, ok bool) {
	n := 0
	for i < len(text) && n < len(digits) {
		if text[i] == digits[n] {
			i, n = i+1, n+1
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !separator(r) {
			return 0, false
		}
		i += size
	}
	if n < len(digits) || i < len(text) && isDigit(text[i]) {
		return 0, false
	}
	return i, true
}

// indexAll gives every place of part in text, overlapping ones too.
func indexAll(text, part string) []int {
	var at []int
	if part == "" {
		return nil
	}
	for from := 0; ; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			return at
		}
		at = append(at, from+i)
		from += i + 1
	}
}

// standsAlone reports whether neither neighbour of text[start:end] is of the
// given kind.
func standsAlone(text string, start, end int, kind func(rune) bool) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !kind(before) && !kind(after)
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

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
