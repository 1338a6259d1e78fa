package facts

import (
	"slices"
	"strings"
	"unicode"
)

// The sensitive names of tasks.md 5.2, by family. Matched as whole words.
var (
	cardTerms = terms("card number", "cvv", "cvc", "security code", "card expiry", "expiry date", "expiry", "card pin")

	accessTerms = terms("password", "passcode", "pin", "otp", "one-time code", "one-time password")

	identityTerms = terms("passport", "passport number", "ssn", "social security", "aadhaar", "pan", "national id")

	bankTerms = terms("iban", "account number", "bank account", "routing number", "sort code")
)

// Sensitive reports whether a name by itself makes its value secret
// (tasks.md 5.2). Beside the words as separated, the words of a camelCase name
// count: cardNumber is a card number.
func Sensitive(name string) bool {
	return mentions(name, cardTerms) || mentions(name, accessTerms) || mentions(name, identityTerms) || mentions(name, bankTerms)
}

// CardName reports whether a name alone says card data: the card family without a
// word of the identity family, so that "passport expiry" is none.
func CardName(name string) bool {
	return mentions(name, cardTerms) && !mentions(name, identityTerms)
}

// CardNumber reports whether a value has the form of a card number: 13 to 19
// digits once spaces and dashes are gone, passing the Luhn check
// (tasks.md 5.3).
func CardNumber(value string) bool {
	digits := make([]byte, 0, 19)
	for _, r := range value {
		switch {
		case r >= '0' && r <= '9':
			if len(digits) == 19 {
				return false
			}
			digits = append(digits, byte(r-'0'))
		case !separator(r):
			return false
		}
	}
	return len(digits) >= 13 && luhn(digits)
}

// luhn is the check of ISO/IEC 7812-1, annex B: double every second digit from
// the right, add the digits, and the sum must divide by ten.
func luhn(digits []byte) bool {
	sum := 0
	for i, d := range digits {
		n := int(d)
		if (len(digits)-i)%2 == 0 {
			n *= 2
			if n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}

// separator reports whether r may stand between the digits of one number:
// a space or a dash of any kind.
func separator(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || r == '\u2212' // minus sign
}

// KindOf guesses what widget asks for a value (tasks.md section 3): text,
// email, phone, date or number. First hit wins, by containment, so "account"
// is a number: only a hint, never a reason to refuse a value.
func KindOf(name string) string {
	name = strings.ToLower(name)
	for _, row := range []struct {
		kind  string
		parts []string
	}{
		{"email", []string{"email"}},
		{"phone", []string{"phone", "mobile"}},
		{"date", []string{"date", "birth", "dob"}},
		{"number", []string{"count", "number of", "travellers"}},
	} {
		if slices.ContainsFunc(row.parts, func(part string) bool { return strings.Contains(name, part) }) {
			return row.kind
		}
	}
	return "text"
}

func terms(list ...string) [][]string {
	out := make([][]string, len(list))
	for i, term := range list {
		out[i] = words(term)
	}
	return out
}

func mentions(name string, terms [][]string) bool {
	plain, camel := words(name), words(splitCamel(name))
	return slices.ContainsFunc(terms, func(term []string) bool {
		return containsRun(plain, term) || containsRun(camel, term)
	})
}

// words lower-cases and splits at everything that is neither letter nor digit.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// splitCamel puts a space before a capital that follows a small letter or
// digit, and before the last capital of a run: myPINCode is my PIN Code.
func splitCamel(name string) string {
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) {
			after := unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1])
			last := unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if after || last {
				b.WriteByte(' ')
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

func containsRun(words, run []string) bool {
	for i := 0; i+len(run) <= len(words); i++ {
		if slices.Equal(words[i:i+len(run)], run) {
			return true
		}
	}
	return false
}
