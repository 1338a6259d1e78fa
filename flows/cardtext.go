package flows

import (
	"strings"

	"countersign/surfaces"
)

// mostCardText is how much of a card is told with each of its controls.
const mostCardText = 160

// cardTexts gives, by the path of a numbered container, the words that stand in
// it outside its fields: what tells the third Delete of a list from the second
// where nothing names the items.
func cardTexts(screen *surfaces.Screen) map[string]string {
	out := map[string]string{}
	add := func(path []string, text string) {
		key := cardPath(path)
		if key == "" || text == "" || len(out[key]) >= mostCardText {
			return
		}
		out[key] = cut(strings.TrimSpace(out[key]+" "+text), mostCardText)
	}
	for _, t := range screen.TextNodes {
		if !t.Field {
			add(t.Path, t.Text)
		}
	}
	for i := range screen.Candidates {
		if c := &screen.Candidates[i]; c.Role == "link" {
			add(c.Path, c.Name)
		}
	}
	return out
}

// cardPath is a path up to its innermost numbered container; empty without one.
func cardPath(path []string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if numberedPart.MatchString(path[i]) {
			return strings.Join(path[:i+1], "\x00")
		}
	}
	return ""
}
