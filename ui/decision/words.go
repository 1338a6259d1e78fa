package decision

import (
	_ "embed"
	"encoding/hex"
	"strings"
	"sync"
)

//go:embed words.txt
var wordList string

// wordCount is 2 to the 11th: two words spell 22 bits (tasks.md 4.9).
const wordCount = 2048

var words = sync.OnceValue(func() []string { return strings.Fields(wordList) })

// Words spells the first 22 bits of a digest as two words, so that a person can
// compare it at a glance or aloud. Empty for what is no digest.
func Words(digest string) string {
	if len(digest) < 6 {
		return ""
	}
	b, err := hex.DecodeString(digest[:6])
	if err != nil {
		return ""
	}
	n := (int(b[0])<<16 | int(b[1])<<8 | int(b[2])) >> 2
	list := words()
	return list[n/wordCount] + " " + list[n%wordCount]
}
