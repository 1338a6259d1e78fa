package safety

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words gives the lower-cased whole words of a text; punctuation counts as
// space. Characters that show nothing, such as a zero-width space, are dropped
// first, so that a page cannot hide a word by breaking it.
func Words(text string) []string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
			return -1
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			return unicode.ToLower(narrow(r))
		default:
			return ' '
		}
	}, text)
	return strings.Fields(text)
}

// narrow turns a full-width letter or digit into the plain one it stands for
// (Unicode block FF00: offset 0xFEE0).
func narrow(r rune) rune {
	if r >= 0xFF01 && r <= 0xFF5E {
		return r - 0xFEE0
	}
	return r
}

// phrase is a term of several words, such as "place order".
type phrase []string

func phrases(list ...string) []phrase {
	out := make([]phrase, len(list))
	for i, text := range list {
		out[i] = strings.Fields(text)
	}
	return out
}

// anyIn reports whether one of the phrases stands in words as it is.
func anyIn(words []string, list []phrase) bool {
	return slices.ContainsFunc(list, func(p phrase) bool { return p.in(words) >= 0 })
}

// in gives where p stands in words, -1 for nowhere.
func (p phrase) in(words []string) int {
	for i := 0; i+len(p) <= len(words); i++ {
		if slices.Equal(words[i:i+len(p)], p) {
			return i
		}
	}
	return -1
}

// spoken reports whether one of the phrases stands in words as a sentence has
// it: each word inflected ("placing the order"), articles between them.
func spoken(words []string, list []phrase) bool {
	return slices.ContainsFunc(list, func(p phrase) bool { return p.spokenIn(words) })
}

func (p phrase) spokenIn(words []string) bool {
	for i := range words {
		if !inflected(words[i], p[0]) {
			continue
		}
		at, rest := i+1, p[1:]
		for len(rest) > 0 && at < len(words) {
			switch {
			case inflected(words[at], rest[0]):
				rest = rest[1:]
			case !article(words[at]):
				rest = nil
				at = len(words) + 1
			}
			at++
		}
		if len(rest) == 0 && at <= len(words) {
			return true
		}
	}
	return false
}

func article(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "my", "your", "our", "their", "new":
		return true
	default:
		return false
	}
}

// inflected reports whether word is verb or a regular form of it: sends, sent
// is not, sending, deleted, deleting, submitting, replies.
func inflected(word, verb string) bool {
	if word == verb {
		return true
	}
	last := verb[len(verb)-1]
	stems := []string{verb}
	switch last {
	case 'e':
		stems = append(stems, verb[:len(verb)-1])
	case 'y':
		stems = append(stems, verb[:len(verb)-1]+"i")
	default:
		stems = append(stems, verb+string(last))
	}
	for _, stem := range stems {
		end, ok := strings.CutPrefix(word, stem)
		if !ok {
			continue
		}
		switch end {
		case "s", "es", "d", "ed", "ing":
			return true
		}
	}
	return false
}

// starts reports whether a word begins with a label of three letters or more.
func starts(word, label string) bool {
	return utf8.RuneCountInString(label) >= 3 && strings.HasPrefix(word, label)
}

func hasLetter(text string) bool { return strings.IndexFunc(text, unicode.IsLetter) >= 0 }

// blank reports whether a text shows nothing at all.
func blank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) }) < 0
}

func join(p phrase) string { return strings.Join(p, " ") }
