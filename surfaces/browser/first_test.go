package browser

import (
	"testing"

	"countersign/surfaces"
)

func TestFirst(t *testing.T) {
	s := show(t, `<main><h1>Shop</h1><form id=f><label for=n>Name</label><input id=n name=n required>
<label><input type=checkbox id=c> I agree</label>
<select id=s aria-label=Colour><option>Red<option>Blue</select>
<button type=button onclick="document.title='pressed '+n.value+' '+c.checked+' '+s.value">Send</button></form>
<ul><li>One <button>Pick</button><li>Two <button>Pick</button></ul><a href="/other">Other</a></main>`)
	screen := observe(t, s)
	t.Log(screen.Window, screen.Address, screen.Context, all(screen))
	must(t, s.Execute(t.Context(), surfaces.TypeText, pick(t, screen, "textbox", "Name"), "Ada"))
	must(t, s.Execute(t.Context(), surfaces.Check, pick(t, screen, "checkbox", "I agree"), ""))
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, screen, "option", "Blue"), ""))
	must(t, s.Execute(t.Context(), surfaces.Click, pick(t, screen, "button", "Send"), ""))
	s.Settle(t.Context())
	if got, want := observe(t, s).Window, "pressed Ada true Blue"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
}
