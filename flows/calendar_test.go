package flows

import (
	"strings"
	"testing"

	"countersign/flows/parse"
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

// The month of a drop-down is taken by its name, or by its place among twelve.
func TestMonthOfAList(t *testing.T) {
	tests := []struct{ name, options, want string }{
		{"names", "Choose,January,February,March,April", "March"},
		{"short names", "Jan Feb Mar Apr", ""},
		{"short names, one each", "Jan,Feb,Mar", "Mar"},
		{"another language", "Enero,Febrero,Marzo,Abril,Mayo,Junio,Julio,Agosto,Septiembre,Octubre,Noviembre,Diciembre", "Marzo"},
		{"numbers", "01,02,03,04,05,06,07,08,09,10,11,12", "03"},
		{"a list of something else", "One,Two,Three", ""},
		{"twelve years", "2011,2012,2013,2014,2015,2016,2017,2018,2019,2020,2021,2022", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var list []*surfaces.Candidate
			for name := range strings.SplitSeq(tt.options, ",") {
				list = append(list, &surfaces.Candidate{Role: "option", Name: name})
			}
			got := ""
			if c := (day{parse.Date{Year: 2026, Month: 3, Day: 1}}).monthOf(list); c != nil {
				got = c.Name
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
