// Package form takes values one by one: one field per name, secret ones typed
// without echo and shown afterwards as their length. It checks nothing: a value
// that does not look like its kind is told once and taken.
package form

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"countersign/controller/task"
	"countersign/ui/text"
	"countersign/ui/theme"
)

// Field is one value to be typed.
type Field struct {
	Name, Why, Kind string
	Options         []string
	Secret          bool // typed without echo, shown afterwards as its length
	Optional        bool // may stay blank
	edit            text.Edit
	notice          string // told once: does not look like its kind
}

// Model is the form. A value: its methods return the changed one. It holds what
// was typed and shows no secret.
type Model struct {
	fields []Field
	at     int
}

// New asks for fields. Sensitive says which names are typed without echo; nil:
// none.
func New(fields []task.Field, sensitive func(name string) bool) Model {
	f := Model{}
	for _, field := range fields {
		f.fields = append(f.fields, Field{
			Name: text.Line(field.Name), Why: text.Line(field.Why), Kind: field.Kind, Options: field.Options,
			Secret: sensitive != nil && sensitive(field.Name),
		})
	}
	return f
}

// Values gives what was typed, by name.
func (f Model) Values() map[string]string {
	out := make(map[string]string, len(f.fields))
	for _, field := range f.fields {
		out[field.Name] = field.edit.Value()
	}
	return out
}

// Secrets names the fields that were typed without echo.
func (f Model) Secrets() []string {
	var out []string
	for _, field := range f.fields {
		if field.Secret {
			out = append(out, field.Name)
		}
	}
	return out
}

// Add appends a field of the caller's own.
func (f Model) Add(field Field, value string) Model {
	field.edit = text.NewEdit(value)
	f.fields = append(append([]Field(nil), f.fields...), field)
	return f
}

// Fill types values into the fields of their names.
func (f Model) Fill(values map[string]string) Model {
	f.fields = append([]Field(nil), f.fields...)
	for i := range f.fields {
		if value := values[f.fields[i].Name]; value != "" {
			f.fields[i].edit = text.NewEdit(value)
		}
	}
	return f
}

// Len is the number of fields.
func (f Model) Len() int { return len(f.fields) }

// Same reports whether the form asks for the very same names, so that what was
// typed may stay.
func (f Model) Same(fields []task.Field) bool {
	if len(f.fields) != len(fields) {
		return false
	}
	for i := range fields {
		if f.fields[i].Name != text.Line(fields[i].Name) {
			return false
		}
	}
	return true
}

// Update takes one key; done is true when Enter was pressed in the last field
// and every field holds something.
func (f Model) Update(msg tea.KeyMsg) (next Model, done bool) {
	if len(f.fields) == 0 {
		return f, false
	}
	fields := append([]Field(nil), f.fields...)
	field := &fields[f.at]
	keys := DefaultKeyMap()
	switch {
	case key.Matches(msg, keys.Enter):
		return f.enter()
	case key.Matches(msg, keys.Up):
		f.at = max(f.at-1, 0)
		return f, false
	case key.Matches(msg, keys.Down):
		f.at = min(f.at+1, len(f.fields)-1)
		return f, false
	case key.Matches(msg, keys.Secret):
		field.Secret = !field.Secret
	default:
		field.edit = Typed(field.edit, msg)
		field.notice = ""
	}
	f.fields = fields
	return f, false
}

func (f Model) enter() (Model, bool) {
	fields := append([]Field(nil), f.fields...)
	f.fields = fields
	field := &fields[f.at]
	if notice := KindNotice(field.Kind, field.edit.Value()); notice != "" && field.notice == "" {
		field.notice = notice + ": Enter again keeps it"
		return f, false
	}
	if f.at < len(fields)-1 && fields[f.at+1].edit.Empty() {
		f.at++
		return f, false
	}
	for i := range fields {
		at := (f.at + 1 + i) % len(fields)
		if !fields[at].Optional && strings.TrimSpace(fields[at].edit.Value()) == "" {
			f.at = at
			return f, false
		}
	}
	return f, true
}

// Typed applies an editing key to a line.
func Typed(e text.Edit, msg tea.KeyMsg) text.Edit {
	if (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt {
		return e.Insert(string(msg.Runes))
	}
	keys := DefaultEditKeys()
	switch {
	case key.Matches(msg, keys.Backspace):
		return e.Backspace()
	case key.Matches(msg, keys.Delete):
		return e.Delete()
	case key.Matches(msg, keys.Left):
		return e.Move(-1)
	case key.Matches(msg, keys.Right):
		return e.Move(1)
	case key.Matches(msg, keys.Home):
		return e.Move(-e.Len())
	case key.Matches(msg, keys.End):
		return e.Move(e.Len())
	case key.Matches(msg, keys.DeleteWord):
		return e.DeleteWord()
	case key.Matches(msg, keys.Clear):
		return e.Clear()
	default:
		return e
	}
}

// labelWidth is the column of names, as wide as that of a card's facts.
const labelWidth = 12

// Rows draws the form: a row per field, the reason below it.
func (f Model) Rows(th theme.Theme, widthCells int, focused bool) []string {
	label := labelWidth
	for _, field := range f.fields {
		label = min(max(label, text.Width(field.Name)), 2*labelWidth)
	}
	var rows []string
	for i, field := range f.fields {
		here := i == f.at && focused
		mark, name := "  ", th.Subtle
		if here {
			mark, name = th.Accent.Render("› "), th.Strong
		}
		room := max(widthCells-label-4, 4)
		rows = append(rows, mark+name.Render(text.Pad(field.Name, label))+" "+field.value(th, room, here))
		why := field.Why // asked by us, about a name of the flow
		if len(field.Options) > 0 {
			why += " · one of " + text.Line(strings.Join(field.Options, ", "))
		}
		if field.Kind != "" && field.Kind != "text" {
			why += " · " + field.Kind
		}
		indent := strings.Repeat(" ", 3+label)
		if field.notice != "" {
			rows = append(rows, indent+th.Warn.Render(field.notice))
		} else if why != "" {
			for _, line := range text.Wrap(why, room) {
				rows = append(rows, indent+th.Quote.Render(line))
			}
		}
	}
	return rows
}

func (field Field) value(th theme.Theme, room int, here bool) string {
	mark := func(s string) string { return th.Cursor.Render(s) }
	switch {
	case field.Secret && here:
		return mark(" ") + th.Subtle.Render("  typed without echo")
	case field.Secret && !field.edit.Empty():
		return th.Subtle.Render(fmt.Sprintf("%d characters", field.edit.Len()))
	case here:
		return field.edit.View(room, mark)
	case field.edit.Empty():
		return th.Faint.Render(strings.Repeat("·", 8))
	default:
		return th.Text.Render(text.Truncate(text.Line(field.edit.Value()), room))
	}
}

// KindNotice tells the person that a value does not look like its kind; empty
// when it does. It is told once and never refused twice.
func KindNotice(kind, value string) string {
	value = strings.TrimSpace(value)
	digits := strings.ContainsAny(value, "0123456789")
	switch {
	case value == "":
		return ""
	case kind == "phone" && !digits:
		return "a phone number usually has digits"
	case kind == "email" && !strings.Contains(value, "@"):
		return "an e-mail address usually has an @"
	case kind == "date" && !digits:
		return "a date usually has digits"
	case kind == "number" && !digits:
		return "a number usually has digits"
	default:
		return ""
	}
}
