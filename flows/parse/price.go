package parse

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Price is an amount of money.
type Price struct {
	Amount   float64
	Text     string // decimal text with the digits as written: 2480.00
	Currency string // ISO 4217; empty when the text names none
}

// PriceOf reads a price (flows.md 11.1): the earliest amount that carries a
// currency, and only when none does the earliest bare number.
func PriceOf(s string) (Price, bool) {
	var bare *Price
	for _, n := range numbers(s) {
		currency := currencyOf(s, n)
		text, ok := n.decimal(currency == "EUR")
		if !ok || scaled(s[n.end:]) {
			continue
		}
		p := Price{Amount: value(text), Text: text, Currency: currency}
		if currency != "" {
			return p, true
		}
		if bare == nil && standsBare(s, n) {
			bare = &p
		}
	}
	if bare == nil {
		return Price{}, false
	}
	return *bare, true
}

// symbols are the currency signs, the longer ones of one sign first.
var symbols = []struct{ text, currency string }{
	{"US$", "USD"},
	{"AU$", "AUD"},
	{"CA$", "CAD"},
	{"NZ$", "NZD"},
	{"HK$", "HKD"},
	{"MX$", "MXN"},
	{"NT$", "TWD"},
	{"A$", "AUD"},
	{"C$", "CAD"},
	{"S$", "SGD"},
	{"R$", "BRL"},
	{"CN¥", "CNY"},
	{"JP¥", "JPY"},
	{"Rs.", "INR"},
	{"Rs", "INR"},
	{"₹", "INR"},
	{"$", "USD"},
	{"€", "EUR"},
	{"£", "GBP"},
	{"¥", "JPY"},
	{"￥", "JPY"},
}

// codes are the ISO 4217 codes read, in capitals only. Those that are English
// words (ALL, TOP) are left out.
var codes = strings.Fields(`AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GEL HKD HUF IDR ILS INR ISK
	JOD JPY KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NPR NZD OMR PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TRY TWD
	TZS UAH UGX USD UYU VND ZAR`)

// names are what a currency is called after an amount, longest first.
var names = []struct {
	words    []string
	currency string
}{
	{[]string{"indian", "rupees"}, "INR"},
	{[]string{"indian", "rupee"}, "INR"},
	{[]string{"us", "dollars"}, "USD"},
	{[]string{"us", "dollar"}, "USD"},
	{[]string{"japanese", "yen"}, "JPY"},
	{[]string{"british", "pounds"}, "GBP"},
	{[]string{"rupees"}, "INR"},
	{[]string{"rupee"}, "INR"},
	{[]string{"dollars"}, "USD"},
	{[]string{"dollar"}, "USD"},
	{[]string{"euros"}, "EUR"},
	{[]string{"euro"}, "EUR"},
	{[]string{"pounds"}, "GBP"},
	{[]string{"pound"}, "GBP"},
	{[]string{"yen"}, "JPY"},
}

func currencyOf(s string, n number) string {
	if c := currencyBefore(strings.TrimRightFunc(s[:n.start], unicode.IsSpace)); c != "" {
		return c
	}
	return currencyAfter(strings.TrimLeftFunc(s[n.end:], unicode.IsSpace))
}

func currencyBefore(s string) string {
	for _, sign := range symbols {
		if rest, ok := strings.CutSuffix(s, sign.text); ok && (!startsWithLetter(sign.text) || !letter(runeBefore(rest, len(rest)))) {
			return sign.currency
		}
	}
	for _, code := range codes {
		if rest, ok := strings.CutSuffix(s, code); ok && !letter(runeBefore(rest, len(rest))) {
			return code
		}
	}
	return ""
}

func currencyAfter(s string) string {
	for _, sign := range symbols {
		if rest, ok := strings.CutPrefix(s, sign.text); ok && !runsOn(sign.text, rest) && !unicode.IsDigit(runeAfter(rest, 0)) {
			return sign.currency // in "18:05 €75" the sign is the second number's
		}
	}
	for _, code := range codes {
		if rest, ok := strings.CutPrefix(s, code); ok && !letter(runeAfter(rest, 0)) {
			return code
		}
	}
	following := words(s[:min(len(s), 40)])
	for _, name := range names {
		if len(following) >= len(name.words) && slices.Equal(following[:len(name.words)], name.words) && startsWithLetter(s) {
			return name.currency
		}
	}
	return ""
}

// scaled reports whether a number goes on with a word for thousands or more:
// 7K, 2 lakh, 5 million. Such an amount is not what its digits say.
func scaled(rest string) bool {
	trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
	end := strings.IndexFunc(trimmed, func(r rune) bool { return !letter(r) })
	if end < 0 {
		end = len(trimmed)
	}
	switch strings.ToLower(trimmed[:end]) {
	case "k", "m", "l", "b", "bn", "mn", "cr", "lac", "lakh", "lakhs", "crore", "crores", "thousand", "million", "billion":
		return true
	default:
		return false
	}
}

// standsBare reports whether a number without a currency may be an amount: it
// touches no letter, is joined to none by a hyphen, is no percentage and no part
// of a time.
func standsBare(s string, n number) bool {
	before, after := runeBefore(s, n.start), runeAfter(s, n.end)
	switch {
	case letter(before) || letter(after):
		return false
	case before == ':' || after == ':':
		return false
	case hyphen(before) && letter(runeBefore(s, n.start-utf8.RuneLen(before))):
		return false
	case hyphen(after) && letter(runeAfter(s, n.end+utf8.RuneLen(after))):
		return false
	}
	return !strings.HasPrefix(strings.TrimLeftFunc(s[n.end:], unicode.IsSpace), "%")
}

func hyphen(r rune) bool { return r != utf8.RuneError && unicode.Is(unicode.Pd, r) }

// runsOn reports whether a sign made of letters goes on into a word: Rs in
// Rsvp.
func runsOn(sign, rest string) bool { return startsWithLetter(sign) && letter(runeAfter(rest, 0)) }

func startsWithLetter(s string) bool { return letter(runeAfter(s, 0)) }

// words lower-cases and splits at everything that is neither letter nor digit.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
