// Package facts holds the values a caller supplies by name, shared or secret,
// and the only ways text may be made from them: expand, mask, redact. A secret
// value leaves the package through Reveal alone, and no formatting verb, JSON
// or log attribute prints a value.
package facts

import (
	"maps"
	"slices"
	"strings"

	"countersign/surfaces/fault"
)

// Set is a set of facts. It never changes once made; nil is the empty set for
// every method. Safe for concurrent use.
type Set struct {
	// Behind a function, because fmt prints unexported fields by reflection and
	// follows pointers under a wrong verb; of a function it shows the address.
	// So a Set copied by value, or held in another struct, prints nothing.
	in func() *inner
}

type inner struct {
	values map[string]string // by name; no blank values
	secret map[string]bool   // may name a value that is still to come
	found  map[string]string // secrets a run read from a page: nobody gave them, and nobody is asked for them
	forms  []form            // converted forms of values that were typed
	cover  *cover            // what Mask and Redact look for; nil: nothing
}

type form struct{ name, text string }

// New makes a set. A value is secret when its name is among secretNames, when
// its name is sensitive, or when it looks like a card number (tasks.md 5.1).
// A blank value counts as not given. A secret name that is no key of values is
// UNKNOWN_SECRET.
func New(values map[string]string, secretNames []string) (*Set, error) {
	var unknown []string
	for _, name := range secretNames {
		if _, ok := values[name]; !ok {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return nil, fault.Newf(fault.UnknownSecret, "no fact is named %s", strings.Join(unknown, ", "))
	}
	var none *Set
	return none.Merge(values, secretNames...), nil
}

// Merge returns a set with values added: later values win, blank ones are
// ignored, and a name that is secret on either side stays secret. A secret name
// without a value is remembered for the value to come.
func (s *Set) Merge(values map[string]string, secretNames ...string) *Set {
	old := s.inner()
	in := &inner{
		values: make(map[string]string, len(old.values)+len(values)),
		secret: make(map[string]bool, len(old.secret)),
		found:  old.found,
		forms:  old.forms,
	}
	maps.Copy(in.values, old.values)
	maps.Copy(in.secret, old.secret)
	for _, name := range secretNames {
		in.secret[name] = true
	}
	for name, value := range values {
		if strings.TrimSpace(value) == "" {
			continue
		}
		in.values[name] = value
		if Sensitive(name) || CardNumber(value) {
			in.secret[name] = true
		}
	}
	in.cover = newCover(in)
	return hold(in)
}

// WithForm returns a set that also masks typed, a converted form of name's value
// that was typed: a secret date in the field's layout.
func (s *Set) WithForm(name, typed string) *Set {
	old := s.inner()
	if strings.TrimSpace(typed) == "" || old.values[name] == typed || slices.Contains(old.forms, form{name, typed}) {
		return s
	}
	in := *old
	in.forms = append(slices.Clone(old.forms), form{name, typed})
	in.cover = newCover(&in)
	return hold(&in)
}

// Learn returns a set that also masks what a run on this one came to know: the
// forms in which it typed secrets, and the secrets it read from a page. Those can
// be revealed by name to a later run; Has, Names and SecretNames do not know them.
func (s *Set) Learn(from *Set) *Set {
	old, now := s.inner(), from.inner()
	in := *old
	in.found, in.secret = map[string]string{}, map[string]bool{}
	maps.Copy(in.found, old.found)
	maps.Copy(in.secret, old.secret)
	for _, values := range []map[string]string{now.found, now.values} {
		for name, value := range values {
			if _, given := old.values[name]; given || !now.secret[name] {
				continue
			}
			in.found[name], in.secret[name] = value, true
		}
	}
	for _, f := range now.forms {
		if !slices.Contains(in.forms, f) {
			in.forms = append(slices.Clone(in.forms), f)
		}
	}
	in.cover = newCover(&in)
	return hold(&in)
}

// Names lists every fact, sorted.
func (s *Set) Names() []string {
	return slices.Sorted(maps.Keys(s.inner().values))
}

// SecretNames lists the secret facts, sorted.
func (s *Set) SecretNames() []string {
	in := s.inner()
	names := make([]string, 0, len(in.secret))
	for name := range in.values {
		if in.secret[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Has reports whether name has a value.
func (s *Set) Has(name string) bool {
	_, ok := s.inner().values[name]
	return ok
}

// IsSecret reports whether name is secret in this set; a name without a value
// is when it was declared so.
func (s *Set) IsSecret(name string) bool { return s.inner().secret[name] }

// IsCardData reports whether only fill_then_approve may type name: its name
// says card data, or its value looks like a card number (tasks.md 5.2). The
// name alone decides when there is no value.
func (s *Set) IsCardData(name string) bool {
	return CardName(name) || CardNumber(s.inner().values[name])
}

// Shared gives the value of a shared fact; false for a secret one.
func (s *Set) Shared(name string) (string, bool) {
	in := s.inner()
	value, ok := in.values[name]
	if !ok || in.secret[name] {
		return "", false
	}
	return value, true
}

// SharedValues copies the shared facts.
func (s *Set) SharedValues() map[string]string {
	in := s.inner()
	shared := make(map[string]string, len(in.values))
	for name, value := range in.values {
		if !in.secret[name] {
			shared[name] = value
		}
	}
	return shared
}

// Reveal gives a fact's value, secret or shared. It is the only door to a
// secret value and may be called only where text is typed into a field, at the
// moment of typing.
func (s *Set) Reveal(name string) (string, bool) {
	in := s.inner()
	if value, ok := in.values[name]; ok {
		return value, true
	}
	value, ok := in.found[name]
	return value, ok
}

// names are all names a placeholder can hold.
func (in *inner) names() map[string]bool {
	names := make(map[string]bool, len(in.values)+len(in.found)+len(in.forms))
	for name := range in.values {
		names[name] = true
	}
	for name := range in.found {
		names[name] = true
	}
	for _, f := range in.forms {
		names[f.name] = true
	}
	return names
}

var empty = &inner{} // never written to

func (s *Set) inner() *inner {
	if s == nil || s.in == nil {
		return empty
	}
	return s.in()
}

func hold(in *inner) *Set { return &Set{in: func() *inner { return in }} }
