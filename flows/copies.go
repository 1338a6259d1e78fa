package flows

import (
	"regexp"
	"strings"

	"countersign/flows/safety"
	"countersign/surfaces"
)

// strikeCopies takes the same-labelled controls on the other items of a list
// out of the step, once the press showed an effect: "Add" on one card is not
// pressed on the next one too, unless the step asks for several.
func (s *step) strikeCopies(l *loop, screen *surfaces.Screen) {
	c := l.pressed
	if c == nil || c.Name == "" || several(l.text) {
		return
	}
	own := ordinalFree(c.Path)
	if own == strings.Join(c.Path, "›") {
		return // on no item of a list
	}
	for i := range screen.Candidates {
		other := &screen.Candidates[i]
		if other.Role != c.Role || other.Name != c.Name || ordinalFree(other.Path) != own || placeOf(other) == placeOf(c) {
			continue
		}
		if place := placeOf(other); !s.banned[place] {
			s.banned[place] = true
			l.copies = append(l.copies, place)
		}
	}
}

var ordinal = regexp.MustCompile(`^([a-z]+)(?: "[^"]*")? #\d+$`)

// ordinalFree is a path whose numbered parts are their role alone, so that two
// items of one list have the same.
func ordinalFree(path []string) string {
	parts := make([]string, len(path))
	for i, part := range path {
		parts[i] = part
		if m := ordinal.FindStringSubmatch(part); m != nil {
			parts[i] = m[1]
		}
	}
	return strings.Join(parts, "›")
}

// several reports whether a step wants more than one of the same: it says all,
// every, each or both, or a choosing verb with a count before a plural.
func several(text string) bool {
	words := safety.Words(text)
	for _, w := range words {
		switch w {
		case "all", "every", "each", "both":
			return true
		}
	}
	choosing := false
	for _, w := range words[:min(2, len(words))] {
		switch w {
		case "choose", "select", "pick", "add", "tick", "check", "mark", "take":
			choosing = true
		}
	}
	if !choosing {
		return false
	}
	for i, w := range words {
		if !counts(w) {
			continue
		}
		for _, noun := range words[i+1 : min(i+4, len(words))] {
			if len(noun) > 3 && strings.HasSuffix(noun, "s") {
				return true
			}
		}
	}
	return false
}

var numberWords = map[string]bool{
	"two": true, "three": true, "four": true, "five": true, "six": true, "seven": true, "eight": true,
	"nine": true, "ten": true, "eleven": true, "twelve": true, "several": true,
}

// counts reports whether a word is a count of 2 to 20.
func counts(w string) bool {
	if numberWords[w] {
		return true
	}
	n := 0
	for _, r := range w {
		if r < '0' || r > '9' || n > 20 {
			return false
		}
		n = n*10 + int(r-'0')
	}
	return n >= 2 && n <= 20
}

// focusedForm reports the controls Return would press: the focused button, or
// the buttons of the focused field's form.
func focusedForm(screen *surfaces.Screen) []*surfaces.Candidate {
	var form string
	var out []*surfaces.Candidate
	for i := range screen.Candidates {
		c := &screen.Candidates[i]
		if !c.Has(surfaces.Focused) {
			continue
		}
		if c.Role == "button" || c.Role == "link" {
			return []*surfaces.Candidate{c}
		}
		form = c.Form
	}
	for i := range screen.Candidates {
		if c := &screen.Candidates[i]; form != "" && c.Form == form && c.Role == "button" {
			out = append(out, c)
		}
	}
	return out
}
