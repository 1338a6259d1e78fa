package decider

import (
	"encoding/json"
	"slices"
	"strings"
)

// span is a piece of a reply, in bytes: from, and up to and without to.
type span struct{ from, to int }

// named reads a value that is one of keys and nothing else. Its probability is
// that of the tokens it was written with, where the server gives them; without
// them the word counts in full, and the other framings weigh it. Nil when the
// value names no key.
func (v value) named(keys []string, fold func(string) string) map[string]float64 {
	var word string
	if v.raw[0] != '"' || json.Unmarshal(v.raw, &word) != nil {
		return nil
	}
	word = fold(word)
	if !slices.Contains(keys, word) {
		return nil
	}
	tokens := v.of.within(span{v.at.from + 1, v.at.to - 1})
	if len(tokens) == 0 {
		return map[string]float64{word: 1}
	}
	shares := map[string]float64{word: 1}
	for _, t := range tokens {
		shares[word] *= within(t.Probability)
	}
	if len(tokens) == 1 {
		for text, p := range tokens[0].Instead {
			if key := fold(strings.Trim(text, "\" \n\t")); key != word && whole(key, keys) {
				shares[key] += within(p)
			}
		}
	}
	fillUp(shares, keys)
	return shares
}

// within gives the tokens that wrote a piece of the text; none when the tokens
// are not those of the text.
func (c *Completion) within(s span) []Token {
	var all strings.Builder
	for _, t := range c.Tokens {
		all.WriteString(t.Text)
	}
	at := strings.Index(all.String(), c.Text)
	if at < 0 {
		return nil
	}
	at = -at
	var out []Token
	for _, t := range c.Tokens {
		if at < s.to && at+len(t.Text) > s.from {
			out = append(out, t)
		}
		at += len(t.Text)
	}
	return out
}

// whole reports a word that is a key and not the beginning of another: a token
// "1" may have been on its way to "12".
func whole(word string, keys []string) bool {
	begins := slices.ContainsFunc(keys, func(key string) bool { return key != word && strings.HasPrefix(key, word) })
	return slices.Contains(keys, word) && !begins
}

// fillUp gives what is left of 1 evenly to the keys that were not named: the
// server tells of the likeliest tokens only.
func fillUp(shares map[string]float64, keys []string) {
	left := 1.0
	for _, p := range shares {
		left -= p
	}
	others := len(keys) - len(shares)
	if left <= 0 || others <= 0 {
		return
	}
	for _, key := range keys {
		if _, named := shares[key]; !named {
			shares[key] = left / float64(others)
		}
	}
}
