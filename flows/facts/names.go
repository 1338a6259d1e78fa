package facts

import "strings"

// WithNames replaces every value in text, shared or secret, with ${name}: what a
// planner is told holds names only.
func (s *Set) WithNames(text string) string {
	text = s.Redact(text)
	for _, name := range s.Names() {
		text = strings.ReplaceAll(text, "‹"+name+"›", "${"+name+"}")
	}
	return text
}
