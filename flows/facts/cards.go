package facts

import "unicode/utf8"

// Digits of a card number (tasks.md 5.3).
const (
	fewestCard = 13
	mostCard   = 19
)

// HideCards replaces every run of digits that has the form of a card number,
// whoever's it is, by ${secret}: for texts of a task one of whose secrets is not
// known.
func HideCards(text string) string {
	var spans []span
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) || digitBefore(text, i) {
			continue
		}
		if end := cardEnd(text, i); end > 0 {
			spans = append(spans, span{i, end, "${secret}"})
			i = end - 1
		}
	}
	return rewrite(text, spans)
}

// cardEnd is where the longest card number ends that begins at i; 0 when none
// does.
func cardEnd(text string, i int) int {
	end := 0
	digits := make([]byte, 0, mostCard)
	for i < len(text) {
		if !isDigit(text[i]) {
			r, _ := utf8.DecodeRuneInString(text[i:])
			next := while(text, i, true, between)
			if r == '\n' || next == i {
				break
			}
			i = next
			continue
		}
		if len(digits) == mostCard {
			break
		}
		digits = append(digits, text[i]-'0')
		i++
		if len(digits) >= fewestCard && luhn(digits) && (i == len(text) || !isDigit(text[i])) {
			end = i
		}
	}
	return end
}
