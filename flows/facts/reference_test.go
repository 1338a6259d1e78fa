package facts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReferences(t *testing.T) {
	for _, row := range []struct {
		text  string
		names []string
		bad   string
	}{
		{"plain", nil, ""},
		{"to ${city} on ${travel date}", []string{"city", "travel date"}, ""},
		{"${ card number }", []string{"card number"}, ""},
		{"$${city}", nil, ""},
		{"$${a} ${b}", []string{"b"}, ""},
		{"$5 and {x}", nil, ""},
		{"${city", nil, "not closed"},
		{"${}", nil, "names nothing"},
		{"${  } ${ok}", []string{"ok"}, "names nothing"},
		{"${a\nb}", nil, "line break"},
		{"${a ${b}", []string{"b"}, "not closed"},
		{"${" + strings.Repeat("é", 64) + "}", []string{strings.Repeat("é", 64)}, ""},
		{"${" + strings.Repeat("é", 65) + "}", nil, "longer than 64"},
	} {
		refs, err := References(row.text)
		var names []string
		for _, r := range refs {
			names = append(names, r.Name)
			if whole := row.text[r.Start:r.End]; !strings.HasPrefix(whole, "${") || !strings.HasSuffix(whole, "}") {
				t.Errorf("References(%q): range holds %q", row.text, whole)
			}
		}
		if !cmp.Equal(names, row.names) {
			t.Errorf("References(%q) = %v, want %v", row.text, names, row.names)
		}
		if (err != nil) != (row.bad != "") || err != nil && !strings.Contains(err.Error(), row.bad) {
			t.Errorf("References(%q): error %v, want %q", row.text, err, row.bad)
		}
	}
}

func TestFL20_ExpandedValueIsNotExpandedAgain(t *testing.T) {
	values := map[string]string{"a": "${b}", "b": "secret", "city": "Pune"}
	lookup := func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	for text, want := range map[string]string{
		"${a}":             "${b}",
		"to ${ city }!":    "to Pune!",
		"${unknown} stays": "${unknown} stays",
		"$${city}":         "${city}",
		"$$${city}":        "$${city}",
		"${city":           "${city",
		"${a ${city}":      "${a Pune",
		"${}":              "${}",
		"100%":             "100%",
	} {
		if got := Expand(text, lookup); got != want {
			t.Errorf("Expand(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"${a}", "$${a}", "${a ${b}", "${\n}", "${", "}", "${$${00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		refs, _ := References(text)
		unchanged := Expand(text, func(string) (string, bool) { return "", false })
		if want := strings.ReplaceAll(text, "$${", "${"); unchanged != want {
			t.Errorf("Expand(%q) with nothing known = %q, want %q", text, unchanged, want)
		}
		known := 0
		Expand(text, func(string) (string, bool) { known++; return "x", true })
		if known != len(refs) {
			t.Errorf("Expand(%q) looked up %d names, References lists %d", text, known, len(refs))
		}
	})
}
