package desktop

import (
	"testing"

	"github.com/godbus/dbus/v5"

	"countersign/surfaces"
	"countersign/surfaces/desktop/desktoptest"
)

// windowOf300 is a program with about 300 objects.
func windowOf300(b *testing.B) *Side {
	s, _ := show(b, "many", desktoptest.Gallery, "many", "200")
	observe(b, s, "many")
	return s
}

// BenchmarkReading compares one look with the fastest way there is to get the
// same of every object: the cache in one call, and the place and the text of
// each in one more round. Their ratio is to be at most 1.5.
func BenchmarkReading(b *testing.B) {
	s := windowOf300(b)
	b.Run("observe", func(b *testing.B) {
		for b.Loop() {
			observe(b, s, "many")
		}
	})
	b.Run("bulk", func(b *testing.B) {
		l := s.open()
		for b.Loop() {
			c := l.bus.sweep(b.Context(), s.reading.program.at.Bus)
			var questions []*question
			for _, n := range c.nodes {
				if n.ifaces.has(hasComponent) {
					questions = append(questions, &question{to: n.at, method: atspi + "Component.GetExtents", args: []any{uint32(0)}, answer: func(*dbus.Call) {}})
				}
			}
			l.bus.askAll(b.Context(), questions)
		}
	})
}

// BenchmarkQuietAct is a press without its settling, at most 20 ms.
func BenchmarkQuietAct(b *testing.B) {
	s, _ := show(b, "form", desktoptest.Form)
	count := pick(b, observe(b, s, "form"), "button", "Count")
	for b.Loop() {
		must(b, s.Execute(b.Context(), surfaces.Click, count, ""))
	}
}
