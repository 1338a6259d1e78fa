package flows

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode"

	"countersign/flows/safety"
	"countersign/surfaces"
)

// Evidence is what a signature covers (tasks.md 4.9): taken from the very
// reading in which a guard found its control. Everything in it is masked.
type Evidence struct {
	Task    string          `json:"task"`
	Step    string          `json:"step"` // path
	Side    surfaces.Side   `json:"side"`
	Origin  string          `json:"origin"`
	Address string          `json:"address"` // not in the digest
	Control EvidenceControl `json:"control"`
	// Destination is the address the press leads to: where the control's form is
	// sent, or its link goes. Absolute, without the fragment; empty when the
	// control has neither, and in evidence stored before it was taken.
	Destination string          `json:"destination,omitempty"`
	Phrase      string          `json:"phrase"` // the guard's words; not in the digest
	Class       safety.Act      `json:"class"`
	Amount      string          `json:"amount"` // as decimal text, "2480.00"; empty when unread
	Currency    string          `json:"currency"`
	Payee       string          `json:"payee"`
	Form        []EvidenceField `json:"form"`              // at most 60
	Words       []string        `json:"words"`             // up to 12 lines nearest the control; in the digest on the desktop alone
	Picture     string          `json:"picture,omitempty"` // SHA-256 of the picture taken then; not in the digest
	Box         surfaces.Bounds `json:"box,omitzero"`      // of the control in it; not in the digest
	AskedAt     int64           `json:"asked_at"`          // Unix ms; not in the digest
}

// EvidenceControl names the control by what a person sees.
type EvidenceControl struct {
	Role string   `json:"role"`
	Name string   `json:"name"`
	Path []string `json:"path"`
}

// EvidenceField is one field of the control's form, a secret's value as ${name}.
type EvidenceField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Blind reports whether the control has no name that a person can see: it can
// only be declined.
func (e *Evidence) Blind() bool { return !visible(e.Control.Name) }

// LeavesSite reports whether the press leads to another origin than that of the
// page, or frame, on which it is signed. A script address stays on the page. Compared as
// text, as both are masked alike and the browser wrote both.
func (e *Evidence) LeavesSite() bool {
	if e.Destination == "" || strings.HasPrefix(e.Destination, "javascript:") {
		return false
	}
	rest, ok := strings.CutPrefix(e.Destination, e.Origin)
	return !ok || rest != "" && rest[0] != '/' && rest[0] != '?'
}

// visible reports whether text draws anything: a name of spaces, format
// characters and fillers is none (Unicode 15, Default_Ignorable_Code_Point).
func visible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsPrint(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) &&
			!unicode.Is(unicode.Variation_Selector, r) && r != brailleBlank
	})
}

const brailleBlank = '\u2800' // a symbol that draws nothing

// digestFields is the canonical JSON under the signature: fixed field order.
// An empty destination is left out, so that evidence stored before it was taken
// keeps its digest; words count on the desktop alone.
type digestFields struct {
	Task     string          `json:"task"`
	Step     string          `json:"step"`
	Side     surfaces.Side   `json:"side"`
	Origin   string          `json:"origin"`
	Control  EvidenceControl `json:"control"`
	Class    safety.Act      `json:"class"`
	Amount   string          `json:"amount"`
	Currency string          `json:"currency"`
	Payee    string          `json:"payee"`
	Form     []EvidenceField `json:"form"`

	Destination string   `json:"destination,omitempty"`
	Words       []string `json:"words,omitempty"`
}

func (e *Evidence) digestFields() digestFields {
	d := digestFields{
		Task: e.Task, Step: e.Step, Side: e.Side, Origin: e.Origin, Control: e.Control, Class: e.Class,
		Amount: e.Amount, Currency: e.Currency, Payee: e.Payee, Form: e.Form,
		Destination: e.Destination,
	}
	if e.Side == surfaces.Desktop {
		d.Words = e.Words // a dialog has no address: what it asks is all that says what OK does
	}
	if d.Control.Path == nil {
		d.Control.Path = []string{}
	}
	if d.Form == nil {
		d.Form = []EvidenceField{}
	}
	return d
}

// Digest is the SHA-256, in hex, of the signed fields as canonical JSON.
func (e *Evidence) Digest() string {
	b, err := json.Marshal(e.digestFields())
	if err != nil {
		panic(err) // strings and slices of them always encode
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Differs lists the signed fields in which now is not what was signed. Form
// fields are named "form: NAME".
func (e *Evidence) Differs(now *Evidence) []Difference {
	var out []Difference
	add := func(field, signed, seen string) {
		if signed != seen {
			out = append(out, Difference{Field: field, Signed: signed, Now: seen})
		}
	}
	add("task", e.Task, now.Task)
	add("step", e.Step, now.Step)
	add("side", string(e.Side), string(now.Side))
	add("origin", e.Origin, now.Origin)
	add("control", e.Control.String(), now.Control.String())
	add("destination", e.Destination, now.Destination)
	add("class", string(e.Class), string(now.Class))
	add("amount", strings.TrimSpace(e.Amount+" "+e.Currency), strings.TrimSpace(now.Amount+" "+now.Currency))
	add("payee", e.Payee, now.Payee)
	if e.Side == surfaces.Desktop {
		add("words", strings.Join(e.Words, " "), strings.Join(now.Words, " "))
	}
	return append(out, differingFields(e.Form, now.Form)...)
}

func differingFields(signed, now []EvidenceField) []Difference {
	var out []Difference
	for i := range max(len(signed), len(now)) {
		var a, b EvidenceField
		if i < len(signed) {
			a = signed[i]
		}
		if i < len(now) {
			b = now[i]
		}
		if a == b {
			continue
		}
		name := a.Name
		if name == "" || b.Name != "" && b.Name != a.Name {
			name = strings.Trim(a.Name+" / "+b.Name, " /")
		}
		out = append(out, Difference{Field: "form: " + name, Signed: a.Value, Now: b.Value})
	}
	return out
}

// String is role, quoted name and path: button "Send" in dialog "New mail".
func (c EvidenceControl) String() string {
	s := c.Role
	if c.Name != "" {
		s += ` "` + c.Name + `"`
	}
	if len(c.Path) > 0 {
		s += " in " + strings.Join(c.Path, " › ")
	}
	return s
}
