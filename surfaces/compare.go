package surfaces

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// NoChange is the change note of two screens that show the same.
const NoChange = "no visible change"

// noteLabels is how many labels one part of a change note names before "and n
// more" (surfaces.md section 5).
const noteLabels = 8

// Signature is what makes a control the same control in another reading: role,
// name, value, states and its place in the tree, whose parts carry their
// ordinals. No ref and no bounds, and no position in the whole document: one
// line more above a control does not make it another. It may hold a value, so
// it is compared and never shown.
func Signature(c *Candidate) string {
	states := slices.Clone(c.States)
	slices.Sort(states)
	fields := []string{c.Role, c.Name, c.Value, strings.Join(states, ",")}
	return joinFields(append(fields, c.Path...))
}

// Fingerprint is equal for two readings that show the same, even when every
// ref is new: all signatures in order, the window title, what is in front, and
// the context. A nil screen has the empty fingerprint.
func Fingerprint(s *Screen) string {
	if s == nil {
		return ""
	}
	h := sha256.New()
	write := func(fields ...string) {
		h.Write([]byte(joinFields(fields) + "\n")) // a hash never fails to be written to
	}
	write(s.Window, s.Surface)
	for i := range s.Candidates {
		write(Signature(&s.Candidates[i]))
	}
	write(s.Context...)
	return hex.EncodeToString(h.Sum(nil))
}

// joinFields quotes each field, so that no text can pretend to be two.
func joinFields(fields []string) string {
	quoted := make([]string, len(fields))
	for i, f := range fields {
		quoted[i] = strconv.Quote(f)
	}
	return strings.Join(quoted, " ")
}

// MarkSet is the set of ref-free signatures a screen is recognised by.
type MarkSet map[string]struct{}

// Marks gives a screen's marks; look-alikes count one each.
func Marks(s *Screen) MarkSet {
	marks := MarkSet{}
	if s == nil {
		return marks
	}
	seen := map[string]int{}
	for i := range s.Candidates {
		sig := Signature(&s.Candidates[i])
		seen[sig]++
		marks[sig+" "+strconv.Itoa(seen[sig])] = struct{}{}
	}
	return marks
}

// Similarity is the share, 0 to 1, of these marks that now shows again. No
// marks are all there.
func (m MarkSet) Similarity(now MarkSet) float64 {
	if len(m) == 0 {
		return 1
	}
	found := 0
	for mark := range m {
		if _, ok := now[mark]; ok {
			found++
		}
	}
	return float64(found) / float64(len(m))
}

// FieldChange is a control whose value changed.
type FieldChange struct {
	Role  string
	Name  string
	Value string // the new one; shown only where values are allowed
}

// StateChange is a control that got a state a person sees.
type StateChange struct {
	Label string
	State string // the new state, or "not " and the one it lost
}

// Change is what differs between two screens. Its strings are foreign text.
type Change struct {
	Window   bool   // another window or page title
	Surface  bool   // something else is in front
	Title    string // the new title, when Window
	Front    string // the new front, when Surface
	Appeared []string
	Gone     []string
	Fields   []FieldChange
	States   []StateChange
	Text     bool // other visible text
}

// Empty reports whether the two screens showed the same.
func (c Change) Empty() bool {
	return !c.Window && !c.Surface && !c.Text &&
		len(c.Appeared)+len(c.Gone)+len(c.Fields)+len(c.States) == 0
}

// Difference compares two readings, a before b. A nil one cannot be compared:
// nothing differs.
func Difference(a, b *Screen) Change {
	if a == nil || b == nil {
		return Change{}
	}
	d := Change{Text: !slices.Equal(a.Context, b.Context)}
	if a.Window != b.Window {
		d.Window, d.Title = true, b.Window
	}
	if a.Surface != b.Surface {
		d.Surface, d.Front = true, b.Surface
	}
	before, after := byPlace(a), byPlace(b)
	d.Gone = missing(a, b)
	d.Appeared = missing(b, a)
	for _, key := range after.order {
		now := after.at[key]
		if was := before.at[key]; was != nil {
			d.compare(was, now)
		}
	}
	return d
}

func (c *Change) compare(was, now *Candidate) {
	if was.Value != now.Value {
		c.Fields = append(c.Fields, FieldChange{Role: now.Role, Name: now.Name, Value: now.Value})
	}
	for _, state := range []string{Checked, Selected, Expanded, Disabled, ReadOnly} {
		switch {
		case now.Has(state) && !was.Has(state):
			c.States = append(c.States, StateChange{now.Label(), state})
		case was.Has(state) && !now.Has(state):
			c.States = append(c.States, StateChange{now.Label(), "not " + state})
		}
	}
}

// places are a screen's controls by what stays the same while they change.
type places struct {
	order []string
	at    map[string]*Candidate
}

func byPlace(s *Screen) places {
	p := places{at: map[string]*Candidate{}}
	seen := map[string]int{}
	for i := range s.Candidates {
		c := &s.Candidates[i]
		place := joinFields(append([]string{c.Role, c.Name}, c.Path...))
		seen[place]++
		key := place + " " + strconv.Itoa(seen[place])
		p.order = append(p.order, key)
		p.at[key] = c
	}
	return p
}

// missing gives the labels of a, in order, that b does not have as often.
func missing(a, b *Screen) []string {
	left := map[string]int{}
	for i := range b.Candidates {
		left[b.Candidates[i].Label()]++
	}
	var labels []string
	for i := range a.Candidates {
		label := a.Candidates[i].Label()
		if left[label] > 0 {
			left[label]--
			continue
		}
		labels = append(labels, label)
	}
	return labels
}

// ChangeNote says in one line what changed from a to b, such as
//
//	window is now "Draft"; appeared: textbox "To"; gone: button "Later"
//
// A changed field is named without its value unless values. NoChange when
// nothing did.
func ChangeNote(a, b *Screen, values bool) string {
	return Difference(a, b).Note(values)
}

// Note is the change in one line, as ChangeNote gives it.
func (c Change) Note(values bool) string {
	var parts []string
	if c.Window {
		parts = append(parts, `window is now "`+c.Title+`"`)
	}
	if c.Surface {
		parts = append(parts, "in front is now: "+c.Front)
	}
	add := func(title string, labels []string) {
		if len(labels) > 0 {
			parts = append(parts, title+": "+few(labels))
		}
	}
	add("appeared", c.Appeared)
	add("gone", c.Gone)
	add("changed", c.fieldNotes(values))
	add("now", c.stateNotes())
	if len(parts) == 0 && c.Text {
		parts = append(parts, "other text is shown")
	}
	if len(parts) == 0 {
		return NoChange
	}
	return strings.Join(parts, "; ")
}

func (c Change) fieldNotes(values bool) []string {
	notes := make([]string, len(c.Fields))
	for i, f := range c.Fields {
		field := Candidate{Role: f.Role, Name: f.Name}
		notes[i] = field.Label()
		if values {
			notes[i] += ` = "` + f.Value + `"`
		}
	}
	return notes
}

func (c Change) stateNotes() []string {
	notes := make([]string, len(c.States))
	for i, s := range c.States {
		notes[i] = s.Label + " " + s.State
	}
	return notes
}

func few(labels []string) string {
	if len(labels) <= noteLabels {
		return strings.Join(labels, ", ")
	}
	return strings.Join(labels[:noteLabels], ", ") + " and " + strconv.Itoa(len(labels)-noteLabels) + " more"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// NamedMatch reports whether text names the candidate: it holds, adjacent and
// in order, at least two neighbouring words of its name. A name of one word
// never matches: too many controls are called "Search".
func NamedMatch(text string, c *Candidate) bool {
	said := phrase(text)
	name := words(c.Name)
	for i := 1; i < len(name); i++ {
		if strings.Contains(said, " "+name[i-1]+" "+name[i]+" ") {
			return true
		}
	}
	return false
}
