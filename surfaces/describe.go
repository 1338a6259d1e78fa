package surfaces

import (
	"strings"
	"unicode"
)

// Label is the role and the quoted name, button "Apply"; an unnamed control is
// its role alone.
func (c *Candidate) Label() string {
	if c.Name == "" {
		return c.Role
	}
	return c.Role + ` "` + c.Name + `"`
}

// Target is the candidate as reports name it.
func (c *Candidate) Target() Target { return Target{Ref: c.Ref, Role: c.Role, Name: c.Name} }

// Line is one control on one line: label, value when values allows it, states,
// for an unnamed one where it stands, and in brackets what its description
// adds. All of it is foreign text.
func Line(c *Candidate, values bool) string {
	var b strings.Builder
	b.WriteString(c.Label())
	if values && c.Value != "" {
		b.WriteString(` = "` + c.Value + `"`)
	}
	if len(c.States) > 0 {
		b.WriteString(" (" + strings.Join(c.States, ", ") + ")")
	}
	if n := near(c); n != "" {
		b.WriteString(" in " + n)
	}
	if s := says(c); s != "" {
		b.WriteString(" [" + s + "]")
	}
	return b.String()
}

// Describe is the candidate as a decider reads it; what it holds is given only
// with values. Wrap it in Untrusted before it is sent.
func Describe(c *Candidate, values bool) Description {
	d := Description{
		What:     c.Label(),
		Where:    strings.Join(c.Path, " › "),
		Supports: joinActions(c.Actions),
		State:    strings.Join(c.States, ", "),
		Near:     near(c),
		Says:     says(c),
	}
	if values {
		d.Holds = c.Value
	}
	if c.ChildrenCount > 0 {
		d.Contains = plural(c.ChildrenCount, "element")
	}
	return d
}

// Untrusted marks what was read off a screen, so that whoever reads the
// question knows it for data (surfaces.md section 5).
type Untrusted struct {
	Data any `json:"untrusted_accessibility_data"`
}

// near tells unnamed look-alikes apart: the nearest named container, and the
// numbered ones between it and the control.
func near(c *Candidate) string {
	if c.Name != "" {
		return ""
	}
	var parts []string
	for i := len(c.Path) - 1; i >= 0; i-- {
		part := c.Path[i]
		if strings.Contains(part, `"`) {
			parts = append(parts, part)
			break
		}
		if numbered(part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " in ")
}

// numbered reports whether a path part ends in its ordinal: "listitem #3",
// "list 2".
func numbered(part string) bool {
	_, last, ok := strings.Cut(part, " ")
	last = strings.TrimPrefix(last, "#")
	return ok && last != "" && strings.Trim(last, "0123456789") == ""
}

// says is the description when it adds to the name.
func says(c *Candidate) string {
	d := strings.TrimSpace(c.Description)
	if d == "" || strings.Contains(phrase(c.Name), phrase(d)) {
		return ""
	}
	return d
}

// phrase is text as lower-cased words with single spaces around each, so that
// whole words can be found in it.
func phrase(text string) string { return " " + strings.Join(words(text), " ") + " " }

// words are the lower-cased runs of letters, marks and digits in text.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

func joinActions(actions []Action) string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = string(a)
	}
	return strings.Join(names, ", ")
}
