package facts

import (
	"fmt"
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

// Twenty secrets in all their forms against the text of one screen, some of it
// secret and escaped: at most 300 µs.
func BenchmarkMaskScreen(b *testing.B) {
	values := map[string]string{"card number": card, "cvv": "123", "iban": "DE89370400440532013000", "passport expiry": "1998-03-24"}
	for i := range 16 {
		values[fmt.Sprintf("password %d", i)] = fmt.Sprintf("%c%c pass-word/%d&%c", 'a'+i, 'z'-i, i*7919, 'A'+i)
	}
	s := new(Set).Merge(values).WithForm("passport expiry", "24-03-1998")
	line := "button \"Add 12 notebooks\" costs 1,230 kr. and ships on 12/31 to Aarhus; a %20 href=/cart?item=4711&amp;x=1 for Mira. "
	text := strings.Repeat(line, 8<<10/len(line)) + "4111%201111 1111-1111 az pass-word/0&amp;A"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.Mask(text)
	}
}
