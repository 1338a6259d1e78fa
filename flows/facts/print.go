package facts

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// String lists the names, never a value.
func (s *Set) String() string {
	names := s.Names()
	for i, name := range names {
		if s.IsSecret(name) {
			names[i] = name + " (secret)"
		}
	}
	return "facts[" + strings.Join(names, ", ") + "]"
}

// GoString is String: %#v must not print a value either.
func (s *Set) GoString() string { return s.String() }

// Format prints the names under every verb.
func (s *Set) Format(f fmt.State, _ rune) {
	// A writer that refuses is fmt's own buffer; there is nobody to tell.
	_, _ = io.WriteString(f, s.String())
}

// MarshalJSON writes the names and which of them are secret.
func (s *Set) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Names  []string `json:"names"`
		Secret []string `json:"secret"`
	}{s.Names(), s.SecretNames()})
}

// LogValue logs the names.
func (s *Set) LogValue() slog.Value { return slog.StringValue(s.String()) }
