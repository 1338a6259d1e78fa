package surfaces_test

import (
	"fmt"
	"strings"
	"testing"

	"countersign/surfaces"
)

// form is a small page; change edits a copy of it.
func form(change func(*surfaces.Screen)) *surfaces.Screen {
	s := &surfaces.Screen{
		App: "browser", Window: "Join", Surface: surfaces.FrontWindow, Context: []string{"Join the library"},
		Candidates: []surfaces.Candidate{
			{Ref: "seen:1", Role: "textbox", Name: "Name", Actions: []surfaces.Action{surfaces.CanSetValue}},
			{Ref: "seen:2", Role: "checkbox", Name: "Terms", Path: []string{`group "Consent"`}},
			{Ref: "seen:3", Role: "button", Name: "Later"},
		},
	}
	if change != nil {
		change(s)
	}
	return s
}

func TestFingerprint(t *testing.T) {
	tests := []struct {
		name   string
		change func(*surfaces.Screen)
		same   bool
	}{
		{"SF-08 only the refs are new", func(s *surfaces.Screen) {
			for i := range s.Candidates {
				s.Candidates[i].Ref = fmt.Sprintf("seen:%d", 100+i)
			}
		}, true},
		{"SF-09 a ticked checkbox", func(s *surfaces.Screen) { s.Candidates[1].States = []string{surfaces.Checked} }, false},
		{"SF-10 only bounds moved", func(s *surfaces.Screen) { s.Candidates[0].Bounds = surfaces.Bounds{Y: 300, Width: 9} }, true},
		{"another title", func(s *surfaces.Screen) { s.Window = "Draft" }, false},
		{"another front", func(s *surfaces.Screen) { s.Surface = surfaces.FrontSheet }, false},
		{"other text", func(s *surfaces.Screen) { s.Context = []string{"Thanks"} }, false},
		{"a typed value", func(s *surfaces.Screen) { s.Candidates[0].Value = "Jo" }, false},
		{"another place", func(s *surfaces.Screen) { s.Candidates[1].Path = []string{`group "News"`} }, false},
		{"another order", func(s *surfaces.Screen) {
			s.Candidates[0], s.Candidates[2] = s.Candidates[2], s.Candidates[0]
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			same := surfaces.Fingerprint(form(nil)) == surfaces.Fingerprint(form(tt.change))
			if same != tt.same {
				t.Errorf("same = %v, want %v", same, tt.same)
			}
		})
	}
}

func TestFingerprintKeepsFieldsApart(t *testing.T) {
	a := &surfaces.Screen{Candidates: []surfaces.Candidate{{Role: "button", Name: `A" "B`}}}
	b := &surfaces.Screen{Candidates: []surfaces.Candidate{{Role: "button", Name: "A", Value: "B"}}}
	if surfaces.Fingerprint(a) == surfaces.Fingerprint(b) {
		t.Error("a name that holds a quote passes for a name and a value")
	}
}

func TestChangeNote(t *testing.T) {
	many := func(s *surfaces.Screen) {
		for i := range 11 {
			s.Candidates = append(s.Candidates, surfaces.Candidate{Role: "link", Name: fmt.Sprint(i)})
		}
	}
	tests := []struct {
		name   string
		change func(*surfaces.Screen)
		values bool
		want   string
	}{
		{"the spec's own line", func(s *surfaces.Screen) {
			s.Window = "Draft"
			s.Candidates[2] = surfaces.Candidate{Role: "textbox", Name: "To"}
		}, false, `window is now "Draft"; appeared: textbox "To"; gone: button "Later"`},
		{"SF-11 a dialog opened", func(s *surfaces.Screen) {
			s.Surface = surfaces.FrontSheet
			s.Candidates = append(s.Candidates, surfaces.Candidate{Role: "button", Name: "Close"})
		}, false, `in front is now: sheet; appeared: button "Close"`},
		{"SF-12 a filled field, values not allowed", func(s *surfaces.Screen) { s.Candidates[0].Value = "Jo Park" }, false, `changed: textbox "Name"`},
		{"a filled field, values allowed", func(s *surfaces.Screen) { s.Candidates[0].Value = "Jo Park" }, true, `changed: textbox "Name" = "Jo Park"`},
		{"SF-13 nothing", nil, true, surfaces.NoChange},
		{"a ticked checkbox", func(s *surfaces.Screen) { s.Candidates[1].States = []string{surfaces.Checked} }, false, `now: checkbox "Terms" checked`},
		{"text alone", func(s *surfaces.Screen) { s.Context = nil }, false, "other text is shown"},
		{"eleven links", many, false, `appeared: link "0", link "1", link "2", link "3", link "4", link "5", link "6", link "7" and 3 more`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := surfaces.ChangeNote(form(nil), form(tt.change), tt.values); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if empty := surfaces.Difference(form(nil), form(tt.change)).Empty(); empty != (tt.want == surfaces.NoChange) {
				t.Errorf("Empty() = %v", empty)
			}
		})
	}
}

func TestDifferenceOfNothing(t *testing.T) {
	if !surfaces.Difference(nil, form(nil)).Empty() || !surfaces.Difference(form(nil), nil).Empty() {
		t.Error("a screen that is not there differs from one that is")
	}
}

func TestSF14NamedMatch(t *testing.T) {
	tests := []struct {
		text, name string
		want       bool
	}{
		{"press search now", "Search", false},
		{"open the add-to-cart button", "Add to cart", true},
		{"add this to the cart", "Add to cart", false},
		{"cart to add", "Add to cart", false},
		{"go to cart page", "Add to cart", true},
		{"préparez l'été", "L’été prochain", true},
		{"", "Add to cart", false},
		{"anything", "", false},
	}
	for _, tt := range tests {
		if got := surfaces.NamedMatch(tt.text, &surfaces.Candidate{Name: tt.name}); got != tt.want {
			t.Errorf("NamedMatch(%q, %q) = %v, want %v", tt.text, tt.name, got, tt.want)
		}
	}
}

func TestMarks(t *testing.T) {
	before := surfaces.Marks(form(nil))
	if got := before.Similarity(surfaces.Marks(form(nil))); got != 1 {
		t.Errorf("the same screen is similar by %v, want 1", got)
	}
	moved := form(func(s *surfaces.Screen) {
		s.Candidates = append([]surfaces.Candidate{{Role: "link", Name: "News"}}, s.Candidates[:2]...)
	})
	if got := before.Similarity(surfaces.Marks(moved)); got < 0.66 || got > 0.67 {
		t.Errorf("two of three marks are similar by %v, want 0.67", got)
	}
	twins := &surfaces.Screen{Candidates: make([]surfaces.Candidate, 2)}
	if got := surfaces.Marks(twins).Similarity(surfaces.Marks(&surfaces.Screen{Candidates: twins.Candidates[:1]})); got != 0.5 {
		t.Errorf("one twin of two is similar by %v, want 0.5", got)
	}
	if got := surfaces.Marks(nil).Similarity(before); got != 1 {
		t.Errorf("no marks are similar by %v, want 1", got)
	}
}

func TestLineAndDescription(t *testing.T) {
	card := []string{`main`, `list "Results"`, "listitem #3", "group"}
	tests := []struct {
		name   string
		c      surfaces.Candidate
		values bool
		want   string
	}{
		{"named", surfaces.Candidate{Role: "button", Name: "Apply", Path: card}, true, `button "Apply"`},
		{"value allowed", surfaces.Candidate{Role: "textbox", Name: "To", Value: "a@b.c", States: []string{"focused", "required"}}, true, `textbox "To" = "a@b.c" (focused, required)`},
		{"value kept back", surfaces.Candidate{Role: "textbox", Name: "To", Value: "a@b.c"}, false, `textbox "To"`},
		{"unnamed says where", surfaces.Candidate{Role: "button", Path: card}, false, `button in listitem #3 in list "Results"`},
		{"description that adds", surfaces.Candidate{Role: "gridcell", Name: "15", Description: "15 November 2026"}, false, `gridcell "15" [15 November 2026]`},
		{"description that repeats", surfaces.Candidate{Role: "button", Name: "Close dialog", Description: "close"}, false, `button "Close dialog"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := surfaces.Line(&tt.c, tt.values); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			d := surfaces.Describe(&tt.c, tt.values)
			if d.What != tt.c.Label() || d.Where != strings.Join(tt.c.Path, " › ") || (d.Holds != "") != (tt.values && tt.c.Value != "") {
				t.Errorf("described as %+v", d)
			}
		})
	}
}

func TestFL57NearTellsUnnamedLookAlikesApart(t *testing.T) {
	in := func(path ...string) surfaces.Description {
		return surfaces.Describe(&surfaces.Candidate{Role: "button", Path: path}, false)
	}
	pairs := [][2]surfaces.Description{
		{in(`dialog "Sign up"`), in(`dialog "Log in"`)},
		{in(`list "Results"`, "listitem #1"), in(`list "Results"`, "listitem #2")},
		{in("list"), in("list 2")},
	}
	for _, p := range pairs {
		if p[0].Near == p[1].Near || p[0].What != p[1].What {
			t.Errorf("%+v and %+v cannot be told apart by what is near", p[0], p[1])
		}
	}
	if named := surfaces.Describe(&surfaces.Candidate{Role: "button", Name: "Close", Path: []string{`dialog "Log in"`}}, false); named.Near != "" {
		t.Errorf("a named control is near %q, want nothing", named.Near)
	}
}
