package facts

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxName is the longest name of a reference, in characters (flows.md
// section 4).
const maxName = 64

// Reference is one ${name} in a text, braces and all at text[Start:End].
type Reference struct {
	Name       string
	Start, End int
}

// References lists the ${name} of a text in order. The error, possibly several
// joined, says what is wrong with those that cannot be read: an unclosed ${, an
// empty ${}, a line break inside the braces, a name over 64 characters. The
// readable ones are listed all the same. $${ is a literal ${.
func References(text string) ([]Reference, error) {
	var refs []Reference
	var errs []error
	scan(text, func(p piece) {
		switch {
		case p.err != nil:
			errs = append(errs, p.err)
		case p.name != "":
			refs = append(refs, Reference{p.name, p.start, p.end})
		}
	})
	return refs, errors.Join(errs...)
}

// Expand replaces each ${name} that lookup knows, in one pass: an expanded
// value is never expanded again. An unknown reference stays as it is written;
// $${ becomes ${.
func Expand(text string, lookup func(name string) (string, bool)) string {
	if !strings.Contains(text, "${") {
		return text
	}
	var b strings.Builder
	scan(text, func(p piece) {
		switch {
		case p.escape:
			b.WriteString("${")
			return
		case p.name != "":
			if value, ok := lookup(p.name); ok {
				b.WriteString(value)
				return
			}
		}
		b.WriteString(text[p.start:p.end])
	})
	return b.String()
}

// piece is one stretch of a scanned text: plain text, an escape, a reference
// (name set), or something that looks like one but cannot be read (err set).
type piece struct {
	start, end int
	name       string
	escape     bool
	err        error
}

func scan(text string, emit func(piece)) {
	plain := 0 // start of the plain text not yet emitted
	for i := 0; i < len(text); {
		p := pieceAt(text, i)
		if p.end == 0 {
			i++
			continue
		}
		if plain < p.start {
			emit(piece{start: plain, end: p.start})
		}
		emit(p)
		i, plain = p.end, p.end
	}
	if plain < len(text) {
		emit(piece{start: plain, end: len(text)})
	}
}

// pieceAt reads what starts at i; its end is 0 when that is plain text.
func pieceAt(text string, i int) piece {
	rest := text[i:]
	if strings.HasPrefix(rest, "$${") {
		return piece{start: i, end: i + len("$${"), escape: true}
	}
	if !strings.HasPrefix(rest, "${") {
		return piece{}
	}
	open := i + len("${")
	body := text[open:]
	stop := strings.IndexAny(body, "}\r\n\u2028\u2029")
	if inner := strings.Index(body, "${"); inner >= 0 && (stop < 0 || inner < stop) {
		stop = inner
		if stop > 0 && body[stop-1] == '$' { // the escape $${ stays whole
			stop--
		}
	}
	if stop < 0 {
		return piece{start: i, end: len(text), err: fmt.Errorf("%s is not closed by }", excerpt(rest))}
	}
	p := piece{start: i, end: open + stop}
	switch body[stop] {
	case '}':
		p.end++
	case '$':
		p.err = fmt.Errorf("%s is not closed by } before the next ${", excerpt(text[p.start:p.end]))
		return p
	default:
		p.err = fmt.Errorf("a line break stands inside %s", excerpt(text[p.start:p.end]))
		return p
	}
	name := strings.TrimSpace(body[:stop])
	switch {
	case name == "":
		p.err = errors.New("${} names nothing")
	case utf8.RuneCountInString(name) > maxName:
		p.err = fmt.Errorf("the name in %s is longer than %d characters", excerpt(text[p.start:p.end]), maxName)
	default:
		p.name = name
	}
	return p
}

// excerpt quotes the start of a text for a message.
func excerpt(text string) string {
	const most = 24
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
