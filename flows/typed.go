package flows

import (
	"regexp"
	"strings"

	"countersign/flows/facts"
)

// Typed wording in a plain step (flows.md 9.8): "enter X into Y", "type 'X' in
// Y", "fill in Y with X".
var (
	typingVerb = regexp.MustCompile(`(?is)^\s*(?:please\s+)?(?:enter|type|input|write)\s+(.+?)[.\s]*$`)
	fillVerb   = regexp.MustCompile(`(?is)^\s*(?:please\s+)?fill(?:\s+in|\s+out)?\s+(?:the\s+)?(.+?)\s+with\s+(.+?)[.\s]*$`)
	quotedText = regexp.MustCompile(`(?s)^(?:"([^"]+)"|'([^']+)'|“([^”]+)”|‘([^’]+)’)(.*)$`)
	leadsToBox = regexp.MustCompile(`(?is)^\s*(?:in\s*to|in|as|for|on)\s+(?:the\s+)?(.+)$`)
	boxWords   = regexp.MustCompile(`(?i)\b(box|field|bar|input|textbox|form)\b`)
	goesOn     = regexp.MustCompile(`(?i)(\b(and|then|press|click|submit)\b|[,;])`)
	dataText   = regexp.MustCompile(`[0-9@]|^\$\{[^}]+\}$`)
	the        = regexp.MustCompile(`(?i)^the\s+`)
)

// typedWording reads a plain step that only types, as the slot it fills. The
// text is as written, before expansion.
func typedWording(text string) (Slot, bool) {
	if m := fillVerb.FindStringSubmatch(text); m != nil {
		typed, rest, ok := unquote(m[2])
		if !ok {
			typed, rest = m[2], ""
		}
		if strings.TrimSpace(rest) != "" || goesOn.MatchString(m[1]) || !ok && goesOn.MatchString(typed) {
			return Slot{}, false
		}
		return Slot{Name: box(m[1]), Text: strings.TrimSpace(typed)}, true
	}
	m := typingVerb.FindStringSubmatch(text)
	if m == nil {
		return Slot{}, false
	}
	if typed, rest, ok := unquote(m[1]); ok {
		led := leadsToBox.FindStringSubmatch(rest)
		if led == nil || goesOn.MatchString(led[1]) {
			return Slot{}, false
		}
		return Slot{Name: box(led[1]), Text: typed}, true
	}
	return unquoted(m[1])
}

// unquoted cuts at the first " into ", failing that at the last " in ", " as "
// or " for " before words that name a box.
func unquoted(text string) (Slot, bool) {
	lower := strings.ToLower(text)
	if i := strings.Index(lower, " into "); i > 0 {
		name := text[i+len(" into "):]
		if goesOn.MatchString(name) {
			return Slot{}, false
		}
		return Slot{Name: box(name), Text: strings.TrimSpace(text[:i])}, true
	}
	for _, word := range []string{" in ", " as ", " for "} {
		i := strings.LastIndex(lower, word)
		if i <= 0 {
			continue
		}
		typed, name := strings.TrimSpace(text[:i]), text[i+len(word):]
		if goesOn.MatchString(name) {
			continue
		}
		if boxWords.MatchString(name) || word == " in " && dataText.MatchString(typed) {
			return Slot{Name: box(name), Text: typed}, true
		}
	}
	return Slot{}, false
}

func unquote(text string) (typed, rest string, ok bool) {
	m := quotedText.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", "", false
	}
	return m[1] + m[2] + m[3] + m[4], m[5], true
}

// box is the name of a box without its article.
func box(name string) string {
	return strings.TrimSpace(the.ReplaceAllString(strings.TrimSpace(name), ""))
}

// saysSecret reports whether text refers to a secret: such a plain step types
// nothing, for only enter types secrets.
func (r *run) saysSecret(text string) bool {
	refs, err := facts.References(text)
	if err != nil {
		return false
	}
	for _, ref := range refs {
		if r.facts.IsSecret(ref.Name) {
			return true
		}
	}
	return false
}
