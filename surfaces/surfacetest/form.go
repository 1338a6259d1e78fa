package surfacetest

import (
	_ "embed" // the form below
	"fmt"
	"time"

	"countersign/surfaces"
)

// FormAddress is where a Fake shows the form.
const FormAddress = "https://form.test/"

// growTime is how long after a press on Grow the form changes by itself.
const growTime = 700 * time.Millisecond

// FormHTML is the form of the conformance suite for a real browser. What it
// holds, and what NewForm holds alike:
//
//   - text boxes "Name" and "Password" (a password), both empty
//   - checkbox "Terms", not ticked
//   - native list "Colour" with Red, Green, Blue
//   - button "Count", which raises N in the line "pressed N times"
//   - button "Remove", which removes the button "Extra"; that one counts too
//   - button "Grow", after which the line "a late line" appears by itself
//   - button "Beneath", under a layer that says "Lying on top"
//
//go:embed form.html
var FormHTML string

// NewForm is a Fake that shows the form.
func NewForm() *Fake {
	f := New(surfaces.Browser)
	f.Serve(FormAddress, formPage)
	f.Do(func(a *App) { a.load(FormAddress) })
	return f
}

func formPage() *Page {
	pressed := 0
	line := Text("pressed 0 times")
	count := func(*App) {
		pressed++
		line.Name = fmt.Sprintf("pressed %d times", pressed)
	}
	beneath := Button("Beneath", count)
	beneath.Cover = `"Lying on top"`
	grow := func(a *App) {
		a.Later(growTime, func(a *App) { a.Add(Text("a late line")) })
	}
	return &Page{Title: "Conformance form", Elements: All(
		[]*Element{Text("Conformance form"), Field("Name"), Password("Password"), Checkbox("Terms")},
		Select("Colour", "Red", "Green", "Blue"),
		[]*Element{
			Button("Count", count),
			Button("Remove", func(a *App) { a.Remove("Extra") }),
			Button("Extra", count),
			Button("Grow", grow),
			beneath, Text("Lying on top"), line,
		})}
}
