package flows

import (
	"testing"

	"countersign/surfaces"
)

// TestCalendarAtTheEndOfAMonth: on the thirtieth only one day of the month can
// still be pressed, and the calendar is there all the same.
func TestCalendarAtTheEndOfAMonth(t *testing.T) {
	press := []surfaces.Action{surfaces.CanClick}
	day := surfaces.Candidate{Role: "gridcell", Name: "30", Description: "30 November 2026", Actions: press}
	arrow := surfaces.Candidate{Role: "button", Name: "next month", Actions: press}
	row := surfaces.Candidate{Role: "gridcell", Name: "30", Actions: press}
	wizard := surfaces.Candidate{Role: "button", Name: "Next", Actions: press}
	tests := []struct {
		name string
		on   []surfaces.Candidate
		want bool
	}{
		{"a last day and the arrow", []surfaces.Candidate{arrow, day}, true},
		{"the arrow alone", []surfaces.Candidate{arrow}, true},
		{"a week of days", []surfaces.Candidate{day, day, day, day, day, day, day}, true},
		{"a cell of some table", []surfaces.Candidate{row}, false},
		{"a wizard's next", []surfaces.Candidate{row, wizard}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := calendarShows(&surfaces.Screen{Candidates: tt.on}); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
