package flows

import (
	"testing"

	"countersign/flows/parse"
	"countersign/surfaces"
)

func TestHoldsText(t *testing.T) {
	tests := []struct {
		held, text string
		want       bool
	}{
		{"(555) 123-4567", "5551234567", true},
		{"$1,234.50", "1234.50", true},
		{"1.234,50 €", "1234.50", true},
		{"1 234,50", "1234.50", true},
		{"$1,234.00", "1234", true},
		{"$123,450", "1234.50", false},
		{"$1,234.50", "1,234.5", true},
		{"1234.5 sheets", "1234.50", true},
		{"Room 12", "12 rooms", false},
		{"", "0", false},
	}
	for _, tt := range tests {
		if got := holdsText(tt.held, tt.text); got != tt.want {
			t.Errorf("%q holds %q: %t", tt.held, tt.text, got)
		}
	}
}

func TestInLayout(t *testing.T) {
	tests := []struct{ kind, text, want string }{
		{"date", "3 August 2027", "2027-08-03"},
		{"date", "next summer", "next summer"},
		{"time", "6:45 pm", "18:45"},
		{"time", "06:45", "06:45"},
		{"time", "soon", "soon"},
		{"datetime-local", "2027-02-01T06:45", "2027-02-01T06:45"},
		{"datetime-local", "1 February 2027, 6:45 pm", "2027-02-01T18:45"},
		{"month", "September 2027", "2027-09"},
		{"month", "2027-09", "2027-09"},
		{"text", "3 August 2027", "3 August 2027"},
	}
	for _, tt := range tests {
		if got := inLayout(&surfaces.Candidate{InputType: tt.kind}, tt.text); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.kind, tt.text, got, tt.want)
		}
	}
}

func TestLabelBefore(t *testing.T) {
	button := func(order int) surfaces.Candidate {
		return surfaces.Candidate{Role: "button", Name: "Any", Order: order, Actions: []surfaces.Action{surfaces.CanClick}}
	}
	screen := &surfaces.Screen{
		TextNodes:  []surfaces.TextNode{{Text: "Status:", Order: 1}, {Text: "A longer text that explains what comes below it", Order: 4}, {Text: "what a field holds", Order: 6, Field: true}},
		Candidates: []surfaces.Candidate{button(2), button(3), button(5), button(7)},
	}
	around := besides(screen)
	for i, want := range []string{"Status", "", "", ""} {
		if got := around[i].label; got != want {
			t.Errorf("button %d is labelled %q, want %q", i, got, want)
		}
	}
}

func TestMayOpen(t *testing.T) {
	click := []surfaces.Action{surfaces.CanClick}
	tests := []struct {
		c    surfaces.Candidate
		want bool
	}{
		{surfaces.Candidate{Role: "button", Name: "Choose a date", Actions: click}, true},
		{surfaces.Candidate{Role: "button", Name: "Save birth date", Actions: click}, false},
		{surfaces.Candidate{Role: "textbox", Name: "Birth date", Actions: click, States: []string{surfaces.ReadOnly}}, true},
		{surfaces.Candidate{Role: "textbox", Name: "Birth date", Actions: click}, false},
		{surfaces.Candidate{Role: "link", Name: "Birth date"}, false},
	}
	for _, tt := range tests {
		if got := mayOpen(&tt.c); got != tt.want {
			t.Errorf("%s %q may open: %t", tt.c.Role, tt.c.Name, got)
		}
	}
}

func TestCalendarWithDropDowns(t *testing.T) {
	d := day{parse.Date{Year: 1994, Month: 3, Day: 24}}
	option := func(name string, states ...string) surfaces.Candidate {
		return surfaces.Candidate{Role: "option", Name: name, States: states}
	}
	screen := &surfaces.Screen{Candidates: []surfaces.Candidate{option("Mar", surfaces.Selected), option("1994"), option("2020", surfaces.Selected)}}
	if d.monthTaken(screen) {
		t.Error("March 2020 is taken for March 1994")
	}
	screen.Candidates[1].States, screen.Candidates[2].States = screen.Candidates[2].States, nil
	if !d.monthTaken(screen) {
		t.Error("March 1994 is not seen")
	}
}
