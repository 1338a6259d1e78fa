package flows

import (
	"strings"
	"testing"
)

func BenchmarkCheckLargestFlow(b *testing.B) {
	raw := wrap(strings.TrimSuffix(strings.Repeat(`{"enter":{"name":"${name}","e-mail":"${email}"}},`, MaxSteps), ","))
	for b.Loop() {
		if c := Check(raw, []string{"name", "email"}, nil, nil, StopAtPayment); !c.Valid() {
			b.Fatal(c.Errors)
		}
	}
}
