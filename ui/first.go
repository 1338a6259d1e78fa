package ui

import (
	"countersign/ui/text"
	"countersign/ui/theme"
)

// teaching is what stands where one task would, while there is none: how to
// come to one, and how it will ask.
func (m Model) teaching(width, height int) []string {
	var rows []string
	line := func(mark, word, said string) {
		first := "   " + mark + text.Pad("", max(9-text.Width(mark), 0)) + word
		for _, part := range text.Wrap(said, max(width-text.Width(first)-1, 16)) {
			rows = append(rows, first+m.theme.Text.Render(part))
			first = text.Pad("", text.Width(first))
		}
	}
	say := func(said string) {
		for _, part := range text.Wrap(said, max(width-3, 16)) {
			rows = append(rows, " "+m.theme.Subtle.Render(part))
		}
	}
	keyed := func(k, said string) { line(m.theme.Key.Render(k), "", said) }
	rows = append(rows, "", " "+m.theme.Strong.Render("Three keys to a running task"), "")
	keyed("n", "a new task, from a flow file")
	keyed("ctrl+e", "or from a sample to edit, in your editor or here, the guide beside it")
	keyed("enter", "looks at its steps, asks for what it misses, and starts it")
	rows = append(rows, "", " "+m.theme.Strong.Render("It stops for you in three ways"), "")
	for _, w := range theme.Waits() {
		line(m.theme.Wait(w).Render(w.Glyph()+" "+w.String()), "  ", map[theme.Wait]string{
			theme.Decide: "an act that cannot be taken back: read the card, type sign",
			theme.Type:   "a value is missing: type it",
			theme.ByHand: "a captcha, a sign-in, a payment: do it in the browser, say so",
		}[w])
	}
	rows = append(rows, "")
	say("space goes to the longest wait, ? lists every key.")
	say("countersign demo --tour walks you through all of it on local sites, without touching anything of yours.")
	return text.Fit(rows, width, height)
}
