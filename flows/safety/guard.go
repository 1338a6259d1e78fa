package safety

import "slices"

// Guard says what a stop_before phrase is worth (flows.md 3.3).
type Guard int

// What a phrase can be. Guards names an act that commits; SignIn speaks of
// signing in and nothing else, so it gates nothing; Unsure has a verb we do not
// know; Harmless names nothing worth guarding.
const (
	NoGuard Guard = iota
	Guards
	SignIn
	Unsure
	Harmless
)

func (g Guard) String() string {
	switch g {
	case Guards:
		return "guards"
	case SignIn:
		return "sign_in"
	case Unsure:
		return "unsure"
	case Harmless:
		return "harmless"
	case NoGuard:
		return "none"
	default:
		return "none"
	}
}

// The verbs of flows.md 3.3, in every form.
var (
	committing = phrases("book", "reserve", "post", "share", "order", "confirm", "cancel", "transfer", "install", "uninstall",
		"register", "unsubscribe", "sign up", "signup", "create account")

	// irreversibleVerbs are the irreversible wordings of 8.1 as a sentence has
	// them: "sending", "removing the file", "moving it to the trash".
	irreversibleVerbs = phrases("send", "delete", "publish", "submit", "remove", "erase", "discard", "overwrite", "transfer",
		"sign out", "signout", "log out", "logout", "trash", "pay", "buy", "purchase", "checkout")

	harmless = []string{
		"open", "show", "view", "read", "search", "sort", "filter", "scroll", "go", "continue", "next",
		"choose", "select", "close", "wait",
	}

	signIns = phrases("sign in", "signin", "log in", "login")

	// towards are the words a sign-in phrase may go on with.
	towards = []string{"to", "into", "on", "at", "with", "as", "using", "for"}

	// before are the words that may stand before its verb.
	before = []string{"the", "press", "click", "finish", "complete", "before"}
)

// GuardOf judges a stop_before phrase.
func GuardOf(text string) Guard {
	words := Words(text)
	switch {
	case SignInOnly(text):
		return SignIn
	case commits(words):
		return Guards
	case len(words) == 0:
		return Harmless
	}
	for _, w := range words {
		if article(w) {
			continue
		}
		if slices.ContainsFunc(harmless, func(verb string) bool { return inflected(w, verb) }) {
			return Harmless
		}
		break // only the head verb counts
	}
	return Unsure
}

// Commits reports whether an ordinary step asks for something that commits: one
// of its clauses ("… and send it") has such a word among its first four. Later
// words are what it is about, as in "open the page of my last order".
func Commits(text string) bool {
	words := Words(text)
	for start := 0; start <= len(words); {
		end := start
		for end < len(words) && words[end] != "and" && words[end] != "then" {
			end++
		}
		if commits(words[start:min(end, start+4)]) {
			return true
		}
		start = end + 1
	}
	return false
}

func commits(words []string) bool {
	return pays(words) || anyIn(words, irreversibleWords) || spoken(words, irreversiblePhrases) ||
		spoken(words, irreversibleVerbs) || spoken(words, committing)
}

// SignInOnly reports whether a guard's phrase is about signing in and nothing
// else: such a guard gates nothing (tasks.md 4.2). "Signing up", "paying or
// logging in" and anything that goes on to another act still guard.
func SignInOnly(text string) bool {
	words := Words(text)
	for i := range words {
		n := signInAt(words[i:])
		if n == 0 {
			continue
		}
		return !slices.ContainsFunc(words[:i], func(w string) bool { return !inflectedAny(w, before) }) && onlyWhere(words[i+n:])
	}
	return false
}

// signInAt gives how many words of a sign-in verb words start with.
func signInAt(words []string) int {
	for _, p := range signIns {
		if len(words) >= len(p) && inflected(words[0], p[0]) && slices.Equal(words[1:len(p)], p[1:]) {
			return len(p)
		}
	}
	return 0
}

// onlyWhere reports whether the words after a sign-in verb say no more than
// where or with what: "to the bank account".
func onlyWhere(words []string) bool {
	const most = 6 // words of a place; more is likely to hold another act
	if len(words) == 0 {
		return true
	}
	if len(words) > most || !slices.Contains(towards, words[0]) || commits(words) {
		return false
	}
	return !slices.ContainsFunc(words[1:], func(w string) bool {
		return w == "and" || w == "or" || w == "then" || slices.Contains(towards, w) && w != "with"
	})
}

func inflectedAny(word string, verbs []string) bool {
	return slices.ContainsFunc(verbs, func(verb string) bool { return inflected(word, verb) })
}

// ActOf gives the kind of a guarded act from the words of 8.1: what the control
// says first, then what the guard's phrase says. Anything that pays is pay.
func ActOf(phrase, label string) Act {
	said, named := Words(phrase), Words(label)
	if pays(said) || pays(named) {
		return ActPay
	}
	for _, words := range [][]string{named, said} {
		for _, row := range acts {
			if spoken(words, row.verbs) {
				return row.act
			}
		}
	}
	return ActOther
}

var acts = []struct {
	act   Act
	verbs []phrase
}{
	{ActDelete, phrases("delete", "remove", "erase", "discard", "overwrite", "trash", "uninstall")},
	{ActSend, phrases("send", "transfer")},
	{ActPublish, phrases("publish", "post", "share")},
	{ActConfirm, phrases("confirm", "submit", "book", "reserve", "order", "register", "sign up", "create account")},
}
