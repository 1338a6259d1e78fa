package safety

import "slices"

// The classes of tasks.md 8.1, one table for flows and controller. "check out"
// as two words is not among them, for hotel forms are full of it; neither is
// "payment" alone.
var (
	paymentWords = phrases("pay", "paying", "buy", "buying", "purchase", "purchasing", "checkout")

	// Also matched as a sentence has them: "placing your order".
	paymentPhrases = phrases("place order", "confirm order", "complete order", "complete purchase", "make payment", "submit payment")

	irreversibleWords = phrases("send", "sending", "delete", "deleting", "publish", "publishing", "submit", "submitting",
		"remove", "erase", "discard", "overwrite", "transfer", "sign out", "signout", "log out", "logout", "move to trash")

	irreversiblePhrases = phrases("confirm booking", "confirm ride", "sign out", "log out")

	// hardToUndo are the words of tasks.md 8.2 rule 1.
	hardToUndo = phrases("delete", "remove", "send", "purchase", "buy", "pay", "submit", "confirm", "overwrite", "sign out",
		"erase", "discard", "publish", "transfer", "log out", "trash", "signout", "logout")

	lowering = []string{"remove", "decrease", "reduce", "minus", "subtract"}

	counted = []string{
		"adult", "adults", "child", "children", "infant", "infants", "passenger", "passengers",
		"guest", "guests", "room", "rooms",
	}
)

// Classify gives the class of a label or guard phrase. An empty label is
// irreversible: nobody knows what it does. A label of signs alone, such as ×,
// is not empty.
func Classify(label string) Class {
	words := Words(label)
	switch {
	case blank(label):
		return Irreversible
	case pays(words):
		return Payment
	}
	words = withoutCounters(words)
	if anyIn(words, irreversibleWords) || spoken(words, irreversiblePhrases) {
		return Irreversible
	}
	return Reversible
}

// HardToUndo finds the word of a label that an ordinary step must not press
// (tasks.md 8.2 rule 1). Counters such as "Remove Adult" are exempt.
func HardToUndo(label string) (word string, found bool) {
	words := withoutCounters(Words(label))
	for _, p := range hardToUndo {
		if p.in(words) >= 0 {
			return join(p), true
		}
	}
	return "", false
}

// CheckoutOnly reports whether a label classifies as payment by the word
// checkout alone: a shop's checkout leads to more forms (tasks.md 8.2, the one
// relaxation).
func CheckoutOnly(label string) bool {
	words := Words(label)
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "checkout" })
	return len(rest) < len(words) && !pays(rest)
}

// Names reports whether a guard's phrase names a control: the label stands in
// the phrase, starting at a word start (tasks.md 8.2 rule 3). "Send" and
// "Delete" are named by "sending the letter" and "deleting the draft"; "Rent"
// is not by "the current bill". A label of one or two letters, a size or a
// seat, must be a word of the phrase or its verb, and one without a letter
// names nothing.
func Names(phrase, label string) bool {
	said, name := Words(phrase), Words(label)
	if len(name) == 0 || !hasLetter(label) {
		return false
	}
	for i := 0; i+len(name) <= len(said); i++ {
		named := true
		for k, word := range name {
			last := k == len(name)-1
			if !inflected(said[i+k], word) && (!last || !starts(said[i+k], word)) {
				named = false
				break
			}
		}
		if named {
			return true
		}
	}
	return false
}

func pays(words []string) bool {
	return anyIn(words, paymentWords) || spoken(words, paymentPhrases)
}

// withoutCounters leaves out each lowering word that stands directly before
// something counted, unless the label speaks of details or information.
func withoutCounters(words []string) []string {
	if slices.Contains(words, "details") || slices.Contains(words, "information") {
		return words
	}
	var out []string
	for i, w := range words {
		if i+1 < len(words) && slices.Contains(lowering, w) && slices.Contains(counted, words[i+1]) {
			continue
		}
		out = append(out, w)
	}
	return out
}
