package facts

import (
	"strings"
	"testing"
)

// A request to the decider is at most 48,000 bytes (flows.md 5.6).
func BenchmarkMaskRequest(b *testing.B) {
	s := new(Set).Merge(map[string]string{"card number": card, "cvv": "123", "password": "correct horse", "name": "Mira Olsen", "city": "Aarhus"})
	text := strings.Repeat("button \"Add 12 notebooks\" at 4111 1111 1111 1111, 1,230 kr. ", 800)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.Mask(text)
	}
}
