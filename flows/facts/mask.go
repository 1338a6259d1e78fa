package facts

import (
	"slices"
	"strings"
)

// Mask replaces every secret value in text with ${name}.
func (s *Set) Mask(text string) string { return s.replace(text, true) }

// Redact replaces every value in text, shared or secret, with ‹name›. The
// ${name} that Mask left and the ‹name› of an earlier Redact stay as they are.
func (s *Set) Redact(text string) string { return s.replace(text, false) }

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
	if text == "" || in.cover == nil {
		return text
	}
	found := in.cover.find(text, masking)
	if len(found) == 0 {
		return text
	}
	spans := kept(in, text)
	for _, m := range found {
		with := "‹" + m.name + "›"
		if masking {
			with = "${" + m.name + "}"
		}
		spans = claim(spans, span{m.start, m.end, with})
	}
	return rewrite(text, spans)
}

// kept finds the placeholders of this set that already stand in the text; each
// stays as it is.
func kept(in *inner, text string) []span {
	if !strings.Contains(text, "${") && !strings.Contains(text, "‹") {
		return nil
	}
	var spans []span
	for name := range in.names() {
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
