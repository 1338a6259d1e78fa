// Package facts holds the values a caller supplies by name, shared or secret,
// and the only ways text may be made from them: expand, mask, redact. A secret
// value leaves the package through Reveal alone, and no formatting verb, JSON
// or log attribute prints a value.
package facts

// Set is a set of facts. It never changes once made; nil is the empty set.
// Safe for concurrent use.
type Set struct {
	values map[string]string
	secret map[string]bool
	forms  []form // converted forms of secrets that were typed
}

type form struct{ name, text string }
