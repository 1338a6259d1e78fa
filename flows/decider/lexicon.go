package decider

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"countersign/flows/parse"
)

// The tables of this file hold interface language only: nothing of any site.
// They are read, never written.

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
		m[stem(w)] = true
	}
	return m
}

var stopWords = set(`a an the of for to in on at by with and or is are be been was were am it its this that these those
	my your our their his her me i we you us please then from as into onto there here now so if will would can could
	should do does did has have had up out off just also very per via s t re about over again want
	wants any some such get make let being while when where which who what how every each both other another`)

var scaffold = set(`main page screen button link dialog notice banner field box window section menu icon popup modal overlay
	prompt choice all form application request view area panel bar message item tab step dropdown list control popover sheet website site shop`)

var roaming = set(`open show view see go visit click press tap choose select pick use display bring reveal enter
	activate navigate look read watch hit push take`)

var acting = set(`search add remove delete continue accept reject close send pay save submit confirm cancel order book
	buy publish post sort filter apply update sign signin signout signup register join play pause stop start download
	upload share copy print edit change reply forward archive refresh clear reset skip increase decrease plus minus
	expand collapse allow deny subscribe unsubscribe compose write create finish complete switch turn tick untick
	check uncheck enable disable install place transfer reserve discard undo checkout rename duplicate load follow unfollow
	like unlike star mark unmark deselect unselect move reschedule`)

// synonyms are one and the same word on a control.
var synonyms = map[string]string{
	"abort": "cancel", "children": "child", "people": "person", "men": "man", "women": "woman", "okay": "ok", "put": "add", "answer": "reply", "respond": "reply", "following": "unfollow", "favourite": "favorite",
	"favourites": "favorite", "customise": "customize", "cancell": "cancel", "travell": "travel", "labell": "label",
	"euro": "eur", "euros": "eur", "dollar": "usd", "dollars": "usd", "pound": "gbp", "pounds": "gbp", "homepage": "home", "fullscreen": "fullscreen",
	"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
	"deselect": "uncheck", "unselect": "uncheck", "untick": "uncheck", "tick": "check", "ticked": "checked", "unticked": "unchecked",
	"basket": "cart", "bag": "cart", "trolley": "cart",
	"find": "search", "lookup": "search", "seek": "search",
	"next": "continue", "proceed": "continue", "continu": "continue", "advanc": "continue",
	"dismiss": "close", "clos": "close", "hide": "close",
	"decline": "reject", "declin": "reject", "refuse": "reject", "refus": "reject", "deny": "reject",
	"agree": "accept", "allow": "accept",
	"login": "signin", "logon": "signin", "logout": "signout", "logoff": "signout", "signup": "signup",
	"e-mail": "email", "telephone": "phone", "mobile": "phone", "cell": "phone", "cellphone": "phone", "tel": "phone",
	"zip": "postcode", "zipcode": "postcode", "postal": "postcode", "postcod": "postcode", "pincode": "postcode",
	"cvv": "cvc", "cvv2": "cvc", "csc": "cvc", "expiration": "expiry", "expires": "expiry", "expir": "expiry",
	"surname": "lastname", "forename": "firstname", "birthday": "birthdate", "dob": "birthdate",
	"picture": "image", "photo": "image", "bin": "trash",
	"increase": "plus", "increas": "plus", "decrease": "minus", "decreas": "minus", "reduce": "minus", "reduc": "minus",
	"jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july", "aug": "august",
	"sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december",
	"mon": "monday", "tue": "tuesday", "wed": "wednesday", "thu": "thursday", "fri": "friday", "sat": "saturday", "sun": "sunday",
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"eleven": "11", "qty": "quantity", "colour": "color", "catalogue": "catalog",
	"sent": "send", "everything": "all", "paid": "pay", "bought": "buy", "chosen": "choose", "took": "take",
}

// kin are words that often stand for each other, but need not.
var kin = kinships(
	"open show view see go visit display detail",
	"choose select pick tick check mark",
	"pay buy purchase checkout place",
	"send submit",
	"submit finish complete confirm save",
	"submit register join apply",
	"publish post share",
	"delete remove trash discard erase",
	"book reserve",
	"write compose new create add",
	"accept ok",
	"confirm ok yes",
	"add plus more",
	"remove minus less fewer",
	"play start begin",
	"mute silence",
	"subtitle caption",
	"menu more option",
	"term condition",
	"clear reset remove",
	"forgot reset lost",
	"signup register join subscribe",
	"passenger traveller traveler guest person",
	"previous back",
	"policy statement notice",
	"job career vacancy",
	"contact support",
	"theme mode",
	"ad sponsor promoted advertisement",
	"unfollow follow",
	"complete finish done",
	"trash bin",
	"oneway single",
	"home start",
	"preference setting option",
	"edit change modify",
	"download export",
	"profile account",
	"big large huge great",
	"small little tiny",
	"car automobile vehicle",
	"sea ocean",
	"tasty delicious",
	"happy glad joyful",
	"sad unhappy",
	"fast quick rapid",
	"house home",
	"leave exit quit",
	"child kid",
	"film movie",
	"shop store",
	"ill sick",
	"road street",
	"angry mad furious",
	"smart clever intelligent",
	"stone rock",
	"gift present",
	"autumn fall",
	"doctor physician",
	"rich wealthy",
	"wrong false incorrect",
	"right correct true",
	"hard difficult",
	"easy simple",
	"old ancient",
	"beautiful pretty lovely",
	"scary frightening",
	"fire flame",
	"infant baby",
	"help assist aid",
	"error mistake",
	"reject skip",
	"mail email message letter",
	"train trip journey connection departure",
	"result match hit",
	"price fare cost amount",
	"product article good",
	"address street",
	"delivery shipping",
	"cookie consent privacy",
	"message body text content",
	"order purchase",
	"placed confirmed received",
	"nothing none empty",
)

// kinships gives every word those it shares a group with.
func kinships(groups ...string) map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for _, g := range groups {
		group := strings.Fields(g)
		for _, a := range group {
			c := canonical(a)
			if m[c] == nil {
				m[c] = map[string]bool{}
			}
			for _, b := range group {
				m[c][canonical(b)] = true
			}
		}
	}
	return m
}

type phrase struct {
	words []string
	term  string
}

// phrasesBy are the phrases by their first word, the longer ones first.
var phrasesBy = byFirst(phrases)

func byFirst(all []phrase) map[string][]phrase {
	m := map[string][]phrase{}
	for _, p := range all {
		m[p.words[0]] = append(m[p.words[0]], p)
	}
	for first := range m {
		slices.SortStableFunc(m[first], func(a, b phrase) int { return len(b.words) - len(a.words) })
	}
	return m
}

// phrases are replaced before stemming.
var phrases = []phrase{
	{[]string{"turn", "off", "the", "sound"}, "mute"},
	{[]string{"full", "screen"}, "fullscreen"},
	{[]string{"terms", "and", "conditions"}, "terms"},
	{[]string{"terms", "conditions"}, "terms"},
	{[]string{"stay", "signed", "in"}, "rememberme"},
	{[]string{"stay", "logged", "in"}, "rememberme"},
	{[]string{"keep", "me", "signed", "in"}, "rememberme"},
	{[]string{"keep", "me", "logged", "in"}, "rememberme"},
	{[]string{"remember", "me"}, "rememberme"},
	{[]string{"create", "a", "new", "account"}, "signup"},
	{[]string{"create", "new", "account"}, "signup"},
	{[]string{"new", "account"}, "signup"},
	{[]string{"go", "on"}, "continue"},
	{[]string{"get", "in", "touch"}, "contact"},
	{[]string{"start", "page"}, "home"},
	{[]string{"front", "page"}, "home"},
	{[]string{"home", "page"}, "home"},
	{[]string{"search", "result"}, "result"},
	{[]string{"search", "results"}, "results"},
	{[]string{"round", "trip"}, "roundtrip"},
	{[]string{"return", "flight"}, "roundtrip"},
	{[]string{"return", "trip"}, "roundtrip"},
	{[]string{"return", "ticket"}, "roundtrip"},
	{[]string{"similar", "to"}, "the"},
	{[]string{"related", "to"}, "the"},
	{[]string{"continue", "without", "accepting"}, "reject"},
	{[]string{"only", "necessary", "cookies"}, "reject"},
	{[]string{"necessary", "cookies", "only"}, "reject"},
	{[]string{"essential", "cookies", "only"}, "reject"},
	{[]string{"create", "an", "account"}, "signup"},
	{[]string{"create", "account"}, "signup"},
	{[]string{"necessary", "only"}, "reject"},
	{[]string{"only", "necessary"}, "reject"},
	{[]string{"essential", "only"}, "reject"},
	{[]string{"only", "essential"}, "reject"},
	{[]string{"strictly", "necessary"}, "reject"},
	{[]string{"no", "thanks"}, "reject"},
	{[]string{"no", "thank", "you"}, "reject"},
	{[]string{"not", "now"}, "reject"},
	{[]string{"maybe", "later"}, "reject"},
	{[]string{"got", "it"}, "accept"},
	{[]string{"i", "understand"}, "accept"},
	{[]string{"name", "on", "the", "card"}, "cardname"},
	{[]string{"name", "on", "card"}, "cardname"},
	{[]string{"cardholder", "name"}, "cardname"},
	{[]string{"card", "holder"}, "cardname"},
	{[]string{"cardholder"}, "cardname"},
	{[]string{"sign", "in"}, "signin"},
	{[]string{"signing", "in"}, "signin"},
	{[]string{"log", "in"}, "signin"},
	{[]string{"logging", "in"}, "signin"},
	{[]string{"log", "on"}, "signin"},
	{[]string{"sign", "up"}, "signup"},
	{[]string{"signing", "up"}, "signup"},
	{[]string{"sign", "out"}, "signout"},
	{[]string{"log", "out"}, "signout"},
	{[]string{"check", "out"}, "checkout"},
	{[]string{"checking", "out"}, "checkout"},
	{[]string{"look", "for"}, "search"},
	{[]string{"one", "way"}, "oneway"},
	{[]string{"first", "name"}, "firstname"},
	{[]string{"given", "name"}, "firstname"},
	{[]string{"last", "name"}, "lastname"},
	{[]string{"family", "name"}, "lastname"},
	{[]string{"postal", "code"}, "postcode"},
	{[]string{"post", "code"}, "postcode"},
	{[]string{"zip", "code"}, "postcode"},
	{[]string{"pin", "code"}, "postcode"},
	{[]string{"security", "code"}, "cvc"},
	{[]string{"verification", "value"}, "cvc"},
	{[]string{"phone", "number"}, "phone"},
	{[]string{"telephone", "number"}, "phone"},
	{[]string{"mobile", "number"}, "phone"},
	{[]string{"mobile", "phone"}, "phone"},
	{[]string{"email", "address"}, "email"},
	{[]string{"valid", "until"}, "expiry"},
	{[]string{"valid", "thru"}, "expiry"},
	{[]string{"expiry", "date"}, "expiry"},
	{[]string{"expiration", "date"}, "expiry"},
	{[]string{"birth", "date"}, "birthdate"},
	{[]string{"date", "of", "birth"}, "birthdate"},
}

var unaccented = map[rune]string{
	'à': "a", 'á': "a", 'â': "a", 'ã': "a", 'ä': "a", 'å': "a", 'ç': "c", 'è': "e", 'é': "e",
	'ê': "e", 'ë': "e", 'ì': "i", 'í': "i", 'î': "i", 'ï': "i", 'ñ': "n", 'ò': "o", 'ó': "o", 'ô': "o", 'õ': "o", 'ö': "o",
	'ø': "o", 'ù': "u", 'ú': "u", 'û': "u", 'ü': "u", 'ý': "y", 'ß': "ss", 'æ': "ae", 'œ': "oe",
}

var months = strings.Fields("january february march april may june july august september october november december")

var isoDate = regexp.MustCompile(`\b(\d{4})-(\d{2})-(\d{2})\b`)

var slashedDate = regexp.MustCompile(`\b(\d{1,2})/(\d{1,2})/(\d{4})\b`)

// expandDates spells 2026-10-14 and 14/10/2026 as calendars describe their
// days. One that reads in two ways stays a word of its own, 05:12:2026.
func expandDates(text string) string {
	if strings.Count(text, "-") < 2 && strings.Count(text, "/") < 2 {
		return text
	}
	text = slashedDate.ReplaceAllStringFunc(text, func(s string) string {
		if d, ok := parse.DateOf(s); ok {
			return strconv.Itoa(d.Day) + " " + months[d.Month-1] + " " + strconv.Itoa(d.Year)
		}
		return strings.ReplaceAll(s, "/", ":")
	})
	return isoDate.ReplaceAllStringFunc(text, func(s string) string {
		m := isoDate.FindStringSubmatch(s)
		month, err := strconv.Atoi(m[2])
		if err != nil || month < 1 || month > 12 {
			return s
		}
		return m[3] + " " + months[month-1] + " " + m[1]
	})
}

// kinds are words for the kind of thing that a row or a card is: "the mail from
// Fernwood Library" is found by what it says, not by the word mail.
var kinds = set(`mail email message letter product item article train connection trip journey result offer entry card record
	line event file folder note document contact post book hotel room flight row option choice
	account issue story video song ticket task todo project user customer order invoice setting theme preference information detail
	question suggestion day month date time slot appointment cost price word number text paragraph part section list answer survey
	person picture image file game track round slide card box one thing item cell`)

// complaints are what a page says when it refuses what was given.
var complaints = append(inAllTongues("complaints",
	"is required", "are required", "required field", "is invalid", "not valid", "invalid ", "not correct",
	"incorrect", "must contain", "must have", "cannot be empty", "can't be empty", "can’t be empty", "went wrong", "try again", "is missing",
	"enter a valid", "does not match", "do not match", "not recognised", "not recognized", "declined", "an error", "error:",
	"could not", "couldn't", "couldn’t", "failed", "needs your attention", "need your attention",
), requests...)

// requests are complaints too, unless fields came with them: then they only say
// what comes next.
var requests = inAllTongues("requests", "please enter", "please fill", "please choose", "please select", "must be")

// refusals are what a page says, on whatever page, when an act did not go
// through.
var refusals = inAllTongues("refusals",
	"declined", "was refused", "not accepted", "insufficient", "payment failed", "has failed", "went wrong",
	"could not be", "couldn't be", "couldn’t be", "not been", "was not sent", "not delivered",
)

// waiting is what a page says while it works.
var waiting = inAllTongues("waiting",
	"loading", "please wait", "one moment", "just a moment", "searching…", "searching...", "fetching",
	"processing", "working on it", "hang on",
)

// working is a line that says what the page is doing: "Looking for seats …".
var working = regexp.MustCompile(`(?m)^[a-z]+ing\b[^.\n]{0,40}(?:…|\.\.\.)$`)

// emptiness is what a page says when it found nothing.
var emptiness = inAllTongues("emptiness", "no results", "0 results", "nothing found", "nothing matched", "no matches", "no items", "none found")

// inAllTongues adds to English phrases what the other tongues say of that kind.
func inAllTongues(kind string, english ...string) []string {
	return append(english, abroad.says[kind]...)
}

func firstOf(lowered string, phrases []string) (string, bool) {
	for _, p := range phrases {
		if strings.Contains(lowered, p) {
			return p, true
		}
	}
	return "", false
}

// english are the words the tables of this file know: no other tongue is asked
// for them.
var english = knownWords(stopWords, scaffold, roaming, acting, kinds)

func knownWords(sets ...map[string]bool) map[string]bool {
	m := map[string]bool{}
	for _, s := range sets {
		for w := range s {
			m[w] = true
		}
	}
	for w := range synonyms {
		m[w] = true
	}
	for w := range kin {
		m[w] = true
	}
	for w := range ordinals {
		m[w] = true
	}
	return m
}
