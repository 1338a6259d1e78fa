package flows

import (
	"regexp"
	"slices"

	"countersign/flows/safety"
)

// introduced splits "Booking reference: XK7" and "The code is ZX-4410" into the
// words that introduce a value and the value.
var introduced = regexp.MustCompile(`^([^:=]{1,60}?)(?:\s*[:=]\s+|\s+(?:is|are)(?:\s*:)?\s+)(\S.*)$`)

// smallWords introduce nothing by themselves.
var smallWords = map[string]bool{"the": true, "a": true, "an": true, "your": true, "my": true, "our": true, "of": true, "this": true, "here": true}

// valueOf is the part of a piece of text that a step asks for: a later step
// enters it, and a box for a code takes no sentence about the code. The words in
// front go only when the step names every one of them; anything else stays as it
// is shown.
func valueOf(piece, what string) string {
	m := introduced.FindStringSubmatch(piece)
	if m == nil {
		return piece
	}
	asked := map[string]bool{}
	for _, w := range safety.Words(what) {
		asked[w] = true
	}
	named := 0
	for _, w := range safety.Words(m[1]) {
		switch {
		case smallWords[w]:
		case asked[w]:
			named++
		default:
			return piece
		}
	}
	if named == 0 {
		return piece
	}
	return m[2]
}

// onlyNames reports a piece of text that is nothing but the name of what is
// asked for: a person who wants the seat does not want the word.
func onlyNames(piece, what string) bool {
	says, asks := telling(piece), telling(what)
	return len(says) > 0 && slices.Equal(says, asks)
}

// telling are the words of a text without the small ones, in order.
func telling(text string) []string {
	return slices.DeleteFunc(safety.Words(text), func(w string) bool { return smallWords[w] })
}
