package flows

import (
	"strings"

	"countersign/surfaces"
)

const (
	mostBeside  = 80 // characters of text told as standing beside a control
	mostHeading = 48 // characters of a text that may be a heading
	mostLabel   = 40 // characters of a text that may be a label
)

// besideText is the readable text that stands by a control; label is the last of
// what is right before it, cut short of what is no label.
type besideText struct{ near, label, under string }

// besides gives, for each control of a screen, the text right before it, else
// the text right after it, no other control between, and the last short text
// above it that is no control's label. Where nothing names a control's part of
// the page, these do: "next to Total", "under March".
func besides(screen *surfaces.Screen) []besideText {
	out := make([]besideText, len(screen.Candidates))
	texts := screen.TextNodes
	labels := make(map[string]bool, len(screen.Candidates))
	for i := range screen.Candidates {
		labels[labelText(screen.Candidates[i].Name)] = true
	}
	under := ""
	for i := range screen.Candidates {
		order := screen.Candidates[i].Order
		for len(texts) > 0 && texts[0].Order < order {
			if t := texts[0]; !t.Field {
				out[i].near = cut(strings.TrimSpace(out[i].near+" "+t.Text), mostBeside)
				out[i].label = ""
				if len([]rune(t.Text)) <= mostLabel {
					out[i].label = strings.TrimRight(t.Text, ": ")
				}
				if len(t.Text) <= mostHeading && !labels[labelText(t.Text)] {
					under = t.Text
				}
			}
			texts = texts[1:]
		}
		out[i].under = under
		if out[i].near == "" && len(texts) > 0 && !texts[0].Field && (i+1 == len(out) || texts[0].Order < screen.Candidates[i+1].Order) {
			out[i].near = cut(texts[0].Text, mostBeside)
		}
	}
	return out
}

// labelText is a text as a label is compared.
func labelText(text string) string { return strings.ToLower(strings.Trim(text, " :*")) }
